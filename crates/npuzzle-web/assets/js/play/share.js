// Sharing: a link that holds everything, the board and the moves as text, pictures and pages.

import { askFile } from '../api.js';
import { choices } from '../choices.js';
import { find } from '../dom.js';
import { readLink, writeLink } from '../model/link.js';
import { writeMoves } from '../model/moves.js';
import { toast } from '../say.js';
import { settings } from '../settings.js';

const PAUSE_MS = 400;
/** A longer link is made when it is asked for, not after every move. */
const MAX_KEPT = 20000;

/** @param {import('../model/game.js').Game} game @param {() => string} view the name of the open view */
export function offerSharing(game, view) {
  let timer = 0;
  game.onChange(keepSoon);
  settings.watch(['keys', 'notation', 'marks'], keepSoon);
  choices.watch(choices.names, keepSoon);
  document.addEventListener('view', keepSoon);

  find('open-share').addEventListener('click', () => {
    find('link').value = link();
    tell('');
    find('share').showModal();
  });
  find('copy-link').addEventListener('click', () => copy(link(), 'The link is copied.'));
  find('copy-board').addEventListener('click', () => copy(game.board.toString(), 'The board is copied.'));
  find('copy-moves').addEventListener('click', () => copy(writeMoves(game.line), 'The moves are copied.'));
  find('copy-svg').addEventListener('click', async () => {
    const file = await drawn('svg');
    if (file) copy(await file.text(), 'The picture is copied as SVG.');
  });
  for (const button of find('share').querySelectorAll('[data-format]')) {
    button.addEventListener('click', () => save(button.dataset.format));
  }

  function fragment() {
    const open = view();
    return writeLink(game, { ...settings.shared(), ...choices.shared(), ...(open !== 'play' && { view: open }) });
  }

  function link() {
    return new URL(fragment(), location.href).href;
  }

  // The address is always that of the position, so that a reload loses nothing.
  function keepSoon() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const kept = game.board.nCells + game.line.length > MAX_KEPT ? ' ' : fragment();
      if (kept !== location.hash) history.replaceState(null, '', kept);
    }, PAUSE_MS);
  }

  async function copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      tell(words);
    } catch {
      tell('The browser does not allow it; copy the link by hand.');
    }
  }

  async function drawn(format) {
    tell('');
    try {
      const moves = game.line.length > 0 ? writeMoves(game.line) : undefined;
      return await askFile('render', { board: game.start.toString(), goal: game.goal.name, moves, format });
    } catch (error) {
      tell(error.message);
      return null;
    }
  }

  async function save(format) {
    const file = await drawn(format);
    if (!file) return;
    const url = URL.createObjectURL(file);
    Object.assign(document.createElement('a'), { href: url, download: `npuzzle.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
    tell(`Saved as npuzzle.${format}.`);
  }

  function tell(words) {
    find('share-verdict').textContent = words;
  }
}

/** Loads what the address holds. @returns {string | undefined} the view that it asks for */
export function openLink(game) {
  try {
    const link = readLink(location.hash);
    if (!link) return undefined;
    settings.take(link.settings);
    choices.take(link.settings);
    game.load(link.start, link.goal, link.ways, link.at);
    return link.settings.view;
  } catch {
    toast('The link holds no board that can be read.');
    return undefined;
  }
}
