// A list that begins short.

import { element } from "./elements.js";
import { counted } from "./names.js";

/** As many names as a list shows before somebody asks for more. */
const LIST_START = 60;

/** A list that shows its beginning, and the rest when asked. */
export function shortList(items, noun) {
  const list = element("ul.names", {}, ...items.slice(0, LIST_START));
  if (items.length > LIST_START) {
    const more = element(
      "button.more",
      {
        type: "button",
        onclick: () => {
          more.parentElement.remove();
          list.append(...items.slice(LIST_START));
        },
      },
      `Show ${counted(items.length - LIST_START, `more ${noun}`)}`,
    );
    list.append(element("li", {}, more));
  }
  return list;
}
