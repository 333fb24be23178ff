//! The weights of an n-tuple network (Bledsoe and Browning 1959), stored in `data/tuples.bin`.
//!
//! The network is a sum over all *tuples* of a board: small groups of cells of a [`Shape`]. The contents of the cells
//! of a tuple select one weight of a table. The content of a cell is the displacement of its tile from the goal cell,
//! clamped to a reach; the blank and cells beyond the border are contents of their own.
//!
//! Displacements are relative to the goal cell, so the weights work for every goal. A tuple has the same weight as its
//! mirror images and its transpose: the file has one weight for each tuple up to symmetry, the *slots*.

use std::sync::LazyLock;

/// The contents of cells that are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Contents {
    /// The largest displacement in each direction that is distinguished.
    pub(crate) reach: isize,
}

/// The relative position of the cells of a tuple, and their contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Row and column of each cell.
    cells: &'static [(isize, isize)],
    pub(super) contents: Contents,
}

/// Four cells of two rows and two columns, in the order of reading.
pub(super) const BLOCK: Shape =
    Shape { cells: &[(0, 0), (0, 1), (1, 0), (1, 1)], contents: Contents { reach: 2 } };

/// A cell and its neighbors: above, to the left, itself, to the right, below.
pub(super) const CROSS: Shape =
    Shape { cells: &[(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)], contents: Contents { reach: 1 } };

/// The contents of pairs of cells. Only pairs of tiles have weights.
pub(crate) const PAIR: Contents = Contents { reach: 5 };

/// Two cells at a short distance.
const PAIRS: [Shape; 4] = [
    Shape { cells: &[(0, 0), (0, 1)], contents: PAIR },
    Shape { cells: &[(0, 0), (0, 2)], contents: PAIR },
    Shape { cells: &[(0, 0), (1, 1)], contents: PAIR },
    Shape { cells: &[(0, 0), (1, 2)], contents: PAIR },
];

/// The second cell of a pair relative to the first, as steps down and to the right: the offsets of [`PAIRS`] and those of
/// their images. Opposite offsets are left out.
pub(super) const PAIR_OFFSETS: [(isize, isize); 10] =
    [(0, 1), (1, 0), (0, 2), (2, 0), (1, 1), (1, -1), (1, 2), (1, -2), (2, 1), (2, -1)];

/// A symmetry of the square: reflections, then a transposition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Symmetry {
    flips_rows: bool,
    flips_cols: bool,
    transposes: bool,
}

impl Symmetry {
    pub(super) const N: usize = 8;

    pub(super) const fn nth(index: usize) -> Symmetry {
        Symmetry {
            flips_rows: index & 1 != 0,
            flips_cols: index & 2 != 0,
            transposes: index & 4 != 0,
        }
    }

    /// The image of a number of steps down and to the right.
    pub(super) const fn image(self, (down, right): (isize, isize)) -> (isize, isize) {
        let down = if self.flips_rows { -down } else { down };
        let right = if self.flips_cols { -right } else { right };
        if self.transposes { (right, down) } else { (down, right) }
    }
}

impl Contents {
    const fn side(self) -> usize {
        2 * self.reach as usize + 1
    }

    /// The number of contents.
    pub(super) const fn n(self) -> usize {
        self.side() * self.side() + 2
    }

    /// The blank.
    pub(super) const fn blank(self) -> u8 {
        self.n() as u8 - 2
    }

    /// A cell beyond the border.
    pub(crate) const fn border(self) -> u8 {
        self.n() as u8 - 1
    }

    /// A tile whose goal cell is `down` cells below and `right` cells to the right.
    #[inline(always)]
    pub(super) const fn tile(self, (down, right): (isize, isize)) -> u8 {
        (self.digit(down) * self.side() + self.digit(right)) as u8
    }

    #[inline(always)]
    const fn digit(self, steps: isize) -> usize {
        // `clamp` cannot be called in constants.
        let steps = if steps < -self.reach { -self.reach } else { steps };
        (if steps > self.reach { 2 * self.reach } else { steps + self.reach }) as usize
    }

    /// The content after a symmetry of the board.
    fn image(self, content: u8, symmetry: Symmetry) -> u8 {
        self.steps(content).map_or(content, |steps| self.tile(symmetry.image(steps)))
    }

    /// How many cells the goal cell of a tile is below its cell and to the right of it, as far as that is distinguished;
    /// `None` if the content is not a tile.
    pub(crate) const fn steps(self, content: u8) -> Option<(isize, isize)> {
        let (digits, side) = (content as isize, self.side() as isize);
        if content < self.blank() {
            Some((digits / side - self.reach, digits % side - self.reach))
        } else {
            None
        }
    }

    /// The index of a tuple of these contents.
    #[inline(always)]
    pub(super) fn index<const N: usize>(self, tuple: [u8; N]) -> usize {
        tuple.iter().fold(0, |index, &content| index * self.n() + usize::from(content))
    }
}

impl Shape {
    /// The number of tuples.
    const fn n_tuples(self) -> usize {
        self.contents.n().pow(self.cells.len() as u32)
    }

