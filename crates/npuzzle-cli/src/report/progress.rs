//! Watches that cancel a search on request and show its progress on the terminal if it takes longer than
//! a second.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};

use crate::io::units::counted;

/// How long the line stays hidden.
const DELAY: Duration = Duration::from_secs(1);

/// A line on standard error, shown after [`DELAY`] if standard error is a terminal, and cleared on drop.
struct StatusLine {
    /// The layout, in the syntax of [`ProgressStyle`].
    template: &'static str,
    /// The first message.
    message: String,
    quiet: bool,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl StatusLine {
    fn new(template: &'static str, message: String, quiet: bool) -> StatusLine {
        StatusLine { template, message, quiet, started: Instant::now(), bar: None }
    }

    /// The line, if it is shown at all and the delay has passed.
    fn bar(&mut self) -> Option<&ProgressBar> {
        let elapsed = self.started.elapsed();
        if self.quiet || elapsed < DELAY {
            return None;
        }
        Some(self.bar.get_or_insert_with(|| {
            // Draws nothing unless standard error is a terminal, and limits the rate of drawing.
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(self.template) {
                bar.set_style(style);
            }
            bar.with_message(self.message.clone()).with_elapsed(elapsed)
        }))
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows the progress of the searches of a batch.
pub(crate) struct SearchProgress {
    cancel: Cancel,
    line: StatusLine,
    n_boards: usize,
    /// The board being solved, from 1.
    board: usize,
    updated: Instant,
    /// The bound of the current round.
    bound: Option<Cost>,
    /// The length of the incumbent, and the lower bound.
    incumbent: Option<(Cost, Cost)>,
    /// The finished share of the tables being built.
    built: Option<f64>,
}

impl SearchProgress {
    /// How often the message changes.
    const INTERVAL: Duration = Duration::from_millis(200);

    pub(crate) fn new(cancel: Cancel, quiet: bool, n_boards: usize) -> SearchProgress {
        SearchProgress {
            cancel,
            line: StatusLine::new("{spinner} {msg}", String::new(), quiet),
            n_boards,
            board: 1,
            updated: Instant::now(),
            bound: None,
            incumbent: None,
            built: None,
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Starts the next board.
    pub(crate) fn begin(&mut self, board: usize) {
        (self.board, self.bound, self.incumbent, self.built) = (board, None, None, None);
        self.show(&Stats::default());
    }

    /// Hides the line while `print` prints.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.line.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn show(&mut self, stats: &Stats) {
        if self.updated.elapsed() < SearchProgress::INTERVAL {
            return;
        }
        self.updated = Instant::now();
        let message = self.message(stats);
        if let Some(bar) = self.line.bar() {
            bar.set_message(message);
            bar.tick();
        }
    }

    fn message(&self, stats: &Stats) -> String {
        let mut message = format!("{} s", self.line.started.elapsed().as_secs());
        if self.n_boards > 1 {
            message += &format!(", board {} of {}", self.board, self.n_boards);
        }
        if stats.expanded > 0 {
            message += &format!(", {:.1} M states expanded", stats.expanded as f64 / 1e6);
        }
        if let Some(share) = self.built {
            message += &format!(", building tables: {:.0} %", 100.0 * share);
        }
        if let Some((length, lower_bound)) = self.incumbent {
            let length = counted(u64::from(length), "move");
            message += &format!(", best so far {length}, lower bound {lower_bound}");
        }
        if let Some(bound) = self.bound {
            message += &format!(", more than {}", counted(u64::from(bound), "move"));
        }
        message
    }
}

impl Watch for SearchProgress {
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

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        self.incumbent = Some((length, lower_bound));
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.built = Some(share);
        self.poll(&Stats::default())
    }
}

/// Shows a bar for a task whose finished share is known, such as the build of a table.
pub(crate) struct ShareProgress {
    cancel: Cancel,
    line: StatusLine,
    share: f64,
}

impl ShareProgress {
    /// The steps of the bar.
    const STEPS: u64 = 1000;

    pub(crate) fn new(cancel: Cancel, name: impl ToString) -> ShareProgress {
        let template = "{msg} {wide_bar} {percent:>3} % {elapsed}";
        let line = StatusLine::new(template, name.to_string(), false);
        ShareProgress { cancel, line, share: 0.0 }
    }
}

impl Watch for ShareProgress {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if let Some(bar) = self.line.bar() {
            bar.set_length(ShareProgress::STEPS);
            bar.set_position((self.share * ShareProgress::STEPS as f64) as u64);
        }
        self.cancel.poll(stats)
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.share = share;
        self.poll(&Stats::default())
    }
}

/// Shows the progress of a census: the depth, the rate and the remaining time.
pub(crate) struct CensusProgress {
    cancel: Cancel,
    line: StatusLine,
    /// The size of the state space.
    n_boards: u64,
    /// The last depth to be counted.
    max_depth: Option<usize>,
    /// The number of boards that an earlier run counted.
    n_before: Option<u64>,
    depth: Cost,
    growth: Growth,
}

/// The sizes of the last levels, from which the size of later ones is estimated.
#[derive(Clone, Copy, Default)]
struct Growth {
    n_counted: u64,
    last: u64,
    before_last: u64,
}

impl Growth {
    /// Records the number of boards up to a level that is complete.
    fn add(&mut self, n_counted: u64) {
        let last = n_counted.saturating_sub(self.n_counted);
        *self = Growth { n_counted, last, before_last: self.last };
    }

    /// The number of boards after `n_levels` more levels, if they grow at the rate of the last.
    fn after(&self, n_levels: usize) -> u64 {
        let rate =
            if self.before_last > 0 { self.last as f64 / self.before_last as f64 } else { 2.0 };
        let mut level = self.last as f64;
        let mut sum = self.n_counted as f64;
        for _ in 0..n_levels {
            level *= rate;
            sum += level;
        }
        sum as u64
    }
}

impl CensusProgress {
    pub(crate) fn new(
        cancel: Cancel,
        quiet: bool,
        n_boards: u64,
        max_depth: Option<usize>,
    ) -> CensusProgress {
        let line = StatusLine::new("{msg} {wide_bar} {percent:>3} %", String::new(), quiet);
        let (n_before, depth, growth) = (None, 0, Growth::default());
        CensusProgress { cancel, line, n_boards, max_depth, n_before, depth, growth }
    }

    /// The estimated number of boards that will be expanded.
    fn n_expected(&self) -> u64 {
        let n_levels = |max_depth: usize| max_depth.saturating_sub(self.depth as usize);
        self.max_depth.map_or(self.n_boards, |max_depth| {
            self.growth.after(n_levels(max_depth)).min(self.n_boards)
        })
    }
}

impl Watch for CensusProgress {
    fn round(&mut self, depth: Cost, stats: &Stats) {
        self.depth = depth;
        self.growth.add(stats.expanded);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let n_before = *self.n_before.get_or_insert(stats.expanded);
        let (depth, max_depth) = (self.depth, self.max_depth);
        let n_expected = self.n_expected().max(stats.expanded);
        let elapsed = self.line.started.elapsed().as_secs_f64();
        if let Some(bar) = self.line.bar() {
            let rate = (stats.expanded - n_before) as f64 / elapsed;
            let n_left = (n_expected - stats.expanded) as f64;
            let left = if rate > 0.0 { n_left / rate } else { 0.0 };
            let last = max_depth.map_or(String::new(), |max_depth| format!(" of {max_depth}"));
            bar.set_length(n_expected);
            bar.set_position(stats.expanded);
            bar.set_message(format!(
                "depth {depth}{last}, {:.1} M/s, {left:.0} s left",
                rate / 1e6
            ));
        }
        self.cancel.poll(stats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_expected_extrapolates_the_last_levels() {
        let new = |max_depth| CensusProgress::new(Cancel::new(), true, 1000, max_depth);
        let mut progress = new(Some(6));
        for (depth, n_counted) in [(1, 1), (2, 3), (3, 7), (4, 15)] {
            progress.round(depth, &Stats { expanded: n_counted, ..Stats::default() });
        }
        assert_eq!(progress.n_expected(), 15 + 16 + 32);
        progress.max_depth = Some(4);
        assert_eq!(progress.n_expected(), 15);
        progress.max_depth = Some(40);
        assert_eq!(progress.n_expected(), 1000, "not more than the state space");
        assert_eq!(new(None).n_expected(), 1000);
    }
}
