// The bar at the top and the small things that float over the picture.

import { LEVEL_NAMES } from "./address.js";
import { byId, copyText, element, replaceContent, svgElement } from "./elements.js";
import { kindIcon } from "./kind_icons.js";
import { Menu } from "./menu.js";
import { ThemeSwitch } from "./theme.js";

/**
 * @import { State, SwitchName } from "./address.js"
 * @import { LineageDocument } from "./document.js"
 * @import { Scene } from "./scene.js"
 * @typedef {{grouped: boolean, initial: any, formats: string[], chosen: boolean}} Facts
 */

/**
 * The switches, in the order of the menu, with the levels on which they mean something.
 * @type {[name: SwitchName, label: string, hint: string, levels: string[]][]}
 */
const SWITCH_ROWS = [
  ["dataflow", "Data flow", "solid lines", LEVEL_NAMES],
  ["impact", "Impact", "dashed lines: conditions, grouping, order", LEVEL_NAMES],
  ["joins", "Joins", "dotted lines between joined columns", ["complete", "column"]],
  ["columns", "Columns", "rows inside of the cards", ["complete", "column"]],
  ["processes", "Statements", "between the tables", ["table"]],
  ["recordset", "Intermediate results", "subqueries, CTEs, unions", ["complete"]],
  ["function", "Functions", "sum, case, concat…", ["complete"]],
  ["temporaries", "Temporary tables", "instead of looking through them", ["column", "table"]],
  ["select", "Results of bare SELECTs", "queries that write nothing", ["column"]],
];

const LEGEND_KINDS = ["table", "view", "resultset", "function", "variable", "path", "stage", "procedure", "process", "group"];
/** @type {Record<string, string>} */
const KIND_WORDS = { group: "schema", process: "statement", resultset: "intermediate result" };

export class Controls {
  /**
   * @param {{change(part: any): void, exportAs(format: string): void}} listener
   */
  constructor(listener) {
    this.listener = listener;
    this.showMenu = new Menu("show");
    this.exportMenu = new Menu("export");
    this.#radio("levels", "level");
    this.#radio("views", "view");
    this.theme = new ThemeSwitch(() => listener.change({}));
    this.#help();
    byId("share").hidden = location.protocol === "about:";
    byId("share").addEventListener("click", () => copyText(location.href, "Address copied"));
  }

