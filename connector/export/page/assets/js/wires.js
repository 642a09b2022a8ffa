// The lines between cards.

import { svgElement } from "./elements.js";
import { RELATION_WORDS } from "./names.js";
import { endsOf, pathOfRoute, routeOf } from "./routes.js";

/**
 * @import { Route } from "./routes.js"
 * @import { Card, Row, Wire } from "./scene.js"
 */

/**
 * The way that a wire takes, worked out once for each picture.
 * @param {Wire} wire
 * @returns {Route}
 */
export function routeOfWire(wire) {
  wire.route ??= routeOf(wire, wire.lanes);
  return wire.route;
}

/**
 * Where a wire leaves and arrives.
 * @param {Wire} wire
 */
export function wireEnds(wire) {
  return endsOf(wire);
}

/**
 * The line as the path of an SVG.
 * @param {Wire} wire
 */
export function wirePath(wire) {
  return pathOfRoute(routeOfWire(wire));
}

/**
 * The box that holds a wire.
 * @param {Wire} wire
 */
export function wireBox(wire) {
  if (wire.area === null) {
    const { x1, y1, x2, y2 } = endsOf(wire);
    // Among very many lines it is enough to know about where one runs.
    const route = wire.rough ? [{ x: x1, y: y1 }, { x: x2, y: y2 }] : routeOfWire(wire);
    const area = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (const { x, y } of route) {
      area.left = Math.min(area.left, x - 2);
      area.right = Math.max(area.right, x + 80);
      area.top = Math.min(area.top, y - 2);
      area.bottom = Math.max(area.bottom, y + 2);
    }
    wire.area = area;
  }
  return wire.area;
}

/**
 * What a screen reader says of a line.
 * @param {Wire} wire
 */
export function wireName(wire) {
  /**
   * @param {Card} card
   * @param {Row | null} row
   */
  const end = (card, row) => (row?.node ? `${card.title}.${row.label}` : card.title);
  return `${RELATION_WORDS[wire.type] ?? wire.type} from ${end(wire.from, wire.fromRow)} to ${end(wire.to, wire.toRow)}`;
}

/**
 * A place on a line that stands for all of it.
 * @param {Wire} wire
 */
export function wireMiddle(wire) {
  const route = routeOfWire(wire);
  const [one, other] = [route[route.length / 2 - 1], route[route.length / 2]];
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/**
 * @param {Wire} wire
 * @returns {SVGGElement}
 */
export function drawWire(wire) {
  const d = wirePath(wire);
  return svgElement(
    `g.wire.type-${wire.type}`,
    { "data-wire": wire.key },
    svgElement("path.wire-line", { d }),
    svgElement("path.wire-reach", { d }),
  );
}
