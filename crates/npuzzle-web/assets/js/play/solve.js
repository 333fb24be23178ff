// Solving: a search that tells how far it is, and can be cancelled. Its solution becomes the moves
// ahead.

import { isAbort, stream } from '../api.js';
import { choices } from '../choices.js';
import { fillSelect, find, grouped, make, setIcon } from '../dom.js';
import { parseMoves } from '../model/moves.js';
import { ALGORITHMS, HEURISTICS } from '../names.js';
import { say } from '../say.js';

/** Finds a way on every board, if not a short one: for when the time was too short for others. */
const ANY_WAY = { algorithm: 'construct', heuristic: undefined, optimal: undefined, time_ms: 1000 };

export class Solving {
  /** @param {import('../model/game.js').Game} game @param {import('./transport.js').Transport} transport */
  constructor(game, transport) {
    this.game = game;
    this.transport = transport;
    /** @type {AbortController | null} */
    this.job = null;
    fillSelect(find('algorithm'), [['', 'automatic'], ...ALGORITHMS]);
    fillSelect(find('heuristic'), [['', 'automatic'], ...HEURISTICS]);
    for (const name of ['algorithm', 'heuristic', 'metric', 'answer', 'limit']) choices.bind(find(name), name);
    find('solve').addEventListener('click', () => this.toggle());
    game.onChange(({ kind }) => {
      if (kind === 'load' || kind === 'play') {
        this.cancel();
        this.tell('');
      }
    });
  }

  toggle() {
    if (this.job) this.cancel('Cancelled.');
    else this.start();
  }

  cancel(words) {
    if (!this.job) return;
    this.job.abort();
    this.finish();
    if (words) this.tell(words);
  }

  question() {
    const value = (name) => choices.get(name) || undefined;
    const seconds = value('limit');
    return {
      board: this.game.board.toString(),
      goal: this.game.goal.name,
      algorithm: value('algorithm'),
      heuristic: value('heuristic'),
      metric: value('metric'),
      optimal: choices.get('answer') === 'optimal' || undefined,
      time_ms: seconds && Number(seconds) * 1000,
    };
  }

  /** Offers no time that the server does not grant. */
  keepWithin(ms) {
    for (const option of [...find('limit').options]) if (Number(option.value) * 1000 > ms) option.remove();
    choices.watch(['limit'], () => { if (Number(choices.get('limit')) * 1000 > ms) choices.set('limit', ''); });
  }

  /** @param {object} instead what is asked otherwise than the options say */
  async start(instead = {}) {
    const job = new AbortController();
    this.job = job;
    this.transport.pause();
    this.figures = {};
    this.isStuck = false;
    this.tell('');
    this.show(true);
    const from = this.game.at;
    const question = { ...this.question(), ...instead };
    try {
      await stream('solve/stream', question, (event, data) => this.hear(event, data, from), job.signal);
    } catch (error) {
      if (!isAbort(error)) this.tell(error.message, true);
    }
    if (this.job !== job) return;
    this.finish();
    if (this.isStuck && !question.algorithm) this.start(ANY_WAY);
  }

  finish() {
    this.job = null;
    this.show(false);
  }

  hear(event, data, from) {
    if (event === 'plan') this.note({ engine: data.engine });
    if (event === 'progress') {
      this.note({ nodes: data.nodes, bound: data.bound, building: data.building, ms: data.ms });
    }
    if (event === 'better') this.note({ best: data.length, lower: data.lower_bound });
    if (event === 'report') this.take(data, from);
    if (event === 'error') this.tell(data.message ?? data.error?.message, true);
  }

  note(figures) {
    Object.assign(this.figures, figures);
    const { engine, nodes, bound, building, best, lower, ms } = this.figures;
    const rows = [
      ['Engine', engine],
      ['Expanded', nodes !== undefined && grouped(nodes)],
      ['Per second', nodes && ms > 300 && grouped(Math.round(nodes / (ms / 1000)))],
      ['More than', typeof bound === 'number' && `${bound} moves`],
      ['Best so far', best !== undefined && `${best} moves`],
      ['At least', typeof lower === 'number' && `${lower} moves`],
    ];
    find('figures').replaceChildren(...rows.filter(([, value]) => value).map(([name, value]) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, String(value)))));
    const bar = find('progress').querySelector('.bar');
    if (typeof building === 'number') {
      bar.setAttribute('aria-valuenow', String(Math.round(building * 100)));
      bar.style.setProperty('--share', `${building * 100}%`);
    } else {
      bar.removeAttribute('aria-valuenow');
    }
  }

  take(report, from) {
    if (report.status === 'unsolvable') this.tell(`No solution: ${report.reason}.`, true);
    else if (typeof report.solution === 'string') {
      this.game.seek(from);
      this.game.setAhead(parseMoves(report.solution));
      this.tell(verdict(report));
      this.transport.run();
    } else {
      this.isStuck = true;
      const least = report.lower_bound ? ` A shortest solution has at least ${report.lower_bound} moves.` : '';
      this.tell(`Stopped at the limit (${report.limit_hit}).${least}`);
    }
  }

  show(isSearching) {
    find('progress').hidden = !isSearching;
    find('figures').replaceChildren();
    find('solve').querySelector('span').textContent = isSearching ? 'Cancel' : 'Solve';
    find('solve').classList.toggle('primary', !isSearching);
    setIcon(find('solve'), isSearching ? 'stop' : 'solve');
  }

  tell(words, isBad = false) {
    find('verdict').textContent = words;
    find('verdict').classList.toggle('bad', isBad);
    if (words) say(words);
  }
}

function verdict({ moves_stm: stm, moves_mtm: mtm, optimal, lower_bound: least, expanded, ms }) {
  const proved = optimal ? 'proved shortest' : least ? `a shortest one has at least ${least}` : 'not proved shortest';
  const time = ms < 1000 ? `${ms < 10 ? Number(ms).toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
  return `${stm} STM / ${mtm} MTM, ${proved}. ${grouped(expanded ?? 0)} states expanded in ${time}.`;
}
