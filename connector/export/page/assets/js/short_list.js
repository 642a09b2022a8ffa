// A list that begins short.

import { element } from "./elements.js";
import { counted } from "./names.js";

/**
 * A list that shows its beginning, and the rest when asked.
 * @param {HTMLElement[]} items
 * @param {string} noun  of what is listed
 * @param {number} start  as many are shown before somebody asks for more
 */
export function shortList(items, noun, start = 60) {
  const list = element("ul.names", {}, ...items.slice(0, start));
  if (items.length > start) {
    const more = element(
      "button.more",
      {
        type: "button",
        onclick: () => {
          more.parentElement?.remove();
          list.append(...items.slice(start));
        },
      },
      `Show ${counted(items.length - start, `more ${noun}`)}`,
    );
    list.append(element("li", {}, more));
  }
  return list;
}
