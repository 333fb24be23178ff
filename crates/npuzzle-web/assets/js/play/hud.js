// The time, the numbers of slides (STM) and runs (MTM), the pace, and the current averages. Records results.

import { toast } from '../announce.js';
import { find } from '../dom.js';
import { formatTime } from '../model/clock.js';
import { categoryOf, lastAverage, least, movesPerSecond, resultOf } from '../model/records.js';
import { settings } from '../settings.js';
import { grouped } from '../text.js';
import { results } from './results.js';

const INSPECTION_MS = 15000;

/** @param {import('../model/game.js').Game} game */
export function setUpHud(game) {
  /** The records and averages of this size and goal. @type {string[]} */
  let records = [];
  /** The end of the inspection, as a time of the page; null without one. @type {number | null} */
  let inspectionEnd = null;
  /** The requested frame, or 0. */
  let frame = 0;

  game.onChange(({ kind }) => {
    if (kind !== 'seek') inspectionEnd = null;
    if (kind === 'load') {
      readRecords();
      inspect();
    }
    if (kind === 'play' && game.isSolved) finish();
    show();
    wake();
  });
  results.addEventListener('change', () => {
    readRecords();
    show();
  });
  readRecords();
  show();
  wake();

  // Frames are requested only while the time changes.
  function wake() {
    if (frame === 0 && (inspectionEnd !== null || game.attempt.clock.isRunning)) frame = requestAnimationFrame(tick);
  }

  function tick() {
    frame = 0;
    if (inspectionEnd !== null && performance.now() >= inspectionEnd) {
      inspectionEnd = null;
      game.attempt.clock.start();
    }
    showTime();
    wake();
  }

  // The clock starts with the first move, and earlier if the inspection is limited.
  function inspect() {
    const { attempt } = game;
    if (!attempt.isScramble || attempt.clock.ms > 0 || game.isSolved) return;
    if (settings.get('inspection') === '15') inspectionEnd = performance.now() + INSPECTION_MS;
    if (settings.get('inspection') === 'off') attempt.clock.start();
  }

  function finish() {
    const { attempt } = game;
    if (!attempt.counts) return;
    attempt.isRecorded = true;
    try {
      results.add([resultOf(game)]);
    } catch (error) {
      toast(error.message);
    }
  }

  function readRecords() {
    const times = results.of(categoryOf(game.board, game.goal.name)).map(({ ms }) => ms);
    const average = (n) => lastAverage(times, n);
    records = [['best', least(times)], ['ao5', average(5)], ['ao12', average(12)]]
      .filter(([, ms]) => ms !== null)
      .map(([name, ms]) => `${name} ${formatTime(ms)}`);
  }

  function show() {
    find('stm').textContent = grouped(game.stm);
    find('mtm').textContent = grouped(game.mtm);
    showTime();
  }

  function showTime() {
    const { attempt: { clock, times }, at } = game;
    if (inspectionEnd !== null) {
      find('time').textContent = String(Math.max(1, Math.ceil((inspectionEnd - performance.now()) / 1000)));
      find('pace').textContent = 'Inspection: the clock starts with the first move.';
      return;
    }
    // A pasted solve shows the time of the current position.
    const ms = times ? times[at - 1] ?? 0 : clock.ms;
    find('time').textContent = formatTime(ms, clock.isRunning || ms === 0 ? 2 : 3);
    const pace = ms > 0 && game.stm > 0 ? [`${movesPerSecond({ stm: game.stm, ms }).toFixed(2)} moves/s`] : [];
    find('pace').textContent = [...pace, ...records].join(' · ');
  }
}
