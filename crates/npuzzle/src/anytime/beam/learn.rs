//! Learns the weights of the beam's evaluation from the beams that it guides; makes `data/beam.bin`.
//!
//! 1. A beam solves random boards. In each layer, the board on the solution should have ranked before
//!    the other boards of the layer. Each such pair of boards is a training example.
//! 2. The key is a sum of weights, one for each *feature* of a board: the distances of a tile, a pair of
//!    neighbors, a conflict. So an example is a sparse vector, the difference of the feature counts of
//!    two boards, and logistic regression adjusts the weights until the weighted sum is negative. Steps
//!    become smaller for weights that have moved far (AdaGrad). The result of a round is the mean of
//!    the weights over its second half.
//! 3. The next round uses beams with the new weights.
//!
//! The beam in this file is a simple one: it keeps all layers, because the examples are drawn from
//! them afterwards. The same seed yields the same weights.

use std::collections::HashSet;

use npuzzle_core::{Board, Dims, Goal, Instance, Random, Slide};

use super::evaluation::{Evaluator, Score};
use super::weights::{
    DisplacementClass, N_CONFLICTS, N_COSTS, N_DISTANCES, WeightSlots, Weights, cost_slot,
};

/// One stage of training: rounds on boards of one size.
#[derive(Clone, Copy, Debug)]
pub struct TrainingStage {
    /// The number of rows and of columns of the boards.
    pub side: usize,
    /// The number of boards per round.
    pub n_boards: usize,
    /// The number of rounds.
    pub n_rounds: usize,
    /// The width of the beams.
    pub width: usize,
    /// The number of times that each example is used.
    pub n_epochs: usize,
    /// The initial learning rate.
    pub rate: f32,
}

/// The stages, each of which yields one set of weights of the file. A stage starts with the weights of
/// the one before.
pub const TRAINING_STAGES: [TrainingStage; 3] = [
    TrainingStage { side: 6, n_boards: 200, n_rounds: 5, width: 2_000, n_epochs: 5, rate: 0.05 },
    TrainingStage { side: 8, n_boards: 60, n_rounds: 6, width: 2_000, n_epochs: 3, rate: 0.03 },
    TrainingStage { side: 10, n_boards: 30, n_rounds: 8, width: 1_000, n_epochs: 3, rate: 0.02 },
];

/// The factor between learned weights and the integers of the file.
pub(super) const SCALE: f32 = 64.0;

/// The number of boards of a layer that the one on the solution is compared with.
const N_COMPARED: usize = 12;

/// Layers before this one have too few boards.
const FIRST_LAYER: usize = 5;

/// The initial sum of squared gradients (AdaGrad).
const INITIAL_SQUARES: f32 = 1e-2;

/// The result of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RoundStats {
    /// The number of boards solved.
    pub n_solved: usize,
    /// The mean length of their solutions.
    pub mean: f64,
    /// The mean loss over the examples, before the weights were adjusted to them.
    pub loss: f64,
}

/// Weights in training.
#[derive(Clone, Debug)]
pub struct Learner {
    weights: Vec<f32>,
    random: Random,
}

/// The differences between the feature counts of two boards: pairs of slot and difference.
type Example = Vec<(u32, f32)>;

impl Learner {
    /// The initial weights: a power of the distance, the same weight for all conflicts, 0 for pairs of
    /// neighbors.
    pub fn new(seed: u64) -> Learner {
        let mut weights = vec![0.0; WeightSlots::new().n];
        for longer in 0..N_DISTANCES {
            for shorter in 0..=longer {
                weights[cost_slot(longer, shorter)] = 0.15 * ((longer + shorter) as f32).powf(1.6);
            }
        }
        weights[N_COSTS..N_COSTS + N_CONFLICTS].fill(0.45);
        Learner { weights, random: Random::new(seed) }
    }

