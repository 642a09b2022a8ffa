// The layout of Graphviz: a picture as text for `dot`, and what it answers.

import { folded, gapsOf, placeColumns, placeLonely } from "../js/columns.js";
import { flowOf } from "../js/flow.js";
import { countCrossings, settleHeights } from "./heights.js";

/**
 * @import { Arrangement, Pair, Room, Size } from "../js/flow.js"
 * @import { Graphviz } from "../vendor/graphviz.js"
 */

/**
 * @typedef {{x: number, nodes: number[]}} Layer  cards below each other, and their middle
 * @typedef {{from: number, to: number, points: number[][]}} Line
 * @typedef {{nodes: Map<number, [number, number]>, edges: Line[], width: number, height: number}} Answer  of Graphviz, in points
 * @typedef {Arrangement & {height: number, crossings: number}} Drawing
 */

/** Points in an inch, in which Graphviz counts; a point is one unit of the page's world. */
const INCH = 72;
/** Up to as many cards Graphviz also says where lines pass; several ways to draw are compared up to as many. */
const WITH_LANES = 700;
const WITH_TRIALS = 320;
/** What is tried: how far cards with one neighbour are staggered, and whether lines count from the sides of cards. */
const TRIALS = [0, 2, 4].flatMap((stagger) => [true, false].map((ports) => ({ stagger, ports })));
/** Where lines of their own would make folded columns higher than this, the lines find their way between the cards. */
const HIGHER = 1.3;

/**
 * @param {Graphviz} graphviz
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Room} room
 * @returns {Arrangement}
 */
export function dotArrangement(graphviz, cards, pairs, room) {
  const { forward, against } = flowOf(cards.length, pairs);
  const links = pairs.filter((pair) => pair.rank === "link" && pair.from !== pair.to);
  const linked = new Set([...forward, ...against].flatMap(({ from, to }) => [from, to]));
  const lonely = cards.map((_, at) => at).filter((at) => !linked.has(at) && cards[at].box < 0);
  const inside = new Set(cards.map((_, at) => at).filter((at) => linked.has(at) || cards[at].box >= 0));
  if (inside.size === 0) return placeColumns(cards, [], lonely, room);
  const boxed = cards.some((card) => card.box >= 0);
  const trials = inside.size <= WITH_TRIALS && !boxed ? TRIALS : TRIALS.slice(0, 1);
  const answers = trials.map((trial) => {
    const text = dotText(cards, inside, forward, against, links, trial, room);
    return arrangementOf(cards, pairs, readPlain(graphviz.dot(text, "plain")), room, boxed);
  });
  const best = answers.reduce((one, other) => (costOf(other, cards, pairs, room) < costOf(one, cards, pairs, room) ? other : one));
  const { positions, columns, lanes, height } = best;
  const width = Math.max(1200, ...positions.map(([x], at) => x + cards[at].width));
  placeLonely(cards, lonely, positions, height + (inside.size > 0 ? 3 * gapsOf(cards, room).card : 0), width, room);
  return { positions, columns, lanes };
}

/**
 * A picture is read the better, the fewer lines cross, the larger it is shown and the shorter its lines are.
 * @param {Drawing} drawing
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Room} room
 */
function costOf({ positions, columns, height, crossings }, cards, pairs, room) {
  const width = Math.max(1, ...positions.map(([x], at) => x + cards[at].width));
  /** @param {number} at */
  const middle = (at) => positions[at][1] + cards[at].height / 2;
  const length = pairs.reduce((sum, { from, to }) => sum + Math.abs(middle(from) - middle(to)) + 200 * Math.abs(columns[from] - columns[to]), 1);
  return ((crossings + 20) * Math.sqrt(length)) / Math.min(room.width / width, room.height / Math.max(1, height), 1);
}

/**
 * @param {Size[]} cards
 * @param {Set<number>} inside  those that Graphviz is told of
 * @param {Pair[]} forward
 * @param {Pair[]} against
 * @param {Pair[]} links
 * @param {{stagger: number, ports: boolean}} trial
 * @param {Room} room
 */
