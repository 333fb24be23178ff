// Solves as text: a scramble, moves, and times.
//
//   Scramble: 8 1 3/4 0 2/7 6 5        or rows of numbers; the labels are optional
//   Solution: L U R2 D                 or LURRD, or tile numbers
//   Time: 0:12.345                     the total time, optional
//
// A move may have a time in seconds: `L@1.25` is made 1.25 s after the start, `L(0.25)` takes 0.25 s.

import { Board } from './board.js';

/** @typedef {import('./board.js').Slide} Slide */

const MAX_TEXT = 1_000_000;
const MAX_SLIDES = 100_000;
const TIME = /^(?:(\d+):)?(?:(\d+):)?(\d+(?:\.\d*)?)\s*s?$/;
const MOVE = /^([UDLR]|\d+(?![\d.]))(\d{0,3})(?:@(\d+(?:\.\d*)?)|\((\d+(?:\.\d*)?)\))?[\s,;]*/i;

/**
 * Parses a solve. Throws a message for the user.
 * @param {Board} defaultStart the start if the text contains no board
 * @returns {{start: Board, slides: Slide[], times: number[] | null, totalMs: number | null}} times in milliseconds
 */
export function parseSolve(text, defaultStart) {
  if (text.length > MAX_TEXT) throw new RangeError('The text is too long.');
  const lines = text.split('\n').map((line) => line.replace(/^\s*[a-z ]+:/i, '').trim()).filter(Boolean);
  const start = takeBoard(lines) ?? defaultStart;
  const totalMs = takeTotal(lines);
  const { slides, times } = readMoves(lines.join(' ').trim(), start.clone());
  if (slides.length === 0) throw new RangeError('The text contains no moves.');
  return { start, slides, times, totalMs: times?.at(-1) ?? totalMs };
}

/** Whether a text contains moves, and not only a board. */
export function hasMoves(text) {
  const lines = text.replace(/^\s*[a-z ]+:/gim, '').split('\n');
  return lines.some((line) => /^\s*(?:[UDLR]\d{0,3}(?:@[\d.]+|\([\d.]+\))?[\s,;]*)+$/i.test(line));
}

// Removes the board from the lines: one line with slashes, or lines with the same number of numbers.
function takeBoard(lines) {
  const slashed = lines.findIndex((line) => line.includes('/'));
  if (slashed >= 0) {
    // Moves may follow in the same line.
    const [board] = /^[\d\s,/]*/.exec(lines[slashed]);
    lines[slashed] = lines[slashed].slice(board.length);
    return parseBoard(board);
  }
  const wordsOf = (line) => line?.match(/^\d+(?:[\s,]+\d+)+$/)?.[0].split(/[\s,]+/) ?? [];
  const first = lines.findIndex((line) => wordsOf(line).length > 0);
  const nCols = wordsOf(lines[first]).length;
  let end = first;
  while (nCols > 0 && wordsOf(lines[end]).length === nCols) end++;
  // Numbers after the board are moves, so the board is the longest list of rows that is one.
  for (; end > first + 1; end--) {
    const tiles = lines.slice(first, end).flatMap(wordsOf).map(Number);
    const isBoard = new Set(tiles).size === tiles.length && tiles.every((tile) => tile < tiles.length);
    if (isBoard) return parseBoard(lines.splice(first, end - first).join('/'));
  }
  return null;
}

function parseBoard(text) {
  try {
    return Board.parse(text);
  } catch {
    throw new RangeError('The scramble is not a board: every number from 0 must occur once, 0 is the blank.');
  }
}

// Removes the line with the total time, which has a point, a colon or the unit.
function takeTotal(lines) {
  const at = lines.findIndex((line) => TIME.test(line) && /[.:s]/.test(line));
  if (at < 0) return null;
  const [, a, b, seconds] = TIME.exec(lines.splice(at, 1)[0]);
  const [hours, minutes] = b === undefined ? [0, a ?? 0] : [a, b];
  return Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
}

/** @param {Board} board the start; it is changed */
function readMoves(text, board) {
  const slides = [];
  const times = [];
  let rest = text;
  for (let n = 1; rest; n++) {
    const found = MOVE.exec(rest);
    if (!found) throw new RangeError(`Move ${n}: “${rest.split(/\s/)[0].slice(0, 20)}” is not a move.`);
    const [whole, word, count, at, duration] = found;
    const made = slidesOf(board, word, count);
    const isPossible = made?.every((slide) => board.slide(slide));
    if (!isPossible) throw new RangeError(`Move ${n}, ${whole.trim()}, is not possible.`);
    if (slides.length + made.length > MAX_SLIDES) throw new RangeError('The solve has too many moves.');
    const before = times.at(-1) || 0;
    const time = at ? Number(at) * 1000 : duration ? before + Number(duration) * 1000 : NaN;
    if (time < before) throw new RangeError(`Move ${n} has an earlier time than the move before it.`);
    slides.push(...made);
    times.push(...made.map(() => time));
    rest = rest.slice(whole.length);
  }
  const nTimed = times.filter((time) => !Number.isNaN(time)).length;
  if (nTimed > 0 && nTimed < times.length) throw new RangeError('Either every move has a time, or none.');
  return { slides, times: nTimed > 0 ? times : null };
}

/** The slides of a word: a direction with a count, or a tile in the row or column of the blank. */
function slidesOf(board, word, count) {
  const slide = word.toUpperCase();
  if ('UDLR'.includes(slide)) return Array(Math.min(Number(count || 1), 127)).fill(slide);
  const cell = board.tiles.indexOf(Number(word));
  const slides = cell < 0 ? [] : board.slidesTo(cell);
  return slides.length > 0 ? slides : null;
}
