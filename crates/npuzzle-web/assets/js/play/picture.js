// Picture tiles from a file. The file never leaves the browser.

import { toast } from '../announce.js';
import { find } from '../dom.js';

const MAX_SIDE = 1200;

/** @param {import('../model/game.js').Game} game @param {import('../view/stage.js').Stage} stage */
export function setUpPictures(game, stage) {
  /** @type {ImageBitmap | null} */
  let original = null;
  let url = null;

  find('picture').addEventListener('change', async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      original = await createImageBitmap(file);
      await show();
    } catch {
      toast(`The browser cannot read ${file.name} as a picture.`);
    }
  });
  find('no-picture').addEventListener('click', () => {
    original = null;
    find('picture').value = '';
    show();
  });
  game.onChange(({ kind }) => { if (kind === 'load' && original) show(); });

  async function show() {
    if (url) URL.revokeObjectURL(url);
    url = null;
    if (!original) return stage.setPicture(null, null);
    const canvas = crop(original, game.board.cols / game.board.rows);
    const blob = await new Promise((done) => { canvas.toBlob(done, 'image/jpeg', 0.9); });
    url = URL.createObjectURL(blob);
    stage.setPicture(url, canvas);
  }
}

/** Crops a picture around its center to an aspect ratio. */
function crop(picture, ratio) {
  const width = Math.min(picture.width, picture.height * ratio);
  const height = width / ratio;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d').drawImage(picture, (picture.width - width) / 2, (picture.height - height) / 2,
    width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}
