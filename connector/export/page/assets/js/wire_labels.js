// The expressions on the lines of a column that is chosen, as far as there is room for them between the cards.

import { svgElement } from "./elements.js";
import { expressionsOf, labelOf } from "./expressions.js";
import { getOrAdd } from "./maps.js";
import { routeOfWire } from "./wires.js";

/**
 * @import { Row, Scene, Wire } from "./scene.js"
 * @import { Trace } from "./trace.js"
 */

/** More labels than this would cover the picture. */
const MOST_LABELS = 80;
/** Sizes of a label; all of its letters are of one width. */
const LABEL = { height: 18, margin: 16, least: 90, most: 320, letter: 6.7 };

/**
 * A label for each column that lit lines compute.
 * @param {Scene} scene
 * @param {Trace | null} trace
 * @param {Wire | null} chosen  a line that is chosen by itself
 * @returns {SVGGElement[]}
 */
export function wireLabels(scene, trace, chosen) {
  if (trace === null) return [];
  /** @type {Map<Row, Wire[]>} */
  const into = new Map();
  const isOfColumn = trace.seeds.size === 1;
  for (const wire of scene.wires) {
    if (wire.type !== "fdd" || !wire.toRow?.node || !(wire === chosen || (isOfColumn && isLit(wire, trace)))) continue;
    getOrAdd(into, wire.toRow, () => []).push(wire);
  }
  return [...into.values()].slice(0, MOST_LABELS).flatMap((wires) => labelOfWires(wires) ?? []);
}

/**
 * @param {Wire} wire
 * @param {Trace} trace
 */
function isLit(wire, trace) {
  return wire.edges.some((edge) => trace.edges.has(edge.index));
}

/**
 * The lines into one column share their expression, so that one label at their end is enough.
 * @param {Wire[]} wires
 */
function labelOfWires(wires) {
  const [expression, ...others] = expressionsOf(wires.flatMap((wire) => wire.edges));
  if (expression === undefined) return null;
  const [wire] = wires;
  const route = routeOfWire(wire);
  const [end, before] = [route[route.length - 1], route[route.length - 3] ?? route[0]];
  const room = Math.min(LABEL.most, Math.abs(end.x - before.x) - LABEL.margin - 10);
  if (room < LABEL.height) return null;
  const full = `${labelOf(expression)}${others.length > 0 ? ` (and ${others.length} more)` : ""}`;
  // Where there is no room for words the sign says what to expect; what one points at is told in full.
  const letters = Math.floor((room - 16) / LABEL.letter);
  const text = room < LABEL.least ? full.slice(0, 1) : full.length <= letters ? full : `${full.slice(0, letters - 1)}…`;
  const width = Math.max(LABEL.height, text.length * LABEL.letter + 16);
  const left = end.x > before.x ? end.x - LABEL.margin - width : end.x + LABEL.margin;
  return svgElement(
    "g.wire-label",
    { "data-wire": wire.key },
    svgElement("title", {}, full),
    svgElement("rect", { x: left, y: end.y - LABEL.height / 2, width, height: LABEL.height, rx: LABEL.height / 2 }),
    svgElement("text", { x: left + width / 2, y: end.y + 4, "text-anchor": "middle" }, text),
  );
}
