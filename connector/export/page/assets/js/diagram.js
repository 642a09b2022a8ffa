// The picture: draws the part of a scene that is in sight, and lights what is chosen in it.

import { drawBox } from "./boxes.js";
import { detailAt, drawCard, isDrawnIn, isNear, ZOOM_OF_ROWS } from "./cards.js";
import { DiagramInput } from "./diagram_input.js";
import { byId, FrameTask, shift, svgElement, visibleText } from "./elements.js";
import { FarWires } from "./far_wires.js";
import { CARD, emptyScene } from "./scene.js";
import { boundsOf, contains, isGoodFor, Viewport } from "./viewport.js";
import { wireLabels } from "./wire_labels.js";
import { drawWire, wireBox, wireMiddle, wireName, wirePath } from "./wires.js";

/**
 * @import { Detail } from "./cards.js"
 * @import { DiagramListener } from "./diagram_input.js"
 * @import { Card, Scene, Wire } from "./scene.js"
 * @import { LevelGraph, NodeKey, Trace } from "./trace.js"
 * @import { Area } from "./viewport.js"
 */

/** More wires in sight than this are drawn on a canvas, where one cannot point at them; those that are lit still can be. */
const MOST_DRAWN_WIRES = 600;
/** As many cards as a frame takes without holding up the page; further ones are drawn in the frames after it. */
const CARDS_IN_FRAME = 400;
/** On a screen that is not wider than this, a picture opens at a zoom at which its names can be read. */
const NARROW = 600;
const ZOOM_TO_READ = 0.45;

export class Diagram {
  #cardNodes = new Map();
  #wireNodes = new Map();
  /** @type {Area | null} the part of the world that is drawn */
  #drawn = null;
  /** @type {Detail} */
  #detail = "full";
  /** @type {Card[]} those that are in it and not drawn yet, or in another detail */
  #missing = [];

  /**
   * @param {HTMLElement} frame
   * @param {DiagramListener} listener
   */
  constructor(frame, listener) {
    this.frame = frame;
    this.listener = listener;
    /** @type {Scene} */
    this.scene = emptyScene();
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {Map<string, Wire>} */
    this.wires = new Map();
    /** @type {LevelGraph | null} */
    this.graph = null;
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {Wire | null} */
    this.chosenWire = null;
    /** @type {Area | null} the box around all cards, worked out once for each scene */
    this.allBounds = null;
    /** @type {Set<NodeKey>} */
    this.pointed = new Set();
    /** Whether the picture moves to what gets the focus. */
    this.moving = true;
    this.farWires = new FarWires(byId("wires-far"));
    /** @type {SVGSVGElement} */
    this.svg = byId("picture");
    this.world = svgElement("g.world");
    this.wireLayer = svgElement("g.wire-layer");
    this.cardLayer = svgElement("g.card-layer");
    this.boxLayer = svgElement("g.box-layer");
    this.labelLayer = svgElement("g.label-layer", { "aria-hidden": "true" });
    this.world.append(this.boxLayer, this.wireLayer, this.cardLayer, this.labelLayer);
    this.svg.append(this.world);
    this.frameTask = new FrameTask(() => this.#draw());
    this.viewport = new Viewport(
      frame,
      () => this.frameTask.request(),
      () => this.#resized(),
    );
    this.input = new DiagramInput(this, listener);
  }

  /**
   * @param {LevelGraph} graph
   * @param {Scene} scene
   */
  show(graph, scene) {
    this.graph = graph;
    this.scene = scene;
    this.cards = new Map(scene.cards.map((card) => [card.key, card]));
    this.wires = new Map(scene.wires.map((wire) => [wire.key, wire]));
    this.allBounds = scene.cards.length > 0 ? this.bounds() : null;
    const focused = document.activeElement?.closest("[data-card]")?.getAttribute("data-card") ?? null;
    const wasInside = this.world.contains(document.activeElement);
    this.#forget();
    if (focused !== null && this.cards.has(focused)) this.giveFocus(focused);
    else if (wasInside) this.svg.focus({ preventScroll: true });
    this.frameTask.request();
  }

  /**
   * What is lit; null lets everything stand as it is.
   * @param {Trace | null} trace
   * @param {Wire | null} chosen  the line that is chosen, where it is one
   */
  light(trace, chosen = null) {
    this.trace = trace;
    this.chosenWire = chosen;
    this.svg.classList.toggle("has-trace", trace !== null);
    this.#markAll();
    this.frameTask.request();
  }

  /**
   * Nodes that somebody points at elsewhere, in the SQL or in a list.
   * @param {Set<NodeKey>} nodes
   */
  point(nodes) {
    this.pointed = nodes;
    this.#markAll();
  }

  /**
   * The box around all cards, or around those of some nodes.
   * @param {Set<NodeKey> | null} nodes
   */
  bounds(nodes = null) {
    const cards =
      nodes === null ? this.scene.cards : [...new Set([...nodes].map((node) => this.scene.cardOf.get(node)))];
    return boundsOf([...cards.filter((card) => card !== undefined), ...(nodes === null ? this.scene.boxes : [])]);
  }

  fit(animate = false) {
    this.viewport.fit(this.bounds(), { animate });
  }

  /**
   * The whole picture; on a narrow screen, where its names could not be read, the part around its best connected card.
   * @param {boolean} animate
   */
  open(animate) {
    const { viewport } = this;
    const box = this.bounds();
    const hub = viewport.width < NARROW && viewport.zoomToFit(box) < ZOOM_TO_READ ? this.#bestConnected() : null;
    if (hub === null) this.fit(animate);
    else viewport.centerWithin(box, hub.x + hub.width / 2, hub.y + hub.height / 2, { zoom: ZOOM_TO_READ, animate });
  }

  /** @returns {Card | null} */
  #bestConnected() {
    /** @type {Map<Card, number>} */
    const wires = new Map();
    for (const { from, to } of this.scene.wires) for (const card of [from, to]) wires.set(card, (wires.get(card) ?? 0) + 1);
    const [best] = [...wires].sort((one, other) => other[1] - one[1]);
    return best?.[0] ?? null;
  }

