// The moves of the line in somebody's notation; a click goes there. Of very many only those around
// the current one are there.

import { find, make } from '../dom.js';
import { toWords } from '../model/moves.js';
import { settings } from '../settings.js';

const MAX_LISTED = 400;

/**
 * @param {import('../model/game.js').Game} game
 * @param {import('./transport.js').Transport} transport
 * @param {import('./engine.js').Engine} engine
 */
export function listMoves(game, transport, engine) {
  const list = find('moves');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
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
    const gap = (isThere) => (isThere ? [make('span', { class: 'gap' }, '…')] : []);
    list.replaceChildren(...gap(from > 0), ...listed.map(makeButton),
      ...gap(from + MAX_LISTED < words.length));
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
      const isLost = engine.losses.slice(before, before + length).some((loss) => loss > 0);
      button.classList.toggle('done', before < game.at);
      button.classList.toggle('lost', isLost);
      button.title = isLost ? 'moves are lost here' : '';
      if (from + i === here) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (from + i === here) reveal(button);
    });
    if (here < 0) list.scrollTop = 0;
  }

  function reveal(button) {
    const top = button.offsetTop - list.offsetTop - list.clientHeight / 2 + button.clientHeight / 2;
    list.scrollTo({ top, behavior: calm.matches ? 'auto' : 'smooth' });
  }
}
