// Holds the state and lets the parts of the page know.

const EMPTY_DOCUMENT = {
  version: DOCUMENT_VERSION,
  title: "SQL lineage",
  scripts: [],
  entities: [],
  processes: [],
  levels: { column: [], table: [] },
  problems: [],
};

/** A picture of more tables than this opens without their columns, which nobody could read; so does one of a column. */
const MOST_WITH_COLUMNS = 40;
/** With more statements than this they are not shown between the tables until somebody asks for them. */
const MOST_STATEMENTS = 12;
/** A lineage that is shown by itself has at most this many objects; it is followed less far until it has not more. */
const MOST_ALONE = 150;

class Application {
  #asked = 0;
  #keys = { graph: "", scene: "" };

  constructor() {
    this.layout = new Layout();
    this.tooltip = new Tooltip(byId("tooltip"));
    this.diagram = new Diagram(byId("frame"), {
      // From far away one chooses a table to see it; from near it shall stay where it is.
      onThing: (thing) => this.choose(thing, { reveal: detailAt(this.diagram.viewport.zoom) !== "rows" }),
      onWire: (wire) => this.chooseWire(wire),
      onGroup: (group) => this.change({ open: [...this.state.open, group] }),
      onMore: (card) => {
        this.opened.add(card.key);
        this.update();
      },
      onHover: (what, event) => this.#hover(what, event),
      onMoved: () => this.minimap.update(),
      onSight: () => this.minimap.update(),
    });
    this.minimap = new Minimap(byId("minimap"), this.diagram);
    this.sql = new SqlPanel({
      onCursor: (script, offset) => this.#chooseInSql(script, offset),
      onPoint: (script, offset, event, problem) => this.#pointInSql(script, offset, event, problem),
      onEdit: () => this.served?.editor?.edited(),
    });
    this.details = new DetailsPanel({
      choose: (thing) => this.choose(thing),
      close: () => this.choose(null),
      showPlaces: (places, strong) => this.sql.light(places, { strong }),
      point: (thing) => this.#pointAt(thing),
      actions: (thing) => this.served?.actions(thing) ?? null,
      facts: (thing) => this.served?.facts(thing) ?? null,
      statementText: (process) => this.served?.statementText(process) ?? null,
    });
    this.list = new ListView({ choose: (thing) => this.choose(thing) });
    this.search = new SearchBox({
      find: (text) => {
        this.index ??= new SearchIndex(this.lineage);
        return this.index.find(text, (thing) => this.graph.shows(thing));
      },
      choose: (thing) => this.choose(thing),
    });
    this.controls = new Controls({
      change: (part) => this.change(part),
      exportAs: (format) => this.#export(format),
    });
    this.bar = new TraceBar({ change: (part) => this.change(part), clear: () => this.choose(null) });
    this.frame = new PageFrame(this);
    /** @type {ServedPage | null} */
    this.served = null;
    addEventListener("popstate", () => this.#followAddress());
    addEventListener("hashchange", () => this.#followAddress());
  }

  async start() {
    const data = JSON.parse(byId("lineage-data").textContent);
    if (data.server === true) {
      this.served = new ServedPage(this);
      await this.served.start();
      return;
    }
    await this.load(new LineageDocument(data));
  }

  // --- loading ------------------------------------------------------------------------------------------------------

  /**
   * @param {LineageDocument} lineage
   * @param {{focus?: string | null, object?: string | null, sql?: boolean}} options  what to choose and which object of
   *     the store it is, instead of what the address says; and whether the document has its own SQL
   */
  load(lineage, { focus = null, object = null, sql = true } = {}) {
    this.lineage = lineage;
    this.index = null;
    this.places = new PlaceIndex(lineage);
    this.opened = new Set();
    this.wire = null;
    /** The level to go back to, after a column was looked at. */
    this.before = null;
    this.#keys = { graph: "", scene: "" };
    this.initial = initialState(lineage.opens);
    if (this.initial.level === "complete" && !lineage.hasComplete) this.initial.level = "column";
    if (lineage.levels.column.length === 0 && lineage.levels.table.length > 0) this.initial.level = "table";
    this.#collapseLarge();
    this.state = readAddress(location.hash, this.initial);
    if (focus !== null && focus !== this.state.focus) Object.assign(this.state, { focus, only: false, depth: 0, open: [] });
    this.state.object = object ?? undefined;
    if (this.state.level === "complete" && !lineage.hasComplete) this.state.level = this.initial.level;
    this.selected = findFocus(lineage, this.state.focus);
    byId("title").textContent = lineage.title;
    document.title = lineage.title;
    if (sql) this.sql.show(lineage);
    const withSql = lineage.hasText || lineage.problems.length > 0 || this.served !== null;
    document.body.classList.toggle("no-sql", !withSql);
    if (this.served !== null) this.#remember();
    return this.update({ fit: true });
  }

  /**
   * More cards than people can look at open as tables, put away by schema; and statements stand between tables from the
   * start only where they are few.
   */
  #collapseLarge() {
    const { lineage, initial } = this;
    const tables = entitiesOnLevel(lineage, "table");
    const shown = initial.level === "table" ? tables : entitiesOnLevel(lineage, initial.level);
    initial.processes = new Set(lineage.levels.table.map((row) => row[3])).size <= MOST_STATEMENTS;
    if (initial.level === "column" && shown > MOST_WITH_COLUMNS && tables > 0) initial.level = "table";
    if (shown > MOST_CARDS) Object.assign(initial, { level: "table", grouped: tables > MOST_CARDS ? true : null });
  }

  // --- state --------------------------------------------------------------------------------------------------------

  /** Change a part of the state, the address and the page. */
  change(part) {
    const before = this.state;
    this.state = { ...before, ...part };
    if ("level" in part || "grouped" in part) this.opened.clear();
    if ("level" in part || "columns" in part) this.before = null;
    if ("grouped" in part) this.state.open = [];
    this.#remember();
    const keep = Object.keys(part).every((key) => ["depth", "direction", "view"].includes(key)) && !this.state.only;
    return this.update({ fit: !keep });
  }

  #remember() {
    const hash = writeAddress(this.state, this.initial);
    const address = `${location.pathname}${location.search}${hash ? `#${hash}` : ""}`;
    if (location.hash.replace(/^#/, "") !== hash) history.pushState(null, "", address);
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
    this.tooltip.hide();
    const withProcesses = state.processes && !this.grouped;
    const graphKey = JSON.stringify([state.level, withProcesses, ...Object.keys(SWITCH_DEFAULTS).map((name) => state[name])]);
    if (graphKey !== this.#keys.graph) {
      this.graph = new LevelGraph(lineage, state, withProcesses);
      this.#keys.graph = graphKey;
      this.wire = null;
    }
    this.trace = this.#traceChosen();
    // Before the picture, because an open panel takes room from it.
    this.#updateDetails();
    await this.#updateScene(fit);
    this.diagram.light(this.trace);
    this.#updateWords();
  }

  #traceChosen() {
    if (this.wire !== null) {
      const edges = this.wire.edges;
      const nodes = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
      return { nodes, edges: new Set(edges.map((edge) => edge.index)), up: new Map(), down: new Map(), seeds: new Set() };
    }
    if (this.selected === null) return null;
    const seeds = this.graph.nodesOf(this.selected);
    return seeds.size === 0 ? null : this.graph.trace(seeds, this.state.depth, this.state.direction);
  }

  async #updateScene(fit) {
    const { state } = this;
    const only = state.only && this.trace !== null && this.wire === null ? this.trace.nodes : null;
    const sceneKey = JSON.stringify([
      this.#keys.graph,
      this.grouped,
      state.open,
      [...this.opened],
      only === null ? null : [...only].sort().join(),
    ]);
    if (sceneKey === this.#keys.scene) return;
    this.#asked += 1;
    const asked = this.#asked;
    const scene = buildScene(this.graph, {
      grouped: this.grouped,
      open: new Set(state.open),
      opened: this.opened,
      only,
    });
    this.#keys.scene = sceneKey;
    const busy = setTimeout(() => {
      byId("busy").hidden = false;
    }, 250);
    await this.layout.arrange(scene);
    clearTimeout(busy);
    byId("busy").hidden = true;
    if (asked !== this.#asked) return;
    this.diagram.show(this.graph, scene);
    this.controls.legend(scene);
    this.#showEmpty(scene);
    if (fit || !this.looked) this.#look();
    this.looked = true;
  }

  /** The whole picture, or what is lit in it; when that would be too small to read, what is chosen. */
  #look(animate = false) {
    const { diagram, trace } = this;
    if (trace === null || this.wire !== null) diagram.fit(animate);
    else diagram.fitNodes(trace.nodes, trace.seeds, animate);
  }

  #updateDetails() {
    const { lineage, graph, trace } = this;
    if (this.wire !== null) this.details.showWire(lineage, graph, this.wire);
    else if (this.selected !== null && trace !== null) this.details.showThing(lineage, graph, this.#shown, trace);
    else this.details.hide();
  }

  #updateWords() {
    const { state, lineage, graph, trace } = this;
    this.controls.update(state, lineage, {
      grouped: this.grouped,
      initial: this.initial,
      formats: this.served?.formats ?? [],
    });
    byId("frame").hidden = state.view !== "diagram";
    byId("list").hidden = state.view !== "list";
    if (state.view === "list") this.list.show(lineage, graph, trace);
    this.bar.show(state, {
      name: this.#chosenName(),
      reached: this.#reached(),
      scene: this.diagram.scene,
      graph,
      grouped: this.grouped,
      truncated: lineage.truncated,
      isWire: this.wire !== null,
      isNear: detailAt(this.diagram.viewport.zoom) === "rows",
    });
    this.frame.mark();
  }

