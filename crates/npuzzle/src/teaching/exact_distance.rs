//! Exact distances for judging and labeling: table lookups on boards of up to 12 cells, else searches with a
//! node limit.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Board, Instance, Metric, Moves};

use crate::options::{Algorithm, Limits, Options, TableSize};
use crate::report::Answer;
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;
use crate::teaching::same_size;

/// Computes exact distances to goals. The results of searches are kept, because the answers to one task ask for
/// the same boards.
#[derive(Clone, Debug)]
pub(crate) struct ExactDistances {
    tables: Tables,
    /// The options of a search.
    options: Options,
    /// Results of searches; `None` if the node limit was reached.
    known: HashMap<(Board, Board, Metric), Option<Cost>>,
}

impl ExactDistances {
    /// The maximum number of results that are kept: some 10 MB for 15-puzzles.
    const MAX_KNOWN: usize = 50_000;

    /// Searches expand at most `max_nodes` states each. So results are the same on every machine.
    pub(crate) fn new(tables: Tables, max_nodes: u64) -> ExactDistances {
        let limits = Limits { time: None, nodes: Some(max_nodes), ..Limits::default() };
        let options = Options {
            algorithm: Algorithm::Ida,
            tables: TableSize::Small,
            threads: Some(NonZeroUsize::MIN),
            limits,
            ..Options::default()
        };
        ExactDistances { tables, options, known: HashMap::new() }
    }

    /// The tables, including those that were built.
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the tables, including those that were built.
    pub(crate) fn into_tables(self) -> Tables {
        self.tables
    }

    /// Returns the distance of a board that can reach the goal. `None` if a limit was reached first, or if the
    /// watch stopped the search.
    pub(crate) fn distance(
        &mut self,
        board: &Board,
        goal: &Board,
        metric: Metric,
        watch: &mut dyn Watch,
    ) -> Option<Cost> {
        if board == goal {
            return Some(0);
        }
        if let Some(table) = self.full_table(goal, metric, watch) {
            return table.distance(board);
        }
        let key = (board.clone(), goal.clone(), metric);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (found, is_final) = self.search(board, goal, metric, None, watch);
        if is_final {
            if self.known.len() >= ExactDistances::MAX_KNOWN {
                self.known.clear();
            }
            self.known.insert(key, found);
        }
        found
    }

    /// Returns whether the distance of a board is at most `max`. `None` as for
    /// [`distance`](ExactDistances::distance). A search that answers no is shorter than one that finds the distance.
    pub(crate) fn is_within(
        &mut self,
        board: &Board,
        goal: &Board,
        metric: Metric,
        max: Cost,
        watch: &mut dyn Watch,
    ) -> Option<bool> {
        if board == goal {
            return Some(true);
        }
        if let Some(table) = self.full_table(goal, metric, watch) {
            return table.distance(board).map(|distance| distance <= max);
        }
        let key = (board.clone(), goal.clone(), metric);
        if let Some(Some(known)) = self.known.get(&key) {
            return Some(*known <= max);
        }
        let (found, _) = self.search(board, goal, metric, Some(max + 1), watch);
        found.map(|distance| distance <= max)
    }

    /// Returns the number of boards at each distance, if there is a table of all of them.
    pub(crate) fn census(
        &mut self,
        goal: &Board,
        metric: Metric,
        watch: &mut dyn Watch,
    ) -> Option<Vec<u64>> {
        self.full_table(goal, metric, watch).map(FullTable::census)
    }

    /// Returns a shortest solution; `None` as for [`distance`](ExactDistances::distance).
    pub(crate) fn solution(
        &mut self,
        puzzle: &Instance,
        metric: Metric,
        watch: &mut dyn Watch,
    ) -> Option<Moves> {
        let options = Options { metric, ..self.options.clone() };
        let report = options.solve_with(puzzle, &mut self.tables, watch).ok()?;
        report.moves().filter(|_| report.is_optimal()).cloned()
    }

    fn full_table(
        &mut self,
        goal: &Board,
        metric: Metric,
        watch: &mut dyn Watch,
    ) -> Option<&FullTable> {
        if goal.dims().cells() > FullTable::MAX_CELLS {
            return None;
        }
        self.tables.full_within(goal, metric, &self.options, watch).ok()?
    }

    /// Returns the distance or, if a bound is given and reached, the bound. The flag says whether a repetition would
    /// return the same.
    fn search(
        &mut self,
        board: &Board,
        goal: &Board,
        metric: Metric,
        bound: Option<Cost>,
        watch: &mut dyn Watch,
    ) -> (Option<Cost>, bool) {
        let options = Options { metric, bound, ..self.options.clone() };
        let instance = same_size::instance(board.clone(), goal);
        let Ok(report) = options.solve_with(&instance, &mut self.tables, watch) else {
            return (None, true);
        };
        match report.answer {
            Answer::Solved(_) if report.is_optimal() => (report.upper_bound(), true),
            Answer::Stopped(npuzzle_core::search::Limit::Bound) => (report.lower_bound, true),
            Answer::Stopped(npuzzle_core::search::Limit::Interrupted) => (None, false),
            _ => (None, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_agree_with_tables_and_bounds() {
        let goal: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0".parse().unwrap();
        let board: Board = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse().unwrap();
        let mut distances = ExactDistances::new(Tables::new(), 1_000_000);
        let mut within = |max| distances.is_within(&board, &goal, Metric::Stm, max, &mut ());
        assert_eq!([within(42), within(43)], [Some(false), Some(true)]);
        assert_eq!(distances.distance(&board, &goal, Metric::Stm, &mut ()), Some(43));
        let mut few = ExactDistances::new(Tables::new(), 10);
        assert_eq!(few.distance(&board, &goal, Metric::Stm, &mut ()), None);
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        assert_eq!(few.distance(&board, &goal, Metric::Stm, &mut ()), Some(31));
        assert_eq!(few.is_within(&board, &goal, Metric::Stm, 30, &mut ()), Some(false));
    }
}
