// Sharing: a link with the whole state; the board and the moves as text, pictures and web pages.

import { toast } from '../announce.js';
import { postForFile } from '../api.js';
import { choices } from '../choices.js';
import { find } from '../dom.js';
import { readLink, writeLink } from '../model/link.js';
import { writeMoves } from '../model/moves.js';
import { saveFile } from '../save.js';
import { settings } from '../settings.js';

/** The time without changes before the address is updated. */
const DEBOUNCE_MS = 400;
/** The maximum number of cells and moves for which the address is updated after every change. */
const MAX_SIZE = 20000;

/** @param {import('../model/game.js').Game} game @param {() => string} view the name of the open view */
export function setUpSharing(game, view) {
  let timer = 0;
  /** @type {string | undefined} the address of a page that other people can open */
  let publicAddress;
  game.onChange(scheduleUpdate);
  settings.watch(['keys', 'notation', 'marks'], scheduleUpdate);
  choices.watch(choices.names, scheduleUpdate);
  document.addEventListener('view', scheduleUpdate);

  find('open-share').addEventListener('click', () => {
    find('link').value = link();
    find('public-link').value = publicAddress ? link(publicAddress) : '';
    showVerdict('');
    find('share').showModal();
  });
  find('copy-link').addEventListener('click', () => copy(link(), 'Link copied.'));
  find('copy-public').addEventListener('click', () => copy(link(publicAddress), 'Link copied.'));
  find('copy-board').addEventListener('click', () => copy(game.board.toString(), 'Board copied.'));
  find('copy-moves').addEventListener('click', () => copy(writeMoves(game.line), 'Moves copied.'));
  find('copy-svg').addEventListener('click', async () => {
    const file = await render('svg');
    if (file) copy(await file.text(), 'SVG copied.');
  });
  for (const button of find('share').querySelectorAll('[data-format]')) {
    button.addEventListener('click', () => save(button.dataset.format));
  }

  return { setPublicAddress };

  function fragment() {
    const open = view();
    return writeLink(game, { ...settings.shared(), ...choices.shared(), ...(open !== 'play' && { view: open }) });
  }

  function link(base = location.href) {
    return new URL(fragment(), base).href;
  }

  /** Offers a second link, to a static page at this address. */
  function setPublicAddress(address) {
    publicAddress = address;
    for (const id of ['public-field', 'copy-public']) find(id).hidden = !address;
  }

  // The address always describes the current state, so a reload loses nothing.
  function scheduleUpdate() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const hash = game.board.nCells + game.line.length > MAX_SIZE ? ' ' : fragment();
      if (hash !== location.hash) history.replaceState(null, '', hash);
    }, DEBOUNCE_MS);
  }

  async function copy(text, verdict) {
    try {
      await navigator.clipboard.writeText(text);
      showVerdict(verdict);
    } catch {
      showVerdict('The browser does not allow copying. Copy the link by hand.');
    }
  }

  async function render(format) {
    showVerdict('');
    try {
      const moves = game.line.length > 0 ? writeMoves(game.line) : undefined;
      return await postForFile('render', { board: game.start.toString(), goal: game.goal.name, moves, format });
    } catch (error) {
      showVerdict(error.message);
      return null;
    }
  }

  async function save(format) {
    const file = await render(format);
    if (!file) return;
    saveFile(file, `npuzzle.${format}`);
    showVerdict(`Saved as npuzzle.${format}.`);
  }

  function showVerdict(text) {
    find('share-verdict').textContent = text;
  }
}

/** Loads the state of the address. @returns {string | undefined} the view that it names */
export function openLink(game) {
  try {
    const link = readLink(location.hash);
    if (!link) return openOptions();
    settings.applyLink(link.settings);
    choices.applyLink(link.settings);
    game.load(link.start, link.goal, link.slides, link.at);
    return link.settings.view;
  } catch {
    toast('The link does not contain a valid puzzle.');
    return undefined;
  }
}

// Applies a link without a board, such as `#view=watch&search=bfs.zero.fifo`.
function openOptions() {
  const options = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  choices.applyLink(options);
  return options.view;
}
