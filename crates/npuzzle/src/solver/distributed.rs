//! Iterative deepening with pattern databases whose subtrees are searched by other threads or machines.
//!
//! Every round is split in the same way wherever the same tables are used, so a subtree is known by its
//! index. The coordinator adds up the counts; the first subtree with a goal has the
//! solution that one thread would have found.

use npuzzle_core::search::{Budget, Limit, Outcome, Watch};
use npuzzle_core::{Instance, Metric};
use npuzzle_tables::SlideAutomaton;

use crate::engine::ida::iterate::{DeepeningState, Hooks};
use crate::engine::ida::journal::{CompletedRound, Journal};
use crate::engine::ida::subtree_split::{RoundSearcher, SplitRound, SubtreeResult};
use crate::engine::pdb;
use crate::engine::result::{EngineResult, InternalError};
use crate::engine::upper_bound::{KnownSolution, UpperBound};
use crate::limits::{Clock, Resources};
use crate::options::{Limits, Options, TableSize};
use crate::plan::Plan;
use crate::report::{Answer, Report};
use crate::solver::incumbent::Incumbent;
use crate::solver::{SolveError, replayed};
use crate::tables::cache::Tables;
use crate::tables::zero_aware::ZeroAwareTables;

/// A search whose long rounds are split into subtrees, which the caller has searched.
///
/// ```
/// use npuzzle::search::DistributedSearch;
/// use npuzzle::{Instance, Options, Tables};
/// let instance: Instance = "1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15".parse()?;
/// let mut tables = Tables::new();
/// let search = DistributedSearch::new(&instance, &Options::default(), &mut tables, &mut ());
/// let search = search.expect("4x4 has pattern databases");
/// let report = search.solve_if_short(&mut ())?.expect("no round is worth splitting");
/// assert_eq!(report.upper_bound(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DistributedSearch {
    instance: Instance,
    pdb: ZeroAwareTables,
    /// Why these tables, if they are not those that the options ask for.
    tables_reason: Option<&'static str>,
    automaton: &'static SlideAutomaton,
}

/// Why a distributed search cannot start.
///
/// ```
/// use npuzzle::search::{DistributedError, DistributedSearch};
/// use npuzzle::{Goal, Options, Tables};
/// let goal = Goal::Last.board("6x6".parse()?).expect("a named goal fits every size");
/// let search = DistributedSearch::new(&goal.into(), &Options::default(), &mut Tables::new(), &mut ());
/// assert_eq!(search.err(), Some(DistributedError::NoTables));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DistributedError {
    /// The board is unsolvable, or there are no pattern databases for its size.
    NoTables,
    /// A limit was reached while tables were loaded or built.
    Limit(Limit),
    /// The tables cannot be used: a bug of this library.
    Solve(SolveError),
}

impl From<Limit> for DistributedError {
    fn from(limit: Limit) -> DistributedError {
        DistributedError::Limit(limit)
    }
}