function dotText(cards, inside, forward, against, links, { stagger, ports }, room) {
  const gaps = gapsOf(cards, room);
  const lanes = inside.size <= WITH_LANES;
  const text = [
    `digraph { rankdir=LR; nodesep=${inches(gaps.card)}; ranksep=${inches(gaps.layer)}; splines=${lanes ? "polyline" : '""'};`,
    `mclimit=${inside.size <= WITH_TRIALS ? 40 : lanes ? 1 : 0.3}; nslimit=4; nslimit1=4; outputorder=nodesfirst; node [shape=box, fixedsize=true, label=""];`,
  ];
  /** @type {Map<number, number[]>} */
  const boxes = new Map();
  for (const at of inside) {
    text.push(`${at} [width=${inches(cards[at].width)}, height=${inches(cards[at].height)}];`);
    if (cards[at].box >= 0) boxes.set(cards[at].box, [...(boxes.get(cards[at].box) ?? []), at]);
  }
  for (const [box, members] of boxes) {
    text.push(`subgraph cluster_${box} { margin=20; label="x"; fontsize=24; ${members.join("; ")}; }`);
  }
  const lengths = stagger === 0 ? new Map() : staggered(forward, stagger);
  for (const pair of forward) {
    const length = lengths.get(pair) ?? 1;
    const sides = ports ? ", tailport=e, headport=w" : "";
    text.push(`${pair.from} -> ${pair.to} [weight=${weightOf(pair)}${sides}, minlen=${length}];`);
  }
  for (const pair of against) text.push(`${pair.from} -> ${pair.to} [constraint=false, weight=0];`);
  const near = links.filter((pair) => inside.has(pair.from) && inside.has(pair.to));
  if (lanes && near.length <= 400) {
    for (const pair of near) text.push(`${pair.from} -> ${pair.to} [constraint=false, weight=0, dir=none];`);
  }
  text.push("}");
  return text.join("\n");
}

/** @param {number} points */
function inches(points) {
  return (points / INCH).toFixed(3);
}

/** @param {Pair} pair */
function weightOf({ rank, weight }) {
  return rank === "data" ? 2 + Math.min(6, weight) : 1;
}

/**
 * Of the cards at either end that have the same neighbours, each stands a little further away than the one before.
 * @param {Pair[]} forward
 * @param {number} most
 */
function staggered(forward, most) {
  /** @type {Map<number, Pair[]>[]} */
  const [into, outOf] = [new Map(), new Map()];
  for (const pair of forward) {
    into.set(pair.to, [...(into.get(pair.to) ?? []), pair]);
    outOf.set(pair.from, [...(outOf.get(pair.from) ?? []), pair]);
  }
  const [seen, lengths] = [new Map(), new Map()];
  /** @param {Map<number, Pair[]>} sides @param {Map<number, Pair[]>} others @param {"from" | "to"} end */
  const stagger = (sides, others, end) => {
    for (const [node, pairs] of sides) {
      if (others.has(node)) continue;
      const neighbours = `${end}${pairs.map((pair) => pair[end]).sort().join()}`;
      const at = seen.get(neighbours) ?? 0;
      seen.set(neighbours, at + 1);
      for (const pair of pairs) lengths.set(pair, 1 + (at % most));
    }
  };
  stagger(outOf, into, "to");
  stagger(into, outOf, "from");
  return lengths;
}

/**
 * Nodes, edges and size out of Graphviz's plain format, in points with the y axis pointing down.
 * @param {string} text
 * @returns {Answer}
 */
function readPlain(text) {
  /** @type {Map<number, [number, number]>} */
  const nodes = new Map();
  /** @type {Line[]} */
  const edges = [];
  let [width, height] = [0, 0];
  // A line may be continued: Graphviz ends those of many points with a backslash.
  for (const line of text.replace(/\\\r?\n/g, "").split("\n")) {
    const words = line.split(" ");
    if (words[0] === "graph") [width, height] = [Number(words[2]) * INCH, Number(words[3]) * INCH];
    else if (words[0] === "node") nodes.set(Number(words[1]), [Number(words[2]) * INCH, height - Number(words[3]) * INCH]);
    else if (words[0] === "edge") {
      const count = Number(words[3]);
      const points = [];
      for (let at = 0; at < count; at += 1) points.push([Number(words[4 + 2 * at]) * INCH, height - Number(words[5 + 2 * at]) * INCH]);
      edges.push({ from: Number(words[1]), to: Number(words[2]), points });
    }
  }
  return { nodes, edges, width, height };
}

/**
 * Corners, columns and lanes of the cards that have lines; where layers are much too tall, folded.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Answer} answer
 * @param {Room} room
 * @param {boolean} boxed
 * @returns {Drawing}
 */
function arrangementOf(cards, pairs, answer, room, boxed) {
  const layers = layersOfPlain(answer.nodes);
  const turned = layers.map((layer) => layer.nodes);
  const foldedLayers = boxed ? turned : folded(turned, cards, room);
  const isFolded = foldedLayers !== turned;
  const drawn = isFolded ? foldedArrangement(cards, pairs, foldedLayers, answer, room) : plainArrangement(cards, pairs, layers, answer);
  const height = Math.max(0, ...drawn.positions.map(([, y], at) => (drawn.columns[at] < 0 ? 0 : y + cards[at].height)));
  const loose = () => ({ ...placeColumns(cards, foldedLayers, [], room), height, crossings: 0 });
  if (boxed || answer.nodes.size > WITH_LANES) return isFolded ? loose() : { ...drawn, height, crossings: 0 };
  if (!isFolded && height * room.width <= answer.width * room.height) return { ...drawn, height, crossings: countCrossings(cards, pairs, drawn) };
  const settled = settleHeights(cards, pairs, drawn, room, gapsOf(cards, room).card);
  return isFolded && settled.height > HIGHER * height ? loose() : settled;
}

