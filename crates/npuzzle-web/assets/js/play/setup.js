// New puzzles: size, goal and level. The size and the level of the last one are stored for the next visit.

import { announce, toast } from '../announce.js';
import { generate, isAbort } from '../api.js';
import { find } from '../dom.js';
import { Board } from '../model/board.js';
import { isNamed, isSolvable, makeGoal } from '../model/goal.js';
import { LEVELS, describeLevel, levelRange, randomIn, randomWalk } from '../model/levels.js';
import { settings } from '../settings.js';
import { counted } from '../text.js';

/** The time after which a notice says that a puzzle is being generated. */
const NOTICE_MS = 1000;

/**
 * @param {import('../model/game.js').Game} game
 * @param {() => void} editGoal
 * @returns `show` resets the fields to the current puzzle; `load` loads a new one; `scramble` does so and moves the
 * focus to the board; `cancel` stops generating a puzzle and returns whether one was being generated
 */
export function setUpPuzzle(game, editGoal) {
  const goal = find('goal');
  const [sizes, levels] = ['size', 'level'].map((name) => [...find('setup').querySelectorAll(`[data-${name}]`)]);
  /** @type {AbortController | null} */
  let request = null;
  /** The last board that was generated. @type {Board | null} */
  let generated = null;

  find('setup').addEventListener('submit', (event) => {
    event.preventDefault();
    scramble();
  });
  find('more').addEventListener('click', () => showMore(find('more-fields').hidden));
  for (const chip of sizes) chip.addEventListener('click', () => scramble(chip.dataset.size.split('x').map(Number)));
  for (const chip of levels) {
    chip.addEventListener('click', () => {
      find('exact').value = '';
      settings.set('level', chip.dataset.level);
      scramble();
    });
  }
  for (const id of ['rows', 'cols']) find(id).addEventListener('change', resize);
  find('exact').addEventListener('change', show);
  goal.addEventListener('change', () => {
    if (goal.value === 'other') return editGoal();
    const isGenerated = generated?.equals(game.board);
    game.load(game.board, goal.value);
    // Half of all boards cannot reach a goal. A generated one is replaced then; one that the user has entered is kept.
    if (isGenerated && !isSolvable(game.board, game.goal)) load();
  });
  game.onChange(({ kind }) => { if (kind === 'load') show(); });
  settings.watch(['level'], show);
  return { show, load, scramble, cancel };

  function cancel() {
    const isGenerating = request !== null;
    request?.abort();
    return isGenerating;
  }

  function showMore(isOpen) {
    find('more-fields').hidden = !isOpen;
    find('more').setAttribute('aria-expanded', String(isOpen));
  }

  function level() {
    return LEVELS.includes(settings.get('level')) ? settings.get('level') : LEVELS[0];
  }

  /** Whether new puzzles are uniformly random boards. */
  function isUniform() {
    return exact() === undefined && level() === 'random';
  }

  /** The exact number of moves that the user has typed. */
  function exact() {
    return find('exact').value === '' ? undefined : Number(find('exact').value);
  }

  function show() {
    const { board: { rows, cols }, goal: { name } } = game;
    find('rows').value = rows;
    find('cols').value = cols;
    goal.value = name;
    if (goal.selectedIndex < 0) goal.value = 'other';
    for (const chip of sizes) press(chip, chip.dataset.size === `${rows}x${cols}`);
    for (const chip of levels) {
      press(chip, exact() === undefined && chip.dataset.level === level());
      chip.title = describeLevel(chip.dataset.level, rows, cols, name);
    }
    find('level-note').textContent = exact() === undefined ? describeLevel(level(), rows, cols, name)
      : `New puzzles have shortest solutions of exactly ${counted(exact(), 'move')}.`;
  }

  function chosenSize() {
    return checkedSize(find('rows').value, find('cols').value);
  }

  // A board of a new size starts solved.
  function resize() {
    const size = chosenSize();
    if (!size) return;
    const name = isNamed(goal.value) ? goal.value : 'last';
    game.load(makeGoal(name, ...size).board, name);
  }

  /** Loads a new puzzle. The next keys are for the board. */
  async function scramble(size) {
    await load(size);
    if (!request) find('board').focus({ preventScroll: true });
  }

  async function load(size = chosenSize()) {
    if (!size) return toast('A board has 2 to 127 rows and columns.');
    const [rows, cols] = size;
    const isSame = rows === game.board.rows && cols === game.board.cols;
    const name = isSame || isNamed(game.goal.name) ? game.goal.name : 'last';
    request?.abort();
    const own = request = new AbortController();
    const notice = setTimeout(() => toast('Generating a puzzle… Press Esc to cancel.'), NOTICE_MS);
    try {
      const board = await makeBoard(rows, cols, name, own.signal);
      generated = board.clone();
      settings.set('rows', rows);
      settings.set('cols', cols);
      if (isUniform()) game.loadScramble(board, name);
      else game.load(board, name);
      announce(`New ${rows} by ${cols} puzzle.`);
    } catch (error) {
      if (request === own) toast(isAbort(error) ? 'Cancelled.' : error.message);
    } finally {
      clearTimeout(notice);
      if (request === own) request = null;
    }
  }

  async function makeBoard(rows, cols, name, signal) {
    const { distances, slides } = exact() === undefined ? levelRange(level(), rows, cols, name) : {};
    if (slides) return randomWalk(makeGoal(name, rows, cols).board, slides);
    const moves = distances ? randomIn(distances) : exact();
    const { tiles } = await generate({ rows, cols, goal: name, moves }, signal);
    return new Board(rows, cols, tiles);
  }
}

/** Loads the first puzzle of a visit without a link: an easy one, or of the size and the level of the last visit. */
export async function startFirstPuzzle(game, puzzle) {
  await puzzle.load(checkedSize(settings.get('rows'), settings.get('cols')) ?? undefined);
  find('invitation').hidden = false;
  game.onChange(() => { find('invitation').hidden = true; });
}

function checkedSize(...sides) {
  const isValid = (n) => Number.isInteger(n) && n >= 2 && n <= 127;
  const size = sides.map(Number);
  return size.every(isValid) ? size : null;
}

function press(chip, isPressed) {
  chip.setAttribute('aria-pressed', String(isPressed));
}
