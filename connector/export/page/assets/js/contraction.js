// The complete level led past what is hidden. The same walk as in connector/model/levels/walk.py, and the same rule: a
// chain with an impact in it is an impact; of several chains between two columns one of data alone makes it data.

/**
 * @typedef {{id: string, type: string, target: Column, sources: Column[], effect: string | null, clause: string | null,
 *            process: Process | null, joinType: string | null, condition: string | null}} Relation
 */

/**
 * The relations between shown entities, chains through hidden ones made one relation each.
 * @param {Relation[]} relations
 * @param {Set<Entity>} shown
 * @returns {Relation[]}
 */
function relationsPastHidden(relations, shown) {
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
    for (const [target, written] of writes) {
      walkBack(written, between, shown, (type, source, effect, clause) => {
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
        })).sources.push(source);
      });
    }
  }
  return [...bundles.values(), ...links, ...calls].map((relation, at) => ({ ...relation, id: String(at + 1) }));
}

/** From one written column back to the shown columns behind it: all chains of data first, then what is left. */
function walkBack(relations, between, shown, add) {
  const seen = new Set();
  const pending = [];
  for (const relation of relations) {
    if (relation.type === "fdr") {
      pending.push([relation.sources, relation.clause, relation.effect]);
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
        else pending.push([before.sources, before.clause, relation.effect]);
      }
    }
  }
  for (let at = 0; at < pending.length; at += 1) {
    const [sources, clause, effect] = pending[at];
    for (const column of sources) {
      if (seen.has(column)) continue;
      seen.add(column);
      if (shown.has(column.entity)) {
        add("fdr", column, effect, clause);
        continue;
      }
      for (const before of between.get(column) ?? []) pending.push([before.sources, before.clause ?? clause, effect]);
    }
  }
}

/**
 * @template K, V
 * @param {Map<K, V>} map
 * @param {K} key
 * @param {() => V} make
 * @returns {V}
 */
function getOrAdd(map, key, make) {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
