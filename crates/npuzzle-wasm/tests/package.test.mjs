// Tests of the npm package in Node. `cargo xtask test` builds it and names its folder in NPUZZLE_NPM.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.NPUZZLE_NPM ?? '../../../target/npm';
const { NpuzzleError, check, generate, request, solve } = await import(`${pathToFileURL(folder)}/index.js`);

/** The board after slides such as `R2`, which name the direction of the tiles. */
function apply(rows, solution) {
  const board = rows.map((row) => [...row]);
  const steps = { U: [1, 0], D: [-1, 0], L: [0, 1], R: [0, -1] };
  for (const [, slide, length] of solution.matchAll(/([UDLR])(\d*)/g)) {
    for (let n = 0; n < Number(length || 1); n++) {
      const row = board.findIndex((tiles) => tiles.includes(0));
      const col = board[row].indexOf(0);
      const [fromRow, fromCol] = [row + steps[slide][0], col + steps[slide][1]];
      board[row][col] = board[fromRow][fromCol];
      board[fromRow][fromCol] = 0;
    }
  }
  return board;
}

test('the hardest 8-puzzle takes 31 moves, and the solution leads to the goal', async () => {
  const board = [[8, 6, 7], [2, 5, 4], [3, 0, 1]];
  const report = await solve(board);
  assert.equal(report.moves, 31);
  assert.equal(report.optimal, true);
  assert.deepEqual(apply(board, report.solution), [[1, 2, 3], [4, 5, 6], [7, 8, 0]]);
});

test('boards of Korf have their known lengths', async () => {
  const korf = [
    ['14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3', 57],
    ['13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6', 55],
    ['14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15', 59],
  ];
  for (const [board, moves] of korf) {
    const report = await solve(board, { goal: 'first' });
    assert.deepEqual([report.moves, report.optimal], [moves, true]);
  }
});

test('a 24-puzzle gets a solution within its time limit, and events say how the search goes', async () => {
  const { boards: [{ slash, tiles }] } = await generate(5, 5, { seed: 7 });
  const events = [];
  const report = await solve(slash, { time_ms: 1500 }, (event, data) => events.push([event, data]));
  const rows = Array.from({ length: 5 }, (_, row) => tiles.slice(5 * row, 5 * row + 5));
  assert.deepEqual(apply(rows, report.solution).flat(), [...Array(24).keys()].map((tile) => tile + 1).concat(0));
  const names = new Set(events.map(([event]) => event));
  assert.ok(names.has('plan') && names.has('progress') && names.has('better'), [...names].join());
  assert.ok(events.every(([, data]) => typeof data === 'object'));
});

test('both metrics are solved', async () => {
  const [slides, runs] = await Promise.all(['stm', 'mtm'].map((metric) => solve('8 6 7/2 5 4/3 0 1', { metric })));
  assert.equal(slides.moves_stm, 31);
  assert.ok(runs.moves_mtm <= slides.moves_mtm && runs.moves_stm >= slides.moves_stm);
});

test('errors say what is wrong and where', async () => {
  await assert.rejects(solve('1 2 3/4 5 6/7 7 0'), (error) => {
    assert.ok(error instanceof NpuzzleError);
    assert.deepEqual([error.kind, error.field, error.line], ['board', 'board', 1]);
    return true;
  });
  await assert.rejects(solve('1 2 3/4 5 6/7 8 0', { algorithm: 'magic' }), { kind: 'value', field: 'algorithm' });
  await assert.rejects(request('nothing'), { kind: 'path' });
});

test('unsolvable boards are reported, not searched', async () => {
  const report = await solve('1 2 3/4 5 6/8 7 0');
  assert.deepEqual([report.status, report.solvable, report.solution], ['unsolvable', false, null]);
});

test('any input is answered or refused', async () => {
  const texts = ['', '\0', '9'.repeat(10000), '1 2 3', 'null', '{"a":', '½ ⅓', '0', '/'.repeat(300), '1 0/2'];
  for (const text of texts) {
    for (const name of ['solve', 'read', 'check', 'trace', 'losses', 'analyse', 'render']) {
      const body = { board: text, text, moves: text, solution: text };
      await request(name, body).catch((error) => assert.ok(error instanceof NpuzzleError && error.kind !== 'internal', error));
    }
  }
});

test('generated boards have the exact difficulty', async () => {
  const { boards } = await generate(3, 3, { moves: 20, count: 3, seed: 1 });
  assert.equal(boards.length, 3);
  for (const { slash } of boards) assert.equal((await solve(slash)).moves, 20);
  const again = await generate(3, 3, { moves: 20, count: 3, seed: 1 });
  assert.deepEqual(again.boards, boards);
});

test('a solution is checked', async () => {
  const verdict = await check('1 2 3/4 5 6/7 0 8', 'L R L');
  assert.deepEqual([verdict.valid, verdict.shortest, verdict.lost], [true, false, 2]);
});

test('pictures are files', async () => {
  const png = await request('render', { board: '1 2 3/4 5 6/7 0 8', format: 'png' });
  assert.equal(png.type, 'image/png');
  assert.match(await png.slice(0, 4).text(), /PNG/);
});
