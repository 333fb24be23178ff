//! Beam search: short solutions of boards that are too large for shortest ones.
//!
//! A beam goes from the start to the goal layer by layer and keeps the most promising boards of each
//! ([`layers`]); what promises is learnt ([`guide`], [`weights`]). A narrow beam has a solution within
//! a tenth of a second or so. Wider ones find shorter ones as long as time lasts: each is several
//! times as wide as the one before, and the last one is made so wide that it just ends in time. All
//! are sent both ways, from the goal to the start as well. A beam may miss the goal; then one that
//! goes the other way or a wider one will find it, or none does. So there is time kept for others as
//! long as there is no solution.

pub(crate) mod adjacency;
mod backpointers;
mod beam_search;
mod evaluation;
#[cfg(any(test, feature = "learn"))]
pub(crate) mod learn;
pub(crate) mod weights;
mod width_schedule;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::engine::lower_bound::{Measure, least};
use crate::limits::Clock;
use crate::options::Options;

use backpointers::Link;
use beam_search::{Ended, Means, bytes_per_node, run};
use evaluation::Guide;
use width_schedule::Round;

/// What beams have found.
pub(crate) struct Beamed {
    /// The shortest solution of all.
    pub(crate) path: Option<Vec<Slide>>,
    /// What ended the search; nothing if it had nothing left to try.
    pub(crate) limit: Option<Limit>,
    pub(crate) stats: Stats,
}

impl Beamed {
    /// Keeps a solution if it is better than the one there is; whether none can be better.
    fn offer(&mut self, path: Vec<Slide>, measure: Measure, clock: &mut Clock<'_>) -> bool {
        let length = measure.length(&path);
        if self.path.as_ref().is_none_or(|best| length < measure.length(best)) {
            measure.tell(length, clock);
            self.path = Some(path);
        }
        length <= measure.least
    }
}

/// The largest boards.
pub(crate) const MAX_CELLS: usize = Guide::MAX_CELLS;

/// The width of the first beam, if it takes no more than this share of the time.
const FIRST_WIDTH: usize = 1_000;
const FIRST_SHARE: f64 = 0.2;

/// Narrower ones get nowhere.
pub(crate) const NARROWEST: usize = 60;

/// What is kept of the time for others while no beam has found a solution.
const KEPT: f64 = 0.4;

/// How many layers, for each row and column, a beam may go on without a board better than all before.
const PATIENCE: usize = 10;

/// Beyond this a beam takes minutes, and gains little.
const MAX_WIDTH: usize = 4_000_000;

/// Searches with wider and wider beams until time, nodes or memory are used up, or the solution is as
/// short as can be.
pub(crate) fn beam(
    instance: &Instance,
    measure: Measure,
    options: &Options,
    clock: &mut Clock<'_>,
) -> Beamed {
    match instance.dims().cells() {
        0..=32 => search::<32>(instance, measure, options, clock),
        33..=48 => search::<48>(instance, measure, options, clock),
        49..=64 => search::<64>(instance, measure, options, clock),
        65..=104 => search::<104>(instance, measure, options, clock),
        105..=160 => search::<160>(instance, measure, options, clock),
        _ => search::<256>(instance, measure, options, clock),
    }
}

/// What a single beam may use.
#[derive(Clone, Copy)]
pub(crate) struct Once {
    pub(crate) width: usize,
    /// Solutions must have fewer slides.
    pub(crate) longest: usize,
    pub(crate) n_threads: usize,
    /// The most states to expand, those before this beam included.
    pub(crate) max_expanded: Option<u64>,
    /// What is to be short.
    pub(crate) metric: Metric,
}

