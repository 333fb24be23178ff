// Hints: a best move on boards that the engine analyses, otherwise the first move of a quick solution.

import { announce, toast } from '../announce.js';
import { isAbort, post } from '../api.js';
import { find } from '../dom.js';
import { parseMoves, spoken } from '../model/moves.js';

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
        toast('No solution was found.');
      }
    } catch (error) {
      if (!isAbort(error)) toast(error.message);
    } finally {
      find('hint').disabled = false;
    }
  }

  async function bestMove() {
    const { moves, solvable } = await engine.analyse();
    return solvable ? moves.find((move) => move.best) : null;
  }

  async function firstMove() {
    const report = await post('solve', { ...engine.position(), time_ms: 2000 });
    const [slide] = parseMoves(report.solution ?? '');
    return slide ? { slide, tile: game.board.tiles[game.board.source(slide)] } : null;
  }
}
