// Asks the worker where the cards stand.

import { boxesOf } from "./boxes.js";
import { byId } from "./elements.js";
import { layeredArrangement } from "./layered.js";
import { getOrAdd } from "./maps.js";
import { linkColumns } from "./routes.js";

/**
 * @import { Pair, Room, Size } from "./flow.js"
 * @import { Scene, Wire } from "./scene.js"
 */

/** The ways of more lines than this are worked out only where they are drawn. */
const MOST_ROUTED = 3000;

export class Layout {
  /** @type {Worker | null | undefined} null before it is started, undefined where there is none */
  #worker = null;
  #waiting = new Map();
  #count = 0;

  constructor() {
    // It takes a moment to load Graphviz; meanwhile the page reads its data.
    this.#start();
  }

  /**
   * Give every card of a scene its place, and the scene the columns between which its lines run.
   * @param {Scene} scene
   * @param {Room} room
   * @returns {Promise<void>}
   */
  async arrange(scene, room) {
    const boxes = new Map();
    const cards = scene.cards.map(({ width, height, box }) => ({
      width,
      height,
      box: box === null ? -1 : getOrAdd(boxes, box, () => boxes.size),
    }));
    const { pairs, keys } = pairsOf(scene);
    const { positions, columns, lanes } = await this.#ask(cards, pairs, room);
    scene.cards.forEach((card, at) => {
      [card.x, card.y] = positions[at];
      card.column = null;
    });
    linkColumns(scene, columns);
    scene.lanes = new Map(Object.entries(lanes).map(([at, heights]) => [keys[Number(at)], heights]));
    const rough = scene.wires.length > MOST_ROUTED;
    for (const wire of scene.wires) {
      wire.lanes = scene.lanes.get(pairKey(wire));
      wire.rough = rough;
    }
    scene.boxes = boxesOf(scene.cards);
  }

  /**
   * @param {Size[]} cards
   * @param {Pair[]} pairs
   * @param {Room} room
   */
  #ask(cards, pairs, room) {
    const worker = this.#start();
    if (worker === null) return Promise.resolve(layeredArrangement(cards, pairs, room));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve) => {
      this.#waiting.set(id, { resolve, cards, pairs, room });
      worker.postMessage({ id, cards, pairs, room });
    });
  }

  /** The worker, or null where the page has none or the browser does not allow one. */
  #start() {
    if (this.#worker !== null) return this.#worker ?? null;
    const text = byId("layout-worker").textContent;
    if (text.trim() === "") {
      this.#worker = undefined;
      return null;
    }
    let worker;
    try {
      const source = new Blob([text], { type: "text/javascript" });
      worker = new Worker(URL.createObjectURL(source));
    } catch {
      this.#worker = undefined;
      return null;
    }
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      this.#waiting.get(data.id)?.resolve(data.arrangement);
      this.#waiting.delete(data.id);
    };
    worker.onerror = () => this.#giveUp();
    return worker;
  }

  /** Whatever the worker still owes is worked out here. */
  #giveUp() {
    this.#worker = undefined;
    for (const { resolve, cards, pairs, room } of this.#waiting.values()) resolve(layeredArrangement(cards, pairs, room));
    this.#waiting.clear();
  }
}

/**
 * The cards that lines connect, each pair once, and the pairs' keys in the same order.
 * @param {Scene} scene
 * @returns {{pairs: Pair[], keys: string[]}}
 */
function pairsOf(scene) {
  const numbers = new Map(scene.cards.map((card, at) => [card, at]));
  const ranks = ["link", "impact", "data"];
  /** @type {Map<string, Pair>} */
  const pairs = new Map();
  for (const wire of scene.wires) {
    if (wire.from === wire.to) continue;
    // A join has no direction, and would only push the tables it connects apart.
    const rank = wire.type === "join" || wire.type === "er" ? "link" : wire.type === "fdr" ? "impact" : "data";
    const pair = getOrAdd(pairs, pairKey(wire), () => ({ from: numbers.get(wire.from), to: numbers.get(wire.to), weight: 0, rank }));
    pair.weight += 1;
    if (ranks.indexOf(rank) > ranks.indexOf(pair.rank)) pair.rank = rank;
  }
  return { pairs: [...pairs.values()], keys: [...pairs.keys()] };
}

/** @param {Wire} wire */
function pairKey({ from, to }) {
  return `${from.key}>${to.key}`;
}
