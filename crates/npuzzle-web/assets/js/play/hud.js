// The time and the numbers of slides (STM) and runs (MTM).

import { find } from '../dom.js';
import { Clock } from '../model/clock.js';
import { grouped } from '../text.js';

/** @param {import('../model/game.js').Game} game */
export function setUpHud(game) {
  const clock = new Clock();

  game.onChange(({ kind }) => {
    if (kind === 'load') clock.reset();
    // The clock stops when a solution is shown.
    if (kind === 'line') clock.stop();
    if (kind === 'play') {
      clock.start();
      if (game.isSolved) clock.stop();
    }
    show();
  });
  setInterval(() => { if (clock.isRunning) find('time').textContent = String(clock); }, 250);
  show();

  function show() {
    find('time').textContent = String(clock);
    find('stm').textContent = grouped(game.stm);
    find('mtm').textContent = grouped(game.mtm);
  }
}
