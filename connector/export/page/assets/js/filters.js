// Which tables and statements are left out of all levels: by schema, kind, user and time.

import { isResultset } from "./levels.js";

/**
 * @import { Entity, Process } from "./document.js"
 */

/**
 * @typedef {{schemas: string[], kinds: string[], user: string, since: string}} Filter  schemas and kinds that are hidden;
 *     statements of one user alone, and none that were last seen before a day
 */

/** @type {Filter} */
export const NO_FILTER = { schemas: [], kinds: [], user: "", since: "" };

/** @param {Filter} filter */
export function isFiltering({ schemas, kinds, user, since }) {
  return schemas.length + kinds.length > 0 || user !== "" || since !== "";
}

/**
 * @param {Filter} filter
 * @returns {{entity(entity: Entity): boolean, process(process: Process | null): boolean}}
 */
export function filterOf({ schemas, kinds, user, since }) {
  const [hiddenSchemas, hiddenKinds] = [new Set(schemas), new Set(kinds)];
  return {
    entity: (entity) => isResultset(entity) || (!hiddenSchemas.has(entity.group) && !hiddenKinds.has(entity.kind)),
    process: (process) => {
      if (user !== "" && !(process?.users.includes(user) ?? false)) return false;
      return since === "" || (process?.lastSeen ?? "") >= since;
    },
  };
}
