// What is drawn: cards with rows, and the wires between them. Sizes are worked out here, places by the layout.

import { focusOf } from "./address.js";
import { isResultset } from "./levels.js";
import { getOrAdd } from "./maps.js";
import { counted } from "./names.js";
import { textWidth, titleLines } from "./text.js";

/**
 * @import { Box } from "./boxes.js"
 * @import { Column, Entity, Process } from "./document.js"
 * @import { Column_, Route } from "./routes.js"
 * @import { Edge, LevelGraph, NodeKey } from "./trace.js"
 */

/**
 * @typedef {{key: string, label: string, node: NodeKey | null, system: boolean, more: number, y: number,
 *            connected: boolean}} Row
 * @typedef {{key: string, kind: string, title: string, caption: string, entity: Entity | null,
 *            process: Process | null, group: string | null, members: number, rows: Row[], width: number,
 *            height: number, x: number, y: number, tags: string[], lines: string[], column: Column_ | null,
 *            box: string | null, columns: "open" | "closed" | null, hidden: {up: boolean, down: boolean}}} Card
 *     `lines` is its title as it is broken from far away, `box` the open schema that it is shown in, `columns` whether it
 *     shows them, `hidden` whether it has neighbours that the picture leaves out
 * @typedef {{key: string, type: string, from: Card, fromRow: Row | null, to: Card, toRow: Row | null,
 *            edges: Edge[], route: Route | null, area: any, lanes: number[] | undefined,
 *            rough: boolean}} Wire
 * @typedef {{cards: Card[], wires: Wire[], cardOf: Map<NodeKey, Card>, rowOf: Map<NodeKey, Row>,
 *            lanes: Map<string, number[]>, boxes: Box[]}} Scene
 */

export const CARD = {
  header: 42,
  row: 22,
  bottom: 6,
  least: 150,
  leastTile: 104,
  most: 300,
  tile: 54,
  process: 30,
  group: 64,
  /** As many rows as a card shows before somebody opens it. */
  rows: 24,
};

/** The size of the letters in which a card without rows shows its name from far away. */
const TILE_LETTERS = 20;

/** A picture with more cards than this opens with its tables put away by schema. */
export const MOST_CARDS = 300;
/** A picture of more tables than this opens without their columns, which nobody could read; so does one of a column. */
export const MOST_WITH_COLUMNS = 40;

/**
 * @param {LevelGraph} graph
 * @param {{grouped: boolean, open: Set<string>, opened: Set<string>, closed?: Set<string>, only: Set<NodeKey> | null}} options
 *     groups that are open, cards that show all their rows, tables that show none, and the nodes to which the picture is limited
 * @returns {Scene}
 */
export function buildScene(graph, { grouped, open, opened, closed = new Set(), only }) {
  /** @type {Scene} */
  const scene = emptyScene();
  const wanted = only === null ? null : new Set([...only].map((node) => graph.entityOf(node)));
  const entities = [...graph.entities].filter((entity) => wanted === null || wanted.has(entity));
  const groups = grouped && only === null ? groupsOf(entities) : new Map();
  for (const entity of entities) {
    const group = groups.get(entity);
    if (group !== undefined && !open.has(group)) addToGroup(scene, group, entity, graph);
    else addEntity(scene, entity, graph, { opened, only, isClosed: closed.size > 0 && closed.has(focusOf(entity)) }).box = group ?? null;
  }
  for (const process of graph.processes) {
    if (only === null || only.has(`p${process.index}`)) addProcess(scene, process);
  }
  for (const card of scene.cards) {
    if (card.group !== null) nameGroup(card, card.group);
  }
  addWires(scene, graph, only);
  return scene;
}

/** @returns {Scene} */
export function emptyScene() {
  return { cards: [], wires: [], cardOf: new Map(), rowOf: new Map(), lanes: new Map(), boxes: [] };
}

/**
 * Each entity's group: its schema, and within a very large schema the start of its name.
 * @param {Entity[]} entities
 * @returns {Map<Entity, string>}
 */
function groupsOf(entities) {
  const sizes = new Map();
  for (const { group } of entities) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  /** @type {Map<string, Set<string>>} */
  const prefixes = new Map();
  for (const { group, label } of entities) getOrAdd(prefixes, group, () => new Set()).add(prefixOf(label));
  const names = new Map();
  for (const entity of entities) {
    // A prefix that all of them have tells nothing apart.
    const isCut = sizes.get(entity.group) > MOST_CARDS && (prefixes.get(entity.group)?.size ?? 0) > 1;
    names.set(entity, isCut ? `${entity.group} · ${prefixOf(entity.label)}` : entity.group);
  }
  return names;
}

/** @param {string} label */
function prefixOf(label) {
  const word = /^[^_\W]+_/.exec(label);
  return word ? `${word[0].toLowerCase()}…` : `${(label[0] ?? "").toLowerCase()}…`;
}

