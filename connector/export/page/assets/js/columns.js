// Cards in columns: tall layers folded into several of them, and what has no lines in rows below.

/**
 * @import { Arrangement, Room, Size } from "./flow.js"
 */

/**
 * Between cards with rows many lines run, and in the picture of one column the lines carry what they compute; cards without
 * rows may stand closer.
 */
const GAPS = { labelled: { layer: 180, card: 26 }, wide: { layer: 90, card: 26 }, close: { layer: 56, card: 16 } };

/**
 * @param {Size[]} cards
 * @param {Room} room
 */
export function gapsOf(cards, { labelled }) {
  if (!cards.some((card) => card.height > 80)) return GAPS.close;
  return labelled ? GAPS.labelled : GAPS.wide;
}

/**
 * Layers that are much taller than the picture is wide become several columns beside each other.
 * @param {number[][]} layers  cards by number, from top to bottom
 * @param {Size[]} cards
 * @param {Room} room
 * @returns {number[][]} columns
 */
export function folded(layers, cards, room) {
  const gaps = gapsOf(cards, room);
  const sizes = layers.map((layer) => ({
    height: layer.reduce((sum, node) => sum + cards[node].height + gaps.card, -gaps.card),
    width: layer.reduce((most, node) => Math.max(most, cards[node].width), 0) + gaps.layer,
  }));
  const tallest = Math.max(0, ...sizes.map((size) => size.height));
  /** @param {number} height */
  const widthAt = (height) => sizes.reduce((sum, size) => sum + Math.ceil(size.height / height) * size.width, 0);
  // The height at which the columns have the shape of the room; nothing is folded where that gains little.
  let [low, high] = [Math.min(tallest, 300), tallest];
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (middle / widthAt(middle) > room.height / room.width) high = middle;
    else low = middle;
  }
  if (high * 1.25 >= tallest) return layers;
  return layers.flatMap((layer, at) => strewn(layer, Math.ceil(sizes[at].height / high)));
}

/**
 * Neighbours of one layer stay at about the same height: each stands in the next column.
 * @param {number[]} layer
 * @param {number} count  of columns
 */
function strewn(layer, count) {
  if (count <= 1) return [layer];
  return Array.from({ length: count }, (_column, column) => layer.filter((_node, at) => at % count === column));
}

/**
 * @param {Size[]} cards
 * @param {number[][]} layers
 * @param {number[]} lonely
 * @param {Room} room
 * @returns {Arrangement}
 */
export function placeColumns(cards, layers, lonely, room) {
  /** @type {[number, number][]} */
  const positions = cards.map(() => [0, 0]);
  const columns = cards.map(() => -1);
  const gaps = gapsOf(cards, room);
  const heights = layers.map((layer) => layer.reduce((sum, node) => sum + cards[node].height + gaps.card, -gaps.card));
  const tallest = Math.max(0, ...heights);
  let x = 0;
  layers.forEach((layer, at) => {
    const widest = layer.reduce((most, node) => Math.max(most, cards[node].width), 0);
    let y = (tallest - heights[at]) / 2;
    for (const node of layer) {
      positions[node] = [x, y];
      columns[node] = at;
      y += cards[node].height + gaps.card;
    }
    x += widest + gaps.layer;
  });
  placeLonely(cards, lonely, positions, tallest + (layers.length > 0 ? 3 * gaps.card : 0), Math.max(x, 1200), room);
  return { positions, columns, lanes: {} };
}

/**
 * Cards without lines stand in rows below the rest.
 * @param {Size[]} cards
 * @param {number[]} lonely
 * @param {[number, number][]} positions  to which theirs are added
 * @param {number} top
 * @param {number} width
 * @param {Room} room
 */
export function placeLonely(cards, lonely, positions, top, width, room) {
  const gap = gapsOf(cards, room).card;
  let [x, y, line] = [0, top, 0];
  for (const node of lonely) {
    if (x > 0 && x + cards[node].width > width) {
      [x, y, line] = [0, y + line + gap, 0];
    }
    positions[node] = [x, y];
    x += cards[node].width + gap;
    line = Math.max(line, cards[node].height);
  }
}
