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
    /// The last depth that is counted.
    most: Option<usize>,
    started: Instant,
    /// What an earlier run has counted.
    n_before: Option<u64>,
    depth: Cost,
    growth: Growth,
    bar: Option<ProgressBar>,
}

/// How levels grow, to guess how many boards there are up to a depth.
#[derive(Clone, Copy, Default)]
struct Growth {
    n_known: u64,
    last: u64,
    before_last: u64,
}

impl Growth {
    /// So many boards are known when a level is complete.
    fn add(&mut self, n_known: u64) {
        let last = n_known.saturating_sub(self.n_known);
        *self = Growth { n_known, last, before_last: self.last };
    }

    /// How many there will be when so many more levels are complete, if they grow as the last did.
    fn after(&self, n_levels: usize) -> u64 {
        let rate =
            if self.before_last > 0 { self.last as f64 / self.before_last as f64 } else { 2.0 };
        let mut level = self.last as f64;
        let mut sum = self.n_known as f64;
        for _ in 0..n_levels {
            level *= rate;
            sum += level;
        }
        sum as u64
    }
}

impl CountProgress {
    /// Of so many boards in all, up to a depth if one is given.
    pub(crate) fn new(
        cancel: Cancel,
        quiet: bool,
        n_boards: u64,
        most: Option<usize>,
    ) -> CountProgress {
        let (started, growth) = (Instant::now(), Growth::default());
        let (n_before, depth, bar) = (None, 0, None);
        CountProgress { cancel, quiet, n_boards, most, started, n_before, depth, growth, bar }
    }

    /// How many boards will be expanded, as far as can be said.
    fn n_expected(&self) -> u64 {
        let n_levels = |most: usize| most.saturating_sub(self.depth as usize);
        self.most.map_or(self.n_boards, |most| self.growth.after(n_levels(most)).min(self.n_boards))
    }
}

impl Watch for CountProgress {
    fn round(&mut self, depth: Cost, stats: &Stats) {
        self.depth = depth;
        self.growth.add(stats.expanded);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let n_before = *self.n_before.get_or_insert(stats.expanded);
        let elapsed = self.started.elapsed();
        if elapsed >= PATIENCE && !self.quiet {
            let n_expected = self.n_expected().max(stats.expanded);
            let bar = self.bar.get_or_insert_with(|| {
                // Draws nothing unless stderr is a terminal, and not too often.
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %") {
                    bar.set_style(style);
                }
                bar
            });
            let rate = (stats.expanded - n_before) as f64 / elapsed.as_secs_f64();
            let n_left = (n_expected - stats.expanded) as f64;
            let left = if rate > 0.0 { n_left / rate } else { 0.0 };
            let depth = match self.most {
                Some(most) => format!("{} of {most}", self.depth),
                None => self.depth.to_string(),
            };
            bar.set_length(n_expected);
            bar.set_position(stats.expanded);
            bar.set_message(format!("depth {depth}, {:.1} M/s, {left:.0} s left", rate / 1e6));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_up_to_a_depth_is_guessed_from_the_last_levels() {
        let of = |most| CountProgress::new(Cancel::new(), true, 1000, most);
        let mut progress = of(Some(6));
        for (depth, n_known) in [(1, 1), (2, 3), (3, 7), (4, 15)] {
            progress.round(depth, &Stats { expanded: n_known, ..Stats::default() });
        }
        assert_eq!(progress.n_expected(), 15 + 16 + 32);
        progress.most = Some(4);
        assert_eq!(progress.n_expected(), 15);
        progress.most = Some(40);
        assert_eq!(progress.n_expected(), 1000, "no more than there are");
        assert_eq!(of(None).n_expected(), 1000);
    }
}
