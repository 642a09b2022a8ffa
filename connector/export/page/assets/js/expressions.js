// How a column is computed: the expressions of its lines, and what kind they are.

import { element } from "./elements.js";
import { getOrAdd } from "./maps.js";
import { sqlPieces, sqlTokens } from "./sql_tokens.js";

/**
 * @import { Column, Process } from "./document.js"
 * @import { Edge, LevelGraph } from "./trace.js"
 * @typedef {{text: string, transformation: string | null, process: Process | null, edges: Edge[]}} Expression
 */

/**
 * What the kinds of computation are called where people read them, and the sign that stands for them on a line.
 * @type {Record<string, [words: string, sign: string]>}
 */
const TRANSFORMATIONS = {
  identity: ["copied as it is", ""],
  transformation: ["computed", "ƒ"],
  aggregation: ["aggregated", "Σ"],
};

/** @param {string | null} transformation */
export function transformationWords(transformation) {
  if (transformation === null) return "";
  return TRANSFORMATIONS[transformation]?.[0] ?? transformation.replaceAll("_", " ");
}

/**
 * What is written on a line: nothing where a column is only copied.
 * @param {{text: string, transformation: string | null}} expression
 */
export function labelOf({ text, transformation }) {
  const sign = TRANSFORMATIONS[transformation ?? ""]?.[1] || "ƒ";
  return `${sign} ${text.replace(/\s+/g, " ")}`;
}

/**
 * The distinct expressions of some edges; those that only copy a column are left out.
 * @param {Iterable<Edge>} edges
 * @returns {Expression[]}
 */
export function expressionsOf(edges) {
  /** @type {Map<string, Expression>} */
  const found = new Map();
  for (const edge of edges) {
    const text = edge.expression;
    if (edge.type !== "fdd" || text === null || edge.transformation === "identity") continue;
    const key = `${edge.process?.index ?? -1}|${text}`;
    getOrAdd(found, key, () => ({ text, transformation: edge.transformation, process: edge.process, edges: [] })).edges.push(edge);
  }
  return [...found.values()];
}

/**
 * How a column is computed from those before it.
 * @param {LevelGraph} graph
 * @param {Column} column
 */
export function expressionsOfColumn(graph, column) {
  return expressionsOf(graph.incoming.get(`c${column.index}`) ?? []);
}

/**
 * An expression as coloured SQL.
 * @param {string} text
 * @param {string} className
 */
export function expressionCode(text, className = "expression") {
  return element(`code.${className}`, {}, sqlPieces(text, 0, text.length, sqlTokens(text), []));
}
