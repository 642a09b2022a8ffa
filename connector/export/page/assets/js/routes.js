// The ways that lines take: out of a card into the gap beside its column, through the columns between, into the other card.

import { CARD } from "./scene.js";

/**
 * @import { Scene, Wire } from "./scene.js"
 */

/**
 * @typedef {{left: number, right: number, taken: [number, number][], next: Column_ | null, previous: Column_ | null,
 *            index: number}} Column_  cards below each other; `taken` is where they stand, from top to bottom
 * @typedef {{x: number, y: number}[]} Route  places in pairs: between the two of a pair the line is level
 */

/** How far a line keeps away from a card that it passes. */
const CLEARANCE = 6;

/**
 * @param {Scene} scene
 * @param {number[]} columnOf  of each card
 */
export function linkColumns(scene, columnOf) {
  /** @type {Column_[]} */
  const columns = [];
  scene.cards.forEach((card, at) => {
    if (columnOf[at] < 0) return;
    const column = (columns[columnOf[at]] ??= { left: Infinity, right: -Infinity, taken: [], next: null, previous: null, index: columnOf[at] });
    column.left = Math.min(column.left, card.x);
    column.right = Math.max(column.right, card.x + card.width);
    column.taken.push([card.y - CLEARANCE, card.y + card.height + CLEARANCE]);
    card.column = column;
  });
  columns.forEach((column, at) => {
    column.next = columns[at + 1] ?? null;
    column.previous = columns[at - 1] ?? null;
    column.taken = joinedSpans(column.taken);
  });
}

/**
 * Spans that touch are one.
 * @param {[number, number][]} spans
 */
function joinedSpans(spans) {
  spans.sort((one, other) => one[0] - other[0]);
  const joined = [];
  for (const span of spans) {
    const last = joined[joined.length - 1];
    if (last !== undefined && span[0] < last[1]) last[1] = Math.max(last[1], span[1]);
    else joined.push(span);
  }
  return joined;
}

/**
 * The height nearest to another at which a line can pass a column.
 * @param {Column_} column
 * @param {number} y
 */
function freeHeight({ taken }, y) {
  let [low, high] = [0, taken.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (taken[middle][1] < y) low = middle + 1;
    else high = middle;
  }
  const span = taken[low];
  if (span === undefined || y <= span[0] || y >= span[1]) return y;
  return y - span[0] < span[1] - y ? span[0] : span[1];
}

/**
 * Where a line leaves and arrives.
 * @param {Wire} wire
 */
export function endsOf({ from, fromRow, to, toRow }) {
  const y1 = from.y + (fromRow ? fromRow.y + CARD.row / 2 : from.height / 2);
  const y2 = to.y + (toRow ? toRow.y + CARD.row / 2 : to.height / 2);
  const [right, left] = [from.x + from.width, to.x];
  if (from.column !== null && to.column !== null) {
    if (from.column === to.column) return { x1: right, y1, x2: to.x + to.width, y2 };
    return from.column.index < to.column.index ? { x1: right, y1, x2: left, y2 } : { x1: from.x, y1, x2: to.x + to.width, y2 };
  }
  // Somebody has moved a card, or the layout knows no columns: from side to side.
  const above = Math.abs(from.x + from.width / 2 - to.x - to.width / 2) < Math.min(from.width, to.width) / 2;
  if (from === to || above) return { x1: right, y1, x2: to.x + to.width, y2 };
  return to.x < from.x ? { x1: from.x, y1, x2: to.x + to.width, y2 } : { x1: right, y1, x2: left, y2 };
}

/**
 * @param {Wire} wire
 * @param {number[] | undefined} lanes  the heights that the layout has kept free for it
 * @returns {Route}
 */
export function routeOf(wire, lanes) {
  const { x1, y1, x2, y2 } = endsOf(wire);
  const [start, end] = [wire.from.column, wire.to.column];
  const [first, last] = [{ x: x1, y: y1 }, { x: x2, y: y2 }];
  if (start === null || end === null) return [first, first, last, last];
  if (start === end) return [first, { x: start.right, y: y1 }, { x: start.right, y: y2 }, last];
  const [out, into, step] = start.index < end.index ? /** @type {const} */ (["right", "left", "next"]) : /** @type {const} */ (["left", "right", "previous"]);
  const route = [first, { x: start[out], y: y1 }];
  const many = Math.abs(end.index - start.index);
  let passed = 0;
  for (let column = start[step]; column !== null && column !== end; column = column[step]) {
    const wanted = lanes?.[passed] ?? y1 + ((y2 - y1) * (passed + 1)) / many;
    const y = freeHeight(column, wanted);
    route.push({ x: column[into], y }, { x: column[out], y });
    passed += 1;
  }
  route.push({ x: end[into], y: y2 }, last);
  return route;
}

/**
 * The route as the path of an SVG: level at both ends and past cards, curved in the gaps.
 * @param {Route} route
 */
export function pathOfRoute(route) {
  const path = [`M${route[0].x} ${route[0].y}`];
  for (let at = 1; at < route.length; at += 2) {
    const [here, there] = [route[at], route[at + 1]];
    if (here.x !== route[at - 1].x) path.push(`H${here.x}`);
    if (there !== undefined) path.push(curve(here, there));
  }
  return path.join("");
}

/**
 * @param {Route[number]} here
 * @param {Route[number]} there
 */
function curve(here, there) {
  const dx = there.x - here.x;
  if (Math.abs(dx) < 1) {
    // Both ends on the same side: around in a bow.
    const out = here.x + 26 + Math.min(50, Math.abs(there.y - here.y) / 8);
    return `C${out} ${here.y} ${out} ${there.y} ${there.x} ${there.y}`;
  }
  if (there.y === here.y) return `H${there.x}`;
  const pull = Math.sign(dx) * Math.max(Math.min(30, Math.abs(dx)), Math.min(220, Math.abs(dx) / 2));
  return `C${here.x + pull} ${here.y} ${there.x - pull} ${there.y} ${there.x} ${there.y}`;
}
