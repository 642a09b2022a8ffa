// The whole document in figures: what there is, where data begins and ends, what matters most, what went wrong.

import { byId, element, replaceContent, thoseThere } from "./elements.js";
import { kindIcon } from "./kind_icons.js";
import { timeWords, withSchema } from "./labels.js";
import { isResultset, tableLevel } from "./levels.js";
import { getOrAdd } from "./maps.js";
import { counted, RELATION_WORDS } from "./names.js";
import { shortList } from "./short_list.js";

/**
 * @import { Entity, LineageDocument } from "./document.js"
 * @import { State } from "./address.js"
 * @import { LevelGraph } from "./trace.js"
 */

const KIND_PLURALS = {
  table: "tables",
  view: "views",
  path: "paths",
  stage: "stages",
  variable: "variables",
  procedure: "routines",
  resultset: "intermediate results",
  function: "functions",
};

/** As many of the most used objects are listed. */
const MOST_USED = 10;

export class SummaryView {
  /** @param {{choose(thing: any): void, showProblem(problem: any): void, filterSchema(schema: string): void}} listener */
  constructor(listener) {
    this.box = byId("summary");
    this.listener = listener;
  }

  /**
   * @param {LineageDocument} lineage
   * @param {LevelGraph} graph  of the level on show
   * @param {State} state
   */
  show(lineage, graph, state) {
    const reach = tableReach(lineage, state);
    replaceContent(
      this.box,
      element(
        "div.list-head",
        {},
        element("h2", {}, "Summary"),
        element("p.list-count", {}, [lineage.vendor?.replace(/^dbv/, ""), periodOf(lineage)].filter(Boolean).join(" · ")),
      ),
      this.#figures(lineage, graph),
      element(
        "div.summary-parts",
        {},
        this.#objects("Sources", "Nothing here feeds them", reach.filter(({ up, down }) => up === 0 && down > 0)),
        this.#objects("Final targets", "Nothing here uses them", reach.filter(({ up, down }) => up > 0 && down === 0)),
        this.#objects("Most used", "Objects with the most others downstream", mostUsed(reach), "down"),
        this.#counts("Statements", statementTypes(lineage)),
        this.#schemas(lineage),
        this.#counts("Relations on this level", relationTypes(graph)),
        this.#counts("Users", users(lineage)),
        this.#problems(lineage),
      ),
    );
  }

  /**
   * @param {LineageDocument} lineage
   * @param {LevelGraph} graph
   */
  #figures(lineage, graph) {
    const kinds = new Map();
    for (const { kind } of lineage.entities) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const columns = lineage.entities.reduce((sum, entity) => sum + (isResultset(entity) ? 0 : entity.columns.filter((column) => !column.system).length), 0);
    const errors = lineage.problems.filter((problem) => problem.type !== "Note").length;
    const figures = thoseThere([
      lineage.scripts.length > 0 && [lineage.scripts.length, lineage.scripts.length === 1 ? "script" : "scripts"],
      [lineage.processes.length, lineage.processes.length === 1 ? "statement" : "statements"],
      ...Object.entries(KIND_PLURALS).map(([kind, words]) => kinds.has(kind) && [kinds.get(kind), kinds.get(kind) === 1 ? words.replace(/s$/, "") : words]),
      columns > 0 && [columns, columns === 1 ? "column" : "columns"],
      [graph.edges.length, "relations on this level"],
      [errors, errors === 1 ? "error" : "errors"],
    ]);
    return element(
      "dl.figures",
      {},
      ...figures.map(([number, words]) =>
        element(`div.figure${words.startsWith("error") && number > 0 ? ".figure-bad" : ""}`, {}, element("dd", {}, Number(number).toLocaleString("en")), element("dt", {}, words)),
      ),
    );
  }

  /**
   * @param {string} title
   * @param {string} hint
   * @param {number | null} count
   * @param {...Node} content
   */
  #part(title, hint, count, ...content) {
    return element(
      "section.summary-part",
      {},
      element("h3", {}, title, count !== null && element("span.count", {}, String(count))),
      hint !== "" && element("p.quiet", {}, hint),
      ...content,
    );
  }

  /**
   * @param {string} title
   * @param {string} hint
   * @param {Reach[]} found
   * @param {"down" | null} figure
   */
  #objects(title, hint, found, figure = null) {
    if (found.length === 0) return null;
    const items = found.map(({ entity, down }) =>
      element(
        "li.owner",
        {},
        element(
          "div.owner-line",
          {},
          kindIcon(entity.kind),
          element("button.link", { type: "button", title: entity.qualifiedName, onclick: () => this.listener.choose(entity) }, withSchema(entity)),
          figure !== null && element("span.quiet", {}, String(down)),
        ),
        entity.comment !== null && element("div.quiet.run-facts", {}, entity.comment),
      ),
    );
    return this.#part(title, hint, figure === null ? found.length : null, shortList(items, "object", 20));
  }

  /**
   * @param {[string, number][]} counts
   * @param {string} title
   */
  #counts(title, counts) {
    if (counts.length === 0) return null;
    const items = counts.map(([words, count]) => element("li", {}, element("div.owner-line", {}, element("span", {}, words), element("span.quiet", {}, count.toLocaleString("en")))));
    return this.#part(title, "", null, shortList(items, "row", 20));
  }

  /** @param {LineageDocument} lineage */
  #schemas(lineage) {
    const groups = new Map();
    for (const entity of lineage.entities) if (!isResultset(entity) && entity.kind !== "variable") groups.set(entity.group, (groups.get(entity.group) ?? 0) + 1);
    if (groups.size < 2) return null;
    const items = sorted(groups).map(([group, count]) =>
      element(
        "li",
        {},
        element(
          "div.owner-line",
          {},
          element("button.link", { type: "button", title: `Show ${group} only`, onclick: () => this.listener.filterSchema(group) }, group),
          element("span.quiet", {}, counted(count, "object")),
        ),
      ),
    );
    return this.#part("Schemas", "", groups.size, shortList(items, "schema", 20));
  }

  /** @param {LineageDocument} lineage */
  #problems(lineage) {
    const { problems } = lineage;
    if (problems.length === 0) return null;
    const items = problems.map((problem) =>
      element(
        "li.owner",
        {},
        element(
          "button.problem",
          { type: "button", onclick: () => this.listener.showProblem(problem) },
          element("span.problem-place", {}, `${problem.type}${problem.file ? ` ${problem.file.split("/").at(-1)}` : ""}${problem.place === null ? "" : `:${lineage.line(problem.place)}`}`),
          element("span", {}, problem.message),
        ),
      ),
    );
    return this.#part("Problems", "What was not understood, and therefore may be missing", problems.length, shortList(items, "problem", 20));
  }
}

