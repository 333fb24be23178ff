// Hints: a best move on boards that the engine analyses, otherwise the first move of a quick solution.

import { announce, toast } from '../announce.js';
import { isAbort, post } from '../api.js';
import { find } from '../dom.js';
import { parseMoves, spoken } from '../model/moves.js';

/** The time to find a shortest solution. The first move of a quick solution serves if it is not enough. */
const EXACT_TIME_MS = 5000;
const QUICK_TIME_MS = 2000;
/** The time after which a notice says that a hint is being computed. */
const NOTICE_MS = 1000;

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./engine.js').Engine} engine
 */
export function setUpHints(game, engine) {
  find('hint').addEventListener('click', () => showHint());

  async function showHint() {
    if (game.isSolved) return announce('The board is solved.');
    find('hint').disabled = true;
    const board = game.board.toString();
    const notice = setTimeout(() => toast('Looking for a good move…'), NOTICE_MS);
    try {
      const move = engine.best[0] ?? await bestMove(game.board.clone());
      // A move that was made meanwhile needs another hint.
      if (game.board.toString() !== board) return;
      if (move) {
        engine.markBest([move]);
        announce(`Hint: ${spoken(move.tile, move.slide)}`);
      } else {
        toast('This board has no solution.');
      }
    } catch (error) {
      if (!isAbort(error)) toast(error.message);
    } finally {
      clearTimeout(notice);
      find('hint').disabled = false;
    }
  }

  /** The first move of a shortest solution if the board is small, otherwise of a quick one; null without a solution. */
  async function bestMove(board) {
    const exact = engine.fits && await firstMove(board, { optimal: true, time_ms: EXACT_TIME_MS });
    return exact || firstMove(board, { metric: undefined, algorithm: 'construct', time_ms: QUICK_TIME_MS });
  }

  /** The first move of a solution; null if none is found. */
  async function firstMove(board, options) {
    const report = await post('solve', { ...engine.position(), board: board.toString(), ...options });
    const [slide] = parseMoves(report.solution ?? '');
    return slide ? { slide, tile: board.tiles[board.source(slide)] } : null;
  }
}
