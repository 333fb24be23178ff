//! The learned weights of the beam's evaluation, stored in `data/beam.bin`.
//!
//! The weights come from imitation learning. A beam of a few thousand boards solves random boards. In
//! every layer, the board that turned out to be on the solution is compared with other boards of the
//! layer, and the weights are adjusted so that it would have ranked before them (pairwise logistic
//! regression with AdaGrad). Beams with the new weights find shorter solutions, from which the next
//! weights are learned. `cargo xtask learn` does this ([`learn`](super::learn)). The stored weights
//! were made by a predecessor of that program with the same method on 6×6, 8×8 and 10×10, so a run of
//! it yields similar weights but not the same bytes.
//!
//! Beams use the weights of distances and conflicts; the [n-tuple network](super::tuple_weights) replaces the weights of
//! pairs of neighbors, which were learned with them. Narrow passes of the large neighborhood search use the weights of
//! pairs.
//!
//! A pair of neighboring tiles has the same weight as its mirror images and its transpose, so the
//! weights work for every goal and every goal cell of the blank. They are learned on square boards; a
//! board uses those of the square with the closest number of cells.

use std::sync::LazyLock;

/// The displacement of a tile from its goal cell as seen by a neighbor: along the line through both,
/// and across it, each clamped to [`DisplacementClass::REACH`]. The blank is a class of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DisplacementClass(u8);

impl DisplacementClass {
    /// The largest displacement that is distinguished.
    pub(crate) const REACH: isize = 5;

    const SIDE: usize = 2 * DisplacementClass::REACH as usize + 1;

    /// The number of classes.
    pub(crate) const N: usize = DisplacementClass::SIDE * DisplacementClass::SIDE + 1;

    pub(crate) const BLANK: DisplacementClass = DisplacementClass(DisplacementClass::N as u8 - 1);

    pub(crate) fn new(along: isize, across: isize) -> DisplacementClass {
        const REACH: isize = DisplacementClass::REACH;
        let digit = |steps: isize| (steps.clamp(-REACH, REACH) + REACH) as u8;
        DisplacementClass(digit(across) * DisplacementClass::SIDE as u8 + digit(along))
    }

    /// The index of a pair of classes, ordered by their cells.
    #[inline(always)]
    pub(crate) fn pair(first: DisplacementClass, second: DisplacementClass) -> usize {
        usize::from(first.0) * DisplacementClass::N + usize::from(second.0)
    }

    /// The class after reflection of the direction along the line, across it, or both.
    fn mirrored(self, along: bool, across: bool) -> DisplacementClass {
        if self == DisplacementClass::BLANK {
            return self;
        }
        let side = DisplacementClass::SIDE as u8;
        let reflect = |digit: u8, is_reflected: bool| {
            if is_reflected { side - 1 - digit } else { digit }
        };
        DisplacementClass(reflect(self.0 / side, across) * side + reflect(self.0 % side, along))
    }
}

/// The smallest index among the mirror images of a pair.
fn canonical_pair(pair: usize) -> usize {
    const N: usize = DisplacementClass::N;
    let (a, b) = (DisplacementClass((pair / N) as u8), DisplacementClass((pair % N) as u8));
    let images = [false, true].map(|across| {
        let same_order =
            DisplacementClass::pair(a.mirrored(false, across), b.mirrored(false, across));
        let reversed = DisplacementClass::pair(b.mirrored(true, across), a.mirrored(true, across));
        same_order.min(reversed)
    });
    images[0].min(images[1])
}

/// The weights for boards of one size range.
pub(crate) struct Weights {
    /// By the larger and the smaller of a tile's vertical and horizontal distances.
    costs: Vec<i32>,
    /// By the gap between two conflicting tiles, from 1 on.
    conflicts: Vec<i32>,
    /// By pair of classes.
    pairs: Vec<i16>,
}

/// Distances and gaps below this have weights of their own.
pub(super) const N_DISTANCES: usize = 16;

/// The number of distance costs: one for each unordered pair of vertical and horizontal distance.
pub(super) const N_COSTS: usize = N_DISTANCES * (N_DISTANCES + 1) / 2;

/// The number of conflict weights: one for each gap from 1 on.
pub(super) const N_CONFLICTS: usize = N_DISTANCES - 1;

/// The largest board, in cells, that uses each set of weights except the last.
const MAX_CELLS_OF_SET: [usize; 2] = [42, 81];

