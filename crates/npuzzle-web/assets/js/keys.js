// The keyboard. Fields and sliders keep their own keys.

import { OPPOSITE } from './model/board.js';
import { settings } from './settings.js';

const ARROWS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const OWN = 'input:not([type=checkbox]), textarea, select, [role=tab], dialog *';
/** These scroll, and the keys for that are theirs. */
const SCROLLED = '[role=region]';
const SCROLLING = [...Object.keys(ARROWS), 'Home', 'End'];
const BUTTONS = 'button, summary, [type=checkbox], a';

/**
 * @param {import('./view/stage.js').Stage} stage
 * @param {Record<string, () => void>} commands by key
 * @param {(ways: string[]) => void} play
 * @param {(cell: number) => void} choose
 */
export function listenToKeys(stage, commands, play, choose) {
  document.addEventListener('keydown', (event) => {
    const on = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || on.closest(OWN)) return;
    if (SCROLLING.includes(event.key) && on.closest(SCROLLED)) return;
    const act = actionOf(event, on);
    if (!act) return;
    event.preventDefault();
    act();
  });
  stage.host.addEventListener('blur', () => stage.hideCursor());

  function actionOf(event, on) {
    const isPlaying = stage.host.offsetParent !== null;
    if (event.key in ARROWS) {
      if (!isPlaying) return commands[event.key];
      if (event.shiftKey) return () => choose(stage.moveCursor(...STEPS[event.key]));
      const way = ARROWS[event.key];
      return () => play([settings.get('keys') === 'tile' ? way : OPPOSITE[way]]);
    }
    if (event.key === 'Enter' || event.key === ' ') {
      if (on.closest(BUTTONS) || !isPlaying || stage.cursor < 0) return null;
      return () => play(stage.game.board.waysTo(stage.cursor));
    }
    return commands[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  }
}
