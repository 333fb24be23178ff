// Goals: three named ones, or any board; and the solvability of boards.

import { Board } from './board.js';

/** @typedef {{name: string, board: Board, cellOf: Uint16Array}} Goal cellOf: the goal cell of every tile */

/**
 * @param {string} name `last`, `first`, `snail`, or a board in slash form
 * @returns {Goal} with its name instead of the board if it is a named goal
 */
export function makeGoal(name, rows, cols) {
  const board = NAMED.has(name) ? named(name, rows, cols) : Board.parse(name);
  if (board.rows !== rows || board.cols !== cols) throw new RangeError('the goal has another size than the board');
  const cellOf = new Uint16Array(board.nCells);
  board.tiles.forEach((tile, cell) => { cellOf[tile] = cell; });
  const known = [...NAMED.keys()].find((one) => board.equals(named(one, rows, cols)));
  return { name: known ?? board.toString(), board, cellOf };
}

const named = (name, rows, cols) => new Board(rows, cols, NAMED.get(name)(rows, cols));

const last = (rows, cols) =>
  Array.from({ length: rows * cols }, (_, cell) => (cell + 1) % (rows * cols));

const first = (rows, cols) => Array.from({ length: rows * cols }, (_, cell) => cell);

// A clockwise spiral from the top left corner inwards; the blank is at its end.
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

/** Whether a goal is a named one, which exists for boards of every size. */
export const isNamed = (name) => NAMED.has(name);

/**
 * Whether a board can reach a goal. Every slide swaps two tiles and moves the blank by one cell, so it changes both the
 * parity of the permutation and the parity of the blank's distance; the two must agree.
 */
export function isSolvable(/** @type {Board} */ board, /** @type {Goal} */ goal) {
  const { cols, blank } = board;
  const goalBlank = goal.cellOf[0];
  const distance = Math.abs(Math.floor(blank / cols) - Math.floor(goalBlank / cols))
    + Math.abs((blank % cols) - (goalBlank % cols));
  return (distance + nSwaps(board, goal)) % 2 === 0;
}

// The number of swaps that sort the tiles: a cycle of length n takes n - 1.
function nSwaps(board, goal) {
  const isSeen = new Uint8Array(board.nCells);
  let swaps = 0;
  for (let start = 0; start < board.nCells; start++) {
    for (let cell = start; !isSeen[cell]; cell = goal.cellOf[board.tiles[cell]]) {
      isSeen[cell] = 1;
      swaps += cell === start ? 0 : 1;
    }
  }
  return swaps;
}
