//! The candidates of a layer whose hashes begin with the same bits: duplicate elimination, and
//! selection of the best without sorting.

use npuzzle_core::Slide;

use super::backpointers::Backpointer;
use super::candidates::{BeamNode, Candidate, Chunk};
use super::evaluation::Evaluator;

/// One partition of the hash space, across layers.
#[derive(Default)]
pub(super) struct HashPartition {
    /// The candidates of the next layer, without duplicates.
    candidates: Vec<Candidate>,
    /// The hashes of the current layer, and of the one before it.
    hashes: Vec<u64>,
    previous_hashes: Vec<u64>,
    /// An open-addressing hash table; 0 marks a free slot.
    table: Vec<u64>,
    /// The number of candidates with each key, from the smallest key on; empty in layers with few candidates.
    histogram: Vec<u32>,
}

impl HashPartition {
    /// Adds the start to the current layer.
    pub(super) fn insert_start(&mut self, hash: u64) {
        self.hashes.push(hash);
    }

    /// Collects the candidates of partition `at` from the chunks, without duplicates and without boards
    /// of the layer before the current one. `key_range` is `None` in layers with few candidates.
    pub(super) fn collect(&mut self, at: usize, chunks: &[Chunk], key_range: Option<(i32, i32)>) {
        self.candidates.clear();
        self.histogram.clear();
        if let Some((smallest, largest)) = key_range {
            self.histogram.resize(largest.abs_diff(smallest) as usize + 1, 0);
        }
        let n_candidates: usize = chunks.iter().map(|chunk| chunk.by_partition[at].len()).sum();
        let n_slots = (2 * (n_candidates + self.previous_hashes.len())).next_power_of_two();
        self.table.clear();
        self.table.resize(n_slots, 0);
        for &hash in &self.previous_hashes {
            insert(&mut self.table, hash);
        }
        for candidate in chunks.iter().flat_map(|chunk| &chunk.by_partition[at]) {
            if insert(&mut self.table, candidate.score.hash) {
                self.candidates.push(*candidate);
                if let Some((smallest, _)) = key_range {
                    self.histogram[candidate.score.key.abs_diff(smallest) as usize] += 1;
                }
            }
        }
    }

    /// The numbers of candidates with keys below a key, and at it.
    fn n_up_to(&self, key: i32, key_range: Option<(i32, i32)>) -> (usize, usize) {
        let Some((smallest, _)) = key_range else {
            let keys = || self.candidates.iter().map(|candidate| candidate.score.key);
            return (keys().filter(|&it| it < key).count(), keys().filter(|&it| it == key).count());
        };
        let at = key.abs_diff(smallest) as usize;
        let n_below = self.histogram[..at].iter().map(|&n| n as usize).sum();
        (n_below, self.histogram[at] as usize)
    }

    /// Creates the boards of the candidates below a threshold, and of the first `n_at` at it.
    pub(super) fn create_nodes<const S: usize>(
        &mut self,
        evaluator: &Evaluator,
        parents: &[BeamNode<S>],
        threshold: i32,
        mut n_at: usize,
        nodes: &mut [BeamNode<S>],
        backpointers: &mut [Backpointer],
    ) {
        std::mem::swap(&mut self.previous_hashes, &mut self.hashes);
        self.hashes.clear();
        let mut slots = nodes.iter_mut().zip(backpointers);
        for candidate in &self.candidates {
            let key = candidate.score.key;
            let is_selected = key < threshold || key == threshold && n_at > 0;
            if !is_selected {
                continue;
            }
            n_at -= usize::from(key == threshold);
            let Some((node, backpointer)) = slots.next() else { return };
            *node = parents[candidate.backpointer.parent()];
            let slide = candidate.backpointer.slide();
            // The slide is legal, otherwise the candidate would not exist.
            let from = evaluator.source(node.blank, slide).unwrap_or(node.blank);
            node.labels[usize::from(node.blank)] = node.labels[usize::from(from)];
            node.labels[usize::from(from)] = evaluator.blank_label();
            node.blank = from;
            node.reverse = Slide::ALL[slide].opposite() as u8;
            node.score = candidate.score;
            *backpointer = candidate.backpointer;
            self.hashes.push(candidate.score.hash);
        }
    }
}

/// Inserts a hash into a table whose size is a power of two and at least twice the number of entries.
/// Returns whether it is new.
#[inline(always)]
fn insert(table: &mut [u64], hash: u64) -> bool {
    let mask = table.len() - 1;
    // 0 marks a free slot, so a hash of 0 is stored as 1.
    let hash = hash.max(1);
    let mut at = hash as usize & mask;
    loop {
        match table[at] {
            0 => {
                table[at] = hash;
                return true;
            }
            known if known == hash => return false,
            _ => at = (at + 1) & mask,
        }
    }
}

