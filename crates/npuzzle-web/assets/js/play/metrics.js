// The explanation of the two metrics, with both counts, which a button next to the number of moves opens.

import { find } from '../dom.js';
import { grouped } from '../text.js';

/** @param {import('../model/game.js').Game} game */
export function setUpMetrics(game) {
  const [button, box] = [find('explain-moves'), find('metrics')];
  button.addEventListener('click', () => {
    box.hidden = !box.hidden;
    button.setAttribute('aria-expanded', String(!box.hidden));
  });
  game.onChange(show);
  show();

  function show() {
    find('slides').textContent = grouped(game.stm);
  }
}
