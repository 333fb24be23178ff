// Replays a pasted solve on the board. The engine shows what every move wasted.

import { toast } from '../announce.js';
import { find } from '../dom.js';
import { Attempt } from '../model/attempt.js';
import { hasMoves, parseSolve } from '../model/reconstruction.js';

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./transport.js').Transport} transport
 * @returns {(text: string) => boolean} takes pasted text if it is a solve
 */
export function setUpReconstruction(game, transport) {
  find('replay-solve').addEventListener('click', () => replay(find('solve-text').value));

  return (text) => {
    if (!hasMoves(text)) return false;
    replay(text);
    return true;
  };

  function replay(text) {
    try {
      const { start, slides, times, totalMs } = parseSolve(text, game.start);
      const isSameSize = start.rows === game.board.rows && start.cols === game.board.cols;
      const clock = { elapsed: totalMs ?? 0 };
      game.load(start, isSameSize ? game.goal.name : 'last', slides, 0, new Attempt({ times, clock }));
    } catch (error) {
      return showError(text, error);
    }
    find('solve-text').value = '';
    find('solve-verdict').textContent = '';
    find('statistics').close();
    transport.run();
  }

  function showError(text, error) {
    if (!find('statistics').open) return toast(`The text looks like a solve. ${error.message}`);
    find('solve-text').value = text;
    find('solve-verdict').textContent = error.message;
  }
}
