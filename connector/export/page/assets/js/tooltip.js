// What one points at, in a few words beside the pointer.

import { element, replaceContent, thoseThere } from "./elements.js";
import { expressionCode, expressionsOf, expressionsOfColumn } from "./expressions.js";
import { endName, processLine, processWords } from "./labels.js";
import { clauseWords, RELATION_WORDS } from "./names.js";

/**
 * @import { Column, Entity, LineageDocument, Process } from "./document.js"
 * @import { Wire } from "./scene.js"
 * @import { LevelGraph } from "./trace.js"
 */

export class Tooltip {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.timer = 0;
  }

  /**
   * @param {Node[]} content
   * @param {{clientX: number, clientY: number}} at
   */
  show(content, at) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      replaceContent(this.box, ...content);
      this.box.hidden = false;
      const { offsetWidth, offsetHeight } = this.box;
      const left = at.clientX + 16 + offsetWidth > innerWidth ? at.clientX - offsetWidth - 12 : at.clientX + 16;
      const top = Math.min(at.clientY + 14, innerHeight - offsetHeight - 8);
      this.box.style.left = `${Math.max(6, left)}px`;
      this.box.style.top = `${Math.max(6, top)}px`;
    }, 120);
  }

  hide() {
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
}

/**
 * The card of an entity, a column or a process.
 * @param {LineageDocument} lineage
 * @param {LevelGraph} graph
 * @param {Column | Entity | Process} thing
 * @returns {Node[]}
 */
export function tooltipOfThing(lineage, graph, thing) {
  if ("hash" in thing) {
    return thoseThere([
      element("div.tip-title", {}, thing.type),
      element("div.tip-line", {}, processLine(thing)),
      snippetOf(lineage, thing),
    ]);
  }
  const entity = "entity" in thing ? thing.entity : thing;
  const name = "entity" in thing ? (lineage.qualifiedColumn(thing) ?? `${entity.name}.${thing.label}`) : (entity.qualifiedName ?? entity.name);
  const kind = "entity" in thing ? (thing.system ? "rows" : "column") : entity.kind;
  const writers = entity.processes;
  const type = "entity" in thing && thing.dataType ? ` · ${thing.dataType}` : "";
  return thoseThere([
    element("div.tip-title", {}, name),
    element("div.tip-line", {}, `${kind}${type}${"entity" in thing ? ` of ${entity.kind} ${entity.label}` : ""}`),
    thing.comment !== null && element("div.tip-comment", {}, shortened(thing.comment)),
    ..."entity" in thing ? expressionsOfColumn(graph, thing).slice(0, 2).map(({ text }) => expressionCode(shortened(text), "tip-code")) : [],
    writers.length > 0 && element("div.tip-line", {}, `written by ${processWords(writers)}`),
    writers.length > 0 && snippetOf(lineage, writers[0]),
  ]);
}

/**
 * The card of a wire.
 * @param {LineageDocument} lineage
 * @param {LevelGraph} graph
 * @param {Wire} wire
 * @returns {Node[]}
 */
export function tooltipOfWire(lineage, graph, wire) {
  const edge = wire.edges[0];
  const clauses = [...new Set(wire.edges.map((each) => clauseWords(each.clause)).filter(Boolean))];
  const processes = [...new Set(wire.edges.map((each) => each.process).filter((process) => process !== null))];
  const relation = [RELATION_WORDS[wire.type] ?? wire.type, ...clauses].join(" · ");
  return thoseThere([
    element("div.tip-title", {}, `${endName(graph, edge.from, wire.from)} → ${endName(graph, edge.to, wire.to)}`),
    element("div.tip-line", {}, element(`span.badge.type-${wire.type}`, {}, relation)),
    edge.condition !== null && element("code.tip-code", {}, edge.condition),
    ...expressionsOf(wire.edges).slice(0, 2).map(({ text }) => expressionCode(shortened(text), "tip-code")),
    processes.length > 0 && element("div.tip-line", {}, processWords(processes)),
    processes.length > 0 && snippetOf(lineage, processes[0]),
  ]);
}

/**
 * A tooltip is no place for a long text.
 * @param {string} text
 */
function shortened(text) {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/**
 * The first lines of a statement.
 * @param {LineageDocument} lineage
 * @param {Process} process
 */
function snippetOf(lineage, process) {
  const text = lineage.statementText(process);
  if (text === null) return null;
  const lines = text.trim().slice(0, 600).split("\n");
  const shown = lines.slice(0, 5).map((line) => (line.length > 90 ? `${line.slice(0, 90)}…` : line));
  if (lines.length > 5) shown.push("…");
  return element("pre.tip-code", {}, shown.join("\n"));
}
