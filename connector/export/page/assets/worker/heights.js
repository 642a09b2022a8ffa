// How high cards and lines stand in their columns. Graphviz keeps lines straight at the price of pictures that are much taller
// than they have to be; here the order within each column stays, and the columns become as low as the room asks for.

/**
 * @import { Arrangement, Pair, Room, Size } from "../js/flow.js"
 */

/**
 * @typedef {{card: number, from: number, to: number, height: number, y: number, offset: number, pull: number,
 *            near: {item: Item, weight: number, lines: number}[], column: number, at: number}} Item
 *     a card, or with the number -1 a line that passes the column; `y` is its middle, `offset` how far it stands at least
 *     below the first one of its column, `at` its place in the column
 */

/** Distances between neighbours of a column. Lines of one card run closer together: they are one bundle. */
const BETWEEN = { cardAndLine: 8, lines: 5, bundled: 2 };
/** How much a line resists a bend: where it passes two columns, and where it leaves or reaches a card. */
const STRAIGHT = { passing: 8, leaving: 2, direct: 1 };
const SWEEPS = 40;
const ROUNDS = 12;
/** Of the lines between two cards at most as many count as crossings: more of them are one band for the eye. */
const MOST_COUNTED = 3;

/**
 * The same arrangement with other heights, as low as possible but not lower than the shape of the room.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Arrangement} arrangement  with lanes for all pairs that pass columns
 * @param {Room} room
 * @param {number} gap  between two cards
 * @returns {Arrangement & {height: number, crossings: number}}
 */
export function settleHeights(cards, pairs, arrangement, room, gap) {
  const { columns, lanesOf } = itemsOf(cards, pairs, arrangement);
  untangle(columns);
  const needed = Math.max(0, ...columns.map((column) => stack(column, gap)));
  const width = Math.max(0, ...cards.map((card, at) => (arrangement.columns[at] < 0 ? 0 : arrangement.positions[at][0] + card.width)));
  const height = Math.max(needed, (width * room.height) / room.width);
  squeeze(columns, height);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of sweep % 2 === 0 ? columns : columns.toReversed()) place(column, column.map(wantedHeight), height);
  }
  return { ...written(cards, arrangement, columns, lanesOf), columns: arrangement.columns, height: heightOf(columns), crossings: crossingsOf(columns) };
}

/**
 * How many lines of an arrangement cross between neighbouring columns.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Arrangement} arrangement
 */
export function countCrossings(cards, pairs, arrangement) {
  return crossingsOf(itemsOf(cards, pairs, arrangement).columns);
}

/**
 * Cards and lines by column, each column from top to bottom, and the lines' items by pair.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Arrangement} arrangement
 */
function itemsOf(cards, pairs, { positions, columns: columnOf, lanes }) {
  /** @type {Item[][]} */
  const columns = Array.from({ length: Math.max(-1, ...columnOf) + 1 }, () => []);
  /** @param {number} column @param {Partial<Item>} values @returns {Item} */
  const add = (column, values) => {
    const item = { card: -1, from: -1, to: -1, height: 0, y: 0, offset: 0, pull: 0, near: [], column, at: 0, ...values };
    columns[column].push(item);
    return item;
  };
  const cardItems = cards.map(({ height }, card) => (columnOf[card] < 0 ? null : add(columnOf[card], { card, height, y: positions[card][1] + height / 2 })));
  /** @type {Map<number, Item[]>} */
  const lanesOf = new Map();
  pairs.forEach(({ from, to, weight }, at) => {
    const [first, last] = [cardItems[from], cardItems[to]];
    const step = Math.sign(columnOf[to] - columnOf[from]);
    if (first === null || last === null || step === 0) return;
    const between = (lanes[at] ?? []).map((y, passed) => add(columnOf[from] + step * (passed + 1), { from, to, y }));
    if (between.length !== Math.abs(columnOf[to] - columnOf[from]) - 1) return;
    const way = [first, ...between, last];
    for (let part = 1; part < way.length; part += 1) connect(way[part - 1], way[part], weight);
    if (between.length > 0) lanesOf.set(at, between);
  });
  for (const column of columns) column.sort((one, other) => one.y - other.y);
  return { columns, lanesOf };
}

/** @param {Item} one @param {Item} other @param {number} lines  that run there beside each other */
function connect(one, other, lines) {
  const passing = Number(one.card < 0) + Number(other.card < 0);
  const weight = [STRAIGHT.direct, STRAIGHT.leaving, STRAIGHT.passing][passing];
  one.near.push({ item: other, weight, lines });
  other.near.push({ item: one, weight, lines });
  one.pull += weight;
  other.pull += weight;
}

/**
 * Swaps neighbours of a column as long as fewer lines cross.
 * @param {Item[][]} columns
 */
