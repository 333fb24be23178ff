// The list of moves in the chosen notation; a click on a move goes to its position. A long list shows
// only the moves around the current one.

import { find, make } from '../dom.js';
import { toWords } from '../model/moves.js';
import { settings } from '../settings.js';

const MAX_LISTED = 400;

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

  function write() {
    words = toWords(game.line, game.tiles, settings.get('notation'));
    fill();
    mark();
  }

  function fill() {
    const here = currentWord();
    from = Math.max(0, Math.min(here - MAX_LISTED / 2, words.length - MAX_LISTED));
    const listed = words.slice(from, from + MAX_LISTED);
    const ellipsis = (isNeeded) => (isNeeded ? [make('span', { class: 'gap' }, '…')] : []);
    list.replaceChildren(...ellipsis(from > 0), ...listed.map(makeButton),
      ...ellipsis(from + MAX_LISTED < words.length));
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
      const isMistake = engine.losses.slice(before, before + length).some((loss) => loss > 0);
      button.classList.toggle('done', before < game.at);
      button.classList.toggle('lost', isMistake);
      button.title = isMistake ? 'not an optimal move' : '';
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