  /** What fitted before a panel opened, as long as it can still be read. */
  fitAgain() {
    const { viewport } = this;
    if (viewport.fitted === null || viewport.zoomToFit(viewport.fitted) < ZOOM_OF_ROWS) return false;
    viewport.measure();
    viewport.fit(viewport.fitted);
    return true;
  }

  /**
   * Look at some nodes; when they would be too small to be read, at the most important of them.
   * @param {Set<NodeKey>} nodes
   * @param {Iterable<NodeKey>} important
   * @param {boolean} animate
   */
  fitNodes(nodes, important, animate) {
    const box = this.bounds(nodes);
    const zoom = this.viewport.zoomToFit(box);
    if (zoom >= ZOOM_OF_ROWS) {
      this.viewport.fit(box, { animate });
      return;
    }
    const [first] = important;
    if (first === undefined) this.viewport.fit(box, { animate });
    else this.reveal(first, 0.65, box);
  }

  /**
   * Bring a node into sight, large enough to be read, and leave it where it is when it is there already.
   * @param {NodeKey} node
   * @param {number} most  not larger than this, to see something of what is around it
   * @param {Area | null} within  what else is of interest
   */
  reveal(node, most = 1, within = null) {
    const card = this.scene.cardOf.get(node);
    if (card === undefined) return;
    const row = this.scene.rowOf.get(node);
    const [x, y] = [card.x + card.width / 2, card.y + (row ? row.y + CARD.row / 2 : Math.min(card.height / 2, 80))];
    this.viewport.measure();
    const { left, top, right, bottom } = this.viewport.sight;
    const inside = x > left && x < right && y > top && y < bottom;
    if (inside && this.viewport.zoom >= ZOOM_OF_ROWS) {
      this.viewport.stay();
      return;
    }
    const zoom = Math.min(most, this.viewport.zoom >= ZOOM_OF_ROWS ? this.viewport.zoom : 0.75);
    if (within === null) this.viewport.center(x, y, { zoom });
    else this.viewport.centerWithin(within, x, y, { zoom });
  }

  /** @param {string} key */
  focusCard(key) {
    this.reveal(key);
    this.giveFocus(key);
  }

