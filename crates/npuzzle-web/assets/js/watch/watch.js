// The view Watch: one or two searches of the current board, step by step.

import { announce, toast } from '../announce.js';
import { generate } from '../api.js';
import { choices } from '../choices.js';
import { find, icon, labeledSelect, make, setIcon } from '../dom.js';
import { Board } from '../model/board.js';
import { linkedBoard } from '../model/link.js';
import { SPEEDS, STEPS } from '../names.js';
import { grouped } from '../text.js';
import { miniBoard } from '../view/mini.js';
import { Lane } from './lane.js';

const MAX_CELLS = 25;
const DEFAULT_SPEED = '1000';
/** The searches: the name of the option, and the label. */
const LANES = [['search', 'Search'], ['second', 'Second search']];
const DEFAULT_SECOND = 'greedy.manhattan.lifo';

export class Watch {
  /** @param {import('../model/game.js').Game} game */
  constructor(game) {
    this.game = game;
    this.at = 0;
    this.timer = 0;
    /** The number of calls of `load`. */
    this.nLoads = 0;
    /** @type {Lane[]} */
    this.lanes = [];
    this.build();
    this.noteLink();
    addEventListener('hashchange', () => this.noteLink());
    choices.watch(['steps', 'search', 'second'], () => this.applyChoices());
    document.addEventListener('view', (event) => {
      if (event.detail === 'watch') this.load();
      else { this.pause(); this.present(false); }
    });
    game.onChange(({ kind }) => { if (kind === 'load' && this.isOpen) this.load(); });
  }

  /** Remembers the board of a link, which is never replaced by an example. */
  noteLink() {
    this.linked = linkedBoard(location.hash)?.toString();
  }

  get isOpen() {
    return !find('watch').hidden;
  }

  get length() {
    return Math.max(0, ...this.lanes.map((lane) => lane.length));
  }

  build() {
    const button = (id, name, drawing, action, kind = 'round') =>
      make('button', { type: 'button', id: `watch-${id}`, class: kind, 'aria-label': name, title: name, onclick: action }, icon(drawing));
    this.place = make('input', {
      type: 'range', id: 'watch-place', min: 0, value: 0, 'aria-label': 'Step of the search',
      oninput: () => this.to(Number(this.place.value)),
    });
    this.puzzle = make('div', { class: 'puzzle' });
    this.runButton = button('run', 'Play', 'play', () => this.toggle(), 'round primary');
    const toggle = (id, drawing, text, title, action) => make('button', {
      type: 'button', id: `watch-${id}`, 'aria-pressed': 'false', title, onclick: action,
    }, icon(drawing), text);
    this.twoButton = toggle('two', 'two', 'Two searches', 'Show two searches next to each other', () => this.toggleSecond());
    this.presentButton = toggle('present', 'present', 'Present', 'Large type for a projector (F)', () => this.present());
    this.row = make('div', { class: 'lanes' });
    const steps = labeledSelect('Step limit', STEPS, choices.get('steps'), () => {});
    choices.bind(steps.querySelector('select'), 'steps');
    this.speed = DEFAULT_SPEED;
    const speed = labeledSelect('Speed', SPEEDS, this.speed, (value) => {
      this.speed = value;
      if (this.timer) this.run();
    });
    speed.id = 'watch-speed';
    find('watch').replaceChildren(
      make('div', { class: 'card watch-head' },
        this.puzzle,
        make('div', { class: 'buttons' },
          button('first', 'Go to the start', 'first', () => this.to(0)),
          button('back', 'Previous step', 'back', () => this.by(-1)),
          this.runButton,
          button('next', 'Next step', 'next', () => this.by(1)),
          button('last', 'Go to the end', 'last', () => this.to(Infinity))),
        this.place,
        make('div', { class: 'watch-choices' },
          speed,
          steps,
          this.twoButton,
          make('button', { type: 'button', id: 'watch-example', onclick: () => this.loadExample() }, 'New example'),
          this.presentButton)),
      this.row);
  }

