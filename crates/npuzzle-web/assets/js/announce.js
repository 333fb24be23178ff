// Messages for screen readers and for everybody.

import { find } from './dom.js';

/** Announces a text to screen readers. It replaces the previous one. */
export function announce(text) {
  find('said').textContent = text;
}

let timer = 0;

/** Shows a message for a few seconds. */
export function toast(text) {
  const box = find('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { box.hidden = true; }, 6000);
}
