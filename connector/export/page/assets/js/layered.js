// A layered layout whose cost grows with the number of wires and no faster, for pictures that are too large for dagre.

/** Between cards with rows many lines run; cards without them may stand closer. */
const GAPS = { wide: { layer: 110, card: 26 }, close: { layer: 64, card: 18 } };

/** @param {{height: number}[]} cards */
function gapsOf(cards) {
  return cards.some((card) => card.height > 80) ? GAPS.wide : GAPS.close;
}

/**
 * @param {{key: string, width: number, height: number}[]} cards
 * @param {[number, number][]} pairs  from, to, as indexes of cards
 * @returns {[number, number][]} the upper left corner of each card
 */
function layeredPositions(cards, pairs) {
  const forward = acyclicPairs(cards.length, pairs);
  const outgoing = cards.map(() => []);
  const incoming = cards.map(() => []);
  for (const [from, to] of forward) {
    outgoing[from].push(to);
    incoming[to].push(from);
  }
  const layerOf = narrowed(layersOf(cards.length, outgoing, incoming));
  const lonely = [];
  const layers = [];
  cards.forEach((_, at) => {
    if (outgoing[at].length === 0 && incoming[at].length === 0) lonely.push(at);
    else (layers[layerOf[at]] ??= []).push(at);
  });
  orderLayers(layers, incoming, outgoing);
  return placeCards(cards, layers, lonely);
}

/** The pairs with those that would close a circle turned around. */
function acyclicPairs(count, pairs) {
  const outgoing = Array.from({ length: count }, () => []);
  for (const [from, to] of pairs) if (from !== to) outgoing[from].push(to);
  const state = new Uint8Array(count);
  const forward = [];
  for (let start = 0; start < count; start += 1) {
    if (state[start] !== 0) continue;
    const stack = [[start, 0]];
    state[start] = 1;
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const next = outgoing[top[0]][top[1]];
      if (next === undefined) {
        state[top[0]] = 2;
        stack.pop();
        continue;
      }
      top[1] += 1;
      if (state[next] === 1) forward.push([next, top[0]]);
      else {
        forward.push([top[0], next]);
        if (state[next] === 0) {
          state[next] = 1;
          stack.push([next, 0]);
        }
      }
    }
  }
  return forward;
}

/** The longest way from the left; what only feeds others then moves next to the first of them. */
function layersOf(count, outgoing, incoming) {
  const layer = new Int32Array(count);
  const waiting = incoming.map((sources) => sources.length);
  const order = [];
  for (let at = 0; at < count; at += 1) if (waiting[at] === 0) order.push(at);
  for (let at = 0; at < order.length; at += 1) {
    for (const next of outgoing[order[at]]) {
      layer[next] = Math.max(layer[next], layer[order[at]] + 1);
      waiting[next] -= 1;
      if (waiting[next] === 0) order.push(next);
    }
  }
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const node = order[at];
    if (incoming[node].length === 0 && outgoing[node].length > 0) {
      let nearest = Infinity;
      for (const next of outgoing[node]) nearest = Math.min(nearest, layer[next]);
      layer[node] = nearest - 1;
    }
  }
  return layer;
}

/**
 * Where everything is connected to everything the longest way makes a band that nobody can read: its layers are put
 * together until the picture is about as high as wide.
 */
function narrowed(layerOf) {
  const count = layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0);
  const most = Math.max(5, Math.ceil(0.9 * Math.sqrt(layerOf.length)));
  return count <= most ? layerOf : layerOf.map((layer) => Math.floor((layer * most) / count));
}

/** A few sweeps that put each card near the middle of its neighbours. */
function orderLayers(layers, incoming, outgoing) {
  const place = new Map();
  const remember = (layer) => layer.forEach((node, at) => place.set(node, (at + 0.5) / layer.length));
  for (const layer of layers) if (layer) remember(layer);
  const arrange = (layer, neighbours) => {
    const weight = new Map();
    for (const node of layer) {
      const others = neighbours[node];
      let sum = 0;
      for (const other of others) sum += place.get(other) ?? 0.5;
      weight.set(node, others.length > 0 ? sum / others.length : place.get(node));
    }
    layer.sort((one, other) => weight.get(one) - weight.get(other));
    remember(layer);
  };
  for (let sweep = 0; sweep < 4; sweep += 1) {
    for (let at = 1; at < layers.length; at += 1) if (layers[at]) arrange(layers[at], incoming);
    for (let at = layers.length - 2; at >= 0; at -= 1) if (layers[at]) arrange(layers[at], outgoing);
  }
}

function placeCards(cards, layers, lonely) {
  const positions = cards.map(() => [0, 0]);
  const gaps = gapsOf(cards);
  const heights = layers.map((layer) =>
    (layer ?? []).reduce((sum, node) => sum + cards[node].height + gaps.card, -gaps.card),
  );
  const tallest = Math.max(0, ...heights);
  let x = 0;
  layers.forEach((layer, at) => {
    if (!layer) return;
    let widest = 0;
    let y = (tallest - heights[at]) / 2;
    for (const node of layer) {
      positions[node] = [x, y];
      y += cards[node].height + gaps.card;
      widest = Math.max(widest, cards[node].width);
    }
    x += widest + gaps.layer;
  });
  placeLonely(cards, lonely, positions, tallest + (layers.length > 0 ? 3 * gaps.card : 0), Math.max(x, 1200));
  return positions;
}

/** Cards without wires stand in lines below the rest. */
function placeLonely(cards, lonely, positions, top, width) {
  const gap = gapsOf(cards).card;
  let [x, y, line] = [0, top, 0];
  for (const node of lonely) {
    if (x > 0 && x + cards[node].width > width) {
      [x, y, line] = [0, y + line + gap, 0];
    }
    positions[node] = [x, y];
    x += cards[node].width + gap;
    line = Math.max(line, cards[node].height);
  }
}
