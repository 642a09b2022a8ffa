// The state that an address holds, so that a view can be shared: level, switches, selection, depth, open groups.

import { NO_FILTER } from "./filters.js";

/**
 * @import { Filter } from "./filters.js"
 * @import { Column, Entity, LineageDocument, Process } from "./document.js"
 * @import { Switches } from "./levels.js"
 * @import { Card, Row, Scene, Wire } from "./scene.js"
 * @import { LevelGraph } from "./trace.js"
 */

/**
 * @typedef {{line: string, from: string, to: string}} Line  the type of its relations, and its two ends
 * @typedef {Switches & {view: "diagram" | "list" | "summary" | "text", focus: string, line: Line | null, path: string, grow: string[],
 *            closed: string[], filter: Filter, depth: number, direction: "both" | "up" | "down", only: boolean,
 *            grouped: boolean | null, open: string[], processes: boolean, object?: string}} State
 * @typedef {keyof typeof SWITCH_DEFAULTS} SwitchName
 */

export const SWITCH_DEFAULTS = {
  impact: true,
  dataflow: true,
  joins: true,
  function: true,
  recordset: true,
  columns: true,
  select: false,
  temporaries: false,
  processes: true,
};

/** What says which line is chosen: the type of its relations, and its two ends. */
const LINE_PARTS = ["line", "from", "to"];

/** In the order of the buttons that lead to them. */
export const VIEW_NAMES = ["diagram", "list", "summary", "text"];

export const LEVEL_NAMES = ["complete", "column", "table"];

/**
 * The state before anybody touches anything.
 * @param {Record<string, any>} opens  what the document asks for
 * @returns {any}
 */
export function initialState(opens) {
  return {
    level: "column",
    ...SWITCH_DEFAULTS,
    view: "diagram",
    focus: "",
    line: null,
    path: "",
    grow: [],
    closed: [],
    filter: NO_FILTER,
    depth: 0,
    direction: "both",
    only: false,
    grouped: null,
    open: [],
    ...opens,
  };
}

/**
 * The hash of an address: only what differs from the initial state.
 * @param {any} state
 * @param {any} initial
 * @returns {string}
 */
function writeAddress(state, initial) {
  const parts = new URLSearchParams();
  if (state.level !== initial.level) parts.set("level", state.level);
  /** @type {string[]} */
  const on = [];
  /** @type {string[]} */
  const off = [];
  for (const name of Object.keys(SWITCH_DEFAULTS)) {
    if (state[name] !== initial[name]) (state[name] ? on : off).push(name);
  }
  if (on.length > 0) parts.set("show", on.join(","));
  if (off.length > 0) parts.set("hide", off.join(","));
  if (state.view !== initial.view) parts.set("view", state.view);
  if (state.focus) parts.set("focus", state.focus);
  if (state.path) parts.set("path", state.path);
  for (const key of ["grow", "closed"]) for (const each of state[key]) parts.append(key, each);
  for (const schema of state.filter.schemas) parts.append("noschema", schema);
  for (const kind of state.filter.kinds) parts.append("nokind", kind);
  for (const key of ["user", "since"]) if (state.filter[key]) parts.set(key, state.filter[key]);
  if (state.line !== null) for (const key of LINE_PARTS) parts.set(key, state.line[key]);
  if (state.depth !== initial.depth) parts.set("depth", String(state.depth));
  if (state.direction !== initial.direction) parts.set("direction", state.direction);
  if (state.only) parts.set("only", "1");
  if (state.grouped !== initial.grouped && state.grouped !== null) parts.set("grouped", state.grouped ? "1" : "0");
  for (const group of state.open) parts.append("open", group);
  if (state.object) parts.set("object", state.object);
  return parts.toString();
}

/**
 * What an address says; whatever it gets wrong is ignored, since people type and cut addresses.
 * @param {string} hash
 * @param {any} initial
 * @returns {any}
 */