  /**
   * The same where it stands.
   * @param {string} key
   */
  giveFocus(key) {
    const card = this.cards.get(key);
    if (card === undefined) return;
    if (!this.#cardNodes.has(key)) {
      const node = drawCard(card, this.#detail);
      this.#cardNodes.set(key, node);
      this.cardLayer.append(node);
      this.#markCard(key, node);
    }
    this.#focus(this.#cardNodes.get(key));
  }

  /** @param {Wire} wire */
  focusWire(wire) {
    const { x, y } = wireMiddle(wire);
    const { left, top, right, bottom } = this.viewport.sight;
    if (x < left || x > right || y < top || y > bottom) this.viewport.center(x, y, { animate: false });
    if (!this.#wireNodes.has(wire.key)) {
      const node = drawWire(wire);
      this.#wireNodes.set(wire.key, node);
      this.wireLayer.append(node);
      this.#markWire(wire, node);
    }
    const node = this.#wireNodes.get(wire.key);
    // Only now: hundreds of lines would be hundreds of buttons to whoever has the page read aloud.
    for (const [key, value] of [["role", "button"], ["tabindex", "-1"], ["aria-label", visibleText(wireName(wire))]]) node.setAttribute(key, value);
    this.#focus(node);
  }

  /**
   * Whoever goes through the picture with keys shall not be moved by the picture at the same time.
   * @param {SVGElement} node
   */
  #focus(node) {
    this.moving = false;
    /** @type {SVGElement} */ (node.querySelector(".card-box") ?? node).focus({ preventScroll: true });
    this.moving = true;
  }

