// The frame of the page: its views, its dialogs, light and dark.

import { find, setIcon } from './dom.js';
import { settings } from './settings.js';

const VIEWS = ['play', 'watch', 'compare'];
const THEMES = new Map([['auto', ['theme', 'as the system has it']], ['light', ['sun', 'light']], ['dark', ['moon', 'dark']]]);

/** The view that is open. */
export const view = () => VIEWS.find((name) => !find(name).hidden);

export function openView(name) {
  if (!VIEWS.includes(name)) return;
  for (const one of VIEWS) {
    find(one).hidden = one !== name;
    find(`tab-${one}`).setAttribute('aria-selected', String(one === name));
    find(`tab-${one}`).tabIndex = one === name ? 0 : -1;
  }
  document.dispatchEvent(new CustomEvent('view', { detail: name }));
}

export function setUpFrame() {
  VIEWS.forEach((name, i) => {
    const tab = find(`tab-${name}`);
    tab.addEventListener('click', () => openView(name));
    tab.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = VIEWS[(i + by + VIEWS.length) % VIEWS.length];
      openView(next);
      find(`tab-${next}`).focus();
    });
  });
  find('skip').addEventListener('click', () => {
    openView('play');
    find('board').focus();
  });
  for (const name of ['settings', 'help']) {
    find(`open-${name}`).addEventListener('click', () => find(name).showModal());
  }
  for (const dialog of document.querySelectorAll('dialog')) setUpDialog(dialog);
  setUpTheme();
}

function setUpDialog(dialog) {
  for (const button of dialog.querySelectorAll('.close')) {
    button.addEventListener('click', () => dialog.close());
  }
  dialog.addEventListener('pointerdown', (event) => { if (event.target === dialog) dialog.close(); });
}

function setUpTheme() {
  const names = [...THEMES.keys()];
  const next = () => names[(names.indexOf(settings.get('theme')) + 1) % names.length];
  find('theme').addEventListener('click', () => settings.set('theme', next()));
  settings.watch(['theme'], () => {
    const theme = THEMES.has(settings.get('theme')) ? settings.get('theme') : 'auto';
    const [icon, words] = THEMES.get(theme);
    document.documentElement.dataset.theme = theme;
    setIcon(find('theme'), icon);
    find('theme').setAttribute('aria-label', `Theme: ${words}`);
    find('theme').title = `Theme: ${words}`;
  });
}
