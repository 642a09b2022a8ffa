// The panel that says in words what is chosen: where it comes from, where it goes, and the statements that do it.

import { byId, copyText, element, replaceContent } from "./elements.js";
import { expressionCode, expressionsOf, expressionsOfColumn, transformationWords } from "./expressions.js";
import { kindIcon } from "./kind_icons.js";
import { endName, processLine, timeWords, withSchema } from "./labels.js";
import { getOrAdd } from "./maps.js";
import { clauseWords, counted, RELATION_WORDS } from "./names.js";
import { placesOfEdges } from "./places.js";
import { ReachList } from "./reach_list.js";
import { tagsOf } from "./scene.js";
import { errorWords } from "./server.js";
import { shortList } from "./short_list.js";
import { sqlPieces, sqlTokens } from "./sql_tokens.js";

/**
 * @import { Content } from "./elements.js"
 * @import { Column, Entity, LineageDocument, Place, Process } from "./document.js"
 * @import { Wire } from "./scene.js"
 * @import { Edge, LevelGraph, Trace } from "./trace.js"
 */

export class DetailsPanel {
  /** @type {LineageDocument} */
  lineage;
  /** @type {LevelGraph} */
  graph;

  /**
   * @param {{choose(thing: any): void, close(): void, showPlaces(places: Place[], strong: Place[]): void,
   *          point(thing: any): void, actions(thing: any): Node | null, facts(thing: any): Node | null,
   *          statementText(process: Process): Promise<string | null> | null}} listener
   */
  constructor(listener) {
    this.box = byId("details");
    this.listener = listener;
    this.reach = new ReachList((thing, label) => this.#link(thing, label ?? null));
  }

  hide() {
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    replaceContent(this.box);
    if (hadFocus) byId("picture").focus();
  }

  /**
   * @param {LineageDocument} lineage
   * @param {LevelGraph} graph
   * @param {Column | Entity | Process} thing
   * @param {Trace} trace
   */
  showThing(lineage, graph, thing, trace) {
    this.lineage = lineage;
    this.graph = graph;
    if ("hash" in thing) this.#showProcess(thing);
    else this.#showObject(thing, trace);
  }

  /** @param {...Content} content */
  #fill(...content) {
    const hadFocus = this.box.contains(document.activeElement);
    replaceContent(this.box, ...content);
    if (hadFocus) this.box.querySelector("h2")?.focus();
    this.box.scrollTop = 0;
    this.box.hidden = false;
  }

