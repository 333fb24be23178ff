//! Iterative deepening with pattern databases, in slices that may be searched anywhere.
//!
//! What [`Options::solve_on`] does on the threads of one machine can be shared by many: every round
//! is cut into slices in the same way wherever the same tables are, so a slice is known by its
//! number. Who deals them out adds up what they count; the first slice in order with a goal has the
//! solution that one thread would have found.

use std::time::Duration;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};
use npuzzle_tables::Automaton;

use crate::engine::ida::subtree_split::{Counts, Searched};
use crate::engine::pdb::search::{Rounds, Sliced};
use crate::options::{Algorithm, HeuristicChoice, HeuristicKind, Limits, Options, TableSize};
use crate::plan::plan;
use crate::report::{Answer, Report, Round};
use crate::solver::{SolveError, replayed};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::cache::Tables;

/// A search whose rounds can be cut into slices.
///
/// ```
/// use npuzzle::search::SlicedSearch;
/// use npuzzle::{Instance, Options, Tables};
/// let instance: Instance = "1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15".parse()?;
/// let mut tables = Tables::new();
/// let search = SlicedSearch::new(&instance, &Options::default(), &mut tables, &mut ());
/// let search = search.expect("no limit").expect("there are pattern databases for 4x4");
/// let round = search.round(search.first_bound(), &mut ());
/// assert_eq!(round.goal.map(|slides| slides.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SlicedSearch {
    instance: Instance,
    patterns: AdditivePdb,
    automaton: Automaton,
}

/// What became of a slice, or of a whole round.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// States expanded.
    pub expanded: u64,
    /// States generated.
    pub generated: u64,
    /// The slides from the start to the goal, if it was found.
    pub goal: Option<Vec<Slide>>,
    /// Whether the watch ended it.
    pub is_partial: bool,
}

/// A round that is cut into slices.
#[doc(hidden)]
pub struct CutRound<'a> {
    search: &'a SlicedSearch,
    round: Box<dyn Sliced + 'a>,
}

impl SlicedSearch {
    /// The search for a board that can be solved, with large tables if the options ask for them, else
    /// with small ones; `None` if there are none for its size.
    pub fn new(
        instance: &Instance,
        options: &Options,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Option<SlicedSearch>, Limit> {
        let (goal, effort) = (instance.goal(), options.resources());
        let large = match options.tables {
            TableSize::Large => tables.get_large_anyhow(goal, effort, watch)?,
            TableSize::Small | TableSize::Auto => None,
        };
        let patterns = match large {
            Some(patterns) => Some(patterns),
            None => tables.small(goal, effort, watch)?,
        };
        let search = |(patterns, automaton)| SlicedSearch {
            instance: instance.clone(),
            patterns,
            automaton,
        };
        Ok(patterns.filter(|_| instance.is_solvable()).zip(Automaton::embedded()).map(search))
    }

    /// The name of the tables: with others a round is cut otherwise.
    pub fn tables(&self) -> String {
        self.patterns.set().partition().name()
    }

    fn rounds(&self) -> Rounds<'_> {
        Rounds::new(self.instance.start(), &self.patterns, &self.automaton)
    }

    /// The bound of the first round; those of others are two more each.
    pub fn first_bound(&self) -> Cost {
        self.rounds().first_bound()
    }

    /// Whether a round is worth being cut, after one that has expanded so many states.
    pub fn is_worth_cutting(last_round: u64) -> bool {
        Rounds::is_worth_cutting(last_round)
    }

    /// Searches a whole round on this thread.
    pub fn round(&self, bound: Cost, watch: &mut dyn Watch) -> Slice {
        self.slice(self.rounds().round(bound, watch))
    }

