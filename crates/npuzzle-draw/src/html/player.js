(() => {
'use strict';
const find = (id) => document.getElementById(id);
const puzzle = JSON.parse(find('puzzle').textContent);
const { rows, cols } = puzzle;
const hasPicture = puzzle.picture !== 'none';
const board = find('board');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

// Straight runs as [letter, length, slides before it, runs before it].
const runs = [];
let nSlides = 0;
for (const word of puzzle.moves.split(' ').filter(Boolean)) {
  const length = Number(word.slice(1)) || 1;
  runs.push([word[0], length, nSlides, runs.length]);
  nSlides += length;
}
const slides = runs.flatMap(([letter, length, before, run]) =>
  Array.from({ length }, (_, i) => [letter, 1, before + i, run]));
// The offset of the moving tile from the blank.
const source = { U: cols, D: -cols, L: 1, R: -1 };
const opposite = { U: 'D', D: 'U', L: 'R', R: 'L' };

// The tile in each cell, and the cell of the blank.
const tiles = puzzle.start.slice();
let blank = tiles.indexOf(0);
const home = puzzle.home;
const elements = [];

function build() {
  board.style.setProperty('--cols', cols);
  board.style.setProperty('--rows', rows);
  const nDigits = String(rows * cols - 1).length;
  board.style.setProperty('--digits', [0, 0.44, 0.44, 0.37, 0.29, 0.23][nDigits]);
  board.classList.toggle('picture', hasPicture);
  for (const tile of tiles) {
    if (tile === 0 && !hasPicture) continue;
    const element = document.createElement('div');
    const face = document.createElement('span');
    element.className = tile === 0 ? 'tile blank' : 'tile';
    if (hasPicture) {
      const share = (at, n) => `${n > 1 ? 100 * at / (n - 1) : 0}%`;
      const [row, col] = [Math.floor(home[tile] / cols), home[tile] % cols];
      face.style.backgroundPosition = `${share(col, cols)} ${share(row, rows)}`;
      if (puzzle.picture === 'numbered' && tile !== 0) {
        face.append(Object.assign(document.createElement('b'), { textContent: tile }));
      }
    } else {
      face.textContent = tile;
    }
    element.append(face);
    elements[tile] = element;
  }
  tiles.forEach((tile, cell) => tile !== 0 && lay(tile, cell));
  // The last piece of the picture is visible only on the solved board.
  if (hasPicture) lay(0, home[0]);
  board.append(...elements.filter(Boolean));
  complete();
}

const isComplete = () => tiles.every((tile, cell) => home[tile] === cell);
const complete = () => board.classList.toggle('complete', hasPicture && isComplete());

function lay(tile, cell) {
  const style = `translate(${100 * (cell % cols)}%,${100 * Math.floor(cell / cols)}%)`;
  elements[tile].style.transform = style;
  elements[tile].classList.toggle('home', puzzle.marks && home[tile] === cell);
}

// Slides `length` tiles, and adds them to `moved`.
function slide(letter, length, moved) {
  for (let i = 0; i < length; i++) {
    const from = blank + source[letter];
    tiles[blank] = tiles[from];
    moved.set(tiles[from], blank);
    tiles[from] = 0;
    blank = from;
  }
}

let steps = runs;
let at = 0;
let timer = null;

function go(to, isPlaying) {
  to = Math.max(0, Math.min(steps.length, to));
  const isJump = Math.abs(to - at) > 1;
  const moved = new Map();
  for (; at < to; at++) slide(steps[at][0], steps[at][1], moved);
  for (; at > to; at--) slide(opposite[steps[at - 1][0]], steps[at - 1][1], moved);
  if (isJump) board.classList.add('still');
  moved.forEach((cell, tile) => lay(tile, cell));
  complete();
  if (isJump) {
    board.getBoundingClientRect();
    board.classList.remove('still');
  }
  show(isPlaying);
}

const text = ([letter, length]) => letter + (length > 1 ? length : '');
const isSolved = () => puzzle.marks && isComplete();

function show(isPlaying) {
  const done = at > 0 ? steps[at - 1] : null;
  const stm = done ? done[2] + done[1] : 0;
  const mtm = done ? done[3] + 1 : 0;
  find('stm').textContent = `${stm} / ${nSlides}`;
  find('mtm').textContent = `${mtm} / ${runs.length}`;
  find('place').value = at;
  find('first').disabled = find('back').disabled = at === 0;
  find('next').disabled = find('last').disabled = at === steps.length;
  // Screen readers announce single steps, but not an animation.
  if (!isPlaying || at === steps.length) {
    const move = done ? `Move ${at} of ${steps.length}: ${text(done)}` : 'Start';
    find('now').textContent = move + (isSolved() ? '. Solved.' : '');
  }
  mark();
}

// The list of moves. A very long list shows only the moves around the current one.
const MAX_LISTED = 600;
const list = find('moves');
let listed = [0, 0];

function mark() {
  if (at - 1 < listed[0] || at > listed[1] || listed[1] === 0) fill();
  const old = list.querySelector('[aria-current]');
  if (old) old.removeAttribute('aria-current');
  const buttons = list.querySelectorAll('button');
  buttons.forEach((button, i) => button.classList.toggle('done', listed[0] + i < at));
  const current = buttons[Math.max(0, at - 1) - listed[0]];
  if (!current) return;
  if (at > 0) current.setAttribute('aria-current', 'step');
  const middle = current.offsetTop + current.offsetHeight / 2 - list.clientHeight / 2;
  list.scrollTo({ top: middle, behavior: calm.matches ? 'auto' : 'smooth' });
}

function fill() {
  const from = steps.length <= MAX_LISTED ? 0
    : Math.max(0, Math.min(at - MAX_LISTED / 2, steps.length - MAX_LISTED));
  listed = [from, Math.min(steps.length, from + MAX_LISTED)];
  const gap = () => Object.assign(document.createElement('span'), { textContent: '…' });
  const buttons = steps.slice(...listed).map((step, i) => {
    const button = document.createElement('button');
    button.textContent = text(step);
    button.title = `Move ${from + i + 1}`;
    button.addEventListener('click', () => { pause(); go(from + i + 1); });
    return button;
  });
  list.replaceChildren(
    ...(listed[0] > 0 ? [gap()] : []), ...buttons, ...(listed[1] < steps.length ? [gap()] : []));
}

const speed = () => Number(find('speed').value);
const delay = () => Math.max(20, puzzle.delay / speed());

function play() {
  if (at === steps.length) go(0);
  document.body.classList.add('playing');
  find('play').setAttribute('aria-label', 'Pause');
  timer = setTimeout(tick, delay());
}

function tick() {
  go(at + 1, true);
  if (at === steps.length) pause();
  else timer = setTimeout(tick, delay());
}

function pause() {
  clearTimeout(timer);
  timer = null;
  document.body.classList.remove('playing');
  find('play').setAttribute('aria-label', 'Play');
}

const toggle = () => (timer === null ? play() : pause());
const step = (by) => { pause(); go(at + by); };

// Switches between slides and straight runs, at the same board or the end of its run.
function choose() {
  pause();
  const stm = at > 0 ? steps[at - 1][2] + steps[at - 1][1] : 0;
  const wanted = find('single').checked ? slides : runs;
  const place = wanted.findIndex(([, length, before]) => before + length >= stm) + 1;
  const to = stm === 0 ? 0 : place;
  // The same board in slides, so that both lists agree.
  const moved = new Map();
  const end = to > 0 ? wanted[to - 1][2] + wanted[to - 1][1] : 0;
  for (let i = stm; i < end; i++) slide(slides[i][0], 1, moved);
  moved.forEach((cell, tile) => lay(tile, cell));
  complete();
  [steps, at, listed] = [wanted, to, [0, 0]];
  find('place').max = steps.length;
  show();
}

function setSpeed() {
  board.style.setProperty('--slide', `${Math.min(180, delay() * 2 / 3)}ms`);
}

const keys = {
  ' ': toggle,
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => step(-steps.length),
  End: () => step(steps.length),
};

function onKey(event) {
  const act = keys[event.key];
  const on = event.target;
  const isOwn = on instanceof HTMLSelectElement
    || event.key === ' ' && (on instanceof HTMLButtonElement || on.type === 'checkbox');
  if (!act || isOwn || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  act();
}

// A tap plays or pauses, a swipe to the left steps forward, to the right backward.
let pressed = null;
function onPress(event) { pressed = [event.clientX, event.clientY]; }
function onRelease(event) {
  if (pressed === null) return;
  const [dx, dy] = [event.clientX - pressed[0], event.clientY - pressed[1]];
  pressed = null;
  if (Math.abs(dx) > 30 && Math.abs(dx) > Math.abs(dy)) step(dx < 0 ? 1 : -1);
  else if (Math.hypot(dx, dy) < 10) toggle();
}

build();
if (steps.length > 0) {
  find('first').addEventListener('click', () => step(-steps.length));
  find('back').addEventListener('click', () => step(-1));
  find('play').addEventListener('click', toggle);
  find('next').addEventListener('click', () => step(1));
  find('last').addEventListener('click', () => step(steps.length));
  find('place').addEventListener('input', (event) => { pause(); go(Number(event.target.value)); });
  find('speed').addEventListener('change', setSpeed);
  find('single').addEventListener('change', choose);
  document.addEventListener('keydown', onKey);
  board.addEventListener('pointerdown', onPress);
  board.addEventListener('pointerup', onRelease);
  board.addEventListener('pointercancel', () => { pressed = null; });
  setSpeed();
  show();
}
})();
