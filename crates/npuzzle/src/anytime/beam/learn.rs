//! Learns the weights of a beam's key from the beams it leads: what makes `data/beam.bin`.
//!
//! 1. A beam solves random boards. Whatever the key, the board of each layer that lies on the solution
//!    should have ranked before others of its layer: each such pair of boards is an example.
//! 2. The key is a sum of weights, one for each *feature* of a board: a tile's distances, a pair of
//!    neighbours, a conflict. So an example is a sparse vector of what one board has more of than the
//!    other, and logistic regression moves the weights so that the sum falls below zero. Steps get
//!    smaller for weights that have moved much (AdaGrad); what counts is the mean of the later ones.
//! 3. The next round is led by the new weights.
//!
//! The beam here is a plain one: it keeps all layers, from which examples are drawn afterwards. The
//! same seed gives the same weights.

use std::collections::HashSet;

use npuzzle_core::{Board, Dims, Goal, Instance, Random, Slide};

use super::evaluation::{Guide, Rank};
use super::weights::{Class, FAR, N_COSTS, Slots, Weights};

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Rows and columns of the boards.
    pub side: usize,
    /// Boards in a round.
    pub n_boards: usize,
    /// How many rounds there are.
    pub n_rounds: usize,
    /// The width of the beams.
    pub width: usize,
    /// How often each example is looked at.
    pub n_epochs: usize,
    /// How far weights move at first.
    pub rate: f32,
}

/// The lessons after which the file has a set of weights each; every one begins where the one before
/// ended.
pub const LESSONS: [Lesson; 3] = [
    Lesson { side: 6, n_boards: 200, n_rounds: 5, width: 2_000, n_epochs: 5, rate: 0.05 },
    Lesson { side: 8, n_boards: 60, n_rounds: 6, width: 2_000, n_epochs: 3, rate: 0.03 },
    Lesson { side: 10, n_boards: 30, n_rounds: 8, width: 1_000, n_epochs: 3, rate: 0.02 },
];

/// Weights of the file are in parts of so many.
const SCALE: f32 = 64.0;

/// How many boards of a layer the one on the solution is compared with.
const N_OTHERS: usize = 12;

/// Layers before this one have few boards.
const FIRST_LAYER: usize = 5;

/// What an AdaGrad sum begins with.
const FIRST_SQUARES: f32 = 1e-2;

/// What was known of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Round {
    /// How many of its boards were solved.
    pub n_solved: usize,
    /// The mean length of their solutions.
    pub mean: f64,
    /// The mean loss over its examples, before the weights were moved by them.
    pub loss: f64,
}

/// Weights that are being learnt.
#[derive(Clone, Debug)]
pub struct Learner {
    weights: Vec<f32>,
    random: Random,
}

/// What one board has more of than another, by slot.
type Example = Vec<(u32, f32)>;

impl Learner {
    /// Distances to a power, conflicts alike, neighbours nothing.
    pub fn new(seed: u64) -> Learner {
        let mut weights = vec![0.0; Slots::new().n];
        for longer in 0..FAR {
            for shorter in 0..=longer {
                weights[cost_slot(longer, shorter)] = 0.15 * ((longer + shorter) as f32).powf(1.6);
            }
        }
        weights[N_COSTS..N_COSTS + FAR - 1].fill(0.45);
        Learner { weights, random: Random::new(seed) }
    }

