// Holds the state and lets the parts of the page know.

import { AddressBar, findFocus, focusOf, initialState, readAddress, SWITCH_DEFAULTS } from "./address.js";
import { isNear, ZOOM_OF_ROWS } from "./cards.js";
import { Choice } from "./choice.js";
import { Controls } from "./controls.js";
import { DetailsPanel } from "./details.js";
import { Diagram } from "./diagram.js";
import { byId, visibleText } from "./elements.js";
import { EmptyBox } from "./empty_box.js";
import { chosenFilter, exportView } from "./export.js";
import { FilterMenu } from "./filter_menu.js";
import { Layout } from "./layout.js";
import { entitiesOnLevel } from "./levels.js";
import { ListView } from "./list_view.js";
import { Minimap } from "./minimap.js";
import { PageFrame } from "./page_frame.js";
import { PlaceIndex } from "./places.js";
import { Pointing } from "./pointing.js";
import { buildScene, MOST_CARDS, MOST_WITH_COLUMNS } from "./scene.js";
import { SearchBox, SearchIndex } from "./search.js";
import { SqlPanel } from "./sql_panel.js";
import { SummaryView } from "./summary_view.js";
import { TextView } from "./text_view.js";
import { LevelGraph } from "./trace.js";
import { TraceBar } from "./trace_bar.js";
import { boundsOf } from "./viewport.js";

/**
 * @import { State, SwitchName } from "./address.js"
 * @import { LineageDocument } from "./document.js"
 * @import { ServedPage } from "./served.js"
 * @import { Scene } from "./scene.js"
 * @import { Trace } from "./trace.js"
 */

/** With more statements than this they are not shown between the tables until somebody asks for them. */
const MOST_STATEMENTS = 12;

/** SQL of more characters than this waits until the picture stands. */
const LONG_SQL = 300_000;

export class Application {
  #asked = 0;
  #keys = { graph: "", scene: "" };
  // What a document brings; nothing of the page is used before the first one is loaded.
  /** @type {LineageDocument} */
  lineage;
  /** @type {LevelGraph} */
  graph;
  /** @type {State} */
  state;
  /** @type {State} */
  initial;
  /** @type {Set<string>} cards that show all their rows */
  opened;
  /** @type {Trace | null} */
  trace = null;
  // The parts of the page.
  /** @type {Diagram} */
  diagram;
  /** @type {Minimap} */
  minimap;
  /** @type {SqlPanel} */
  sql;
  /** @type {DetailsPanel} */
  details;
  /** @type {SummaryView} */
  summary;
  /** @type {TextView} */
  text;
  /** @type {ListView} */
  list;
  /** @type {SearchBox} */
  search;
  /** @type {Controls} */
  controls;
  /** @type {FilterMenu} */
  filters;
  /** @type {TraceBar} */
  bar;

  constructor() {
    /** @type {ServedPage | null} */
    this.served = null;
    this.layout = new Layout();
    this.choice = new Choice(this);
    this.pointing = new Pointing(this);
    this.empty = new EmptyBox({ change: (part) => this.change(part) });
    /** Whether a picture has been looked at: the first one is shown as a whole. */
    this.looked = false;
    this.#makePicture();
    this.#makePanels();
    this.frame = new PageFrame(this);
    this.address = new AddressBar(() => this.#followAddress());
  }

  #makePicture() {
    const { choice, pointing } = this;
    this.diagram = new Diagram(byId("frame"), {
      // From far away one chooses a table to see it; from near it shall stay where it is.
      onThing: (thing) => {
        if (thing !== null && this.search.isAsking) this.search.answer(thing);
        else choice.choose(thing, { reveal: !isNear(this.diagram.viewport.zoom) });
      },
      onWire: (wire) => choice.chooseWire(wire),
      onGroup: (group) => this.change({ open: [...this.state.open, group] }),
      onMore: (card) => {
        this.opened.add(card.key);
        this.update();
      },
      onGrow: (card, way) => card.entity !== null && this.change({ grow: [...this.state.grow, `${way}:${focusOf(card.entity)}`] }),
      onToggle: (card) => {
        if (card.entity === null) return;
        const name = focusOf(card.entity);
        const { closed } = this.state;
        this.change({ closed: closed.includes(name) ? closed.filter((each) => each !== name) : [...closed, name] });
      },
      onHover: (what, event) => pointing.inPicture(what, event),
      onMoved: () => this.minimap.update(),
      onSight: () => this.minimap.update(),
    });
    this.minimap = new Minimap(byId("minimap"), this.diagram);
  }

