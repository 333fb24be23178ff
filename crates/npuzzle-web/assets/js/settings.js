// What somebody has chosen, kept in the browser.

const DEFAULTS = {
  theme: 'auto',
  keys: 'tile',
  notation: 'tile',
  speed: '2',
  engine: true,
  marks: false,
  numbers: true,
  homes: true,
};
const NAME = 'npuzzle';

class Settings extends EventTarget {
  constructor() {
    super();
    this.values = { ...DEFAULTS, ...stored() };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    try {
      localStorage.setItem(NAME, JSON.stringify(this.values));
    } catch { /* A browser that keeps nothing still plays. */ }
    this.dispatchEvent(new CustomEvent('change', { detail: name }));
  }

  /** Now, and whenever one of them changes. */
  watch(names, listener) {
    this.addEventListener('change', (event) => { if (names.includes(event.detail)) listener(); });
    listener();
  }

  /** An input that shows a setting and changes it. */
  bind(input, name) {
    const isSwitch = input.type === 'checkbox';
    input.addEventListener('change', () => this.set(name, isSwitch ? input.checked : input.value));
    this.watch([name], () => { input[isSwitch ? 'checked' : 'value'] = this.get(name); });
  }

  /** Those that belong to a link: what a lecturer wants others to see. */
  shared() {
    const { keys, notation, marks } = this.values;
    return {
      ...(keys !== DEFAULTS.keys && { keys }),
      ...(notation !== DEFAULTS.notation && { notation }),
      ...(marks && { marks: '1' }),
    };
  }

  /** Those of somebody's link; what is unknown is left alone. */
  take({ keys, notation, marks }) {
    if (['tile', 'blank'].includes(keys)) this.set('keys', keys);
    if (['tile', 'blank', 'numbers'].includes(notation)) this.set('notation', notation);
    if (marks === '1') this.set('marks', true);
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '{}');
  } catch {
    return {};
  }
}

export const settings = new Settings();