/// One beam from the start to the goal.
pub(crate) fn once(
    instance: &Instance,
    Once { width, longest, n_threads, max_expanded, metric }: Once,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> Option<Vec<Slide>> {
    let Way { guide, start, .. } = Way::forth(instance);
    let (patience, turn) = (usize::MAX, guide.turn(metric));
    let means =
        Means { guide: &guide, turn, n_threads, longest, patience, max_expanded, stats, watch };
    let ended = match start.len() {
        0..=32 => run::<32>(&start, |_| width, means),
        33..=64 => run::<64>(&start, |_| width, means),
        _ => run::<256>(&start, |_| width, means),
    };
    match ended {
        Ended::Solved(path) => Some(path),
        Ended::Lost | Ended::Exhausted | Ended::Stopped(_) => None,
    }
}

fn search<const S: usize>(
    instance: &Instance,
    measure: Measure,
    options: &Options,
    clock: &mut Clock<'_>,
) -> Beamed {
    let ways = [Way::back(instance), Way::forth(instance)];
    let memory = options.limits.memory.map_or(usize::MAX, |bytes| bytes as usize);
    // The rest is for what comes after beams: the system may not have their memory back by then.
    let widest = (memory / 8 * 7 / bytes_per_node(S)).clamp(1, MAX_WIDTH.min(Link::MAX_PARENTS));
    let n_threads = options.resources().threads;
    let mut found = Beamed { path: None, limit: None, stats: Stats::default() };
    // Slides of the last solution.
    let mut length = None;
    let first_width = first_width(least(instance, Metric::Stm), clock);
    let mut round = first_width.map(|width| Round::first(width.min(widest)));
    let kept = clock.time_left().map(|left| left.mul_f64(KEPT));
    while let Some(this) = &mut round {
        let n_beams = this.n_beams(ways.len(), instance.dims().cells());
        for (nth, way) in ways.iter().cycle().take(n_beams).enumerate() {
            let mut pace = this.pace(length, clock.time_left(), n_beams - nth);
            let time = match length {
                None => clock.time_left().map(|left| left.saturating_sub(kept.unwrap_or_default())),
                Some(_) => clock.time_left(),
            };
            let means = Means {
                guide: &way.guide,
                turn: way.guide.turn(measure.metric),
                n_threads,
                longest: length.map_or(usize::MAX, |length| longest(length, measure.metric)),
                patience: PATIENCE * (instance.dims().rows() + instance.dims().cols()),
                max_expanded: options.limits.nodes,
                stats: &mut found.stats,
                watch: &mut Clock::start(time, clock),
            };
            match run::<S>(&way.start, |depth| pace.width_at(depth).clamp(1, widest), means) {
                Ended::Solved(slides) => {
                    length = Some(slides.len());
                    if found.offer(way.path(slides), measure, clock) {
                        return found;
                    }
                }
                Ended::Lost => {}
                Ended::Exhausted => return found,
                Ended::Stopped(limit) => {
                    found.limit = Some(limit);
                    return found;
                }
            }
            this.learn(&pace);
        }
        round = this.next(widest, ways.len(), length, clock.time_left());
    }
    found
}

/// How many slides a solution may have that is better than one of so many: fewer runs may be of more
/// slides.
fn longest(length: usize, metric: Metric) -> usize {
    match metric {
        Metric::Stm => length,
        Metric::Mtm => length + length / 4,
    }
}

/// How wide the first beam is; nothing if there is no time for one.
fn first_width(least: Cost, clock: &Clock<'_>) -> Option<usize> {
    let Some(left) = clock.time_left() else { return Some(FIRST_WIDTH) };
    // Solutions are about this long.
    let n_layers = 1.6 * f64::from(least.max(1));
    let n_nodes = left.as_secs_f64() * width_schedule::RATE;
    let widest = |share: f64| (share * n_nodes / n_layers) as usize;
    let width = widest(FIRST_SHARE).clamp(NARROWEST, FIRST_WIDTH);
    (width <= widest(1.0 - KEPT)).then_some(width)
}

/// One of the two ways between start and goal. Which finds the shorter solution differs from board to
/// board.
struct Way {
    guide: Guide,
    start: Vec<u8>,
    is_back: bool,
}

impl Way {
    /// From the start to the goal.
    fn forth(instance: &Instance) -> Way {
        let guide = Guide::to(instance.goal());
        Way { start: guide.labels(instance.start()), guide, is_back: false }
    }

    /// From the goal to the start.
    fn back(instance: &Instance) -> Way {
        let guide = Guide::to(instance.start());
        Way { start: guide.labels(instance.goal()), guide, is_back: true }
    }

    /// The solution that slides this way are.
    fn path(&self, slides: Vec<Slide>) -> Vec<Slide> {
        if self.is_back { slides.into_iter().rev().map(Slide::opposite).collect() } else { slides }
    }
}
