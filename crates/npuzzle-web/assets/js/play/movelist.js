// The list of moves in the chosen notation; a click on a move goes to its position. A long list shows
// only the moves around the current one. It is one tab stop; arrow keys move the focus inside it.

import { find, make } from '../dom.js';
import { toWords } from '../model/moves.js';
import { settings } from '../settings.js';
import { counted } from '../text.js';

const MAX_LISTED = 400;
/** The move that a key focuses, from the focused one and the last one. */
const STEPS = {
  ArrowLeft: (i) => i - 1, ArrowUp: (i) => i - 1, ArrowRight: (i) => i + 1, ArrowDown: (i) => i + 1,
  Home: () => 0, End: (i, last) => last,
};

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./transport.js').Transport} transport
 * @param {import('./engine.js').Engine} engine
 */
export function setUpMoveList(game, transport, engine) {
  const list = find('moves');
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let words = [];
  let from = 0;

  settings.bind(find('notation'), 'notation');
  settings.watch(['notation'], write);
  game.onChange(({ kind }) => (kind === 'seek' ? mark() : write()));
  engine.addEventListener('losses', mark);
  list.addEventListener('keydown', (event) => {
    const buttons = [...list.querySelectorAll('button')];
    const at = buttons.indexOf(event.target);
    if (at < 0 || !(event.key in STEPS) || event.ctrlKey || event.altKey || event.metaKey) return;
    // The page's shortcuts would slide a tile.
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[STEPS[event.key](at, buttons.length - 1)];
    if (!next) return;
    buttons.forEach((button) => { button.tabIndex = button === next ? 0 : -1; });
    next.focus();
  });

  function write() {
    words = toWords(game.line, game.tiles, settings.get('notation'));
    fill();
    mark();
  }

  function fill() {
    const hadFocus = list.contains(document.activeElement);
    const here = currentWord();
    from = Math.max(0, Math.min(here - MAX_LISTED / 2, words.length - MAX_LISTED));
    const listed = words.slice(from, from + MAX_LISTED);
    const ellipsis = (isNeeded) => (isNeeded ? [make('span', { class: 'gap' }, '…')] : []);
    list.replaceChildren(...ellipsis(from > 0), ...listed.map(makeButton),
      ...ellipsis(from + MAX_LISTED < words.length));
    if (hadFocus) list.querySelectorAll('button')[Math.max(0, here - from)]?.focus();
  }

  function makeButton({ text, before, length }) {
    return make('button', { type: 'button', onclick: () => transport.to(before + length) }, text);
  }

  function currentWord() {
    const after = words.findIndex(({ before, length }) => before + length >= game.at);
    return after < 0 ? words.length - 1 : after;
  }

  function mark() {
    const here = game.at === 0 ? -1 : currentWord();
    if (here >= 0 && (here < from || here >= from + MAX_LISTED)) fill();
    list.querySelectorAll('button').forEach((button, i) => {
      const { before, length } = words[from + i];
      const wasted = engine.losses.slice(before, before + length).reduce((sum, loss) => sum + (loss ?? 0), 0);
      button.classList.toggle('done', before < game.at);
      button.classList.toggle('lost', wasted > 0);
      button.dataset.wasted = String(wasted);
      button.title = wasted > 0 ? `not optimal: ${counted(wasted, 'move')} wasted` : '';
      button.tabIndex = from + i === Math.max(here, from) ? 0 : -1;
      if (from + i === here) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (from + i === here) scrollTo(button);
    });
    if (here < 0) list.scrollTop = 0;
  }

  function scrollTo(button) {
    const top = button.offsetTop - list.offsetTop - list.clientHeight / 2 + button.clientHeight / 2;
    list.scrollTo({ top, behavior: reducedMotion.matches ? 'auto' : 'smooth' });
  }
}
