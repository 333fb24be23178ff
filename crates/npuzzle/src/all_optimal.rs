//! All optimal solutions of a board: their number, and some of them.
//!
//! The length of an optimal solution is known when the count starts. [`count`] then chooses a method, by
//! the best lower bound available for the board:
//!
//! | lower bound | method |
//! |---|---|
//! | a table of all distances | [layer by layer](layers) |
//! | tables of straight runs (multi-tile metric) | [depth-first search with memoization](memo_dfs) |
//! | additive pattern databases (single-tile metric) | layer by layer |
//! | linear conflict | layer by layer |

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
use npuzzle_core::{Arrangement, Board, Dims, Instance, Metric, Moves, Packed, Slide};

use crate::engine::mtm;
use crate::options::Options;
use crate::plan::table_pays;
use crate::tables::cache::Tables;
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;

use layers::LayeredCount;
use limits::ResourceMeter;
use lower_bound::{ConflictBound, FullTableBound, LowerBound, PdbBound};
use mtm_paths::count_mtm_paths;
use packed128::Packed128;

/// All optimal solutions of a board, in the metric of its report: their number, and some of them.
///
/// ```
/// use npuzzle::search::Count;
/// use npuzzle::Options;
/// let report = Options::default().with_all(5).solve(&"1 2 3/4 0 5/7 8 6".parse()?)?;
/// let optimal_solutions = report.optimal_solutions.expect("the options request them");
/// assert_eq!((optimal_solutions.count, optimal_solutions.listed.len()), (Count::Exactly(1), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OptimalSolutions {
    /// The number of solutions. Two solutions are different if their slides are.
    pub count: Count,
    /// At most as many of them as requested, each verified by replay. They are ordered by their slides:
    /// up, down, left, right, and short runs before long ones.
    pub listed: Vec<Moves>,
    /// The limit that was reached before all solutions were counted or listed. If the count is
    /// incomplete, only the solution known before the count is listed.
    pub stopped: Option<Limit>,
}

impl OptimalSolutions {
    /// The result for an unsolvable board.
    pub(crate) fn none() -> OptimalSolutions {
        OptimalSolutions { count: Count::Exactly(0), listed: Vec::new(), stopped: None }
    }

    /// The result if a limit is reached before the solutions are counted.
    pub(crate) fn only(known: &Moves, max_listed: usize, limit: Limit) -> OptimalSolutions {
        let listed = std::iter::once(known.clone()).take(max_listed).collect();
        OptimalSolutions { count: Count::AtLeast(1), listed, stopped: Some(limit) }
    }

    /// Whether all solutions are listed.
    pub fn is_complete(&self) -> bool {
        self.count == Count::Exactly(self.listed.len() as u128)
    }
}

/// A number of solutions.
///
/// ```
/// use npuzzle::search::Count;
/// assert_eq!([Count::Exactly(12), Count::AtLeast(1)].map(|n| n.to_string()), ["12", "at least 1"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The exact number.
    Exactly(u128),
    /// A lower bound: a limit was reached, or the number exceeds `u128::MAX`.
    AtLeast(u128),
}

impl Count {
    /// The count that a saturating sum stands for.
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

/// The parameters of a count.
pub(crate) struct CountRequest<'a> {
    pub(crate) instance: &'a Instance,
    /// The length of an optimal solution in the metric of the options.
    pub(crate) length: Cost,
    /// The maximum number of solutions to list.
    pub(crate) max_listed: usize,
    pub(crate) options: &'a Options,
    /// The statistics of the search before the count; its nodes count against the limit.
    pub(crate) stats: Stats,
}

/// The result of a count.
#[derive(Debug)]
pub(crate) struct PathCount {
    /// The number of solutions; it saturates at `u128::MAX`.
    pub(crate) count: u128,
    pub(crate) listed: Vec<Vec<Slide>>,
    /// The limit that was reached before all requested solutions were listed.
    pub(crate) stopped: Option<Limit>,
}

/// Counts all optimal solutions with the best lower bound available for the board. Fails if a limit is
/// reached before they are counted.
pub(crate) fn count(
    request: &CountRequest<'_>,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<PathCount, Limit> {
    let CountRequest { instance, options, .. } = request;
    let (goal, metric) = (instance.goal(), options.metric);
    let cells = instance.dims().cells();
    let has_table = cells <= FullTable::MAX_CELLS
        && table_pays(cells, tables.availability(goal, metric)).is_some();
    if has_table {
        match tables.full_within(goal, metric, options, watch) {
            Ok(Some(table)) => {
                return count_by_layers::<Packed>(request, FullTableBound::new(table), watch);
            }
            // A weaker bound that needs less memory yields the same count.
            Ok(None) | Err(Limit::Memory) => {}
            Err(limit) => return Err(limit),
        }
    }
    if metric == Metric::Mtm
        && let Some(mtm_tables) = mtm::tables_within(goal, options, tables, watch)?
        && let Some(form) = CanonicalForm::new(goal)
    {
        return count_mtm_paths(request, &form, &mtm_tables, watch);
    }
    let resources = options.resources();
    let patterns = match metric {
        Metric::Stm => match tables.small_pdb(goal, &resources, watch) {
            Err(Limit::Memory) => None,
            patterns => patterns?,
        },
        Metric::Mtm => None,
    };
    // Embedded tables are not built, but they are decompressed.
    match patterns.as_ref().filter(|patterns| resources.has_memory(patterns.n_bytes())) {
        Some(patterns) if cells <= Packed::MAX_CELLS => {
            count_by_layers::<Packed>(request, PdbBound::new(patterns), watch)
        }
        Some(patterns) => count_by_layers::<Packed128>(request, PdbBound::new(patterns), watch),
        None => count_without_tables(request, watch),
    }
}

/// Counts with linear conflict, which needs no tables and works for boards of every size.
fn count_without_tables(
    request: &CountRequest<'_>,
    watch: &mut dyn Watch,
) -> Result<PathCount, Limit> {
    let bound = ConflictBound::new(request.instance.goal(), request.options.metric);
    let cells = request.instance.dims().cells();
    if cells <= Packed::MAX_CELLS {
        count_by_layers::<Packed>(request, bound, watch)
    } else if cells <= Packed128::MAX_CELLS {
        count_by_layers::<Packed128>(request, bound, watch)
    } else {
        count_by_layers::<Board>(request, bound, watch)
    }
}

fn count_by_layers<A: Arrangement + Ord>(
    request: &CountRequest<'_>,
    bound: impl LowerBound<A>,
    watch: &mut dyn Watch,
) -> Result<PathCount, Limit> {
    let instance = request.instance;
    let ends = A::from_board(instance.start()).zip(A::from_board(instance.goal()));
    let Some((start, goal)) = ends else { unreachable!("the caller checks the size of the board") };
    let meter = ResourceMeter::new(request, bound.n_table_bytes(), watch);
    LayeredCount::new(request, bound, meter).run(start, goal)
}

/// The number of slides in the longest move of a metric.
fn max_slides_per_move(dims: Dims, metric: Metric) -> usize {
    match metric {
        Metric::Stm => 1,
        Metric::Mtm => dims.rows().max(dims.cols()) - 1,
    }
}
