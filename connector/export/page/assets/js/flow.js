// Which way a picture runs. Data decides; what only has an impact yields where it would turn the picture around.

/**
 * @typedef {{from: number, to: number, weight: number, rank: "data" | "impact" | "link"}} Pair  cards by number
 * @typedef {{width: number, height: number, box: number}} Size  of a card; `box` is the open schema it stands in, or -1
 * @typedef {{width: number, height: number, labelled?: boolean}} Room  that a picture has, and whether its lines carry words
 * @typedef {{positions: [number, number][], columns: number[], lanes: Record<number, number[]>}} Arrangement
 *     the upper left corner of each card; the column it stands in, -1 for none; and for pairs, by their number, the height
 *     at which they pass each column between their ends
 */

/**
 * The pairs that run with the data, and those that run against it.
 * @param {number} count
 * @param {Pair[]} pairs
 * @returns {{forward: Pair[], against: Pair[]}}
 */
export function flowOf(count, pairs) {
  const data = pairs.filter((pair) => pair.rank === "data" && pair.from !== pair.to);
  const impact = pairs.filter((pair) => pair.rank === "impact" && pair.from !== pair.to);
  const place = orderOf(count, withoutCircles(count, data), impact);
  /** @param {Pair} pair */
  const runs = ({ from, to }) => place[from] < place[to];
  const all = [...data, ...impact];
  return { forward: all.filter(runs), against: all.filter((pair) => !runs(pair)) };
}

/**
 * The pairs without those that close a circle.
 * @param {number} count
 * @param {Pair[]} pairs
 */
function withoutCircles(count, pairs) {
  /** @type {Pair[][]} */
  const outgoing = Array.from({ length: count }, () => []);
  for (const pair of pairs) outgoing[pair.from].push(pair);
  const state = new Uint8Array(count);
  const kept = [];
  for (let start = 0; start < count; start += 1) {
    if (state[start] !== 0) continue;
    const stack = [[start, 0]];
    state[start] = 1;
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const pair = outgoing[top[0]][top[1]];
      if (pair === undefined) {
        state[top[0]] = 2;
        stack.pop();
        continue;
      }
      top[1] += 1;
      if (state[pair.to] === 1) continue;
      kept.push(pair);
      if (state[pair.to] === 0) {
        state[pair.to] = 1;
        stack.push([pair.to, 0]);
      }
    }
  }
  return kept;
}

/**
 * Places in an order that follows all the data, and the impact wherever the data leaves a choice.
 * @param {number} count
 * @param {Pair[]} data
 * @param {Pair[]} impact
 */
function orderOf(count, data, impact) {
  const [waiting, hoping] = [new Int32Array(count), new Int32Array(count)];
  /** @type {number[][][]} */
  const [next, touched] = [0, 1].map(() => Array.from({ length: count }, () => []));
  for (const { from, to } of data) {
    waiting[to] += 1;
    next[from].push(to);
  }
  for (const { from, to } of impact) {
    hoping[to] += 1;
    touched[from].push(to);
  }
  const place = new Int32Array(count).fill(-1);
  /** @type {number[][]} */
  const [ready, later] = [[], []];
  /** @param {number} node */
  const offer = (node) => waiting[node] === 0 && place[node] < 0 && (hoping[node] === 0 ? ready : later).push(node);
  for (let node = 0; node < count; node += 1) offer(node);
  let placed = 0;
  for (let [at, lateAt] = [0, 0]; at < ready.length || lateAt < later.length; ) {
    const node = at < ready.length ? ready[at++] : later[lateAt++];
    if (place[node] >= 0) continue;
    place[node] = placed;
    placed += 1;
    for (const to of touched[node]) {
      hoping[to] -= 1;
      offer(to);
    }
    for (const to of next[node]) {
      waiting[to] -= 1;
      offer(to);
    }
  }
  return place;
}
