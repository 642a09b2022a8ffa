/** What the page uses of @hpcc-js/wasm-graphviz. */
export class Graphviz {
  static load(): Promise<Graphviz>;
  dot(source: string, format: "plain"): string;
}
