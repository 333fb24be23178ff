// The page: its parts, put together.

import { version } from './api.js';
import { setUpCompare } from './compare/compare.js';
import { find } from './dom.js';
import { openView, setUpFrame, view } from './frame.js';
import { listenToKeys } from './keys.js';
import { Game } from './model/game.js';
import { spoken } from './model/moves.js';
import { Editor } from './play/editor.js';
import { Engine } from './play/engine.js';
import { offerHints } from './play/hint.js';
import { showHud } from './play/hud.js';
import { listMoves } from './play/movelist.js';
import { offerPictures } from './play/picture.js';
import { offerSetup } from './play/setup.js';
import { offerSharing, openLink } from './play/share.js';
import { Solving } from './play/solve.js';
import { Transport } from './play/transport.js';
import { say } from './say.js';
import { settings } from './settings.js';
import { listenToPointer } from './view/pointer.js';
import { spokenBoard, spokenCell } from './view/speech.js';
import { Stage } from './view/stage.js';
import { Watch } from './watch/watch.js';

const game = new Game();
const asked = openLink(game);
setUpFrame();

const stage = new Stage(game);
const transport = new Transport(game, stage);
const engine = new Engine(game, stage);
const editor = new Editor(game);
const solving = new Solving(game, transport);
const watch = new Watch(game);
showHud(game);
listMoves(game, transport, engine);
offerHints(game, engine);
const setup = offerSetup(game, () => editor.open(true));
editor.onClose = setup.show;
offerPictures(game, stage);
offerSharing(game, view);
setUpCompare(game);
for (const name of ['keys', 'numbers', 'homes']) settings.bind(find(name), name);

function play(ways) {
  if (!game.play(ways)) return;
  if (!game.isSolved) say(spoken(game.tiles[game.at - 1], ways[0]));
}

const inPlay = (act) => () => { if (view() === 'play') act(); };
listenToPointer(stage, game, play);
listenToKeys(stage, {
  u: inPlay(() => transport.by(-1)),
  z: inPlay(() => transport.by(-1)),
  r: inPlay(() => transport.by(1)),
  Home: () => (view() === 'play' ? transport.to(0) : watch.to(0)),
  End: () => (view() === 'play' ? transport.to(Infinity) : watch.to(Infinity)),
  ArrowLeft: () => { if (view() === 'watch') watch.by(-1); },
  ArrowRight: () => { if (view() === 'watch') watch.by(1); },
  p: () => (view() === 'play' ? transport.toggle() : watch.toggle()),
  s: inPlay(() => solving.toggle()),
  h: inPlay(() => find('hint').click()),
  m: inPlay(() => settings.set('marks', !settings.get('marks'))),
  n: inPlay(() => find('scramble').click()),
  e: inPlay(() => editor.open(false)),
  b: () => say(spokenBoard(game.board)),
  '?': () => find('help').showModal(),
  Escape: () => { if (!setup.cancel()) solving.cancel('Cancelled.'); },
}, play, (cell) => say(spokenCell(game.board, cell)));

// A link that is opened in this very tab changes the fragment alone.
addEventListener('hashchange', () => openView(openLink(game) ?? 'play'));
openView(asked ?? 'play');
document.documentElement.dataset.ready = 'true';

version().then((answer) => {
  find('version').textContent = `npuzzle ${answer.version}`;
  solving.keepWithin(answer.limits.time_ms);
}, () => {});
