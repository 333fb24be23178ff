//! The incumbent of a requested proof: the best solution known so far.
//!
//! It ends the proof without the last round, which is the longest one, if it is optimal: all rounds with smaller
//! bounds prove that. And it is the answer if a limit is reached first.
//!
//! Small boards are usually proved within milliseconds, so their incumbent is computed only after the search
//! failed, in time that was reserved. Larger boards get one before every long round, from a beam search that takes
//! a small share of the time of the round. Its width depends on the nodes of the last round, not on times, so that
//! node counts are the same on every machine.

use std::time::Duration;

use npuzzle_core::search::{Cost, Outcome, Stats, Watch};
use npuzzle_core::{Instance, Metric, Moves, Slide};

use crate::anytime::beam::{BothDirections, SingleBeam, beam_in_both_directions, max_width};
use crate::anytime::quick_solution;
use crate::engine::lower_bound::lower_bound;
use crate::engine::result::EngineResult;
use crate::engine::upper_bound::{KnownSolution, UpperBound};
use crate::limits::Clock;
use crate::options::Options;
use crate::plan::MAX_PROVED_CELLS;

/// The time that is reserved for the incumbent of a small board, if that is less than an eighth of the limit.
/// The incumbent takes about a twentieth of limits below a second, and 50 ms of longer ones.
const RESERVED: Duration = Duration::from_millis(150);

/// The largest boards whose first incumbent takes a fraction of a second. Larger ones may run out of time.
const QUICK_CELLS: usize = 50 * 50;

/// The nodes of the last round for each node of a layer of the beam search. A round has some seven times as many
/// nodes as the last one, and a node of a beam takes about as long as fifteen of them. So two beams of a hundred
/// layers take about a seventh of the time of the round.
const LAST_ROUND_PER_WIDTH: u64 = 3_000;

/// Narrower beams rarely find an optimal solution, and the rounds are short.
const MIN_WIDTH: usize = 1_000;

/// Wider beams rarely find a shorter solution.
const MAX_WIDTH: usize = 400_000;

/// The incumbent of one board.
pub(crate) struct Incumbent<'a> {
    instance: &'a Instance,
    options: &'a Options,
    known: KnownSolution,
}

impl<'a> Incumbent<'a> {
    /// Computes the first incumbent, or reserves the time for it, if the options ask for a proof and no solution is
    /// known from an earlier run.
    pub(crate) fn prepare(
        instance: &'a Instance,
        options: &'a Options,
        known: KnownSolution,
        clock: &mut Clock<'_>,
    ) -> Incumbent<'a> {
        let mut incumbent = Incumbent { instance, options, known };
        if let Some(length) = incumbent.length() {
            clock.improved(length, lower_bound(instance, options.metric));
        }
        let is_wanted = options.wants_proof() && incumbent.known.moves.is_none();
        if let (true, Some(time)) = (is_wanted, options.limits.time) {
            if instance.dims().cells() <= MAX_PROVED_CELLS {
                clock.reserve(RESERVED.min(time / 8));
            } else {
                incumbent.known.moves = incumbent.compute(clock);
            }
        }
        incumbent
    }

    /// Adds the incumbent to a result without a solution.
    pub(crate) fn complete(self, result: EngineResult, clock: &mut Clock<'_>) -> EngineResult {
        clock.reserve(Duration::ZERO);
        let is_stopped = matches!(result.outcome, Outcome::Stopped { .. });
        if !is_stopped || result.best.is_some() || !self.options.wants_proof() {
            return result;
        }
        let best = self.known.moves.clone().or_else(|| self.compute(clock));
        EngineResult { best: best.map(|moves| moves.slides().to_vec()), ..result }
    }

    /// The incumbent, if it is as short as a lower bound.
    pub(crate) fn into_proved(self, lower_bound: Option<Cost>) -> Option<Vec<Slide>> {
        let is_proved = self.length().is_some() && self.length() <= lower_bound;
        self.known.moves.filter(|_| is_proved).map(|moves| moves.slides().to_vec())
    }

    /// A solution of any length. An interruption does not prevent it, because it takes a fraction of a second; on
    /// very large boards the time limit does.
    fn compute(&self, clock: &Clock<'_>) -> Option<Moves> {
        let is_quick = self.instance.dims().cells() <= QUICK_CELLS;
        let time = clock.time_left().filter(|_| !is_quick);
        let mut no_watch = ();
        let mut clock = Clock::start(time, &mut no_watch);
        let time = self.options.limits.time;
        quick_solution(self.instance, self.options.metric, time, &mut clock).map(Moves::from)
    }

    fn length(&self) -> Option<Cost> {
        self.known.moves.as_ref().map(|moves| moves.len(self.options.metric) as Cost)
    }

    /// The width of a beam search that is worth its time before the next round, if one is.
    fn affordable_width(&self, last_round: u64) -> Option<usize> {
        let Options { metric, limits, .. } = self.options;
        let cells = self.instance.dims().cells();
        // A node limit is for the nodes of the proof.
        if *metric != Metric::Stm || cells <= MAX_PROVED_CELLS || limits.nodes.is_some() {
            return None;
        }
        let width = (last_round / LAST_ROUND_PER_WIDTH) as usize;
        // The tables of the search stay in memory, so the beam gets a quarter of it.
        let memory = limits.memory.map(|n_bytes| n_bytes / 4);
        let width = width.min(MAX_WIDTH).min(max_width(memory, cells));
        (width >= MIN_WIDTH && width > self.known.width).then_some(width)
    }
}

