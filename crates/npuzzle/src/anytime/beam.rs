//! Anytime beam search: short solutions of boards that are too large for optimal search.
//!
//! A beam goes from the start to the goal layer by layer and keeps the most promising boards of each
//! layer ([`beam_search`]), ranked by a learned evaluation ([`evaluation`], [`weights`]). A narrow beam
//! finds a solution in about a tenth of a second, and wider beams find shorter ones:
//!
//! ```text
//! width = 1,000, or less if there is little time
//! repeat:
//!     run a beam of this width from the goal to the start, and one from the start to the goal
//!     keep the shortest solution
//!     width = 4 · width, or the width that uses up the remaining time
//! until time, nodes or memory are used up, or the solution is as short as the lower bound
//! ```
//!
//! Beams run in both directions because which direction finds the shorter solution differs from board
//! to board. Beam search is incomplete: a beam may miss the goal. Usually the other direction or a wider
//! beam finds it, but there is no guarantee. So a share of the time is reserved for other algorithms as
//! long as no solution is known.

#[cfg(any(test, feature = "learn"))]
pub(crate) mod ablation;
pub(crate) mod adjacency;
pub(crate) mod backpointers;
mod beam_search;
mod candidates;
mod evaluation;
#[cfg(any(test, feature = "learn"))]
pub(crate) mod learn;
#[cfg(any(test, feature = "learn"))]
pub(crate) mod learn_tuples;
mod offset_index;
mod partition;
pub(crate) mod tuple_change;
pub(crate) mod tuple_term;
pub(crate) mod tuple_weights;
pub(crate) mod weights;
mod width_schedule;

use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::engine::lower_bound::{Objective, lower_bound};
use crate::limits::Clock;
use crate::options::Options;

use backpointers::Backpointer;
use beam_search::{BeamConfig, BeamEnd, beam_search, bytes_per_node};
use evaluation::Evaluator;
use width_schedule::WidthSchedule;

/// The result of an anytime beam search.
pub(crate) struct BeamResult {
    /// The shortest solution.
    pub(crate) path: Option<Vec<Slide>>,
    /// The limit that ended the search; `None` if there was nothing left to try.
    pub(crate) limit: Option<Limit>,
    pub(crate) stats: Stats,
}

/// The maximum number of cells of a board.
pub(crate) const MAX_CELLS: usize = Evaluator::MAX_CELLS;

/// The width of the first beam, unless it would take more than this share of the time.
const FIRST_WIDTH: usize = 1_000;
const FIRST_SHARE: f64 = 0.2;

/// Narrower beams rarely reach the goal.
pub(crate) const MIN_WIDTH: usize = 60;

/// Wider beams take minutes and gain little.
const MAX_WIDTH: usize = 4_000_000;

/// The share of the time that is reserved for other algorithms as long as no solution is known.
const RESERVED_SHARE: f64 = 0.4;

/// The number of layers without a better board after which a beam is given up, for each row and column.
const MAX_STALLED_LAYERS_PER_LINE: usize = 10;

/// Searches with wider and wider beams until time, nodes or memory are used up, or the solution is as
/// short as the lower bound.
pub(crate) fn anytime_beam(
    instance: &Instance,
    objective: Objective,
    options: &Options,
    clock: &mut Clock<'_>,
) -> BeamResult {
    let beam = AnytimeBeam::new(instance, objective, options);
    match instance.dims().cells() {
        0..=32 => beam.run::<32>(clock),
        33..=48 => beam.run::<48>(clock),
        49..=64 => beam.run::<64>(clock),
        65..=104 => beam.run::<104>(clock),
        105..=160 => beam.run::<160>(clock),
        _ => beam.run::<256>(clock),
    }
}

/// The parameters of a single beam of constant width.
#[derive(Clone, Copy)]
pub(crate) struct SingleBeam {
    pub(crate) width: usize,
    /// Solutions must have fewer slides.
    pub(crate) slide_limit: usize,
    pub(crate) n_threads: usize,
    /// The maximum number of states expanded, including those already counted in the statistics.
    pub(crate) max_expanded: Option<u64>,
    /// The metric in which the solution should be short.
    pub(crate) metric: Metric,
}

