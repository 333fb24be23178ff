//! The numbers behind the key of a beam: learnt, not thought out.
//!
//! A beam of some thousand boards solves random boards. At every layer the board that turned out to
//! lie on the solution is compared with others of the beam, and the weights are moved so that it
//! would have ranked before them (logistic regression on pairs, AdaGrad). The next beams, led by the
//! new weights, find shorter solutions, from which the next weights are learnt. `cargo xtask learn`
//! does that ([`learn`](super::learn)); the weights in the file were made by its forerunner, which did the
//! same on 6×6, 8×8 and 10×10, so that a run makes weights that are like these, not these bytes.
//!
//! A pair of neighbours, its mirror images and its transpose weigh the same, so any goal and any
//! place of the blank are served. Weights are learnt on squares; a board takes those of the square
//! that is nearest in cells.

use std::sync::LazyLock;

/// Where a tile wants to go: so many cells along the line of a pair, so many across it, each cut
/// off at [`Class::REACH`]; or that it is the blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Class(u8);

impl Class {
    /// Displacements beyond this are all alike.
    const REACH: isize = 5;

    const SIDE: usize = 2 * Class::REACH as usize + 1;

    /// How many there are.
    pub(crate) const N: usize = Class::SIDE * Class::SIDE + 1;

    /// The blank wants nothing.
    pub(crate) const BLANK: Class = Class(Class::N as u8 - 1);

    pub(crate) fn new(along: isize, across: isize) -> Class {
        let digit = |steps: isize| (steps.clamp(-Class::REACH, Class::REACH) + Class::REACH) as u8;
        Class(digit(across) * Class::SIDE as u8 + digit(along))
    }

    /// The number of a pair, in the order of their cells.
    #[inline(always)]
    pub(crate) fn pair(first: Class, second: Class) -> usize {
        usize::from(first.0) * Class::N + usize::from(second.0)
    }

    /// The class in a mirror that turns the directions along the line, across it, or both.
    fn mirrored(self, along: bool, across: bool) -> Class {
        if self == Class::BLANK {
            return self;
        }
        let side = Class::SIDE as u8;
        let turn = |digit: u8, turns: bool| if turns { side - 1 - digit } else { digit };
        Class(turn(self.0 / side, across) * side + turn(self.0 % side, along))
    }
}

/// The first of the pairs that look like this one in a mirror.
fn first_alike(pair: usize) -> usize {
    let (a, b) = (Class((pair / Class::N) as u8), Class((pair % Class::N) as u8));
    let images = [false, true].map(|across| {
        let straight = Class::pair(a.mirrored(false, across), b.mirrored(false, across));
        let turned = Class::pair(b.mirrored(true, across), a.mirrored(true, across));
        straight.min(turned)
    });
    images[0].min(images[1])
}

/// The weights for boards of some size.
pub(crate) struct Weights {
    /// By the larger and the smaller of the distances along rows and columns.
    costs: Vec<i32>,
    /// By gap, from 1 on.
    conflicts: Vec<i32>,
    /// By pair of classes.
    strife: Vec<i16>,
}

/// Distances and gaps below this have weights of their own.
pub(super) const FAR: usize = 16;

pub(super) const N_COSTS: usize = FAR * (FAR + 1) / 2;

impl Weights {
    /// The weights for boards of so many cells.
    pub(crate) fn of(n_cells: usize) -> &'static Weights {
        static SETS: LazyLock<Vec<Weights>> = LazyLock::new(Weights::read);
        let set = MOST_CELLS.iter().position(|&most| n_cells <= most);
        &SETS[set.unwrap_or(MOST_CELLS.len())]
    }

    fn read() -> Vec<Weights> {
        static BYTES: &[u8] = include_bytes!("../../../data/beam.bin");
        let numbers: Vec<i16> =
            BYTES.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let slots = Slots::new();
        numbers.chunks_exact(slots.n).map(|numbers| Weights::new(numbers, &slots)).collect()
    }

    /// From the numbers of a set, in the order of [`Slots`].
    pub(super) fn new(numbers: &[i16], slots: &Slots) -> Weights {
        let wide = |numbers: &[i16]| numbers.iter().copied().map(i32::from).collect();
        Weights {
            costs: wide(&numbers[..N_COSTS]),
            conflicts: wide(&numbers[N_COSTS..N_COSTS + FAR - 1]),
            strife: slots.of_pairs.iter().map(|&slot| numbers[usize::from(slot)]).collect(),
        }
    }

    /// The numbers of the set.
    #[cfg(test)]
    pub(super) fn numbers(&self, slots: &Slots) -> Vec<i32> {
        let mut numbers = [&self.costs[..], &self.conflicts].concat();
        numbers.resize(slots.n, 0);
        for (pair, &slot) in slots.of_pairs.iter().enumerate() {
            numbers[usize::from(slot)] = self.strife[pair].into();
        }
        numbers
    }

    /// Of a tile that is so far from home along rows and columns.
    pub(crate) fn cost(&self, a: usize, b: usize) -> i32 {
        let near = |at: usize| at.min(FAR - 1);
        let (longer, shorter) = (a.max(b), a.min(b));
        let known = |longer: usize, shorter: usize| self.costs[longer * (longer + 1) / 2 + shorter];
        // From there on as it was.
        let slope = known(FAR - 1, 0) - known(FAR - 2, 0);
        let beyond = (longer - near(longer) + shorter - near(shorter)) as i32;
        known(near(longer), near(shorter)) + beyond * slope
    }

    /// Of two tiles of one line that must pass each other and have this distance.
    pub(crate) fn conflict(&self, gap: usize) -> i32 {
        self.conflicts[gap.clamp(1, FAR - 1) - 1]
    }

    /// Of two neighbours, by [`Class::pair`].
    pub(crate) fn strife(&self) -> &[i16] {
        &self.strife
    }
}

/// The largest boards that take each set but the last.
const MOST_CELLS: [usize; 2] = [42, 81];

/// Where the weights of a set are in the file: costs, conflicts, then pairs, those alike once.
pub(super) struct Slots {
    /// How many there are.
    pub(super) n: usize,
    /// By [`Class::pair`].
    of_pairs: Vec<u16>,
}

impl Slots {
    pub(super) fn new() -> Slots {
        let mut n = N_COSTS + FAR - 1;
        let mut of_pairs = vec![0; Class::N * Class::N];
        for pair in 0..of_pairs.len() {
            let first = first_alike(pair);
            of_pairs[pair] = if first == pair { n as u16 } else { of_pairs[first] };
            n += usize::from(first == pair);
        }
        Slots { n, of_pairs }
    }

    #[cfg(any(test, feature = "learn"))]
    pub(super) fn of_pair(&self, first: Class, second: Class) -> usize {
        usize::from(self.of_pairs[Class::pair(first, second)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_weigh_what_they_weigh_in_a_mirror() {
        for n_cells in [16, 36, 49, 144] {
            let weights = Weights::of(n_cells);
            for (a, b, c, d) in [(1, 2, -3, 0), (-4, 1, 5, -5), (0, 0, 2, -7)] {
                let pair = Class::pair(Class::new(a, b), Class::new(c, d));
                let turned = Class::pair(Class::new(-c, d), Class::new(-a, b));
                let across = Class::pair(Class::new(a, -b), Class::new(c, -d));
                let weight = weights.strife()[pair];
                assert_eq!([weight; 2], [turned, across].map(|pair| weights.strife()[pair]));
            }
            assert_eq!(weights.cost(3, 7), weights.cost(7, 3));
        }
    }
}
