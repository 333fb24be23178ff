// The dialog Statistics: records, averages and the list of results, and their export and import.

import { fillSelect, find, icon, make } from '../dom.js';
import { Attempt } from '../model/attempt.js';
import { Board } from '../model/board.js';
import { formatTime } from '../model/clock.js';
import { isNamed } from '../model/goal.js';
import { parseMoves } from '../model/moves.js';
import { averages, categoryOf, least, movesPerSecond, readResults, writeResults } from '../model/records.js';
import { counted, grouped } from '../text.js';
import { results } from './results.js';

/** @typedef {import('../model/records.js').Result} Result */

/** The number of results that are listed, and that the button adds. */
const PAGE = 50;
const MAX_FILE_BYTES = 50_000_000;
const AVERAGES = [5, 12, 100];

/** @param {import('../model/game.js').Game} game @param {import('./transport.js').Transport} transport */
export function setUpStatistics(game, transport) {
  const dialog = find('statistics');
  const select = find('statistics-category');
  let nListed = PAGE;
  /** The result that can be restored. @type {Result | null} */
  let deleted = null;

  find('open-statistics').addEventListener('click', () => {
    nListed = PAGE;
    say('');
    show(categoryOf(game.board, game.goal.name));
    dialog.showModal();
  });
  select.addEventListener('change', () => {
    nListed = PAGE;
    show(select.value);
  });
  find('more-results').addEventListener('click', () => {
    nListed += PAGE;
    show(select.value);
  });
  find('restore-result').addEventListener('click', () => change(() => results.add([deleted]), 'Restored.'));
  find('export-results').addEventListener('click', () => save(writeResults(results.all())));
  find('import-results').addEventListener('change', (event) => load(event.target));
  results.addEventListener('change', () => { if (dialog.open) show(select.value); });

  function show(category) {
    const categories = [...new Set([category, ...results.categories()])].sort();
    fillSelect(select, categories.map((one) => [one, labelOf(one)]));
    select.value = category;
    const list = results.of(category);
    showRecords(list);
    const listed = list.slice(-nListed).reverse();
    find('results').replaceChildren(...listed.map((result, i) => makeRow(result, list.length - i, category)));
    find('results-table').hidden = list.length === 0;
    find('records-table').hidden = list.length === 0;
    find('no-results').hidden = list.length > 0;
    find('more-results').hidden = list.length <= nListed;
    find('export-results').disabled = results.categories().length === 0;
  }

  /** @param {Result} result */
  function makeRow(result, number, category) {
    const { ms, stm, mtm, date } = result;
    const when = new Date(date);
    const button = (name, drawing, act) => make('button',
      { type: 'button', class: 'round', onclick: act, title: name, 'aria-label': `${name} solve ${number}` },
      icon(drawing));
    return make('tr', {},
      make('td', {}, grouped(number)),
      make('td', {}, make('strong', {}, formatTime(ms, 3))),
      make('td', { title: `${grouped(stm)} STM, ${grouped(mtm)} MTM` }, `${grouped(stm)} / ${grouped(mtm)}`),
      make('td', { class: 'wide' }, movesPerSecond(result).toFixed(2)),
      make('td', { class: 'wide', title: when.toLocaleString() }, when.toLocaleDateString()),
      make('td', {},
        button('Replay', 'play', () => replay(result)),
        button('Delete', 'close', () => {
          deleted = result;
          change(() => results.remove(category, result), `Solve ${number} deleted.`, true);
        })));
  }

  /** @param {Result} result */
  function replay({ start, goal, solution, ms }) {
    dialog.close();
    game.load(Board.parse(start), goal, parseMoves(solution), 0, new Attempt({ clock: { elapsed: ms } }));
    transport.run();
  }

  function change(act, message, canUndo = false) {
    try {
      act();
      say(message, canUndo);
    } catch (error) {
      say(error.message);
    }
  }

  function say(text, canUndo = false) {
    find('results-verdict').textContent = text;
    find('restore-result').hidden = !canUndo;
    // The button that had the focus may be gone.
    if (text) (canUndo ? find('restore-result') : select).focus({ preventScroll: true });
  }

  async function load(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      if (file.size > MAX_FILE_BYTES) throw new RangeError('The file is too large.');
      const imported = readResults(await file.text());
      const nBefore = results.all().length;
      results.add(imported);
      const nNew = Math.max(0, results.all().length - nBefore);
      say(`${counted(imported.length, 'result')} in the file, ${grouped(nNew)} new.`);
    } catch (error) {
      say(error.message);
    }
    input.focus({ preventScroll: true });
    // The same file can be chosen again.
    input.value = '';
  }
}

/** @param {Result[]} list */
function showRecords(list) {
  const times = list.map(({ ms }) => ms);
  const time = (ms) => (ms === null || ms === undefined ? '–' : formatTime(ms, 3));
  const rows = [
    ['Time', time(times.at(-1)), time(least(times))],
    ...AVERAGES.map((n) => {
      const found = averages(times, n);
      return [`ao${n}`, time(found.at(-1)), time(least(found))];
    }),
    ['Moves (STM)', list.at(-1)?.stm, least(list.map(({ stm }) => stm))],
    ['Moves (MTM)', list.at(-1)?.mtm, least(list.map(({ mtm }) => mtm))],
    ['Moves per second', list.length && movesPerSecond(list.at(-1)).toFixed(2),
      list.length && Math.max(...list.map(movesPerSecond)).toFixed(2)],
  ];
  const cell = (value) => make('td', {}, String(value || '–'));
  find('records').replaceChildren(...rows.map(([name, last, best]) =>
    make('tr', {}, make('th', { scope: 'row' }, name), cell(last), cell(best))));
  find('n-results').textContent = counted(list.length, 'solve');
}

function labelOf(category) {
  const [size, ...goal] = category.split(' ');
  const name = goal.join(' ');
  const named = { last: '', first: ', blank first', snail: ', snail' };
  return size.replace('x', '×') + (isNamed(name) ? named[name] : `, goal ${name.slice(0, 40)}`);
}

function save(text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'npuzzle-results.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