/// Runs one beam from the start to the goal. Returns `None` if it misses the goal or is stopped.
pub(crate) fn single_beam(
    instance: &Instance,
    beam: SingleBeam,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> Option<Vec<Slide>> {
    beam.run(&SearchDirection::forward(instance), stats, watch).ok().flatten()
}

/// The result of one beam in each direction.
pub(crate) struct BothDirections {
    /// The shorter solution; `None` if both beams miss the goal or are stopped.
    pub(crate) solution: Option<Vec<Slide>>,
    /// Whether the watch stopped a beam.
    pub(crate) is_stopped: bool,
}

/// Runs one beam from the goal to the start and one from the start to the goal.
pub(crate) fn beam_in_both_directions(
    instance: &Instance,
    beam: SingleBeam,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> BothDirections {
    let Ok(backward) = beam.run(&SearchDirection::backward(instance), stats, watch) else {
        return BothDirections { solution: None, is_stopped: true };
    };
    let slide_limit = backward.as_ref().map_or(beam.slide_limit, Vec::len);
    let forward = SingleBeam { slide_limit, ..beam };
    match forward.run(&SearchDirection::forward(instance), stats, watch) {
        Ok(forward) => BothDirections { solution: forward.or(backward), is_stopped: false },
        Err(_) => BothDirections { solution: backward, is_stopped: true },
    }
}

impl SingleBeam {
    /// The solution; `None` if the beam misses the goal. An error is the limit that stopped it.
    fn run(
        self,
        direction: &SearchDirection,
        stats: &mut Stats,
        watch: &mut dyn Watch,
    ) -> Result<Option<Vec<Slide>>, Limit> {
        let SingleBeam { width, slide_limit, n_threads, max_expanded, metric } = self;
        let SearchDirection { evaluator, start, .. } = direction;
        let config = BeamConfig {
            evaluator,
            turn_cost: evaluator.turn_cost(metric),
            n_threads,
            slide_limit,
            max_stalled_layers: usize::MAX,
            max_expanded,
            stats,
            watch,
        };
        let end = match start.len() {
            0..=32 => beam_search::<32>(start, |_| width, config),
            33..=64 => beam_search::<64>(start, |_| width, config),
            _ => beam_search::<256>(start, |_| width, config),
        };
        match end {
            BeamEnd::Solved(slides) => Ok(Some(direction.solution(slides))),
            BeamEnd::Lost | BeamEnd::Exhausted => Ok(None),
            BeamEnd::Stopped(limit) => Err(limit),
        }
    }
}

/// An anytime beam search in progress.
struct AnytimeBeam<'a> {
    instance: &'a Instance,
    objective: Objective,
    options: &'a Options,
    directions: [SearchDirection; 2],
    /// The number of slides of the last solution.
    n_slides: Option<usize>,
    result: BeamResult,
}

impl<'a> AnytimeBeam<'a> {
    fn new(instance: &'a Instance, objective: Objective, options: &'a Options) -> AnytimeBeam<'a> {
        let directions = [SearchDirection::backward(instance), SearchDirection::forward(instance)];
        let result = BeamResult { path: None, limit: None, stats: Stats::default() };
        AnytimeBeam { instance, objective, options, directions, n_slides: None, result }
    }

    /// Runs round after round. `S` is the number of cells that a node has room for.
    fn run<const S: usize>(mut self, clock: &mut Clock<'_>) -> BeamResult {
        let max_width = max_width(self.options.limits.memory, S);
        let first_width = first_width(lower_bound(self.instance, Metric::Stm), clock);
        let mut schedule = first_width.map(|width| WidthSchedule::new(width.min(max_width)));
        let reserved = clock.time_left().map(|left| left.mul_f64(RESERVED_SHARE));
        let n_directions = self.directions.len();
        while let Some(round) = &mut schedule {
            let n_beams = round.n_beams(n_directions, self.instance.dims().cells());
            for nth in 0..n_beams {
                let mut widths =
                    round.layer_widths(self.n_slides, clock.time_left(), n_beams - nth);
                let time = match self.n_slides {
                    None => clock
                        .time_left()
                        .map(|left| left.saturating_sub(reserved.unwrap_or_default())),
                    Some(_) => clock.time_left(),
                };
                let width_at = |depth| widths.width_at(depth).clamp(1, max_width);
                if self.run_beam::<S>(nth % n_directions, width_at, time, clock).is_break() {
                    return self.result;
                }
                round.record_rate(&widths);
            }
            schedule = round.next_round(max_width, n_directions, self.n_slides, clock.time_left());
        }
        self.result
    }

    /// Runs one beam within this time; breaks if the search is over.
    fn run_beam<const S: usize>(
        &mut self,
        direction: usize,
        width_at: impl FnMut(usize) -> usize,
        time: Option<Duration>,
        clock: &mut Clock<'_>,
    ) -> ControlFlow<()> {
        let (dims, metric) = (self.instance.dims(), self.objective.metric);
        let direction = &self.directions[direction];
        let config = BeamConfig {
            evaluator: &direction.evaluator,
            turn_cost: direction.evaluator.turn_cost(metric),
            n_threads: self.options.resources().threads,
            slide_limit: self.n_slides.map_or(usize::MAX, |n| slide_limit(n, metric)),
            max_stalled_layers: MAX_STALLED_LAYERS_PER_LINE * (dims.rows() + dims.cols()),
            max_expanded: self.options.limits.nodes,
            stats: &mut self.result.stats,
            watch: &mut Clock::start(time, clock),
        };
        match beam_search::<S>(&direction.start, width_at, config) {
            BeamEnd::Solved(slides) => {
                self.n_slides = Some(slides.len());
                let path = direction.solution(slides);
                self.offer(path, clock)
            }
            BeamEnd::Lost => ControlFlow::Continue(()),
            BeamEnd::Exhausted => ControlFlow::Break(()),
            BeamEnd::Stopped(limit) => {
                self.result.limit = Some(limit);
                ControlFlow::Break(())
            }
        }
    }

    /// Keeps a solution if it is the shortest so far; breaks if it is as short as the lower bound.
    fn offer(&mut self, path: Vec<Slide>, clock: &mut Clock<'_>) -> ControlFlow<()> {
        let objective = self.objective;
        let length = objective.length(&path);
        if self.result.path.as_ref().is_none_or(|best| length < objective.length(best)) {
            objective.report(length, clock);
            self.result.path = Some(path);
        }
        if length <= objective.lower_bound {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The maximum width within a memory limit, in bytes.
pub(crate) fn max_width(memory: Option<u64>, node_cells: usize) -> usize {
    let memory = memory.map_or(usize::MAX, |bytes| bytes as usize);
    // A quarter is left for the algorithms that follow: the allocator may not have returned the memory
    // of the beams to the system by then.
    (memory / 4 * 3 / bytes_per_node(node_cells)).clamp(1, MAX_WIDTH.min(Backpointer::MAX_PARENTS))
}

/// An exclusive limit on the slides of a solution that improves on one with `n_slides` slides. In the
/// multi-tile metric a better solution may have more slides.
fn slide_limit(n_slides: usize, metric: Metric) -> usize {
    match metric {
        Metric::Stm => n_slides,
        Metric::Mtm => n_slides + n_slides / 4,
    }
}

/// The width of the first beam; `None` if there is not enough time for one.
fn first_width(lower_bound: Cost, clock: &Clock<'_>) -> Option<usize> {
    let Some(left) = clock.time_left() else { return Some(FIRST_WIDTH) };
    // The length of a typical solution.
    let n_layers = 1.6 * f64::from(lower_bound.max(1));
    let n_boards = left.as_secs_f64() * width_schedule::INITIAL_RATE;
    let affordable = |share: f64| (share * n_boards / n_layers) as usize;
    let width = affordable(FIRST_SHARE).clamp(MIN_WIDTH, FIRST_WIDTH);
    (width <= affordable(1.0 - RESERVED_SHARE)).then_some(width)
}

/// One of the two directions of search between start and goal.
struct SearchDirection {
    evaluator: Evaluator,
    start: Vec<u8>,
    is_backward: bool,
}

impl SearchDirection {
    /// From the start to the goal.
    fn forward(instance: &Instance) -> SearchDirection {
        let evaluator = Evaluator::new(instance.goal());
        SearchDirection { start: evaluator.labels(instance.start()), evaluator, is_backward: false }
    }

    /// From the goal to the start.
    fn backward(instance: &Instance) -> SearchDirection {
        let evaluator = Evaluator::new(instance.start());
        SearchDirection { start: evaluator.labels(instance.goal()), evaluator, is_backward: true }
    }

    /// The solution of the instance that corresponds to slides in this direction.
    fn solution(&self, slides: Vec<Slide>) -> Vec<Slide> {
        if self.is_backward {
            slides.into_iter().rev().map(Slide::opposite).collect()
        } else {
            slides
        }
    }
}
