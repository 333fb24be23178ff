//! Short solutions of boards that are too large for search, shorter while time lasts.
//!
//! A pass goes over the board once: [`flow`] brings all tiles near their places, [`sweep`] finishes
//! line by line until a block is left, which a [beam](crate::anytime::beam) solves. Passes get wider, and differ
//! by how they decide between equals; the shortest solution counts. Before the first pass there is the
//! solution of [`construct`](crate::anytime::constructive), and what a pass has no time for is done like that.

mod global_phase;
mod line_phase;
#[cfg(test)]
mod tests;
mod walk_beam;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};
use npuzzle_tables::parallel::try_spawn;

use crate::anytime::beam::{Once, once};
use crate::anytime::constructive::{Rect, Ways, construct, finish};
use crate::anytime::working_board::WorkingBoard;
use crate::engine::lower_bound::Measure;

/// A solution line by line, and how long it took.
pub(crate) struct Plain {
    pub(crate) path: Vec<Slide>,
    /// Whether it was led by helpful ways.
    pub(crate) is_helpful: bool,
    pub(crate) time: Duration,
}

/// What passes may use.
#[derive(Clone, Copy)]
pub(crate) struct Means {
    pub(crate) measure: Measure,
    pub(crate) threads: usize,
    /// About.
    pub(crate) time: Option<Duration>,
    /// The most nodes, and the most bytes.
    pub(crate) nodes: Option<u64>,
    pub(crate) bytes: Option<u64>,
}

/// The best solution that is found until the watch breaks, or time or nodes are used up; without a
/// limit of time that of a fixed list of passes, the same on any number of threads. The instance must
/// have a solution, of which there is a plain one.
pub(crate) fn large_neighborhood(
    instance: &Instance,
    plain: Plain,
    means: Means,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> Vec<Slide> {
    let (begun, measure) = (Instant::now(), means.measure);
    let mut path = plain.path;
    // What is too far away to be told is no end.
    let end = means.time.and_then(|time| begun.checked_add(time));
    let short_from = before(end, plain.time);
    let mut length = measure.length(&path);
    if !plain.is_helpful
        && let Ok(helpful) = construct(instance, Ways::Helpful(short_from), watch)
        && measure.length(&helpful) < length
    {
        length = measure.length(&helpful);
        measure.tell(length, watch);
        path = helpful;
    }
    let field = WorkingBoard::new(instance);
    // What has been looked up is shortest.
    if path.is_empty() || Rect::of(&field).next_line(&field, usize::MAX).is_none() {
        return path;
    }
    let race = Race {
        first_width: first_width(global_phase::distances(&field), means.time),
        pass_end: before(end, begun.elapsed()),
        short_from,
        field,
        measure,
        end,
        max_nodes: means.nodes,
        next: AtomicUsize::new(0),
        n_nodes: AtomicU64::new(stats.expanded),
        is_over: AtomicBool::new(false),
        best: Mutex::new(Best { length, pass: 0, path }),
    };
    // Which pass gets how many nodes is not to hang on which is faster.
    let n_threads =
        if means.nodes.is_some() { 1 } else { means.threads.min(n_fitting(length, means.bytes)) };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads)
            .map_while(|_| try_spawn(scope, || race.run(&mut |n_new| race.count(n_new))).ok())
            .collect();
        let mut told = length;
        let mut look = |n_new: u64| {
            let length = race.best.lock().map_or(Cost::MAX, |best| best.length);
            if length < told {
                measure.tell(length, watch);
                told = length;
            }
            let expanded = race.n_nodes.load(Ordering::Relaxed);
            if watch.poll(&Stats { expanded, ..Stats::default() }).is_break() {
                race.is_over.store(true, Ordering::Relaxed);
            }
            race.count(n_new)
        };
        race.run(&mut look);
        while others.iter().any(|other| !other.is_finished()) {
            look(0);
            std::thread::sleep(Duration::from_millis(1));
        }
        look(0);
    });
    stats.expanded = race.n_nodes.load(Ordering::Relaxed);
    match race.best.into_inner() {
        Ok(best) => best.path,
        Err(poisoned) => poisoned.into_inner().path,
    }
}

/// Threads share so many bytes, if there are no fewer.
const MAX_BYTES: u64 = 48 << 20;

