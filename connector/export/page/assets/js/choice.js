// What is chosen, and what becomes visible because of that.

import { findFocus, findLine, focusOf, lineOf } from "./address.js";
import { announce, toast } from "./elements.js";
import { endName, processLine } from "./labels.js";
import { counted, RELATION_WORDS } from "./names.js";
import { placesOf, placesOfEdges } from "./places.js";
import { MOST_WITH_COLUMNS } from "./scene.js";
import { LevelGraph } from "./trace.js";

/**
 * @import { State } from "./address.js"
 * @import { Application } from "./application.js"
 * @import { Column, Entity, Process } from "./document.js"
 * @import { Wire } from "./scene.js"
 * @import { NodeKey, Trace } from "./trace.js"
 */

/** A lineage that is shown by itself has at most this many objects; it is followed less far until it has not more. */
const MOST_ALONE = 150;

export class Choice {
  /**
   * The level to go back to, after a column was looked at.
   * @type {Pick<State, "level" | "columns"> | null}
   */
  #before = null;

  /** @param {Application} application */
  constructor(application) {
    this.application = application;
    /** @type {Column | Entity | Process | null} */
    this.thing = null;
    /** @type {Wire | null} */
    this.wire = null;
  }

  /**
   * Another document, in which a thing may be chosen from the start.
   * @param {Column | Entity | Process | null} thing
   */
  begin(thing) {
    this.set(thing);
    this.#before = null;
  }

  /** @param {Column | Entity | Process | null} thing */
  set(thing) {
    this.thing = thing;
    this.wire = null;
  }

  /** The line that the address names, in the picture on show. */
  findWire() {
    const { graph, state, diagram } = this.application;
    this.wire = state.line === null || diagram.graph !== graph ? null : findLine(graph, diagram.scene, state.line);
  }

  /** Somebody asked for the level on show: letting go leaves it as it is. */
  stayOnLevel() {
    this.#before = null;
  }

  /**
   * What belongs to it on the level on show.
   * @returns {Trace | null}
   */
  trace() {
    if (this.wire !== null) {
      const edges = this.wire.edges;
      const nodes = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
      return { nodes, edges: new Set(edges.map((edge) => edge.index)), up: new Map(), down: new Map(), seeds: new Set() };
    }
    return this.traceOfThing();
  }

  /**
   * What belongs to the thing, whichever of its lines is chosen beside it.
   * @returns {Trace | null}
   */
  traceOfThing() {
    const { graph, state } = this.application;
    if (this.thing === null) return null;
    const seeds = graph.nodesOf(this.thing);
    if (seeds.size === 0) return null;
    const end = findFocus(this.application.lineage, state.path);
    if (end !== null) return graph.between(seeds, graph.nodesOf(end));
    return graph.trace(seeds, state.depth, state.direction);
  }

  /** What is chosen, as the level knows it: where there are no columns, the table. */
  get shown() {
    const { thing } = this;
    return thing !== null && "entity" in thing && !this.application.graph.withColumns ? thing.entity : thing;
  }

  /** What it is called; null when nothing of it is on show. */
  get name() {
    const { graph, trace } = this.application;
    if (trace === null) return null;
    if (this.wire !== null) {
      const { edges, from, to } = this.wire;
      return `${endName(graph, edges[0].from, from)} → ${endName(graph, edges[0].to, to)}`;
    }
    const thing = this.shown;
    if (thing === null) return null;
    if ("hash" in thing) return processLine(thing);
    return "entity" in thing ? `${thing.entity.label}.${thing.system ? "rows" : thing.label}` : thing.label;
  }

  /** How many objects belong to it. */
  get reached() {
    const { graph, trace } = this.application;
    if (trace === null) return 0;
    return new Set([...trace.nodes].map((node) => graph.entityOf(node)).filter((entity) => entity !== null)).size;
  }

  // --- choosing -----------------------------------------------------------------------------------------------------