/**
 * As Graphviz has drawn it.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Layer[]} layers
 * @param {Answer} answer
 * @returns {Arrangement}
 */
function plainArrangement(cards, pairs, layers, answer) {
  /** @type {[number, number][]} */
  const positions = cards.map(() => [0, 0]);
  const columns = cards.map(() => -1);
  layers.forEach((layer, column) => {
    for (const node of layer.nodes) {
      const [x, y] = answer.nodes.get(node) ?? [0, 0];
      positions[node] = [Math.round(x - cards[node].width / 2), Math.round(y - cards[node].height / 2)];
      columns[node] = column;
    }
  });
  return { positions, columns, lanes: lanesOf(pairs, columns, layers, answer.edges) };
}

/**
 * In folded columns, at the same share of the height as Graphviz has drawn it; lines pass the columns between on the straight way.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {number[][]} foldedLayers
 * @param {Answer} answer
 * @param {Room} room
 * @returns {Arrangement}
 */
function foldedArrangement(cards, pairs, foldedLayers, answer, room) {
  const { positions, columns } = placeColumns(cards, foldedLayers, [], room);
  const height = Math.max(0, ...positions.map(([, y], at) => (columns[at] < 0 ? 0 : y + cards[at].height)));
  const middles = new Map([...answer.nodes].map(([node, [, y]]) => [node, (y * height) / answer.height]));
  for (const [node, y] of middles) positions[node][1] = y - cards[node].height / 2;
  /** @type {Record<number, number[]>} */
  const lanes = {};
  pairs.forEach(({ from, to }, at) => {
    const passed = Math.abs(columns[to] - columns[from]);
    if (passed < 2 || columns[from] < 0 || columns[to] < 0) return;
    const [start, end] = [middles.get(from) ?? 0, middles.get(to) ?? 0];
    lanes[at] = Array.from({ length: passed - 1 }, (_, step) => start + ((end - start) * (step + 1)) / passed);
  });
  return { positions, columns, lanes };
}

/**
 * Graphviz puts the cards of a layer below each other: what has one middle is one layer.
 * @param {Answer["nodes"]} nodes
 * @returns {Layer[]}
 */
function layersOfPlain(nodes) {
  const sorted = [...nodes].sort((one, other) => one[1][0] - other[1][0]);
  /** @type {Layer[]} */
  const layers = [];
  for (const [node, [x]] of sorted) {
    const last = layers[layers.length - 1];
    if (last !== undefined && x - last.x < 3) last.nodes.push(node);
    else layers.push({ x, nodes: [node] });
  }
  /** @param {number} node */
  const heightOf = (node) => nodes.get(node)?.[1] ?? 0;
  for (const layer of layers) layer.nodes.sort((one, other) => heightOf(one) - heightOf(other));
  return layers;
}

/**
 * The height at which each line passes the columns between its ends.
 * @param {Pair[]} pairs
 * @param {number[]} columns  of the cards
 * @param {Layer[]} layers
 * @param {Line[]} edges
 */
function lanesOf(pairs, columns, layers, edges) {
  const pointsOf = new Map(edges.map(({ from, to, points }) => [`${from}>${to}`, points]));
  /** @type {Record<number, number[]>} */
  const lanes = {};
  pairs.forEach(({ from, to }, at) => {
    const points = pointsOf.get(`${from}>${to}`);
    const [start, end] = [columns[from], columns[to]];
    if (points === undefined || Math.abs(end - start) < 2) return;
    const step = Math.sign(end - start);
    const heights = [];
    for (let column = start + step; column !== end; column += step) heights.push(Math.round(heightAt(points, layers[column].x)));
    lanes[at] = heights;
  });
  return lanes;
}

/**
 * How high a line is at a place between left and right.
 * @param {number[][]} points
 * @param {number} x
 */
function heightAt(points, x) {
  for (let at = 0; at + 1 < points.length; at += 1) {
    const [[x1, y1], [x2, y2]] = [points[at], points[at + 1]];
    if ((x1 <= x && x <= x2) || (x2 <= x && x <= x1)) return x1 === x2 ? y1 : y1 + ((y2 - y1) * (x - x1)) / (x2 - x1);
  }
  return points[Math.floor(points.length / 2)][1];
}