function untangle(columns) {
  for (const column of columns) column.forEach((item, at) => (item.at = at));
  let isBetter = true;
  for (let round = 0; isBetter && round < ROUNDS; round += 1) {
    isBetter = false;
    for (const column of columns) {
      for (let at = 0; at + 1 < column.length; at += 1) {
        const [above, below] = [column[at], column[at + 1]];
        if (crossingsBetween(above, below) <= crossingsBetween(below, above)) continue;
        [column[at], column[at + 1]] = [below, above];
        [above.at, below.at] = [below.at, above.at];
        [above.y, below.y] = [below.y, above.y];
        isBetter = true;
      }
    }
  }
}

/** How many lines of two neighbours cross when they stand in this order. @param {Item} above @param {Item} below */
function crossingsBetween(above, below) {
  let crossings = 0;
  for (const one of above.near) {
    for (const other of below.near) {
      if (one.item.column === other.item.column && one.item.at > other.item.at) crossings += counted(one.lines) * counted(other.lines);
    }
  }
  return crossings;
}

/** @param {number} lines */
function counted(lines) {
  return Math.min(lines, MOST_COUNTED);
}

/**
 * Works out how close the items of a column may stand, and how high the column is at least.
 * @param {Item[]} column
 * @param {number} gap
 */
function stack(column, gap) {
  column.forEach((item, at) => {
    if (at === 0) return;
    const above = column[at - 1];
    item.offset = above.offset + (above.height + item.height) / 2 + distance(above, item, gap);
  });
  const last = column[column.length - 1];
  return last === undefined ? 0 : column[0].height / 2 + last.offset + last.height / 2;
}

/** @param {Item} above @param {Item} below @param {number} gap */
function distance(above, below, gap) {
  if (above.card >= 0 && below.card >= 0) return gap;
  if (above.card >= 0 || below.card >= 0) return BETWEEN.cardAndLine;
  return above.from === below.from || above.to === below.to ? BETWEEN.bundled : BETWEEN.lines;
}

/**
 * Everything at the same share of the new height as before.
 * @param {Item[][]} columns
 * @param {number} height
 */
function squeeze(columns, height) {
  const heights = columns.flat().map((item) => item.y);
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  for (const column of columns) {
    place(column, column.map(({ y }) => ((y - top) * height) / Math.max(1, bottom - top)), height);
  }
}

/** Where its lines would be straight, on average. @param {Item} item */
function wantedHeight({ near, pull, y }) {
  return pull === 0 ? y : near.reduce((sum, { item, weight }) => sum + weight * item.y, 0) / pull;
}

/**
 * Puts the items of a column as near to the wanted heights as their order and their distances allow: the least squares of a
 * sequence that may not descend, by putting together neighbours that would overlap.
 * @param {Item[]} column
 * @param {number[]} wanted
 * @param {number} height
 */
function place(column, wanted, height) {
  if (column.length === 0) return;
  /** @type {{y: number, weight: number, count: number}[]} */
  const blocks = [];
  column.forEach(({ offset, pull }, at) => {
    let block = { y: wanted[at] - offset, weight: Math.max(1, pull), count: 1 };
    for (let above = blocks[blocks.length - 1]; above !== undefined && above.y > block.y; above = blocks[blocks.length - 1]) {
      blocks.pop();
      const weight = above.weight + block.weight;
      block = { y: (above.y * above.weight + block.y * block.weight) / weight, weight, count: above.count + block.count };
    }
    blocks.push(block);
  });
  const [first, last] = [column[0], column[column.length - 1]];
  const [least, most] = [first.height / 2, height - last.height / 2 - last.offset];
  let at = 0;
  for (const { y, count } of blocks) {
    for (const end = at + count; at < end; at += 1) column[at].y = Math.max(least, Math.min(most, y)) + column[at].offset;
  }
}

/** @param {Item[][]} columns */
function heightOf(columns) {
  const items = columns.flat();
  return Math.max(0, ...items.map(({ y, height }) => y + height / 2)) - Math.min(...items.map(({ y, height }) => y - height / 2), Infinity);
}

/** @param {Item[][]} columns */
function crossingsOf(columns) {
  let crossings = 0;
  columns.forEach((column, at) => {
    const right = new Set(columns[at + 1] ?? []);
    const lines = column.flatMap((item) => item.near.filter((end) => right.has(end.item)).map((end) => [item.y, end.item.y, counted(end.lines)]));
    lines.forEach(([y1, y2, many], line) => {
      for (let other = line + 1; other < lines.length; other += 1) {
        if ((y1 - lines[other][0]) * (y2 - lines[other][1]) < 0) crossings += many * lines[other][2];
      }
    });
  });
  return crossings;
}

/**
 * @param {Size[]} cards
 * @param {Arrangement} arrangement
 * @param {Item[][]} columns
 * @param {Map<number, Item[]>} lanesOf
 */
function written(cards, { positions }, columns, lanesOf) {
  /** @type {[number, number][]} */
  const moved = positions.map(([x, y]) => [x, y]);
  for (const { card, y } of columns.flat()) if (card >= 0) moved[card][1] = Math.round(y - cards[card].height / 2);
  /** @type {Record<number, number[]>} */
  const lanes = {};
  for (const [at, items] of lanesOf) lanes[at] = items.map(({ y }) => Math.round(y));
  return { positions: moved, lanes };
}
