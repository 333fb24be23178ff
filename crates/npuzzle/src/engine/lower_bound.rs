//! What every solution costs at least, known without a search and without tables.
//!
//! Vertical and horizontal slides are bounded apart, each by the stronger of linear conflicts and
//! inversions, and add up. Moreover every vertical slide takes the blank to the row above or below, so
//! their number is even or odd as the blank's rows in start and goal are apart; with columns and
//! horizontal slides it is the same.
//!
//! A straight run is vertical or horizontal, and no longer than the board allows, which bounds runs of
//! either kind. In a solution of fewest runs the kinds alternate, two of a kind being one or none: so
//! there are almost as many of the other kind.
//!
//! Walking distance is no help on boards of more than 16 cells. A search over walks that was cut off at
//! 3,000 states, on random boards of 5×5 to 10×10, was above all these by less than half a slide on
//! average.

use npuzzle_core::heuristic::{Inversions, LinearConflict};
use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Instance, Metric, Slide};

/// What solutions of a board are measured by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    pub(crate) metric: Metric,
    /// No solution is shorter.
    pub(crate) least: Cost,
}

impl Measure {
    pub(crate) fn new(instance: &Instance, metric: Metric) -> Measure {
        Measure { metric, least: least(instance, metric) }
    }

    pub(crate) fn length(&self, path: &[Slide]) -> Cost {
        length(path, self.metric)
    }

    /// Whether nothing is shorter.
    pub(crate) fn is_least(&self, path: &[Slide]) -> bool {
        self.length(path) <= self.least
    }

    /// Tells that there is a solution of this length.
    pub(crate) fn tell(&self, length: Cost, watch: &mut dyn Watch) {
        watch.better(length, self.least);
    }
}

/// The length of a path.
pub(crate) fn length(path: &[Slide], metric: Metric) -> Cost {
    let length = match metric {
        Metric::Stm => path.len(),
        Metric::Mtm => path.chunk_by(|a, b| a == b).count(),
    };
    length as Cost
}

/// A bound of all solutions.
pub(crate) fn least(instance: &Instance, metric: Metric) -> Cost {
    let slides = least_by_axis(instance);
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

/// A bound of the vertical slides, and of the horizontal ones.
fn least_by_axis(instance: &Instance) -> [Cost; 2] {
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
    fn no_solution_is_shorter() {
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
                    let least = least(&instance, metric);
                    assert!(Some(least) <= distance, "{least} of {distance:?}: {instance:?}");
                }
            }
        }
    }

    #[test]
    fn it_is_no_weaker_than_what_it_is_made_of() {
        let mut random = Random::new(9);
        let mut n_stronger = 0;
        for size in ["4x4", "5x9", "2x12", "20x3", "31x31"] {
            let goal = Goal::Snail.board(dims(size)).unwrap();
            let start = random.walk(&goal, 5_000);
            let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
            let problem = Sliding::<Board>::new(&instance).unwrap();
            let conflicts = h_start(&problem, &LinearConflict::new(&goal));
            let inversions = h_start(&problem, &Inversions::new(&goal));
            let least = least(&instance, Metric::Stm);
            assert!(least >= conflicts.max(inversions), "{size}");
            n_stronger += usize::from(least > conflicts);
        }
        assert!(n_stronger > 0, "boards of two rows have many inversions");
    }
}
