// The three levels under the switches: the same elements that the connector's other exports show.

import { relationsPastHidden } from "./contraction.js";

/**
 * @import { Relation } from "./contraction.js"
 * @import { Column, Entity, LineageDocument, Process } from "./document.js"
 */

/**
 * @typedef {{level: "complete" | "column" | "table", impact: boolean, dataflow: boolean, joins: boolean,
 *            function: boolean, recordset: boolean, columns: boolean, select: boolean,
 *            temporaries: boolean}} Switches
 * @typedef {{type: string, source: Column, target: Column, effect: string | null, clause: string | null,
 *            process: Process | null, count: number, joinType: string | null, condition: string | null,
 *            approximate: boolean, transformation: string | null, expression: string | null}} ColumnEdge
 * @typedef {{type: string, source: Entity, target: Entity, process: Process | null, count: number}} TableEdge
 */

/**
 * Whether the switches show relations of a type.
 * @param {string} type
 * @param {Switches} switches
 */
function showsType(type, switches) {
  if (type === "fdd") return switches.dataflow;
  if (type === "fdr") return switches.impact;
  if (type === "join" || type === "er") return switches.joins;
  return true;
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @returns {ColumnEdge[]}
 */
export function columnLevel(lineage, switches) {
  const rows = (switches.temporaries && lineage.levels.columnTemporaries) || lineage.levels.column;
  const { columns, processes } = lineage;
  const edges = [];
  for (const row of rows) {
    const [type, source, target, effect, clause, process, count, joinType, condition, approximate, transformation, expression] = row;
    if (!showsType(type, switches)) continue;
    const to = columns[target];
    if (!switches.select && isResultset(to.entity)) continue;
    edges.push({
      type,
      source: columns[source],
      target: to,
      effect: effect ?? null,
      clause: clause ?? null,
      process: processes[process] ?? null,
      count: count ?? 1,
      joinType: joinType ?? null,
      condition: condition ?? null,
      approximate: approximate === 1,
      transformation: transformation ?? null,
      expression: expression ?? null,
    });
  }
  return edges;
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @returns {TableEdge[]}
 */
export function tableLevel(lineage, switches) {
  const rows = (switches.temporaries && lineage.levels.tableTemporaries) || lineage.levels.table;
  const { entities, processes } = lineage;
  const edges = [];
  for (const [type, source, target, process, count] of rows) {
    if (!showsType(type, switches)) continue;
    edges.push({
      type,
      source: entities[source],
      target: entities[target],
      process: processes[process] ?? null,
      count,
    });
  }
  return edges;
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @returns {{entities: Entity[], relations: Relation[]}}
 */
export function completeLevel(lineage, switches) {
  const { columns, processes } = lineage;
  let entities = lineage.entities;
  /** @type {Relation[]} */
  let relations = lineage.levels.complete.map(
    (/** @type {any[]} */ [type, id, target, sources, effect, clause, process, joinType, condition, approximate, expression]) => ({
      id: String(id),
      type,
      target: columns[target],
      sources: sources.map((/** @type {number} */ source) => columns[source]),
      effect: effect ?? null,
      clause: clause ?? null,
      process: processes[process] ?? null,
      joinType: joinType ?? null,
      condition: condition ?? null,
      approximate: approximate === 1,
      expression: expression ?? null,
    }),
  );
  if (!(switches.function && switches.recordset)) {
    entities = entities.filter((entity) => showsEntity(entity, switches));
    relations = relationsPastHidden(relations, new Set(entities));
  }
  return { entities, relations: relations.filter((relation) => showsType(relation.type, switches)) };
}

/**
 * A resultset that processes name is the result of a bare SELECT, and no intermediate one.
 * @param {Entity} entity
 * @param {Switches} switches
 */
function showsEntity(entity, switches) {
  if (entity.kind === "function") return switches.function;
  return entity.kind !== "resultset" || switches.recordset || entity.processes.length > 0;
}

/** @param {Entity} entity */
export function isResultset(entity) {
  return entity.kind === "resultset" || entity.kind === "function";
}

/**
 * The processes that belong to a derived level: those that made one of its edges, and all that write a table. Bare SELECTs
 * stay out unless they are asked for.
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {{process: Process | null}[]} edges
 */
export function shownProcesses(lineage, switches, edges) {
  const needed = new Set(edges.map((edge) => edge.process));
  /** @param {Process} process */
  const isHidden = (process) => process.aside || (process.type === "Select" && !switches.select);
  return lineage.processes.filter((process) => !isHidden(process) || needed.has(process));
}

/**
 * How many entities a level shows with everything switched on, without building it.
 * @param {LineageDocument} lineage
 * @param {string} level
 */
export function entitiesOnLevel(lineage, level) {
  if (level === "complete") return lineage.entities.length;
  const seen = new Uint8Array(lineage.entities.length);
  const { columns } = lineage;
  for (const row of lineage.levels[level]) {
    seen[level === "table" ? row[1] : columns[row[1]].entity.index] = 1;
    seen[level === "table" ? row[2] : columns[row[2]].entity.index] = 1;
  }
  return seen.reduce((sum, each) => sum + each, 0);
}

/**
 * Statements with the numbers of what they read and write.
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @returns {[process: number, inputs: number[], outputs: number[]][]}
 */
export function statementsOf({ levels }, switches) {
  return (switches.temporaries && levels.statementsTemporaries) || levels.statements || [];
}
