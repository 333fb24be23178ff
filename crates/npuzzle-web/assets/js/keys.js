// Keyboard shortcuts. Fields and sliders keep their own keys.

import { OPPOSITE } from './model/board.js';
import { settings } from './settings.js';

const ARROWS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
const CURSOR_STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** Elements that handle all keys themselves. */
const WITH_OWN_KEYS = 'input:not([type=checkbox]), textarea, select, [role=tab], dialog *';
/** Elements that scroll, and the keys that they handle themselves. */
const SCROLLABLE = '[role=region]';
const SCROLL_KEYS = [...Object.keys(ARROWS), 'Home', 'End'];
const BUTTONS = 'button, summary, [type=checkbox], a';

/**
 * @param {import('./view/stage.js').Stage} stage
 * @param {Record<string, () => void>} commands by key
 * @param {(slides: string[]) => void} play makes slides
 * @param {(cell: number) => void} onCursor receives the cell of the cursor when it moves
 */
export function listenToKeys(stage, commands, play, onCursor) {
  document.addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest(WITH_OWN_KEYS)) return;
    if (SCROLL_KEYS.includes(event.key) && target.closest(SCROLLABLE)) return;
    const action = actionOf(event, target);
    if (!action) return;
    event.preventDefault();
    action();
  });
  stage.host.addEventListener('blur', () => stage.hideCursor());

  function actionOf(event, target) {
    const isPlayView = stage.host.offsetParent !== null;
    if (event.key in ARROWS) {
      if (!isPlayView) return commands[event.key];
      if (event.shiftKey) return () => onCursor(stage.moveCursor(...CURSOR_STEPS[event.key]));
      const slide = ARROWS[event.key];
      return () => play([settings.get('keys') === 'tile' ? slide : OPPOSITE[slide]]);
    }
    if (event.key === 'Enter' || event.key === ' ') {
      if (target.closest(BUTTONS) || !isPlayView || stage.cursor < 0) return null;
      return () => play(stage.game.board.slidesTo(stage.cursor));
    }
    return commands[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  }
}
