// What feeds a thing or is fed by it, with how far away it is: a list in the details, and the same as a file.

import { element, replaceContent } from "./elements.js";
import { csvCell, saveFile } from "./files.js";
import { kindIcon } from "./kind_icons.js";
import { withSchema } from "./labels.js";
import { getOrAdd } from "./maps.js";
import { counted } from "./names.js";
import { shortList } from "./short_list.js";
import { reachedByData } from "./trace.js";

/**
 * @import { Column, Entity } from "./document.js"
 * @import { LevelGraph, Trace } from "./trace.js"
 */

/** @type {Record<"up" | "down", {title: string, side: "incoming" | "outgoing", nothing: string}>} */
const REACH = {
  up: { title: "Fed by", side: "incoming", nothing: "Nothing on this level feeds it." },
  down: { title: "Feeds", side: "outgoing", nothing: "Nothing on this level uses it." },
};

/** In which order people want it. */
/** @type {Record<string, [string, (one: Reached, other: Reached) => number]>} */
const REACH_ORDERS = {
  near: ["nearest first", (one, other) => one.distance - other.distance || compareNames(one, other)],
  name: ["by name", (one, other) => compareNames(one, other)],
  relation: ["data before impact", (one, other) => Number(other.isData) - Number(one.isData) || one.distance - other.distance || compareNames(one, other)],
};

/**
 * @param {Reached} one
 * @param {Reached} other
 */
function compareNames(one, other) {
  return withSchema(one.owner).localeCompare(withSchema(other.owner));
}

/**
 * @typedef {{owner: Entity, distance: number, isData: boolean,
 *            columns: {column: Column, distance: number, isData: boolean}[]}} Reached
 */

/**
 * The objects in one direction, with those of their columns that belong to it.
 * @param {LevelGraph} graph
 * @param {Trace} trace
 * @param {"up" | "down"} way
 * @returns {Reached[]}
 */
function reachedObjects(graph, trace, way) {
  const direct = reachedByData(graph, trace.seeds, REACH[way].side);
  /** @type {Map<Entity, Reached>} */
  const found = new Map();
  for (const [node, distance] of trace[way]) {
    const owner = graph.entityOf(node);
    if (trace.seeds.has(node) || owner === null) continue;
    const isData = direct.has(node);
    const each = getOrAdd(found, owner, () => ({ owner, distance, isData, columns: [] }));
    each.distance = Math.min(each.distance, distance);
    each.isData ||= isData;
    const thing = graph.thing(node);
    if ("system" in thing) each.columns.push({ column: thing, distance, isData });
  }
  return [...found.values()];
}

export class ReachList {
  #order = "near";

  /** @param {(thing: any, label?: string | null) => Node} link */
  constructor(link) {
    this.link = link;
  }

  /**
   * @param {LevelGraph} graph
   * @param {Column | Entity} thing
   * @param {"up" | "down"} way
   * @param {Trace} trace
   * @returns {HTMLElement}
   */
  show(graph, thing, way, trace) {
    const { title, nothing } = REACH[way];
    const found = reachedObjects(graph, trace, way);
    const count = found.reduce((sum, { columns }) => sum + Math.max(1, columns.length), 0);
    const list = element("div.reach");
    const fill = () => {
      found.sort(REACH_ORDERS[this.#order][1]);
      replaceContent(list, found.length === 0 ? element("p.quiet", {}, nothing) : shortList(found.map((each) => this.#item(each)), "object"));
    };
    fill();
    return element(
      "section.details-part",
      {},
      element("h3", {}, title, element("span.count", {}, String(count))),
      found.length > 1 && this.#tools(thing, way, found, fill),
      list,
    );
  }

  /**
   * @param {Column | Entity} thing
   * @param {"up" | "down"} way
   * @param {Reached[]} found
   * @param {() => void} fill
   */
  #tools(thing, way, found, fill) {
    const order = element(
      "select.quiet",
      {
        "aria-label": `Order of what it is ${way === "up" ? "fed by" : "feeding"}`,
        onchange: () => {
          this.#order = order.value;
          fill();
        },
      },
      ...Object.entries(REACH_ORDERS).map(([key, [words]]) => element("option", { value: key, selected: key === this.#order }, words)),
    );
    const save = () => saveFile(`${thing.label.replace(/[^\w.-]+/g, "_")}.${way}stream.csv`, new Blob([csvOfReached(found, way)], { type: "text/csv" }));
    return element(
      "div.reach-tools",
      {},
      order,
      element("button.link", { type: "button", title: "Save this list as CSV", onclick: save }, "CSV"),
    );
  }

  /** @param {Reached} reached */
  #item({ owner, distance, isData, columns }) {
    return element(
      "li.owner",
      {},
      element(
        "div.owner-line",
        {},
        kindIcon(owner.kind),
        this.link(owner, withSchema(owner)),
        element("span.quiet.distance", { title: `${counted(distance, "table")} away` }, String(distance)),
        columns.length === 0 && relationBadge(isData),
      ),
      columns.length > 0 &&
        element(
          "ul.columns",
          {},
          ...columns.slice(0, 200).map((each) => element("li", {}, this.link(each.column), relationBadge(each.isData))),
        ),
    );
  }
}

/** @param {boolean} isData */
function relationBadge(isData) {
  return isData
    ? element("span.badge.type-fdd", {}, "data")
    : element("span.badge.type-fdr", { title: "Changes which rows or how they are computed, not their values" }, "impact");
}

/**
 * @param {Reached[]} found
 * @param {"up" | "down"} way
 */
function csvOfReached(found, way) {
  const rows = found.flatMap(({ owner, distance, isData, columns }) => {
    const cells = [owner.kind, owner.database ?? "", owner.schema ?? "", owner.label];
    const ends = columns.length === 0 ? [{ column: null, distance, isData }] : columns;
    return ends.map((each) => [
      `${way}stream`,
      ...cells,
      each.column === null || each.column.system ? "" : each.column.label,
      each.isData ? "data" : "impact",
      String(each.distance),
    ]);
  });
  const header = ["direction", "kind", "database", "schema", "object", "column", "relation", "distance"];
  return `${[header, ...rows].map((row) => row.map(csvCell).join(";")).join("\n")}\n`;
}
