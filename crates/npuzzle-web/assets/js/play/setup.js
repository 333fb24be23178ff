// New puzzles: size, goal and difficulty.

import { announce, toast } from '../announce.js';
import { generate, isAbort } from '../api.js';
import { find } from '../dom.js';
import { Board } from '../model/board.js';
import { isNamed, makeGoal } from '../model/goal.js';

/**
 * @param {import('../model/game.js').Game} game
 * @param {() => void} editGoal
 * @returns {{show: () => void, cancel: () => boolean}} `show` resets the fields to the current puzzle; `cancel`
 * stops generating a puzzle and returns whether one was being generated
 */
export function setUpPuzzle(game, editGoal) {
  const goal = find('goal');
  /** @type {AbortController | null} */
  let request = null;

  find('setup').addEventListener('submit', (event) => {
    event.preventDefault();
    scramble();
  });
  find('difficulty').addEventListener('change', showExact);
  for (const id of ['rows', 'cols']) find(id).addEventListener('change', resize);
  goal.addEventListener('change', () => {
    if (goal.value === 'other') editGoal();
    else game.load(game.board, goal.value);
  });
  game.onChange(({ kind }) => { if (kind === 'load') show(); });
  show();
  return { show, cancel };

  function cancel() {
    const isGenerating = request !== null;
    request?.abort();
    return isGenerating;
  }

  function show() {
    find('rows').value = game.board.rows;
    find('cols').value = game.board.cols;
    goal.value = game.goal.name;
    if (goal.selectedIndex < 0) goal.value = 'other';
  }

  function showExact() {
    find('exact-field').hidden = find('difficulty').value !== 'exact';
  }

  function chosenSize() {
    const [rows, cols] = [Number(find('rows').value), Number(find('cols').value)];
    const isValid = (n) => Number.isInteger(n) && n >= 2 && n <= 127;
    return isValid(rows) && isValid(cols) ? [rows, cols] : null;
  }

  // A board of a new size starts solved.
  function resize() {
    const size = chosenSize();
    if (!size) return;
    const name = isNamed(goal.value) ? goal.value : 'last';
    game.load(makeGoal(name, ...size).board, name);
  }

  async function scramble() {
    const size = chosenSize();
    if (!size) return toast('A board has 2 to 127 rows and columns.');
    const [rows, cols] = size;
    const isSame = rows === game.board.rows && cols === game.board.cols;
    const name = isSame || goal.value !== 'other' ? (goal.value === 'other' ? game.goal.name : goal.value) : 'last';
    const moves = find('difficulty').value === 'exact' ? Number(find('exact').value) : undefined;
    request?.abort();
    const own = request = new AbortController();
    const notice = setTimeout(() => toast('Generating a puzzle… Press Esc to cancel.'), 1000);
    try {
      game.load(await generateBoard({ rows, cols, goal: name, moves }, own.signal), name);
      announce(`New ${rows} by ${cols} puzzle.`);
    } catch (error) {
      if (request === own) toast(isAbort(error) ? 'Cancelled.' : error.message);
    } finally {
      clearTimeout(notice);
      if (request === own) {
        request = null;
        find('board').focus({ preventScroll: true });
      }
    }
  }
}

async function generateBoard(spec, signal) {
  const { rows, cols, tiles } = await generate(spec, signal);
  return new Board(rows, cols, tiles);
}
