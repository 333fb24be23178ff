// What somebody has chosen, kept in the browser. What a link asks for holds until the page is left.

import { Values } from './values.js';

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

class Settings extends Values {
  constructor() {
    super({ ...DEFAULTS, ...stored() });
    this.kept = { ...this.values };
  }

  set(name, value) {
    this.kept[name] = value;
    try {
      localStorage.setItem(NAME, JSON.stringify(this.kept));
    } catch { /* A browser that keeps nothing still plays. */ }
    super.set(name, value);
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
    this.change({
      ...(['tile', 'blank'].includes(keys) && { keys }),
      ...(['tile', 'blank', 'numbers'].includes(notation) && { notation }),
      ...(marks === '1' && { marks: true }),
    });
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
