// What one points at in one part of the page, marked in the others.

import { byId, element } from "./elements.js";
import { placesOf } from "./places.js";
import { Tooltip, tooltipOfThing, tooltipOfWire } from "./tooltip.js";

/**
 * @import { Application } from "./application.js"
 * @import { Column, Entity, Problem, Process } from "./document.js"
 * @import { Card, Row, Wire } from "./scene.js"
 */

export class Pointing {
  /** @param {Application} application */
  constructor(application) {
    this.application = application;
    this.tooltip = new Tooltip(byId("tooltip"));
  }

  /**
   * In the picture.
   * @param {{wire?: Wire, card?: Card, row?: Row | null} | null} what
   * @param {PointerEvent} event
   */
  inPicture(what, event) {
    const { lineage, graph, sql } = this.application;
    if (what === null) {
      this.tooltip.hide();
      sql.point([]);
      return;
    }
    if (what.wire) {
      this.tooltip.show(tooltipOfWire(lineage, graph, what.wire), event);
      const process = what.wire.edges[0].process;
      sql.point(process === null ? [] : placesOf(process));
      return;
    }
    const { card } = what;
    if (card === undefined) return;
    const thing = what.row?.node ? graph.thing(what.row.node) : (card.entity ?? card.process);
    if (thing === null) {
      this.tooltip.show([element("div.tip-title", {}, card.title), element("div.tip-line", {}, card.caption)], event);
      return;
    }
    this.tooltip.show(tooltipOfThing(lineage, graph, thing), event);
    sql.point(placesOf(thing));
  }

  /**
   * With the pointer, in the SQL.
   * @param {number} script
   * @param {number | null} offset
   * @param {PointerEvent} event
   * @param {Problem | null} problem
   */
  inSql(script, offset, event, problem = null) {
    const { diagram, graph } = this.application;
    if (problem !== null) {
      this.tooltip.show([element("div.tip-title", {}, problem.type), element("div.tip-line", {}, problem.message)], event);
    } else this.tooltip.hide();
    if (offset === null || !this.#isTextOfPicture(script)) {
      diagram.point(new Set());
      return;
    }
    const [thing] = this.#thingsInSql(script, offset);
    diagram.point(thing === undefined ? new Set() : graph.nodesOf(thing));
  }

  /**
   * With the cursor, in the SQL: that chooses what stands there.
   * @param {number} script
   * @param {number} offset
   */
  cursorInSql(script, offset) {
    const { diagram, graph, places, choice } = this.application;
    if (!this.#isTextOfPicture(script)) return;
    const [thing] = this.#thingsInSql(script, offset);
    if (thing !== undefined) {
      if (thing !== choice.thing) choice.choose(thing, { scroll: false });
      return;
    }
    const process = places.processAt(script, offset);
    if (process !== null) diagram.point(graph.nodesOf(process));
  }

  /**
   * In a list.
   * @param {Column | Entity | Process | null} thing
   */
  inList(thing) {
    const { diagram, graph, sql } = this.application;
    diagram.point(thing === null ? new Set() : graph.nodesOf(thing));
    sql.point(thing === null ? [] : placesOf(thing));
  }

  /**
   * @param {number} script
   * @param {number} offset
   */
  #thingsInSql(script, offset) {
    const { graph, places } = this.application;
    return places.at(script, offset).filter((thing) => graph.nodesOf(thing).size > 0);
  }

  /**
   * Somebody may have typed since the picture was made.
   * @param {number} script
   */
  #isTextOfPicture(script) {
    const { lineage, sql } = this.application;
    return lineage.scripts[script]?.text === sql.text;
  }
}