  /** What fitted the frame still does when a panel opens beside it. */
  #resized() {
    this.#drawn = null;
    if (this.viewport.fitted !== null) this.viewport.fit(this.viewport.fitted);
    else this.frameTask.request();
  }

  // --- drawing ------------------------------------------------------------------------------------------------------

  #forget() {
    this.#cardNodes.clear();
    this.#wireNodes.clear();
    this.boxLayer.replaceChildren(...this.scene.boxes.map(drawBox));
    this.wireLayer.replaceChildren();
    this.cardLayer.replaceChildren();
    this.farWires.hide();
    this.#missing = [];
    this.#drawn = null;
  }

  #draw() {
    const { x, y, zoom } = this.viewport;
    this.world.setAttribute("transform", `translate(${x},${y}) scale(${zoom})`);
    const detail = detailAt(zoom);
    if (detail !== this.#detail) {
      this.#detail = detail;
      this.#drawn = null;
      this.#drawLabels();
    }
    if (this.#drawn === null || !isGoodFor(this.#drawn, this.viewport.sight)) this.#populate();
    const isFull = this.#drawMissing();
    if (isFull) this.frameTask.request();
    this.farWires.place(this.viewport, { draw: !isFull, dim: this.trace !== null });
    const all = this.allBounds;
    this.frame.classList.toggle("all-in-sight", all !== null && contains(this.viewport.sight, all));
    this.listener.onSight();
  }

  /** Draw what is in sight and a margin around it, and take away the rest. */
  #populate() {
    const { left, top, right, bottom } = this.viewport.sight;
    const [dx, dy] = [(right - left) * 0.3, (bottom - top) * 0.3];
    const area = { left: left - dx, top: top - dy, right: right + dx, bottom: bottom + dy };
    this.#drawn = area;
    const inArea = this.scene.cards.filter(
      ({ x, y, width, height }) => x < area.right && x + width > area.left && y < area.bottom && y + height > area.top,
    );
    const wanted = new Set(inArea.map((card) => card.key));
    for (const [key, node] of this.#cardNodes) {
      if (!wanted.has(key) && !node.contains(document.activeElement)) {
        node.remove();
        this.#cardNodes.delete(key);
      }
    }
    this.#missing = inArea.filter((card) => !isDrawnIn(this.#detail, this.#cardNodes.get(card.key)));
    this.#populateWires(area);
  }

  /**
   * Some of the cards that are missing. What stands in another detail stays until it is drawn anew.
   * @returns {boolean}  whether this frame has no time for anything more
   */
  #drawMissing() {
    const fresh = document.createDocumentFragment();
    const some = this.#missing.splice(0, CARDS_IN_FRAME);
    for (const card of some) {
      const before = this.#cardNodes.get(card.key);
      if (isDrawnIn(this.#detail, before)) continue;
      const node = drawCard(card, this.#detail);
      this.#cardNodes.set(card.key, node);
      this.#markCard(card.key, node);
      if (before === undefined) fresh.append(node);
      else {
        const focused = before.contains(document.activeElement);
        before.replaceWith(node);
        if (focused) this.#focus(node);
      }
    }
    this.cardLayer.append(fresh);
    return some.length === CARDS_IN_FRAME;
  }

  /** @param {Area} area */
  #populateWires(area) {
    const inSight = [];
    for (const wire of this.scene.wires) {
      const box = wireBox(wire);
      if (box.left < area.right && box.right > area.left && box.top < area.bottom && box.bottom > area.top) {
        inSight.push(wire);
      }
    }
    const far = inSight.length > MOST_DRAWN_WIRES;
    if (far) this.farWires.show(inSight, area);
    else this.farWires.hide();
    const drawn = far ? inSight.filter((wire) => this.#isLit(wire)).slice(0, MOST_DRAWN_WIRES) : inSight;
    const wanted = new Set(drawn.map((wire) => wire.key));
    for (const [key, node] of this.#wireNodes) {
      if (wanted.has(key) || node === document.activeElement) continue;
      node.remove();
      this.#wireNodes.delete(key);
    }
    const fresh = document.createDocumentFragment();
    for (const wire of drawn) {
      if (this.#wireNodes.has(wire.key)) continue;
      const node = drawWire(wire);
      this.#wireNodes.set(wire.key, node);
      this.#markWire(wire, node);
      fresh.append(node);
    }
    this.wireLayer.append(fresh);
  }

  // --- what is lit --------------------------------------------------------------------------------------------------

  /** @param {Wire} wire */
  #isLit(wire) {
    const { trace } = this;
    return trace !== null && wire.edges.some((edge) => trace.edges.has(edge.index));
  }

  #litCards() {
    const lit = new Set();
    if (this.trace !== null) {
      for (const node of this.trace.nodes) {
        const card = this.scene.cardOf.get(node);
        if (card !== undefined) lit.add(card.key);
      }
    }
    return lit;
  }

  /** What lines compute can be read from near only. */
  #drawLabels() {
    this.labelLayer.replaceChildren(...(isNear(this.viewport.zoom) ? wireLabels(this.scene, this.trace, this.chosenWire) : []));
  }

  #markAll() {
    this.lit = this.#litCards();
    this.#drawLabels();
    for (const [key, node] of this.#cardNodes) this.#markCard(key, node);
    if (this.farWires.shown) {
      this.#drawn = null;
      this.frameTask.request();
    }
    for (const [key, node] of this.#wireNodes) {
      const wire = this.wires.get(key);
      if (wire !== undefined) this.#markWire(wire, node);
    }
  }

  /**
   * @param {string} key
   * @param {SVGElement} node
   */
  #markCard(key, node) {
    const { trace, pointed } = this;
    const card = this.cards.get(key);
    if (card === undefined) return;
    node.classList.toggle("lit", this.lit?.has(key) ?? false);
    // One seed is a column, which is marked itself; several are the columns of a table, which is marked as a whole.
    const whole = trace !== null && trace.seeds.size > 1;
    const own = trace !== null && (trace.seeds.has(key) || (whole && card.rows.some((row) => row.node !== null && trace.seeds.has(row.node))));
    node.classList.toggle("selected", own);
    node.classList.toggle("pointed", pointed.has(key) || (card.group !== null && this.#pointsInto(card)));
    for (const row of node.querySelectorAll(".row")) {
      const at = row.getAttribute("data-row") ?? "";
      row.classList.toggle("lit", trace !== null && trace.nodes.has(at));
      row.classList.toggle("selected", trace !== null && !whole && trace.seeds.has(at));
      row.classList.toggle("pointed", pointed.has(at));
    }
  }

  /** @param {Card} card */
  #pointsInto(card) {
    for (const node of this.pointed) if (this.scene.cardOf.get(node) === card) return true;
    return false;
  }

  /**
   * @param {Wire} wire
   * @param {SVGElement} node
   */
  #markWire(wire, node) {
    node.classList.toggle("lit", this.#isLit(wire));
  }

  /**
   * A card and a wire as they would be drawn in full, for a file.
   * @param {Card} card
   */
  drawMarkedCard(card) {
    const node = drawCard(card, "rows");
    this.#markCard(card.key, node);
    return node;
  }

  /** @param {Wire} wire */
  drawMarkedWire(wire) {
    const node = drawWire(wire);
    this.#markWire(wire, node);
    return node;
  }

  /**
   * Move a card, and the ends of its wires with it.
   * @param {Card} card
   * @param {Wire[]} touching
   * @param {number} dx
   * @param {number} dy
   */
  moveCard(card, touching, dx, dy) {
    card.x += dx;
    card.y += dy;
    card.column = null;
    const node = this.#cardNodes.get(card.key);
    if (node !== undefined) shift(node, dx, dy);
    for (const wire of touching) {
      wire.route = wire.area = null;
      const d = wirePath(wire);
      for (const path of this.#wireNodes.get(wire.key)?.children ?? []) path.setAttribute("d", d);
    }
    this.#drawLabels();
  }

  /** A card has been moved and stays there. */
  cardMoved() {
    this.allBounds = this.bounds();
    this.farWires.redraw();
    this.frameTask.request();
  }
}
