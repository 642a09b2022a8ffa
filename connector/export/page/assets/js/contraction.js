// The complete level led past what is hidden. The same walk as in connector/model/levels/walk.py, and the same rule: a
// chain with an impact in it is an impact; of several chains between two columns one of data alone makes it data.

import { getOrAdd } from "./maps.js";

/**
 * @import { Column, Entity, Process } from "./document.js"
 */

/**
 * @typedef {{id: string, type: string, target: Column, sources: Column[], effect: string | null, clause: string | null,
 *            process: Process | null, joinType: string | null, condition: string | null, approximate?: boolean,
 *            expression: string | null}} Relation
 * @typedef {{type: string, source: Column, target: Column, effect: string | null, clause: string | null}} Chain
 * @typedef {[sources: Column[], clause: string | null, effect: string | null]} Step  still to be walked
 */

/**
 * The relations between shown entities, chains through hidden ones made one relation each.
 * @param {Relation[]} relations
 * @param {Set<Entity>} shown
 * @returns {Relation[]}
 */
export function relationsPastHidden(relations, shown) {
  /** @type {Map<Process | null, Map<Column, Relation[]>>} */
  const roots = new Map();
  /** @type {Map<Column, Relation[]>} */
  const between = new Map();
  const links = [];
  const calls = [];
  for (const relation of relations) {
    if (relation.type === "fdd" || relation.type === "fdr") {
      if (shown.has(relation.target.entity)) {
        const writes = getOrAdd(roots, relation.process, () => new Map());
        getOrAdd(writes, relation.target, () => []).push(relation);
      } else {
        getOrAdd(between, relation.target, () => []).push(relation);
      }
    } else if (relation.type === "call") {
      calls.push(relation);
    } else {
      const sources = relation.sources.filter((source) => shown.has(source.entity));
      if (sources.length > 0 && shown.has(relation.target.entity)) links.push({ ...relation, sources });
    }
  }
  /** @type {Map<string, Relation>} */
  const bundles = new Map();
  for (const [process, writes] of roots) {
    /** @type {Chain[]} */
    const edges = [];
    for (const [target, written] of writes) {
      walkBack(target, written, between, shown, (type, source, effect, clause) => {
        edges.push({ type, source, target, effect, clause });
      });
    }
    for (const { type, source, target, effect, clause } of withoutRepeatedRows(edges)) {
      const key = [type, target.index, effect, clause, process ? process.index : -1].join("|");
      getOrAdd(bundles, key, () => ({
        id: "",
        type,
        target,
        sources: [],
        effect,
        clause,
        process,
        joinType: null,
        condition: null,
        expression: null,
      })).sources.push(source);
    }
  }
  return [...bundles.values(), ...links, ...calls].map((relation, at) => ({ ...relation, id: String(at + 1) }));
}

/** Clauses in which nearly every column decides the rows and is written as well. */
const ROW_MAKING = new Set(["groupBy", "having", "distinct", "setOperation", "unnest"]);

/**
 * What groups, compares or takes apart the rows is left out where another edge shows the same source at the same target.
 * @param {Chain[]} edges
 */
function withoutRepeatedRows(edges) {
  /** @param {Chain} edge */
  const isDoubtful = (edge) => edge.target.system && ROW_MAKING.has(edge.clause ?? "");
  if (!edges.some(isDoubtful)) return edges;
  /** @type {Map<Column, Set<Entity>>} */
  const reached = new Map();
  for (const edge of edges) {
    if (!isDoubtful(edge)) getOrAdd(reached, edge.source, () => new Set()).add(edge.target.entity);
  }
  return edges.filter((edge) => !isDoubtful(edge) || !reached.get(edge.source)?.has(edge.target.entity));
}

/**
 * From one written column back to the shown columns behind it: all chains of data first, then what is left; of a row
 * column last what makes its rows, so that a column in a condition is named for the condition.
 * @param {Column} target
 * @param {Relation[]} relations
 * @param {Map<Column, Relation[]>} between
 * @param {Set<Entity>} shown
 * @param {(type: string, source: Column, effect: string | null, clause: string | null) => void} add
 */
function walkBack(target, relations, between, shown, add) {
  const seen = new Set();
  /** @type {Step[]} */
  const pending = [];
  const makesRows = target.system ? [] : pending;
  /**
   * @param {Relation} relation
   * @param {Step[]} steps
   * @param {string | null} clause
   * @param {string | null} effect
   */
  const postpone = (relation, steps, clause, effect) => {
    (ROW_MAKING.has(relation.clause ?? "") ? makesRows : steps).push([relation.sources, relation.clause ?? clause, effect]);
  };
  for (const relation of relations) {
    if (relation.type === "fdr") {
      postpone(relation, pending, null, relation.effect);
      continue;
    }
    const queue = [...relation.sources];
    for (let at = 0; at < queue.length; at += 1) {
      const column = queue[at];
      if (seen.has(column)) continue;
      seen.add(column);
      if (shown.has(column.entity)) {
        add("fdd", column, relation.effect, null);
        continue;
      }
      for (const before of between.get(column) ?? []) {
        if (before.type === "fdd") queue.push(...before.sources);
        else postpone(before, pending, null, relation.effect);
      }
    }
  }
  for (const steps of new Set([pending, makesRows])) {
    for (let at = 0; at < steps.length; at += 1) {
      const [sources, clause, effect] = steps[at];
      for (const column of sources) {
        if (seen.has(column)) continue;
        seen.add(column);
        if (shown.has(column.entity)) {
          add("fdr", column, effect, clause);
          continue;
        }
        for (const before of between.get(column) ?? []) postpone(before, steps, clause, effect);
      }
    }
  }
}