  /**
   * @param {Column | Entity | Process | null} thing
   * @param {{reveal?: boolean, scroll?: boolean}} options
   */
  async choose(thing, { reveal = true, scroll = true } = {}) {
    const { application } = this;
    const inDetails = document.body.dataset.tab === "details";
    this.set(thing);
    /** @type {Partial<State>} */
    const part = { focus: thing === null ? "" : focusOf(thing), line: null, path: "", grow: [] };
    if (thing === null) this.#letGo(part);
    else this.#makeVisible(thing, part);
    const before = application.state;
    application.setState(part);
    const changed = /** @type {const} */ (["level", "only", "columns"]).some((key) => key in part && part[key] !== before[key]);
    await application.update({ fit: changed });
    this.lightInSql(scroll);
    if (thing === null) return;
    if (application.state.view === "diagram") application.look(true, { stay: !reveal });
    if (reveal && inDetails) application.frame.openTab(application.state.view);
    announce(this.#summary());
  }

  /**
   * A line. Where only the lineage of a thing is shown, the thing stays what the picture is about.
   * @param {Wire} wire
   */
  async chooseWire(wire) {
    const { application } = this;
    const { graph, state } = application;
    if (!state.only) this.set(null);
    this.wire = wire;
    application.setState({ focus: state.only ? state.focus : "", line: lineOf(graph, wire) });
    await application.update();
    this.#lightWireInSql(wire);
    announce(`${RELATION_WORDS[wire.type] ?? wire.type}: ${this.name}`);
  }

  /**
   * The nodes of a picture that shows nothing else, with the neighbours that somebody has asked for.
   * @returns {Set<NodeKey> | null}
   */
  nodesAlone() {
    const { graph, state, lineage } = this.application;
    const nodes = this.traceOfThing()?.nodes ?? null;
    if (nodes === null) return null;
    const grown = new Set(nodes);
    for (const asked of state.grow) {
      const way = asked.startsWith("up:") ? "up" : "down";
      const entity = findFocus(lineage, asked.slice(way.length + 1));
      if (entity !== null) for (const node of graph.trace(graph.nodesOf(entity), 1, way).nodes) grown.add(node);
    }
    return grown;
  }

  /**
   * The way from what is chosen to something else.
   * @param {Column | Entity | Process} thing
   */
  async choosePath(thing) {
    const { application } = this;
    await application.change({ path: focusOf(thing), only: true, grow: [] });
    if (application.trace?.edges.size === 0) toast(`No lineage leads from ${this.name} to ${"hash" in thing ? processLine(thing) : thing.label}.`);
  }

  /** Let go of the line, or else of the thing. */
  async letGo() {
    const { application } = this;
    if (this.wire === null || this.thing === null) {
      await this.choose(null);
      return;
    }
    application.setState({ line: null });
    await application.update();
    this.lightInSql(true);
  }

  /** @param {Wire} wire */
  #lightWireInSql(wire) {
    const { application } = this;
    const statements = wire.edges.map((edge) => edge.process?.place ?? null).filter((place) => place !== null);
    const [statement] = statements;
    const ends = placesOfEdges(application.graph, wire.edges).filter(
      (place) => statement !== undefined && place[0] === statement[0] && place[1] >= statement[1] && place[2] <= statement[2],
    );
    application.sql.light(statements.slice(0, 1), { strong: ends });
  }

  /**
   * Show where it stands in the SQL.
   * @param {boolean} scroll
   */
  lightInSql(scroll) {
    const { sql } = this.application;
    if (this.wire !== null) {
      this.#lightWireInSql(this.wire);
      return;
    }
    const places = this.thing === null ? [] : placesOf(this.thing);
    if (this.thing !== null && "hash" in this.thing) sql.light(places, { scroll });
    else sql.light([], { strong: places, scroll });
  }

  /**
   * Back to the whole picture, on the level on which it was left to look at a column.
   * @param {Partial<State>} part
   */
  #letGo(part) {
    part.only = false;
    if (this.#before !== null) Object.assign(part, this.#before);
    this.#before = null;
  }

  /**
   * The level that has the thing; and by itself where it would be put away in a schema or lost among many.
   * @param {Column | Entity | Process} thing
   * @param {Partial<State>} part
   */
  #makeVisible(thing, part) {
    const { lineage, graph, state, grouped, diagram } = this.application;
    if (!graph.shows(thing)) {
      if (!lineage.hasComplete) return;
      Object.assign(part, { level: "complete", recordset: true, function: true });
      return;
    }
    if (state.only) return;
    const isColumn = "entity" in thing;
    if (isColumn && !graph.withColumns && lineage.levels.column.length > 0) {
      this.#before ??= { level: state.level, columns: state.columns };
      Object.assign(part, { level: state.level === "table" ? "column" : state.level, columns: true });
    }
    const [node] = graph.nodesOf(thing);
    const isPutAway = grouped && (diagram.scene.cardOf.get(node)?.group ?? null) !== null;
    const isLost = "level" in part && graph.entities.size > MOST_WITH_COLUMNS;
    if (isPutAway || isLost) this.#showAlone(thing, part);
  }

  /**
   * Only the lineage of a thing, as far as that is not too much.
   * @param {Column | Entity | Process} thing
   * @param {Partial<State>} part
   */
  #showAlone(thing, part) {
    const { lineage, state } = this.application;
    const graph = "level" in part ? new LevelGraph(lineage, { ...state, ...part }, false) : this.application.graph;
    const seeds = graph.nodesOf(thing);
    part.only = true;
    for (const depth of [0, 3, 2, 1]) {
      part.depth = depth;
      const reached = graph.trace(seeds, depth, state.direction).nodes;
      if (new Set([...reached].map((each) => graph.entityOf(each))).size <= MOST_ALONE) break;
    }
  }

  #summary() {
    const { graph, trace } = this.application;
    if (trace === null) return "";
    /** @param {Map<NodeKey, number>} map */
    const count = (map) => new Set([...map.keys()].map((node) => graph.entityOf(node)).filter(Boolean)).size;
    return `${this.name}: ${counted(count(trace.up), "object")} upstream, ${counted(count(trace.down), "object")} downstream`;
  }
}
