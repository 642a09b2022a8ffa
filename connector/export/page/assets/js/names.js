// Names as the connector writes them: quotes around a name, and names put together of parts.

/** @type {Record<string, string>} */
const CLOSING_QUOTE = { '"': '"', "`": "`", "[": "]" };
const AMBIGUOUS_PART = /[."@]|^[\s`[/]|\s$|^$|:\/\//;

/**
 * The name without the quotes around it. Text that only begins and ends with quotes is no quoted name.
 * @param {string} name
 * @returns {string}
 */
export function unquote(name) {
  const close = CLOSING_QUOTE[name[0]];
  if (name.length < 2 || close === undefined || !name.endsWith(close)) return name;
  const inner = name.slice(1, -1);
  if (!inner.includes(close)) return inner;
  const doubled = close + close;
  return inner.replaceAll(doubled, "").includes(close) ? name : inner.replaceAll(doubled, close);
}

/**
 * One part as it stands in a qualified name.
 * @param {string} part
 * @returns {string}
 */
export function quotePart(part) {
  return AMBIGUOUS_PART.test(part) ? `"${part.replaceAll('"', '""')}"` : part;
}

/**
 * A number with its noun: "1 table", "2 tables".
 * @param {number} number
 * @param {string} noun
 * @returns {string}
 */
export function counted(number, noun) {
  const digits = String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits} ${noun}${number === 1 ? "" : /(s|ss|x|ch)$/.test(noun) ? "es" : "s"}`;
}

/**
 * What the kinds of relations are called where people read them.
 * @type {Record<string, string>}
 */
export const RELATION_WORDS = {
  fdd: "data flow",
  fdr: "impact",
  join: "join",
  er: "foreign key",
  call: "call",
};

/** @type {Record<string, string>} */
const CLAUSE_WORDS = {
  select: "SELECT",
  where: "WHERE",
  joinCondition: "JOIN ON",
  groupBy: "GROUP BY",
  having: "HAVING",
  distinct: "DISTINCT",
  setOperation: "UNION, INTERSECT or EXCEPT",
  unnest: "UNNEST",
  orderBy: "ORDER BY",
  partitionBy: "PARTITION BY",
  qualify: "QUALIFY",
  connectBy: "CONNECT BY",
  using: "USING",
  mergeCondition: "MERGE ON",
  set: "SET",
  values: "VALUES",
  limit: "LIMIT",
};

/**
 * @param {string | null} clause
 * @returns {string}
 */
export function clauseWords(clause) {
  return clause ? (CLAUSE_WORDS[clause] ?? clause) : "";
}