  /** What is chosen, as the level knows it: where there are no columns, the table. */
  get #shown() {
    const thing = this.selected;
    return thing !== null && "entity" in thing && !this.graph.withColumns ? thing.entity : thing;
  }

  #chosenName() {
    if (this.trace === null) return null;
    if (this.wire !== null) {
      const { edges, from, to } = this.wire;
      return `${endName(this.graph, edges[0].from, from)} → ${endName(this.graph, edges[0].to, to)}`;
    }
    const thing = this.#shown;
    if ("hash" in thing) return processLine(thing);
    return "entity" in thing ? `${thing.entity.label}.${thing.system ? "rows" : thing.label}` : thing.label;
  }

  #reached() {
    if (this.trace === null) return 0;
    return new Set([...this.trace.nodes].map((node) => this.graph.entityOf(node)).filter((entity) => entity !== null)).size;
  }

  #showEmpty(scene) {
    const box = byId("empty");
    box.hidden = scene.cards.length > 0;
    if (scene.cards.length > 0) return;
    const { lineage, state } = this;
    const nothing = lineage.entities.length === 0;
    const problems = lineage.problems.length;
    const words = nothing
      ? this.served !== null && problems === 0
        ? ["Nothing to show yet", "Paste SQL on the left, open a file, or choose a table of the store."]
        : ["No lineage was found", problems > 0 ? `${counted(problems, "problem")} in the SQL; see the list below it.` : "The scripts read and write no tables."]
      : ["Nothing is shown on this level", "Another level, or a switch under Show, may show more."];
    replaceContent(
      box,
      element("h2", {}, words[0]),
      element("p", {}, words[1]),
      !nothing &&
        lineage.hasComplete &&
        state.level !== "complete" &&
        element("button.primary", { type: "button", onclick: () => this.change({ level: "complete" }) }, "Show every step"),
    );
  }

  // --- choosing -----------------------------------------------------------------------------------------------------

  /**
   * @param {Column | Entity | Process | null} thing
   * @param {{reveal?: boolean, scroll?: boolean}} options
   */
  async choose(thing, { reveal = true, scroll = true } = {}) {
    this.wire = null;
    this.selected = thing;
    const part = { focus: thing === null ? "" : focusOf(thing) };
    if (thing === null) this.#letGo(part);
    else this.#makeVisible(thing, part);
    const before = this.state;
    this.state = { ...before, ...part };
    this.#remember();
    const changed = ["level", "only", "columns"].some((key) => key in part && part[key] !== before[key]);
    await this.update({ fit: changed });
    this.#lightInSql(scroll);
    if (thing === null) return;
    if (reveal && this.state.view === "diagram") this.#look(true);
    if (reveal && document.body.dataset.tab === "details") this.frame.openTab(this.state.view);
    announce(this.#summary());
  }

  /** Back to the whole picture, on the level on which it was left to look at a column. */
  #letGo(part) {
    part.only = false;
    if (this.before !== null) Object.assign(part, this.before);
    this.before = null;
  }

  /** The level that has the thing; and by itself where it would be put away in a schema or lost among many. */
  #makeVisible(thing, part) {
    const { lineage, graph } = this;
    if (!graph.shows(thing)) {
      if (!lineage.hasComplete) return;
      Object.assign(part, { level: "complete", recordset: true, function: true });
      return;
    }
    if (this.state.only) return;
    const isColumn = "entity" in thing;
    if (isColumn && !graph.withColumns && lineage.levels.column.length > 0) {
      this.before ??= { level: this.state.level, columns: this.state.columns };
      Object.assign(part, { level: this.state.level === "table" ? "column" : this.state.level, columns: true });
    }
    const [node] = graph.nodesOf(thing);
    const isPutAway = this.grouped && (this.diagram.scene.cardOf.get(node)?.group ?? null) !== null;
    const isLost = "level" in part && graph.entities.size > MOST_WITH_COLUMNS;
    if (isPutAway || isLost) this.#showAlone(thing, part);
  }

  /** Only the lineage of a thing, as far as that is not too much. */
  #showAlone(thing, part) {
    const graph = "level" in part ? new LevelGraph(this.lineage, { ...this.state, ...part }, false) : this.graph;
    const seeds = graph.nodesOf(thing);
    part.only = true;
    for (const depth of [0, 3, 2, 1]) {
      part.depth = depth;
      const reached = graph.trace(seeds, depth, this.state.direction).nodes;
      if (new Set([...reached].map((each) => graph.entityOf(each))).size <= MOST_ALONE) break;
    }
  }

  async chooseWire(wire) {
    this.wire = wire;
    this.selected = null;
    this.state = { ...this.state, focus: "" };
    this.#remember();
    await this.update();
    const statements = wire.edges.map((edge) => edge.process?.place ?? null).filter((place) => place !== null);
    const [statement] = statements;
    const ends = placesOfEdges(this.graph, wire.edges).filter(
      (place) => statement !== undefined && place[0] === statement[0] && place[1] >= statement[1] && place[2] <= statement[2],
    );
    this.sql.light(statements.slice(0, 1), { strong: ends });
  }

  #summary() {
    if (this.trace === null) return "";
    const count = (map) => new Set([...map.keys()].map((node) => this.graph.entityOf(node)).filter(Boolean)).size;
    return `${this.#chosenName()}: ${counted(count(this.trace.up), "object")} upstream, ${counted(count(this.trace.down), "object")} downstream`;
  }

  #lightInSql(scroll) {
    const places = this.selected === null ? [] : placesOf(this.selected);
    if (this.selected !== null && "hash" in this.selected) this.sql.light(places, { scroll });
    else this.sql.light([], { strong: places, scroll });
  }

  #thingsInSql(script, offset) {
    const things = this.places.at(script, offset);
    return things.filter((thing) => this.graph.nodesOf(thing).size > 0);
  }

  #isTextOfPicture(script) {
    return this.lineage.scripts[script]?.text === this.sql.text;
  }

  #chooseInSql(script, offset) {
    if (!this.#isTextOfPicture(script)) return;
    const [thing] = this.#thingsInSql(script, offset);
    if (thing !== undefined) {
      if (thing !== this.selected) this.choose(thing, { scroll: false });
      return;
    }
    const process = this.places.processAt(script, offset);
    if (process !== null) this.diagram.point(this.graph.nodesOf(process));
  }

  #pointInSql(script, offset, event, problem = null) {
    if (problem !== null) {
      this.tooltip.show([element("div.tip-title", {}, problem.type), element("div.tip-line", {}, problem.message)], event);
    } else this.tooltip.hide();
    if (offset === null || !this.#isTextOfPicture(script)) {
      this.diagram.point(new Set());
      return;
    }
    const [thing] = this.#thingsInSql(script, offset);
    this.diagram.point(thing === undefined ? new Set() : this.graph.nodesOf(thing));
  }

  #pointAt(thing) {
    this.diagram.point(thing === null ? new Set() : this.graph.nodesOf(thing));
    this.sql.point(thing === null ? [] : placesOf(thing));
  }

  #hover(what, event) {
    if (what === null) {
      this.tooltip.hide();
      this.sql.point([]);
      return;
    }
    if (what.wire) {
      this.tooltip.show(tooltipOfWire(this.lineage, this.graph, what.wire), event);
      const process = what.wire.edges[0].process;
      this.sql.point(process === null ? [] : placesOf(process));
      return;
    }
    const thing = what.row?.node ? this.graph.thing(what.row.node) : (what.card.entity ?? what.card.process);
    if (thing === null) {
      this.tooltip.show([element("div.tip-title", {}, what.card.title), element("div.tip-line", {}, what.card.caption)], event);
      return;
    }
    this.tooltip.show(tooltipOfThing(this.lineage, thing), event);
    this.sql.point(placesOf(thing));
  }

  // --- files --------------------------------------------------------------------------------------------------------

  async #export(format) {
    const name = this.lineage.title.replace(/[^\w.-]+/g, "_").slice(0, 80) || "lineage";
    if (["png", "svg"].includes(format) && this.diagram.scene.cards.length > MOST_CARDS) {
      toast("Drawing a large picture…");
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    try {
      if (format === "png") saveFile(`${name}.png`, await pictureAsPng(this.diagram));
      else if (format === "svg") {
        saveFile(`${name}.svg`, new Blob([pictureAsSvg(this.diagram).text], { type: "image/svg+xml" }));
      } else if (format === "json") {
        const text = `${JSON.stringify(jsonOfLevel(this.lineage, this.state), null, 2)}\n`;
        saveFile(`${name}.${this.state.level}.json`, new Blob([text], { type: "application/json" }));
      } else if (format === "csv") {
        saveFile(`${name}.csv`, new Blob([csvOfLevel(this.lineage, this.state)], { type: "text/csv" }));
      } else {
        const file = await this.served.exportFile(format.replace("server:", ""));
        saveFile(file.name, file.blob);
      }
    } catch (error) {
      toast(error.message);
    }
  }

  // --- the address --------------------------------------------------------------------------------------------------

  #followAddress() {
    if (this.initial === undefined || writeAddress(this.state, this.initial) === location.hash.replace(/^#/, "")) return;
    const object = this.state.object;
    this.state = readAddress(location.hash, this.initial);
    if (this.served !== null && this.state.object !== undefined && this.state.object !== object) {
      this.served.openObject(this.state.object, this.state.focus || null);
      return;
    }
    this.selected = findFocus(this.lineage, this.state.focus);
    this.wire = null;
    this.update({ fit: true }).then(() => this.#lightInSql(true));
  }
}

const application = new Application();
/** For scripts and tests that drive the page. */
window.lineagePage = {
  ready: application.start().catch((error) => {
    replaceContent(byId("empty"), element("h2", {}, "The page cannot be shown"), element("p", {}, error.message));
    byId("empty").hidden = false;
    throw error;
  }),
  state: () => ({ ...application.state }),
  scene: () => ({ cards: application.diagram.scene.cards.length, wires: application.diagram.scene.wires.length }),
  /** Any document under any switches, as the page's JSON export writes it. */
  json: (raw, switches) => jsonOfLevel(new LineageDocument(raw), initialState(switches)),
};
