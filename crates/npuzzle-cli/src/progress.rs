//! A line on the terminal while something takes longer than a second.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};

/// How long a run may be silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(200);

/// Watches the searches of a run: stops them when asked to, and shows how they go if that takes a
/// while and stderr is a terminal.
pub(crate) struct Progress {
    cancel: Cancel,
    quiet: bool,
    n_boards: usize,
    /// The board being solved, from 1.
    board: usize,
    started: Instant,
    shown: Instant,
    bound: Option<Cost>,
    line: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(cancel: Cancel, quiet: bool, n_boards: usize) -> Progress {
        let now = Instant::now();
        let (board, bound, line) = (1, None, None);
        Progress { cancel, quiet, n_boards, board, started: now, shown: now, bound, line }
    }

    /// Another board is being solved.
    pub(crate) fn begin(&mut self, board: usize) {
        (self.board, self.bound) = (board, None);
        self.show(&Stats::default());
    }

    /// Runs something that prints, with the line out of its way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.line {
            Some(line) => line.suspend(print),
            None => print(),
        }
    }

    fn show(&mut self, stats: &Stats) {
        let now = Instant::now();
        if self.quiet || now - self.started < PATIENCE || now - self.shown < TICK {
            return;
        }
        self.shown = now;
        let line = self.line.get_or_insert_with(|| {
            // Draws nothing unless stderr is a terminal.
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                line.set_style(style);
            }
            line
        });
        let seconds = (now - self.started).as_secs();
        let mut message = format!("{seconds} s");
        if self.n_boards > 1 {
            message += &format!(", board {} of {}", self.board, self.n_boards);
        }
        if stats.expanded > 0 {
            message += &format!(", {:.1} M states expanded", stats.expanded as f64 / 1e6);
        }
        if let Some(bound) = self.bound {
            message += &format!(", more than {bound} moves");
        }
        line.set_message(message);
        line.tick();
    }
}

impl Watch for Progress {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.bound = Some(bound);
        self.show(stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.show(stats);
        self.cancel.poll(stats)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}
