// Measures the npm package in Node: loading, an 8-puzzle, Korf's hundred 15-puzzles, and a 15-puzzle of 80 moves. Run by
// `cargo xtask bench wasm`.

import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';

const [folder, korf] = process.argv.slice(2);
const { solve } = await import(`${pathToFileURL(folder)}/index.js`);

async function measure(action) {
  const start = performance.now();
  const report = await action();
  return [performance.now() - start, report];
}

const row = (name, value, target = '') => console.log(name.padEnd(52), value.padStart(12), target);
const ms = (value) => `${value.toFixed(1)} ms`;

const module = await readFile(`${folder}/npuzzle.wasm`);
row('module, compressed with gzip', `${(gzipSync(module, { level: 9 }).length / 1e6).toFixed(2)} MB`, '<= 2.5 MB with the page');
const hardest8 = '8 6 7/2 5 4/3 0 1';
row('load the module and solve an 8-puzzle', ms((await measure(() => solve(hardest8)))[0]));
row('the same 8-puzzle again', ms((await measure(() => solve(hardest8)))[0]));

const lines = (await readFile(korf, 'utf8')).split('\n').filter((line) => /^\s*\d/.test(line));
const boards = lines.map((line) => line.split(';')[1].trim());
row('build the tables of 15-puzzles', ms((await measure(() => solve(boards[0], { goal: 'first' })))[0]));
const results = [];
for (const board of boards) results.push(await measure(() => solve(board, { goal: 'first' })));
const times = results.map(([time]) => time).sort((a, b) => a - b);
const total = results.reduce((sum, [, report]) => sum + report.moves, 0);
if (results.some(([, report]) => !report.optimal)) throw new Error('a solution is not proved');
row(`Korf's ${boards.length} boards, median (${total} moves in total)`, ms(times[Math.floor(times.length / 2)]), '<= 30 ms');
row("Korf's boards, longest", ms(times.at(-1)));
const [time, { moves, optimal }] = await measure(() => solve('0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1'));
row(`a board of ${moves} moves${optimal ? ', proved' : ''}`, ms(time));