/// The largest key of the next layer.
pub(super) struct KeyThreshold {
    pub(super) key: i32,
    /// How many candidates with exactly this key are selected; `None` for all candidates of the layer.
    n_at: Option<usize>,
}

/// The number of candidates that a partition contributes to the next layer.
pub(super) struct Quota {
    n_below: usize,
    pub(super) n_at: usize,
}

impl Quota {
    pub(super) fn n_nodes(&self) -> usize {
        self.n_below + self.n_at
    }
}

impl KeyThreshold {
    /// The threshold that selects the best `width` candidates.
    pub(super) fn new(
        partitions: &[HashPartition],
        key_range: Option<(i32, i32)>,
        width: usize,
    ) -> KeyThreshold {
        match key_range {
            Some(key_range) => KeyThreshold::from_histograms(partitions, key_range, width),
            None => KeyThreshold::from_keys(partitions, width),
        }
    }

    fn from_histograms(
        partitions: &[HashPartition],
        (smallest, largest): (i32, i32),
        width: usize,
    ) -> KeyThreshold {
        let mut n_left = width;
        for (key, at) in (smallest..=largest).zip(0..) {
            let n_here: usize =
                partitions.iter().map(|partition| partition.histogram[at] as usize).sum();
            if n_here > n_left {
                return KeyThreshold { key, n_at: Some(n_left) };
            }
            n_left -= n_here;
        }
        KeyThreshold { key: largest, n_at: None }
    }

    fn from_keys(partitions: &[HashPartition], width: usize) -> KeyThreshold {
        let candidates = partitions.iter().flat_map(|partition| &partition.candidates);
        let mut keys: Vec<i32> = candidates.map(|candidate| candidate.score.key).collect();
        if keys.len() <= width {
            return KeyThreshold { key: i32::MAX, n_at: None };
        }
        let (below, &mut key, _) = keys.select_nth_unstable(width);
        let n_below = below.iter().filter(|&&other| other < key).count();
        KeyThreshold { key, n_at: Some(width - n_below) }
    }

    /// Whether every candidate is selected.
    pub(super) fn selects_all(&self) -> bool {
        self.n_at.is_none()
    }

    /// The quotas of the partitions. Candidates at the threshold are taken from the first ones.
    pub(super) fn quotas(
        &self,
        partitions: &[HashPartition],
        key_range: Option<(i32, i32)>,
    ) -> Vec<Quota> {
        let mut n_left = self.n_at.unwrap_or(usize::MAX);
        let quota = |partition: &HashPartition| {
            let (n_below, n_at) = partition.n_up_to(self.key, key_range);
            let n_at = n_left.min(n_at);
            n_left -= n_at;
            Quota { n_below, n_at }
        };
        partitions.iter().map(quota).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anytime::beam::evaluation::Score;
    use npuzzle_testkit::random::Random;

    const N: usize = 200;

    /// A chunk with candidates of five partitions and this many different keys, some of them twice.
    fn chunk(random: &mut Random, n_keys: usize) -> Chunk {
        let mut chunk = Chunk::new();
        for hash in 1..=N as u64 {
            let score = Score { key: random.below(n_keys) as i32 - 3, hash };
            let candidate = Candidate { score, backpointer: Backpointer::default() };
            let partition = &mut chunk.by_partition[random.below(5)];
            partition.extend(std::iter::repeat_n(candidate, 1 + random.below(2)));
        }
        chunk
    }

    #[test]
    fn histograms_and_keys_select_the_same_candidates() {
        let mut random = Random::new(1);
        for n_keys in [1, 7, 300] {
            let chunks = [chunk(&mut random, n_keys)];
            for width in [1, 20, N - 1, N, N + 1] {
                let range = (-3, n_keys as i32 - 4);
                let [a, b] = [Some(range), None].map(|range| {
                    let mut partitions: Vec<HashPartition> = Vec::new();
                    partitions.resize_with(5, HashPartition::default);
                    for (at, partition) in partitions.iter_mut().enumerate() {
                        partition.collect(at, &chunks, range);
                    }
                    let threshold = KeyThreshold::new(&partitions, range, width);
                    let quotas = threshold.quotas(&partitions, range);
                    let selected: Vec<usize> = quotas.iter().map(Quota::n_nodes).collect();
                    assert_eq!(selected.iter().sum::<usize>(), width.min(N));
                    // The key does not matter if all candidates are selected.
                    (threshold.n_at.map(|n_at| (threshold.key, n_at)), selected)
                });
                assert_eq!(a, b, "{n_keys} {width}");
            }
        }
    }
}
