// The boxes around the tables of an open schema.

import { svgElement } from "./elements.js";
import { getOrAdd } from "./maps.js";
import { fittedText } from "./text.js";

/**
 * @import { Card } from "./scene.js"
 */

/** @typedef {{group: string, x: number, y: number, width: number, height: number}} Box */

const BOX = { margin: 14, head: 30 };

/**
 * @param {Card[]} cards
 * @returns {Box[]}
 */
export function boxesOf(cards) {
  /** @type {Map<string, Card[]>} */
  const members = new Map();
  for (const card of cards) if (card.box !== null) getOrAdd(members, card.box, () => []).push(card);
  const boxes = [...members].map(([group, inside]) => {
    const left = Math.min(...inside.map((card) => card.x)) - BOX.margin;
    const top = Math.min(...inside.map((card) => card.y)) - BOX.head;
    const right = Math.max(...inside.map((card) => card.x + card.width)) + BOX.margin;
    const bottom = Math.max(...inside.map((card) => card.y + card.height)) + BOX.margin;
    return { group, x: left, y: top, width: right - left, height: bottom - top };
  });
  // A box around cards of others would say what is not so; then the names above the cards have to do.
  /** @param {Box} box */
  const isOwn = (box) => !cards.some((card) => card.box !== box.group && overlaps(card, box));
  return boxes.filter(isOwn);
}

/**
 * @param {Omit<Box, "group">} one
 * @param {Omit<Box, "group">} other
 */
function overlaps(one, other) {
  return one.x < other.x + other.width && one.x + one.width > other.x && one.y < other.y + other.height && one.y + one.height > other.y;
}

/**
 * @param {Box} box
 * @returns {SVGGElement}
 */
export function drawBox(box) {
  return svgElement(
    "g.schema-box",
    { "data-box": box.group },
    svgElement("rect.box-ground", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 12 }),
    svgElement("text.box-title", { x: box.x + 14, y: box.y + 21 }, fittedText(box.group, box.width - 28, true)),
  );
}