  /**
   * @param {string} kind
   * @param {string} title
   * @param {string | null} name
   * @param {string[]} [tags]
   */
  #head(kind, title, name, tags = []) {
    return element(
      "header.details-head",
      {},
      element(
        "div.details-line",
        {},
        kindIcon(kind),
        element("span.details-kind", {}, kind === "function" ? "function" : kind),
        ...tags.map((tag) => element("span.tag", {}, tag)),
        element(
          "button.icon.close",
          { type: "button", "aria-label": "Close details", title: "Close (Esc)", onclick: () => this.listener.close() },
          "×",
        ),
      ),
      element("h2", { tabindex: -1 }, title),
      name !== null &&
        element(
          "button.qualified",
          { type: "button", title: "Copy the qualified name", onclick: () => copyText(name, "Name copied") },
          name,
        ),
    );
  }

  // --- objects ------------------------------------------------------------------------------------------------------

  /**
   * @param {Column | Entity} thing
   * @param {Trace} trace
   */
  #showObject(thing, trace) {
    const column = "entity" in thing ? thing : null;
    const entity = "entity" in thing ? thing.entity : thing;
    const name = column === null ? entity.qualifiedName : this.lineage.qualifiedColumn(column);
    const title = column === null ? entity.label : column.system ? `rows of ${entity.label}` : column.label;
    const tags = [...tagsOf(entity), ...(column?.dataType ? [column.dataType] : [])];
    this.#fill(
      this.#head(column === null ? entity.kind : "column", title, name, tags),
      column !== null && element("p.details-owner", {}, "in ", this.#link(entity), ` (${entity.kind})`),
      entity.kind === "path" && element("p.details-owner", {}, entity.uri ?? entity.name),
      (column ?? entity).comment !== null && element("p.details-comment", {}, (column ?? entity).comment),
      column !== null && this.#computed(column),
      this.listener.actions(thing),
      this.reach.show(this.graph, thing, "up", trace),
      column !== null && !column.system && this.#limits(entity),
      this.reach.show(this.graph, thing, "down", trace),
      column === null && this.#columns(entity),
      this.#statements(entity, trace),
      this.listener.facts(thing),
    );
  }

  /**
   * How the statements compute a column.
   * @param {Column} column
   */
  #computed(column) {
    const found = expressionsOfColumn(this.graph, column);
    if (found.length === 0) return null;
    return element(
      "section.details-part",
      {},
      element("h3", {}, "Computed as"),
      ...found.slice(0, 20).map(({ text, transformation, process }) =>
        element(
          "div.computed",
          {},
          expressionCode(text),
          element("div.owner-line", {}, element("span.quiet", {}, transformationWords(transformation)), process !== null && this.#link(process, processLine(process))),
        ),
      ),
    );
  }

  /**
   * The columns that decide which rows the table of a column has.
   * @param {Entity} entity
   */
  #limits(entity) {
    const rows = entity.columns.find((column) => column.system);
    if (rows === undefined) return null;
    const edges = (this.graph.incoming.get(`c${rows.index}`) ?? []).filter((edge) => edge.type === "fdr");
    const sources = new Map();
    for (const edge of edges) {
      const source = this.graph.thing(edge.from);
      getOrAdd(sources, source, () => new Set()).add(clauseWords(edge.clause));
    }
    if (sources.size === 0) return null;
    const items = [...sources].map(([source, clauses]) =>
      element(
        "li.owner",
        {},
        element(
          "div.owner-line",
          {},
          kindIcon(source.entity.kind),
          this.#link(source, `${withSchema(source.entity)}.${source.system ? "rows" : source.label}`),
          element("span.badge.type-fdr", {}, [...clauses].filter(Boolean).join(", ") || "rows"),
        ),
      ),
    );
    return element(
      "section.details-part",
      {},
      element("h3", {}, "Its rows depend on", element("span.count", {}, String(sources.size))),
      shortList(items, "column"),
    );
  }

  /** @param {Entity} entity */
  #columns(entity) {
    const columns = entity.columns.filter((column) => !column.system);
    if (columns.length === 0) return null;
    const items = columns.map((column) =>
      element(
        "li",
        {},
        element("div.owner-line", {}, this.#link(column), column.dataType !== null && element("span.quiet.data-type", {}, column.dataType)),
        column.comment !== null && element("div.quiet.run-facts", {}, column.comment),
      ),
    );
    return element(
      "section.details-part",
      {},
      element("h3", {}, "Columns", element("span.count", {}, String(columns.length))),
      shortList(items, "column"),
    );
  }

  /**
   * @param {Entity} entity
   * @param {Trace} trace
   */
  #statements(entity, trace) {
    const processes = new Set(entity.processes);
    for (const index of trace.edges) {
      const edge = this.graph.edges[index];
      if (edge.process !== null && (trace.seeds.has(edge.to) || trace.seeds.has(edge.from))) processes.add(edge.process);
    }
    if (processes.size === 0) return null;
    const items = [...processes].map((process) => element("li.owner", {}, this.#processLine(process)));
    return element(
      "section.details-part",
      {},
      element("h3", {}, "Statements", element("span.count", {}, String(processes.size))),
      shortList(items, "statement"),
    );
  }

  /** @param {Process} process */
  #processLine(process) {
    return element(
      "div.owner-line",
      {},
      kindIcon("process"),
      this.#link(process, processLine(process)),
      element("span.quiet", {}, this.#where(process)),
    );
  }

  /** @param {Process} process */
  #where(process) {
    if (process.place === null) return process.origin ?? "";
    const [line] = this.lineage.position(process.place[0], process.place[1]);
    return `line ${line}`;
  }

  // --- statements ---------------------------------------------------------------------------------------------------

  /** @param {Process} process */
  #showProcess(process) {
    const named = process.procedure !== "batchQueries";
    /** @param {"from" | "to"} side */
    const ends = (side) => {
      const found = new Set();
      for (const edge of this.graph.edges) {
        if (edge.process !== process) continue;
        const entity = this.graph.entityOf(edge[side]);
        if (entity !== null) found.add(entity);
      }
      return [...found];
    };
    this.#fill(
      this.#head("process", process.type, null, process.approximate ? ["columns unknown"] : []),
      named && element("p.details-owner", {}, `in ${process.procedure}`),
      this.#seen(process),
      this.#objects("Reads", ends("from")),
      this.#objects("Writes", ends("to")),
      element("section.details-part", {}, element("h3", {}, "Statement"), this.#code(process, [])),
      element("p.quiet.hash", {}, `identity ${process.hash}`),
    );
  }

  /** @param {Process} process */
  #seen(process) {
    const facts = [
      process.count !== null && `seen ${counted(process.count, "time")}`,
      process.users.length > 0 && `by ${process.users.join(", ")}`,
      process.firstSeen !== null && `first ${timeWords(process.firstSeen)}`,
      process.lastSeen !== null && `last ${timeWords(process.lastSeen)}`,
      process.origin !== null && `from ${process.origin}`,
    ].filter(Boolean);
    return facts.length > 0 ? element("p.details-owner", {}, facts.join(" · ")) : null;
  }

  /**
   * @param {string} title
   * @param {Entity[]} entities
   */
  #objects(title, entities) {
    if (entities.length === 0) return null;
    return element(
      "section.details-part",
      {},
      element("h3", {}, title, element("span.count", {}, String(entities.length))),
      shortList(
        entities.map((entity) =>
          element("li.owner", {}, element("div.owner-line", {}, kindIcon(entity.kind), this.#link(entity, withSchema(entity)))),
        ),
        "object",
      ),
    );
  }

  // --- wires --------------------------------------------------------------------------------------------------------

  /**
   * @param {LineageDocument} lineage
   * @param {LevelGraph} graph
   * @param {Wire} wire
   */
  showWire(lineage, graph, wire) {
    this.lineage = lineage;
    this.graph = graph;
    /** @type {Map<Process | null, Edge[]>} */
    const made = new Map();
    for (const edge of wire.edges) getOrAdd(made, edge.process, () => []).push(edge);
    const [from, to] = [wire.edges[0].from, wire.edges[0].to];
    const many = wire.from.group !== null || wire.to.group !== null;
    this.#fill(
      element(
        "header.details-head",
        {},
        element(
          "div.details-line",
          {},
          element(`span.badge.type-${wire.type}`, {}, RELATION_WORDS[wire.type] ?? wire.type),
          element("span.details-kind", {}, counted(wire.edges.length, "relation")),
          element(
            "button.icon.close",
            { type: "button", "aria-label": "Close details", title: "Close (Esc)", onclick: () => this.listener.close() },
            "×",
          ),
        ),
        element(
          "h2.wire-title",
          { tabindex: -1 },
          many ? wire.from.title : this.#link(graph.thing(from), endName(graph, from, wire.from)),
          element("span.arrow-word", { "aria-label": "to" }, " → "),
          many ? wire.to.title : this.#link(graph.thing(to), endName(graph, to, wire.to)),
        ),
      ),
      ...[...made].slice(0, 20).map(([process, edges]) => this.#wirePart(process, edges)),
      made.size > 20 && element("p.quiet", {}, `and ${counted(made.size - 20, "more statement")}`),
    );
  }

  /**
   * @param {Process | null} process
   * @param {Edge[]} edges
   */
  #wirePart(process, edges) {
    const facts = new Set();
    for (const edge of edges) {
      const words = [clauseWords(edge.clause), edge.effect?.replaceAll("_", " "), transformationWords(edge.transformation), edge.joinType && `${edge.joinType} join`];
      facts.add(words.filter(Boolean).join(" · "));
    }
    const conditions = new Set(edges.map((edge) => edge.condition).filter(Boolean));
    return element(
      "section.details-part",
      {},
      process === null ? element("h3", {}, "Defined by a table") : element("h3", {}, this.#link(process, processLine(process))),
      element("p.details-owner", {}, [...facts].filter(Boolean).join("; ")),
      ...[...conditions].map((text) => element("code.condition", {}, text)),
      ...expressionsOf(edges).map(({ text }) => expressionCode(text, "condition")),
      process !== null && this.#seen(process),
      process !== null && this.#code(process, edges),
    );
  }

  /**
   * The statement, with the ends of the relations lit in it.
   * @param {Process} process
   * @param {Edge[]} edges
   */
  #code(process, edges) {
    const text = this.lineage.statementText(process);
    if (text === null) return this.#missingCode(process);
    const marks = [];
    if (process.place !== null && process.text === null) {
      const [script, start, end] = process.place;
      for (const place of placesOfEdges(this.graph, edges)) {
        if (place[0] === script && place[1] >= start && place[2] <= end) {
          marks.push({ start: place[1] - start, end: place[2] - start, name: "mark-strong" });
        }
      }
    }
    const most = 6000;
    const shown = text.length > most ? text.slice(0, most) : text;
    return element(
      "pre.statement",
      { tabindex: 0, "aria-label": "Statement" },
      sqlPieces(shown, 0, shown.length, sqlTokens(shown), marks),
      text.length > most ? "\n…" : null,
    );
  }

  /**
   * Where the picture came without the texts of its statements, somebody else may have it.
   * @param {Process} process
   */
  #missingCode(process) {
    const box = element("p.quiet", {}, "The text of the statement is not kept.");
    this.listener.statementText(process)?.then(
      (text) => {
        process.text = text;
        if (text !== null) box.replaceWith(this.#code(process, []));
      },
      (error) => replaceContent(box, ...errorWords(error)),
    );
    return box;
  }

  /**
   * @param {any} thing
   * @param {string | null} label
   */
  #link(thing, label = null) {
    const words = label ?? ("hash" in thing ? processLine(thing) : "entity" in thing ? (thing.system ? "rows" : thing.label) : thing.label);
    return element(
      "button.link",
      {
        type: "button",
        title: "hash" in thing ? thing.type : (thing.qualifiedName ?? words),
        onclick: () => this.listener.choose(thing),
        onpointerenter: () => this.listener.point(thing),
        onpointerleave: () => this.listener.point(null),
      },
      words,
    );
  }
}