    /// The symmetries that map the shape to itself, with the new place of each cell.
    fn symmetries(self) -> Vec<(Symmetry, Vec<usize>)> {
        let corner = |cells: &[(isize, isize)]| {
            let row = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            (row, cells.iter().map(|cell| cell.1).min().unwrap_or(0))
        };
        let places = |symmetry: Symmetry| {
            let images: Vec<(isize, isize)> =
                self.cells.iter().map(|&cell| symmetry.image(cell)).collect();
            let (top, left) = corner(&images);
            let place = |image: &(isize, isize)| {
                self.cells.iter().position(|&cell| cell == (image.0 - top, image.1 - left))
            };
            Some((symmetry, images.iter().map(place).collect::<Option<Vec<usize>>>()?))
        };
        (0..Symmetry::N).filter_map(|index| places(Symmetry::nth(index))).collect()
    }

    /// Appends the slots of all tuples, by index. Returns the slot after the last one.
    fn append_slots(self, slots: &mut Vec<u32>, mut next: u32) -> u32 {
        const FREE: u32 = u32::MAX;
        let (first, n) = (slots.len(), self.contents.n());
        slots.resize(first + self.n_tuples(), FREE);
        // By symmetry, cell and content: what the cell adds to the index of the image.
        let summand = |symmetry: Symmetry, place: usize, content: usize| {
            let power = n.pow((self.cells.len() - 1 - place) as u32);
            usize::from(self.contents.image(content as u8, symmetry)) * power
        };
        let summands: Vec<Vec<Vec<usize>>> = self
            .symmetries()
            .into_iter()
            .map(|(symmetry, places)| {
                let of_cell =
                    |place| (0..n).map(|content| summand(symmetry, place, content)).collect();
                places.into_iter().map(of_cell).collect()
            })
            .collect();
        let mut tuple = vec![0; self.cells.len()];
        for index in 0..self.n_tuples() {
            if slots[first + index] != FREE {
                continue;
            }
            let mut rest = index;
            for content in tuple.iter_mut().rev() {
                (*content, rest) = (rest % n, rest / n);
            }
            for by_cell in &summands {
                let image: usize =
                    tuple.iter().zip(by_cell).map(|(&content, summands)| summands[content]).sum();
                slots[first + image] = next;
            }
            next += 1;
        }
        next
    }
}

/// Where the tuples of each shape begin in a table of all tuples: blocks, crosses, then pairs by offset.
pub(super) const FIRST_CROSS: usize = BLOCK.n_tuples();
const FIRST_PAIR: usize = FIRST_CROSS + CROSS.n_tuples();
const TUPLES_PER_PAIR: usize = PAIRS[0].n_tuples();

/// The layout of the weights in the file.
pub(super) struct TupleSlots {
    /// The number of weights.
    pub(super) n: usize,
    /// The slot of each tuple, in the order of a table of all tuples.
    pub(super) by_tuple: Vec<u32>,
}

impl TupleSlots {
    pub(super) fn get() -> &'static TupleSlots {
        static SLOTS: LazyLock<TupleSlots> = LazyLock::new(|| {
            let mut by_tuple = Vec::new();
            let shapes = [BLOCK, CROSS].into_iter().chain(PAIRS);
            let n = shapes.fold(0, |next, shape| shape.append_slots(&mut by_tuple, next));
            let by_shape = by_tuple.split_off(FIRST_PAIR);
            by_tuple.extend(PAIR_OFFSETS.iter().flat_map(|&offset| pair_slots(offset, &by_shape)));
            TupleSlots { n: n as usize, by_tuple }
        });
        &SLOTS
    }
}

/// The slot of pairs without a weight.
const NO_SLOT: u32 = u32::MAX;

/// The slots of the pairs with an offset, given those of each shape.
fn pair_slots(offset: (isize, isize), by_shape: &[u32]) -> impl Iterator<Item = u32> {
    let find = |index: usize| {
        let image = Symmetry::nth(index).image(offset);
        let shape = PAIRS.iter().position(|shape| shape.cells[1] == image)?;
        Some((Symmetry::nth(index), &by_shape[shape * TUPLES_PER_PAIR..][..TUPLES_PER_PAIR]))
    };
    let found = (0..Symmetry::N).find_map(find);
    (0..TUPLES_PER_PAIR).filter_map(move |pair| {
        let (symmetry, slots) = found?;
        let contents = [pair / PAIR.n(), pair % PAIR.n()].map(|content| content as u8);
        if contents.iter().any(|&content| content >= PAIR.blank()) {
            return Some(NO_SLOT);
        }
        Some(slots[PAIR.index(contents.map(|content| PAIR.image(content, symmetry)))])
    })
}

/// The index of the pairs with the `at`-th offset whose first cell has this content; the content of the second cell must be
/// added.
pub(super) fn first_pair(at: usize, content: u8) -> usize {
    FIRST_PAIR + at * TUPLES_PER_PAIR + usize::from(content) * PAIR.n()
}

/// The size of the largest boards that use each set of weights except the last.
const MAX_CELLS_OF_SET: [usize; 2] = [42, 81];

