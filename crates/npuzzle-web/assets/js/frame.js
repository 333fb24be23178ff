// The frame of the page: views, dialogs, and the theme.

import { find, setIcon } from './dom.js';
import { settings } from './settings.js';

const VIEWS = ['play', 'watch', 'compare'];
const THEMES = new Map([['auto', ['theme', 'system']], ['light', ['sun', 'light']], ['dark', ['moon', 'dark']]]);

/** Returns the name of the open view. */
export const view = () => VIEWS.find((name) => !find(name).hidden);

export function openView(name) {
  if (!VIEWS.includes(name)) return;
  for (const each of VIEWS) {
    find(each).hidden = each !== name;
    find(`tab-${each}`).setAttribute('aria-selected', String(each === name));
    find(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
  document.dispatchEvent(new CustomEvent('view', { detail: name }));
}

export function setUpFrame() {
  VIEWS.forEach((name, i) => {
    const tab = find(`tab-${name}`);
    tab.addEventListener('click', () => openView(name));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = VIEWS[(i + step + VIEWS.length) % VIEWS.length];
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
    const [icon, label] = THEMES.get(theme);
    document.documentElement.dataset.theme = theme;
    setIcon(find('theme'), icon);
    find('theme').setAttribute('aria-label', `Theme: ${label}`);
    find('theme').title = `Theme: ${label}`;
  });
}
