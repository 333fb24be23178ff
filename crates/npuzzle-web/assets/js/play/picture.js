// Picture tiles: built-in pictures, or one from a file. The choice and a scaled copy of the file are stored in the
// browser; neither leaves it.

import { toast } from '../announce.js';
import { find, make } from '../dom.js';
import { PICTURES, drawPicture } from '../pictures/pictures.js';
import { settings } from '../settings.js';

/** The greatest side of a picture, in pixels. It bounds the stored copy to a few hundred kilobytes. */
const MAX_SIDE = 1000;
const THUMBNAIL_PX = 96;
const STORAGE_KEY = 'npuzzle-picture';
/** The name of the picture from a file. */
const OWN = 'own';

/** @param {import('../model/game.js').Game} game @param {import('../view/stage.js').Stage} stage */
export function setUpPictures(game, stage) {
  /** The picture from a file, if it was chosen in this visit. @type {HTMLCanvasElement | null} */
  let own = null;
  /** The whole picture. @type {HTMLCanvasElement | HTMLImageElement | null} */
  let original = null;
  /** The picture and the aspect ratio that the tiles show. */
  let shown = { original: null, ratio: 0 };

  const box = find('pictures');
  find('no-picture').after(...PICTURES.map(makeThumbnail));
  box.addEventListener('click', ({ target }) => {
    const name = target.closest('[data-picture]')?.dataset.picture;
    if (name !== undefined) settings.set('picture', name);
  });
  find('picture').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    target.value = '';
    if (!file) return;
    try {
      own = scaled(await createImageBitmap(file));
      store(own.toDataURL('image/jpeg', 0.85));
      settings.set('picture', OWN);
      await choose();
    } catch {
      toast(`The browser cannot read ${file.name} as a picture.`);
    }
  });
  settings.watch(['picture'], choose);
  game.onChange(({ kind }) => { if (kind === 'load') show(); });

  async function choose() {
    const name = settings.get('picture');
    const picture = name === OWN ? own ?? await storedPicture() : drawPicture(name);
    if (name !== settings.get('picture')) return;
    original = picture;
    for (const button of box.querySelectorAll('[data-picture]')) {
      button.setAttribute('aria-pressed', String(button.dataset.picture === (picture ? name : '')));
    }
    find('picture').closest('label').classList.toggle('chosen', name === OWN && picture !== null);
    show();
  }

  async function show() {
    const ratio = game.board.cols / game.board.rows;
    if (shown.original === original && shown.ratio === ratio) return;
    shown = { original, ratio };
    const own = shown;
    const canvas = original && crop(original, ratio);
    const blob = canvas && await new Promise((done) => { canvas.toBlob(done, 'image/jpeg', 0.9); });
    if (shown !== own) return;
    const { url } = stage.picture;
    stage.setPicture(blob && URL.createObjectURL(blob), canvas);
    if (url) URL.revokeObjectURL(url);
  }
}

function makeThumbnail([name, label]) {
  const canvas = drawPicture(name, THUMBNAIL_PX);
  return make('button', { type: 'button', 'data-picture': name, 'aria-label': label, title: label }, canvas);
}

/** Crops a picture around its center to an aspect ratio. */
function crop(picture, ratio) {
  const width = Math.min(picture.width, picture.height * ratio);
  const height = width / ratio;
  return copy(picture, (picture.width - width) / 2, (picture.height - height) / 2, width, height);
}

const scaled = (picture) => copy(picture, 0, 0, picture.width, picture.height);

/** Copies a part of a picture to a canvas of at most `MAX_SIDE` pixels per side. */
function copy(picture, x, y, width, height) {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d').drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function store(url) {
  try {
    localStorage.setItem(STORAGE_KEY, url);
  } catch { /* The browser does not allow storage; the picture applies to this visit. */ }
}

/** Loads the stored copy of a file, or returns null if there is none. */
async function storedPicture() {
  try {
    const image = new Image();
    image.src = localStorage.getItem(STORAGE_KEY) ?? '';
    await image.decode();
    return image;
  } catch {
    return null;
  }
}
