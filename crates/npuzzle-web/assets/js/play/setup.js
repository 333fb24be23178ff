// A new puzzle: its size, its goal, how far from it.

import { ask, isAbort } from '../api.js';
import { find } from '../dom.js';
import { Board } from '../model/board.js';
import { isNamed, makeGoal } from '../model/goal.js';
import { say, toast } from '../say.js';

/**
 * @param {import('../model/game.js').Game} game
 * @param {() => void} editGoal
 * @returns {{show: () => void, cancel: () => boolean}} what shows the choices as they are, after some were not
 * taken; what gives up the puzzle that is being made, if there is one
 */
export function offerSetup(game, editGoal) {
  const goal = find('goal');
  /** @type {AbortController | null} */
  let asking = null;

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
    const isAsking = asking !== null;
    asking?.abort();
    return isAsking;
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

  function size() {
    const [rows, cols] = [Number(find('rows').value), Number(find('cols').value)];
    const isRight = (n) => Number.isInteger(n) && n >= 2 && n <= 127;
    return isRight(rows) && isRight(cols) ? [rows, cols] : null;
  }

  // A board of another size begins solved.
  function resize() {
    const wanted = size();
    if (!wanted) return;
    const name = isNamed(goal.value) ? goal.value : 'last';
    game.load(makeGoal(name, ...wanted).board, name);
  }

  async function scramble() {
    const wanted = size();
    if (!wanted) return toast('A board has 2 to 127 rows and columns.');
    const [rows, cols] = wanted;
    const isSame = rows === game.board.rows && cols === game.board.cols;
    const name = isSame || goal.value !== 'other' ? (goal.value === 'other' ? game.goal.name : goal.value) : 'last';
    const moves = find('difficulty').value === 'exact' ? Number(find('exact').value) : undefined;
    asking?.abort();
    const mine = asking = new AbortController();
    const patience = setTimeout(() => toast('Making a puzzle … Esc cancels.'), 1000);
    try {
      game.load(await generated({ rows, cols, goal: name, moves }, mine.signal), name);
      say(`New ${rows} by ${cols} puzzle.`);
    } catch (error) {
      if (asking === mine) toast(isAbort(error) ? 'Cancelled.' : error.message);
    } finally {
      clearTimeout(patience);
      if (asking === mine) {
        asking = null;
        find('board').focus({ preventScroll: true });
      }
    }
  }
}

async function generated(wish, signal) {
  const { boards: [{ rows, cols, tiles }] } = await ask('generate', wish, signal);
  return new Board(rows, cols, tiles);
}
