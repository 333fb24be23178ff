// Hints: a best move on boards that the engine analyses, otherwise the first move of a quick solution.

import { announce, toast } from '../announce.js';
import { isAbort, post } from '../api.js';
import { find } from '../dom.js';
import { parseMoves, spoken } from '../model/moves.js';

/** The time for the exact value of each move. The first move of a quick solution serves if it is not enough. */
const EXACT_TIME_MS = 3000;

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./engine.js').Engine} engine
 */
export function setUpHints(game, engine) {
  find('hint').addEventListener('click', () => showHint());

  async function showHint() {
    if (game.isSolved) return announce('The board is solved.');
    find('hint').disabled = true;
    try {
      const move = engine.fits ? await bestMove() : await firstMove();
      if (move) {
        engine.markBest([move]);
        announce(`Hint: ${spoken(move.tile, move.slide)}`);
      } else {
        toast('This board has no solution.');
      }
    } catch (error) {
      if (!isAbort(error)) toast(error.message);
    } finally {
      find('hint').disabled = false;
    }
  }

  /** A best move, or the first move of a quick solution; null if the board has no solution. */
  async function bestMove() {
    const { moves, solvable } = await engine.analyse(undefined, EXACT_TIME_MS);
    return solvable ? moves.find((move) => move.best) ?? firstMove() : null;
  }

  async function firstMove() {
    const report = await post('solve', { ...engine.position(), metric: undefined, algorithm: 'construct', time_ms: 2000 });
    const [slide] = parseMoves(report.solution ?? '');
    return slide ? { slide, tile: game.board.tiles[game.board.source(slide)] } : null;
  }
}
