// Colours of SQL text. It need not understand the dialects, only tell words, text, numbers and comments apart.

import { element, visibleText } from "./elements.js";

const SQL_KEYWORDS = new Set(
  `add all alter and any as asc begin between by call case cast check clone column commit connect constraint copy create cross
  cube current cursor database declare default delete desc distinct drop else elseif end escape except exception exec execute
  exists external fetch filter first following for foreign from full function go grant group grouping having if ignore in index
  inner insert intersect interval into is join key lag last lateral lead left like limit load local location loop materialized
  matched merge minus natural not null nulls of offset on only open or order outer over overwrite partition partitioned pivot
  preceding primary procedure qualify range recursive references rename replace respect return returning returns right rollback
  rollup row rows schema select sequence set sets some stage start stored swap table temp temporary then to top transaction
  trigger truncate unbounded union unique unload unpivot update upsert use using values view volatile when where while window
  with within`.split(/\s+/),
);

const SQL_TOKEN =
  /(--[^\n]*|\/\*[^]*?(?:\*\/|$))|('(?:[^']|'')*(?:'|$))|("(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$))|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][A-Za-z0-9_$]*)/g;

const TOKEN_CLASSES = ["comment", "text", "name", "number", "word"];

/**
 * Start, end and class of the pieces that have a colour.
 * @param {string} text
 * @returns {{starts: number[], ends: number[], classes: string[]}}
 */
export function sqlTokens(text) {
  /** @type {number[]} */
  const starts = [];
  /** @type {number[]} */
  const ends = [];
  /** @type {string[]} */
  const classes = [];
  SQL_TOKEN.lastIndex = 0;
  for (let match = SQL_TOKEN.exec(text); match !== null; match = SQL_TOKEN.exec(text)) {
    let at = 1;
    while (match[at] === undefined) at += 1;
    const name = TOKEN_CLASSES[at - 1];
    if (name === "word" && !SQL_KEYWORDS.has(match[0].toLowerCase())) continue;
    starts.push(match.index);
    ends.push(match.index + match[0].length);
    classes.push(name === "word" ? "sql-keyword" : name === "number" ? "sql-digits" : `sql-${name}`);
  }
  return { starts, ends, classes };
}

/**
 * A part of the text as elements: coloured, with marks on it.
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {{starts: number[], ends: number[], classes: string[]}} tokens
 * @param {{start: number, end: number, name: string}[]} marks
 * @returns {DocumentFragment}
 */
export function sqlPieces(text, from, to, tokens, marks) {
  const inside = marks.filter((mark) => mark.start < to && mark.end > from);
  const cuts = new Set([from, to]);
  for (const mark of inside) {
    cuts.add(Math.max(from, mark.start));
    cuts.add(Math.min(to, mark.end));
  }
  let at = firstTokenBehind(tokens.ends, from);
  for (let each = at; each < tokens.starts.length && tokens.starts[each] < to; each += 1) {
    cuts.add(Math.max(from, tokens.starts[each]));
    cuts.add(Math.min(to, tokens.ends[each]));
  }
  const places = [...cuts].sort((one, other) => one - other);
  const pieces = document.createDocumentFragment();
  for (let each = 0; each + 1 < places.length; each += 1) {
    const [start, end] = [places[each], places[each + 1]];
    while (at < tokens.ends.length && tokens.ends[at] <= start) at += 1;
    const names = inside.filter((mark) => mark.start <= start && mark.end >= end).map((mark) => mark.name);
    if (at < tokens.starts.length && tokens.starts[at] <= start) names.push(tokens.classes[at]);
    const piece = text.slice(start, end);
    pieces.append(names.length > 0 ? element(`span.${[...new Set(names)].join(".")}`, {}, piece) : visibleText(piece));
  }
  return pieces;
}

/**
 * @param {ArrayLike<number>} ends
 * @param {number} offset
 */
function firstTokenBehind(ends, offset) {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
