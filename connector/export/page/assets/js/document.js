// The page's data: what Python wrote (see form.py), with the references between its parts resolved.

import { getOrAdd } from "./maps.js";
import { quotePart, unquote } from "./names.js";
import { nameSteps } from "./step_names.js";

/**
 * @typedef {[number, number, number]} Place  script, start, end
 * @typedef {{index: number, id: string, entity: Entity, name: string, label: string, system: boolean,
 *            place: Place | null, places: Place[], dataType: string | null, comment: string | null}} Column
 * @typedef {{index: number, id: string, kind: string, type: string, name: string, label: string, group: string, step: string,
 *            table: string | null, database: string | null, schema: string | null, qualifiedName: string | null,
 *            around: [string, string] | null, hashId: string | null, alias: string | null, subType: string | null, uri: string | null,
 *            fileFormat: string | null, comment: string | null, temporary: boolean, dropped: boolean, place: Place | null, places: Place[],
 *            processes: Process[], columns: Column[]}} Entity
 * @typedef {{index: number, id: string, type: string, hash: string, textHash: string | null, procedure: string,
 *            place: Place | null, approximate: boolean, aside: boolean, text: string | null, users: string[],
 *            firstSeen: string | null, lastSeen: string | null, count: number | null,
 *            origin: string | null}} Process
 * @typedef {{type: string, message: string, place: Place | null, file: string}} Problem
 */

export const DOCUMENT_VERSION = 1;

export class LineageDocument {
  /** @param {any} raw */
  constructor(raw) {
    if (raw.version !== DOCUMENT_VERSION) {
      throw new Error(`This page reads documents of version ${DOCUMENT_VERSION}, not ${raw.version}.`);
    }
    /** @type {string} */
    this.title = raw.title;
    this.vendor = raw.vendor ?? null;
    this.layers = raw.layers ?? 3;
    this.defaultSchema = raw.defaultSchema ?? "default";
    this.opens = raw.opens ?? {};
    this.truncated = raw.truncated === true;
    /** @type {{name: string, text: string}[]} */
    this.scripts = raw.scripts;
    this.procedures = raw.procedures ?? [];
    /** @type {Problem[]} */
    this.problems = raw.problems;
    this.levels = raw.levels;
    /** @type {Map<number, number[]>} */
    this.lineStarts = new Map();
    /** @type {Process[]} */
    this.processes = raw.processes.map(readProcess);
    /** @type {Column[]} */
    this.columns = [];
    /** @type {Entity[]} */
    this.entities = raw.entities.map((/** @type {any} */ each, /** @type {number} */ index) => this.#readEntity(each, index));
    foldGroups(this.entities);
    nameSteps(this);
  }

  /**
   * @param {any} raw
   * @param {number} index
   */
  #readEntity(raw, index) {
    const entity = {
      index,
      id: raw.id,
      kind: raw.kind,
      type: raw.type,
      name: raw.name,
      label: raw.table ?? raw.name,
      group: "",
      step: "",
      table: raw.table ?? null,
      database: raw.database ?? null,
      schema: raw.schema ?? null,
      qualifiedName: raw.qualifiedName ?? null,
      around: raw.around ?? null,
      hashId: raw.hashId ?? null,
      alias: raw.alias ?? null,
      subType: raw.subType ?? null,
      uri: raw.uri ?? null,
      fileFormat: raw.fileFormat ?? null,
      comment: raw.comment ?? null,
      temporary: raw.temporary === true,
      dropped: raw.dropped === true,
      place: raw.place ?? null,
      places: raw.places ?? [],
      processes: (raw.processes ?? []).map((/** @type {number} */ at) => this.processes[at]),
      columns: [],
    };
    /** @type {Column[]} */
    const columns = entity.columns;
    entity.group = groupOf(entity);
    for (const [name, id, system, place, places, dataType, comment] of raw.columns) {
      const column = {
        index: this.columns.length,
        id,
        entity,
        name,
        label: entity.kind === "function" || entity.kind === "resultset" ? name : unquote(name) || name,
        system: system === 1,
        place: place ?? null,
        places: places ?? [],
        dataType: dataType ?? null,
        comment: comment ?? null,
      };
      this.columns.push(column);
      columns.push(column);
    }
    return entity;
  }

