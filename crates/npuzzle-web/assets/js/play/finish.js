// The panel of a finished game: time, moves, the length of a shortest solution, and what to do next.

import { announce } from '../announce.js';
import { post } from '../api.js';
import { find, make } from '../dom.js';
import { counted, grouped } from '../text.js';

/** The largest boards whose shortest solutions are found within seconds. */
const MAX_CELLS = 16;
const MAX_SEARCH_MS = 20_000;
/** Screen readers hear the result once: with the shortest length, unless it takes longer than this. */
const ANNOUNCE_AFTER_MS = 1500;

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./transport.js').Transport} transport
 * @param {() => void} newPuzzle loads another board of the same size and level
 * @returns {{close: () => boolean}} `close` hides the panel and returns whether it was shown
 */
export function setUpFinish(game, transport, newPuzzle) {
  const panel = find('finished');
  /** Whether a solution has been shown in this game. */
  let isSolutionShown = false;
  let search = new AbortController();
  let timer = 0;

  game.onChange(({ kind }) => {
    if (kind === 'load' || kind === 'line') isSolutionShown = kind === 'line';
    if (kind !== 'seek') hide();
    if (kind !== 'play' || !game.isSolved) return;
    if (isSolutionShown) announce('Solved.');
    else finish();
  });
  find('again').addEventListener('click', () => newPuzzle());
  find('replay').addEventListener('click', () => {
    transport.to(0);
    transport.run();
  });
  find('share-result').addEventListener('click', () => find('open-share').click());
  find('close-finished').addEventListener('click', close);
  return { close };

  function finish() {
    const moves = counted(game.stm, 'move');
    showResult(`${moves}.`);
    timer = setTimeout(tell, ANNOUNCE_AFTER_MS);
    panel.hidden = false;
    find('again').focus();
    addShortest(moves, search.signal).catch(() => { /* The result is complete without the comparison. */ });
  }

  /** Shows the time and the moves. A narrow panel breaks the line between them. */
  function showResult(moves) {
    const time = `Solved in ${find('time').textContent}, `;
    find('result').replaceChildren(make('span', {}, time), make('span', {}, moves));
  }

  /** Announces the result, unless that is done. */
  function tell() {
    if (timer) announce(find('result').textContent);
    clearTimeout(timer);
    timer = 0;
  }

  async function addShortest(moves, signal) {
    const length = await shortest(signal);
    if (length === null) return;
    const comparison = length === game.stm ? ', the shortest possible' : `; shortest is ${grouped(length)}`;
    showResult(`${moves}${comparison}.`);
    tell();
  }

  /** Returns the length of a shortest solution of the start, or null if it is not found quickly. */
  async function shortest(signal) {
    const { start, goal } = game;
    if (start.nCells > MAX_CELLS) return null;
    const report = await post('solve',
      { board: start.toString(), goal: goal.name, optimal: true, time_ms: MAX_SEARCH_MS }, signal);
    return report.optimal ? report.moves_stm : null;
  }

  function hide() {
    search.abort();
    clearTimeout(timer);
    timer = 0;
    search = new AbortController();
    panel.hidden = true;
  }

  function close() {
    const isShown = !panel.hidden;
    hide();
    if (isShown) find('board').focus({ preventScroll: true });
    return isShown;
  }
}