/// How many threads find room: each has a path of its own, twice, and remembers boards.
fn n_fitting(length: Cost, bytes: Option<u64>) -> usize {
    let each = 2 * u64::from(length) + walk_beam::Beam::BYTES;
    (bytes.unwrap_or(MAX_BYTES).min(MAX_BYTES) / each).max(1) as usize
}

/// How wide the beams of a pass are.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Widths {
    flow: usize,
    sweep: usize,
}

impl Widths {
    /// For a flow of this width. A sweep needs wider beams and fewer slides.
    fn of(flow: f64) -> Widths {
        let flow = (flow as usize).clamp(NARROWEST, WIDEST);
        Widths { flow, sweep: (10 * flow).min(4_000) }
    }
}

/// Narrower beams get nowhere, wider ones gain little.
const NARROWEST: usize = 6;
const WIDEST: usize = 2_048;

/// How wide the flow of the first pass is without a limit of time, and how many times wider that of
/// each later one is.
const FIRST: f64 = 48.0;
const GROWTH: f64 = 3.0;

/// About how long a flow takes, in seconds, for every slide that the distances add up to and every
/// node of its width.
const SECONDS: f64 = 1.8e-6;

/// The share of the time that a pass would like to have for its flow.
const FLOW_SHARE: f64 = 0.7;

/// When there is time for such a width only, there is one pass on each thread; otherwise the first
/// takes an eighth.
const SHARES: f64 = 8.0;

/// How wide the flow of the first pass is, by the sum of the distances.
fn first_width(distances: i32, time: Option<Duration>) -> f64 {
    let Some(time) = time else { return FIRST };
    let whole = FLOW_SHARE * time.as_secs_f64() / (SECONDS * f64::from(distances.max(1)));
    (whole / SHARES).max(whole.min(FIRST))
}

/// Blocks of so many rows and columns are left to beams, of so many times the sweep's width.
const BLOCK: usize = 12;
const BLOCK_FACTOR: usize = 2;

/// If they fail, columns are finished when so many rows are left.
const N_ROWS_KEPT: usize = 4;

/// How many passes there are at most.
const N_PASSES: usize = 64;

/// Without a limit of time there are fewer.
const N_UNTIMED: usize = 4;

/// What the threads share.
struct Race {
    field: WorkingBoard,
    measure: Measure,
    first_width: f64,
    end: Option<Instant>,
    /// When passes have to be finished without beams, and when by short ways.
    pass_end: Option<Instant>,
    short_from: Option<Instant>,
    max_nodes: Option<u64>,
    /// The number of the next pass.
    next: AtomicUsize,
    n_nodes: AtomicU64,
    is_over: AtomicBool,
    best: Mutex<Best>,
}

struct Best {
    length: Cost,
    /// Of equals the first counts, whoever is faster.
    pass: usize,
    path: Vec<Slide>,
}

impl Race {
    /// Counts nodes; whether it is over.
    fn count(&self, n_new: u64) -> bool {
        let n_nodes = self.n_nodes.fetch_add(n_new, Ordering::Relaxed) + n_new;
        self.is_over.load(Ordering::Relaxed) || self.max_nodes.is_some_and(|most| n_nodes >= most)
    }

    /// Goes over the board again and again.
    fn run(&self, stop: &mut dyn FnMut(u64) -> bool) {
        let n_passes = if self.end.is_some() { N_PASSES } else { N_UNTIMED };
        // The width of the last pass, and how long it took.
        let mut last = None;
        loop {
            let pass = self.next.fetch_add(1, Ordering::Relaxed);
            if pass >= n_passes || stop(0) {
                return;
            }
            let Some(width) = self.width(pass, last) else { return };
            let begun = Instant::now();
            let pass_over = Pass {
                metric: self.measure.metric,
                widths: Widths::of(width),
                seed: seed(pass),
                end: self.pass_end,
                short_from: self.short_from,
            };
            let Some(path) = pass_over.run(self.field.clone(), stop) else { return };
            last = Some((width, begun.elapsed()));
            self.offer(pass + 1, path);
        }
    }

