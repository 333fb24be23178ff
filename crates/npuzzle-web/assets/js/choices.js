// What is chosen for searches: part of links, and not kept in the browser.

import { ALGORITHMS, COMPARED, HEURISTICS, MEASURES, STEPS, TIES, TRACED, TRACED_HEURISTICS } from './names.js';
import { Values } from './values.js';

const valuesOf = (names) => names.map(([value]) => value);

/** One of these. */
const one = (...legal) => (text) => legal.includes(text);
/** Any of these. */
const some = (names) => (text) => partsOf(text).every(one(...valuesOf(names)));
/** A search that is watched: `astar.manhattan.lifo`. */
const search = (text) => {
  const [parts, legal] = [partsOf(text), [TRACED, TRACED_HEURISTICS, TIES]];
  return parts.length === legal.length && legal.every((names, i) => valuesOf(names).includes(parts[i]));
};

/** What each is unless chosen, and what it may be. */
const CHOICES = {
  algorithm: ['', one('', ...valuesOf(ALGORITHMS))],
  heuristic: ['', one('', ...valuesOf(HEURISTICS))],
  metric: ['stm', one('stm', 'mtm')],
  answer: ['', one('', 'optimal')],
  limit: ['', one('', '2', '10', '60', '300')],
  steps: ['100', one(...valuesOf(STEPS))],
  search: ['astar.manhattan.lifo', search],
  second: ['', (text) => text === '' || search(text)],
  compared: ['astar.ida.greedy', some(COMPARED)],
  guided: ['misplaced.manhattan.linear-conflict', some(HEURISTICS)],
  measure: ['generated', one(...valuesOf(MEASURES))],
};

/** The names in `astar.ida`. */
export const partsOf = (text) => text.split('.').filter(Boolean);

class Choices extends Values {
  constructor() {
    super(Object.fromEntries(Object.entries(CHOICES).map(([name, [usual]]) => [name, usual])));
    this.names = Object.keys(CHOICES);
  }

  /** Those that belong to a link. */
  shared() {
    return Object.fromEntries(Object.entries(this.values).filter(([name, value]) => value !== CHOICES[name][0]));
  }

  /** Those of somebody's link; what it leaves out, or what is unknown, is as usual. */
  take(link) {
    const taken = ([name, [usual, isLegal]]) => [name, isLegal(link[name] ?? usual) ? link[name] ?? usual : usual];
    this.change(Object.fromEntries(Object.entries(CHOICES).map(taken)));
  }
}

export const choices = new Choices();