impl UpperBound for Incumbent<'_> {
    fn before_round(
        &mut self,
        bound: Cost,
        last_round: u64,
        watch: &mut dyn Watch,
    ) -> Option<Cost> {
        if self.length().is_some_and(|known| known <= bound) {
            return self.length();
        }
        if let Some(width) = self.affordable_width(last_round) {
            let config = SingleBeam {
                width,
                slide_limit: self.known.moves.as_ref().map_or(usize::MAX, Moves::stm),
                n_threads: self.options.resources().threads,
                max_expanded: None,
                metric: self.options.metric,
            };
            let BothDirections { solution, is_stopped } =
                beam_in_both_directions(self.instance, config, &mut Stats::default(), watch);
            // A resumed search runs a stopped beam again.
            if !is_stopped {
                self.known.width = width;
            }
            if let Some(solution) = solution {
                watch.improved(solution.len() as Cost, bound);
                self.known.moves = Some(solution.into());
            }
        }
        self.length()
    }

    fn known(&self) -> &KnownSolution {
        &self.known
    }
}

#[cfg(test)]
mod tests {
    use npuzzle_core::search::Limit;
    use npuzzle_core::{Goal, Metric, Random};

    use super::*;
    use crate::limits::Cancel;
    use crate::options::Limits;

    fn instance(size: &str) -> Instance {
        let goal = Goal::Last.board(size.parse().unwrap()).unwrap();
        Random::new(3).instance(&goal, true)
    }

    /// A stopped search with an incumbent; also whether the incumbent was computed before the search.
    fn stopped(instance: &Instance, optimal: bool, time: Option<Duration>) -> (bool, bool) {
        let limits = Limits { time, ..Limits::NONE };
        let options = Options { optimal, limits, ..Options::default() };
        let mut no_watch = ();
        let mut clock = Clock::start(time, &mut no_watch);
        let incumbent =
            Incumbent::prepare(instance, &options, KnownSolution::default(), &mut clock);
        let is_early = incumbent.known.moves.is_some();
        let result = EngineResult::stopped(instance, Metric::Stm, Limit::Time);
        (is_early, incumbent.complete(result, &mut clock).best.is_some())
    }

    #[test]
    fn large_board_has_its_incumbent_before_the_search() {
        let minute = Some(Duration::from_secs(60));
        assert_eq!(stopped(&instance("5x5"), true, minute), (true, true));
        assert_eq!(stopped(&instance("4x4"), true, minute), (false, true));
        assert_eq!(stopped(&instance("5x5"), true, None), (false, true));
    }

    #[test]
    fn incumbent_is_computed_only_for_a_proof() {
        let minute = Some(Duration::from_secs(60));
        for size in ["3x3", "5x5"] {
            assert_eq!(stopped(&instance(size), false, minute), (false, false), "{size}");
        }
    }