export function readAddress(hash, initial) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...initial, open: [] };
  if (LEVEL_NAMES.includes(parts.get("level") ?? "")) state.level = parts.get("level");
  for (const key of ["show", "hide"]) {
    for (const name of (parts.get(key) ?? "").split(",")) if (name in SWITCH_DEFAULTS) state[name] = key === "show";
  }
  if (VIEW_NAMES.includes(parts.get("view") ?? "")) state.view = parts.get("view");
  state.focus = parts.get("focus") ?? "";
  state.path = parts.get("path") ?? "";
  for (const key of ["grow", "closed"]) state[key] = parts.getAll(key);
  state.filter = {
    schemas: parts.getAll("noschema"),
    kinds: parts.getAll("nokind"),
    user: parts.get("user") ?? "",
    since: /^\d{4}-\d\d-\d\d$/.test(parts.get("since") ?? "") ? parts.get("since") : "",
  };
  const line = Object.fromEntries(LINE_PARTS.map((key) => [key, parts.get(key)]));
  state.line = LINE_PARTS.every((key) => line[key] !== null) ? line : null;
  const depth = Number(parts.get("depth") ?? initial.depth);
  if (Number.isInteger(depth) && depth >= 0 && depth < 100) state.depth = depth;
  if (["both", "up", "down"].includes(parts.get("direction") ?? "")) state.direction = parts.get("direction");
  state.only = parts.get("only") === "1";
  if (parts.has("grouped")) state.grouped = parts.get("grouped") === "1";
  state.open = parts.getAll("open");
  if (parts.has("object")) state.object = parts.get("object");
  return state;
}

/** The address of the page, kept to what is on show. */
export class AddressBar {
  /** @param {() => void} changed  somebody went back, or typed another address */
  constructor(changed) {
    addEventListener("popstate", changed);
    addEventListener("hashchange", changed);
  }

  /**
   * @param {State} state
   * @param {State} initial
   */
  says(state, initial) {
    return location.hash.replace(/^#/, "") === writeAddress(state, initial);
  }

  /**
   * @param {State} state
   * @param {State} initial
   */
  write(state, initial) {
    // A page inside of another document, as in a notebook, has no address of its own.
    if (location.protocol === "about:" || this.says(state, initial)) return;
    const hash = writeAddress(state, initial);
    history.pushState(null, "", `${location.pathname}${location.search}${hash ? `#${hash}` : ""}`);
  }
}

/**
 * How an address names a thing: by qualified name where it has one, since ids belong to one analysis.
 * @param {Column | Entity | Process} thing
 * @returns {string}
 */
export function focusOf(thing) {
  if ("entity" in thing) return `${focusOf(thing.entity)}|${thing.name}`;
  if ("hash" in thing) return `process:${thing.id}`;
  return thing.qualifiedName ?? `#${thing.id}`;
}

/**
 * How an address names a line.
 * @param {LevelGraph} graph
 * @param {Wire} wire
 * @returns {{line: string, from: string, to: string}}
 */
export function lineOf(graph, wire) {
  /**
   * @param {Card} card
   * @param {Row | null} row
   */
  const end = (card, row) => {
    if (card.group !== null) return `group:${card.group}`;
    return focusOf(row?.node ? graph.thing(row.node) : /** @type {Entity | Process} */ (card.entity ?? card.process));
  };
  return { line: wire.type, from: end(wire.from, wire.fromRow), to: end(wire.to, wire.toRow) };
}

/**
 * The line of a picture that an address names.
 * @param {LevelGraph} graph
 * @param {Scene} scene
 * @param {{line: string, from: string, to: string}} line
 * @returns {Wire | null}
 */
export function findLine(graph, scene, line) {
  /** @param {Wire} wire */
  const isIt = (wire) => {
    if (wire.type !== line.line) return false;
    const own = lineOf(graph, wire);
    return own.from === line.from && own.to === line.to;
  };
  return scene.wires.find(isIt) ?? null;
}

/**
 * The thing that an address names.
 * @param {LineageDocument} lineage
 * @param {string} focus
 * @returns {Column | Entity | Process | null}
 */
export function findFocus(lineage, focus) {
  if (!focus) return null;
  if (focus.startsWith("process:")) {
    return lineage.processes.find((process) => `process:${process.id}` === focus) ?? null;
  }
  for (const entity of lineage.entities) {
    const own = focusOf(entity);
    if (own === focus) return entity;
    if (focus.startsWith(`${own}|`)) {
      const name = focus.slice(own.length + 1);
      const column = entity.columns.find((each) => each.name === name);
      if (column !== undefined) return column;
    }
  }
  return null;
}