  // A lane whose options have not changed is reused, so that its lists keep the focus.
  applyChoices() {
    const shown = LANES.filter(([choice]) => choices.get(choice));
    const lanes = shown.map(([choice, name], i) =>
      (this.lanes[i]?.packed === choices.get(choice) ? this.lanes[i] : makeLane(choice, name)));
    const isSame = lanes.length === this.lanes.length && lanes.every((lane, i) => lane === this.lanes[i]);
    this.lanes = lanes;
    if (!isSame) this.row.replaceChildren(...lanes.map((lane) => lane.element));
    this.row.classList.toggle('two', lanes.length > 1);
    this.twoButton.setAttribute('aria-pressed', String(lanes.length > 1));
    if (this.isOpen) this.load();
  }

  toggleSecond() {
    choices.set('second', choices.get('second') ? '' : DEFAULT_SECOND);
  }

  /** Loads the searches of the current board. */
  async load() {
    this.pause();
    const number = ++this.nLoads;
    delete this.row.dataset.loading;
    const { board, goal } = this.game;
    if (board.nCells > MAX_CELLS) {
      this.puzzle.replaceChildren();
      for (const lane of this.lanes) lane.refuse(`Searches of boards of up to ${MAX_CELLS} cells can be watched; this one has ${grouped(board.nCells)}.`);
      return this.to(0);
    }
    if (board.equals(goal.board) && board.toString() !== this.linked) return this.loadExample();
    this.puzzle.replaceChildren(miniBoard(board.toString()), make('span', { 'aria-hidden': 'true' }, '→'), miniBoard(goal.board.toString()));
    this.row.dataset.loading = 'true';
    await Promise.all(this.lanes.map((lane) => lane.load(board, goal.name, Number(choices.get('steps')))));
    // A later call has other searches to show.
    if (number !== this.nLoads) return;
    delete this.row.dataset.loading;
    this.to(0);
  }

  /** Loads a random board that takes few steps. */
  async loadExample() {
    const { rows, cols, nCells } = this.game.board;
    const isSmall = nCells <= 12;
    const size = isSmall ? { rows, cols } : { rows: 3, cols: 3 };
    const goal = isSmall ? this.game.goal.name : 'last';
    try {
      const moves = Math.min(10, 2 * size.rows * size.cols - 4);
      const { tiles } = await generate({ ...size, goal, moves });
      this.game.load(new Board(size.rows, size.cols, tiles), goal);
    } catch (error) {
      toast(error.message);
    }
  }

  to(at) {
    this.at = Math.max(0, Math.min(this.length, at));
    for (const lane of this.lanes) lane.show(this.at);
    this.place.max = this.length;
    this.place.value = this.at;
    this.place.style.setProperty('--done', `${this.length ? (100 * this.at) / this.length : 0}%`);
    find('watch-first').disabled = find('watch-back').disabled = this.at === 0;
    find('watch-next').disabled = find('watch-last').disabled = this.at === this.length;
    this.runButton.disabled = this.length === 0;
  }

  by(n) {
    this.pause();
    this.to(this.at + n);
    const { open, closed } = this.lanes[0].element.dataset;
    announce(`Step ${grouped(this.at)}: ${grouped(open)} open, ${grouped(closed)} closed`);
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.at === this.length) this.to(0);
    this.run();
  }

  /** Starts playing, or continues at another speed. */
  run() {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      this.to(this.at + 1);
      if (this.at === this.length) this.pause();
    }, Number(this.speed));
    this.showRunning();
  }

  get isPresenting() {
    return 'present' in document.documentElement.dataset;
  }

  /** Shows the searches in large type, without the header of the page. */
  present(isOn = !this.isPresenting) {
    if (isOn) document.documentElement.dataset.present = 'true';
    else delete document.documentElement.dataset.present;
    this.presentButton.setAttribute('aria-pressed', String(isOn));
    // The lists scroll to the current line and node again.
    this.to(this.at);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.showRunning();
  }

  showRunning() {
    setIcon(this.runButton, this.timer ? 'pause' : 'play');
    this.runButton.setAttribute('aria-label', this.timer ? 'Pause' : 'Play');
  }
}

function makeLane(choice, name) {
  const lane = new Lane(choices.get(choice), name);
  lane.addEventListener('choice', () => choices.set(choice, lane.packed));
  return lane;
}