/// The weights for boards of one size range.
pub(crate) struct TupleWeights {
    /// In the order of a table of all tuples.
    by_tuple: Vec<i8>,
}

impl TupleWeights {
    /// The weights for boards of `n_cells` cells.
    pub(crate) fn for_size(n_cells: usize) -> &'static TupleWeights {
        static SETS: [LazyLock<TupleWeights>; 3] = [
            LazyLock::new(|| TupleWeights::embedded(0)),
            LazyLock::new(|| TupleWeights::embedded(1)),
            LazyLock::new(|| TupleWeights::embedded(2)),
        ];
        let set = MAX_CELLS_OF_SET.iter().position(|&max_cells| n_cells <= max_cells);
        &SETS[set.unwrap_or(MAX_CELLS_OF_SET.len())]
    }

    fn embedded(set: usize) -> TupleWeights {
        static BYTES: &[u8] = include_bytes!("../../../data/tuples.bin");
        let bytes = BYTES.chunks_exact(TupleSlots::get().n).nth(set).unwrap_or_default();
        TupleWeights::new(&bytes.iter().map(|&byte| byte as i8).collect::<Vec<i8>>())
    }

    /// The weights with these values, by slot.
    pub(super) fn new(values: &[i8]) -> TupleWeights {
        let weight = |&slot: &u32| if slot == NO_SLOT { 0 } else { values[slot as usize] };
        TupleWeights { by_tuple: TupleSlots::get().by_tuple.iter().map(weight).collect() }
    }

    /// The weight of a tuple.
    #[inline(always)]
    pub(super) fn get(&self, tuple: usize) -> i32 {
        i32::from(self.by_tuple[tuple])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_have_the_slots_of_their_images() {
        let slots = &TupleSlots::get().by_tuple;
        let block = |block: [u8; 4]| slots[BLOCK.contents.index(block)];
        let tile = |down, right| BLOCK.contents.tile((down, right));
        let (a, b, c) = (tile(0, 1), tile(1, -2), BLOCK.contents.border());
        // A quarter turn moves a cell from the upper left to the upper right.
        assert_eq!(block([a, b, c, c]), block([c, tile(1, 0), c, tile(-2, -1)]));
        // A reflection, and a displacement beyond the reach.
        assert_eq!(block([a, b, c, c]), block([tile(1, 5), tile(0, -1), c, c]));
        assert_ne!(block([a, b, c, c]), block([b, a, c, c]));
        let pair = |offset: (isize, isize), [a, b]: [(isize, isize); 2]| {
            let at = PAIR_OFFSETS.iter().position(|&it| it == offset).unwrap();
            slots[first_pair(at, PAIR.tile(a)) + usize::from(PAIR.tile(b))]
        };
        // A reflection across the line of the pair, and one along it, which exchanges the cells.
        assert_eq!(pair((0, 1), [(1, 3), (0, 2)]), pair((0, 1), [(-1, 3), (0, 2)]));
        assert_eq!(pair((0, 2), [(1, 3), (0, 2)]), pair((0, 2), [(0, -2), (1, -3)]));
        // Transpositions.
        assert_eq!(pair((0, 2), [(1, 3), (0, 2)]), pair((2, 0), [(3, 1), (2, 0)]));
        assert_eq!(pair((1, 1), [(1, 3), (0, 2)]), pair((1, 1), [(3, 1), (2, 0)]));
        assert_ne!(pair((1, 2), [(1, 3), (0, 2)]), pair((1, 2), [(3, 1), (2, 0)]));
        assert_eq!(pair((1, 2), [(1, 3), (0, 2)]), pair((2, 1), [(3, 1), (2, 0)]));
        // A half turn, and a reflection that exchanges the cells.
        assert_eq!(pair((1, 2), [(1, 3), (0, 2)]), pair((1, 2), [(0, -2), (-1, -3)]));
        assert_eq!(pair((1, 2), [(1, 3), (0, 2)]), pair((1, -2), [(1, -3), (0, -2)]));
        assert_ne!(pair((1, 1), [(1, 3), (0, 2)]), pair((1, 1), [(-1, 3), (0, 2)]));
    }

    #[test]
    fn only_pairs_without_two_tiles_have_no_weight() {
        let slots = TupleSlots::get();
        let mut is_used = vec![false; slots.n];
        let by_tuple = slots.by_tuple.iter().filter(|&&slot| slot != NO_SLOT);
        by_tuple.for_each(|&slot| is_used[slot as usize] = true);
        // Counted by Burnside's lemma.
        assert_eq!(is_used.iter().filter(|&&is_used| !is_used).count(), 650);
    }

    #[test]
    fn embedded_file_has_all_sets() {
        for n_cells in [36, 64, 100] {
            let weights = TupleWeights::for_size(n_cells);
            let n_nonzero = weights.by_tuple.iter().filter(|&&weight| weight != 0).count();
            assert!(n_nonzero > weights.by_tuple.len() / 10, "{n_cells}: {n_nonzero}");
        }
    }
}
