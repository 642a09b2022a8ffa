// The server's side of the page: requests, and what went wrong with them.

import { element } from "./elements.js";

class ServerError extends Error {
  /**
   * @param {number} status
   * @param {{detail?: string, code?: string, login?: string, candidates?: string[]}} answer
   */
  constructor(status, answer) {
    super(answer.detail ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = answer.code ?? "";
    this.login = answer.login ?? null;
    this.candidates = answer.candidates ?? [];
  }
}

export class ServerApi {
  /**
   * @param {string} path
   * @param {Record<string, string | number | boolean | null>} query
   */
  get(path, query = {}) {
    const parts = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== null && value !== "") parts.set(key, String(value));
    const text = parts.toString();
    return this.#json(`api/${path}${text ? `?${text}` : ""}`, {});
  }

  /**
   * @param {string} path
   * @param {any} body
   * @param {AbortSignal | null} signal
   */
  post(path, body, signal = null) {
    return this.#json(`api/${path}`, this.#body(body, signal));
  }

  /**
   * The same for an answer that is a file.
   * @param {string} path
   * @param {any} body
   */
  async file(path, body) {
    const answer = await this.#fetch(`api/${path}`, this.#body(body, null));
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
    return { name: name ? name[1] : "lineage", blob: await answer.blob() };
  }

  /**
   * @param {any} body
   * @param {AbortSignal | null} signal
   */
  #body(body, signal) {
    return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  }

  /**
   * @param {string} address
   * @param {RequestInit} options
   */
  async #json(address, options) {
    return (await this.#fetch(address, options)).json();
  }

  /**
   * @param {string} address
   * @param {RequestInit} options
   */
  async #fetch(address, options) {
    let answer;
    try {
      answer = await fetch(address, { credentials: "same-origin", ...options });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ServerError(0, { detail: "The server cannot be reached." });
    }
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      throw new ServerError(answer.status, typeof problem.detail === "string" ? problem : { ...problem, detail: undefined });
    }
    return answer;
  }
}

/**
 * What to tell people about an error: the server's sentence, and a way to log in where that is what is missing.
 * @param {Error} error
 * @returns {(Node | string)[]}
 */
export function errorWords(error) {
  /** @type {(Node | string)[]} */
  const words = [element("span", {}, error.message)];
  if (error instanceof ServerError && error.login !== null) {
    words.push(" ", element("a", { href: new URL(error.login, location.href).pathname + location.hash }, "Log in"));
  }
  return words;
}
