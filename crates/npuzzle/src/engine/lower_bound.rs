//! A lower bound on the length of every solution, without a search and without tables.
//!
//! Vertical and horizontal slides are bounded separately, each by the larger of linear conflict and inversion
//! distance, and the bounds add up. Moreover every vertical slide moves the blank to an adjacent row, so the
//! parity of their number is the parity of the distance between the blank's rows in start and goal; the same
//! holds for horizontal slides and columns.
//!
//! A straight run is vertical or horizontal and no longer than the board, which bounds the runs of each
//! axis. In a solution with the fewest runs the axes alternate, because two consecutive runs on one axis
//! are one run or none: the numbers of runs on both axes differ by at most one.
//!
//! Walking distance does not help on boards of more than 16 cells. A search over walks that was stopped at
//! 3,000 states, on random boards of 5×5 to 10×10, exceeded this bound by less than half a slide on
//! average.

use npuzzle_core::heuristic::{Inversions, LinearConflict};
use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Instance, Metric, Slide};

/// The metric of solutions, and a lower bound on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Objective {
    pub(crate) metric: Metric,
    /// A lower bound on every solution.
    pub(crate) lower_bound: Cost,
}

impl Objective {
    pub(crate) fn new(instance: &Instance, metric: Metric) -> Objective {
        Objective { metric, lower_bound: lower_bound(instance, metric) }
    }

    pub(crate) fn length(&self, path: &[Slide]) -> Cost {
        length(path, self.metric)
    }

    /// Whether a path is as short as the bound, so that none is shorter.
    pub(crate) fn is_optimal(&self, path: &[Slide]) -> bool {
        self.length(path) <= self.lower_bound
    }

    /// Reports a solution of this length to the watch.
    pub(crate) fn report(&self, length: Cost, watch: &mut dyn Watch) {
        watch.improved(length, self.lower_bound);
    }
}

/// The length of a path in a metric.
pub(crate) fn length(path: &[Slide], metric: Metric) -> Cost {
    let length = match metric {
        Metric::Stm => path.len(),
        Metric::Mtm => path.chunk_by(|a, b| a == b).count(),
    };
    length as Cost
}

/// A lower bound on every solution.
pub(crate) fn lower_bound(instance: &Instance, metric: Metric) -> Cost {
    let slides = slides_by_axis(instance);
    match metric {
        Metric::Stm => slides.iter().sum(),
        Metric::Mtm => {
            let dims = instance.dims();
            let longest = [dims.rows(), dims.cols()].map(|n_cells| n_cells as Cost - 1);
            let [a, b] = [0, 1].map(|axis| slides[axis].div_ceil(longest[axis]));
            (a + b).max((2 * a.max(b)).saturating_sub(1))
        }
    }
}

/// Lower bounds on the vertical and on the horizontal slides.
fn slides_by_axis(instance: &Instance) -> [Cost; 2] {
    let (dims, start, goal) = (instance.dims(), instance.start(), instance.goal());
    let conflicts = LinearConflict::new(goal).by_axis(start);
    let inversions = Inversions::new(goal).by_axis(start);
    let (from, to) = (start.blank(), goal.blank());
    let apart = [dims.row(from).abs_diff(dims.row(to)), dims.col(from).abs_diff(dims.col(to))];
    [0, 1].map(|axis| {
        let least = conflicts[axis].max(inversions[axis]);
        least + (least + apart[axis] as Cost) % 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::textbook::h_start;
    use crate::tables::full::FullTable;
    use npuzzle_core::{Board, Goal, Sliding};
    use npuzzle_testkit::random::Random;
    use npuzzle_testkit::{NAMED_GOALS, dims};

    #[test]
    fn bound_is_admissible() {
        let mut random = Random::new(8);
        for (size, n_boards) in [("2x2", 40), ("2x5", 300), ("3x3", 1_000), ("5x2", 300)] {
            for (metric, goal) in Metric::ALL.into_iter().flat_map(|m| NAMED_GOALS.map(|g| (m, g)))
            {
                let goal = Goal::board(&goal, dims(size)).unwrap();
                let table = FullTable::build(&goal, metric).unwrap();
                for _ in 0..n_boards {
                    let start = random.walk(&goal, 200);
                    let distance = table.path(&start).map(|path| length(&path, metric));
                    let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
                    let least = lower_bound(&instance, metric);
                    assert!(Some(least) <= distance, "{least} of {distance:?}: {instance:?}");
                }
            }
        }
    }

    #[test]
    fn bound_is_at_least_each_of_its_parts() {
        let mut random = Random::new(9);
        let mut n_stronger = 0;
        for size in ["4x4", "5x9", "2x12", "20x3", "31x31"] {
            let goal = Goal::Snail.board(dims(size)).unwrap();
            let start = random.walk(&goal, 5_000);
            let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
            let problem = Sliding::<Board>::new(&instance).unwrap();
            let conflicts = h_start(&problem, &LinearConflict::new(&goal));
            let inversions = h_start(&problem, &Inversions::new(&goal));
            let least = lower_bound(&instance, Metric::Stm);
            assert!(least >= conflicts.max(inversions), "{size}");
            n_stronger += usize::from(least > conflicts);
        }
        assert!(n_stronger > 0, "boards of two rows have many inversions");
    }
}