    #[test]
    fn small_board_reserves_time_for_its_incumbent() {
        let (instance, time) = (instance("4x4"), Duration::from_secs(60));
        let limits = Limits { time: Some(time), ..Limits::NONE };
        let options = Options { optimal: true, limits, ..Options::default() };
        let mut no_watch = ();
        let mut clock = Clock::start(Some(time), &mut no_watch);
        let incumbent =
            Incumbent::prepare(&instance, &options, KnownSolution::default(), &mut clock);
        assert!(clock.time_left() <= Some(time - RESERVED));
        let unsolvable = incumbent.complete(EngineResult::unsolvable(), &mut clock);
        assert!(unsolvable.best.is_none() && clock.time_left() > Some(time - RESERVED));
    }

    #[test]
    fn very_large_board_without_time_has_no_incumbent() {
        let instance = instance("60x60");
        assert_eq!(stopped(&instance, true, Some(Duration::ZERO)), (false, false));
        assert_eq!(stopped(&instance, true, Some(Duration::from_secs(3600))), (true, true));
    }

    /// The nodes of a last round that make a beam of the smallest width affordable.
    const LONG_ROUND: u64 = LAST_ROUND_PER_WIDTH * MIN_WIDTH as u64;

    fn proving(metric: Metric, threads: usize) -> Options {
        let threads = std::num::NonZeroUsize::new(threads);
        Options { optimal: true, metric, threads, limits: Limits::NONE, ..Options::default() }
    }

    #[test]
    fn incumbent_is_searched_before_long_rounds_only() {
        let (instance, options) = (instance("5x5"), proving(Metric::Stm, 1));
        let mut no_watch = ();
        let mut clock = Clock::start(None, &mut no_watch);
        let mut incumbent =
            Incumbent::prepare(&instance, &options, KnownSolution::default(), &mut clock);
        assert_eq!(incumbent.before_round(60, LONG_ROUND - 1, &mut ()), None);
        let known = incumbent.before_round(60, LONG_ROUND, &mut ()).unwrap();
        // A round of the same length is not worth another beam.
        assert_eq!(incumbent.affordable_width(LONG_ROUND), None);
        assert_eq!(incumbent.before_round(62, LONG_ROUND, &mut ()), Some(known));
        assert!(incumbent.affordable_width(2 * LONG_ROUND).is_some());
        let result = EngineResult::stopped(&instance, Metric::Stm, Limit::Bound);
        let best = incumbent.complete(result, &mut clock).best.unwrap();
        assert_eq!(crate::solver::replayed(&instance, best).unwrap().stm(), known as usize);
    }

    #[test]
    fn stopped_beam_is_run_again() {
        let (instance, options) = (instance("5x5"), proving(Metric::Stm, 1));
        let mut no_watch = ();
        let mut clock = Clock::start(None, &mut no_watch);
        let known = KnownSolution::default();
        let mut incumbent = Incumbent::prepare(&instance, &options, known, &mut clock);
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(incumbent.before_round(60, LONG_ROUND, &mut cancel.clone()), None);
        assert_eq!(incumbent.known(), &KnownSolution::default());
        assert!(incumbent.before_round(60, LONG_ROUND, &mut ()).is_some());
        assert_eq!(incumbent.known().width, MIN_WIDTH);
    }

    #[test]
    fn incumbent_does_not_depend_on_threads() {
        let instance = instance("5x5");
        let found = [1, 2].map(|threads| {
            let options = proving(Metric::Stm, threads);
            let mut no_watch = ();
            let mut clock = Clock::start(None, &mut no_watch);
            let mut incumbent =
                Incumbent::prepare(&instance, &options, KnownSolution::default(), &mut clock);
            incumbent.before_round(60, LONG_ROUND, &mut ());
            incumbent.known
        });
        assert!(found[0].moves.is_some());
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn small_boards_and_node_limits_have_no_beam() {
        let nodes = Limits { nodes: Some(1_000), ..Limits::NONE };
        for (size, metric, limits) in [
            ("4x4", Metric::Stm, Limits::NONE),
            ("5x5", Metric::Mtm, Limits::NONE),
            ("5x5", Metric::Stm, nodes),
        ] {
            let (instance, options) = (instance(size), Options { limits, ..proving(metric, 1) });
            let mut no_watch = ();
            let mut clock = Clock::start(None, &mut no_watch);
            let incumbent =
                Incumbent::prepare(&instance, &options, KnownSolution::default(), &mut clock);
            assert_eq!(incumbent.affordable_width(u64::MAX), None, "{size}");
        }
    }
}
