/** A board as text in any format that npuzzle reads, or as rows of numbers with 0 or null for the blank. */
export type Board = string | readonly (readonly (number | null)[])[];

export interface SolveOptions {
  /** `last` (the default), `first`, `snail`, or a board. */
  goal?: string;
  /** `stm`, the default, counts slides; `mtm` counts straight runs of slides. */
  metric?: 'stm' | 'mtm';
  algorithm?: string;
  heuristic?: string;
  weight?: number;
  /** The order in which the blank moves in a textbook search, such as `ulrd`. */
  order?: string;
  effort?: 'fast' | 'balanced' | 'best';
  /** Search for a proof on boards of any size. */
  optimal?: boolean;
  /** Count all shortest solutions, and list this many. */
  all?: boolean | number;
  notation?: 'tile' | 'blank' | 'numbers' | 'boards';
  time_ms?: number;
  nodes?: number;
  memory?: number;
}

/** The report of a search; `docs/json.md` describes all fields. */
export interface Report {
  status: string;
  rows: number;
  cols: number;
  start: string;
  goal: string;
  solvable: boolean;
  algorithm: string | null;
  heuristic: string | null;
  metric: 'stm' | 'mtm';
  /** Whether the solution is proved to be a shortest one. */
  optimal: boolean;
  moves: number | null;
  moves_stm: number | null;
  moves_mtm: number | null;
  lower_bound: number | null;
  upper_bound: number | null;
  solution: string | string[] | null;
  expanded: number;
  generated: number;
  ms: number;
  limit_hit: string | null;
  reason: string | null;
  [field: string]: unknown;
}

/** Receives the events `plan`, `progress` and `better` of a search. */
export type OnEvent = (event: string, data: Record<string, unknown>) => void;

export class NpuzzleError extends Error {
  constructor(error: { kind: string; message: string; [field: string]: unknown });
  kind: string;
  field?: string | null;
  line?: number | null;
  column?: number | null;
  length?: number | null;
}

/** Solves a board. */
export function solve(board: Board, options?: SolveOptions, onEvent?: OnEvent): Promise<Report>;

/** Checks a solution and names the wasted moves. */
export function check(
  board: Board,
  solution: string,
  options?: { goal?: string; metric?: 'stm' | 'mtm'; time_ms?: number },
): Promise<Record<string, unknown>>;

export interface GeneratedBoard {
  rows: number;
  cols: number;
  tiles: number[];
  slash: string;
  goal: string;
  solvable: boolean;
  moves: number | null;
}

/** Generates random boards, or boards of an exact difficulty (`moves`). */
export function generate(
  rows: number,
  cols: number,
  options?: { goal?: string; moves?: number; metric?: 'stm' | 'mtm'; unique?: boolean; seed?: number; count?: number },
): Promise<{ seed: number; boards: GeneratedBoard[] }>;

/** Answers any request of the HTTP interface by its name; a file is returned as a Blob. */
export function request(name: string, body?: object, onEvent?: OnEvent): Promise<any>;
