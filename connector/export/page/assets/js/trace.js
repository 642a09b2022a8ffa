// The graph of the level on show, and what is upstream and downstream of a place in it.

import { filterOf, NO_FILTER } from "./filters.js";
import { columnLevel, completeLevel, isResultset, tableLevel } from "./levels.js";
import { getOrAdd } from "./maps.js";

/**
 * @import { Relation } from "./contraction.js"
 * @import { Column, Entity, LineageDocument, Process } from "./document.js"
 * @import { Filter } from "./filters.js"
 * @import { ColumnEdge, Switches, TableEdge } from "./levels.js"
 */

/**
 * A node is a column ("c12"), an entity ("e3") or a process ("p4").
 * @typedef {string} NodeKey
 * @typedef {{index: number, type: string, from: NodeKey, to: NodeKey, effect: string | null, clause: string | null,
 *            process: Process | null, joinType: string | null, condition: string | null,
 *            transformation: string | null, expression: string | null}} Edge
 * @typedef {{nodes: Set<NodeKey>, edges: Set<number>, up: Map<NodeKey, number>, down: Map<NodeKey, number>,
 *            seeds: Set<NodeKey>}} Trace
 */

export class LevelGraph {
  /**
   * @param {LineageDocument} lineage
   * @param {Switches & {filter?: Filter}} switches
   * @param {boolean} withProcesses  whether statements stand between tables
   */
  constructor(lineage, switches, withProcesses) {
    const kept = filterOf(switches.filter ?? NO_FILTER);
    /** @param {ColumnEdge | TableEdge} edge */
    const isKept = ({ source, target, process }) =>
      kept.entity("entity" in source ? source.entity : source) &&
      kept.entity("entity" in target ? target.entity : target) &&
      kept.process(process);
    this.lineage = lineage;
    this.switches = switches;
    /** @type {Edge[]} */
    this.edges = [];
    /** @type {Map<NodeKey, Edge[]>} */
    this.incoming = new Map();
    /** @type {Map<NodeKey, Edge[]>} */
    this.outgoing = new Map();
    /** @type {Set<Entity>} */
    this.entities = new Set();
    /** @type {Set<Process>} */
    this.processes = new Set();
    this.withColumns = switches.level !== "table" && switches.columns;
    /** @type {Set<string>} */
    this.known = new Set();
    if (switches.level === "column") this.#addColumns(columnLevel(lineage, switches).filter(isKept));
    else if (switches.level === "table") this.#addTables(tableLevel(lineage, switches).filter(isKept), withProcesses);
    else this.#addComplete(completeLevel(lineage, switches), kept);
    this.known.clear();
  }