    /// The width of a pass: one that will end in time, as far as the last one tells; none if it would
    /// be too little to be of use.
    fn width(&self, pass: usize, last: Option<(f64, Duration)>) -> Option<f64> {
        let Some(end) = self.pass_end else {
            return Some(FIRST * GROWTH.powi(pass as i32)).filter(|_| self.end.is_none());
        };
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        let Some((width, took)) = last else {
            // If there is time for more than one.
            let is_first = pass == 0 || self.first_width <= FIRST;
            return Some(self.first_width * if is_first { 1.0 } else { GROWTH })
                .filter(|_| left > 0.0);
        };
        let most = 0.85 * left / took.as_secs_f64().max(1e-6);
        match most {
            _ if most >= 2.0 * GROWTH => Some(width * GROWTH),
            _ if most >= 0.5 => Some(width * most),
            _ => None,
        }
    }

    fn offer(&self, pass: usize, path: Vec<Slide>) {
        let length = self.measure.length(&path);
        let Ok(mut best) = self.best.lock() else { return };
        if (length, pass) < (best.length, best.pass) {
            *best = Best { length, pass, path };
        }
    }
}

/// When something has to begin that takes so long and is to be done by then.
fn before(end: Option<Instant>, takes: Duration) -> Option<Instant> {
    const CARE: f64 = 1.5;
    let end = end?;
    // There is nothing before the beginning of time.
    Some(end.checked_sub(takes.mul_f64(CARE)).unwrap_or(end))
}

/// What decides between equals in a pass.
fn seed(pass: usize) -> u64 {
    (pass as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// One pass.
#[derive(Clone, Copy)]
struct Pass {
    metric: Metric,
    widths: Widths,
    seed: u64,
    /// What is not done by then is done line by line, and from then on by short ways.
    end: Option<Instant>,
    short_from: Option<Instant>,
}

impl Pass {
    /// A solution; nothing if it was stopped.
    fn run(self, mut field: WorkingBoard, stop: &mut dyn FnMut(u64) -> bool) -> Option<Vec<Slide>> {
        let now = Instant::now();
        let share =
            |end: Instant| now + end.saturating_duration_since(now).mul_f64(FLOW_SHARE + 0.1);
        let Pass { metric, widths, seed, end, .. } = self;
        let beams = Beams { metric, width: widths.flow, seed, end: end.map(share) };
        if !global_phase::flow(&mut field, beams, stop) {
            return None;
        }
        let beams = Beams { width: widths.sweep, end, ..beams };
        let whole = Rect::of(&field);
        let mut left = line_phase::sweep(&mut field, whole, BLOCK, beams, stop)?;
        if !self.finish_block(&mut field, left, stop) {
            left = line_phase::sweep(&mut field, left, N_ROWS_KEPT, beams, stop)?;
            let ways = Ways::Helpful(self.short_from);
            finish(&mut field, left, ways, &mut Stop { stop, end: None, n_told: 0 }).ok()?;
        }
        Some(field.into_path())
    }

    /// Solves what is left by a beam, if it is small enough and the beam finds the goal.
    fn finish_block(
        self,
        field: &mut WorkingBoard,
        left: Rect,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        if left.n_rows().max(left.n_cols()) > BLOCK {
            return false;
        }
        let Some(puzzle) = left.puzzle(field) else { return false };
        let means = Once {
            width: BLOCK_FACTOR * self.widths.sweep,
            // Some way more than it takes.
            longest: 20 * puzzle.dims().cells(),
            n_threads: 1,
            max_expanded: None,
            metric: self.metric,
        };
        let mut watch = Stop { stop, end: self.end, n_told: 0 };
        let path = once(&puzzle, means, &mut Stats::default(), &mut watch);
        path.map(|path| field.follow(path)).is_some()
    }
}

/// What beams are led by, how wide they are, what decides between equals, and when to leave the rest
/// to others.
#[derive(Clone, Copy)]
struct Beams {
    metric: Metric,
    width: usize,
    seed: u64,
    end: Option<Instant>,
}

impl Beams {
    fn are_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// The end of a pass, for a beam.
struct Stop<'a> {
    stop: &'a mut dyn FnMut(u64) -> bool,
    end: Option<Instant>,
    n_told: u64,
}

impl Watch for Stop<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let n_new = stats.expanded - std::mem::replace(&mut self.n_told, stats.expanded);
        if (self.stop)(n_new) {
            ControlFlow::Break(Limit::Interrupted)
        } else if self.end.is_some_and(|end| Instant::now() >= end) {
            ControlFlow::Break(Limit::Time)
        } else {
            ControlFlow::Continue(())
        }
    }
}
