// Levels of new puzzles. On 3×3 and 4×4 boards a level is a range of exact distances to the goal. Boards of an exact
// distance take seconds to generate on other sizes, so there a level is a number of random slides from the goal.

import { grouped } from '../text.js';

/** The levels, from easy to hard. `random` is any solvable board, uniformly distributed. */
export const LEVELS = ['easy', 'medium', 'hard', 'random'];

/** The least and the greatest distance by size. Boards of greater distances may take longer than half a second to generate. */
const DISTANCES = new Map([
  ['3x3', { easy: [8, 14], medium: [15, 22], hard: [23, 28] }],
  ['4x4', { easy: [10, 20], medium: [21, 40], hard: [41, 52] }],
]);

/** The number of random slides per cell of the board. */
const SLIDES_PER_CELL = { easy: 2, medium: 6, hard: 20 };

/** The goals of 4×4 boards whose distances need no tables that are built first. */
const QUICK_GOALS = ['last', 'first'];

/**
 * @param {string} goal the name of the goal
 * @returns {{distances?: [number, number], slides?: number}} a range of distances or a number of random slides; neither
 * for a random board
 */
export function levelRange(level, rows, cols, goal) {
  if (level === 'random') return {};
  const isQuick = rows * cols < 16 || QUICK_GOALS.includes(goal);
  const distances = isQuick && DISTANCES.get(`${rows}x${cols}`)?.[level];
  return distances ? { distances } : { slides: SLIDES_PER_CELL[level] * rows * cols };
}

/** Describes the new puzzles of a level in one sentence. */
export function describeLevel(level, rows, cols, goal) {
  const { distances, slides } = levelRange(level, rows, cols, goal);
  if (distances) return `New puzzles have shortest solutions of ${distances[0]} to ${distances[1]} moves.`;
  if (slides) {
    return `New puzzles are ${grouped(slides)} random moves from the goal; their shortest solutions may have fewer.`;
  }
  return 'New puzzles are random: every solvable board is equally likely.';
}

/** Returns a random number of a range, both ends included. */
export const randomIn = ([min, max]) => min + Math.floor(Math.random() * (max - min + 1));

/**
 * Returns the board after random slides, none of which undoes the one before it. There are more slides if the last
 * board would be equal to the first one.
 * @param {import('./board.js').Board} from
 */
export function randomWalk(from, nSlides) {
  const board = from.clone();
  let previous = -1;
  for (let n = 0; n < nSlides || board.equals(from); n++) {
    const slides = ['U', 'D', 'L', 'R'].filter((slide) => ![-1, previous].includes(board.source(slide)));
    previous = board.slide(slides[Math.floor(Math.random() * slides.length)]).to;
  }
  return board;
}
