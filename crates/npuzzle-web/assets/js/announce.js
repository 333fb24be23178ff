// Messages for screen readers and for everybody.

import { find, make } from './dom.js';

/** Announces a text to screen readers. It replaces the previous one. */
export function announce(text) {
  find('said').textContent = text;
}

let timer = 0;

/**
 * Shows a message for a few seconds, with a button if there is an action.
 * @param {{text: string, act: () => void}} [action]
 */
export function toast(text, action) {
  const box = find('toast');
  const hide = () => { box.hidden = true; };
  box.replaceChildren(text);
  if (action) {
    const act = () => {
      hide();
      action.act();
    };
    box.append(make('button', { type: 'button', onclick: act }, action.text));
  }
  box.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(hide, action ? 12000 : 6000);
}
