// A hint: one best move on small boards, the first move of a quick solution on others.

import { ask, isAbort } from '../api.js';
import { find } from '../dom.js';
import { parseMoves, spoken } from '../model/moves.js';
import { say, toast } from '../say.js';

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./engine.js').Engine} engine
 */
export function offerHints(game, engine) {
  find('hint').addEventListener('click', () => hint());

  async function hint() {
    if (game.isSolved) return say('The board is solved.');
    find('hint').disabled = true;
    try {
      const move = engine.fits ? await known() : await searched();
      if (move) {
        engine.markBest([move]);
        say(`Hint: ${spoken(move.tile, move.slide)}`);
      } else {
        toast('There is no way to the goal from here.');
      }
    } catch (error) {
      if (!isAbort(error)) toast(error.message);
    } finally {
      find('hint').disabled = false;
    }
  }

  async function known() {
    const { moves, solvable } = await engine.analyse();
    return solvable ? moves.find((move) => move.best) : null;
  }

  async function searched() {
    const report = await ask('solve', { ...engine.question(), time_ms: 2000 });
    const [slide] = parseMoves(report.solution ?? '');
    return slide ? { slide, tile: game.board.tiles[game.board.source(slide)] } : null;
  }
}
