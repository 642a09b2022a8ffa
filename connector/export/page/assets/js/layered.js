// A layered layout whose cost grows with the number of lines and no faster, for pictures that are too large for Graphviz.

import { folded, placeColumns } from "./columns.js";
import { flowOf } from "./flow.js";

/**
 * @import { Arrangement, Pair, Room, Size } from "./flow.js"
 */

/**
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Room} room
 * @returns {Arrangement}
 */
export function layeredArrangement(cards, pairs, room) {
  const { forward } = flowOf(cards.length, pairs);
  /** @type {number[][][]} */
  const [outgoing, incoming] = [cards.map(() => []), cards.map(() => [])];
  for (const { from, to } of forward) {
    outgoing[from].push(to);
    incoming[to].push(from);
  }
  const layerOf = narrowed(layersOf(cards.length, outgoing, incoming));
  /** @type {number[]} */
  const lonely = [];
  /** @type {number[][]} */
  const layers = [];
  cards.forEach((_, at) => {
    if (outgoing[at].length === 0 && incoming[at].length === 0) lonely.push(at);
    else (layers[layerOf[at]] ??= []).push(at);
  });
  const filled = layers.filter((layer) => layer !== undefined);
  orderLayers(filled, incoming, outgoing);
  return placeColumns(cards, folded(filled, cards, room), lonely, room);
}

/**
 * The longest way from the left; what only feeds others then moves next to the first of them.
 * @param {number} count
 * @param {number[][]} outgoing
 * @param {number[][]} incoming
 */
export function layersOf(count, outgoing, incoming) {
  const layer = new Int32Array(count);
  const waiting = incoming.map((sources) => sources.length);
  const order = [];
  for (let at = 0; at < count; at += 1) if (waiting[at] === 0) order.push(at);
  for (let at = 0; at < order.length; at += 1) {
    for (const next of outgoing[order[at]]) {
      layer[next] = Math.max(layer[next], layer[order[at]] + 1);
      waiting[next] -= 1;
      if (waiting[next] === 0) order.push(next);
    }
  }
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const node = order[at];
    if (incoming[node].length === 0 && outgoing[node].length > 0) {
      let nearest = Infinity;
      for (const next of outgoing[node]) nearest = Math.min(nearest, layer[next]);
      layer[node] = nearest - 1;
    }
  }
  return layer;
}

/**
 * Where everything is connected to everything the longest way makes a band that nobody can read: its layers are put
 * together until the picture is about as high as wide.
 * @param {Int32Array} layerOf
 */
function narrowed(layerOf) {
  const count = layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0);
  const most = Math.max(5, Math.ceil(0.9 * Math.sqrt(layerOf.length)));
  return count <= most ? layerOf : layerOf.map((layer) => Math.floor((layer * most) / count));
}

/**
 * A few sweeps that put each card near the middle of its neighbours.
 * @param {number[][]} layers
 * @param {number[][]} incoming
 * @param {number[][]} outgoing
 */
function orderLayers(layers, incoming, outgoing) {
  /** @type {Map<number, number>} */
  const place = new Map();
  /** @param {number[]} layer */
  const remember = (layer) => layer.forEach((node, at) => place.set(node, (at + 0.5) / layer.length));
  layers.forEach(remember);
  /** @param {number[]} layer @param {number[][]} neighbours */
  const arrange = (layer, neighbours) => {
    /** @type {Map<number, number>} */
    const weight = new Map();
    for (const node of layer) {
      const others = neighbours[node];
      let sum = 0;
      for (const other of others) sum += place.get(other) ?? 0.5;
      weight.set(node, others.length > 0 ? sum / others.length : (place.get(node) ?? 0.5));
    }
    layer.sort((one, other) => (weight.get(one) ?? 0) - (weight.get(other) ?? 0));
    remember(layer);
  };
  for (let sweep = 0; sweep < 4; sweep += 1) {
    for (let at = 1; at < layers.length; at += 1) arrange(layers[at], incoming);
    for (let at = layers.length - 2; at >= 0; at -= 1) arrange(layers[at], outgoing);
  }
}
