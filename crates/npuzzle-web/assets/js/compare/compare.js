// Compare: algorithms and heuristics on the board of the player, as a chart and a table.

import { ask, isAbort } from '../api.js';
import { choices, partsOf } from '../choices.js';
import { find, grouped, icon, labelled, make, setIcon } from '../dom.js';
import { ALGORITHMS, COMPARED, HEURISTICS, MEASURES, nameOf } from '../names.js';
import { miniBoard } from '../view/mini.js';
import { drawChart } from './chart.js';

const COLUMNS = [
  ['moves', 'moves'], ['expanded', 'expanded'], ['generated', 'generated'], ['max_open', 'max open'],
  ['branching_factor', 'branching'], ['ms', 'ms'],
];

/** @param {import('../model/game.js').Game} game */
export function setUpCompare(game) {
  /** @type {AbortController | null} */
  let job = null;
  let rows = [];

  const puzzle = make('div', { class: 'puzzle' });
  const verdict = make('p', { class: 'verdict', role: 'status' });
  const chart = make('div', { class: 'chart-host' });
  const table = make('div', { class: 'table-host', tabIndex: 0, role: 'region', 'aria-label': 'Table of the comparison' });
  const word = make('span', {}, 'Compare');
  const button = make('button', { type: 'button', class: 'primary', id: 'run-compare', onclick: () => (job ? job.abort() : run()) }, icon('solve'), word);
  const algorithms = checks('Algorithms', COMPARED, 'compared');
  const heuristics = checks('Heuristics', HEURISTICS, 'guided');
  const shown = labelled('Show', MEASURES, choices.get('measure'), () => {});
  choices.bind(shown.querySelector('select'), 'measure');
  const results = make('div', { class: 'results', hidden: true },
    make('section', { class: 'card', 'aria-label': 'Chart' },
      make('header', { class: 'card-head' }, make('h2', {}, 'Chart'), shown), chart),
    make('section', { class: 'card', 'aria-label': 'Table' }, make('h2', {}, 'Table'), table));
  find('compare').replaceChildren(
    make('section', { class: 'card choices', 'aria-label': 'What to compare' }, puzzle, algorithms, heuristics,
      make('div', { class: 'row' }, button), verdict),
    results);
  document.addEventListener('view', showPuzzle);
  game.onChange(showPuzzle);
  addEventListener('resize', show);
  choices.watch(['measure'], show);

  function showPuzzle() {
    if (find('compare').hidden) return;
    const { board, goal } = game;
    const isSmall = board.nCells <= 25;
    puzzle.replaceChildren(...(isSmall
      ? [miniBoard(board.toString()), make('span', { 'aria-hidden': 'true' }, '→'), miniBoard(goal.board.toString())]
      : [make('p', { class: 'note' }, `${board.rows}×${board.cols}`)]));
  }

  async function run() {
    const question = {
      board: game.board.toString(),
      goal: game.goal.name,
      algorithms: partsOf(choices.get('compared')),
      heuristics: partsOf(choices.get('guided')),
      time_ms: 5000,
    };
    if (question.algorithms.length === 0 || question.heuristics.length === 0) return tell('Choose at least one of each.', true);
    job = new AbortController();
    showButton('Cancel', 'stop');
    tell('Searching …');
    try {
      ({ rows } = await ask('compare', question, job.signal));
      tell('');
      show();
    } catch (error) {
      tell(isAbort(error) ? 'Cancelled.' : error.message, !isAbort(error));
    } finally {
      job = null;
      showButton('Compare', 'solve');
    }
  }

  function showButton(text, drawing) {
    word.textContent = text;
    setIcon(button, drawing);
  }

  function tell(words, isBad = false) {
    verdict.textContent = words;
    verdict.classList.toggle('bad', isBad);
  }

  function show() {
    if (rows.length === 0) return;
    results.hidden = false;
    const measure = choices.get('measure');
    const groups = [...new Set(rows.map((row) => row.algorithm))];
    const bars = rows.filter((row) => row.status !== 'error').map((row) => ({
      name: title(row),
      value: typeof row[measure] === 'number' ? row[measure] : null,
      isCut: row.status === 'limit',
      group: groups.indexOf(row.algorithm),
    }));
    const [, words] = MEASURES.find(([name]) => name === measure);
    chart.replaceChildren(drawChart(bars, `${words}, by algorithm and heuristic`, chart.clientWidth || 500));
    table.replaceChildren(makeTable(rows));
  }
}

const title = ({ algorithm, heuristic }) =>
  nameOf(ALGORITHMS, algorithm) + (heuristic ? `, ${nameOf(HEURISTICS, heuristic)}` : '');

function makeTable(rows) {
  const cell = (row, name) => {
    const value = row[name];
    if (typeof value !== 'number') return '–';
    if (name === 'moves') return `${value}${row.optimal ? '' : '*'}`;
    const isCut = row.status === 'limit' && name !== 'ms' ? '≥ ' : '';
    return isCut + (Number.isInteger(value) ? grouped(value) : value.toFixed(value < 10 ? 2 : 0));
  };
  const head = [['', 'search'], ...COLUMNS].map(([, name]) => make('th', { scope: 'col' }, name));
  const body = rows.map((row) => make('tr', {}, make('th', { scope: 'row' }, title(row)),
    ...(row.status === 'error'
      ? [make('td', { colSpan: COLUMNS.length, class: 'note' }, row.reason ?? 'not possible')]
      : COLUMNS.map(([name]) => make('td', {}, cell(row, name))))));
  return make('table', {}, make('caption', { class: 'note' }, '* not proved shortest · ≥ a limit was reached'),
    make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}

function checks(name, options, choice) {
  const boxes = options.map(([value]) => make('input', { type: 'checkbox', value, onchange: choose }));
  choices.watch([choice], () => {
    const chosen = partsOf(choices.get(choice));
    for (const box of boxes) box.checked = chosen.includes(box.value);
  });
  const chips = options.map(([, text], i) => make('label', { class: 'check chip' }, boxes[i], make('span', {}, text)));
  return make('fieldset', {}, make('legend', {}, name), make('div', { class: 'chips' }, ...chips));

  function choose() {
    choices.set(choice, boxes.filter((box) => box.checked).map((box) => box.value).join('.'));
  }
}
