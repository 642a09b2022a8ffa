// The picture: draws the part of a scene that is in sight, and says what people do with it.

/** More wires in sight than this are drawn on a canvas, where one cannot point at them; those that are lit still can be. */
const MOST_DRAWN_WIRES = 600;
/** As many strokes as a canvas takes without holding up the page. */
const WIRES_IN_FRAME = 3000;

/**
 * @typedef {{onThing(thing: Column | Entity | Process | null): void, onWire(wire: Wire): void,
 *            onGroup(group: string): void, onMore(card: Card): void, onHover(what: any, event: PointerEvent): void,
 *            onMoved(card: Card): void, onSight(): void}} DiagramListener
 */

class Diagram {
  #cardNodes = new Map();
  #wireNodes = new Map();
  #drawn = null;
  #detail = "rows";
  #hovered = null;

  /**
   * @param {HTMLElement} frame
   * @param {DiagramListener} listener
   */
  constructor(frame, listener) {
    this.frame = frame;
    this.listener = listener;
    /** @type {Scene} */
    this.scene = { cards: [], wires: [], cardOf: new Map(), rowOf: new Map() };
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {Map<string, Wire>} */
    this.wires = new Map();
    /** @type {LevelGraph | null} */
    this.graph = null;
    /** @type {Trace | null} */
    this.trace = null;
    /** The box around all cards, worked out once for each scene. */
    this.allBounds = null;
    /** @type {Set<NodeKey>} */
    this.pointed = new Set();
    this.canvas = frame.querySelector("canvas.wires-far");
    this.svg = frame.querySelector("svg.picture");
    this.world = svgElement("g.world");
    this.wireLayer = svgElement("g.wire-layer");
    this.cardLayer = svgElement("g.card-layer");
    this.world.append(this.wireLayer, this.cardLayer);
    this.svg.append(this.world);
    this.frameTask = new FrameTask(() => this.#draw());
    this.viewport = new Viewport(
      frame,
      () => this.frameTask.request(),
      () => this.#resized(),
    );
    this.viewport.grab = (event) => this.#grab(event);
    this.#listen();
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
    this.#forget();
    this.frameTask.request();
  }

  /**
   * What is lit; null lets everything stand as it is.
   * @param {Trace | null} trace
   */
  light(trace) {
    this.trace = trace;
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

  /** The box around all cards, or around those of some nodes. */
  bounds(nodes = null) {
    const cards =
      nodes === null ? this.scene.cards : [...new Set([...nodes].map((node) => this.scene.cardOf.get(node)))];
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const card of cards) {
      if (card === undefined) continue;
      box.left = Math.min(box.left, card.x);
      box.top = Math.min(box.top, card.y);
      box.right = Math.max(box.right, card.x + card.width);
      box.bottom = Math.max(box.bottom, card.y + card.height);
    }
    return box;
  }

  fit(animate = false) {
    this.viewport.fit(this.bounds(), { animate });
  }

  /** Look at some nodes; when they would be too small to be read, at the most important of them. */
  fitNodes(nodes, important, animate) {
    const box = this.bounds(nodes);
    const zoom = this.viewport.zoomToFit(box);
    if (zoom >= ZOOM_OF_ROWS) {
      this.viewport.fit(box, { animate });
      return;
    }
    const [first] = important;
    if (first === undefined) this.viewport.fit(box, { animate });
    else this.reveal(first);
  }

  /** Bring a node into sight, large enough to be read, and leave it where it is when it is there already. */
  reveal(node) {
    const card = this.scene.cardOf.get(node);
    if (card === undefined) return;
    const row = this.scene.rowOf.get(node);
    const [x, y] = [card.x + card.width / 2, card.y + (row ? row.y + CARD.row / 2 : Math.min(card.height / 2, 80))];
    const { left, top, right, bottom } = this.viewport.sight;
    const inside = x > left && x < right && y > top && y < bottom;
    if (inside && this.viewport.zoom >= ZOOM_OF_ROWS) return;
    this.viewport.center(x, y, { zoom: Math.max(0.75, Math.min(1, this.viewport.zoom)) });
  }

  focusCard(key) {
    const card = this.cards.get(key);
    if (card === undefined) return;
    this.reveal(key);
    if (!this.#cardNodes.has(key)) {
      const node = drawCard(card, this.#detail);
      this.#cardNodes.set(key, node);
      this.cardLayer.append(node);
    }
    this.#cardNodes.get(key).focus({ preventScroll: true });
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
    this.wireLayer.replaceChildren();
    this.cardLayer.replaceChildren();
    this.#drawn = null;
  }

  #draw() {
    const { x, y, zoom } = this.viewport;
    this.world.setAttribute("transform", `translate(${x},${y}) scale(${zoom})`);
    const detail = detailAt(zoom);
    if (detail !== this.#detail) {
      this.#detail = detail;
      for (const node of this.#cardNodes.values()) node.remove();
      this.#cardNodes.clear();
      this.#drawn = null;
    }
    if (this.#drawn === null || !isGoodFor(this.#drawn, this.viewport.sight)) this.#populate();
    if (this.far) this.#moveFar();
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
    const wanted = new Set();
    for (const card of this.scene.cards) {
      if (card.x < area.right && card.x + card.width > area.left && card.y < area.bottom && card.y + card.height > area.top) {
        wanted.add(card.key);
      }
    }
    for (const [key, node] of this.#cardNodes) {
      if (!wanted.has(key) && node !== document.activeElement) {
        node.remove();
        this.#cardNodes.delete(key);
      }
    }
    const fresh = document.createDocumentFragment();
    for (const key of wanted) {
      if (this.#cardNodes.has(key)) continue;
      const node = drawCard(this.cards.get(key), this.#detail);
      this.#cardNodes.set(key, node);
      this.#markCard(key, node);
      fresh.append(node);
    }
    this.cardLayer.append(fresh);
    this.#populateWires(area);
  }

  #populateWires(area) {
    const inSight = [];
    for (const wire of this.scene.wires) {
      const box = wireBox(wire);
      if (box.left < area.right && box.right > area.left && box.top < area.bottom && box.bottom > area.top) {
        inSight.push(wire);
      }
    }
    this.far = inSight.length > MOST_DRAWN_WIRES;
    this.canvas.hidden = !this.far;
    this.farWires = this.far ? inSight : [];
    this.farFresh = false;
    const drawn = this.far ? inSight.filter((wire) => this.#isLit(wire)).slice(0, MOST_DRAWN_WIRES) : inSight;
    const wanted = new Set(drawn.map((wire) => wire.key));
    for (const [key, node] of this.#wireNodes) {
      if (wanted.has(key)) continue;
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

  /** The canvas holds more than what is in sight and moves along until other wires come into sight. */
  #moveFar() {
    const { x, y, zoom } = this.viewport;
    if (!this.farFresh) this.#drawFar();
    const { left, top } = this.#drawn;
    const scale = zoom / this.farZoom;
    this.canvas.style.transform = `translate(${x + left * zoom}px, ${y + top * zoom}px) scale(${scale})`;
  }

  /** Very many wires, as strokes on one canvas, some thousands in each frame. */
  #drawFar() {
    const { zoom } = this.viewport;
    const { left, top, right, bottom } = this.#drawn;
    const [width, height] = [Math.round((right - left) * zoom), Math.round((bottom - top) * zoom)];
    this.farFresh = true;
    this.farZoom = zoom;
    this.canvas.width = width;
    this.canvas.height = height;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d");
    context.setTransform(zoom, 0, 0, zoom, -left * zoom, -top * zoom);
    context.globalAlpha = this.trace === null ? Math.max(0.06, Math.min(0.5, 900 / this.farWires.length)) : 0.05;
    context.lineWidth = 1 / zoom;
    const style = getComputedStyle(this.frame);
    const colors = { fdd: style.getPropertyValue("--wire-fdd"), other: style.getPropertyValue("--wire-fdr") };
    const wires = this.farWires;
    const step = (from) => {
      if (wires !== this.farWires || this.farZoom !== zoom) return;
      strokeWires(context, wires.slice(from, from + WIRES_IN_FRAME), colors);
      if (from + WIRES_IN_FRAME < wires.length) requestAnimationFrame(() => step(from + WIRES_IN_FRAME));
    };
    step(0);
  }

  // --- what is lit --------------------------------------------------------------------------------------------------

  #isLit(wire) {
    return this.trace !== null && wire.edges.some((edge) => this.trace.edges.has(edge.index));
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

  #markAll() {
    this.lit = this.#litCards();
    for (const [key, node] of this.#cardNodes) this.#markCard(key, node);
    if (this.far) {
      this.#drawn = null;
      this.frameTask.request();
    }
    for (const [key, node] of this.#wireNodes) {
      const wire = this.wires.get(key);
      if (wire !== undefined) this.#markWire(wire, node);
    }
  }

  #markCard(key, node) {
    const { trace, pointed } = this;
    const card = this.cards.get(key);
    node.classList.toggle("lit", this.lit?.has(key) ?? false);
    // One seed is a column, which is marked itself; several are the columns of a table, which is marked as a whole.
    const whole = trace !== null && trace.seeds.size > 1;
    const own = trace !== null && (trace.seeds.has(key) || (whole && card.rows.some((row) => trace.seeds.has(row.node))));
    node.classList.toggle("selected", own);
    node.classList.toggle("pointed", pointed.has(key) || (card.group !== null && this.#pointsInto(card)));
    for (const row of node.querySelectorAll(".row")) {
      const at = row.dataset.row;
      row.classList.toggle("lit", trace !== null && trace.nodes.has(at));
      row.classList.toggle("selected", trace !== null && !whole && trace.seeds.has(at));
      row.classList.toggle("pointed", pointed.has(at));
    }
  }

  #pointsInto(card) {
    for (const node of this.pointed) if (this.scene.cardOf.get(node) === card) return true;
    return false;
  }

  #markWire(wire, node) {
    node.classList.toggle("lit", this.#isLit(wire));
  }

  /** A card and a wire as they would be drawn in full, for a file. */
  drawMarkedCard(card) {
    const node = drawCard(card, "rows");
    this.#markCard(card.key, node);
    return node;
  }

  drawMarkedWire(wire) {
    const node = drawWire(wire);
    this.#markWire(wire, node);
    return node;
  }

  // --- what people do -----------------------------------------------------------------------------------------------

  #listen() {
    this.frame.addEventListener("click", (event) => this.#click(event));
    this.frame.addEventListener("dblclick", (event) => {
      const card = this.#cardAt(event.target);
      if (card?.group) this.listener.onGroup(card.group);
    });
    this.frame.addEventListener("pointermove", (event) => this.#hover(event));
    this.frame.addEventListener("pointerleave", (event) => this.#leave(event));
    this.frame.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => {
      const card = this.#cardAt(event.target);
      if (card && event.target.matches(":focus-visible")) this.reveal(card.key);
    });
  }

  #cardAt(target) {
    const node = target instanceof Element ? target.closest("[data-card]") : null;
    return node === null ? null : (this.cards.get(node.dataset.card) ?? null);
  }

  /** What stands at an element of the picture: a wire, a row, a card. */
  #whatIs(target) {
    if (!(target instanceof Element)) return null;
    const wire = target.closest("[data-wire]");
    if (wire !== null) return { wire: this.wires.get(wire.dataset.wire) };
    const card = this.#cardAt(target);
    if (card === null) return null;
    const key = target.closest("[data-row]")?.dataset.row;
    return { card, row: key === undefined ? null : (card.rows.find((row) => row.key === key) ?? null) };
  }

  #click(event) {
    if (this.viewport.dragged || isFloating(event)) return;
    const what = this.#whatIs(event.target);
    if (what === null) this.listener.onThing(null);
    else if (what.wire) this.listener.onWire(what.wire);
    else this.#choose(what.card, what.row);
  }

  #choose(card, row) {
    if (card.group !== null) this.listener.onGroup(card.group);
    else if (row?.more) this.listener.onMore(card);
    else this.listener.onThing(row ? this.graph.thing(row.node) : (card.entity ?? card.process));
  }

  #hover(event) {
    if (event.pointerType === "touch" || this.viewport.dragged) return;
    const what = isFloating(event) ? null : this.#whatIs(event.target);
    const key = what === null ? null : (what.wire?.key ?? what.row?.key ?? what.card.key);
    if (key === this.#hovered) return;
    this.#hovered = key;
    this.listener.onHover(what, event);
  }

  #leave(event) {
    this.#hovered = null;
    this.listener.onHover(null, event);
  }

  #grab(event) {
    const card = this.#cardAt(event.target);
    if (card === null) return null;
    const touching = this.scene.wires.filter((wire) => wire.from === card || wire.to === card);
    return {
      move: (dx, dy) => {
        card.x += dx;
        card.y += dy;
        this.#cardNodes.get(card.key)?.setAttribute("transform", `translate(${card.x},${card.y})`);
        for (const wire of touching) {
          const d = wirePath(wire);
          for (const path of this.#wireNodes.get(wire.key)?.children ?? []) path.setAttribute("d", d);
        }
      },
      end: () => {
        this.allBounds = this.bounds();
        this.farFresh = false;
        this.frameTask.request();
        this.listener.onMoved(card);
      },
    };
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isFloating(event)) return;
    const card = this.#cardAt(event.target);
    if (card !== null && this.#cardKey(event.key, card)) {
      event.preventDefault();
      return;
    }
    const step = 80;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key in moves) this.viewport.pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.viewport.zoomAt(1.25);
    else if (event.key === "-") this.viewport.zoomAt(0.8);
    else if (event.key === "0" || event.key === "f") this.fit(true);
    else return;
    event.preventDefault();
  }

  /** On a card: Enter chooses it, up and down go through its rows, left and right to its neighbours. */
  #cardKey(key, card) {
    if (key === "Enter" || key === " ") {
      this.#choose(card, null);
      return true;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      const rows = card.rows.filter((row) => row.node !== null);
      if (rows.length === 0) return false;
      const at = rows.findIndex((row) => this.trace?.seeds.size === 1 && this.trace.seeds.has(row.node));
      const next = at < 0 ? (key === "ArrowDown" ? 0 : rows.length - 1) : at + (key === "ArrowDown" ? 1 : -1);
      const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
      this.listener.onThing(this.graph.thing(row.node));
      this.focusCard(card.key);
      return true;
    }
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const [own, other] = key === "ArrowLeft" ? ["to", "from"] : ["from", "to"];
      const wire = this.scene.wires.find((each) => each[own] === card && each[other] !== card);
      if (wire === undefined) return false;
      this.focusCard(wire[other].key);
      return true;
    }
    return false;
  }
}

function strokeWires(context, wires, colors) {
  for (const kind of ["fdd", "other"]) {
    context.strokeStyle = colors[kind];
    context.beginPath();
    for (const wire of wires) {
      if ((wire.type === "fdd") !== (kind === "fdd")) continue;
      const { x1, y1, x2, y2 } = wireEnds(wire);
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
    }
    context.stroke();
  }
}

/** What was drawn holds what is in sight, and not very much more: that would be many elements, and a huge canvas. */
function isGoodFor(drawn, sight) {
  return contains(drawn, sight) && drawn.right - drawn.left < 2.5 * (sight.right - sight.left);
}

function contains(outer, inner) {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}
