// The view Compare: algorithms and heuristics on the current board, as a chart and a table. Rows appear as soon as
// their searches end.

import { compareWithEvents, isAbort, version } from '../api.js';
import { choices, partsOf } from '../choices.js';
import { find, icon, labeledSelect, make, setIcon } from '../dom.js';
import { applies, BLIND } from '../model/heuristics.js';
import { COMPARED, HEURISTICS, MEASURES, SEARCH_LIMITS, labelOf } from '../names.js';
import { saveFile } from '../save.js';
import { counted } from '../text.js';
import { miniBoard } from '../view/mini.js';
import { drawChart } from './chart.js';
import { toCsv } from './csv.js';
import { makeTable, searchName } from './table.js';

/** @param {import('../model/game.js').Game} game */
export function setUpCompare(game) {
  /** @type {AbortController | null} */
  let job = null;
  let rows = [];

  const puzzle = make('div', { class: 'puzzle' });
  const verdict = make('p', { class: 'verdict', role: 'status' });
  const progress = make('div', { class: 'bar', role: 'progressbar', 'aria-label': 'Searches', hidden: true });
  const chart = make('div', { class: 'chart-host' });
  const table = make('div', { class: 'table-host', tabIndex: 0, role: 'region', 'aria-label': 'Comparison table' });
  const buttonText = make('span', {}, 'Compare');
  const button = make('button', {
    type: 'button', class: 'primary', id: 'run-compare', onclick: () => (job ? job.abort() : run()),
  }, icon('solve'), buttonText);
  const algorithms = checkboxes('Algorithms', COMPARED, 'compared');
  const heuristics = checkboxes('Heuristics', HEURISTICS, 'guided');
  const limitSelect = boundSelect('Time limit per search', SEARCH_LIMITS, 'each');
  const measureSelect = boundSelect('Measure', MEASURES, 'measure');
  const save = make('button', { type: 'button', id: 'save-csv', onclick: saveCsv }, 'Save CSV');
  const results = make('div', { class: 'results', hidden: true },
    make('section', { class: 'card', 'aria-label': 'Chart' },
      make('header', { class: 'card-head' }, make('h2', {}, 'Chart'), measureSelect), chart),
    make('section', { class: 'card', 'aria-label': 'Table' },
      make('header', { class: 'card-head' }, make('h2', {}, 'Table'), save), table));
  find('compare').replaceChildren(
    make('section', { class: 'card choices', 'aria-label': 'Searches to compare' }, algorithms, heuristics,
      make('div', { class: 'row' }, button, limitSelect, verdict, puzzle), progress),
    results);
  document.addEventListener('view', showPuzzle);
  game.onChange(showPuzzle);
  choices.watch(['compared'], showHeuristics);
  game.onChange(({ kind }) => { if (kind === 'load') showHeuristics(); });
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

  /** Disables the heuristics that no chosen algorithm can use on this board. */
  function showHeuristics() {
    for (const box of heuristics.querySelectorAll('input')) box.disabled = !isUsed(box.value);
  }

  function isUsed(heuristic) {
    return partsOf(choices.get('compared')).some((algorithm) => applies(heuristic, algorithm, game.board));
  }

  async function run() {
    const seconds = Number(choices.get('each'));
    const body = {
      board: game.board.toString(),
      goal: game.goal.name,
      algorithms: partsOf(choices.get('compared')),
      heuristics: partsOf(choices.get('guided')).filter(isUsed),
      time_ms: seconds * 1000,
    };
    if (body.algorithms.length === 0) return showVerdict('Choose at least one algorithm.', true);
    if (body.heuristics.length === 0 && !body.algorithms.every((algorithm) => BLIND.includes(algorithm))) {
      return showVerdict('Choose at least one heuristic.', true);
    }
    let nSearches = 0;
    const onEvent = (event, data) => {
      if (event === 'search') {
        nSearches = data.of;
        showProgress(data.number - 1, data.of);
        showVerdict(`Search ${data.number} of ${data.of}: ${searchName(data)}, at most ${seconds} s.`);
      } else if (event === 'row') {
        rows.push(data);
        show();
      }
    };
    rows = [];
    job = new AbortController();
    results.hidden = true;
    showButton('Cancel', 'stop');
    showVerdict('Searching…');
    try {
      ({ rows } = await compareWithEvents(body, onEvent, job.signal));
      show();
      showVerdict(await summaryOf(rows, seconds));
    } catch (error) {
      const kept = nSearches > 0 ? ` after ${rows.length} of ${counted(nSearches, 'search', 'searches')}` : '';
      showVerdict(isAbort(error) ? `Cancelled${kept}.` : error.message, !isAbort(error));
    } finally {
      job = null;
      progress.hidden = true;
      showButton('Compare', 'solve');
    }
  }

  function showButton(text, drawing) {
    buttonText.textContent = text;
    button.classList.toggle('primary', drawing === 'solve');
    setIcon(button, drawing);
  }

  function showProgress(n, of) {
    progress.hidden = false;
    progress.setAttribute('aria-valuenow', String(Math.round((100 * n) / of)));
    progress.style.setProperty('--share', `${(100 * n) / of}%`);
  }

  function showVerdict(text, isBad = false) {
    verdict.textContent = text;
    verdict.classList.toggle('bad', isBad);
  }

  function show() {
    results.hidden = rows.length === 0 || rows.some(isUnsolvable);
    if (results.hidden) return;
    const measure = choices.get('measure');
    const groups = [...new Set(rows.map((row) => row.algorithm))];
    const bars = rows.filter((row) => row.status !== 'error').map((row) => ({
      name: searchName(row),
      value: typeof row[measure] === 'number' ? row[measure] : null,
      isCut: row.status === 'limit',
      group: groups.indexOf(row.algorithm),
    }));
    const label = labelOf(MEASURES, measure);
    // The chart has the width that the table leaves.
    table.replaceChildren(makeTable(rows));
    chart.replaceChildren(drawChart(bars, `${label}, by algorithm and heuristic`, chart.clientWidth || 500));
  }

  function saveCsv() {
    saveFile(new Blob([toCsv(rows)], { type: 'text/csv' }), 'npuzzle-compare.csv');
  }
}

/** All searches have the same board, so one row is enough to know. */
const isUnsolvable = (row) => row.status === 'unsolvable';

/** Says which limits the searches have reached. */
async function summaryOf(rows, seconds) {
  if (rows.some(isUnsolvable)) return 'This board has no solution.';
  const timed = rows.filter((row) => row.limit_hit === 'time');
  // All searches together have a limit, too; the last ones may have had less time than they were promised.
  const nShort = timed.filter((row) => row.ms < seconds * 900).length;
  const nOther = rows.filter((row) => row.status === 'limit').length - timed.length;
  const total = nShort > 0 && (await version()).limits.time_ms / 1000;
  const parts = [
    [timed.length - nShort, `reached the time limit of ${seconds} s`],
    [nShort, `had too little time left: all searches together may take ${total} s`],
    [nOther, 'reached another limit'],
  ].filter(([n]) => n > 0).map(([n, text]) => `${n} ${text}.`);
  return [`${counted(rows.length, 'search', 'searches')}.`, ...parts].join(' ');
}

function boundSelect(label, options, choice) {
  const labeled = labeledSelect(label, options, choices.get(choice), () => {});
  choices.bind(labeled.querySelector('select'), choice);
  return labeled;
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
