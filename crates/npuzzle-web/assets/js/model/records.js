// Results of solves, their averages and records, and the file that exports them.

import { Board } from './board.js';
import { makeGoal } from './goal.js';
import { parseMoves, toRuns, writeMoves } from './moves.js';

/**
 * A solve. Its date is the end, in milliseconds since the Unix epoch; its time is in milliseconds.
 * @typedef {{date: number, ms: number, stm: number, mtm: number, start: string, goal: string, solution: string}} Result
 */

/** The results that are kept for one size and goal: the latest ones. */
export const MAX_RESULTS = 10_000;
const FORMAT = 'npuzzle results';
const MAX_SLIDES = 100_000;
/** A year: no solve takes longer. */
const MAX_MS = 366 * 24 * 3600 * 1000;

/** Makes the result of a game that has reached its goal. @returns {Result} */
export function resultOf(game) {
  return {
    date: Date.now(), ms: Math.round(game.attempt.clock.ms), stm: game.stm, mtm: game.mtm,
    start: game.start.toString(), goal: game.goal.name, solution: writeMoves(game.line.slice(0, game.at)),
  };
}

/** The results that are compared with each other have the same size and goal. */
export const categoryOf = ({ rows, cols }, goal) => `${rows}x${cols} ${goal}`;

/** Slides per second. */
export const movesPerSecond = ({ stm, ms }) => (stm * 1000) / Math.max(1, ms);

/** The number of best and of worst times that an average of n leaves out: 5 %, and at least one. */
const trimOf = (n) => Math.ceil(n / 20);

/**
 * The averages of every n consecutive times, in order: the mean without the best and the worst 5 %.
 * @param {number[]} times
 */
export function averages(times, n) {
  const trim = trimOf(n);
  const found = [];
  /** The last n times in ascending order. @type {number[]} */
  const sorted = [];
  times.forEach((time, i) => {
    sorted.splice(placeOf(sorted, time), 0, time);
    if (i >= n) sorted.splice(placeOf(sorted, times[i - n]), 1);
    if (i < n - 1) return;
    const counted = sorted.slice(trim, n - trim);
    found.push(counted.reduce((sum, one) => sum + one, 0) / counted.length);
  });
  return found;
}

// The first place in an ascending list whose time is not smaller.
function placeOf(sorted, time) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The average of the last n times, or null if there are fewer. */
export const lastAverage = (times, n) => averages(times.slice(-n), n)[0] ?? null;

/** The smallest of some numbers, or null if there are none. */
export const least = (numbers) => numbers.reduce((best, one) => (best === null || one < best ? one : best), null);

/** Joins results by date, drops duplicates, and keeps the latest ones. @param {Result[]} results */
export function merge(results, others) {
  const byKey = new Map([...results, ...others].map((one) => [`${one.date} ${one.start} ${one.ms}`, one]));
  return [...byKey.values()].sort((a, b) => a.date - b.date).slice(-MAX_RESULTS);
}

/** Writes the file of an export. @param {Result[]} results */
export const writeResults = (results) => `${JSON.stringify({ format: FORMAT, version: 1, results }, null, 1)}\n`;

/** Parses the file of an export. Every solution is replayed. Throws a message for the user. @returns {Result[]} */
export function readResults(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    file = null;
  }
  if (file?.format !== FORMAT || !Array.isArray(file.results)) {
    throw new RangeError('This is not a file of npuzzle results.');
  }
  if (file.version !== 1) throw new RangeError('A newer version of npuzzle has written this file.');
  return file.results.map((result, i) => {
    try {
      return check(result);
    } catch (error) {
      throw new RangeError(`Nothing was imported, because result ${i + 1} is not valid: ${error.message}.`);
    }
  });
}

/** @returns {Result} with counts of the solution */
function check({ date, ms, start, goal, solution }) {
  if (!Number.isFinite(date) || date < 0 || date > 8.64e15) throw new RangeError('its date is missing');
  if (!Number.isFinite(ms) || ms < 0 || ms > MAX_MS) throw new RangeError('its time is missing');
  if (typeof start !== 'string' || typeof solution !== 'string') {
    throw new RangeError('its board or solution is missing');
  }
  const board = Board.parse(start);
  const goalOfResult = makeGoal(String(goal), board.rows, board.cols);
  const slides = parseMoves(solution, MAX_SLIDES);
  const normal = board.toString();
  if (!slides.every((slide) => board.slide(slide)) || !board.equals(goalOfResult.board)) {
    throw new RangeError('its solution does not reach the goal');
  }
  return {
    date, ms: Math.round(ms), stm: slides.length, mtm: toRuns(slides).length,
    start: normal, goal: goalOfResult.name, solution: writeMoves(slides),
  };
}
