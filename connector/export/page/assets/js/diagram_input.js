// What people do with the picture: point at it, choose in it, drag its cards, and all of that with keys.

import { isFloating } from "./viewport.js";
import { wireMiddle } from "./wires.js";

/**
 * @import { Diagram } from "./diagram.js"
 * @import { Column, Entity, Process } from "./document.js"
 * @import { Card, Row, Wire } from "./scene.js"
 */

/**
 * @typedef {{onThing(thing: Column | Entity | Process | null): void, onWire(wire: Wire): void,
 *            onGrow(card: Card, way: "up" | "down"): void, onToggle(card: Card): void, onGroup(group: string): void, onMore(card: Card): void, onHover(what: any, event: PointerEvent): void,
 *            onMoved(card: Card): void, onSight(): void}} DiagramListener
 */

export class DiagramInput {
  /** @type {string | null} */
  #hovered = null;
  /** @type {"from" | "to" | null} the side of the card whose lines somebody goes through with the keyboard */
  #side = null;

  /**
   * @param {Diagram} diagram
   * @param {DiagramListener} listener
   */
  constructor(diagram, listener) {
    this.diagram = diagram;
    this.listener = listener;
    const { frame, svg, viewport } = diagram;
    viewport.grab = (event) => this.#grab(event);
    frame.addEventListener("click", (event) => this.#click(event));
    frame.addEventListener("dblclick", (event) => {
      const card = this.#cardAt(event.target);
      if (card?.group) listener.onGroup(card.group);
    });
    frame.addEventListener("pointermove", (event) => this.#hover(event));
    frame.addEventListener("pointerleave", (event) => this.#leave(event));
    frame.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focusin", (event) => {
      const card = this.#cardAt(event.target);
      if (card && diagram.moving && svg.querySelector(":focus-visible") !== null) diagram.reveal(card.key);
    });
  }

  /** @param {EventTarget | null} target */
  #cardAt(target) {
    const node = target instanceof Element ? target.closest("[data-card]") : null;
    return node === null ? null : (this.diagram.cards.get(node.getAttribute("data-card") ?? "") ?? null);
  }

