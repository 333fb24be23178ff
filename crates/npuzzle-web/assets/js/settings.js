// The user's settings, stored in the browser. Settings of a link apply until the page is closed and are
// not stored.

import { ObservableValues } from './observable.js';

const DEFAULTS = {
  theme: 'auto',
  keys: 'tile',
  notation: 'tile',
  speed: '2',
  engine: true,
  marks: false,
  numbers: true,
  homes: true,
  /** The size and the level of the last puzzle. */
  rows: 3,
  cols: 3,
  level: 'easy',
  /** The picture on the tiles: the name of a built-in one, `own` for a file, or empty for numbers. */
  picture: '',
  inspection: 'unlimited',
  hover: false,
  letters: '',
};
const STORAGE_KEY = 'npuzzle';

class Settings extends ObservableValues {
  constructor() {
    super({ ...DEFAULTS, ...stored() });
    this.saved = { ...this.values };
  }

  set(name, value) {
    this.saved[name] = value;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(this.saved));
    } catch { /* The browser does not allow storage; the setting applies to this visit. */ }
    super.set(name, value);
  }

  /** Returns the settings for a link: those that others should see, too. */
  shared() {
    const { keys, notation, marks } = this.values;
    return {
      ...(keys !== DEFAULTS.keys && { keys }),
      ...(notation !== DEFAULTS.notation && { notation }),
      ...(marks && { marks: '1' }),
    };
  }

  /** Applies the settings of a link. Unknown values are ignored. */
  applyLink({ keys, notation, marks }) {
    this.change({
      ...(['tile', 'blank'].includes(keys) && { keys }),
      ...(['tile', 'blank', 'numbers'].includes(notation) && { notation }),
      ...(marks === '1' && { marks: true }),
    });
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

export const settings = new Settings();