/**
 * @param {Scene} scene
 * @param {string} group
 * @param {Entity} entity
 * @param {LevelGraph} graph
 */
function addToGroup(scene, group, entity, graph) {
  const key = `g:${group}`;
  let card = scene.cardOf.get(key);
  if (card === undefined) {
    card = newCard(key, "group", group, { group });
    card.height = CARD.group;
    scene.cards.push(card);
    scene.cardOf.set(key, card);
  }
  card.members += 1;
  scene.cardOf.set(`e${entity.index}`, card);
  if (graph.withColumns) for (const column of entity.columns) scene.cardOf.set(`c${column.index}`, card);
}

/**
 * The last part of a group's name is its title, what stands before it and the number of objects its caption.
 * @param {Card} card
 * @param {string} group
 */
function nameGroup(card, group) {
  const cut = group.includes(" · ") ? group.indexOf(" · ") + 2 : group.includes("://") ? -1 : group.lastIndexOf(".");
  card.title = group.slice(cut + 1);
  card.lines = titleLines(group, 84);
  const above = cut > 0 ? `${group.slice(0, cut).replace(/ ·$/, "")} · ` : "";
  card.caption = above + counted(card.members, "object");
  card.width = cardWidth([card.title, card.caption, "open to see its tables"], "group");
}

/**
 * @param {Scene} scene
 * @param {Entity} entity
 * @param {LevelGraph} graph
 * @param {{opened: Set<string>, only: Set<NodeKey> | null, isClosed: boolean}} options
 */
function addEntity(scene, entity, graph, { opened, only, isClosed }) {
  const card = newCard(`e${entity.index}`, entity.kind, entity.label, { entity });
  card.caption = captionOf(entity);
  card.tags = tagsOf(entity);
  const titles = [card.title, card.caption];
  if (graph.withColumns && !isClosed) addRows(scene, card, graph, opened, only);
  else if (graph.withColumns) for (const column of entity.columns) scene.cardOf.set(`c${column.index}`, card);
  if (graph.withColumns && entity.columns.length > 0) card.columns = isClosed ? "closed" : "open";
  if (only !== null) card.hidden = hiddenNeighbours(graph, entity, only);
  if (card.rows.length > 0) {
    card.width = Math.max(cardWidth([...titles, ...card.rows.map((row) => row.label)], entity.kind), Math.min(CARD.most, Math.round(textWidth(card.title, true)) + 62));
    card.height = CARD.header + card.rows.length * CARD.row + CARD.bottom;
  } else {
    card.lines = titleLines(card.title, 84);
    card.width = tileWidth(card);
    card.height = CARD.tile;
  }
  scene.cards.push(card);
  scene.cardOf.set(card.key, card);
  return card;
}

/**
 * In which directions a card has neighbours that the picture leaves out.
 * @param {LevelGraph} graph
 * @param {Entity} entity
 * @param {Set<NodeKey>} only
 */
function hiddenNeighbours(graph, entity, only) {
  const nodes = graph.nodesOf(entity);
  /**
   * @param {Map<NodeKey, Edge[]>} sides
   * @param {"from" | "to"} end
   */
  const isOut = (sides, end) => {
    for (const node of nodes) {
      for (const edge of sides.get(node) ?? []) {
        if (edge.type !== "join" && edge.type !== "er" && !only.has(edge[end]) && graph.entityOf(edge[end]) !== entity) return true;
      }
    }
    return false;
  };
  return { up: isOut(graph.incoming, "from"), down: isOut(graph.outgoing, "to") };
}

/**
 * @param {Scene} scene
 * @param {Card} card
 * @param {LevelGraph} graph
 * @param {Set<string>} opened
 * @param {Set<NodeKey> | null} only
 */
function addRows(scene, card, graph, opened, only) {
  const columns = card.entity?.columns ?? [];
  /** @param {Column} column */
  const isUsed = (column) => graph.isConnected(`c${column.index}`);
  const own = columns.filter((column) => !column.system);
  const rows = columns.filter((column) => column.system && isUsed(column));
  let shown = [...own, ...rows];
  if (only !== null) shown = shown.filter((column) => only.has(`c${column.index}`));
  let hidden = 0;
  if (shown.length > CARD.rows && !opened.has(card.key)) {
    const used = shown.filter(isUsed);
    const kept = new Set((used.length > 0 ? used : shown).slice(0, CARD.rows - 1));
    hidden = shown.length - kept.size;
    shown = shown.filter((column) => kept.has(column));
  }
  const seen = new Set();
  for (const column of shown) {
    const node = `c${column.index}`;
    const row = newRow(node, column.system ? "rows" : column.label, card, column.system);
    row.connected = graph.isConnected(node);
    card.rows.push(row);
    scene.rowOf.set(node, row);
    seen.add(column);
  }
  if (hidden > 0) {
    const row = newRow(null, `${hidden} more…`, card, false);
    row.more = hidden;
    card.rows.push(row);
    for (const column of columns) if (!seen.has(column)) scene.rowOf.set(`c${column.index}`, row);
  }
  for (const column of columns) scene.cardOf.set(`c${column.index}`, card);
}