    /// The numbers of the file, two bytes each.
    pub fn bytes(&self) -> Vec<u8> {
        self.numbers().iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn numbers(&self) -> Vec<i16> {
        self.weights.iter().map(|weight| (weight * SCALE).round() as i16).collect()
    }

    /// Weights for a beam; they are few, and stay until the program ends.
    fn guide(&self, goal: &Board) -> Guide {
        Guide::with(goal, Box::leak(Box::new(Weights::new(&self.numbers(), &Slots::new()))))
    }

    /// Learns, and tells of every round.
    pub fn learn(&mut self, lesson: Lesson, tell: &mut dyn FnMut(Round)) {
        let Some(goal) = goal(lesson.side) else { return };
        for _ in 0..lesson.n_rounds {
            let guide = self.guide(&goal);
            let (mut lengths, mut examples) = (Vec::new(), Vec::new());
            for _ in 0..lesson.n_boards {
                let start = guide.labels(&random_board(&goal, &mut self.random));
                if let Some(layers) = solve(&guide, start, lesson.width, longest(goal.dims())) {
                    lengths.push(layers.len() - 1);
                    examples.extend(self.examples(goal.dims(), &guide, &layers));
                }
            }
            let (n_solved, sum) = (lengths.len(), lengths.iter().sum::<usize>());
            let loss = self.loss(&examples);
            tell(Round { n_solved, mean: sum as f64 / n_solved.max(1) as f64, loss });
            self.descend(&mut examples, lesson);
            self.extend(lesson.side);
        }
    }

    /// The boards on the solution beside others of their layers.
    fn examples(&mut self, dims: Dims, guide: &Guide, layers: &[Vec<Node>]) -> Vec<Example> {
        let slots = Slots::new();
        let mut examples = Vec::new();
        let mut at = 0;
        for layer in layers[FIRST_LAYER.min(layers.len())..].iter().rev() {
            let right = &layer[at];
            let features = features(dims, guide.home(), &right.labels, &slots);
            for _ in 0..N_OTHERS {
                let other = &layer[below(&mut self.random, layer.len())];
                if other.rank.hash != right.rank.hash {
                    let others = self::features(dims, guide.home(), &other.labels, &slots);
                    examples.push(difference(&features, &others));
                }
            }
            at = right.parent;
        }
        examples
    }

    /// How much heavier the first board of an example is; it should not be.
    fn excess(&self, example: &Example) -> f32 {
        example.iter().map(|&(slot, n)| self.weights[slot as usize] * n).sum()
    }

    /// The mean logistic loss.
    fn loss(&self, examples: &[Example]) -> f64 {
        let loss = |example| f64::from(self.excess(example)).exp().ln_1p().min(100.0);
        examples.iter().map(loss).sum::<f64>() / examples.len().max(1) as f64
    }

    /// Goes down the slope of the loss, example by example in random order.
    fn descend(&mut self, examples: &mut [Example], lesson: Lesson) {
        let mut squares = vec![FIRST_SQUARES; self.weights.len()];
        let (mut sums, mut n_sums) = (vec![0.0; self.weights.len()], 0);
        let n_steps = examples.len() * lesson.n_epochs;
        let mut n_done = 0;
        for _ in 0..lesson.n_epochs {
            for last in (1..examples.len()).rev() {
                examples.swap(last, below(&mut self.random, last + 1));
            }
            for example in examples.iter() {
                let share = 1.0 / (1.0 + (-self.excess(example)).exp());
                for &(slot, n) in example {
                    let (slot, slope) = (slot as usize, share * n);
                    squares[slot] += slope * slope;
                    self.weights[slot] -= lesson.rate * slope / squares[slot].sqrt();
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

    /// Distances and gaps that boards of this side do not have go on as those they have.
    fn extend(&mut self, side: usize) {
        let most = side - 1;
        let known = |weights: &[f32], a: usize, b: usize| weights[cost_slot(a, b)];
        let slope = known(&self.weights, most, 0) - known(&self.weights, most - 1, 0);
        for longer in side..FAR {
            for shorter in 0..=longer {
                let near = shorter.min(most);
                let beyond = (longer - most + shorter - near) as f32;
                self.weights[cost_slot(longer, shorter)] =
                    known(&self.weights, most, near) + beyond * slope;
            }
        }
        let last = self.weights[N_COSTS + most - 1];
        self.weights[N_COSTS + most..N_COSTS + FAR - 1].fill(last);
    }
}

fn cost_slot(longer: usize, shorter: usize) -> usize {
    longer * (longer + 1) / 2 + shorter
}

fn below(random: &mut Random, n: usize) -> usize {
    (random.bits() % n as u64) as usize
}

fn goal(side: usize) -> Option<Board> {
    Goal::Last.board(Dims::new(side, side).ok()?)
}

/// Longer solutions are none.
fn longest(dims: Dims) -> usize {
    4 * dims.cells() * dims.rows().max(dims.cols())
}

/// A board from which the goal can be reached.
fn random_board(goal: &Board, random: &mut Random) -> Board {
    let mut tiles: Vec<u16> = (0..goal.dims().cells() as u16).collect();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, below(random, last + 1));
    }
    let instance = Board::new(goal.dims(), &tiles).map(Instance::from);
    match instance {
        Ok(instance) if instance.is_solvable() => instance.start().clone(),
        Ok(instance) => instance.twin().start().clone(),
        Err(error) => unreachable!("a shuffled board is a board: {error}"),
    }
}

/// A board of a layer.
struct Node {
    labels: Vec<u8>,
    blank: u8,
    rank: Rank,
    /// By its place in the layer before.
    parent: usize,
}

/// The layers of a beam; the last one is the goal alone. Nothing if it was not reached.
fn solve(guide: &Guide, start: Vec<u8>, width: usize, longest: usize) -> Option<Vec<Vec<Node>>> {
    let goal: Vec<u8> = (0..start.len()).map(|cell| cell as u8).collect();
    let goal = guide.rank(&goal).hash;
    let blank = start.iter().position(|&label| label == guide.home())? as u8;
    let root = Node { rank: guide.rank(&start), labels: start, blank, parent: 0 };
    let mut layers = vec![vec![root]];
    while layers.len() <= longest {
        let layer = layers.last()?;
        let before = layers.len().checked_sub(2).map(|at| &layers[at]);
        let mut seen: HashSet<u64> =
            before.into_iter().flatten().map(|node| node.rank.hash).collect();
        let mut children = Vec::new();
        for (parent, node) in layer.iter().enumerate() {
            for from in (0..Slide::ALL.len()).filter_map(|slide| guide.source(node.blank, slide)) {
                let rank = guide.step(node.rank, &node.labels, node.blank, from);
                if seen.insert(rank.hash) {
                    children.push((rank, parent, from));
                }
            }
        }
        children.sort_by_key(|&(rank, ..)| (rank.hash != goal, rank.key, rank.hash));
        let is_done = children.first()?.0.hash == goal;
        children.truncate(if is_done { 1 } else { width });
        let child = |(rank, parent, from): (Rank, usize, u8)| {
            let mut labels = layer[parent].labels.clone();
            labels.swap(usize::from(from), usize::from(layer[parent].blank));
            Node { labels, blank: from, rank, parent }
        };
        let next = children.into_iter().map(child).collect();
        layers.push(next);
        if is_done {
            return Some(layers);
        }
    }
    None
}

/// The slots of all that a board's key is made of, in order.
fn features(dims: Dims, home: u8, labels: &[u8], slots: &Slots) -> Vec<u32> {
    let cols = dims.cols();
    let place = |cell: usize| (cell / cols, cell % cols);
    let steps = |at: usize| {
        let ((row, col), (home_row, home_col)) = (place(at), place(usize::from(labels[at])));
        (home_col as isize - col as isize, home_row as isize - row as isize)
    };
    let class = |at: usize, is_row: bool| match steps(at) {
        _ if labels[at] == home => Class::BLANK,
        (right, down) if is_row => Class::new(right, down),
        (right, down) => Class::new(down, right),
    };
    let mut found = Vec::new();
    for at in 0..labels.len() {
        let (row, col) = place(at);
        if col + 1 < cols {
            found.push(slots.of_pair(class(at, true), class(at + 1, true)));
        }
        if row + 1 < dims.rows() {
            found.push(slots.of_pair(class(at, false), class(at + cols, false)));
        }
        let (right, down) = steps(at);
        if labels[at] == home {
            continue;
        }
        let (a, b) = (right.unsigned_abs(), down.unsigned_abs());
        found.push(cost_slot(a.max(b), a.min(b)));
        // With tiles behind it in its line that belong before it.
        let conflict = |other: usize, gap: usize| (N_COSTS + gap - 1, labels[other]);
        let in_row = (at + 1..(row + 1) * cols).map(|other| conflict(other, other - at));
        let in_col = (at + cols..labels.len()).step_by(cols);
        let in_col = in_col.map(|other| conflict(other, (other - at) / cols));
        let is_before = |other: u8| other != home && other < labels[at];
        let of_row = |other: u8| is_before(other) && place(usize::from(other)).0 == row;
        let of_col = |other: u8| is_before(other) && place(usize::from(other)).1 == col;
        found.extend(in_row.filter(|&(_, other)| down == 0 && of_row(other)).map(|(slot, _)| slot));
        found
            .extend(in_col.filter(|&(_, other)| right == 0 && of_col(other)).map(|(slot, _)| slot));
    }
    let mut found: Vec<u32> = found.into_iter().map(|slot| slot as u32).collect();
    found.sort_unstable();
    found
}

/// What the first has more of than the second, both in order.
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

    const LESSON: Lesson =
        Lesson { side: 4, n_boards: 12, n_rounds: 2, width: 200, n_epochs: 4, rate: 0.05 };

    #[test]
    fn a_key_is_the_sum_of_the_weights_of_its_features() {
        for side in [3, 4, 6, 10] {
            let goal = goal(side).unwrap();
            let (guide, slots, mut random) = (Guide::to(&goal), Slots::new(), Random::new(3));
            let weights = Weights::of(goal.dims().cells()).numbers(&slots);
            for _ in 0..20 {
                let labels = guide.labels(&random_board(&goal, &mut random));
                let features = features(goal.dims(), guide.home(), &labels, &slots);
                let sum: i32 = features.iter().map(|&slot| weights[slot as usize]).sum();
                assert_eq!(sum, guide.rank(&labels).key, "{labels:?}");
            }
        }
    }

    /// The lengths of solutions of boards that are not learnt from, all together, by narrow beams.
    fn lengths(learner: &Learner) -> usize {
        let goal = goal(LESSON.side).unwrap();
        let (guide, mut random) = (learner.guide(&goal), Random::new(77));
        let length = |_| {
            let start = guide.labels(&random_board(&goal, &mut random));
            let layers = solve(&guide, start, 20, 200);
            layers.map_or(200, |layers| layers.len() - 1)
        };
        (0..40).map(length).sum()
    }

    #[test]
    fn a_short_lesson_makes_solutions_shorter() {
        let first = Learner::new(1);
        let mut learner = first.clone();
        let mut rounds = Vec::new();
        learner.learn(LESSON, &mut |round| rounds.push(round));
        assert!(rounds.len() == 2 && rounds[1].loss < rounds[0].loss, "{rounds:?}");
        let [before, after] = [&first, &learner].map(lengths);
        assert!(after < before, "{after} not below {before}");
        let mut again = first.clone();
        again.learn(LESSON, &mut |_| {});
        assert_eq!(again.bytes(), learner.bytes());
    }
}
