// What stands where the picture would be, when there is none.

import { byId, element, replaceContent } from "./elements.js";
import { counted } from "./names.js";

/**
 * @import { LineageDocument } from "./document.js"
 */

export class EmptyBox {
  /** @param {{change(part: any): void}} listener */
  constructor(listener) {
    this.box = byId("empty");
    this.listener = listener;
  }

  hide() {
    this.box.hidden = true;
  }

  /**
   * @param {string} title
   * @param {...(Node | string | null | undefined | false)} words
   */
  say(title, ...words) {
    replaceContent(this.box, element("h2", {}, title), element("p", {}, ...words));
    this.box.hidden = false;
  }

  /**
   * Why there is nothing.
   * @param {LineageDocument} lineage
   * @param {any} state
   * @param {boolean} served  whether there are an editor and a store
   */
  explain(lineage, state, served) {
    const problems = lineage.problems.length;
    if (lineage.entities.length > 0) {
      this.say("Nothing is shown on this level", "Another level, or a switch under Show, may show more.");
      if (lineage.hasComplete && state.level !== "complete") this.box.append(this.#everyStep());
    } else if (problems > 0) {
      this.say("No lineage was found", `${counted(problems, "problem")} in the SQL; see the list below it.`);
    } else if (served) {
      this.say(
        "Nothing to show yet",
        element("span.on-wide", {}, "Paste SQL on the left, open a file, or choose a table of the store."),
        element("span.on-narrow", {}, "Tap SQL below to paste a script, open a file, or choose a table of the store."),
      );
    } else this.say("No lineage was found", "The scripts read and write no tables.");
  }

  #everyStep() {
    const show = () => this.listener.change({ level: "complete" });
    return element("button.primary", { type: "button", onclick: show }, "Show every step");
  }
}
