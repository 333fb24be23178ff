//! Iterative deepening with pattern databases whose subtrees are searched by other threads or machines.
//!
//! Every round is split in the same way wherever the same tables are used, so a subtree is known by its
//! index. The coordinator adds up the counts; the first subtree with a goal has the
//! solution that one thread would have found.

use std::time::Duration;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};
use npuzzle_tables::SlideAutomaton;

use crate::engine::ida::iterate::{IdaEngine, SplitRound};
use crate::engine::ida::subtree_split::{MIN_LONG_ROUND, SubtreeResult};
use crate::engine::pdb;
use crate::limits::Round;
use crate::options::{Algorithm, HeuristicChoice, HeuristicKind, Limits, Options, TableSize};
use crate::plan::plan;
use crate::report::{Answer, Report};
use crate::solver::{SolveError, replayed};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::cache::Tables;

/// A search whose rounds can be split into subtrees.
///
/// ```
/// use npuzzle::search::DistributedSearch;
/// use npuzzle::{Instance, Options, Tables};
/// let instance: Instance = "1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15".parse()?;
/// let mut tables = Tables::new();
/// let search = DistributedSearch::new(&instance, &Options::default(), &mut tables, &mut ());
/// let search = search.expect("no limit").expect("4x4 has pattern databases");
/// let round = search.search_round(search.first_bound(), &mut ());
/// assert_eq!(round.goal.map(|slides| slides.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DistributedSearch {
    instance: Instance,
    pdb: AdditivePdb,
    automaton: SlideAutomaton,
}

impl DistributedSearch {
    /// The search for a solvable board, with large tables if the options ask for them, otherwise with small
    /// ones. `None` if boards of this size have no pattern databases.
    pub fn new(
        instance: &Instance,
        options: &Options,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Option<DistributedSearch>, Limit> {
        let (goal, resources) = (instance.goal(), options.resources());
        let large = match options.tables {
            TableSize::Large => tables.get_large_pdb_at_any_cost(goal, &resources, watch)?,
            TableSize::Small | TableSize::Auto => None,
        };
        let pdb = match large {
            Some(pdb) => Some(pdb),
            None => tables.small_pdb(goal, &resources, watch)?,
        };
        let search =
            |(pdb, automaton)| DistributedSearch { instance: instance.clone(), pdb, automaton };
        Ok(pdb.filter(|_| instance.is_solvable()).zip(SlideAutomaton::embedded()).map(search))
    }

    /// The name of the tables. With other tables a round is split at other places.
    pub fn tables(&self) -> String {
        self.pdb.set().partition().name()
    }

    fn engine(&self) -> Box<dyn IdaEngine + '_> {
        pdb::engine(self.instance.start(), &self.pdb, &self.automaton)
    }

    /// The bound of the first round. The bound of every later round is greater by two.
    pub fn first_bound(&self) -> Cost {
        self.engine().first_bound()
    }

    /// Whether a round is worth splitting, given the states that the round before it expanded.
    pub fn is_worth_splitting(last_round: u64) -> bool {
        last_round >= MIN_LONG_ROUND
    }

    /// Searches a whole round on this thread. The slides to a goal are those of the canonical form.
    pub fn search_round(&self, bound: Cost, watch: &mut dyn Watch) -> SubtreeResult {
        self.engine().search_round(bound, watch)
    }

