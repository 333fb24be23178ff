// Moves as people write them.

import { OPPOSITE } from './board.js';

/** @typedef {import('./board.js').Way} Way */
/** A straight run of slides. @typedef {{way: Way, before: number, length: number}} Run */

/** Boards have no longer rows and columns. */
const MAX_RUN = 126;

/** `L U R2` or `LURR` as single slides; more than `most` throw. @returns {Way[]} */
export function parseMoves(text, most = Infinity) {
  const ways = [];
  for (const [, way, digits] of text.toUpperCase().matchAll(/([UDLR])(\d*)/g)) {
    const length = Number(digits || 1);
    if (length > MAX_RUN || ways.length + length > most) throw new RangeError('too many moves');
    for (let n = 0; n < length; n++) ways.push(way);
  }
  return ways;
}

/** Straight runs; `before` counts the slides before each. @param {Way[]} ways @returns {Run[]} */
export function toRuns(ways) {
  /** @type {Run[]} */
  const runs = [];
  ways.forEach((way, before) => {
    const run = runs.at(-1);
    if (run && run.way === way) run.length += 1;
    else runs.push({ way, before, length: 1 });
  });
  return runs;
}

/** `L U R2`. @param {Way[]} ways */
export function writeMoves(ways) {
  return toRuns(ways).map(writeRun).join(' ');
}

const writeRun = ({ way, length }) => way + (length > 1 ? length : '');

/**
 * The words of the list of moves, each with the slides before it and its own.
 * @param {Way[]} ways
 * @param {ArrayLike<number>} tiles the tile of each slide
 * @param {string} notation `tile`, `blank` or `numbers`
 */
export function toWords(ways, tiles, notation) {
  if (notation === 'numbers') {
    return ways.map((_, before) => ({ text: String(tiles[before]), before, length: 1 }));
  }
  const turned = (run) => (notation === 'blank' ? { ...run, way: OPPOSITE[run.way] } : run);
  return toRuns(ways).map((run) =>
    ({ text: writeRun(turned(run)), before: run.before, length: run.length }));
}

const NAMES = { U: 'up', D: 'down', L: 'left', R: 'right' };

/** `5 left`, for those who listen. */
export const spoken = (tile, way) => `${tile} ${NAMES[way]}`;
