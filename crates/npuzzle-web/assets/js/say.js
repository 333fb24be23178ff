// What is said: to those who listen, and to everybody.

import { find } from './dom.js';

/** For screen readers; the latest counts. */
export function say(text) {
  find('said').textContent = text;
}

let timer = 0;

/** For everybody, for a few seconds. */
export function toast(text) {
  const box = find('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { box.hidden = true; }, 6000);
}