    /// The weights as they are stored in the file: two bytes each, little-endian.
    pub fn bytes(&self) -> Vec<u8> {
        self.values().iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn values(&self) -> Vec<i16> {
        self.weights.iter().map(|weight| (weight * SCALE).round() as i16).collect()
    }

    /// An evaluator with the current weights, which are leaked: there are few, and the program ends soon.
    fn evaluator(&self, goal: &Board) -> Evaluator {
        let weights = Weights::new(&self.values(), &WeightSlots::new());
        Evaluator::with_weights(goal, Box::leak(Box::new(weights)))
    }

    /// Runs a stage, and reports each round.
    pub fn learn(&mut self, stage: TrainingStage, report: &mut dyn FnMut(RoundStats)) {
        let Some(goal) = goal(stage.side) else { return };
        for _ in 0..stage.n_rounds {
            let evaluator = self.evaluator(&goal);
            let (mut lengths, mut examples) = (Vec::new(), Vec::new());
            for _ in 0..stage.n_boards {
                let start = evaluator.labels(&random_board(&goal, &mut self.random));
                let max_layers = max_layers(goal.dims());
                if let Some(layers) = solve(&evaluator, start, stage.width, max_layers) {
                    lengths.push(layers.len() - 1);
                    examples.extend(self.examples(goal.dims(), &evaluator, &layers));
                }
            }
            let (n_solved, sum) = (lengths.len(), lengths.iter().sum::<usize>());
            let loss = self.loss(&examples);
            report(RoundStats { n_solved, mean: sum as f64 / n_solved.max(1) as f64, loss });
            self.descend(&mut examples, stage);
            self.extrapolate(stage.side);
        }
    }

    /// The boards on the solution, each compared with random boards of its layer.
    fn examples(
        &mut self,
        dims: Dims,
        evaluator: &Evaluator,
        layers: &[Vec<TrainingNode>],
    ) -> Vec<Example> {
        let slots = WeightSlots::new();
        let mut examples = Vec::new();
        let mut at = 0;
        for layer in layers[FIRST_LAYER.min(layers.len())..].iter().rev() {
            let correct = &layer[at];
            let features =
                |node: &TrainingNode| features(dims, evaluator.blank_label(), &node.labels, &slots);
            let correct_features = features(correct);
            for _ in 0..N_COMPARED {
                let other = &layer[random_below(&mut self.random, layer.len())];
                if other.score.hash != correct.score.hash {
                    examples.push(difference(&correct_features, &features(other)));
                }
            }
            at = correct.parent;
        }
        examples
    }

    /// The key of the first board of an example minus that of the second; it should be negative.
    fn key_difference(&self, example: &Example) -> f32 {
        example.iter().map(|&(slot, n)| self.weights[slot as usize] * n).sum()
    }

    /// The mean logistic loss.
    fn loss(&self, examples: &[Example]) -> f64 {
        let loss = |example| f64::from(self.key_difference(example)).exp().ln_1p().min(100.0);
        examples.iter().map(loss).sum::<f64>() / examples.len().max(1) as f64
    }

    /// Minimizes the loss by stochastic gradient descent, with the examples in random order.
    fn descend(&mut self, examples: &mut [Example], stage: TrainingStage) {
        let mut squares = vec![INITIAL_SQUARES; self.weights.len()];
        let (mut sums, mut n_sums) = (vec![0.0; self.weights.len()], 0);
        let n_steps = examples.len() * stage.n_epochs;
        let mut n_done = 0;
        for _ in 0..stage.n_epochs {
            for last in (1..examples.len()).rev() {
                examples.swap(last, random_below(&mut self.random, last + 1));
            }
            for example in examples.iter() {
                let probability = 1.0 / (1.0 + (-self.key_difference(example)).exp());
                for &(slot, n) in example {
                    let (slot, gradient) = (slot as usize, probability * n);
                    squares[slot] += gradient * gradient;
                    self.weights[slot] -= stage.rate * gradient / squares[slot].sqrt();
                }
                n_done += 1;
                if 2 * n_done > n_steps && n_done % (n_steps / 200).max(1) == 0 {
                    sums.iter_mut().zip(&self.weights).for_each(|(sum, &weight)| *sum += weight);
                    n_sums += 1;
                }
            }
        }
        if n_sums > 0 {
            self.weights
                .iter_mut()
                .zip(&sums)
                .for_each(|(weight, sum)| *weight = sum / n_sums as f32);
        }
    }

    /// Extrapolates the weights to distances and gaps that do not occur on boards of this side.
    fn extrapolate(&mut self, side: usize) {
        let max = side - 1;
        let learned = |weights: &[f32], a: usize, b: usize| weights[cost_slot(a, b)];
        let slope = learned(&self.weights, max, 0) - learned(&self.weights, max - 1, 0);
        for longer in side..N_DISTANCES {
            for shorter in 0..=longer {
                let clamped = shorter.min(max);
                let beyond = (longer - max + shorter - clamped) as f32;
                self.weights[cost_slot(longer, shorter)] =
                    learned(&self.weights, max, clamped) + beyond * slope;
            }
        }
        let last = self.weights[N_COSTS + max - 1];
        self.weights[N_COSTS + max..N_COSTS + N_CONFLICTS].fill(last);
    }
}

/// A random number below `n`.
pub(super) fn random_below(random: &mut Random, n: usize) -> usize {
    (random.bits() % n as u64) as usize
}

pub(super) fn goal(side: usize) -> Option<Board> {
    Goal::Last.board(Dims::new(side, side).ok()?)
}

/// The number of layers after which a beam is given up.
pub(super) fn max_layers(dims: Dims) -> usize {
    4 * dims.cells() * dims.rows().max(dims.cols())
}

/// A random solvable board.
pub(super) fn random_board(goal: &Board, random: &mut Random) -> Board {
    let mut tiles: Vec<u16> = (0..goal.dims().cells() as u16).collect();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random_below(random, last + 1));
    }
    let instance = Board::new(goal.dims(), &tiles).map(Instance::from);
    match instance {
        Ok(instance) if instance.is_solvable() => instance.start().clone(),
        Ok(instance) => instance.twin().start().clone(),
        Err(error) => unreachable!("a permutation of the tiles is a board: {error}"),
    }
}