impl Weights {
    /// The weights for boards of `n_cells` cells.
    pub(crate) fn for_size(n_cells: usize) -> &'static Weights {
        static SETS: LazyLock<Vec<Weights>> = LazyLock::new(Weights::parse_embedded);
        let set = MAX_CELLS_OF_SET.iter().position(|&max_cells| n_cells <= max_cells);
        &SETS[set.unwrap_or(MAX_CELLS_OF_SET.len())]
    }

    fn parse_embedded() -> Vec<Weights> {
        static BYTES: &[u8] = include_bytes!("../../../data/beam.bin");
        let values: Vec<i16> =
            BYTES.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let slots = WeightSlots::new();
        values.chunks_exact(slots.n).map(|values| Weights::new(values, &slots)).collect()
    }

    /// The weights with these values, in the order of [`WeightSlots`].
    pub(super) fn new(values: &[i16], slots: &WeightSlots) -> Weights {
        let widen = |values: &[i16]| values.iter().copied().map(i32::from).collect();
        Weights {
            costs: widen(&values[..N_COSTS]),
            conflicts: widen(&values[N_COSTS..N_COSTS + N_CONFLICTS]),
            pairs: slots.by_pair.iter().map(|&slot| values[usize::from(slot)]).collect(),
        }
    }

    /// The values, in the order of [`WeightSlots`].
    #[cfg(test)]
    pub(super) fn values(&self, slots: &WeightSlots) -> Vec<i32> {
        let mut values = [&self.costs[..], &self.conflicts].concat();
        values.resize(slots.n, 0);
        for (pair, &slot) in slots.by_pair.iter().enumerate() {
            values[usize::from(slot)] = self.pairs[pair].into();
        }
        values
    }

    /// The cost of a tile at vertical distance `a` and horizontal distance `b` from its goal cell.
    /// Distances that were not learned extrapolate linearly.
    pub(crate) fn cost(&self, a: usize, b: usize) -> i32 {
        let clamp = |distance: usize| distance.min(N_DISTANCES - 1);
        let (longer, shorter) = (a.max(b), a.min(b));
        let learned = |longer: usize, shorter: usize| self.costs[cost_slot(longer, shorter)];
        let slope = learned(N_DISTANCES - 1, 0) - learned(N_DISTANCES - 2, 0);
        let beyond = (longer - clamp(longer) + shorter - clamp(shorter)) as i32;
        learned(clamp(longer), clamp(shorter)) + beyond * slope
    }

    /// The cost of two tiles in their goal line that must pass each other, by the gap between them.
    pub(crate) fn conflict(&self, gap: usize) -> i32 {
        self.conflicts[gap.clamp(1, N_DISTANCES - 1) - 1]
    }

    /// The cost of two neighbors, by [`DisplacementClass::pair`].
    pub(crate) fn pairs(&self) -> &[i16] {
        &self.pairs
    }
}

/// The index of a distance cost.
pub(super) fn cost_slot(longer: usize, shorter: usize) -> usize {
    longer * (longer + 1) / 2 + shorter
}

/// The layout of a set of weights in the file: distance costs, conflicts, then one weight for each pair
/// of classes up to symmetry.
pub(super) struct WeightSlots {
    /// The number of weights.
    pub(super) n: usize,
    /// By [`DisplacementClass::pair`].
    by_pair: Vec<u16>,
}

impl WeightSlots {
    pub(super) fn new() -> WeightSlots {
        let mut n = N_COSTS + N_CONFLICTS;
        let mut by_pair = vec![0; DisplacementClass::N * DisplacementClass::N];
        for pair in 0..by_pair.len() {
            let canonical = canonical_pair(pair);
            by_pair[pair] = if canonical == pair { n as u16 } else { by_pair[canonical] };
            n += usize::from(canonical == pair);
        }
        WeightSlots { n, by_pair }
    }

    #[cfg(any(test, feature = "learn"))]
    pub(super) fn of_pair(&self, first: DisplacementClass, second: DisplacementClass) -> usize {
        usize::from(self.by_pair[DisplacementClass::pair(first, second)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_symmetric_under_reflection() {
        for n_cells in [16, 36, 49, 144] {
            let weights = Weights::for_size(n_cells);
            let weight = |(a, b): (isize, isize), (c, d): (isize, isize)| {
                let (first, second) = (DisplacementClass::new(a, b), DisplacementClass::new(c, d));
                weights.pairs()[DisplacementClass::pair(first, second)]
            };
            for (a, b, c, d) in [(1, 2, -3, 0), (-4, 1, 5, -5), (0, 0, 2, -7)] {
                let expected = weight((a, b), (c, d));
                assert_eq!(weight((-c, d), (-a, b)), expected);
                assert_eq!(weight((a, -b), (c, -d)), expected);
            }
            assert_eq!(weights.cost(3, 7), weights.cost(7, 3));
        }
    }
}
