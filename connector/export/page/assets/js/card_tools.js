// The small things on a card that one can press: its columns open or closed, and one hop more of its lineage.

import { svgElement } from "./elements.js";

/**
 * @import { Card } from "./scene.js"
 */

/**
 * @param {SVGGElement} node
 * @param {Card} card
 */
export function drawTools(node, card) {
  if (card.columns !== null) {
    const [x, y] = [card.x + card.width - 16, card.y + 30];
    const d = card.columns === "open" ? "M-4 -2L0 2L4 -2" : "M-2 -4L2 0L-2 4";
    node.append(tool("toggle", card.columns, card.columns === "open" ? "Close the columns (C)" : "Open the columns (C)", x, y, d));
  }
  const middle = card.y + Math.min(card.height, 54) / 2;
  if (card.hidden.up) node.append(tool("grow", "up", "One hop more upstream (U)", card.x - 12, middle, "M-4 0H4M0 -4V4"));
  if (card.hidden.down) node.append(tool("grow", "down", "One hop more downstream (D)", card.x + card.width + 12, middle, "M-4 0H4M0 -4V4"));
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} title
 * @param {number} x
 * @param {number} y
 * @param {string} d
 */
function tool(name, value, title, x, y, d) {
  return svgElement(
    `g.card-tool.tool-${name}`,
    { [`data-${name}`]: value, transform: `translate(${x},${y})` },
    svgElement("title", {}, title),
    svgElement("circle", { r: 9 }),
    svgElement("path", { d }),
  );
}
