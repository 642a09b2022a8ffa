// Asks the worker where the cards stand.

class Layout {
  #worker = null;
  #waiting = new Map();
  #count = 0;

  /**
   * Give every card of a scene its place.
   * @param {Scene} scene
   * @returns {Promise<void>}
   */
  async arrange(scene) {
    const cards = scene.cards.map(({ key, width, height }) => ({ key, width, height }));
    const numbers = new Map(scene.cards.map((card, at) => [card, at]));
    const pairs = new Map();
    for (const wire of scene.wires) {
      // A join has no direction, and would only push the tables it connects apart.
      if (wire.from === wire.to || wire.type === "join" || wire.type === "er") continue;
      const pair = [numbers.get(wire.from), numbers.get(wire.to)];
      pairs.set(pair.join(), pair);
    }
    const positions = await this.#ask(cards, [...pairs.values()]);
    scene.cards.forEach((card, at) => {
      [card.x, card.y] = positions[at];
    });
  }

  #ask(cards, pairs) {
    const worker = this.#start();
    if (worker === null) return Promise.resolve(layeredPositions(cards, pairs));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve) => {
      this.#waiting.set(id, { resolve, cards, pairs });
      worker.postMessage({ id, cards, pairs });
    });
  }

  /** The worker, or null where the browser does not allow one. */
  #start() {
    if (this.#worker !== null) return this.#worker ?? null;
    try {
      const source = new Blob([byId("layout-worker").textContent], { type: "text/javascript" });
      this.#worker = new Worker(URL.createObjectURL(source));
    } catch {
      this.#worker = undefined;
      return null;
    }
    this.#worker.onmessage = ({ data }) => {
      this.#waiting.get(data.id)?.resolve(data.positions);
      this.#waiting.delete(data.id);
    };
    this.#worker.onerror = () => this.#giveUp();
    return this.#worker;
  }

  /** Whatever the worker still owes is worked out here. */
  #giveUp() {
    this.#worker = undefined;
    for (const { resolve, cards, pairs } of this.#waiting.values()) resolve(layeredPositions(cards, pairs));
    this.#waiting.clear();
  }
}
