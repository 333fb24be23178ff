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
/** Elements that undo their own changes. */
const WITH_OWN_UNDO = 'input[type=text], input[type=number], textarea, dialog *';
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
    const isUndo = event.ctrlKey || event.metaKey;
    if (event.altKey || target.closest(isUndo ? WITH_OWN_UNDO : WITH_OWN_KEYS)) return;
    if (SCROLL_KEYS.includes(event.key) && target.closest(SCROLLABLE)) return;
    const action = isUndo ? commands[undoName(event)] : actionOf(event, target);
    if (!action) return;
    event.preventDefault();
    action();
  });
  stage.host.addEventListener('blur', () => stage.hideCursor());

  function actionOf(event, target) {
    const isPlayView = stage.host.offsetParent !== null;
    const letters = isPlayView && !event.shiftKey ? parseLetters(settings.get('letters')) : null;
    const arrow = event.key in ARROWS ? event.key : letters?.get(event.key.toLowerCase());
    if (arrow) {
      if (!isPlayView) return commands[arrow];
      if (event.shiftKey) return () => onCursor(stage.moveCursor(...CURSOR_STEPS[arrow]));
      const slide = ARROWS[arrow];
      return () => play([settings.get('keys') === 'tile' ? slide : OPPOSITE[slide]]);
    }
    if (event.key === 'Enter' || event.key === ' ') {
      if (target.closest(BUTTONS) || !isPlayView || stage.cursor < 0) return null;
      return () => play(stage.game.board.slidesTo(stage.cursor));
    }
    return commands[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  }
}

/** `Ctrl-z` or `Ctrl-y`; Cmd on macOS. Ctrl-Shift-Z is the same as Ctrl-Y. */
function undoName({ key, shiftKey }) {
  const letter = key.toLowerCase();
  return `Ctrl-${letter === 'z' && shiftKey ? 'y' : letter}`;
}

/**
 * Returns the arrow key of each letter of a setting such as `WASD`: up, left, down, right.
 * @returns {Map<string, string> | null} null if it is not four different characters
 */
export function parseLetters(text) {
  const letters = [...String(text).toLowerCase()];
  const isValid = letters.length === 4 && new Set(letters).size === 4 && !/\s/.test(text);
  if (!isValid) return null;
  return new Map(['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'].map((arrow, i) => [letters[i], arrow]));
}
