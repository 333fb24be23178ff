// The options of searches. They are part of links and are not stored in the browser.

import {
  ALGORITHMS, COMPARED, DEPTHS, GOAL_TESTS, HEURISTICS, MEASURES, SEARCH_LIMITS, STEPS, TIES, TRACED, TRACED_HEURISTICS,
} from './names.js';
import { ObservableValues } from './observable.js';

const valuesOf = (names) => names.map(([value]) => value);

/** Accepts one of these values. */
const oneOf = (...allowed) => (text) => allowed.includes(text);
/** Accepts a list of these names, such as `astar.ida`. */
const listOf = (names) => (text) => partsOf(text).every(oneOf(...valuesOf(names)));
/** The parts of a traced search, such as `bfs.zero.fifo.generation.10`. The last two may be missing. */
const SEARCH_PARTS = [TRACED, TRACED_HEURISTICS, TIES, GOAL_TESTS, DEPTHS];
const isSearch = (text) => {
  const parts = partsOf(text);
  return parts.length >= 3 && parts.length <= SEARCH_PARTS.length
    && parts.every((part, i) => valuesOf(SEARCH_PARTS[i]).includes(part));
};

/** The default of each option, and a check of its values. */
const CHOICES = {
  algorithm: ['', oneOf('', ...valuesOf(ALGORITHMS))],
  heuristic: ['', oneOf('', ...valuesOf(HEURISTICS))],
  metric: ['stm', oneOf('stm', 'mtm')],
  answer: ['', oneOf('', 'optimal')],
  limit: ['', oneOf('', '2', '10', '60', '300')],
  steps: ['100', oneOf(...valuesOf(STEPS))],
  search: ['astar.manhattan.lifo', isSearch],
  second: ['', (text) => text === '' || isSearch(text)],
  compared: ['astar.ida.greedy', listOf(COMPARED)],
  guided: ['misplaced.manhattan.linear-conflict', listOf(HEURISTICS)],
  each: ['5', oneOf(...valuesOf(SEARCH_LIMITS))],
  measure: ['generated', oneOf(...valuesOf(MEASURES))],
};

/** Splits a list such as `astar.ida`. */
export const partsOf = (text) => text.split('.').filter(Boolean);

class Choices extends ObservableValues {
  constructor() {
    super(Object.fromEntries(Object.entries(CHOICES).map(([name, [defaultValue]]) => [name, defaultValue])));
    this.names = Object.keys(CHOICES);
  }

  /** Returns the options for a link: those that differ from their defaults. */
  shared() {
    return Object.fromEntries(Object.entries(this.values).filter(([name, value]) => value !== CHOICES[name][0]));
  }

  /** Applies the options of a link. Missing and unknown values are set to the default. */
  applyLink(link) {
    const choice = ([name, [defaultValue, isAllowed]]) =>
      [name, name in link && isAllowed(link[name]) ? link[name] : defaultValue];
    this.change(Object.fromEntries(Object.entries(CHOICES).map(choice)));
  }
}

export const choices = new Choices();
