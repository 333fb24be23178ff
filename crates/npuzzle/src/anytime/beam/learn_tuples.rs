//! Learns the weights of the n-tuple network from the beams that it guides; makes `data/tuples.bin`.
//!
//! 1. Beams solve random boards, in either direction. In some layers, the board on the solution and random boards of
//!    the layer form a *group*.
//! 2. The board on the solution should have the smallest key of its group. The loss is the cross entropy of the softmax
//!    of the negative keys. The other terms of the key stay as they are: the network learns what they lack.
//! 3. Every group is used once, so that the network does not memorize boards. The next round solves other boards with
//!    the new weights.
//!
//! Steps become smaller for weights that have moved far (AdaGrad). The same seed yields the same weights, on any number
//! of threads.

use std::ops::ControlFlow;

use npuzzle_core::{Board, Random};
use npuzzle_tables::files;
use npuzzle_tables::parallel::{for_each_job, n_cores};

use super::evaluation::Evaluator;
use super::learn::{SCALE, TrainingNode, goal, max_layers, random_below, random_board, solve};
use super::tuple_term::{Tuple, TupleTerm};
use super::tuple_weights::{BLOCK, LINE, TupleSlots, TupleWeights};
use super::weights::Weights;

/// One stage of training: rounds on boards of one size.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TupleStage {
    /// The number of rows and of columns of the boards.
    pub side: usize,
    /// The number of boards per round.
    pub n_boards: usize,
    /// The number of rounds.
    pub n_rounds: usize,
    /// The width of the beams.
    pub width: usize,
    /// The initial learning rate, which decreases to a tenth in the last round.
    pub rate: f32,
}

/// The stages, each of which yields one set of weights of the file. A stage starts with the weights of the one before.
pub const TUPLE_STAGES: [TupleStage; 1] =
    [TupleStage { side: 6, n_boards: 300, n_rounds: 14, width: 500, rate: 0.06 }];

/// The result of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TupleRound {
    /// The stage.
    pub stage: TupleStage,
    /// The number of rounds of the stage so far.
    pub n_done: usize,
    /// The number of boards solved.
    pub n_solved: usize,
    /// The mean length of their solutions.
    pub mean: f64,
    /// The mean loss of a group, before the weights were adjusted to it.
    pub loss: f64,
}

/// The number of boards of a layer that the one on the solution is compared with.
const N_RIVALS: usize = 31;

/// One layer in this many yields a group. Neighboring layers have similar boards.
const LAYERS_PER_GROUP: usize = 3;

/// Layers before this one have too few boards.
const FIRST_LAYER: usize = 8;

/// The initial sum of squared gradients (AdaGrad).
const INITIAL_SQUARES: f32 = 1.0;

/// The beginning of a checkpoint.
const TITLE: &[u8] = b"npuzzle tuple learner 1\n";

/// Weights in training.
#[derive(Clone, PartialEq, Debug)]
pub struct TupleLearner {
    seed: u64,
    /// The number of rounds of all stages so far.
    n_rounds: u64,
    /// The sets of weights of completed stages, as they are stored in the file.
    completed: Vec<u8>,
    weights: Vec<f32>,
    /// The sums of squared gradients of this stage.
    squares: Vec<f32>,
}

/// Boards of a layer: first the one on the solution.
struct Group {
    /// The slots of the tuples of each board.
    slots: Vec<Vec<u32>>,
    /// The keys without the network.
    keys: Vec<f32>,
}

impl TupleLearner {
    /// Weights of 0.
    pub fn new(seed: u64) -> TupleLearner {
        let n = TupleSlots::get().n;
        let (weights, squares) = (vec![0.0; n], vec![INITIAL_SQUARES; n]);
        TupleLearner { seed, n_rounds: 0, completed: Vec::new(), weights, squares }
    }

    /// The sets of weights of completed stages, as they are stored in the file: two bytes for each weight,
    /// little-endian.
    pub fn bytes(&self) -> &[u8] {
        &self.completed
    }