/// A board of a layer.
pub(super) struct TrainingNode {
    pub(super) labels: Vec<u8>,
    blank: u8,
    pub(super) score: Score,
    /// The index of the parent in the layer before.
    pub(super) parent: usize,
}

/// The layers of a beam, of which the last contains only the goal; `None` if the beam misses the goal.
pub(super) fn solve(
    evaluator: &Evaluator,
    start: Vec<u8>,
    width: usize,
    max_layers: usize,
) -> Option<Vec<Vec<TrainingNode>>> {
    let goal: Vec<u8> = (0..start.len()).map(|cell| cell as u8).collect();
    let goal = evaluator.score(&goal).hash;
    let blank = start.iter().position(|&label| label == evaluator.blank_label())? as u8;
    let root = TrainingNode { score: evaluator.score(&start), labels: start, blank, parent: 0 };
    let mut layers = vec![vec![root]];
    while layers.len() <= max_layers {
        let layer = layers.last()?;
        let previous = layers.len().checked_sub(2).map(|at| &layers[at]);
        let mut seen: HashSet<u64> =
            previous.into_iter().flatten().map(|node| node.score.hash).collect();
        let mut children = Vec::new();
        for (parent, node) in layer.iter().enumerate() {
            for slide in 0..Slide::ALL.len() {
                let Some(from) = evaluator.source(node.blank, slide) else { continue };
                // This evaluator has no network.
                let score = evaluator.score_after(
                    node.score,
                    &node.labels,
                    None,
                    (slide, from),
                    node.blank,
                );
                if seen.insert(score.hash) {
                    children.push((score, parent, from));
                }
            }
        }
        children.sort_by_key(|&(score, ..)| (score.hash != goal, score.key, score.hash));
        let is_done = children.first()?.0.hash == goal;
        children.truncate(if is_done { 1 } else { width });
        let create = |(score, parent, from): (Score, usize, u8)| {
            let mut labels = layer[parent].labels.clone();
            labels.swap(usize::from(from), usize::from(layer[parent].blank));
            TrainingNode { labels, blank: from, score, parent }
        };
        let next = children.into_iter().map(create).collect();
        layers.push(next);
        if is_done {
            return Some(layers);
        }
    }
    None
}

