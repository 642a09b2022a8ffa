// Runs beside the page: works out where cards stand while the page stays responsive.

import { flowOf } from "../js/flow.js";
import { layeredArrangement, layersOf } from "../js/layered.js";
import { Graphviz } from "../vendor/graphviz.js";
import { dotArrangement } from "./dot.js";

/**
 * @import { Pair, Room, Size } from "../js/flow.js"
 */

/** Beyond these numbers Graphviz takes many seconds: cards, and places that lines take in the layers that they pass. */
const DOT_CARDS = 2600;
const DOT_PLACES = 9000;
const MOST_PAIRS_OF_CARD = 5;

const graphvizLoaded = Graphviz.load();

/**
 * Whether Graphviz will be quick: what costs most are lines that pass many layers.
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 */
function isForDot(cards, pairs) {
  // Where nearly everything is connected, layers that follow every line are a band that nobody can read.
  if (cards.length > DOT_CARDS || pairs.length > MOST_PAIRS_OF_CARD * Math.max(12, cards.length)) return false;
  const { forward } = flowOf(cards.length, pairs);
  /** @type {number[][][]} */
  const [outgoing, incoming] = [cards.map(() => []), cards.map(() => [])];
  for (const { from, to } of forward) {
    outgoing[from].push(to);
    incoming[to].push(from);
  }
  const layer = layersOf(cards.length, outgoing, incoming);
  const places = forward.reduce((sum, { from, to }) => sum + layer[to] - layer[from], 0);
  return places <= DOT_PLACES;
}

/**
 * @param {Size[]} cards
 * @param {Pair[]} pairs
 * @param {Room} room
 */
async function arrange(cards, pairs, room) {
  if (isForDot(cards, pairs)) {
    try {
      return dotArrangement(await graphvizLoaded, cards, pairs, room);
    } catch {
      // A browser without WebAssembly, or a graph that Graphviz cannot take: the plain layout takes any.
    }
  }
  return layeredArrangement(cards, pairs, room);
}

self.onmessage = async ({ data: { id, cards, pairs, room } }) => {
  self.postMessage({ id, arrangement: await arrange(cards, pairs, room) });
};