  /**
   * What stands at an element of the picture: a wire, a row, a card.
   * @param {EventTarget | null} target
   */
  #whatIs(target) {
    if (!(target instanceof Element)) return null;
    const wire = target.closest("[data-wire]");
    if (wire !== null) return { wire: this.diagram.wires.get(wire.getAttribute("data-wire") ?? "") };
    const card = this.#cardAt(target);
    if (card === null) return null;
    const key = target.closest("[data-row]")?.getAttribute("data-row") ?? null;
    return { card, row: key === null ? null : (card.rows.find((row) => row.key === key) ?? null) };
  }

  /** @param {MouseEvent & {target: any}} event */
  #click(event) {
    if (this.diagram.viewport.dragged || isFloating(event)) return;
    const what = this.#whatIs(event.target);
    const tool = event.target.closest?.(".card-tool");
    if (tool && what?.card) this.#useTool(tool.dataset, what.card);
    else if (what === null) this.listener.onThing(null);
    else if (what.wire) this.listener.onWire(what.wire);
    else if (what.card) this.#choose(what.card, what.row ?? null);
  }

  /**
   * @param {DOMStringMap} tool
   * @param {Card} card
   */
  #useTool({ grow, toggle }, card) {
    if (grow !== undefined) this.listener.onGrow(card, grow === "up" ? "up" : "down");
    else if (toggle !== undefined) this.listener.onToggle(card);
  }

  /**
   * @param {Card} card
   * @param {Row | null} row
   */
  #choose(card, row) {
    if (card.group !== null) this.listener.onGroup(card.group);
    else if (row?.more) this.listener.onMore(card);
    else this.listener.onThing(row?.node ? (this.diagram.graph?.thing(row.node) ?? null) : (card.entity ?? card.process));
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    if (event.pointerType === "touch" || this.diagram.viewport.dragged) return;
    const what = isFloating(event) ? null : this.#whatIs(event.target);
    const key = what === null ? null : (what.wire?.key ?? what.row?.key ?? what.card?.key ?? null);
    if (key === this.#hovered) return;
    this.#hovered = key;
    this.listener.onHover(what, event);
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    this.#hovered = null;
    this.listener.onHover(null, event);
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    const card = this.#cardAt(event.target);
    if (card === null) return null;
    const touching = this.diagram.scene.wires.filter((wire) => wire.from === card || wire.to === card);
    return {
      move: (/** @type {number} */ dx, /** @type {number} */ dy) => this.diagram.moveCard(card, touching, dx, dy),
      end: () => {
        this.diagram.cardMoved();
        this.listener.onMoved(card);
      },
    };
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isFloating(event)) return;
    const { wire, card } = this.#whatIs(event.target) ?? {};
    if ((wire && this.#wireKey(event.key, wire)) || (card && this.#cardKey(event.key, card, event.shiftKey))) {
      event.preventDefault();
      return;
    }
    const step = 80;
    /** @type {Record<string, [number, number]>} */
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key in moves) this.diagram.viewport.pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.diagram.viewport.zoomAt(1.25);
    else if (event.key === "-") this.diagram.viewport.zoomAt(0.8);
    else if (event.key === "0" || event.key === "f") this.diagram.fit(true);
    else return;
    event.preventDefault();
  }

  /**
   * On a line: Enter chooses it, up and down go to the other lines of its card, left and right to its ends.
   * @param {string} key
   * @param {Wire} wire
   */
  #wireKey(key, wire) {
    if (key === "Enter" || key === " ") this.listener.onWire(wire);
    else if (key === "ArrowLeft" || key === "ArrowRight") this.diagram.focusCard(wire[key === "ArrowLeft" ? "from" : "to"].key);
    else if (key === "ArrowUp" || key === "ArrowDown") {
      const side = this.#side ?? "from";
      const wires = this.#wiresOf(wire[side], side);
      const at = wires.indexOf(wire) + (key === "ArrowDown" ? 1 : -1);
      this.diagram.focusWire(wires[(at + wires.length) % wires.length]);
    } else return false;
    return true;
  }

  /**
   * The lines that leave a card or arrive at it, from top to bottom.
   * @param {Card} card
   * @param {"from" | "to"} side
   */
  #wiresOf(card, side) {
    const wires = this.diagram.scene.wires.filter((wire) => wire[side] === card);
    return wires.sort((one, other) => wireMiddle(one).y - wireMiddle(other).y);
  }

  /**
   * On a card: Enter chooses it, up and down go through its rows, left and right to its neighbours, and with Shift to the
   * lines between them.
   * @param {string} key
   * @param {Card} card
   * @param {boolean} shift
   */
  #cardKey(key, card, shift) {
    const way = key === "u" ? "up" : key === "d" ? "down" : undefined;
    if (way !== undefined && card.hidden[way]) {
      this.listener.onGrow(card, way);
      return true;
    }
    if (key === "c" && card.columns !== null) {
      this.listener.onToggle(card);
      return true;
    }
    if (shift && (key === "ArrowLeft" || key === "ArrowRight")) {
      this.#side = key === "ArrowLeft" ? "to" : "from";
      const [first] = this.#wiresOf(card, this.#side);
      if (first !== undefined) this.diagram.focusWire(first);
      return true;
    }
    if (key === "Enter" || key === " ") {
      this.#choose(card, null);
      return true;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      const rows = card.rows.filter((row) => row.node !== null);
      if (rows.length === 0) return false;
      const at = rows.findIndex((row) => this.diagram.trace?.seeds.size === 1 && this.diagram.trace.seeds.has(row.node ?? ""));
      const next = at < 0 ? (key === "ArrowDown" ? 0 : rows.length - 1) : at + (key === "ArrowDown" ? 1 : -1);
      const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
      this.listener.onThing(this.diagram.graph?.thing(row.node ?? "") ?? null);
      this.diagram.focusCard(card.key);
      return true;
    }
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const [own, other] = key === "ArrowLeft" ? /** @type {const} */ (["to", "from"]) : /** @type {const} */ (["from", "to"]);
      const wire = this.diagram.scene.wires.find((each) => each[own] === card && each[other] !== card);
      if (wire === undefined) return false;
      this.diagram.focusCard(wire[other].key);
      return true;
    }
    return false;
  }
}