/**
 * @param {Scene} scene
 * @param {Process} process
 */
function addProcess(scene, process) {
  const named = process.procedure !== "batchQueries";
  const card = newCard(`p${process.index}`, "process", process.type, { process });
  card.caption = named ? process.procedure : "";
  card.width = cardWidth([named ? `${process.type} · ${process.procedure}` : process.type], "process");
  card.height = CARD.process;
  scene.cards.push(card);
  scene.cardOf.set(card.key, card);
}

/**
 * @param {Scene} scene
 * @param {LevelGraph} graph
 * @param {Set<NodeKey> | null} only
 */
function addWires(scene, graph, only) {
  /** @type {Map<string, Wire>} */
  const wires = new Map();
  for (const edge of graph.edges) {
    if (only !== null && !(only.has(edge.from) && only.has(edge.to))) continue;
    const from = scene.cardOf.get(edge.from);
    const to = scene.cardOf.get(edge.to);
    if (from === undefined || to === undefined || (from === to && (from.group !== null || !graph.withColumns))) {
      continue;
    }
    const fromRow = scene.rowOf.get(edge.from) ?? null;
    const toRow = scene.rowOf.get(edge.to) ?? null;
    // Between schemas one line is enough, and it is one of data when there is any.
    const many = from.group !== null || to.group !== null;
    const key = `${from.key}/${fromRow?.key ?? ""}>${to.key}/${toRow?.key ?? ""}:${many ? "" : edge.type}`;
    const wire = getOrAdd(wires, key, () => newWire(key, edge.type, { from, fromRow, to, toRow }));
    if (edge.type === "fdd") wire.type = "fdd";
    wire.edges.push(edge);
  }
  scene.wires = [...wires.values()];
}

/**
 * @param {string} key
 * @param {string} type
 * @param {{from: Card, fromRow: Row | null, to: Card, toRow: Row | null}} ends
 */
function newWire(key, type, ends) {
  return { key, type, ...ends, edges: [], route: null, area: null, lanes: undefined, rough: false };
}

/**
 * @param {string} key
 * @param {string} kind
 * @param {string} title
 * @param {{entity?: Entity | null, process?: Process | null, group?: string | null}} about
 * @returns {Card}
 */
function newCard(key, kind, title, { entity = null, process = null, group = null }) {
  return {
    key,
    kind,
    title,
    caption: "",
    entity,
    process,
    group,
    members: 0,
    rows: [],
    width: 0,
    height: 0,
    x: 0,
    y: 0,
    tags: [],
    lines: [title],
    columns: null,
    hidden: { up: false, down: false },
    column: null,
    box: null,
  };
}

/**
 * @param {NodeKey | null} node
 * @param {string} label
 * @param {Card} card
 * @param {boolean} system
 */
function newRow(node, label, card, system) {
  return {
    key: node ?? `${card.key}+`,
    label,
    node,
    system,
    more: 0,
    y: CARD.header + card.rows.length * CARD.row,
    connected: false,
  };
}

/**
 * What stands above a title: where the object lives, or what a resultset is.
 * @param {Entity} entity
 */
function captionOf(entity) {
  if (isResultset(entity)) return entity.step || "step";
  if (entity.kind === "path") return entity.fileFormat ? `path · ${entity.fileFormat}` : "path";
  const layers = [entity.database, entity.schema].filter((layer) => layer !== null).join(".");
  return layers || entity.kind;
}

/** @param {Entity} entity */
export function tagsOf(entity) {
  const tags = [];
  if (entity.temporary) tags.push("temporary");
  if (entity.dropped) tags.push("dropped");
  if (entity.type === "pseudoTable") tags.push("orphans");
  return tags;
}

/**
 * @param {string[]} texts
 * @param {string} kind
 */
function cardWidth(texts, kind) {
  const widest = Math.max(...texts.map((text) => textWidth(text.slice(0, 60), text === texts[0])));
  const least = kind === "process" ? 70 : CARD.least;
  return Math.round(Math.min(CARD.most, Math.max(least, widest + (kind === "process" ? 40 : 52))));
}

/**
 * A card without rows is as wide as its name in large letters, which one still reads from far away.
 * @param {Card} card
 */
function tileWidth({ lines }) {
  const widest = Math.max(...lines.map((line) => textWidth(line, true)));
  return Math.round(Math.min(CARD.most, Math.max(CARD.leastTile, (widest * TILE_LETTERS) / 13 + 28)));
}