/** @typedef {{entity: Entity, up: number, down: number}} Reach  how many objects feed it and are fed by it, at any distance */

/** More tables than this are counted by their neighbours alone: walking from each of them would take seconds. */
const MOST_WALKED = 1500;

/**
 * @param {LineageDocument} lineage
 * @param {State} state
 * @returns {Reach[]}
 */
function tableReach(lineage, state) {
  /** @type {Map<Entity, Set<Entity>>} */
  const next = new Map();
  /** @type {Map<Entity, Set<Entity>>} */
  const before = new Map();
  for (const { type, source, target } of tableLevel(lineage, { ...state, dataflow: true, impact: true })) {
    if (type === "join" || type === "er" || source === target) continue;
    getOrAdd(next, source, () => new Set()).add(target);
    getOrAdd(before, target, () => new Set()).add(source);
  }
  const entities = [...new Set([...next.keys(), ...before.keys()])];
  /**
   * @param {Entity} entity
   * @param {Map<Entity, Set<Entity>>} sides
   */
  const count = (entity, sides) => {
    const seen = new Set(sides.get(entity) ?? []);
    if (entities.length <= MOST_WALKED) for (const each of seen) for (const other of sides.get(each) ?? []) seen.add(other);
    return seen.size;
  };
  const found = entities.map((entity) => ({ entity, up: count(entity, before), down: count(entity, next) }));
  return found.sort((one, other) => withSchema(one.entity).localeCompare(withSchema(other.entity)));
}

/** @param {Reach[]} reach */
function mostUsed(reach) {
  return reach.filter(({ down }) => down > 0).sort((one, other) => other.down - one.down).slice(0, MOST_USED);
}

/**
 * @param {Map<string, number>} counts
 * @returns {[string, number][]}
 */
function sorted(counts) {
  return [...counts].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
}

/** @param {LineageDocument} lineage */
function statementTypes(lineage) {
  const types = new Map();
  for (const process of lineage.processes) types.set(process.type, (types.get(process.type) ?? 0) + 1);
  return sorted(types);
}

/** @param {LevelGraph} graph */
function relationTypes(graph) {
  const types = new Map();
  for (const { type } of graph.edges) types.set(RELATION_WORDS[type] ?? type, (types.get(RELATION_WORDS[type] ?? type) ?? 0) + 1);
  return sorted(types);
}

/** @param {LineageDocument} lineage */
function users(lineage) {
  const found = new Map();
  for (const process of lineage.processes) for (const user of process.users) found.set(user, (found.get(user) ?? 0) + 1);
  return sorted(found);
}

/**
 * From when to when the statements were seen.
 * @param {LineageDocument} lineage
 */
function periodOf(lineage) {
  const times = lineage.processes.flatMap((process) => [process.firstSeen, process.lastSeen]).filter((time) => time !== null).sort();
  return times.length === 0 ? "" : `seen ${timeWords(times[0])} to ${timeWords(times[times.length - 1])}`;
}
