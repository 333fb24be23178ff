//! `npuzzle play`: the puzzle in the terminal.
//!
//! Events become actions (`keys`), the session performs them and requests searches (`session`),
//! searches run on a thread of their own (`task_thread`), and the view draws the session (`view`). This
//! file has the event loop.

mod clock;
mod game;
mod geometry;
mod help;
mod keys;
mod move_losses;
mod playback;
mod prompt;
mod screen;
mod scroll;
mod session;
mod solution_path;
mod task_thread;
mod terminal;
mod view;
mod wrap;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use npuzzle::teaching::{GenerateSpec, Generated, Generator};
use npuzzle::{Cancel, Dims, Goal, Instance, Options, Random, Tables};
use ratatui::crossterm::event;
use ratatui::layout::Rect;

use self::keys::Controls;
use self::screen::Screen;
use self::session::{BoardSpec, Next, Session};
use self::task_thread::{TaskThread, TaskThreadStopped};
use super::generate::failure;
use crate::args::{PlayArgs, goal_board};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::signals;
use crate::report::progress::SearchProgress;

/// The default side length.
const SIDE: usize = 4;
/// The time between polls of a running search.
const BUSY_INTERVAL: Duration = Duration::from_millis(15);
/// The time between polls of the clock and the signal handler.
const IDLE_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let given = args.board.as_deref().map(|board| read_board(board, args)).transpose()?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::usage("play requires a terminal as standard input and output"));
    }
    let cancel = signals::cancel_gently()?;
    let mut random = Random::new(args.seed.unwrap_or_else(super::new_seed));
    let (instance, goal) = match given {
        Some(given) => given,
        None => (generate(args, &mut random, &cancel)?, args.read.goal_or(None)),
    };
    let metric = args.metric.metric;
    let new_boards = BoardSpec { goal, moves: args.moves, random };
    let controls = Controls { arrows: args.arrows, letters: args.letters };
    let mut session = Session::new(instance, metric, controls, new_boards);
    let searches = TaskThread::start(metric, args.cache.store());
    let mut searches = searches.map_err(|error| Failure::io("a thread", &error))?;
    play(&mut session, &mut searches, &cancel)
}

/// The board of the command line, with its goal.
fn read_board(board: &str, args: &PlayArgs) -> Result<(Instance, Goal), Failure> {
    let entry = Input::from_arg(board)?.one_board(args.read.format)?;
    let goal = args.read.goal_or(entry.goal);
    let instance = Instance::new(entry.board, &goal).map_err(Failure::usage)?;
    Ok((instance, goal))
}

fn generate(args: &PlayArgs, random: &mut Random, cancel: &Cancel) -> Result<Instance, Failure> {
    let goal = args.read.goal_or(None);
    let dims = match (args.size, &goal) {
        (Some(dims), _) => dims,
        (None, Goal::Board(goal)) => goal.dims(),
        (None, _) => Dims::new(SIDE, SIDE).map_err(Failure::usage)?,
    };
    let spec = GenerateSpec {
        moves: args.moves.map(|n| n..=n),
        options: Options { metric: args.metric.metric, ..Options::default() },
        ..GenerateSpec::any(goal_board(&goal, dims)?)
    };
    let tables = Tables::with_store(args.cache.store());
    let mut generator = Generator::new(spec).map_err(failure)?.with_tables(tables);
    let mut progress = SearchProgress::new(cancel.clone(), false, 1);
    let Generated { instance, .. } = generator.generate(random, &mut progress).map_err(failure)?;
    Ok(instance)
}

/// The event loop, until the player quits.
fn play(
    session: &mut Session,
    searches: &mut TaskThread,
    cancel: &Cancel,
) -> Result<Exit, Failure> {
    let terminal_failure = |error: io::Error| Failure::io("terminal", &error);
    let thread_failure =
        |TaskThreadStopped| Failure::io("search", &io::Error::other("ended without an answer"));
    let is_colored = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut screen = Screen::enter().map_err(terminal_failure)?;
    let started = Instant::now();
    while !cancel.is_cancelled() {
        let now = started.elapsed();
        session.tick(now);
        // A search that is no longer requested is cancelled before its updates are received.
        searches.pursue(session.requested()).map_err(thread_failure)?;
        while let Some(update) = searches.receive().map_err(thread_failure)? {
            session.receive(update, now);
        }
        searches.pursue(session.requested()).map_err(thread_failure)?;
        let draw = |frame: &mut ratatui::Frame<'_>| view::draw(frame, session, now, is_colored);
        let area = match screen.draw(draw) {
            Ok(area) => area,
            Err(_) if terminal::is_closed() => break,
            Err(error) => return Err(terminal_failure(error)),
        };

        let interval = if searches.is_busy() { BUSY_INTERVAL } else { IDLE_INTERVAL };
        let wait = session.wait(now).map_or(interval, |wait| wait.min(interval));
        match handle_events(session, area, started, wait) {
            Ok(Next::Continue) => {}
            Ok(Next::Quit) => return Ok(Exit::Yes),
            Ok(Next::Interrupt) => break,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(terminal_failure(error)),
        }
    }
    Ok(Exit::Interrupted)
}

/// Waits for events, and handles all that are pending before the next frame, so that a slow screen does
/// not lag behind.
fn handle_events(
    session: &mut Session,
    area: Rect,
    started: Instant,
    mut wait: Duration,
) -> io::Result<Next> {
    while terminal::has_event(wait)? {
        wait = Duration::ZERO;
        let event = event::read()?;
        let now = started.elapsed();
        let geometry = view::geometry(session, now, area);
        let (focus, controls) = (view::focus(session, area), session.controls());
        let Some(action) = keys::action(&event, focus, controls, geometry.as_ref()) else {
            continue;
        };
        let next = session.act(action, now);
        if next != Next::Continue {
            return Ok(next);
        }
    }
    Ok(Next::Continue)
}
