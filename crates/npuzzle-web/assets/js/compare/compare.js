// The view Compare: algorithms and heuristics on the current board, as a chart and a table.

import { isAbort, post } from '../api.js';
import { choices, partsOf } from '../choices.js';
import { find, icon, labeledSelect, make, setIcon } from '../dom.js';
import { ALGORITHMS, COMPARED, HEURISTICS, MEASURES, labelOf } from '../names.js';
import { grouped } from '../text.js';
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
  const table = make('div', { class: 'table-host', tabIndex: 0, role: 'region', 'aria-label': 'Comparison table' });
  const buttonText = make('span', {}, 'Compare');
  const button = make('button', { type: 'button', class: 'primary', id: 'run-compare', onclick: () => (job ? job.abort() : run()) }, icon('solve'), buttonText);
  const algorithms = checkboxes('Algorithms', COMPARED, 'compared');
  const heuristics = checkboxes('Heuristics', HEURISTICS, 'guided');
  const measureSelect = labeledSelect('Measure', MEASURES, choices.get('measure'), () => {});
  choices.bind(measureSelect.querySelector('select'), 'measure');
  const results = make('div', { class: 'results', hidden: true },
    make('section', { class: 'card', 'aria-label': 'Chart' },
      make('header', { class: 'card-head' }, make('h2', {}, 'Chart'), measureSelect), chart),
    make('section', { class: 'card', 'aria-label': 'Table' }, make('h2', {}, 'Table'), table));
  find('compare').replaceChildren(
    make('section', { class: 'card choices', 'aria-label': 'Searches to compare' }, puzzle, algorithms, heuristics,
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
    const body = {
      board: game.board.toString(),
      goal: game.goal.name,
      algorithms: partsOf(choices.get('compared')),
      heuristics: partsOf(choices.get('guided')),
      time_ms: 5000,
    };
    if (body.algorithms.length === 0 || body.heuristics.length === 0) {
      return showVerdict('Choose at least one algorithm and one heuristic.', true);
    }
    job = new AbortController();
    showButton('Cancel', 'stop');
    showVerdict('Searching…');
    try {
      ({ rows } = await post('compare', body, job.signal));
      showVerdict('');
      show();
    } catch (error) {
      showVerdict(isAbort(error) ? 'Cancelled.' : error.message, !isAbort(error));
    } finally {
      job = null;
      showButton('Compare', 'solve');
    }
  }

  function showButton(text, drawing) {
    buttonText.textContent = text;
    setIcon(button, drawing);
  }

  function showVerdict(text, isBad = false) {
    verdict.textContent = text;
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
    const label = labelOf(MEASURES, measure);
    chart.replaceChildren(drawChart(bars, `${label}, by algorithm and heuristic`, chart.clientWidth || 500));
    table.replaceChildren(makeTable(rows));
  }
}

const title = ({ algorithm, heuristic }) =>
  labelOf(ALGORITHMS, algorithm) + (heuristic ? `, ${labelOf(HEURISTICS, heuristic)}` : '');

function makeTable(rows) {
  const cell = (row, name) => {
    const value = row[name];
    if (typeof value !== 'number') return '–';
    if (name === 'moves') return `${grouped(value)}${row.optimal ? '' : '*'}`;
    const prefix = row.status === 'limit' && name !== 'ms' ? '≥ ' : '';
    return prefix + (value < 10 && !Number.isInteger(value) ? value.toFixed(2) : grouped(Math.round(value)));
  };
  const head = [['', 'search'], ...COLUMNS].map(([, name]) => make('th', { scope: 'col' }, name));
  const body = rows.map((row) => make('tr', {}, make('th', { scope: 'row' }, title(row)),
    ...(row.status === 'error'
      ? [make('td', { colSpan: COLUMNS.length, class: 'note' }, row.reason ?? 'not available')]
      : COLUMNS.map(([name]) => make('td', {}, cell(row, name))))));
  return make('table', {}, make('caption', { class: 'note' }, '* not proved optimal · ≥ stopped at a limit'),
    make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}

function checkboxes(name, options, choice) {
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
