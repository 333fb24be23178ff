// The rows of a comparison as a table.

import { make } from '../dom.js';
import { ALGORITHMS, HEURISTICS, labelOf } from '../names.js';
import { grouped } from '../text.js';

const COLUMNS = [
  ['moves', 'moves'], ['expanded', 'expanded'], ['generated', 'generated'], ['max_open', 'max open'],
  ['branching_factor', 'branching'], ['ms', 'ms'],
];

/** The name of a search. @param {{algorithm: string, heuristic: string | null}} search */
export const searchName = ({ algorithm, heuristic }) =>
  labelOf(ALGORITHMS, algorithm) + (heuristic ? `, ${labelOf(HEURISTICS, heuristic)}` : '');

export function makeTable(rows) {
  const head = ['search', ...COLUMNS.map(([, label]) => label)].map((label) => make('th', { scope: 'col' }, label));
  const body = rows.map((row) => make('tr', {}, make('th', { scope: 'row' }, searchName(row)), ...cellsOf(row)));
  return make('table', {}, make('caption', { class: 'note' }, captionOf(rows)),
    make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}

function cellsOf(row) {
  if (row.status === 'error') {
    return [make('td', { colSpan: COLUMNS.length, class: 'note' }, make('div', {}, row.reason ?? 'not available'))];
  }
  // On a phone, a row is a block, and every value has its own label.
  return COLUMNS.map(([name, label]) => make('td', { 'data-label': label }, textOf(row, name)));
}

function textOf(row, name) {
  const value = row[name];
  if (typeof value !== 'number') return '–';
  if (name === 'moves') return `${grouped(value)}${row.optimal ? '' : '*'}`;
  const prefix = row.status === 'limit' && name !== 'ms' ? '≥ ' : '';
  return prefix + (value < 10 && !Number.isInteger(value) ? value.toFixed(2) : grouped(Math.round(value)));
}

/** Explains the signs that occur. */
function captionOf(rows) {
  const has = (test) => rows.some(test);
  return [
    has((row) => typeof row.moves === 'number' && !row.optimal) && '* not proved optimal',
    has((row) => row.status === 'limit') && '≥ stopped at a limit',
  ].filter(Boolean).join(' · ');
}
