//! Single beams with a chosen evaluation, to measure what each part of the search gains.

use npuzzle_core::search::Stats;
use npuzzle_core::{Board, Instance, Metric};

use super::evaluation::Evaluator;
use super::learn::max_layers;
use super::weights::Weights;
use super::{SearchDirection, SingleBeam};

/// The evaluation of a beam.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeamEvaluation {
    /// Distances, conflicts and pairs of neighbors.
    Neighbors,
    /// Distances, conflicts and the n-tuple network.
    Network,
}

impl BeamEvaluation {
    /// All evaluations, from simple to complex.
    pub const ALL: [BeamEvaluation; 2] = [BeamEvaluation::Neighbors, BeamEvaluation::Network];

    fn evaluator(self, goal: &Board) -> Evaluator {
        match self {
            BeamEvaluation::Neighbors => {
                Evaluator::with_weights(goal, Weights::for_size(goal.dims().cells()))
            }
            BeamEvaluation::Network => Evaluator::new(goal),
        }
    }
}

/// The length of the solution that one beam finds, or the shorter one of two beams in both directions; `None` if every
/// beam misses the goal. Also returns the number of boards expanded.
pub fn beam_length(
    instance: &Instance,
    evaluation: BeamEvaluation,
    width: usize,
    has_both_directions: bool,
    n_threads: usize,
) -> (Option<usize>, u64) {
    let direction = |is_backward: bool| {
        let (start, goal) = match is_backward {
            true => (instance.goal(), instance.start()),
            false => (instance.start(), instance.goal()),
        };
        let evaluator = evaluation.evaluator(goal);
        SearchDirection { start: evaluator.labels(start), evaluator, is_backward }
    };
    let beam = SingleBeam {
        width,
        slide_limit: max_layers(instance.dims()),
        n_threads,
        max_expanded: None,
        metric: Metric::Stm,
    };
    let directions = if has_both_directions { &[false, true][..] } else { &[false] };
    let mut stats = Stats::default();
    let lengths = directions.iter().filter_map(|&is_backward| {
        let path = beam.run(&direction(is_backward), &mut stats, &mut ()).ok()??;
        Some(path.len())
    });
    let shortest = lengths.min();
    (shortest, stats.expanded)
}