    /// Splits a round, given the states that the round before it expanded. `None` if the goal is above the
    /// subtrees, so that the round is short.
    pub fn split(&self, bound: Cost, last_round: u64) -> Option<Box<dyn SplitRound + '_>> {
        self.engine().into_split_round(bound, last_round)
    }

    /// The report of the first goal. Its slides are translated from the canonical form to the board, and replayed.
    pub fn report(
        &self,
        goal: Vec<Slide>,
        rounds: Vec<Round>,
        time: Duration,
    ) -> Result<Report, SolveError> {
        let options = Options {
            algorithm: Algorithm::Ida,
            heuristic: HeuristicChoice::One(HeuristicKind::Pattern),
            limits: Limits::NONE,
            optimal: true,
            ..Options::default()
        };
        let moves = replayed(&self.instance, self.pdb.form().slides(goal))?;
        let sum = |of: &dyn Fn(&Round) -> u64| rounds.iter().map(of).sum();
        let (expanded, generated) = (sum(&|round| round.expanded), sum(&|round| round.generated));
        Ok(Report {
            instance: self.instance.clone(),
            plan: plan(&self.instance, &options).ok(),
            tables: vec![self.tables()],
            tables_reason: None,
            metric: Metric::Stm,
            best: None,
            optimal_solutions: None,
            lower_bound: Some(moves.stm() as Cost),
            answer: Answer::Solved(moves),
            h_start: Some(self.first_bound()),
            stats: Stats { expanded, generated, ..Stats::default() },
            rounds,
            time,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ida::bounded_dfs::NodeCounts;
    use npuzzle_core::Goal;
    use npuzzle_testkit::data::korf100;

    /// Boards that a full table would answer as well.
    #[test]
    fn report_names_the_search() {
        for (start, n_moves) in [("1 2 3/4 5 0/7 8 6", 1), ("1 2 3 4/5 6 7 8/9 10 0 11", 1)] {
            let instance: Instance = start.parse().unwrap();
            let search =
                DistributedSearch::new(&instance, &Options::default(), &mut Tables::new(), &mut ());
            let search = search.unwrap().unwrap();
            let goal = search.search_round(search.first_bound(), &mut ()).goal.unwrap();
            let report = search.report(goal, vec![], Duration::ZERO).unwrap();
            let plan = report.plan.as_ref().unwrap();
            assert!(plan.to_string().starts_with("ida with pattern: "), "{plan}");
            assert_eq!(report.upper_bound(), Some(n_moves));
        }
    }

    /// Subtrees in any order add up to the search of a single thread.
    #[test]
    fn subtree_counts_add_up_to_the_whole_search() {
        let known = &korf100()[11];
        let instance = Instance::new(known.board.clone(), &Goal::First).unwrap();
        let options = Options { tables: TableSize::Small, ..Options::default() };
        let mut tables = Tables::new();
        let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
        let search =
            DistributedSearch::new(&instance, &options, &mut tables, &mut ()).unwrap().unwrap();
        let mut bound = search.first_bound();
        let mut rounds = Vec::new();
        let mut last_round = 0;
        let goal = loop {
            let mut round = Round { bound, expanded: 0, generated: 0, time: Duration::ZERO };
            let split = search.split(bound, last_round).filter(|_| last_round > 1000);
            let mut first = None;
            if let Some(split) = split {
                let mut subtrees: Vec<SubtreeResult> =
                    (0..split.n_subtrees()).rev().map(|at| split.search(at, &mut ())).collect();
                subtrees.reverse();
                first = subtrees.iter().position(|subtree| subtree.goal.is_some());
                subtrees.truncate(first.map_or(subtrees.len(), |at| at + 1));
                let mut counts = split.above(first);
                subtrees.iter().for_each(|subtree| counts += subtree.counts);
                (round.expanded, round.generated) = (counts.expanded, counts.generated);
                if first.is_some() {
                    rounds.push(round);
                    break subtrees.pop().and_then(|subtree| subtree.goal).unwrap();
                }
            } else {
                let subtree = search.search_round(bound, &mut ());
                let NodeCounts { expanded, generated } = subtree.counts;
                (round.expanded, round.generated) = (expanded, generated);
                if let Some(goal) = subtree.goal {
                    rounds.push(round);
                    break goal;
                }
            }
            assert_eq!(first, None);
            last_round = round.expanded;
            rounds.push(round);
            bound += 2;
        };
        let found = search.report(goal, rounds, Duration::ZERO).unwrap();
        assert_eq!(found.moves(), report.moves());
        assert_eq!(
            (found.stats.expanded, found.stats.generated),
            (report.stats.expanded, report.stats.generated)
        );
        assert_eq!(found.lower_bound, known.optimal);
        assert!(found.is_optimal());
    }
}
