// One card as SVG, in as much detail as the zoom lets people see.

import { drawTools } from "./card_tools.js";
import { svgElement } from "./elements.js";
import { iconOf } from "./kind_icons.js";
import { counted } from "./names.js";
import { CARD } from "./scene.js";
import { fittedText, textWidth, titleLines } from "./text.js";

/**
 * @import { Card, Row } from "./scene.js"
 */

/** From these zooms on all is shown in the size it has, cards show their rows, and cards show their names. */
const ZOOM_OF_CAPTIONS = 0.65;
export const ZOOM_OF_ROWS = 0.4;
const ZOOM_OF_TITLES = 0.18;

/** @typedef {"full" | "rows" | "title" | "block"} Detail  with `rows`, cards that have none show their names in large letters */

/**
 * @param {number} zoom
 * @returns {Detail}
 */
export function detailAt(zoom) {
  if (zoom >= ZOOM_OF_CAPTIONS) return "full";
  if (isNear(zoom)) return "rows";
  return zoom >= ZOOM_OF_TITLES ? "title" : "block";
}

/**
 * Whether one sees rows.
 * @param {number} zoom
 */
export function isNear(zoom) {
  return zoom >= ZOOM_OF_ROWS;
}

/**
 * A card at its place. Its parts are written with the world's own coordinates: a group with a transform of its own for each
 * of two thousand cards is what a browser takes longest over when it zooms.
 * @param {Card} card
 * @param {Detail} detail
 * @returns {SVGGElement}
 */
export function drawCard(card, detail) {
  const node = svgElement(`g.card.kind-${card.kind}.detail-${detail}`, { "data-card": card.key });
  const rx = card.kind === "process" ? card.height / 2 : 7;
  const { x, y, width, height } = card;
  // The box is what keys and screen readers meet; its name says all that is written over it, uncut.
  const box = svgElement("rect.card-box", { x, y, width, height, rx, role: "button", tabindex: 0, "aria-label": cardName(card) });
  node.append(box);
  if (detail === "block") return node;
  if (detail === "title" || (detail === "rows" && card.rows.length === 0)) drawLargeTitle(node, card);
  else if (card.kind === "process") drawProcess(node, card);
  else drawFull(node, card);
  for (const part of node.children) if (part !== box) part.setAttribute("aria-hidden", "true");
  return node;
}

/**
 * What a screen reader says of a card.
 * @param {Card} card
 */
function cardName(card) {
  if (card.group !== null) return `Group ${card.group}, ${counted(card.members, "object")}, collapsed`;
  if (card.process !== null) return `Statement ${card.title} ${card.caption}`.trim();
  if (card.entity === null) return card.title;
  const columns = card.rows.length > 0 ? `, ${counted(card.entity.columns.filter((c) => !c.system).length, "column")}` : "";
  return `${card.kind} ${card.entity.qualifiedName ?? card.title}${columns}`;
}

/**
 * From further away: the title in large letters, and lines where the rows stand.
 * @param {SVGGElement} node
 * @param {Card} card
 */
function drawLargeTitle(node, card) {
  const { x, y, width } = card;
  const open = card.rows.length > 0;
  const room = width - 24;
  const lines = open ? titleLines(card.title, (13 * room) / 22) : card.lines;
  const height = open ? Math.min(card.height, CARD.header + (lines.length - 1) * CARD.row) : card.height;
  // As large as the name allows, so that long names are not cut more than they must be.
  const widest = Math.max(...lines.map((line) => textWidth(line, true)));
  const size = Math.min(24, (height * 0.84) / (lines.length * 1.12), Math.max(15, (13 * room) / widest));
  node.append(svgElement("rect.card-strip", { x, y, width: 6, height: card.height, rx: 3 }));
  if (open) {
    const strokes = card.rows.filter((row) => row.y >= height).map((row) => {
      const length = Math.min(width - 34, textWidth(row.label));
      return `M${x + 18} ${y + row.y + CARD.row / 2}h${Math.round(length)}`;
    });
    node.append(svgElement("path.card-lines", { d: strokes.join("") }));
  }
  const first = y + height / 2 + size * 0.36 - ((lines.length - 1) * size * 1.12) / 2;
  lines.forEach((line, at) => {
    const text = fittedText(line, (room * 13) / size, true);
    node.append(svgElement("text.card-large", { x: x + 15, y: first + at * size * 1.12, "font-size": size }, text));
  });
}

