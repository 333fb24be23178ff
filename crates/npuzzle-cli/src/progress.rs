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
    /// The length of the best solution so far, and what every solution needs.
    best: Option<(Cost, Cost)>,
    /// Of the tables that are being built.
    built: Option<f64>,
    line: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(cancel: Cancel, quiet: bool, n_boards: usize) -> Progress {
        let now = Instant::now();
        Progress {
            cancel,
            quiet,
            n_boards,
            board: 1,
            started: now,
            shown: now,
            bound: None,
            best: None,
            built: None,
            line: None,
        }
    }

    /// Whether somebody has asked to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Another board is being solved.
    pub(crate) fn begin(&mut self, board: usize) {
        (self.board, self.bound, self.best, self.built) = (board, None, None, None);
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
        if let Some(built) = self.built {
            message += &format!(", building tables: {:.0} %", 100.0 * built);
        }
        if let Some((best, least)) = self.best {
            message += &format!(", best so far {best} moves, no less than {least}");
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
        if stats.expanded > 0 {
            self.built = None;
        }
        self.show(stats);
        self.cancel.poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        self.best = Some((length, lower_bound));
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.built = Some(share);
        self.poll(&Stats::default())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

/// Watches the build of one table: stops it when asked to, and shows a bar if it takes a while and
/// stderr is a terminal.
pub(crate) struct BuildProgress {
    cancel: Cancel,
    name: String,
    started: Instant,
    share: f64,
    bar: Option<ProgressBar>,
}

impl BuildProgress {
    /// The steps of the bar.
    const STEPS: u64 = 1000;

    pub(crate) fn new(cancel: Cancel, name: impl ToString) -> BuildProgress {
        let (name, started) = (name.to_string(), Instant::now());
        BuildProgress { cancel, name, started, share: 0.0, bar: None }
    }
}

impl Watch for BuildProgress {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if self.started.elapsed() >= PATIENCE {
            let bar = self.bar.get_or_insert_with(|| {
                // Draws nothing unless stderr is a terminal, and not too often.
                let target = ProgressDrawTarget::stderr();
                let bar = ProgressBar::with_draw_target(Some(BuildProgress::STEPS), target);
                let template = "{msg} {wide_bar} {percent:>3} % {elapsed}";
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style);
                }
                bar.with_message(self.name.clone()).with_elapsed(self.started.elapsed())
            });
            bar.set_position((self.share * BuildProgress::STEPS as f64) as u64);
        }
        self.cancel.poll(stats)
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.share = share;
        self.poll(&Stats::default())
    }
}

impl Drop for BuildProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Watches a count of boards: stops it when asked to, and shows how many have been counted, how fast,
/// and how long the rest will take, if that takes a while and stderr is a terminal.
pub(crate) struct CountProgress {
    cancel: Cancel,
    quiet: bool,
    n_boards: u64,
    started: Instant,
    /// What an earlier run has counted.
    n_before: Option<u64>,
    depth: Cost,
    bar: Option<ProgressBar>,
}

impl CountProgress {
    pub(crate) fn new(cancel: Cancel, quiet: bool, n_boards: u64) -> CountProgress {
        let started = Instant::now();
        CountProgress { cancel, quiet, n_boards, started, n_before: None, depth: 0, bar: None }
    }
}

impl Watch for CountProgress {
    fn round(&mut self, depth: Cost, _: &Stats) {
        self.depth = depth;
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let n_before = *self.n_before.get_or_insert(stats.expanded);
        let elapsed = self.started.elapsed();
        if elapsed >= PATIENCE && !self.quiet {
            let bar = self.bar.get_or_insert_with(|| {
                // Draws nothing unless stderr is a terminal, and not too often.
                let target = ProgressDrawTarget::stderr();
                let bar = ProgressBar::with_draw_target(Some(self.n_boards), target);
                if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %") {
                    bar.set_style(style);
                }
                bar
            });
            let rate = (stats.expanded - n_before) as f64 / elapsed.as_secs_f64();
            let n_left = self.n_boards.saturating_sub(stats.expanded) as f64;
            let left = if rate > 0.0 { n_left / rate } else { 0.0 };
            let (depth, million) = (self.depth, rate / 1e6);
            bar.set_position(stats.expanded);
            bar.set_message(format!("depth {depth}, {million:.1} M/s, {left:.0} s left"));
        }
        self.cancel.poll(stats)
    }
}

impl Drop for CountProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