impl DistributedSearch {
    /// The search for a solvable board, with large tables if the options ask for them and boards of this
    /// size have them, otherwise with small ones.
    pub fn new(
        instance: &Instance,
        options: &Options,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<DistributedSearch, DistributedError> {
        let internal = |reason| DistributedError::Solve(SolveError::Internal { reason });
        if !instance.is_solvable() {
            return Err(DistributedError::NoTables);
        }
        let (goal, resources) = (instance.goal(), options.resources());
        let is_large = options.tables == TableSize::Large;
        let (pdb, tables_reason) = if is_large && !tables.stored_pdbs(goal).is_empty() {
            let large = tables.get_large_pdb_at_any_cost(goal, &resources, watch)?;
            (large.ok_or_else(|| internal("large tables were built and cannot be used"))?, None)
        } else {
            let small = tables.small_zero_aware(goal, &resources, watch)?;
            let reason = is_large.then_some("boards of this size have no larger ones");
            (small.ok_or(DistributedError::NoTables)?, reason)
        };
        let automaton =
            pdb::automaton(instance).map_err(|InternalError(reason)| internal(reason))?;
        Ok(DistributedSearch { instance: instance.clone(), pdb, tables_reason, automaton })
    }

    /// The name of the tables. With other tables a round is split at other places.
    pub fn tables(&self) -> String {
        self.pdb.name()
    }

    /// Solves the board, starting after the rounds and with the solution of an earlier run. The searcher gets the rounds that are
    /// worth distributing; this thread searches the others. The journal records rounds and, through the
    /// searcher, subtrees. `None` if the searcher declined a round.
    pub fn solve(
        &self,
        completed: &[CompletedRound],
        known: KnownSolution,
        journal: Option<&mut Journal>,
        searcher: &mut dyn RoundSearcher,
        watch: &mut dyn Watch,
    ) -> Result<Option<Report>, SolveError> {
        // The incumbent does not depend on threads or on time, so it is the same in all processes.
        let options = Options { limits: Limits::NONE, optimal: true, ..Options::default() };
        let mut clock = Clock::start(None, watch);
        let mut incumbent = Incumbent::prepare(&self.instance, &options, known, &mut clock);
        pdb::report_rounds(completed, &mut clock);
        let engine = pdb::engine(self.instance.start(), &self.pdb, self.automaton);
        let resources = Resources { budget: Budget::NONE, threads: 1, max_round_time: None };
        let upper_bound: Option<&mut dyn UpperBound> = Some(&mut incumbent);
        let hooks = Hooks { watch: &mut clock, journal, upper_bound };
        let state = DeepeningState::after(completed);
        // Without a time limit for rounds, the search pauses only if the searcher declines one.
        let Ok(report) = engine.iterate_with(state, &resources, hooks, Some(searcher)) else {
            return Ok(None);
        };
        let report = self.pdb.form().report(report);
        let n_bytes = self.pdb.n_bytes() as u64;
        let EngineResult { outcome, lower_bound, stats, .. } =
            EngineResult::of_deepening(report, Metric::Stm, n_bytes, &mut clock);
        let mut proved_incumbent = None;
        let answer = match outcome {
            Outcome::Solved(slides) => Answer::Solved(replayed(&self.instance, slides)?),
            Outcome::Stopped { limit, .. } => match incumbent.into_proved(lower_bound) {
                Some(slides) => {
                    proved_incumbent = lower_bound;
                    Answer::Solved(replayed(&self.instance, slides)?)
                }
                None => Answer::Stopped(limit),
            },
            Outcome::Unsolvable => {
                return Err(SolveError::Broken { start: self.instance.start().clone() });
            }
        };
        Ok(Some(Report {
            instance: self.instance.clone(),
            plan: Some(Plan::pdb_ida("as requested")),
            tables: self.pdb.names(),
            tables_reason: self.tables_reason.map(str::to_owned),
            metric: Metric::Stm,
            best: None,
            optimal_solutions: None,
            lower_bound,
            answer,
            incumbent: proved_incumbent,
            h_start: Some(engine.first_bound()),
            stats,
            time: clock.elapsed(),
            rounds: clock.rounds,
        }))
    }

    /// Solves the board on this thread, unless a round is worth distributing. `None` if one is; this depends
    /// only on node counts.
    pub fn solve_if_short(&self, watch: &mut dyn Watch) -> Result<Option<Report>, SolveError> {
        self.solve(&[], KnownSolution::default(), None, &mut DeclineAll, watch)
    }
}

/// Declines all rounds.
struct DeclineAll;

impl RoundSearcher for DeclineAll {
    fn search(
        &mut self,
        _: &dyn SplitRound,
        _: Option<&mut Journal>,
        _: &mut dyn Watch,
    ) -> Option<SubtreeResult> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Goal;
    use npuzzle_testkit::data::korf100;

    /// Boards that a full table would answer as well.
    #[test]
    fn report_names_the_search() {
        for (start, n_moves) in [("1 2 3/4 5 0/7 8 6", 1), ("1 2 3 4/5 6 7 8/9 10 0 11", 1)] {
            let instance: Instance = start.parse().unwrap();
            let search =
                DistributedSearch::new(&instance, &Options::default(), &mut Tables::new(), &mut ());
            let report = search.unwrap().solve_if_short(&mut ()).unwrap().unwrap();
            let plan = report.plan.as_ref().unwrap();
            assert_eq!(plan.to_string(), "ida with pattern: as requested");
            assert_eq!(report.upper_bound(), Some(n_moves));
        }
    }

    /// Searches the subtrees in reverse order.
    struct ReverseOrder {
        n_rounds: usize,
    }

    impl RoundSearcher for ReverseOrder {
        fn search(
            &mut self,
            round: &dyn SplitRound,
            _: Option<&mut Journal>,
            watch: &mut dyn Watch,
        ) -> Option<SubtreeResult> {
            self.n_rounds += 1;
            let indices = (0..round.n_subtrees()).rev();
            Some(round.sum(indices.map(|at| (at, round.search_subtree(at, watch))).collect()))
        }
    }

    /// Subtrees in any order add up to the search of a single thread.
    #[test]
    fn subtree_counts_add_up_to_the_whole_search() {
        let known = &korf100()[87];
        let instance = Instance::new(known.board.clone(), &Goal::First).unwrap();
        let options = Options { tables: TableSize::Small, ..Options::default() };
        let mut tables = Tables::new();
        let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
        let search = DistributedSearch::new(&instance, &options, &mut tables, &mut ()).unwrap();
        let mut searcher = ReverseOrder { n_rounds: 0 };
        let found = search
            .solve(&[], KnownSolution::default(), None, &mut searcher, &mut ())
            .unwrap()
            .unwrap();
        assert!(searcher.n_rounds > 0);
        assert!(search.solve_if_short(&mut ()).unwrap().is_none());
        assert_eq!(found.moves(), report.moves());
        assert_eq!(found.stats, report.stats);
        assert_eq!(found.rounds.len(), report.rounds.len());
        assert_eq!(found.lower_bound, known.optimal);
        assert!(found.is_optimal());
    }
}
