// Must compile under `tsc --strict`: the declarations of the npm package as its users see them.

import { NpuzzleError, check, generate, request, solve } from 'npuzzle';
import type { Board, Report } from 'npuzzle';

const rows: Board = [[8, 1, 3], [4, 0, 2], [7, 6, 5]];
const report: Report = await solve(rows, { metric: 'mtm', time_ms: 1000 }, (event, data) => console.log(event, data.ms));
const moves: number | null = report.moves;
const { boards } = await generate(3, 3, { moves: 20 });
const first: string | undefined = boards[0]?.slash;
const verdict: Record<string, unknown> = await check(rows, 'L', { metric: 'stm' });
const file: unknown = await request('render', { board: first, format: 'svg' });
const error: Error = new NpuzzleError({ kind: 'value', message: 'text' });
console.log(moves, verdict, file, error);

// @ts-expect-error: a metric that does not exist
await solve(rows, { metric: 'qtm' });
