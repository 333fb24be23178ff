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

use npuzzle_core::search::Stats;
use npuzzle_core::{Board, Random};
use npuzzle_tables::files;
use npuzzle_tables::parallel::{for_each_job, n_cores};

use super::beam_search::{BeamConfig, BeamEnd, BeamSearch};
use super::evaluation::Evaluator;
use super::learn::{SCALE, goal, random_below, random_board};
use super::tuple_weights::{TupleSlots, TupleWeights};
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
    /// The initial learning rate, which decreases linearly towards a tenth.
    pub rate: f32,
    /// The number of rounds after which the learning rate would be a tenth.
    pub schedule: usize,
}

/// The stages, each of which yields one set of weights of the file. A stage starts with the weights of the one before.
pub const TUPLE_STAGES: [TupleStage; 3] = [
    TupleStage { side: 6, n_boards: 1_000, n_rounds: 16, width: 500, rate: 0.12, schedule: 16 },
    TupleStage { side: 8, n_boards: 300, n_rounds: 8, width: 500, rate: 0.05, schedule: 8 },
    TupleStage { side: 10, n_boards: 200, n_rounds: 3, width: 300, rate: 0.05, schedule: 8 },
];

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
const LAYERS_PER_GROUP: usize = 6;

/// A beam without a better board in this many layers is given up.
const MAX_STALLED_LAYERS: usize = 200;

/// The initial sum of squared gradients (AdaGrad).
const INITIAL_SQUARES: f32 = 1.0;

/// The beginning of a checkpoint.
const TITLE: &[u8] = b"npuzzle tuple learner 2\n";

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

    /// The sets of weights of completed stages, as they are stored in the file: one byte for each weight.
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
        let progress = round as f32 / stage.schedule as f32;
        let rate = stage.rate * (1.0 - 0.9 * progress);
        let loss: f64 = groups.iter().map(|group| f64::from(self.adjust(group, rate))).sum();
        self.n_rounds += 1;
        if round + 1 == stage.n_rounds {
            let values = self.values();
            self.completed.extend(values.iter().map(|&value| value as u8));
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

    /// The weights as integers; too large ones are clamped.
    fn values(&self) -> Vec<i8> {
        self.weights.iter().map(|weight| (weight * SCALE).round() as i8).collect()
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
            let base = Weights::for_size(goal.dims().cells());
            let evaluator = Evaluator::with_tuples(goal, base, weights);
            let start = evaluator.labels(start);
            *result = match start.len() {
                0..=64 => solve_board::<64>(&evaluator, start, stage.width, &mut random),
                _ => solve_board::<{ Evaluator::MAX_CELLS }>(
                    &evaluator,
                    start,
                    stage.width,
                    &mut random,
                ),
            };
        },
    );
    debug_assert!(ran.is_ok());
    solved
}

/// Solves a board by a beam. Returns the length of the solution and the groups of some layers; `None` if the beam misses
/// the goal.
fn solve_board<const S: usize>(
    evaluator: &Evaluator,
    mut labels: Vec<u8>,
    width: usize,
    random: &mut Random,
) -> Option<(usize, Vec<Group>)> {
    let config = BeamConfig {
        evaluator,
        turn_cost: 0,
        n_threads: 1,
        slide_limit: usize::MAX,
        max_stalled_layers: MAX_STALLED_LAYERS,
        max_expanded: None,
        stats: &mut Stats::default(),
        watch: &mut (),
    };
    let mut beam = BeamSearch::<S>::new(&labels, config);
    let offset = random_below(random, LAYERS_PER_GROUP);
    // By layer: random boards; none in layers that yield no group.
    let mut rivals: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
    let path = loop {
        match beam.advance(width) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(BeamEnd::Solved(path)) => break path,
            ControlFlow::Break(_) => return None,
        }
        let has_group =
            rivals.len() % LAYERS_PER_GROUP == offset && beam.nodes.len() > 2 * N_RIVALS;
        let n_rivals = if has_group { N_RIVALS } else { 0 };
        let mut rival = |_| {
            let node = &beam.nodes[random_below(random, beam.nodes.len())];
            node.labels[..labels.len()].to_vec()
        };
        rivals.push((0..n_rivals).map(&mut rival).collect());
    };
    let mut groups = Vec::new();
    let mut blank = labels.iter().position(|&label| label == evaluator.blank_label())? as u8;
    for (&slide, rivals) in path.iter().zip(&rivals[1..]) {
        let from = evaluator.source(blank, slide as usize)?;
        labels.swap(usize::from(blank), usize::from(from));
        blank = from;
        if !rivals.is_empty() {
            let rivals = rivals.iter().filter(|&rival| *rival != labels);
            groups.push(Group::new(evaluator, std::iter::once(&labels).chain(rivals)));
        }
    }
    Some((path.len(), groups))
}

