// The editor: a board as text in any format and as cells. The server parses it while the user types,
// and errors are marked at their position.

import { toast } from '../announce.js';
import { ApiError, isAbort, post } from '../api.js';
import { find, make } from '../dom.js';
import { Board } from '../model/board.js';
import { isNamed } from '../model/goal.js';

const MAX_CELLS = 100;
/** The time without typing before the text is sent to the server. */
const DEBOUNCE_MS = 150;

export class Editor {
  /** @param {import('../model/game.js').Game} game */
  constructor(game) {
    this.game = game;
    this.dialog = find('editor');
    this.text = find('text');
    this.request = new AbortController();
    /** Called when the dialog closes, whether a board was used or not. */
    this.onClose = () => {};
    /** Takes pasted text that is not only a board. @type {(text: string) => boolean} */
    this.onText = () => false;
    find('open-editor').addEventListener('click', () => this.open(false));
    this.text.addEventListener('input', () => {
      this.isFromCells = false;
      this.read();
    });
    this.text.addEventListener('scroll', () => this.syncScroll());
    find('as-goal').addEventListener('change', () => this.read());
    this.dialog.addEventListener('close', () => this.close());
    this.dialog.querySelector('form').addEventListener('submit', (event) => {
      if (this.parsed) this.use();
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
    this.request.abort();
    this.onClose();
  }

  // Text that is pasted outside a field opens the editor, unless it is a solve.
  onPaste(event) {
    if (event.target.closest?.('input, textarea, dialog')) return;
    const text = event.clipboardData?.getData('text');
    if (text && !this.onText(text)) this.open(false, text);
  }

  async read() {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    this.parsed = null;
    find('take').disabled = true;
    const text = this.text.value;
    try {
      await new Promise((done) => { setTimeout(done, DEBOUNCE_MS); });
      if (signal.aborted) return;
      const { boards: [first, ...others] } = await post('read', { text }, signal);
      this.accept(await this.withGoal(first, signal), others.length);
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.reject(error);
    }
  }

  // A goal in the text takes precedence over the goal of the game.
  async withGoal(parsed, signal) {
    if (parsed.own_goal) this.ownGoal = parsed.goal;
    else if (!this.isFromCells) this.ownGoal = null;
    const goal = this.ownGoal ?? this.goalOfGame(parsed);
    const { boards: [board] } = await post('read', { text: parsed.slash, goal }, signal);
    return board;
  }

  /** Returns the goal of the game, or `last` if it is a board of another size. */
  goalOfGame({ rows, cols }) {
    const { name, board } = this.game.goal;
    return isNamed(name) || (board.rows === rows && board.cols === cols) ? name : 'last';
  }

  accept(parsed, nOthers) {
    this.parsed = parsed;
    const board = new Board(parsed.rows, parsed.cols, parsed.tiles);
    if (!this.isFromCells) this.fillCells(board);
    this.markText(null);
    this.markCells(-1);
    const isGoal = find('as-goal').checked;
    const { rows, cols } = this.game.board;
    const fits = !isGoal || (parsed.rows === rows && parsed.cols === cols);
    if (!fits) this.showVerdict(`The goal must have the size of the board, ${rows}×${cols}.`, true);
    else this.showVerdict(this.describe(parsed, isGoal, nOthers), !isGoal && !parsed.solvable);
    find('take').disabled = !fits;
    if (!fits) this.parsed = null;
  }

  describe(parsed, isGoal, nOthers) {
    const size = `${parsed.rows}×${parsed.cols}`;
    const ownGoal = this.ownGoal ? ' with its own goal' : '';
    const replacesGoal = !isGoal && !this.ownGoal && this.goalOfGame(parsed) !== this.game.goal.name;
    const more = (nOthers > 0 ? ` First of ${nOthers + 1} boards.` : '')
      + (replacesGoal ? ' The current goal has another size; the new goal is “blank last”.' : '');
    if (isGoal) return `${size}, valid goal.${more}`;
    return `${size}${ownGoal}, ${parsed.solvable ? 'solvable' : `no solution: ${parsed.reason}`}.${more}`;
  }

  /** @param {ApiError} error */
  reject(error) {
    const hasPosition = error instanceof ApiError && error.line;
    const position = hasPosition ? `Line ${error.line}, column ${error.column}: ` : '';
    this.showVerdict(position + error.message, true);
    this.markText(hasPosition ? error : null);
    this.markCells(hasPosition && this.isFromCells ? this.cellAt(error) : -1);
  }

  showVerdict(text, isBad) {
    const verdict = find('text-verdict');
    verdict.textContent = text;
    verdict.classList.toggle('bad', isBad);
    this.text.setAttribute('aria-invalid', String(this.parsed === null));
  }

  use() {
    const { rows, cols, tiles, slash, goal } = this.parsed;
    try {
      if (find('as-goal').checked) this.game.load(this.game.board, slash);
      else this.game.load(new Board(rows, cols, tiles), goal);
    } catch (error) {
      toast(error.message);
    }
  }

  // Marks an error in a copy of the text behind the field.
  markText(span) {
    const marks = find('text-marks');
    const text = this.text.value;
    if (!span) {
      marks.replaceChildren(`${text}\n`);
      return;
    }
    const start = offsetOf(text, span);
    const end = start + Math.max(1, span.length ?? 1);
    const wrong = text.slice(start, end).replace(/\n.*/s, '') || ' ';
    marks.replaceChildren(text.slice(0, start), make('mark', {}, wrong), `${text.slice(start + wrong.length)}\n`);
    this.syncScroll();
  }

  syncScroll() {
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

  // The cell of a position is the number of words before it.
  cellAt(position) {
    const before = this.text.value.slice(0, offsetOf(this.text.value, position));
    return before.split(/[\s/,]+/).filter(Boolean).length;
  }
}

function toText(board) {
  const width = String(board.nCells - 1).length;
  return board.toRows().map((row) => row.map((tile) => String(tile).padStart(width)).join(' ')).join('\n');
}

/** Converts a position to a string offset. Columns count characters, not UTF-16 code units. */
function offsetOf(text, { line, column }) {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const inLine = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  return before + inLine;
}
