// What objects and statements are called where people read them.

import { counted } from "./names.js";

/**
 * @import { Entity, Process } from "./document.js"
 * @import { Card } from "./scene.js"
 * @import { LevelGraph, NodeKey } from "./trace.js"
 */

/**
 * A name that tells two tables of the same name apart.
 * @param {Entity} entity
 */
export function withSchema(entity) {
  return entity.schema === null || entity.kind === "path" ? entity.label : `${entity.schema}.${entity.label}`;
}

/** @param {Process} process */
export function processLine(process) {
  const place = process.procedure === "batchQueries" ? "" : ` in ${process.procedure}`;
  return `${process.type}${place}`;
}

/** @param {Process[]} processes */
export function processWords(processes) {
  return processes.length === 1 ? processLine(processes[0]) : counted(processes.length, "statement");
}

/**
 * @param {LevelGraph} graph
 * @param {NodeKey} node
 * @param {Card} card
 */
export function endName(graph, node, card) {
  if (card.group !== null) return card.title;
  const thing = graph.thing(node);
  if ("entity" in thing) return `${thing.entity.label}.${thing.system ? "rows" : thing.label}`;
  return "hash" in thing ? thing.type : thing.label;
}

/**
 * A node's name with its table, and its schema where there is one.
 * @param {LevelGraph} graph
 * @param {NodeKey} node
 */
export function nodeName(graph, node) {
  const thing = graph.thing(node);
  if ("hash" in thing) return processLine(thing);
  const entity = "entity" in thing ? thing.entity : thing;
  const table = withSchema(entity);
  return "entity" in thing ? `${table}.${thing.system ? "rows" : thing.label}` : table;
}

/** @param {string} text */
export function timeWords(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
