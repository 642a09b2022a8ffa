// The level on show as text: to read, to copy, to save.

import { announce, byId, copyText, element, replaceContent, replaceKeepingFocus } from "./elements.js";
import { csvOfLevel, jsonOfLevel, saveFile } from "./files.js";
import { counted } from "./names.js";
import { errorWords } from "./server.js";
import { treeOfLevel } from "./text_tree.js";

/**
 * @import { LineageDocument } from "./document.js"
 * @import { State } from "./address.js"
 * @typedef {{name: string, label: string, ending: string, write(lineage: LineageDocument, state: State, isChosen: any): string}} TextForm
 */

/** Longer texts are cut: nobody reads them here, and browsers take long over them. */
const MOST_SHOWN = 200_000;

/** @type {TextForm[]} */
const FORMS = [
  { name: "tree", label: "Tree", ending: "txt", write: treeOfLevel },
  { name: "csv", label: "CSV", ending: "csv", write: csvOfLevel },
  { name: "json", label: "JSON", ending: "json", write: (...given) => `${JSON.stringify(jsonOfLevel(...given), null, 2)}\n` },
];

export class TextView {
  #form = FORMS[0].name;
  #text = "";
  /** Which text is on show: another one may have been asked for meanwhile. */
  #asked = 0;
  status = element("p.list-count", { role: "status" });
  body = element("pre.text-body");

  constructor() {
    this.box = byId("text");
  }

  /**
   * @param {LineageDocument} lineage
   * @param {State} state
   * @param {{isChosen: any, about: string | null, formats: string[], fetched(format: string): Promise<string>}} facts
   *     which relations belong to what is chosen and its name, and the formats that a server writes
   */
  show(lineage, state, facts) {
    const served = facts.formats.filter((name) => !["json", "csv", "html", "text"].includes(name));
    const names = [...FORMS.map((form) => form.name), ...served];
    if (!names.includes(this.#form)) this.#form = names[0];
    const form = FORMS.find((each) => each.name === this.#form);
    /** @param {string} name */
    const choose = (name) => {
      this.#form = name;
      this.show(lineage, state, facts);
    };
    this.status = element("p.list-count", { role: "status" });
    this.body = element("pre.text-body", { tabindex: 0, "aria-label": "The lineage as text" });
    replaceKeepingFocus(
      this.box,
      element(
        "div.list-head",
        {},
        element("h2", {}, "Text"),
        this.status,
        element(
          "div.text-tools",
          {},
          element(
            "div.segments.small",
            { role: "radiogroup", "aria-label": "Format" },
            ...names.map((name) =>
              element(
                "button",
                { type: "button", role: "radio", "data-choice": `form-${name}`, "aria-checked": String(name === this.#form), onclick: () => choose(name) },
                FORMS.find((each) => each.name === name)?.label ?? name,
              ),
            ),
          ),
          element("button", { type: "button", id: "text-copy", onclick: () => copyText(this.#text, "Text copied") }, "Copy"),
          element("button", { type: "button", id: "text-save", onclick: () => this.#save(lineage, form?.ending ?? "txt") }, "Save"),
        ),
      ),
      this.body,
    );
    if (form === undefined) this.#fetch(facts);
    else this.#fill(form.write(lineage, state, facts.isChosen), facts.about);
  }

  /**
   * @param {string} text
   * @param {string | null} about
   */
  #fill(text, about) {
    this.#text = text;
    const lines = text.split("\n").length - 1;
    const isCut = text.length > MOST_SHOWN;
    this.status.textContent = [counted(lines, "line"), about !== null && `lineage of ${about}`, isCut && "cut here; copy or save for all of it"].filter(Boolean).join(" · ");
    replaceContent(this.body, isCut ? `${text.slice(0, text.lastIndexOf("\n", MOST_SHOWN))}\n…` : text);
  }

  /** @param {{fetched(format: string): Promise<string>}} facts */
  async #fetch({ fetched }) {
    this.#asked += 1;
    const asked = this.#asked;
    this.status.textContent = "Waiting for the server…";
    try {
      const text = await fetched(this.#form);
      if (asked === this.#asked) this.#fill(text, null);
    } catch (error) {
      if (asked === this.#asked) replaceContent(this.status, ...errorWords(error));
    }
  }

  /**
   * @param {LineageDocument} lineage
   * @param {string} ending
   */
  #save(lineage, ending) {
    const name = lineage.title.replace(/[^\w.-]+/g, "_").slice(0, 80) || "lineage";
    saveFile(`${name}.${this.#form === "tree" ? "txt" : this.#form === ending ? ending : `${this.#form}.${ending}`}`, new Blob([this.#text], { type: "text/plain" }));
    announce("Text saved");
  }
}
