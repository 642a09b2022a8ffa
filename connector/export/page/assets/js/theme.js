// Light or dark: as the system says, until somebody says otherwise.

import { byId } from "./elements.js";

export class ThemeSwitch {
  /** @param {() => void} changed  what is drawn on a canvas has other colours now */
  constructor(changed) {
    const root = document.documentElement;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const stored = storedValue("lineage-theme");
    if (stored === "light" || stored === "dark") root.dataset.theme = stored;
    byId("theme").addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
      root.dataset.theme = dark ? "light" : "dark";
      storeValue("lineage-theme", root.dataset.theme);
      changed();
    });
  }
}

/**
 * A colour of the style sheet as a canvas takes it. The name alone would give both its light and its dark side.
 * @param {HTMLElement} node  where it is used, and where its own text colour does not matter
 * @param {string} name
 * @returns {string}
 */
export function themeColor(node, name) {
  node.style.color = `var(${name}, #888)`;
  return getComputedStyle(node).color;
}

/**
 * A page opened from a file may have no storage.
 * @param {string} key
 */
function storedValue(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function storeValue(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
