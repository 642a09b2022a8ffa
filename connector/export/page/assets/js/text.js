// Text on cards: how wide it is, where a name is broken, and what is left out of one that is too long.

import { contextOf } from "./elements.js";

/** @type {Map<string, number>} */
const TEXT_WIDTHS = new Map();
/** @type {CanvasRenderingContext2D | null} */
let measuring = null;

/**
 * How wide a text is in the cards' fonts.
 * @param {string} text
 * @param {boolean} bold
 */
export function textWidth(text, bold = false) {
  const key = bold ? `!${text}` : text;
  let width = TEXT_WIDTHS.get(key);
  if (width === undefined) {
    measuring ??= contextOf(document.createElement("canvas"));
    measuring.font = `${bold ? "600 13px" : "12px"} ${FONT_FAMILY}`;
    width = measuring.measureText(text).width;
    TEXT_WIDTHS.set(key, width);
  }
  return width;
}

const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif';

/**
 * The text as far as it fits. The middle is left out: names and paths differ at their ends more often than in between.
 * @param {string} text
 * @param {number} width
 * @param {boolean} bold
 */
export function fittedText(text, width, bold = false) {
  if (text.length > 400) text = `${text.slice(0, 160)}…${text.slice(-240)}`;
  if (textWidth(text, bold) <= width) return text;
  /** @param {number} kept */
  const cut = (kept) => `${text.slice(0, Math.floor(kept * 0.4))}…${text.slice(text.length - Math.ceil(kept * 0.6))}`;
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(cut(middle), bold) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

/** Where a name may be broken: behind a separator, and before the capital of a further word. */
const BREAKS = /(?<=[_./\s:-])(?=[^_./\s:-])|(?<=[a-z0-9])(?=[A-Z])/g;

/**
 * A name in one line, or in two of which the longer one is as short as possible.
 * @param {string} text
 * @param {number} least  a name that is not wider than this stays in one line
 * @returns {string[]}
 */
export function titleLines(text, least) {
  if (text.length > 200 || textWidth(text, true) <= least) return [text];
  let best = [text];
  let width = textWidth(text, true);
  for (const { index } of text.matchAll(BREAKS)) {
    const lines = [text.slice(0, index), text.slice(index)];
    const widest = Math.max(...lines.map((line) => textWidth(line, true)));
    if (widest < width) [best, width] = [lines, widest];
  }
  return best;
}
