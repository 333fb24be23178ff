// The editor: a board as text in any format and as cells, read by the server as one types. What is
// wrong is shown where it is.

import { ApiError, ask, isAbort } from '../api.js';
import { find, make } from '../dom.js';
import { Board } from '../model/board.js';
import { isNamed } from '../model/goal.js';
import { toast } from '../say.js';

const MAX_CELLS = 100;
const PAUSE_MS = 150;

export class Editor {
  /** @param {import('../model/game.js').Game} game */
  constructor(game) {
    this.game = game;
    this.dialog = find('editor');
    this.text = find('text');
    this.asking = new AbortController();
    /** What follows, whether a board was taken or not. */
    this.onClose = () => {};
    find('open-editor').addEventListener('click', () => this.open(false));
    this.text.addEventListener('input', () => {
      this.isFromCells = false;
      this.read();
    });
    this.text.addEventListener('scroll', () => this.align());
    find('as-goal').addEventListener('change', () => this.read());
    this.dialog.addEventListener('close', () => this.close());
    this.dialog.querySelector('form').addEventListener('submit', (event) => {
      if (this.found) this.take();
      else event.preventDefault();
    });
    document.addEventListener('paste', (event) => this.onPaste(event));
  }

  /** @param {boolean} isGoal whether the goal is edited, not the start */
  open(isGoal, text) {
    find('as-goal').checked = isGoal;
    const { board, goal } = this.game;
    this.text.value = text ?? toText(isGoal ? goal.board : board);
    this.isFromCells = false;
    this.ownGoal = null;
    this.dialog.showModal();
    this.text.focus();
    this.read();
  }

  close() {
    this.asking.abort();
    this.onClose();
  }

  // A board that is pasted anywhere is a board that is meant.
  onPaste(event) {
    if (event.target.closest?.('input, textarea, dialog')) return;
    const text = event.clipboardData?.getData('text');
    if (text) this.open(false, text);
  }

  async read() {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.found = null;
    find('take').disabled = true;
    const text = this.text.value;
    try {
      await new Promise((done) => { setTimeout(done, PAUSE_MS); });
      if (signal.aborted) return;
      const { boards: [first, ...others] } = await ask('read', { text }, signal);
      this.accept(await this.withGoal(first, signal), others.length);
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.refuse(error);
    }
  }

  // The goal of the text comes first, then that of the game.
  async withGoal(read, signal) {
    if (read.own_goal) this.ownGoal = read.goal;
    else if (!this.isFromCells) this.ownGoal = null;
    const goal = this.ownGoal ?? this.goalOfGame(read);
    const { boards: [board] } = await ask('read', { text: read.slash, goal }, signal);
    return board;
  }

  /** A goal that is a board is none for boards of other sizes. */
  goalOfGame({ rows, cols }) {
    const { name, board } = this.game.goal;
    return isNamed(name) || (board.rows === rows && board.cols === cols) ? name : 'last';
  }

  accept(read, nOthers) {
    this.found = read;
    const board = new Board(read.rows, read.cols, read.tiles);
    if (!this.isFromCells) this.fillCells(board);
    this.markText(null);
    this.markCells(-1);
    const isGoal = find('as-goal').checked;
    const fits = !isGoal || (read.rows === this.game.board.rows && read.cols === this.game.board.cols);
    const size = `${read.rows}×${read.cols}`;
    const goal = this.ownGoal ? ' with a goal of its own' : '';
    const isLost = !isGoal && !this.ownGoal && this.goalOfGame(read) !== this.game.goal.name;
    const more = (nOthers > 0 ? ` The first of ${nOthers + 1} boards.` : '')
      + (isLost ? ' The goal so far is of another size; it will be: blank last.' : '');
    if (!fits) this.tell(`A goal must be ${this.game.board.rows}×${this.game.board.cols}, as the board is.`, true);
    else if (isGoal) this.tell(`${size}, a goal.${more}`, false);
    else this.tell(`${size}${goal}, ${read.solvable ? 'can be solved' : `has no solution: ${read.reason}`}.${more}`, !read.solvable);
    find('take').disabled = !fits;
    if (!fits) this.found = null;
  }

  /** @param {ApiError} error */
  refuse(error) {
    const hasPlace = error instanceof ApiError && error.line;
    const where = hasPlace ? `Line ${error.line}, column ${error.column}: ` : '';
    this.tell(where + error.message, true);
    this.markText(hasPlace ? error : null);
    this.markCells(hasPlace && this.isFromCells ? this.cellAt(error) : -1);
  }

  tell(words, isBad) {
    const verdict = find('text-verdict');
    verdict.textContent = words;
    verdict.classList.toggle('bad', isBad);
    this.text.setAttribute('aria-invalid', String(this.found === null));
  }

  take() {
    const { rows, cols, tiles, slash, goal } = this.found;
    try {
      if (find('as-goal').checked) this.game.load(this.game.board, slash);
      else this.game.load(new Board(rows, cols, tiles), goal);
    } catch (error) {
      toast(error.message);
    }
  }

  // The text once more behind the field, with the wrong place marked.
  markText(place) {
    const marks = find('text-marks');
    const text = this.text.value;
    if (!place) {
      marks.replaceChildren(`${text}\n`);
      return;
    }
    const begin = offsetOf(text, place);
    const end = begin + Math.max(1, place.length ?? 1);
    const wrong = text.slice(begin, end).replace(/\n.*/s, '') || ' ';
    marks.replaceChildren(text.slice(0, begin), make('mark', {}, wrong), `${text.slice(begin + wrong.length)}\n`);
    this.align();
  }

  align() {
    find('text-marks').scrollTop = this.text.scrollTop;
    find('text-marks').scrollLeft = this.text.scrollLeft;
  }

  /** @param {Board} board */
  fillCells(board) {
    const host = find('cells');
    host.hidden = board.nCells > MAX_CELLS;
    if (host.hidden) return host.replaceChildren();
    host.style.setProperty('--cols', board.cols);
    this.inputs = [...board.tiles].map((tile, cell) => make('input', {
      type: 'text',
      inputMode: 'numeric',
      value: String(tile),
      'aria-label': `Row ${Math.floor(cell / board.cols) + 1}, column ${(cell % board.cols) + 1}`,
      oninput: () => this.writeText(board.cols),
      onfocus: (event) => event.target.select(),
    }));
    host.replaceChildren(...this.inputs);
  }

  writeText(cols) {
    const words = this.inputs.map((input) => input.value.trim() || '?');
    const rows = words.flatMap((_, i) => (i % cols ? [] : [words.slice(i, i + cols).join(' ')]));
    this.text.value = rows.join('\n');
    this.isFromCells = true;
    this.read();
  }

  markCells(wrong) {
    this.inputs?.forEach((input, cell) => input.setAttribute('aria-invalid', String(cell === wrong)));
  }

  // Words before the place are cells before it.
  cellAt(place) {
    const before = this.text.value.slice(0, offsetOf(this.text.value, place));
    return before.split(/[\s/,]+/).filter(Boolean).length;
  }
}

function toText(board) {
  const width = String(board.nCells - 1).length;
  return board.toRows().map((row) => row.map((tile) => String(tile).padStart(width)).join(' ')).join('\n');
}

/** Columns count characters, not the halves that strings are made of. */
function offsetOf(text, { line, column }) {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const inLine = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  return before + inLine;
}