  /** @param {ColumnEdge[]} edges */
  #addColumns(edges) {
    for (const edge of edges) this.#addRelation(edge, edge.source, edge.target);
  }

  /**
   * @param {{entities: Entity[], relations: Relation[]}} level
   * @param {ReturnType<typeof filterOf>} kept
   */
  #addComplete({ entities, relations }, kept) {
    for (const entity of entities) if (kept.entity(entity)) this.entities.add(entity);
    for (const relation of relations) {
      if (!kept.entity(relation.target.entity) || !kept.process(relation.process)) continue;
      for (const source of relation.sources) if (kept.entity(source.entity)) this.#addRelation(relation, source, relation.target);
    }
  }

  /**
   * @param {ColumnEdge | Relation} relation
   * @param {Column} source
   * @param {Column} target
   */
  #addRelation(relation, source, target) {
    this.entities.add(source.entity);
    this.entities.add(target.entity);
    if (this.withColumns) {
      this.#add(relation, `c${source.index}`, `c${target.index}`);
      return;
    }
    // Without columns the relations between two entities that differ in their columns alone are one.
    const [from, to] = [`e${source.entity.index}`, `e${target.entity.index}`];
    if (from === to) return;
    const process = relation.process === null ? -1 : relation.process.index;
    const key = `${from}>${to}:${relation.type}:${relation.clause}:${process}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.#add(relation, from, to);
  }

  /**
   * @param {TableEdge[]} edges
   * @param {boolean} withProcesses
   */
  #addTables(edges, withProcesses) {
    for (const edge of edges) {
      this.entities.add(edge.source);
      this.entities.add(edge.target);
      const [from, to] = [`e${edge.source.index}`, `e${edge.target.index}`];
      if (edge.process === null || !withProcesses) {
        this.#add(edge, from, to);
        continue;
      }
      this.processes.add(edge.process);
      const through = `p${edge.process.index}`;
      this.#addOnce(edge, from, through);
      this.#addOnce({ ...edge, type: "fdd" }, through, to);
    }
  }

  /**
   * @param {TableEdge} relation
   * @param {NodeKey} from
   * @param {NodeKey} to
   */
  #addOnce(relation, from, to) {
    const key = `${from}>${to}:${relation.type}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.#add(relation, from, to);
  }

  /**
   * @param {Omit<Partial<ColumnEdge>, "source" | "target"> & {type: string, process: Process | null}} relation
   * @param {NodeKey} from
   * @param {NodeKey} to
   */
  #add(relation, from, to) {
    const edge = {
      index: this.edges.length,
      type: relation.type,
      from,
      to,
      effect: relation.effect ?? null,
      clause: relation.clause ?? null,
      process: relation.process,
      joinType: relation.joinType ?? null,
      condition: relation.condition ?? null,
      transformation: relation.transformation ?? null,
      expression: relation.expression ?? null,
    };
    this.edges.push(edge);
    getOrAdd(this.outgoing, from, () => []).push(edge);
    getOrAdd(this.incoming, to, () => []).push(edge);
  }

  /** Whether columns stand there with what computes them. */
  get hasExpressions() {
    return this.withColumns && this.edges.some((edge) => edge.expression !== null && edge.transformation !== "identity");
  }

  /**
   * @param {NodeKey} node
   * @returns {Column | Entity | Process}
   */
  thing(node) {
    const at = Number(node.slice(1));
    if (node[0] === "c") return this.lineage.columns[at];
    return node[0] === "e" ? this.lineage.entities[at] : this.lineage.processes[at];
  }

  /**
   * The entity a node is or belongs to; null for a process.
   * @param {NodeKey} node
   * @returns {Entity | null}
   */
  entityOf(node) {
    const at = Number(node.slice(1));
    if (node[0] === "c") return this.lineage.columns[at].entity;
    return node[0] === "e" ? this.lineage.entities[at] : null;
  }

  /**
   * The nodes that stand for a thing on this level; none when the level does not show it.
   * @param {Column | Entity | Process} thing
   * @returns {Set<NodeKey>}
   */
  nodesOf(thing) {
    if ("hash" in thing) {
      const nodes = new Set(this.processes.has(thing) ? [`p${thing.index}`] : []);
      if (nodes.size === 0) {
        for (const edge of this.edges) if (edge.process === thing) nodes.add(edge.to);
      }
      return nodes;
    }
    const entity = "entity" in thing ? thing.entity : thing;
    if (!this.entities.has(entity)) return new Set();
    if (!this.withColumns) return new Set([`e${entity.index}`]);
    return new Set(("entity" in thing ? [thing] : entity.columns).map((column) => `c${column.index}`));
  }

  /**
   * Whether the level has a place for a thing.
   * @param {Column | Entity | Process} thing
   */
  shows(thing) {
    if ("hash" in thing) return this.nodesOf(thing).size > 0;
    return this.entities.has("entity" in thing ? thing.entity : thing);
  }

  /** @param {NodeKey} node */
  isConnected(node) {
    return this.incoming.has(node) || this.outgoing.has(node);
  }

  /**
   * Everything upstream and downstream of the seeds. Joins connect but do not carry anything, so they are not followed.
   * @param {Set<NodeKey>} seeds
   * @param {number} depth  in tables; 0 is without limit
   * @param {"both" | "up" | "down"} direction
   * @returns {Trace}
   */
  trace(seeds, depth = 0, direction = "both") {
    const edges = new Set();
    const up = direction === "down" ? new Map() : this.#walk(seeds, depth, this.incoming, "from", edges);
    const down = direction === "up" ? new Map() : this.#walk(seeds, depth, this.outgoing, "to", edges);
    return { nodes: new Set([...seeds, ...up.keys(), ...down.keys()]), edges, up, down, seeds };
  }

  /**
   * What lies on the ways from some nodes to others, or back where there are none.
   * @param {Set<NodeKey>} starts
   * @param {Set<NodeKey>} ends
   * @returns {Trace}
   */
  between(starts, ends) {
    for (const [from, to] of [[starts, ends], [ends, starts]]) {
      const [down, up] = [this.trace(from, 0, "down"), this.trace(to, 0, "up")];
      const nodes = new Set([...down.nodes].filter((node) => up.nodes.has(node)));
      if (nodes.size === 0) continue;
      const edges = new Set([...down.edges].filter((at) => up.edges.has(at)));
      const reached = new Map([...down.down].filter(([node]) => nodes.has(node)));
      const isOnward = from === starts;
      const seeds = new Set([...starts].filter((node) => nodes.has(node)));
      return { nodes, edges, up: isOnward ? new Map() : reached, down: isOnward ? reached : new Map(), seeds };
    }
    return { nodes: new Set(starts), edges: new Set(), up: new Map(), down: new Map(), seeds: starts };
  }

  /**
   * Whether a node is a step from table to table: a statement, an intermediate result, a function, a variable.
   * @param {NodeKey} node
   */
  #isBetween(node) {
    const entity = this.entityOf(node);
    return entity === null || isResultset(entity) || entity.kind === "variable";
  }

  /**
   * @param {Set<NodeKey>} seeds
   * @param {number} depth
   * @param {Map<NodeKey, Edge[]>} sides
   * @param {"from" | "to"} end
   * @param {Set<number>} lit
   */
  #walk(seeds, depth, sides, end, lit) {
    /** @type {Map<NodeKey, number>} */
    const reached = new Map();
    let front = [...seeds];
    const seen = new Set(seeds);
    for (let distance = 1; front.length > 0; distance += 1) {
      /** @type {NodeKey[]} */
      const next = [];
      // What stands between two tables is passed on the way to the next one, and the list grows by it meanwhile.
      for (let at = 0; at < front.length; at += 1) {
        for (const edge of sides.get(front[at]) ?? []) {
          if (edge.type === "join" || edge.type === "er") continue;
          lit.add(edge.index);
          const other = edge[end];
          if (seen.has(other)) continue;
          seen.add(other);
          reached.set(other, distance);
          (this.#isBetween(other) ? front : next).push(other);
        }
      }
      if (depth > 0 && distance >= depth) break;
      front = next;
    }
    return reached;
  }
}

/**
 * The nodes that data reaches without any impact on the way.
 * @param {LevelGraph} graph
 * @param {Set<NodeKey>} seeds
 * @param {"incoming" | "outgoing"} side
 */
export function reachedByData(graph, seeds, side) {
  const end = side === "incoming" ? "from" : "to";
  const seen = new Set(seeds);
  const queue = [...seeds];
  for (let at = 0; at < queue.length; at += 1) {
    for (const edge of graph[side].get(queue[at]) ?? []) {
      if (edge.type !== "fdd" || seen.has(edge[end])) continue;
      seen.add(edge[end]);
      queue.push(edge[end]);
    }
  }
  return seen;
}
