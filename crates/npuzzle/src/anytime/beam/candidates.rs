//! Candidates for the next layer of a beam: the children of a chunk of parents, scored but not created.

use npuzzle_core::Slide;

use super::backpointers::Backpointer;
use super::evaluation::{Evaluator, Score};

/// A board of a layer, of up to `S` cells.
#[derive(Clone, Copy)]
pub(super) struct BeamNode<const S: usize> {
    pub(super) labels: [u8; S],
    pub(super) score: Score,
    pub(super) blank: u8,
    /// The index of the slide that reverts the last one; [`NO_SLIDE`] for the start.
    pub(super) reverse: u8,
}

/// An index beyond [`Slide::ALL`].
pub(super) const NO_SLIDE: u8 = Slide::ALL.len() as u8;

/// A child that may become a node.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) score: Score,
    pub(super) backpointer: Backpointer,
}

/// The number of leading hash bits that select a partition.
const PARTITION_BITS: u32 = 6;

/// The number of partitions.
pub(super) const N_PARTITIONS: usize = 1 << PARTITION_BITS;

/// The partition of a board.
pub(super) fn partition_of(hash: u64) -> usize {
    (hash >> (u64::BITS - PARTITION_BITS)) as usize
}

/// How candidates are scored, and which ones are dropped.
#[derive(Clone, Copy)]
pub(super) struct Scoring<'a> {
    pub(super) evaluator: &'a Evaluator,
    /// Added to the key when the blank turns.
    pub(super) turn_cost: i32,
    pub(super) goal_hash: u64,
    /// Candidates with larger keys are dropped.
    pub(super) max_key: i32,
}

/// The candidates from one chunk of parents, by partition.
pub(super) struct Chunk {
    pub(super) by_partition: Vec<Vec<Candidate>>,
    pub(super) n_generated: u64,
    /// The backpointer of the goal, if it is among the children.
    pub(super) goal: Option<Backpointer>,
    /// The smallest and the largest key.
    pub(super) key_range: Option<(i32, i32)>,
}

impl Chunk {
    pub(super) fn new() -> Chunk {
        let by_partition = vec![Vec::new(); N_PARTITIONS];
        Chunk { by_partition, n_generated: 0, goal: None, key_range: None }
    }

    /// The number of candidates.
    pub(super) fn len(&self) -> usize {
        self.by_partition.iter().map(Vec::len).sum()
    }

    /// Scores the children of some parents, the first of which has index `first` in its layer.
    pub(super) fn fill<const S: usize>(
        &mut self,
        scoring: Scoring<'_>,
        first: usize,
        parents: &[BeamNode<S>],
    ) {
        let Scoring { evaluator, turn_cost, goal_hash, max_key } = scoring;
        self.by_partition.iter_mut().for_each(Vec::clear);
        (self.n_generated, self.goal) = (0, None);
        let (mut smallest, mut largest) = (i32::MAX, i32::MIN);
        for (index, parent) in (first..).zip(parents) {
            let straight =
                Slide::ALL.get(usize::from(parent.reverse)).map(|reverse| reverse.opposite());
            let surroundings = evaluator.surroundings(&parent.labels, parent.blank);
            for slide in 0..Slide::ALL.len() {
                let Some(from) = evaluator.source(parent.blank, slide) else { continue };
                if slide == usize::from(parent.reverse) {
                    continue;
                }
                let mut score = evaluator.score_after(
                    parent.score,
                    &parent.labels,
                    surroundings.as_ref(),
                    (slide, from),
                    parent.blank,
                );
                if straight != Some(Slide::ALL[slide]) {
                    score.key += turn_cost;
                }
                self.n_generated += 1;
                let backpointer = Backpointer::new(index, slide);
                if score.hash == goal_hash && self.goal.is_none() {
                    self.goal = Some(backpointer);
                }
                if score.key <= max_key {
                    (smallest, largest) = (smallest.min(score.key), largest.max(score.key));
                    let candidate = Candidate { score, backpointer };
                    self.by_partition[partition_of(score.hash)].push(candidate);
                }
            }
        }
        self.key_range = (smallest <= largest).then_some((smallest, largest));
    }
}
