// Goals: three with names, or any board. And which boards can reach them.

import { Board } from './board.js';

/** @typedef {{name: string, board: Board, homes: Uint16Array}} Goal homes: the cell of every tile */

/**
 * @param {string} name `last`, `first`, `snail`, or a board in slash form
 * @returns {Goal} by its name if it has one, however it was given
 */
export function makeGoal(name, rows, cols) {
  const board = NAMED.has(name) ? named(name, rows, cols) : Board.parse(name);
  if (board.rows !== rows || board.cols !== cols) throw new RangeError('a goal of another size');
  const homes = new Uint16Array(board.nCells);
  board.tiles.forEach((tile, cell) => { homes[tile] = cell; });
  const known = [...NAMED.keys()].find((one) => board.equals(named(one, rows, cols)));
  return { name: known ?? board.toString(), board, homes };
}

const named = (name, rows, cols) => new Board(rows, cols, NAMED.get(name)(rows, cols));

const last = (rows, cols) =>
  Array.from({ length: rows * cols }, (_, cell) => (cell + 1) % (rows * cols));

const first = (rows, cols) => Array.from({ length: rows * cols }, (_, cell) => cell);

// Clockwise from the corner inwards; the blank is where that ends.
function snail(rows, cols) {
  const tiles = Array(rows * cols).fill(0);
  let [top, left, bottom, right, tile] = [0, 0, rows - 1, cols - 1, 1];
  const put = (row, col) => { tiles[row * cols + col] = tile++ % (rows * cols); };
  while (top <= bottom && left <= right) {
    for (let col = left; col <= right; col++) put(top, col);
    for (let row = top + 1; row <= bottom; row++) put(row, right);
    if (top < bottom) for (let col = right - 1; col >= left; col--) put(bottom, col);
    if (left < right) for (let row = bottom - 1; row > top; row--) put(row, left);
    top += 1; left += 1; bottom -= 1; right -= 1;
  }
  return tiles;
}

const NAMED = new Map([['last', last], ['first', first], ['snail', snail]]);

/** Whether a goal has a name, and so is one of boards of every size. */
export const isNamed = (name) => NAMED.has(name);

/** Every slide is a swap and a step of the blank: both parities change, so they must agree. */
export function isSolvable(/** @type {Board} */ board, /** @type {Goal} */ goal) {
  const { cols, blank } = board;
  const home = goal.homes[0];
  const steps = Math.abs(Math.floor(blank / cols) - Math.floor(home / cols))
    + Math.abs((blank % cols) - (home % cols));
  return (steps + nSwaps(board, goal)) % 2 === 0;
}

// How many swaps put all tiles where they belong: one less than its length for every cycle.
function nSwaps(board, goal) {
  const isSeen = new Uint8Array(board.nCells);
  let swaps = 0;
  for (let begin = 0; begin < board.nCells; begin++) {
    for (let cell = begin; !isSeen[cell]; cell = goal.homes[board.tiles[cell]]) {
      isSeen[cell] = 1;
      swaps += cell === begin ? 0 : 1;
    }
  }
  return swaps;
}