  #makePanels() {
    const { choice, pointing } = this;
    this.sql = new SqlPanel({
      onCursor: (script, offset) => pointing.cursorInSql(script, offset),
      onPoint: (script, offset, event, problem) => pointing.inSql(script, offset, event, problem),
      onEdit: () => this.served?.editor?.edited(),
    });
    this.details = new DetailsPanel({
      choose: (thing) => choice.choose(thing),
      close: () => choice.letGo(),
      showPlaces: (places, strong) => this.sql.light(places, { strong }),
      point: (thing) => pointing.inList(thing),
      actions: (thing) => this.served?.actions(thing) ?? null,
      facts: (thing) => this.served?.facts(thing) ?? null,
      statementText: (process) => this.served?.statementText(process) ?? null,
    });
    this.summary = new SummaryView({
      choose: (thing) => choice.choose(thing).then(() => this.change({ view: "diagram" })),
      showProblem: (problem) => this.sql.showProblem(problem),
      filterSchema: (schema) => {
        const others = this.filters.schemas.map(([name]) => name).filter((name) => name !== schema);
        this.change({ filter: { ...this.state.filter, schemas: others }, view: "diagram" });
      },
    });
    this.text = new TextView();
    this.list = new ListView({ choose: (thing) => choice.choose(thing) });
    this.search = new SearchBox({
      find: (text) => this.searchIndex.find(text, (/** @type {any} */ thing) => this.graph.shows(thing)),
      choose: async (thing) => {
        await choice.choose(thing);
        this.focusChosen();
      },
    });
    this.controls = new Controls({
      change: (part) => this.change(part),
      exportAs: (format) => exportView(this, format),
    });
    this.filters = new FilterMenu((filter) => this.change({ filter }));
    this.bar = new TraceBar({
      change: (part) => this.change(part),
      clear: () => choice.letGo(),
      askPath: () => this.search.ask("Path to…", (thing) => choice.choosePath(thing)),
    });
  }

  // --- loading ------------------------------------------------------------------------------------------------------

  /**
   * @param {LineageDocument} lineage
   * @param {{focus?: string | null, object?: string | null, sql?: boolean, keepAddress?: boolean}} options  what to choose and which object of
   *     the store it is, instead of what the address says; and whether the document has its own SQL
   *     `keepAddress`: it stands in for what the address asks for until that is there
   */
  load(lineage, { focus = null, object = null, sql = true, keepAddress = false } = {}) {
    this.lineage = lineage;
    /** @type {SearchIndex | null} */
    this.index = null;
    /** @type {PlaceIndex | null} */
    this.placeIndex = null;
    this.opened = new Set();
    this.#keys = { graph: "", scene: "" };
    this.initial = initialState(lineage.opens);
    if (this.initial.level === "complete" && !lineage.hasComplete) this.initial.level = "column";
    if (lineage.levels.column.length === 0 && lineage.levels.table.length > 0) this.initial.level = "table";
    this.#collapseLarge();
    this.state = readAddress(location.hash, this.initial);
    if (focus !== null && focus !== this.state.focus) {
      // A link to an object may say how to look at it without saying once more that it is the one to look at.
      const isLinked = object !== null && this.state.object === object && this.state.focus === "";
      Object.assign(this.state, isLinked ? { focus } : { focus, line: null, path: "", grow: [], only: false, depth: 0, open: [] });
    }
    this.state.object = object ?? undefined;
    if (this.state.level === "complete" && !lineage.hasComplete) this.state.level = this.initial.level;
    this.choice.begin(findFocus(lineage, this.state.focus));
    byId("title").textContent = visibleText(lineage.title);
    document.title = visibleText(lineage.title);
    const withSql = lineage.hasText || lineage.problems.length > 0 || this.served !== null;
    document.body.classList.toggle("no-sql", !withSql);
    if (this.served !== null && !keepAddress) this.address.write(this.state, this.initial);
    return this.#showFirst(sql);
  }

  /**
   * The picture before the SQL, which may be long; and what the search needs before somebody types.
   * @param {boolean} sql
   */
  async #showFirst(sql) {
    const { lineage } = this;
    const shown = this.update({ fit: true });
    if (lineage.textLength < LONG_SQL && sql) this.sql.show(lineage);
    await shown;
    if (lineage.textLength >= LONG_SQL && sql && lineage === this.lineage) this.sql.show(lineage);
    if (this.choice.wire !== null || this.choice.thing !== null) this.choice.lightInSql(true);
    setTimeout(() => lineage === this.lineage && this.searchIndex, 300);
  }

  get searchIndex() {
    this.index ??= new SearchIndex(this.lineage);
    return this.index;
  }

  /** What stands where in the SQL, as soon as somebody points at it. */
  get places() {
    this.placeIndex ??= new PlaceIndex(this.lineage);
    return this.placeIndex;
  }

  /**
   * More cards than people can look at open as tables, put away by schema; and statements stand between tables from the
   * start only where they are few.
   */
  #collapseLarge() {
    const { lineage, initial } = this;
    const tables = entitiesOnLevel(lineage, "table");
    const shown = initial.level === "table" ? tables : entitiesOnLevel(lineage, initial.level);
    initial.processes = new Set(lineage.levels.table.map((/** @type {any[]} */ row) => row[3])).size <= MOST_STATEMENTS;
    if (initial.level === "column" && shown > MOST_WITH_COLUMNS && tables > 0) initial.level = "table";
    if (shown > MOST_CARDS) Object.assign(initial, { level: "table", grouped: tables > MOST_CARDS ? true : null });
  }

  // --- state --------------------------------------------------------------------------------------------------------

  /**
   * Change a part of the state, the address and the page.
   * @param {Partial<State>} part
   */
  change(part) {
    if ("level" in part || "grouped" in part) this.opened.clear();
    if ("level" in part || "columns" in part) this.choice.stayOnLevel();
    const sameLines = Object.keys(part).every((key) => ["depth", "direction", "view"].includes(key));
    this.setState({ ...part, ...("grouped" in part ? { open: [] } : {}), ...(sameLines ? {} : { line: null }) });
    const keep = sameLines && !this.state.only;
    return this.update({ fit: !keep });
  }

  /**
   * Change a part of the state and the address; the page still shows what it was.
   * @param {Partial<State>} part
   */
  setState(part) {
    this.state = { ...this.state, ...part };
    this.address.write(this.state, this.initial);
  }

  #followAddress() {
    if (this.initial === undefined || this.address.says(this.state, this.initial)) return;
    const object = this.state.object;
    this.state = readAddress(location.hash, this.initial);
    if (this.served !== null && this.state.object !== undefined && this.state.object !== object) {
      this.served.openObject(this.state.object, this.state.focus || null);
      return;
    }
    this.choice.set(findFocus(this.lineage, this.state.focus));
    this.update({ fit: true }).then(() => this.choice.lightInSql(true));
  }

  get grouped() {
    return this.state.grouped ?? false;
  }

  /**
   * Make everything show the state.
   * @param {{fit?: boolean}} options  whether to look at the whole picture when it changed
   */
  async update({ fit = false } = {}) {
    const { state, lineage } = this;
    this.pointing.tooltip.hide();
    const withProcesses = state.processes && !this.grouped;
    const graphKey = JSON.stringify([state.level, withProcesses, state.filter, ...Object.keys(SWITCH_DEFAULTS).map((name) => state[/** @type {SwitchName} */ (name)])]);
    if (graphKey !== this.#keys.graph) {
      this.graph = new LevelGraph(lineage, state, withProcesses);
      this.#keys.graph = graphKey;
    }
    // Before the picture, because an open panel takes room from it.
    this.#followChoice();
    this.#updateDetails();
    const { wire, shown } = this.choice;
    const traced = this.trace !== null;
    const isNew = await this.#updateScene();
    if (isNew) {
      this.#followChoice();
      // While the picture was laid out, somebody may have asked something in the panel: the answer stays.
      const same = this.choice.wire === wire && this.choice.shown === shown && (this.trace !== null) === traced;
      if (!same) this.#updateDetails();
    }
    this.diagram.light(this.trace, this.choice.wire);
    if (isNew && (fit || !this.looked)) this.look();
    this.looked ||= isNew;
    this.#updateWords();
  }

  /** What is chosen, in the graph and the picture as they are by now. */
  #followChoice() {
    this.choice.findWire();
    this.trace = this.choice.trace();
  }

  /** @returns {Promise<boolean>}  whether there is another picture now */
  async #updateScene() {
    const { state } = this;
    const only = state.only ? this.choice.nodesAlone() : null;
    const sceneKey = JSON.stringify([
      this.#keys.graph,
      this.grouped,
      state.open,
      state.closed,
      [...this.opened],
      only === null ? null : [...only].sort().join(),
    ]);
    if (sceneKey === this.#keys.scene) return false;
    this.#asked += 1;
    const asked = this.#asked;
    const scene = buildScene(this.graph, {
      grouped: this.grouped,
      open: new Set(state.open),
      opened: this.opened,
      closed: new Set(state.closed),
      only,
    });
    this.#keys.scene = sceneKey;
    const busy = setTimeout(() => {
      byId("busy").hidden = false;
    }, 250);
    await this.#arrange(scene, only !== null && this.graph.hasExpressions);
    clearTimeout(busy);
    byId("busy").hidden = true;
    if (asked !== this.#asked) return false;
    this.diagram.show(this.graph, scene);
    this.controls.legend(scene);
    if (scene.cards.length > 0) this.empty.hide();
    else this.empty.explain(this.lineage, this.state, this.served !== null);
    return true;
  }

  /**
   * Room for what lines compute is left only where the picture can still be read as a whole.
   * @param {Scene} scene
   * @param {boolean} labelled
   */
  async #arrange(scene, labelled) {
    const { viewport } = this.diagram;
    const { width, height } = viewport.room;
    await this.layout.arrange(scene, { width, height, labelled });
    if (labelled && viewport.zoomToFit(boundsOf(scene.cards)) < ZOOM_OF_ROWS * 1.25) await this.layout.arrange(scene, { width, height });
  }

  /**
   * The whole picture, or what is lit in it; when that would be too small to read, what is chosen.
   * @param {boolean} animate
   * @param {{stay?: boolean}} options  not to move as long as what is chosen can be seen
   */
  look(animate = false, { stay = false } = {}) {
    const { diagram, trace } = this;
    const [first] = trace?.seeds ?? [];
    if (trace === null) diagram.open(animate);
    else if (stay && first !== undefined) diagram.fitAgain() || diagram.reveal(first);
    else diagram.fitNodes(trace.nodes, trace.seeds, animate);
  }

  /** One of the ways to look at the lineage; the others are not kept up to date. */
  #showView() {
    const { state, lineage, graph, trace, choice, served } = this;
    byId("frame").hidden = state.view !== "diagram";
    for (const view of ["list", "summary", "text"]) byId(view).hidden = state.view !== view;
    if (state.view === "list") this.list.show(lineage, graph, trace);
    else if (state.view === "summary") this.summary.show(lineage, graph, state);
    else if (state.view === "text") {
      this.text.show(lineage, state, {
        isChosen: chosenFilter(trace),
        about: choice.name,
        formats: served?.formats ?? [],
        fetched: async (format) => (served === null ? "" : (await served.exportFile(format)).blob.text()),
      });
    }
  }

  /** Where somebody goes on with the keyboard who has just chosen something by its name. */
  focusChosen() {
    if (this.state.view !== "diagram") {
      byId(this.state.view).focus();
      return;
    }
    const [node] = this.trace?.seeds ?? [];
    const card = this.diagram.scene.cardOf.get(node);
    if (card === undefined) this.diagram.svg.focus();
    else this.diagram.giveFocus(card.key);
  }

  #updateDetails() {
    const { lineage, graph, trace, choice } = this;
    if (choice.wire !== null) this.details.showWire(lineage, graph, choice.wire);
    else if (choice.shown !== null && trace !== null) this.details.showThing(lineage, graph, choice.shown, trace);
    else this.details.hide();
  }

  #updateWords() {
    const { state, lineage, graph, trace, choice } = this;
    this.controls.update(state, lineage, {
      grouped: this.grouped,
      initial: this.initial,
      formats: this.served?.formats ?? [],
      chosen: trace !== null,
    });
    this.filters.update(lineage, state.filter);
    this.#showView();
    this.bar.show(state, {
      name: choice.name,
      reached: choice.reached,
      scene: this.diagram.scene,
      graph,
      grouped: this.grouped,
      truncated: lineage.truncated,
      isWire: choice.wire !== null,
      isNear: isNear(this.diagram.viewport.zoom),
    });
    this.frame.mark();
  }
}