/**
 * @param {SVGGElement} node
 * @param {Card} card
 */
function drawProcess(node, card) {
  const { x, y } = card;
  const label = card.caption ? `${card.title} · ${card.caption}` : card.title;
  node.append(
    svgElement("path.card-icon", { d: iconOf("process"), transform: `translate(${x + 10},${y + card.height / 2 - 7})` }),
    svgElement("text.card-process", { x: x + 28, y: y + card.height / 2 + 4 }, fittedText(label, card.width - 40)),
  );
}

/**
 * @param {SVGGElement} node
 * @param {Card} card
 */
function drawFull(node, card) {
  const { x, y } = card;
  const open = card.rows.length > 0;
  node.append(
    svgElement("path.card-head", { d: headPath(card, open ? CARD.header : card.height, !open) }),
    svgElement("path.card-icon", { d: iconOf(card.kind), transform: `translate(${x + 12},${y + 14})` }),
    svgElement("text.card-caption", { x: x + 34, y: y + 16 }, fittedText(card.caption, card.width - 44)),
    drawTitle(card),
  );
  if (card.tags.length > 0) {
    const text = card.tags.join(", ");
    node.append(svgElement("text.card-tag", { x: x + card.width - 10, y: y + 16, "text-anchor": "end" }, text));
  }
  if (card.group !== null) {
    node.append(svgElement("text.card-hint", { x: x + 34, y: y + 51 }, "open to see its tables"));
  }
  for (const row of card.rows) node.append(drawRow(card, row));
  drawTools(node, card);
}

/**
 * The title from near: in one line where there is room for it, else in two.
 * @param {Card} card
 */
function drawTitle(card) {
  const room = card.width - (card.columns === null ? 44 : 58);
  const [x, y] = [card.x + 34, card.y + 32];
  const lines = card.rows.length > 0 || card.group !== null || textWidth(card.title, true) <= room ? [card.title] : card.lines;
  if (lines.length === 1) return svgElement("text.card-title", { x, y }, fittedText(lines[0], room, true));
  const pieces = lines.map((line, at) => svgElement("tspan", { x, y: y + 15 * at }, fittedText(line, room, true)));
  return svgElement("text.card-title", {}, ...pieces);
}

/**
 * The upper part of a card, which carries the colour of its kind.
 * @param {Card} card
 * @param {number} height
 * @param {boolean} closed
 */
function headPath({ x, y, width }, height, closed) {
  const r = 7;
  const bottom = closed ? `v${height - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - width}q${-r} 0 ${-r} ${-r}` : `v${height - r}h${-width}`;
  return `M${x} ${y + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}${bottom}Z`;
}

/**
 * @param {Card} card
 * @param {Row} row
 */
function drawRow(card, row) {
  const [x, y] = [card.x, card.y + row.y];
  const node = svgElement(`g.row${row.system ? ".row-system" : ""}${row.connected ? ".row-connected" : ""}`, {
    "data-row": row.key,
  });
  node.append(
    svgElement("rect.row-box", { x: x + 4, y, width: card.width - 8, height: CARD.row, rx: 4 }),
    svgElement("text.row-label", { x: x + 16, y: y + 15 }, fittedText(row.label, card.width - 28)),
  );
  if (row.more > 0) node.classList.add("row-more");
  return node;
}

/**
 * Whether a card stands there in a detail.
 * @param {Detail} detail
 * @param {SVGGElement | undefined} node
 */
export function isDrawnIn(detail, node) {
  return node?.classList.contains(`detail-${detail}`) ?? false;
}
