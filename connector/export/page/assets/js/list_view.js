// The relations as a table of words, for people who do not see the picture, and for those who like lists.

import { byId, element, replaceContent } from "./elements.js";
import { expressionCode, transformationWords } from "./expressions.js";
import { kindIcon } from "./kind_icons.js";
import { nodeName, processLine } from "./labels.js";
import { clauseWords, counted, RELATION_WORDS } from "./names.js";

/**
 * @import { LineageDocument } from "./document.js"
 * @import { Edge, LevelGraph, NodeKey, Trace } from "./trace.js"
 */

const LIST_PAGE = 200;

export class ListView {
  #filter = "";
  #shown = LIST_PAGE;

  /** @type {LevelGraph} */
  graph;
  /** @type {Trace | null} */
  trace = null;
  count = element("p.list-count", { role: "status" });
  body = element("tbody");
  more = element("button");

  /** @param {{choose(thing: any): void}} listener */
  constructor(listener) {
    this.box = byId("list");
    this.listener = listener;
  }

  /**
   * @param {LineageDocument} lineage
   * @param {LevelGraph} graph
   * @param {Trace | null} trace
   */
  show(lineage, graph, trace) {
    this.lineage = lineage;
    this.graph = graph;
    this.trace = trace;
    this.#shown = LIST_PAGE;
    const filter = element("input", {
      type: "search",
      id: "list-filter",
      placeholder: "Filter",
      "aria-label": "Filter the list",
      value: this.#filter,
      oninput: () => {
        this.#filter = filter.value;
        this.#shown = LIST_PAGE;
        this.#fillRows();
      },
    });
    this.count = element("p.list-count", { role: "status" });
    this.body = element("tbody");
    this.more = element(
      "button.more",
      {
        type: "button",
        onclick: () => {
          this.#shown += LIST_PAGE * 5;
          this.#fillRows();
        },
      },
      "Show more",
    );
    replaceContent(
      this.box,
      element("div.list-head", {}, element("h2", {}, "Relations"), this.count, filter),
      element(
        "table",
        {},
        element("caption.hidden", {}, "What feeds what, by which relation and which statement"),
        element(
          "thead",
          {},
          element("tr", {}, ...["Source", "Relation", "Target", "How", "Statement"].map((name) => element("th", { scope: "col" }, name))),
        ),
        this.body,
      ),
      this.more,
    );
    this.#fillRows();
  }

  #fillRows() {
    const words = this.#filter.trim().toLowerCase();
    const { trace } = this;
    const edges = this.graph.edges.filter(
      (edge) =>
        (trace === null || trace.edges.has(edge.index)) &&
        (words === "" || this.#text(edge).toLowerCase().includes(words)),
    );
    const about = this.trace === null ? "" : " of what is chosen";
    this.count.textContent = `${counted(edges.length, "relation")}${about}`;
    replaceContent(this.body, ...edges.slice(0, this.#shown).map((edge) => this.#row(edge)));
    if (edges.length === 0) {
      this.body.append(element("tr", {}, element("td.quiet", { colspan: 5 }, "No relations.")));
    }
    this.more.hidden = edges.length <= this.#shown;
  }

  /** @param {Edge} edge */
  #text(edge) {
    return [nodeName(this.graph, edge.from), nodeName(this.graph, edge.to), edge.type, edge.clause, codeOf(edge), edge.process?.type].join(" ");
  }

  /** @param {Edge} edge */
  #row(edge) {
    const process = edge.process;
    return element(
      "tr",
      {},
      element("td", {}, this.#button(edge.from)),
      element("td", {}, element(`span.badge.type-${edge.type}`, {}, RELATION_WORDS[edge.type] ?? edge.type)),
      element("td", {}, this.#button(edge.to)),
      element("td", {}, howOf(edge)),
      element(
        "td",
        {},
        process !== null &&
          element("button.link", { type: "button", onclick: () => this.listener.choose(process) }, processLine(process)),
      ),
    );
  }

  /** @param {NodeKey} node */
  #button(node) {
    const thing = this.graph.thing(node);
    const kind = "entity" in thing ? thing.entity.kind : "hash" in thing ? "process" : thing.kind;
    return element(
      "button.link",
      { type: "button", onclick: () => this.listener.choose(thing) },
      kindIcon(kind),
      nodeName(this.graph, node),
    );
  }
}

/**
 * What makes a relation: the condition of a join, the expression, or the clause that it stands in.
 * @param {Edge} edge
 */
function howOf(edge) {
  const code = codeOf(edge);
  return code === null ? clauseWords(edge.clause) || transformationWords(edge.transformation) : expressionCode(code);
}

/**
 * @param {Edge} edge
 * @returns {string | null}
 */
function codeOf({ type, condition, expression, transformation }) {
  return condition ?? (type === "fdd" && transformation !== "identity" ? expression : null);
}
