// Converts a game to the fragment of a link and back: `#start=8.1.3_4.0.2_7.6.5&goal=snail&moves=LUR2&at=3`.

import { Board } from './board.js';
import { makeGoal } from './goal.js';
import { parseMoves, writeMoves } from './moves.js';

/** Limits the work that a short link with long runs can cause. */
const MAX_SLIDES = 1_000_000;

const packBoard = (/** @type {Board | string} */ board) =>
  String(board).replaceAll(' ', '.').replaceAll('/', '_');
const unpackBoard = (text) => text.replaceAll('.', ' ').replaceAll('_', '/');

/**
 * @param {import('./game.js').Game} game
 * @param {Record<string, string>} settings
 */
export function writeLink(game, settings) {
  const parts = { start: packBoard(game.start) };
  if (game.goal.name !== 'last') parts.goal = packBoard(game.goal.name);
  if (game.line.length > 0) parts.moves = writeMoves(game.line).replaceAll(' ', '');
  if (game.at > 0) parts.at = String(game.at);
  const all = Object.entries({ ...parts, ...settings });
  return `#${all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/**
 * Parses a fragment. Throws if it is invalid; returns null if it contains no board.
 * @returns {{start: Board, goal: string, slides: string[], at: number, settings: Record<string, string>} | null}
 */
export function readLink(fragment) {
  const { start, goal, moves, at, ...settings } =
    Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')));
  if (!start) return null;
  const board = Board.parse(unpackBoard(start));
  const name = unpackBoard(goal ?? 'last');
  makeGoal(name, board.rows, board.cols);
  return { start: board, goal: name, slides: parseMoves(moves ?? '', MAX_SLIDES), at: Number(at) || 0, settings };
}

/** Returns the board that a fragment shows: the start after the moves before the position; null if it contains no valid board. */
export function linkedBoard(fragment) {
  try {
    const link = readLink(fragment);
    link?.slides.slice(0, link.at).every((slide) => link.start.slide(slide));
    return link?.start ?? null;
  } catch {
    return null;
  }
}
