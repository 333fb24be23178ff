// Results in the browser's storage: one entry for each size and goal, so that a new result rewrites only one.

import { Board } from '../model/board.js';
import { categoryOf, merge } from '../model/records.js';

/** @typedef {import('../model/records.js').Result} Result */

const PREFIX = 'npuzzle results ';

class Results extends EventTarget {
  /** The sizes and goals with results. @returns {string[]} */
  categories() {
    const keys = Object.keys(storage() ?? {});
    return keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)).sort();
  }

  /** The results of a size and goal, the oldest first. @returns {Result[]} */
  of(category) {
    try {
      const results = JSON.parse(storage().getItem(PREFIX + category) ?? '[]');
      return Array.isArray(results) ? results : [];
    } catch {
      return [];
    }
  }

  /** All results. */
  all() {
    return this.categories().flatMap((category) => this.of(category));
  }

  /** Adds results of any size. Throws if the storage is full; those of other sizes are kept. @param {Result[]} added */
  add(added) {
    const byCategory = new Map();
    for (const result of added) {
      const category = categoryOf(Board.parse(result.start), result.goal);
      if (!byCategory.has(category)) byCategory.set(category, []);
      byCategory.get(category).push(result);
    }
    for (const [category, results] of byCategory) this.write(category, merge(this.of(category), results));
    this.dispatchEvent(new Event('change'));
  }

  /** @param {Result} removed */
  remove(category, { date, start }) {
    this.write(category, this.of(category).filter((one) => one.date !== date || one.start !== start));
    this.dispatchEvent(new Event('change'));
  }

  /** @param {Result[]} results */
  write(category, results) {
    const key = PREFIX + category;
    try {
      if (results.length === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify(results));
    } catch {
      throw new RangeError('The result was not stored: the browser’s storage is full or not allowed.');
    }
  }
}

/** The browser's storage; null if it is not allowed. */
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export const results = new Results();
