// Watch the search: one search, or two side by side, step by step on the board of the player.

import { ask } from '../api.js';
import { choices } from '../choices.js';
import { find, icon, labelled, make, setIcon } from '../dom.js';
import { Board } from '../model/board.js';
import { STEPS } from '../names.js';
import { say, toast } from '../say.js';
import { miniBoard } from '../view/mini.js';
import { Lane } from './lane.js';

const MAX_CELLS = 25;
const MS_PER_STEP = 700;
/** The searches side by side, by the names of their choices. */
const LANES = [['search', 'Search'], ['second', 'Second search']];
const SECOND = 'greedy.manhattan.lifo';

export class Watch {
  /** @param {import('../model/game.js').Game} game */
  constructor(game) {
    this.game = game;
    this.at = 0;
    this.timer = 0;
    /** @type {Lane[]} */
    this.lanes = [];
    this.build();
    choices.watch(['steps', 'search', 'second'], () => this.takeChoices());
    document.addEventListener('view', (event) => {
      if (event.detail === 'watch') this.load();
      else this.pause();
    });
    game.onChange(({ kind }) => { if (kind === 'load' && this.isOpen) this.load(); });
  }

  get isOpen() {
    return !find('watch').hidden;
  }

  get length() {
    return Math.max(0, ...this.lanes.map((lane) => lane.length));
  }

  build() {
    const button = (id, name, drawing, act, kind = 'round') =>
      make('button', { type: 'button', id: `watch-${id}`, class: kind, 'aria-label': name, title: name, onclick: act }, icon(drawing));
    this.place = make('input', {
      type: 'range', id: 'watch-place', min: 0, value: 0, 'aria-label': 'Step of the search',
      oninput: () => this.to(Number(this.place.value)),
    });
    this.puzzle = make('div', { class: 'puzzle' });
    this.runButton = button('run', 'Play', 'play', () => this.toggle(), 'round primary');
    this.twoButton = make('button', { type: 'button', id: 'watch-two', 'aria-pressed': 'false', onclick: () => this.setTwo() },
      icon('two'), 'Two searches');
    this.row = make('div', { class: 'lanes' });
    const steps = labelled('Steps', STEPS, choices.get('steps'), () => {});
    choices.bind(steps.querySelector('select'), 'steps');
    find('watch').replaceChildren(
      make('div', { class: 'card watch-head' },
        this.puzzle,
        make('div', { class: 'watch-controls' },
          this.place,
          make('div', { class: 'buttons' },
            button('first', 'To the start', 'first', () => this.to(0)),
            button('back', 'One step back', 'back', () => this.by(-1)),
            this.runButton,
            button('next', 'One step on', 'next', () => this.by(1)),
            button('last', 'To the end', 'last', () => this.to(Infinity)))),
        make('div', { class: 'watch-choices' },
          steps,
          this.twoButton,
          make('button', { type: 'button', id: 'watch-example', onclick: () => this.example() }, 'Another board'))),
      this.row);
  }

  // A lane that is as it should be stays, so that its lists keep the focus.
  takeChoices() {
    const wanted = LANES.filter(([choice]) => choices.get(choice));
    const lanes = wanted.map(([choice, name], i) =>
      (this.lanes[i]?.packed === choices.get(choice) ? this.lanes[i] : makeLane(choice, name)));
    const isSame = lanes.length === this.lanes.length && lanes.every((lane, i) => lane === this.lanes[i]);
    this.lanes = lanes;
    if (!isSame) this.row.replaceChildren(...lanes.map((lane) => lane.element));
    this.row.classList.toggle('two', lanes.length > 1);
    this.twoButton.setAttribute('aria-pressed', String(lanes.length > 1));
    if (this.isOpen) this.load();
  }

  setTwo() {
    choices.set('second', choices.get('second') ? '' : SECOND);
  }

  /** The searches of the board as it lies. */
  async load() {
    this.pause();
    const { board, goal } = this.game;
    if (board.nCells > MAX_CELLS) {
      this.puzzle.replaceChildren(make('p', { class: 'note' }, `Boards of up to ${MAX_CELLS} cells can be watched.`));
      for (const lane of this.lanes) { lane.trace = null; lane.fail('The board is too large.'); }
      return;
    }
    if (board.equals(goal.board)) return this.example();
    this.puzzle.replaceChildren(miniBoard(board.toString()), make('span', { 'aria-hidden': 'true' }, '→'), miniBoard(goal.board.toString()));
    await Promise.all(this.lanes.map((lane) => lane.load(board.toString(), goal.name, Number(choices.get('steps')))));
    this.to(0);
  }

  /** A board that is neither solved nor hard. */
  async example() {
    const { rows, cols, nCells } = this.game.board;
    const isSmall = nCells <= 12;
    const size = isSmall ? { rows, cols } : { rows: 3, cols: 3 };
    const goal = isSmall ? this.game.goal.name : 'last';
    try {
      const moves = Math.min(10, 2 * size.rows * size.cols - 4);
      const { boards: [{ tiles }] } = await ask('generate', { ...size, goal, moves });
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
  }

  by(n) {
    this.pause();
    this.to(this.at + n);
    const { open, closed } = this.lanes[0].element.dataset;
    say(`Step ${this.at}: ${open} open, ${closed} closed`);
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.at === this.length) this.to(0);
    this.timer = setInterval(() => {
      this.to(this.at + 1);
      if (this.at === this.length) this.pause();
    }, MS_PER_STEP);
    this.showRunning();
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
