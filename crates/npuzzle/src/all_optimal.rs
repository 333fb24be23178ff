//! All shortest solutions of a board: how many there are, and some of them.

mod layers;
mod limits;
mod lower_bound;
mod memo_dfs;
mod mtm_paths;
mod packed128;
#[cfg(test)]
mod tests;

use std::fmt;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Arrangement, Board, Instance, Metric, Moves, Packed, Slide};

use crate::engine::mtm;
use crate::options::Options;
use crate::plan::table_pays;
use crate::tables::cache::Tables;
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;
use mtm_paths::count_run_paths;

use layers::Layered;
use lower_bound::{Bound, ByPatterns, Exact, Weak};

pub(crate) use memo_dfs::{Key, Step, Task, Walk, deep};

use limits::Meter;
use packed128::Wide;

/// All shortest solutions of a board, in the metric of its report: how many there are, and some of
/// them.
///
/// ```
/// use npuzzle::search::Count;
/// use npuzzle::Options;
/// let report = Options::default().with_all(5).solve(&"1 2 3/4 0 5/7 8 6".parse()?)?;
/// let optimal_solutions = report.optimal_solutions.expect("they were asked for");
/// assert_eq!((optimal_solutions.count, optimal_solutions.listed.len()), (Count::Exactly(1), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OptimalSolutions {
    /// How many there are. Two solutions differ if their slides do.
    pub count: Count,
    /// As many of them as were asked for, replayed like every solution; in the order of their
    /// slides: up before down before left before right, short runs before long ones.
    pub listed: Vec<Moves>,
    /// The limit that was reached before they were counted, or before so many were listed. If it was
    /// before they were counted, the one that is known is listed.
    pub stopped: Option<Limit>,
}

impl OptimalSolutions {
    /// Those of a board that has none.
    pub(crate) fn none() -> OptimalSolutions {
        OptimalSolutions { count: Count::Exactly(0), listed: Vec::new(), stopped: None }
    }

    /// What is known if a limit is reached before they are counted.
    pub(crate) fn only(known: &Moves, most: usize, limit: Limit) -> OptimalSolutions {
        let listed = std::iter::once(known.clone()).take(most).collect();
        OptimalSolutions { count: Count::AtLeast(1), listed, stopped: Some(limit) }
    }

    /// Whether all of them are listed.
    pub fn is_complete(&self) -> bool {
        self.count == Count::Exactly(self.listed.len() as u128)
    }
}

/// How many solutions there are.
///
/// ```
/// use npuzzle::search::Count;
/// assert_eq!([Count::Exactly(12), Count::AtLeast(1)].map(|n| n.to_string()), ["12", "at least 1"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Exactly(u128),
    /// So many or more: a limit was reached, or there are more than the largest number.
    AtLeast(u128),
}

impl Count {
    /// From a sum that stops at the largest number.
    pub(crate) fn of(sum: u128) -> Count {
        if sum == u128::MAX { Count::AtLeast(sum) } else { Count::Exactly(sum) }
    }
}

/// `12`, `at least 1`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Exactly(n) => n.fmt(f),
            Count::AtLeast(n) => write!(f, "at least {n}"),
        }
    }
}

/// What is asked of the count.
pub(crate) struct Question<'a> {
    pub(crate) instance: &'a Instance,
    /// The length of a shortest solution in the options' metric.
    pub(crate) length: Cost,
    /// How many to list.
    pub(crate) most: usize,
    pub(crate) options: &'a Options,
    /// What the search has counted so far.
    pub(crate) stats: Stats,
}

/// What came of it; a limit may have been reached before they were counted, or before all that were
/// asked for were listed.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) count: u128,
    pub(crate) listed: Vec<Vec<Slide>>,
    pub(crate) stopped: Option<Limit>,
}

/// Counts all shortest solutions, guided by the best bound for the board.
pub(crate) fn count(
    question: &Question<'_>,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Counted, Limit> {
    let Question { instance, options, .. } = question;
    let (goal, metric) = (instance.goal(), options.metric);
    let cells = instance.dims().cells();
    let has_table = cells <= FullTable::MAX_CELLS
        && table_pays(cells, tables.availability(goal, metric)).is_some();
    if has_table {
        match tables.full_within(goal, metric, options, watch) {
            Ok(Some(table)) => return by_layers::<Packed>(question, Exact::new(table), watch),
            // A bound that takes less memory leads to the same number.
            Ok(None) | Err(Limit::Memory) => {}
            Err(limit) => return Err(limit),
        }
    }
    if metric == Metric::Mtm
        && let Some(runs) = mtm::tables_within(goal, options, tables, watch)?
        && let Some(frame) = CanonicalForm::new(goal)
    {
        return count_run_paths(instance.start(), &frame, &runs, task(question, watch));
    }
    let patterns = match metric {
        Metric::Stm => match tables.best_patterns(goal, &options.resources(), watch) {
            Err(Limit::Memory) => None,
            patterns => patterns?,
        },
        Metric::Mtm => None,
    };
    match &patterns {
        Some(patterns) if cells <= Packed::MAX_CELLS => {
            by_layers::<Packed>(question, ByPatterns::new(patterns), watch)
        }
        Some(patterns) => by_layers::<Wide>(question, ByPatterns::new(patterns), watch),
        None => by_weak_bound(question, watch),
    }
}

/// What is asked of an engine that counts by its own steps.
fn task<'a>(question: &Question<'_>, watch: &'a mut dyn Watch) -> Task<'a> {
    let budget = question.options.budget();
    Task {
        length: question.length,
        most: question.most,
        most_bytes: budget.bytes,
        meter: Meter::new(question.stats, budget, watch),
    }
}

/// With nothing but a bound that every board has.
fn by_weak_bound(question: &Question<'_>, watch: &mut dyn Watch) -> Result<Counted, Limit> {
    let bound = Weak::new(question.instance.goal(), question.options.metric);
    let cells = question.instance.dims().cells();
    if cells <= Packed::MAX_CELLS {
        by_layers::<Packed>(question, bound, watch)
    } else if cells <= Wide::MAX_CELLS {
        by_layers::<Wide>(question, bound, watch)
    } else {
        by_layers::<Board>(question, bound, watch)
    }
}

fn by_layers<A: Arrangement + Ord>(
    question: &Question<'_>,
    bound: impl Bound<A>,
    watch: &mut dyn Watch,
) -> Result<Counted, Limit> {
    let Question { instance, options, .. } = question;
    let ends = A::from_board(instance.start()).zip(A::from_board(instance.goal()));
    let Some((start, goal)) = ends else { unreachable!("boards are sorted by size above") };
    let meter = Meter::new(question.stats, options.budget(), watch);
    let layered = Layered::new(instance.dims(), options.metric, bound, meter);
    layered.run(start, goal, question.length, question.most)
}
