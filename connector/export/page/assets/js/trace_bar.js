// The strip above the picture: what is chosen and how far it is followed, or what one could do.

import { byId, element, replaceKeepingFocus } from "./elements.js";
import { counted } from "./names.js";

/**
 * @import { State } from "./address.js"
 * @import { Scene } from "./scene.js"
 * @import { LevelGraph } from "./trace.js"
 * @typedef {{name: string | null, reached: number, scene: Scene, graph: LevelGraph, grouped: boolean,
 *            truncated: boolean, isWire: boolean, isNear: boolean}} Facts
 */

const DEPTHS = [1, 2, 3, 0];

export class TraceBar {
  /** @param {{change(part: any): void, clear(): void, askPath(): void}} listener */
  constructor(listener) {
    this.box = byId("trace-bar");
    this.listener = listener;
  }

  /**
   * @param {State} state
   * @param {Facts} facts
   */
  show(state, facts) {
    replaceKeepingFocus(
      this.box,
      facts.name === null ? this.#invitation(facts) : this.#chosen(state, facts),
      facts.grouped && !(state.only && facts.name !== null) && this.#groups(state, facts),
      facts.truncated && element("span.chip.warn", {}, "The store holds more than is shown here"),
    );
  }

  /** @param {Facts} facts */
  #invitation({ graph, scene, grouped, isNear }) {
    if (scene.cards.length === 0) return null;
    let words = "Click a table to see what feeds it";
    if (grouped) words = "Open a schema, or search for a table";
    else if (graph.withColumns && isNear) words = "Click a column to see what feeds it";
    else if (graph.withColumns) words = "Click a table, then a column, to see what feeds it";
    return element("span.invitation", {}, words);
  }

  /**
   * @param {State} state
   * @param {Facts} facts
   */
  #chosen(state, { name, reached, isWire }) {
    if (isWire) return element("div.chosen", {}, element("strong", {}, name), this.#close());
    return element(
      "div.chosen",
      {},
      element("strong", { title: name }, name),
      this.#segments("Direction", "direction", state.direction, [
        ["up", "Up", "Only what feeds it"],
        ["both", "Both", "What feeds it and what it feeds"],
        ["down", "Down", "Only what it feeds"],
      ]),
      this.#segments(
        "Depth",
        "depth",
        state.depth,
        DEPTHS.map((depth) => [depth, depth === 0 ? "All" : String(depth), depth === 0 ? "As far as it goes" : `${counted(depth, "table")} away at most`]),
      ),
      this.#path(state),
      element("label.only", { title: "Hide everything else" }, this.#only(state), "Only these"),
      element("span.reached", {}, counted(reached, "object")),
      this.#close(),
    );
  }

  /**
   * The way to something else: a question, or the answer to it.
   * @param {State} state
   */
  #path(state) {
    if (state.path === "") {
      return element("button.chip.quiet", { type: "button", id: "path-to", title: "Show what lies between this and something else", onclick: () => this.listener.askPath() }, "Path to…");
    }
    const name = state.path.replace("|", ".");
    return element("button.chip", { type: "button", id: "path-to", title: "Show everything again", onclick: () => this.listener.change({ path: "", only: false }) }, `to ${name} ×`);
  }

  /** @param {State} state */
  #only(state) {
    const box = element("input", {
      type: "checkbox",
      id: "only",
      checked: state.only,
      onchange: () => this.listener.change({ only: box.checked }),
    });
    return box;
  }

  /**
   * @param {string} label
   * @param {string} key
   * @param {string | number} chosen
   * @param {[value: string | number, words: string, title: string][]} choices
   */
  #segments(label, key, chosen, choices) {
    return element(
      "div.segments.small",
      { role: "radiogroup", "aria-label": label },
      ...choices.map(([value, words, title]) =>
        element(
          "button",
          {
            type: "button",
            role: "radio",
            "data-choice": `${key}-${value}`,
            "aria-checked": String(value === chosen),
            title: title ?? null,
            onclick: () => this.listener.change({ [key]: value }),
          },
          words,
        ),
      ),
    );
  }

  #close() {
    return element(
      "button.icon",
      { type: "button", id: "let-go", "aria-label": "Let go", title: "Let go (Esc)", onclick: () => this.listener.clear() },
      "×",
    );
  }

  /**
   * @param {State} state
   * @param {Facts} facts
   */
  #groups(state, { graph }) {
    const open = state.open.map((group) =>
      element(
        "button.chip",
        {
          type: "button",
          title: `Close ${group}`,
          onclick: () => this.listener.change({ open: state.open.filter((each) => each !== group) }),
        },
        `${group} ×`,
      ),
    );
    return element(
      "div.groups",
      {},
      ...open,
      element(
        "button.chip.quiet",
        { type: "button", id: "show-all", onclick: () => this.listener.change({ grouped: false }) },
        `Show all ${counted(graph.entities.size, "object")}`,
      ),
    );
  }
}