    /// The state of the training, from which [`resume`](TupleLearner::resume) continues.
    pub fn checkpoint(&self) -> Vec<u8> {
        let numbers = [self.seed, self.n_rounds, self.completed.len() as u64];
        let mut bytes = TITLE.to_vec();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(&self.completed);
        bytes
            .extend(self.weights.iter().chain(&self.squares).flat_map(|value| value.to_le_bytes()));
        bytes.extend(files::checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The learner of a checkpoint; `None` if these bytes are not a complete one.
    pub fn resume(bytes: &[u8]) -> Option<TupleLearner> {
        let (bytes, checksum) = bytes.split_last_chunk::<8>()?;
        if u64::from_le_bytes(*checksum) != files::checksum(bytes) {
            return None;
        }
        let (head, rest) = bytes.strip_prefix(TITLE)?.split_at_checked(24)?;
        let number = |at: usize| Some(u64::from_le_bytes(head[8 * at..][..8].try_into().ok()?));
        let (completed, values) = rest.split_at_checked(number(2)? as usize)?;
        let value = |bytes: &[u8]| Some(f32::from_le_bytes(bytes.try_into().ok()?));
        let values: Vec<f32> = values.chunks_exact(4).map(value).collect::<Option<_>>()?;
        let (weights, squares) = values.split_at_checked(TupleSlots::get().n)?;
        (weights.len() == squares.len()).then_some(())?;
        Some(TupleLearner {
            seed: number(0)?,
            n_rounds: number(1)?,
            completed: completed.to_vec(),
            weights: weights.to_vec(),
            squares: squares.to_vec(),
        })
    }

    /// Runs the next round of these stages; `None` if all are complete.
    pub fn run_round(&mut self, stages: &[TupleStage]) -> Option<TupleRound> {
        let mut round = self.n_rounds as usize;
        let stage = stages.iter().find(|stage| {
            let is_this = round < stage.n_rounds;
            round -= if is_this { 0 } else { stage.n_rounds };
            is_this
        });
        let (stage, goal) = (*stage?, goal(stage?.side)?);
        // The weights are leaked: there are few sets, and the program ends soon.
        let weights: &'static TupleWeights = Box::leak(Box::new(TupleWeights::new(&self.values())));
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(self.n_rounds);
        let solved = solve_boards(&goal, stage, weights, seed);
        let lengths = solved.iter().flatten().map(|(length, _)| *length);
        let (n_solved, sum) = (lengths.clone().count(), lengths.sum::<usize>());
        let mut groups: Vec<Group> =
            solved.into_iter().flatten().flat_map(|(_, groups)| groups).collect();
        // Consecutive groups of one solution would teach the network that solution.
        let mut random = Random::new(seed);
        for last in (1..groups.len()).rev() {
            groups.swap(last, random_below(&mut random, last + 1));
        }
        let progress = round as f32 / stage.n_rounds.max(2) as f32;
        let rate = stage.rate * (1.0 - 0.9 * progress);
        let loss: f64 = groups.iter().map(|group| f64::from(self.adjust(group, rate))).sum();
        self.n_rounds += 1;
        if round + 1 == stage.n_rounds {
            let values = self.values();
            self.completed.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            self.squares.fill(INITIAL_SQUARES);
        }
        Some(TupleRound {
            stage,
            n_done: round + 1,
            n_solved,
            mean: sum as f64 / n_solved.max(1) as f64,
            loss: loss / groups.len().max(1) as f64,
        })
    }

    fn values(&self) -> Vec<i16> {
        self.weights.iter().map(|weight| (weight * SCALE).round() as i16).collect()
    }

    /// Adjusts the weights to a group. Returns its loss before.
    fn adjust(&mut self, group: &Group, rate: f32) -> f32 {
        let key = |(slots, key): (&Vec<u32>, &f32)| {
            key + slots.iter().map(|&slot| self.weights[slot as usize]).sum::<f32>()
        };
        let keys: Vec<f32> = group.slots.iter().zip(&group.keys).map(key).collect();
        let smallest = keys.iter().copied().fold(f32::INFINITY, f32::min);
        let terms: Vec<f32> = keys.iter().map(|key| (smallest - key).exp()).collect();
        let sum: f32 = terms.iter().sum();
        for (at, (slots, term)) in group.slots.iter().zip(&terms).enumerate() {
            let gradient = f32::from(u8::from(at == 0)) - term / sum;
            for &slot in slots {
                let slot = slot as usize;
                self.squares[slot] += gradient * gradient;
                self.weights[slot] -= rate * gradient / self.squares[slot].sqrt();
            }
        }
        sum.ln() + keys[0] - smallest
    }
}

/// Solves random boards. Returns the length and the groups of each one that is solved.
fn solve_boards(
    goal: &Board,
    stage: TupleStage,
    weights: &'static TupleWeights,
    seed: u64,
) -> Vec<Option<(usize, Vec<Group>)>> {
    let mut solved: Vec<Option<(usize, Vec<Group>)>> = Vec::new();
    solved.resize_with(stage.n_boards, || None);
    let jobs = solved.iter_mut().enumerate();
    let ran = for_each_job(
        n_cores(),
        jobs,
        || ControlFlow::Continue(()),
        |(at, result), _| {
            let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(at as u64));
            let board = random_board(goal, &mut random);
            let (start, goal) =
                if random_below(&mut random, 2) == 0 { (&board, goal) } else { (goal, &board) };
            let evaluator = Evaluator::with_weights(goal, Weights::for_size(goal.dims().cells()))
                .with_tuples(weights);
            let max_layers = max_layers(goal.dims());
            let layers = solve(&evaluator, evaluator.labels(start), stage.width, max_layers);
            let solution = layers.zip(evaluator.tuples());
            *result = solution
                .map(|(layers, term)| (layers.len() - 1, groups(term, &layers, &mut random)));
        },
    );
    debug_assert!(ran.is_ok());
    solved
}

/// The groups of a solution.
fn groups(term: &TupleTerm, layers: &[Vec<TrainingNode>], random: &mut Random) -> Vec<Group> {
    let key_without_tuples =
        |node: &TrainingNode| (node.score.key - term.sum(&node.labels)) as f32 / SCALE;
    let mut groups = Vec::new();
    let mut at = 0;
    let offset = random_below(random, LAYERS_PER_GROUP);
    for (depth, layer) in layers.iter().enumerate().skip(FIRST_LAYER).rev() {
        let correct = &layer[at];
        at = correct.parent;
        if layer.len() <= N_RIVALS || depth % LAYERS_PER_GROUP != offset {
            continue;
        }
        let rivals = (0..N_RIVALS).map(|_| &layer[random_below(random, layer.len())]);
        let rivals = rivals.filter(|rival| rival.score.hash != correct.score.hash);
        let nodes: Vec<&TrainingNode> = std::iter::once(correct).chain(rivals).collect();
        groups.push(Group {
            slots: nodes.iter().map(|node| tuple_slots(term, &node.labels)).collect(),
            keys: nodes.iter().map(|node| key_without_tuples(node)).collect(),
        });
    }
    groups
}

/// The slots of all tuples of a board.
fn tuple_slots(term: &TupleTerm, labels: &[u8]) -> Vec<u32> {
    let slots = TupleSlots::get();
    let mut found = Vec::new();
    term.visit(labels, |tuple| {
        found.push(match tuple {
            Tuple::Block(block) => slots.blocks[BLOCK.index(block)],
            Tuple::Line(line) => slots.lines[LINE.index(line)],
        });
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: [TupleStage; 2] = [
        TupleStage { side: 4, n_boards: 40, n_rounds: 3, width: 100, rate: 0.1 },
        TupleStage { side: 5, n_boards: 2, n_rounds: 1, width: 100, rate: 0.1 },
    ];

    /// The loss on groups that are not used for training.
    fn loss_on_other_boards(learner: &TupleLearner) -> f32 {
        let untrained = TupleLearner::new(1).values();
        let weights: &'static TupleWeights = Box::leak(Box::new(TupleWeights::new(&untrained)));
        let solved = solve_boards(&goal(4).unwrap(), STAGES[0], weights, 77);
        let groups = solved.iter().flatten().flat_map(|(_, groups)| groups);
        groups.map(|group| learner.clone().adjust(group, 0.0)).sum()
    }

    #[test]
    fn training_reduces_the_loss_and_can_be_resumed() {
        let (mut learner, mut rounds) = (TupleLearner::new(1), Vec::new());
        while let Some(round) = learner.run_round(&STAGES) {
            rounds.push(round);
        }
        assert_eq!(rounds.iter().map(|it| it.n_done).collect::<Vec<_>>(), [1, 2, 3, 1]);
        let [before, after] = [&TupleLearner::new(1), &learner].map(loss_on_other_boards);
        assert!(after < before, "{after} not below {before}");
        assert_eq!(learner.bytes().len(), 2 * 2 * TupleSlots::get().n);
        let mut resumed = TupleLearner::new(1);
        for round in &rounds {
            assert_eq!(resumed.run_round(&STAGES).as_ref(), Some(round));
            resumed = TupleLearner::resume(&resumed.checkpoint()).unwrap();
        }
        assert_eq!(resumed, learner);
    }

    #[test]
    fn damaged_checkpoint_is_refused() {
        let whole = TupleLearner::new(1).checkpoint();
        assert!(TupleLearner::resume(&whole).is_some());
        for len in [0, 8, 40, whole.len() - 9, whole.len() - 1] {
            assert!(TupleLearner::resume(&whole[..len]).is_none(), "{len}");
        }
        let mut changed = whole;
        changed[100] ^= 1;
        assert!(TupleLearner::resume(&changed).is_none());
    }

    #[test]
    fn key_is_the_sum_of_tuple_weights() {
        let goal = goal(6).unwrap();
        let weights = Weights::for_size(36);
        let base = Evaluator::with_weights(&goal, weights);
        let mut random = Random::new(3);
        let values: Vec<i16> = (0..TupleSlots::get().n)
            .map(|_| random_below(&mut random, 2_000) as i16 - 1_000)
            .collect();
        let tuples: &'static TupleWeights = Box::leak(Box::new(TupleWeights::new(&values)));
        let evaluator = Evaluator::with_weights(&goal, weights).with_tuples(tuples);
        let term = TupleTerm::new(goal.dims(), usize::from(base.blank_label()), tuples);
        for _ in 0..20 {
            let labels = base.labels(&random_board(&goal, &mut random));
            let sum: i32 = tuple_slots(&term, &labels)
                .iter()
                .map(|&slot| i32::from(values[slot as usize]))
                .sum();
            assert_eq!(evaluator.score(&labels).key, base.score(&labels).key + sum);
        }
    }
}