  /** The derived levels are there with temporary tables kept only where the scripts have any. */
  get hasTemporaries() {
    return this.levels.columnTemporaries !== undefined;
  }

  /** A picture of a store has no complete level, and neither has a very large model. */
  get hasComplete() {
    return this.levels.complete !== undefined;
  }

  get textLength() {
    return this.scripts.reduce((sum, script) => sum + script.text.length, 0);
  }

  get hasText() {
    return this.scripts.some((script) => script.text !== "");
  }

  /**
   * Line and column of an offset, both from 1. A character counts once, however JavaScript stores it.
   * @param {number} script
   * @param {number} offset
   * @returns {[number, number]}
   */
  position(script, offset) {
    const text = this.scripts[script].text;
    const starts = getOrAdd(this.lineStarts, script, () => lineStartsOf(text));
    const line = lineAt(starts, offset);
    const begin = starts[line];
    return [line + 1, [...text.slice(begin, offset)].length + 1];
  }

  /**
   * The line, from 1, at which a place begins.
   * @param {Place} place
   */
  line([script, start]) {
    return lineAt(getOrAdd(this.lineStarts, script, () => lineStartsOf(this.scripts[script].text)), start) + 1;
  }

  /**
   * The qualified name of a column, where its entity has one.
   * @param {Column} column
   * @returns {string | null}
   */
  qualifiedColumn(column) {
    const around = column.entity.around;
    return around === null ? null : around[0] + quotePart(unquote(column.name)) + around[1];
  }

  /**
   * The text of a statement, from its script or as a store keeps it.
   * @param {Process} process
   * @returns {string | null}
   */
  statementText(process) {
    if (process.text !== null) return process.text;
    if (process.place === null) return null;
    const [script, start, end] = process.place;
    return this.scripts[script].text.slice(start, end);
  }
}

/**
 * @param {any} raw
 * @param {number} index
 */
function readProcess(raw, index) {
  return {
    index,
    id: raw.id,
    type: raw.type,
    hash: raw.hash,
    textHash: raw.textHash ?? null,
    procedure: raw.procedure,
    place: raw.place ?? null,
    approximate: raw.approximate === true,
    aside: raw.aside === true,
    text: raw.text ?? null,
    users: raw.users ?? [],
    firstSeen: raw.firstSeen ?? null,
    lastSeen: raw.lastSeen ?? null,
    count: raw.count ?? null,
    origin: raw.origin ?? null,
  };
}

/**
 * Two spellings of a schema, `SHOP` and `shop`, are one: the one that most of its tables have.
 * @param {Entity[]} entities
 */
function foldGroups(entities) {
  /** @type {Map<string, Map<string, number>>} */
  const spellings = new Map();
  for (const { group } of entities) {
    const counts = getOrAdd(spellings, group.toLowerCase(), () => new Map());
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  for (const entity of entities) {
    const counts = spellings.get(entity.group.toLowerCase());
    if (counts !== undefined && counts.size > 1) entity.group = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
  }
}

/**
 * The layers above a table, under which it is put away in a large picture.
 * @param {Entity} entity
 */
function groupOf(entity) {
  if (entity.kind === "path") {
    const scheme = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)/i.exec(entity.uri ?? entity.name);
    return scheme ? scheme[1] : "files";
  }
  const layers = [entity.database, entity.schema].filter((layer) => layer !== null);
  return layers.length > 0 ? layers.join(".") : "default";
}

/**
 * @param {string} text
 * @returns {number[]} the offsets at which lines start
 */
export function lineStartsOf(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * The line, from 0, that holds an offset.
 * @param {number[]} starts
 * @param {number} offset
 */
export function lineAt(starts, offset) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
