// What the page hands out as text: the JSON and the CSV of the level on show, as the command line writes them.

import { columnLevel, completeLevel, isResultset, shownProcesses, statementsOf, tableLevel } from "./levels.js";
import { getOrAdd } from "./maps.js";
import { unquote } from "./names.js";

/**
 * @import { Relation } from "./contraction.js"
 * @import { Column, Entity, LineageDocument, Place, Problem, Process } from "./document.js"
 * @import { Switches } from "./levels.js"
 * @typedef {(source: any, target: any) => boolean} IsChosen  the relations to be written
 */

const NOWHERE = [
  [-1, -1, 0],
  [-1, -1, 0],
];

/**
 * @param {LineageDocument} lineage
 * @param {Place | null} place
 */
function coordinatesOf(lineage, place) {
  if (place === null) return NOWHERE;
  const [script, start, end] = place;
  return [
    [...lineage.position(script, start), script],
    [...lineage.position(script, end), script],
  ];
}

/**
 * The JSON object of the level on show.
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {IsChosen} isChosen
 */
export function jsonOfLevel(lineage, switches, isChosen = (_source, _target) => true) {
  if (switches.level === "complete") return completeJson(lineage, switches, isChosen);
  return switches.level === "column" ? columnJson(lineage, switches, isChosen) : tableJson(lineage, switches, isChosen);
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {IsChosen} isChosen
 */
function columnJson(lineage, switches, isChosen) {
  const edges = columnLevel(lineage, switches).filter((edge) => isChosen(edge.source, edge.target));
  return {
    relations: edges.map((edge) => ({
      type: edge.type,
      source: columnEnd(lineage, edge.source),
      target: columnEnd(lineage, edge.target),
      effectType: edge.effect,
      clauseType: edge.clause,
      expression: edge.expression,
      transformation: edge.transformation,
      ...processKeys(edge.process),
      count: edge.count,
      ...(edge.joinType === null ? {} : { joinType: edge.joinType }),
      ...(edge.condition === null ? {} : { condition: edge.condition }),
      ...(edge.approximate ? { approximate: true } : {}),
    })),
    processes: shownProcesses(lineage, switches, edges).map((process) => processJson(lineage, process)),
    ...problemsJson(lineage),
  };
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {IsChosen} isChosen
 */
function tableJson(lineage, switches, isChosen) {
  const edges = tableLevel(lineage, switches).filter((edge) => isChosen(edge.source, edge.target));
  return {
    relations: edges.map((edge) => ({
      type: edge.type,
      source: tableEnd(edge.source),
      target: tableEnd(edge.target),
      ...processKeys(edge.process),
      count: edge.count,
    })),
    statements: statementsOf(lineage, switches).map(([at, inputs, outputs]) => {
      const process = lineage.processes[at];
      return {
        type: process.type,
        queryHashId: process.hash,
        procedureName: process.procedure,
        inputs: inputs.map((each) => tableEnd(lineage.entities[each])),
        outputs: outputs.map((each) => tableEnd(lineage.entities[each])),
        coordinates: coordinatesOf(lineage, process.place),
        ...(process.approximate ? { approximate: true } : {}),
      };
    }),
    processes: shownProcesses(lineage, switches, edges).map((process) => processJson(lineage, process)),
    ...problemsJson(lineage),
  };
}

/**
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {IsChosen} isChosen
 */
function completeJson(lineage, switches, isChosen) {
  const level = completeLevel(lineage, switches);
  const relations = level.relations.flatMap((relation) => {
    const sources = relation.sources.filter((source) => isChosen(source, relation.target));
    return sources.length === 0 && relation.sources.length > 0 ? [] : [{ ...relation, sources }];
  });
  const entities = level.entities.filter((entity) => isChosen(entity, entity));
  return {
    dbvendor: lineage.vendor,
    dbobjs: [
      ...entities.map((entity) => entityJson(lineage, entity, switches)),
      ...lineage.procedures.map((/** @type {any} */ procedure) => procedureJson(lineage, procedure)),
    ],
    relations: switches.columns
      ? relations.map((relation) => relationJson(lineage, relation, switches))
      : entityRelationsJson(lineage, relations, switches),
    processes: lineage.processes
      .filter((process) => switches.select || process.type !== "Select")
      .map((process) => processJson(lineage, process)),
    ...problemsJson(lineage),
  };
}

/**
 * @param {LineageDocument} lineage
 * @param {Entity} entity
 * @param {Switches} switches
 */
function entityJson(lineage, entity, switches) {
  const shown = entity.processes.filter((process) => switches.select || process.type !== "Select");
  /** @type {Record<string, any>} */
  const json = { id: entity.id, name: entity.name };
  if (isResultset(entity)) {
    Object.assign(json, { type: "resultset", subType: entity.type, hashId: entity.hashId });
  } else {
    json.type = entity.type;
    for (const key of /** @type {const} */ (["subType", "database", "schema", "uri", "fileFormat", "temporary", "dropped"])) {
      if (entity[key]) json[key] = entity[key];
    }
  }
  if (entity.alias) json.alias = entity.alias;
  if (shown.length > 0) json.processIds = shown.map((process) => process.id);
  json.coordinates = coordinatesOf(lineage, entity.place);
  if (switches.columns) {
    const rows = entity.columns.map((column) => ({
      id: column.id,
      name: column.name,
      coordinates: coordinatesOf(lineage, column.place),
      ...(column.system ? { source: "system" } : {}),
    }));
    json.columns = [...rows.filter((row) => !row.source), ...rows.filter((row) => row.source)];
  }
  return json;
}

/**
 * @param {LineageDocument} lineage
 * @param {any} procedure
 */
function procedureJson(lineage, procedure) {
  return {
    id: procedure.id,
    name: procedure.name,
    type: "procedure",
    subType: procedure.type,
    coordinates: coordinatesOf(lineage, procedure.place),
    arguments: procedure.arguments.map((/** @type {any[]} */ [id, name, datatype, inout, place]) => ({
      id,
      name,
      datatype,
      inout,
      coordinates: coordinatesOf(lineage, place),
    })),
  };
}

/**
 * @param {Relation} relation
 * @param {Switches} switches
 */
function relationHead(relation, switches) {
  /** @type {Record<string, any>} */
  const json = { id: relation.id, type: relation.type };
  if (relation.effect !== null) json.effectType = relation.effect;
  const process = relation.process;
  if (process !== null && (switches.select || process.type !== "Select")) {
    json.processId = process.id;
    json.queryHashId = process.hash;
  }
  if (relation.joinType !== null) json.joinType = relation.joinType;
  if (relation.condition !== null) json.condition = relation.condition;
  if (relation.expression !== null) json.expression = relation.expression;
  return json;
}

/**
 * @param {LineageDocument} lineage
 * @param {Relation} relation
 * @param {Switches} switches
 */
function relationJson(lineage, relation, switches) {
  /** @param {Column} column */
  const end = (column) => ({
    id: column.id,
    column: column.name,
    parentId: column.entity.id,
    parentName: column.entity.name,
    coordinates: coordinatesOf(lineage, column.place),
    ...(column.system ? { source: "system" } : {}),
  });
  return {
    ...relationHead(relation, switches),
    target: end(relation.target),
    sources: relation.sources.map((source) => ({
      ...end(source),
      ...(relation.clause === null ? {} : { clauseType: relation.clause }),
    })),
    ...(relation.approximate ? { approximate: true } : {}),
  };
}

/**
 * Relations without columns: those that connect the same entities in the same way are one.
 * @param {LineageDocument} lineage
 * @param {Relation[]} relations
 * @param {Switches} switches
 */
function entityRelationsJson(lineage, relations, switches) {
  /** @param {Entity} entity */
  const end = (entity) => ({
    parentId: entity.id,
    parentName: entity.name,
    coordinates: coordinatesOf(lineage, entity.place),
  });
  const bundles = new Map();
  for (const relation of relations) {
    const target = relation.target.entity;
    const key = [relation.type, relation.effect, relation.clause, relation.process?.index, target.index].join("|");
    const bundle = getOrAdd(bundles, key, () => ({ relation, target, sources: new Set() }));
    for (const source of relation.sources) bundle.sources.add(source.entity);
  }
  return [...bundles.values()].map(({ relation, target, sources }) => ({
    ...relationHead(relation, switches),
    target: end(target),
    sources: [...sources].map((source) => ({
      ...end(source),
      ...(relation.clause === null ? {} : { clauseType: relation.clause }),
    })),
  }));
}

/**
 * @param {LineageDocument} lineage
 * @param {Column} column
 */
function columnEnd(lineage, column) {
  const entity = column.entity;
  if (isResultset(entity)) {
    return {
      kind: "resultset",
      database: null,
      schema: null,
      table: null,
      column: unquote(column.name) || column.name,
      qualifiedName: null,
    };
  }
  return {
    kind: entity.kind,
    database: entity.database,
    schema: entity.schema,
    table: entity.table,
    column: unquote(column.name) || column.name,
    qualifiedName: lineage.qualifiedColumn(column),
  };
}

/** @param {Entity} entity */
function tableEnd(entity) {
  return {
    kind: entity.kind,
    database: entity.database,
    schema: entity.schema,
    table: entity.table,
    qualifiedName: entity.qualifiedName,
  };
}

/** @param {Process | null} process */
function processKeys(process) {
  return {
    processId: process?.id ?? null,
    queryHashId: process?.hash ?? null,
    procedureName: process?.procedure ?? null,
  };
}

/**
 * @param {LineageDocument} lineage
 * @param {Process} process
 */
function processJson(lineage, process) {
  return {
    id: process.id,
    name: `Query ${process.type}`,
    type: process.type,
    queryHashId: process.hash,
    procedureName: process.procedure,
    coordinates: coordinatesOf(lineage, process.place),
    ...(process.textHash === null ? {} : { textHashId: process.textHash }),
    ...(process.approximate ? { approximate: true } : {}),
  };
}

/**
 * The errors, and the notes where there are any.
 * @param {LineageDocument} lineage
 */
function problemsJson(lineage) {
  /** @param {Problem} problem */
  const json = (problem) => ({
    errorType: problem.type,
    errorMessage: problem.message,
    coordinates: coordinatesOf(lineage, problem.place),
    file: problem.file,
  });
  const notes = lineage.problems.filter((problem) => problem.type === "Note");
  const errors = lineage.problems.filter((problem) => problem.type !== "Note");
  return { errors: errors.map(json), ...(notes.length > 0 ? { notes: notes.map(json) } : {}) };
}

const TABLE_CELLS = ["db", "schema", "table"];
const COLUMN_CELLS = [...TABLE_CELLS, "column"];

/**
 * The rows on show with the command line's columns and two more, the type of the relation and its clause, because the
 * page shows all of them. Cells that a spreadsheet would take for a formula are made harmless.
 * @param {LineageDocument} lineage
 * @param {Switches} switches
 * @param {IsChosen} isChosen
 */
export function csvOfLevel(lineage, switches, isChosen = (_source, _target) => true) {
  const table = switches.level === "table";
  /** @type {any[]} */
  const all = table ? tableLevel(lineage, switches) : columnLevel(lineage, switches);
  const edges = all.filter((edge) => isChosen(edge.source, edge.target));
  const cells = table ? TABLE_CELLS : COLUMN_CELLS;
  const header = [
    ...cells.map((cell) => `source_${cell}`),
    ...cells.map((cell) => `target_${cell}`),
    "procedure_names",
    "query_hash_id",
    "relation_type",
    "clause",
  ];
  const rows = edges.map((edge) => [
    ...(table ? entityCells(lineage, edge.source) : columnCells(lineage, edge.source)),
    ...(table ? entityCells(lineage, edge.target) : columnCells(lineage, edge.target)),
    edge.process?.procedure ?? "",
    edge.process?.hash ?? "",
    edge.type,
    edge.clause ?? "",
  ]);
  const lines = [header, ...rows].map((row) => row.map(csvCell).join(";"));
  return `${[...new Set(lines)].join("\n")}\n`;
}

/**
 * @param {LineageDocument} lineage
 * @param {Entity} entity
 */
function entityCells(lineage, entity) {
  if (isResultset(entity)) return ["default", "default", entity.hashId ?? entity.name];
  const database = entity.database ?? (lineage.layers === 2 ? entity.schema : null) ?? "default";
  const schema = (lineage.layers === 2 ? null : entity.schema) ?? lineage.defaultSchema;
  return [database, schema, entity.table];
}

/**
 * @param {LineageDocument} lineage
 * @param {Column} column
 */
function columnCells(lineage, column) {
  return [...entityCells(lineage, column.entity), unquote(column.name)];
}

/** @param {string} value */
export function csvCell(value) {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[";\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Let the browser save a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function saveFile(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