    /// Cuts a round, after one that has expanded so many states; `None` if the goal is above the
    /// slices, so that the round is short.
    pub fn cut(&self, bound: Cost, last_round: u64) -> Option<CutRound<'_>> {
        Some(CutRound { search: self, round: self.rounds().cut(bound, last_round)? })
    }

    fn slice(&self, searched: Searched) -> Slice {
        let Searched { counts: Counts { expanded, generated }, goal, is_partial } = searched;
        let frame = self.patterns.frame();
        let on_board = |goal: Vec<Slide>| goal.into_iter().map(|s| frame.slide(s)).collect();
        Slice { expanded, generated, goal: goal.map(on_board), is_partial }
    }

    /// What is known when the first goal is found, its slides replayed.
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
        let moves = replayed(&self.instance, goal)?;
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

impl CutRound<'_> {
    /// How many slices there are.
    pub fn n_slices(&self) -> usize {
        self.round.n_slices()
    }

    /// A number that tells these slices from others of as many.
    pub fn shape(&self) -> u32 {
        self.round.shape()
    }

    /// States expanded and generated above the slices up to the first with a goal, or above all.
    pub fn above(&self, first_goal: Option<usize>) -> (u64, u64) {
        let Counts { expanded, generated } = self.round.above(first_goal);
        (expanded, generated)
    }

    /// Searches a slice.
    ///
    /// # Panics
    /// If there is no slice of this number.
    pub fn search(&self, number: usize, watch: &mut dyn Watch) -> Slice {
        self.search.slice(self.round.search(number, watch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Goal;
    use npuzzle_testkit::data::korf100;

    /// Boards of which a table has the answer as well.
    #[test]
    fn a_report_names_the_search_that_was_done() {
        for (start, n_moves) in [("1 2 3/4 5 0/7 8 6", 1), ("1 2 3 4/5 6 7 8/9 10 0 11", 1)] {
            let instance: Instance = start.parse().unwrap();
            let search =
                SlicedSearch::new(&instance, &Options::default(), &mut Tables::new(), &mut ());
            let search = search.unwrap().unwrap();
            let goal = search.round(search.first_bound(), &mut ()).goal.unwrap();
            let report = search.report(goal, vec![], Duration::ZERO).unwrap();
            let plan = report.plan.as_ref().unwrap();
            assert!(plan.to_string().starts_with("ida with pattern: "), "{plan}");
            assert_eq!(report.upper_bound(), Some(n_moves));
        }
    }

    /// Slices in any order come to what a search in one piece does.
    #[test]
    fn slices_add_up_to_the_search() {
        let known = &korf100()[11];
        let instance = Instance::new(known.board.clone(), &Goal::First).unwrap();
        let options = Options { tables: TableSize::Small, ..Options::default() };
        let mut tables = Tables::new();
        let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
        let search = SlicedSearch::new(&instance, &options, &mut tables, &mut ()).unwrap().unwrap();
        let mut bound = search.first_bound();
        let mut rounds = Vec::new();
        let mut last_round = 0;
        let goal = loop {
            let mut round = Round { bound, expanded: 0, generated: 0, time: Duration::ZERO };
            let cut = search.cut(bound, last_round).filter(|_| last_round > 1000);
            let mut first = None;
            if let Some(cut) = cut {
                let mut slices: Vec<Slice> =
                    (0..cut.n_slices()).rev().map(|at| cut.search(at, &mut ())).collect();
                slices.reverse();
                first = slices.iter().position(|slice| slice.goal.is_some());
                slices.truncate(first.map_or(slices.len(), |at| at + 1));
                (round.expanded, round.generated) = cut.above(first);
                round.expanded += slices.iter().map(|slice| slice.expanded).sum::<u64>();
                round.generated += slices.iter().map(|slice| slice.generated).sum::<u64>();
                if first.is_some() {
                    rounds.push(round);
                    break slices.pop().and_then(|slice| slice.goal).unwrap();
                }
            } else {
                let slice = search.round(bound, &mut ());
                (round.expanded, round.generated) = (slice.expanded, slice.generated);
                if let Some(goal) = slice.goal {
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
