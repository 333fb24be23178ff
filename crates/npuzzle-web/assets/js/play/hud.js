// Time, slides, runs.

import { find } from '../dom.js';
import { Clock } from '../model/clock.js';
import { say } from '../say.js';

/** @param {import('../model/game.js').Game} game */
export function showHud(game) {
  const clock = new Clock();

  game.onChange(({ kind }) => {
    if (kind === 'load') clock.reset();
    // Who is shown the way does not play against the clock.
    if (kind === 'line') clock.stop();
    if (kind === 'play') {
      clock.start();
      if (game.isSolved) {
        clock.stop();
        say(`Solved in ${game.stm} slides, ${game.mtm} runs, ${clock}.`);
      }
    }
    show();
  });
  setInterval(() => { if (clock.isRunning) find('time').textContent = String(clock); }, 250);
  show();

  function show() {
    find('time').textContent = String(clock);
    find('stm').textContent = String(game.stm);
    find('mtm').textContent = String(game.mtm);
  }
}
