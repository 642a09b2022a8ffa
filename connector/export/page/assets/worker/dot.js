// The layout of Graphviz: a picture as text for `dot`, and what it answers.

import { folded, gapsOf, placeColumns, placeLonely } from "../js/columns.js";
import { flowOf } from "../js/flow.js";

/**
 * @import { Arrangement, Pair, Room, Size } from "../js/flow.js"
 * @import { Graphviz } from "../vendor/graphviz.js"
 */

/** Points in an inch, in which Graphviz counts; a point is one unit of the page's world. */
const INCH = 72;
/** Up to as many cards Graphviz also says where lines pass; several ways to stagger are tried up to as many. */
const WITH_LANES = 700;
const WITH_TRIALS = 320;
/** How far cards with one neighbour may be staggered. */
const STAGGERS = [0, 2, 4];

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
  const trials = inside.size <= WITH_TRIALS && !boxed ? STAGGERS : [0];
  let best = null;
  for (const stagger of trials) {
    const text = dotText(cards, inside, forward, against, links, stagger, room);
    const answer = readPlain(graphviz.dot(text, "plain"));
    const zoom = Math.min(room.width / answer.width, room.height / answer.height);
    if (best === null || zoom > best.zoom * 1.04) best = { answer, zoom };
  }
  return arrangementOf(cards, pairs, lonely, best.answer, room, boxed);
}

function dotText(cards, inside, forward, against, links, stagger, room) {
  const gaps = gapsOf(cards, room);
  const lanes = inside.size <= WITH_LANES;
  const text = [
    `digraph { rankdir=LR; nodesep=${inches(gaps.card)}; ranksep=${inches(gaps.layer)}; splines=${lanes ? "polyline" : '""'};`,
    `mclimit=${lanes ? 1 : 0.3}; nslimit=4; nslimit1=4; outputorder=nodesfirst; node [shape=box, fixedsize=true, label=""];`,
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
    text.push(`${pair.from} -> ${pair.to} [weight=${weightOf(pair)}, tailport=e, headport=w${length > 1 ? `, minlen=${length}` : ""}];`);
  }
  for (const pair of against) text.push(`${pair.from} -> ${pair.to} [constraint=false, weight=0];`);
  const near = links.filter((pair) => inside.has(pair.from) && inside.has(pair.to));
  if (lanes && near.length <= 400) {
    for (const pair of near) text.push(`${pair.from} -> ${pair.to} [constraint=false, weight=0, dir=none];`);
  }
  text.push("}");
  return text.join("\n");
}

function inches(points) {
  return (points / INCH).toFixed(3);
}

function weightOf({ rank, weight }) {
  return rank === "data" ? 2 + Math.min(6, weight) : 1;
}

/** Of the cards at either end that have the same neighbours, each stands a little further away than the one before. */
function staggered(forward, most) {
  const [into, outOf] = [new Map(), new Map()];
  for (const pair of forward) {
    into.set(pair.to, [...(into.get(pair.to) ?? []), pair]);
    outOf.set(pair.from, [...(outOf.get(pair.from) ?? []), pair]);
  }
  const [seen, lengths] = [new Map(), new Map()];
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

/** Nodes, edges and size out of Graphviz's plain format, in points with the y axis pointing down. */
function readPlain(text) {
  const [nodes, edges] = [new Map(), []];
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

/** Corners, columns and lanes; where layers are much too tall, folded. */
function arrangementOf(cards, pairs, lonely, answer, room, boxed) {
  const layers = layersOfPlain(answer.nodes);
  const turned = layers.map((layer) => layer.nodes);
  const foldedLayers = boxed ? turned : folded(turned, cards, room);
  if (foldedLayers !== turned) return placeColumns(cards, foldedLayers, lonely, room);
  /** @type {[number, number][]} */
  const positions = cards.map(() => [0, 0]);
  const columns = cards.map(() => -1);
  layers.forEach((layer, column) => {
    for (const node of layer.nodes) {
      const [x, y] = answer.nodes.get(node);
      positions[node] = [Math.round(x - cards[node].width / 2), Math.round(y - cards[node].height / 2)];
      columns[node] = column;
    }
  });
  placeLonely(cards, lonely, positions, answer.height + 3 * gapsOf(cards, room).card, Math.max(answer.width, 1200), room);
  return { positions, columns, lanes: lanesOf(pairs, columns, layers, answer.edges) };
}

/** Graphviz puts the cards of a layer below each other: what has one middle is one layer. */
function layersOfPlain(nodes) {
  const sorted = [...nodes].sort((one, other) => one[1][0] - other[1][0]);
  const layers = [];
  for (const [node, [x]] of sorted) {
    const last = layers[layers.length - 1];
    if (last !== undefined && x - last.x < 3) last.nodes.push(node);
    else layers.push({ x, nodes: [node] });
  }
  for (const layer of layers) layer.nodes.sort((one, other) => nodes.get(one)[1] - nodes.get(other)[1]);
  return layers;
}

/** The height at which each line passes the columns between its ends. */
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

/** How high a line is at a place between left and right. */
function heightAt(points, x) {
  for (let at = 0; at + 1 < points.length; at += 1) {
    const [[x1, y1], [x2, y2]] = [points[at], points[at + 1]];
    if ((x1 <= x && x <= x2) || (x2 <= x && x <= x1)) return x1 === x2 ? y1 : y1 + ((y2 - y1) * (x - x1)) / (x2 - x1);
  }
  return points[Math.floor(points.length / 2)][1];
}
