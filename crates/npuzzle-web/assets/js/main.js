// The entry point: creates the parts of the page and connects them.

import { announce } from './announce.js';
import { version, warmUp } from './api.js';
import { setUpCompare } from './compare/compare.js';
import { find } from './dom.js';
import { openView, setUpFrame, view } from './frame.js';
import { listenToKeys, parseLetters } from './keys.js';
import { Game } from './model/game.js';
import { linkedBoard } from './model/link.js';
import { spoken } from './model/moves.js';
import { Editor } from './play/editor.js';
import { Engine } from './play/engine.js';
import { setUpFinish } from './play/finish.js';
import { setUpHints } from './play/hint.js';
import { setUpHud } from './play/hud.js';
import { setUpMetrics } from './play/metrics.js';
import { setUpMoveList } from './play/movelist.js';
import { setUpPictures } from './play/picture.js';
import { setUpReconstruction } from './play/reconstruction.js';
import { restoreSession, setUpSession } from './play/session.js';
import { setUpPuzzle, startFirstPuzzle } from './play/setup.js';
import { setUpSharing, openLink } from './play/share.js';
import { Solving } from './play/solve.js';
import { setUpStatistics } from './play/statistics.js';
import { Transport } from './play/transport.js';
import { settings } from './settings.js';
import { listenToPointer } from './view/pointer.js';
import { spokenBoard, spokenCell } from './view/speech.js';
import { Stage } from './view/stage.js';
import { Watch } from './watch/watch.js';

const game = new Game();
const linkedView = openLink(game);
const isRestored = restoreSession(game);
setUpFrame();

const stage = new Stage(game);
const transport = new Transport(game, stage);
const engine = new Engine(game, stage);
const editor = new Editor(game);
const solving = new Solving(game, transport);
const watch = new Watch(game);
setUpSession(game);
setUpHud(game);
setUpMetrics(game);
setUpStatistics(game, transport);
editor.onText = setUpReconstruction(game, transport);
setUpMoveList(game, transport, engine);
setUpHints(game, engine);
const puzzle = setUpPuzzle(game, () => editor.open(true));
editor.onClose = puzzle.show;
setUpPictures(game, stage);
const sharing = setUpSharing(game, view);
const finish = setUpFinish(game, transport, () => puzzle.scramble());
setUpCompare(game);
for (const name of ['keys', 'numbers', 'homes', 'inspection', 'hover', 'letters']) settings.bind(find(name), name);
settings.watch(['letters'], () => {
  const isValid = settings.get('letters') === '' || parseLetters(settings.get('letters')) !== null;
  find('letters').setAttribute('aria-invalid', String(!isValid));
});

function play(slides) {
  if (!game.play(slides)) return;
  if (!game.isSolved) announce(spoken(game.tiles[game.at - 1], slides[0]));
}

function undo() {
  if (game.at > 0) transport.by(-1);
  else if (game.restoreReplaced()) announce('The previous game is back.');
}

const inPlay = (action) => () => { if (view() === 'play') action(); };
listenToPointer(stage, game, play);
listenToKeys(stage, {
  u: inPlay(undo),
  z: inPlay(undo),
  r: inPlay(() => transport.by(1)),
  'Ctrl-z': () => (view() === 'play' ? undo() : game.restoreReplaced()),
  'Ctrl-y': inPlay(() => transport.by(1)),
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
  f: () => { if (view() === 'watch') watch.present(); },
  b: () => announce(spokenBoard(game.board)),
  '?': () => find('help').showModal(),
  Escape: () => {
    if (watch.isPresenting) watch.present(false);
    else if (!puzzle.cancel() && !finish.close()) solving.cancel('Cancelled.');
  },
}, play, (cell) => announce(spokenCell(game.board, cell)));

// A link that is opened in the same tab changes only the fragment.
addEventListener('hashchange', () => openView(openLink(game) ?? 'play'));
if (!linkedBoard(location.hash) && !isRestored) await startFirstPuzzle(game, puzzle);
openView(linkedView ?? 'play');
document.documentElement.dataset.ready = 'true';

version().then(({ version: number, limits, public_address: publicAddress }) => {
  find('version').textContent = `npuzzle ${number}`;
  solving.limitTime(limits.time_ms);
  warmUp();
  sharing.setPublicAddress(publicAddress);
}, () => {});
