//! `npuzzle play`: the puzzle in the terminal.
//!
//! Events become commands (`keys`), the session acts on them and says which search it wants
//! (`session`), the engine searches on a thread of its own (`engine`), the view draws what is there
//! (`view`). This file turns the wheel.

mod clock;
mod engine;
mod game;
mod geometry;
mod help;
mod keys;
mod move_losses;
mod playback;
mod prompt;
mod screen;
mod session;
mod solution_path;
mod terminal;
mod view;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use npuzzle::teaching::{GenerateSpec, Generated, Generator};
use npuzzle::{Cancel, Dims, Goal, Instance, Options, Random, Tables, format};
use ratatui::crossterm::event;
use ratatui::layout::Rect;

use self::engine::{Engine, Gone};
use self::keys::{Controls, Letters, Sense};
use self::screen::Screen;
use self::session::{Maker, Next, Session};
use super::generate::failure;
use crate::args::{ArrowsArg, LettersArg, PlayArgs};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::report::progress::Progress;

/// The size unless another is asked for.
const SIDE: usize = 4;
/// How often it is looked whether a search has something to tell.
const BUSY: Duration = Duration::from_millis(15);
/// How often it is looked at the clock, and for a signal to end.
const IDLE: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let given = args.board.as_deref().map(|board| given(board, args)).transpose()?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::usage("play needs a terminal for its input and its output"));
    }
    let cancel = crate::io::signals::cancel_gently()?;
    let mut random = Random::new(args.seed.unwrap_or_else(crate::chosen_seed));
    let (instance, goal) = match given {
        Some(given) => given,
        None => (made(args, &mut random, &cancel)?, args.goal.clone().unwrap_or_default()),
    };
    let maker = Maker { goal, moves: args.moves, random };
    let mut session = Session::new(instance, args.metric, controls(args), maker);
    let engine = Engine::start(args.metric, args.cache.store());
    let mut engine = engine.map_err(|error| Failure::io("a thread", &error))?;
    play(&mut session, &mut engine, &cancel)
}

/// The board of the command line, with the goal that is meant.
fn given(board: &str, args: &PlayArgs) -> Result<(Instance, Goal), Failure> {
    let input = Input::from_arg(board)?;
    let entry = format::read_one(&input.text, args.format);
    let entry = entry.map_err(|error| Failure::usage(error.render(&input.source)))?;
    let own = entry.goal.map(Goal::Board);
    let goal = args.goal.clone().or(own).unwrap_or_default();
    let instance = Instance::new(entry.board, &goal).map_err(Failure::usage)?;
    Ok((instance, goal))
}

fn made(args: &PlayArgs, random: &mut Random, cancel: &Cancel) -> Result<Instance, Failure> {
    let square = || Dims::new(SIDE, SIDE).map_err(Failure::usage);
    let dims = match (args.size, &args.goal) {
        (Some(dims), _) => dims,
        (None, Some(Goal::Board(goal))) => goal.dims(),
        (None, _) => square()?,
    };
    let goal = args.goal.clone().unwrap_or_default().board(dims);
    let other = || Failure::usage(format!("the goal is of another size: --size is {dims}"));
    let wish = GenerateSpec {
        moves: args.moves.map(|n| n..=n),
        options: Options { metric: args.metric, ..Options::default() },
        ..GenerateSpec::any(goal.ok_or_else(other)?)
    };
    let tables = Tables::with_store(args.cache.store());
    let mut generator = Generator::new(wish).map_err(failure)?.with_tables(tables);
    let mut progress = Progress::new(cancel.clone(), false, 1);
    let Generated { instance, .. } = generator.generate(random, &mut progress).map_err(failure)?;
    Ok(instance)
}

fn controls(args: &PlayArgs) -> Controls {
    Controls {
        sense: match args.arrows {
            ArrowsArg::Tile => Sense::Tile,
            ArrowsArg::Blank => Sense::Blank,
        },
        letters: match args.letters {
            LettersArg::Wasd => Letters::Wasd,
            LettersArg::Hjkl => Letters::Hjkl,
            LettersArg::None => Letters::None,
        },
    }
}

/// Until somebody quits.
fn play(session: &mut Session, engine: &mut Engine, cancel: &Cancel) -> Result<Exit, Failure> {
    let lost = |error: io::Error| Failure::io("terminal", &error);
    let gone = |Gone| Failure::io("search", &io::Error::other("ended without an answer"));
    let is_coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut screen = Screen::take().map_err(lost)?;
    let began = Instant::now();
    while !cancel.is_cancelled() {
        let now = began.elapsed();
        session.tick(now);
        // What is wanted no more is given up before it can be heard.
        engine.pursue(session.wanted()).map_err(gone)?;
        while let Some(news) = engine.news().map_err(gone)? {
            session.hear(news, now);
        }
        engine.pursue(session.wanted()).map_err(gone)?;
        let draw = |frame: &mut ratatui::Frame<'_>| view::draw(frame, session, now, is_coloured);
        let area = match screen.draw(draw) {
            Ok(area) => area,
            Err(_) if terminal::is_gone() => break,
            Err(error) => return Err(lost(error)),
        };

        let patience = if engine.is_busy() { BUSY } else { IDLE };
        let wait = session.wait(now).map_or(patience, |wait| wait.min(patience));
        match react(session, area, began, wait) {
            Ok(Next::GoOn) => {}
            Ok(Next::Quit) => return Ok(Exit::Yes),
            Ok(Next::Interrupt) => break,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(lost(error)),
        }
    }
    Ok(Exit::Interrupted)
}

/// Waits for events, and acts on all that have come, so that a screen that is slow to draw does not lag
/// behind.
fn react(session: &mut Session, area: Rect, began: Instant, wait: Duration) -> io::Result<Next> {
    let mut wait = wait;
    while terminal::has_event(wait)? {
        wait = Duration::ZERO;
        let event = event::read()?;
        let geometry = view::geometry(session.game().board(), area);
        let (listener, controls) = (session.listener(), session.controls());
        let Some(command) = keys::command(&event, listener, controls, geometry.as_ref()) else {
            continue;
        };
        let next = session.act(command, began.elapsed());
        if next != Next::GoOn {
            return Ok(next);
        }
    }
    Ok(Next::GoOn)
}
