// What people call the steps of a statement: `sum`, `recent`, "select, line 8", where the model numbers them.

import { isResultset } from "./levels.js";
import { unquote } from "./names.js";

/**
 * @import { Entity, LineageDocument } from "./document.js"
 */

/** @type {Record<string, string>} */
const STEP_WORDS = {
  select_list: "select",
  select_union: "union",
  with_cte: "CTE",
  function: "function",
  pivot_table: "pivot",
  unpivot_table: "unpivot",
  "insert-select": "insert",
  "update-set": "update",
  "update-select": "update",
};

/** @param {Entity} entity */
function stepWord({ type }) {
  return STEP_WORDS[type] ?? type.replaceAll(/[_-]/g, " ");
}

/**
 * Give the steps of a document names that say what they are and where.
 * @param {LineageDocument} lineage
 */
export function nameSteps(lineage) {
  for (const entity of lineage.entities) {
    if (!isResultset(entity)) continue;
    const line = entity.place === null ? "" : `, line ${lineage.line(entity.place)}`;
    const where = `${stepWord(entity)}${line}`;
    const name = ownName(entity);
    entity.label = name ?? where;
    entity.step = name === null ? "" : where;
  }
}

/**
 * The function, the CTE, the alias; null for a step that the statement does not name.
 * @param {Entity} entity
 */
function ownName(entity) {
  if (entity.kind === "function") return entity.columns.find((column) => !column.system)?.label ?? null;
  if (entity.alias) return unquote(entity.alias);
  const cte = /^CTE-(.+)-\d+$/.exec(entity.name);
  return cte === null ? null : cte[1].toLowerCase();
}
