//! A line on the terminal while a search takes longer than a second.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};

/// How long a search may be silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(200);

/// Watches a search: stops it when asked to, and shows how it goes if that takes a while and
/// stderr is a terminal.
pub(crate) struct Progress {
    cancel: Cancel,
    quiet: bool,
    started: Instant,
    shown: Instant,
    bound: Option<Cost>,
    line: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(cancel: Cancel, quiet: bool) -> Progress {
        let now = Instant::now();
        Progress { cancel, quiet, started: now, shown: now, bound: None, line: None }
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
        let nodes = stats.expanded as f64 / 1e6;
        let bound = self.bound.map_or(String::new(), |bound| format!(", more than {bound} moves"));
        line.set_message(format!("{seconds} s, {nodes:.1} M states expanded{bound}"));
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