/// The sorted slots of all features of a board; its key is the sum of their weights.
fn features(dims: Dims, blank_label: u8, labels: &[u8], slots: &WeightSlots) -> Vec<u32> {
    let cols = dims.cols();
    let position = |cell: usize| (cell / cols, cell % cols);
    let displacement = |at: usize| {
        let ((row, col), (goal_row, goal_col)) = (position(at), position(usize::from(labels[at])));
        (goal_col as isize - col as isize, goal_row as isize - row as isize)
    };
    let class = |at: usize, is_row: bool| match displacement(at) {
        _ if labels[at] == blank_label => DisplacementClass::BLANK,
        (right, down) if is_row => DisplacementClass::new(right, down),
        (right, down) => DisplacementClass::new(down, right),
    };
    let mut found = Vec::new();
    for at in 0..labels.len() {
        let (row, col) = position(at);
        if col + 1 < cols {
            found.push(slots.of_pair(class(at, true), class(at + 1, true)));
        }
        if row + 1 < dims.rows() {
            found.push(slots.of_pair(class(at, false), class(at + cols, false)));
        }
        let (right, down) = displacement(at);
        if labels[at] == blank_label {
            continue;
        }
        let (a, b) = (right.unsigned_abs(), down.unsigned_abs());
        found.push(cost_slot(a.max(b), a.min(b)));
        // Conflicts with tiles that come later in the goal line of this tile but belong before it.
        let belongs_before = |other: usize| {
            let label = labels[other];
            label != blank_label && label < labels[at]
        };
        let goal_position = |other: usize| position(usize::from(labels[other]));
        if down == 0 {
            let others = (at + 1..(row + 1) * cols)
                .filter(|&other| belongs_before(other) && goal_position(other).0 == row);
            found.extend(others.map(|other| conflict_slot(other - at)));
        }
        if right == 0 {
            let others = (at + cols..labels.len())
                .step_by(cols)
                .filter(|&other| belongs_before(other) && goal_position(other).1 == col);
            found.extend(others.map(|other| conflict_slot((other - at) / cols)));
        }
    }
    let mut found: Vec<u32> = found.into_iter().map(|slot| slot as u32).collect();
    found.sort_unstable();
    found
}

/// The slot of a conflict between tiles at this distance.
fn conflict_slot(gap: usize) -> usize {
    N_COSTS + gap - 1
}

/// The counts of the first list of features minus those of the second.
fn difference(a: &[u32], b: &[u32]) -> Example {
    let signed = a.iter().map(|&slot| (slot, 1.0)).chain(b.iter().map(|&slot| (slot, -1.0)));
    let mut all: Example = signed.collect();
    all.sort_by_key(|&(slot, _)| slot);
    let mut sums: Example = Vec::new();
    for (slot, n) in all {
        match sums.last_mut() {
            Some((last, sum)) if *last == slot => *sum += n,
            _ => sums.push((slot, n)),
        }
    }
    sums.retain(|&(_, n)| n != 0.0);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGE: TrainingStage =
        TrainingStage { side: 4, n_boards: 12, n_rounds: 2, width: 200, n_epochs: 4, rate: 0.05 };

    #[test]
    fn key_is_the_sum_of_feature_weights() {
        for side in [3, 4, 6, 10] {
            let goal = goal(side).unwrap();
            let (evaluator, slots) = (
                Evaluator::with_weights(&goal, Weights::for_size(goal.dims().cells())),
                WeightSlots::new(),
            );
            let mut random = Random::new(3);
            let weights = Weights::for_size(goal.dims().cells()).values(&slots);
            for _ in 0..20 {
                let labels = evaluator.labels(&random_board(&goal, &mut random));
                let features = features(goal.dims(), evaluator.blank_label(), &labels, &slots);
                let sum: i32 = features.iter().map(|&slot| weights[slot as usize]).sum();
                assert_eq!(sum, evaluator.score(&labels).key, "{labels:?}");
            }
        }
    }

    /// The total length of the solutions that narrow beams find on boards not used for training.
    fn total_length(learner: &Learner) -> usize {
        let goal = goal(STAGE.side).unwrap();
        let (evaluator, mut random) = (learner.evaluator(&goal), Random::new(77));
        let length = |_| {
            let start = evaluator.labels(&random_board(&goal, &mut random));
            let layers = solve(&evaluator, start, 20, 200);
            layers.map_or(200, |layers| layers.len() - 1)
        };
        (0..40).map(length).sum()
    }

    #[test]
    fn training_shortens_solutions_and_is_reproducible() {
        let untrained = Learner::new(1);
        let mut learner = untrained.clone();
        let mut rounds = Vec::new();
        learner.learn(STAGE, &mut |round| rounds.push(round));
        assert!(rounds.len() == 2 && rounds[1].loss < rounds[0].loss, "{rounds:?}");
        let [before, after] = [&untrained, &learner].map(total_length);
        assert!(after < before, "{after} not below {before}");
        let mut again = untrained.clone();
        again.learn(STAGE, &mut |_| {});
        assert_eq!(again.bytes(), learner.bytes());
    }
}