impl Group {
    fn new<'a>(evaluator: &Evaluator, boards: impl Iterator<Item = &'a Vec<u8>>) -> Group {
        let (mut slots, mut keys) = (Vec::new(), Vec::new());
        for labels in boards {
            let (found, sum) = tuple_slots(evaluator, labels);
            slots.push(found);
            keys.push((evaluator.score(labels).key - sum) as f32 / SCALE);
        }
        Group { slots, keys }
    }
}

/// The slots of all tuples of a board, and the sum of their weights.
fn tuple_slots(evaluator: &Evaluator, labels: &[u8]) -> (Vec<u32>, i32) {
    let (by_tuple, mut slots) = (&TupleSlots::get().by_tuple, Vec::new());
    let Some(term) = evaluator.tuples() else { return (slots, 0) };
    term.visit(labels, |tuple| slots.push(by_tuple[tuple]));
    // A round keeps millions of boards.
    slots.shrink_to_fit();
    (slots, term.sum(labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::{Dims, Goal};

    const STAGES: [TupleStage; 2] = [
        TupleStage { side: 4, n_boards: 40, n_rounds: 3, width: 100, rate: 0.1, schedule: 3 },
        TupleStage { side: 5, n_boards: 2, n_rounds: 1, width: 100, rate: 0.1, schedule: 2 },
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
        assert_eq!(learner.bytes().len(), 2 * TupleSlots::get().n);
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
        let mut random = Random::new(3);
        let values: Vec<i8> =
            (0..TupleSlots::get().n).map(|_| random_below(&mut random, 256) as u8 as i8).collect();
        let leak = |values: &[i8]| -> &'static TupleWeights {
            Box::leak(Box::new(TupleWeights::new(values)))
        };
        let (tuples, zero) = (leak(&values), leak(&vec![0; values.len()]));
        for (rows, cols) in [(2, 2), (2, 98), (3, 3), (6, 6), (98, 2), (5, 9)] {
            let goal = Goal::Snail.board(Dims::new(rows, cols).unwrap()).unwrap();
            let evaluator = |tuples| Evaluator::with_tuples(&goal, Weights::for_size(36), tuples);
            let (evaluator, base) = (evaluator(tuples), evaluator(zero));
            let mut labels = evaluator.labels(&goal);
            let mut score = evaluator.score(&labels);
            let mut blank = evaluator.blank_label();
            for _ in 0..500 {
                let slide = random_below(&mut random, 4);
                let Some(from) = evaluator.source(blank, slide) else { continue };
                let surroundings = evaluator.surroundings(&labels, blank);
                let surroundings = surroundings.as_ref();
                score = evaluator.score_after(score, &labels, surroundings, (slide, from), blank);
                labels.swap(usize::from(blank), usize::from(from));
                blank = from;
                let (slots, sum) = tuple_slots(&evaluator, &labels);
                let weights = slots.iter().map(|&slot| i32::from(values[slot as usize]));
                assert_eq!(weights.sum::<i32>(), sum);
                assert_eq!(score.key, base.score(&labels).key + sum, "{rows}x{cols}");
                assert_eq!(score, evaluator.score(&labels));
            }
        }
    }
}
