// The lineage as a tree of text: what each statement writes, and from what. The same text that `analyze --format text` writes.

import { columnLevel, completeLevel, statementsOf, tableLevel } from "./levels.js";
import { getOrAdd } from "./maps.js";
import { counted, unquote } from "./names.js";

/**
 * @import { Column, Entity, LineageDocument, Process } from "./document.js"
 * @import { Switches } from "./levels.js"
 * @typedef {{text: string, children: Branch[]}} Branch
 * @typedef {{source: Column, target: Column, type: string, note: string | null}} Flow_
 */

/** @type {Record<string, string>} */
const ARROWS = { fdd: "<-", fdr: "<~", join: "--", er: "--", call: "<=" };

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {(source: any, target: any) => boolean} isChosen  the relations to be written
 * @returns {string}
 */
export function treeOfLevel(lineage, switches, isChosen = (_source, _target) => true) {
  const trees = switches.level === "table" ? tableTrees(lineage, switches, isChosen) : columnTrees(lineage, switches, isChosen);
  const lines = trees.flatMap((tree) => [tree.text, ...branchLines(tree.children, "")]);
  if (lines.length === 0) lines.push("no lineage");
  return `${[...lines, ...problemLines(lineage)].join("\n")}\n`;
}

/**
 * @param {Branch[]} branches
 * @param {string} margin
 * @returns {string[]}
 */
function branchLines(branches, margin) {
  return branches.flatMap(({ text, children }, at) => {
    const last = at === branches.length - 1;
    return [`${margin}${last ? "└─ " : "├─ "}${text}`, ...branchLines(children, margin + (last ? "   " : "│  "))];
  });
}

/**
 * @param {string} text
 * @param {Branch[]} [children]
 * @returns {Branch}
 */
function branch(text, children = []) {
  return { text, children };
}

/**
 * @param {LineageDocument} lineage
 * @param {Process | null} process
 * @param {number} count
 */
function statementLine(lineage, process, count = 1) {
  if (process === null) return "(no statement)";
  const words = [];
  if (process.place !== null) {
    const { name } = lineage.scripts[process.place[0]];
    if (name) words.push(name);
    words.push(`line ${lineage.line(process.place)}`);
  } else if (process.origin !== null) words.push(process.origin);
  if (process.procedure !== "batchQueries") words.push(`in ${process.procedure}`);
  if (process.approximate) words.push("tables only");
  if (count > 1) words.push(counted(count, "time"));
  return words.length > 0 ? `${process.type}  ${words.join(", ")}` : process.type;
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {(source: Entity, target: Entity) => boolean} isChosen
 */
function tableTrees(lineage, switches, isChosen) {
  /** @type {Map<Process | null, Map<Entity, Branch[]>>} */
  const written = new Map();
  const counts = new Map();
  for (const { type, source, target, process, count } of tableLevel(lineage, switches)) {
    if (!isChosen(source, target)) continue;
    counts.set(process, Math.max(count, counts.get(process) ?? 1));
    const targets = getOrAdd(written, process, () => new Map());
    getOrAdd(targets, target, () => []).push(branch(`${ARROWS[type]} ${source.name}`));
  }
  const trees = [...written].map(([process, targets]) =>
    branch(statementLine(lineage, process, counts.get(process)), [...targets].map(([entity, sources]) => branch(entity.name, sources))),
  );
  const shown = new Set([...written.keys()].map((process) => process?.hash));
  for (const [at, inputs, outputs] of statementsOf(lineage, switches)) {
    const process = lineage.processes[at];
    const [reads, writes] = [inputs, outputs].map((ends) => ends.map((each) => lineage.entities[each]));
    const isLookedThrough = writes.length > 0 && writes.every((entity) => entity.temporary);
    if (shown.has(process.hash) || isLookedThrough || ![...reads, ...writes].every((entity) => isChosen(entity, entity))) continue;
    const ends = [...writes.map((entity) => branch(`writes ${entity.name}`)), ...reads.map((entity) => branch(`reads ${entity.name}`))];
    trees.push(branch(statementLine(lineage, process), ends));
  }
  return trees;
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {(source: Column, target: Column) => boolean} isChosen
 */
function columnTrees(lineage, switches, isChosen) {
  /** @type {Map<Process | null, Flow_[]>} */
  const written = new Map();
  const counts = new Map();
  /**
   * @param {{type: string, process: Process | null, clause: string | null, condition: string | null, count?: number}} relation
   * @param {Column} source
   * @param {Column} target
   */
  const add = ({ type, process, clause, condition, count = 1 }, source, target) => {
    if (!isChosen(source, target)) return;
    counts.set(process, Math.max(count, counts.get(process) ?? 1));
    getOrAdd(written, process, () => []).push({ source, target, type, note: type === "join" ? condition : clause });
  };
  if (switches.level === "column") for (const edge of columnLevel(lineage, switches)) add(edge, edge.source, edge.target);
  else {
    for (const relation of completeLevel(lineage, switches).relations) {
      for (const source of relation.sources) add(relation, source, relation.target);
    }
  }
  return [...written].map(([process, flows]) => branch(statementLine(lineage, process, counts.get(process)), targetBranches(flows)));
}

/**
 * Target entity, its columns, and under each of them where it comes from; joins are a branch of their own.
 * @param {Flow_[]} flows
 */
function targetBranches(flows) {
  /** @type {Map<Entity, Map<Column, Branch[]>>} */
  const entities = new Map();
  const joins = [];
  /** @param {Column} column */
  const named = (column) => `${column.entity.name}.${unquote(column.name)}`;
  for (const { source, target, type, note } of flows) {
    const remark = note ? `  (${note})` : "";
    if (type === "join" || type === "er") {
      joins.push(branch(`${named(source)} ${ARROWS[type]} ${named(target)}${remark}`));
      continue;
    }
    const columns = getOrAdd(entities, target.entity, () => new Map());
    getOrAdd(columns, target, () => []).push(branch(`${ARROWS[type] ?? "<-"} ${named(source)}${remark}`));
  }
  const trees = [...entities].map(([entity, columns]) =>
    branch(entity.name, [...columns].map(([column, sources]) => branch(unquote(column.name), sources))),
  );
  return joins.length > 0 ? [...trees, branch("joins", joins)] : trees;
}

/** @param {LineageDocument} lineage */
function problemLines(lineage) {
  return lineage.problems.map(({ type, message, place, file }) => {
    if (place === null) return `${type}  ${file}  ${message}`;
    const [line, column] = lineage.position(place[0], place[1]);
    return `${type}  ${file ? `${file}:${line}:${column}` : `line ${line}, column ${column}`}  ${message}`;
  });
}