  /**
   * @param {string} id
   * @param {string} key
   */
  #radio(id, key) {
    const group = byId(id);
    group.addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ event) => {
      const value = event.target.closest("button")?.dataset[key];
      if (value !== undefined) this.listener.change({ [key]: value });
    });
    group.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      /** @type {number | undefined} */
      const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const buttons = [...group.querySelectorAll("button:not(:disabled)")];
      const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
    });
  }

  /**
   * Make the controls say what the state is.
   * @param {any} state
   * @param {LineageDocument} lineage
   * @param {Facts} facts
   */
  update(state, lineage, facts) {
    for (const [id, key] of [
      ["levels", "level"],
      ["views", "view"],
    ]) {
      for (const button of byId(id).children) {
        const chosen = button.dataset[key] === state[key];
        button.setAttribute("aria-checked", String(chosen));
        button.tabIndex = chosen ? 0 : -1;
      }
    }
    const complete = byId("levels").querySelector('[data-level="complete"]');
    complete.disabled = !lineage.hasComplete;
    const columns = byId("levels").querySelector('[data-level="column"]');
    columns.disabled = lineage.levels.column.length === 0 && lineage.levels.table.length > 0;
    this.#fillShow(state, lineage, facts);
    this.#fillExport(state, facts);
  }

  /**
   * @param {State} state
   * @param {LineageDocument} lineage
   * @param {Facts} facts
   */
  #fillShow(state, lineage, facts) {
    const focused = document.activeElement?.id ?? "";
    /** @type {Node[]} */
    const rows = SWITCH_ROWS.map(([name, label, hint, levels]) => {
      const usable =
        levels.includes(state.level) &&
        (name !== "temporaries" || lineage.hasTemporaries) &&
        (name !== "processes" || !facts.grouped);
      return this.#switch(name, label, hint, state[name], usable);
    });
    rows.push(
      element("hr"),
      this.#switch("grouped", "Group by schema", "tables put away, one card for each schema", facts.grouped, true),
    );
    replaceContent(this.showMenu.box, ...rows);
    if (focused.startsWith("switch-")) document.getElementById(focused)?.focus();
    const hidden = SWITCH_ROWS.filter(
      ([name, , , levels]) => levels.includes(state.level) && facts.initial[name] && !state[name],
    ).length;
    const count = byId("show-count");
    count.hidden = hidden === 0;
    count.textContent = `${hidden} hidden`;
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {string} hint
   * @param {boolean} on
   * @param {boolean} usable
   */
  #switch(name, label, hint, on, usable) {
    const box = element("input", {
      type: "checkbox",
      id: `switch-${name}`,
      checked: on,
      disabled: !usable,
      onchange: () => this.listener.change({ [name]: box.checked }),
    });
    return element(
      `label.switch${usable ? "" : ".off"}`,
      {},
      box,
      element("span.switch-words", {}, element("span", {}, label), element("small", {}, hint)),
    );
  }

  /**
   * @param {State} state
   * @param {Facts} facts
   */
  #fillExport(state, facts) {
    const files = [
      ["png", "PNG", "the picture"],
      ["svg", "SVG", "the picture, to be edited"],
      ["json", "JSON", `${state.level} level${facts.chosen ? ", what is chosen" : ""}`],
      ["csv", "CSV", `${state.level === "table" ? "table" : "column"} level${facts.chosen ? ", what is chosen" : ""}`],
      ...facts.formats
        .filter((format) => !["json", "csv", "html", "text"].includes(format))
        .map((format) => [`server:${format}`, format, "written by the server"]),
    ];
    replaceContent(
      this.exportMenu.box,
      ...files.map(([format, label, hint]) =>
        element(
          "button.menu-row",
          {
            type: "button",
            role: "menuitem",
            tabindex: -1,
            "data-format": format,
            onclick: () => {
              this.exportMenu.toggle(false);
              this.exportMenu.button.focus();
              this.listener.exportAs(format);
            },
          },
          element("span", {}, label),
          element("small", {}, hint),
        ),
      ),
    );
  }

  /**
   * Only the kinds and lines that are on show.
   * @param {Scene} scene
   */
  legend(scene) {
    const kinds = new Set(scene.cards.map((card) => card.kind));
    const types = new Set(scene.wires.map((wire) => (wire.type === "er" ? "join" : wire.type)));
    const lines = [
      ["fdd", "data flow"],
      ["fdr", "impact"],
      ["join", "join"],
      ["call", "call"],
    ].filter(([type]) => types.has(type));
    replaceContent(
      byId("legend"),
      ...LEGEND_KINDS.filter((kind) => kinds.has(kind)).map((kind) =>
        element("span.legend-item", {}, kindIcon(kind), KIND_WORDS[kind] ?? kind),
      ),
      ...lines.map(([type, words]) =>
        element(
          "span.legend-item",
          {},
          svgElement(
            `svg.legend-line.wire.type-${type}`,
            { viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": "true" },
            svgElement("path.wire-line", { d: "M1 4H27" }),
          ),
          words,
        ),
      ),
    );
  }

  #help() {
    const dialog = byId("help");
    const keys = [
      ["Click a column or table", "light everything upstream and downstream"],
      ["Click a line", "the statement that makes it, lit in the SQL"],
      ["Click in the SQL", "what stands there, lit in the diagram"],
      ["Drag, wheel, pinch", "move and zoom; drag a card to move it"],
      ["/", "search"],
      ["+  −  F", "zoom in, out, fit everything"],
      ["Arrow keys", "move; on a card: its columns and its neighbours"],
      ["Shift + ← →", "on a card: its lines; then ↑ ↓ for the next, Enter to choose, ← → for its ends"],
      ["Enter", "choose the card in focus"],
      ["C, U, D", "on a card: its columns open or closed; one hop more up, down"],
      ["Esc", "let go of what is chosen"],
      ["L", "diagram or list"],
    ];
    const close = element("button.primary", { type: "button", onclick: () => dialog.close() }, "Close");
    replaceContent(
      dialog,
      element("h2", {}, "Keyboard and mouse"),
      byId("lineage-data").textContent.includes('"server":true') &&
        element("p", {}, element("a", { href: "api" }, "The interface for programs")),
      element("dl", {}, ...keys.flatMap(([key, words]) => [element("dt", {}, key), element("dd", {}, words)])),
      close,
    );
    byId("help-button").addEventListener("click", () => dialog.showModal());
  }
}
