// What stands where in the scripts.

/**
 * @import { Column, Entity, LineageDocument, Place, Process } from "./document.js"
 * @import { Edge, LevelGraph } from "./trace.js"
 */

export class PlaceIndex {
  /** @param {LineageDocument} lineage */
  constructor(lineage) {
    /** @type {[number, number, number, Column | Entity][]} */
    this.places = [];
    /** @param {Column | Entity} thing */
    const add = (thing) => {
      for (const place of [thing.place, ...thing.places]) if (place !== null) this.places.push([place[0], place[1], place[2], thing]);
    };
    for (const entity of lineage.entities) {
      add(entity);
      for (const column of entity.columns) add(column);
    }
    this.processes = lineage.processes.flatMap((process) => (process.place === null ? [] : [{ process, place: process.place }]));
  }

  /**
   * The things at an offset, those with the shortest text first.
   * @param {number} script
   * @param {number} offset
   * @returns {(Column | Entity)[]}
   */
  at(script, offset) {
    return this.places
      .filter(([where, start, end]) => where === script && start <= offset && offset <= end)
      .sort((one, other) => one[2] - one[1] - (other[2] - other[1]))
      .map((place) => place[3]);
  }

  /**
   * The statement at an offset.
   * @param {number} script
   * @param {number} offset
   */
  processAt(script, offset) {
    const found = this.processes.filter(
      ({ place: [where, start, end] }) => where === script && start <= offset && offset <= end,
    );
    return found.sort((one, other) => one.place[2] - one.place[1] - (other.place[2] - other.place[1]))[0]?.process ?? null;
  }
}

/**
 * All places of a thing in the scripts.
 * @param {Column | Entity | Process} thing
 * @returns {Place[]}
 */
export function placesOf(thing) {
  const own = "places" in thing ? thing.places : [];
  return thing.place === null ? own : [thing.place, ...own];
}

/**
 * Where the ends of relations stand in the scripts.
 * @param {LevelGraph} graph
 * @param {Edge[]} edges
 * @returns {Place[]}
 */
export function placesOfEdges(graph, edges) {
  return edges.flatMap((edge) =>
    [edge.from, edge.to].flatMap((node) => {
      const thing = graph.thing(node);
      return "hash" in thing ? [] : placesOf(thing);
    }),
  );
}
