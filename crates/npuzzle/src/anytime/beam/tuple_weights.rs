//! The weights of an n-tuple network (Bledsoe and Browning 1959), stored in `data/tuples.bin`.
//!
//! The network is a sum over all blocks of 2×2 cells and all lines of three cells of a board. The contents of the
//! cells of such a *tuple* select one weight of a table. The content of a cell is the displacement of its tile from
//! the goal cell, clamped to a reach; the blank and cells beyond the border are contents of their own.
//!
//! A tuple has the same weight as its mirror images and its transpose, so the weights work for every goal. The file
//! has one weight for each tuple up to symmetry: the *slots*.

use std::sync::LazyLock;

/// The contents of cells that are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contents {
    /// The largest displacement in each direction that is distinguished.
    reach: isize,
}

/// The contents of a cell of a 2×2 block.
pub(super) const BLOCK: Contents = Contents { reach: 2 };

/// The contents of a cell of a line.
pub(super) const LINE: Contents = Contents { reach: 3 };

/// A symmetry of the square.
#[derive(Clone, Copy)]
struct Symmetry {
    flips_cols: bool,
    flips_rows: bool,
    transposes: bool,
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
    pub(super) const fn border(self) -> u8 {
        self.n() as u8 - 1
    }

    /// A tile whose goal cell is `right` cells to the right and `down` cells below.
    pub(super) fn tile(self, right: isize, down: isize) -> u8 {
        let digit = |steps: isize| (steps.clamp(-self.reach, self.reach) + self.reach) as usize;
        (digit(down) * self.side() + digit(right)) as u8
    }

    /// The content after a symmetry of the board.
    fn image(self, content: u8, symmetry: Symmetry) -> u8 {
        if content >= self.blank() {
            return content;
        }
        let (down, right) =
            (usize::from(content) / self.side(), usize::from(content) % self.side());
        let steps = |digit: usize, flips: bool| {
            let steps = digit as isize - self.reach;
            if flips { -steps } else { steps }
        };
        let (right, down) = (steps(right, symmetry.flips_cols), steps(down, symmetry.flips_rows));
        if symmetry.transposes { self.tile(down, right) } else { self.tile(right, down) }
    }

    /// The index of a tuple of these contents.
    #[inline(always)]
    pub(super) fn index<const N: usize>(self, tuple: [u8; N]) -> usize {
        tuple.iter().fold(0, |index, &content| index * self.n() + usize::from(content))
    }
}

/// The images of a block, whose cells are in the order of reading.
fn block_images(block: [u8; 4]) -> impl Iterator<Item = [u8; 4]> {
    let flags = [false, true];
    let symmetries = flags.into_iter().flat_map(move |flips_cols| {
        flags.into_iter().flat_map(move |flips_rows| {
            flags.map(|transposes| Symmetry { flips_cols, flips_rows, transposes })
        })
    });
    symmetries.map(move |symmetry| {
        let mut image = [0; 4];
        for (at, &content) in block.iter().enumerate() {
            let col = (at % 2) ^ usize::from(symmetry.flips_cols);
            let row = (at / 2) ^ usize::from(symmetry.flips_rows);
            let at = if symmetry.transposes { 2 * col + row } else { 2 * row + col };
            image[at] = BLOCK.image(content, symmetry);
        }
        image
    })
}

/// The images of a row of three cells that are rows.
fn line_images(line: [u8; 3]) -> impl Iterator<Item = [u8; 3]> {
    let symmetries = [(false, false), (true, false), (false, true), (true, true)];
    symmetries.into_iter().map(move |(flips_cols, flips_rows)| {
        let symmetry = Symmetry { flips_cols, flips_rows, transposes: false };
        let mut image = line.map(|content| LINE.image(content, symmetry));
        if flips_cols {
            image.reverse();
        }
        image
    })
}

/// The slots of all tuples, by index, beginning with `first`; also the slot after the last one.
fn slots_of<const N: usize, I: Iterator<Item = [u8; N]>>(
    contents: Contents,
    images: impl Fn([u8; N]) -> I,
    first: u32,
) -> (Vec<u32>, u32) {
    const FREE: u32 = u32::MAX;
    let n_tuples = contents.n().pow(N as u32);
    let (mut slots, mut next) = (vec![FREE; n_tuples], first);
    for index in 0..n_tuples {
        if slots[index] != FREE {
            continue;
        }
        let (mut tuple, mut rest) = ([0; N], index);
        for content in tuple.iter_mut().rev() {
            (*content, rest) = ((rest % contents.n()) as u8, rest / contents.n());
        }
        images(tuple).for_each(|image| slots[contents.index(image)] = next);
        next += 1;
    }
    (slots, next)
}

/// The layout of the weights in the file: blocks, then lines.
pub(super) struct TupleSlots {
    /// The number of weights.
    pub(super) n: usize,
    /// By [`Contents::index`].
    pub(super) blocks: Vec<u32>,
    pub(super) lines: Vec<u32>,
}

impl TupleSlots {
    pub(super) fn get() -> &'static TupleSlots {
        static SLOTS: LazyLock<TupleSlots> = LazyLock::new(|| {
            let (blocks, n_blocks) = slots_of(BLOCK, block_images, 0);
            let (lines, n) = slots_of(LINE, line_images, n_blocks);
            TupleSlots { n: n as usize, blocks, lines }
        });
        &SLOTS
    }
}

/// The size of the largest boards for which the network is worth its time. Solutions of 12×12 boards become shorter by
/// it, those of 16×16 boards longer: their beams are so narrow that they need the time more than the better order.
const MAX_CELLS: usize = 196;

/// The weights for boards of one size range.
pub(super) struct TupleWeights {
    /// By [`Contents::index`].
    blocks: Vec<i16>,
    lines: Vec<i16>,
}

impl TupleWeights {
    /// The weights for boards of `n_cells` cells; `None` if there are none.
    pub(super) fn for_size(n_cells: usize) -> Option<&'static TupleWeights> {
        static SETS: LazyLock<Vec<TupleWeights>> = LazyLock::new(|| {
            static BYTES: &[u8] = include_bytes!("../../../data/tuples.bin");
            let values: Vec<i16> =
                BYTES.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
            let slots = TupleSlots::get();
            values.chunks_exact(slots.n).map(TupleWeights::new).collect()
        });
        (n_cells <= MAX_CELLS).then(|| SETS.first()).flatten()
    }

    /// The weights with these values, in the order of [`TupleSlots`].
    pub(super) fn new(values: &[i16]) -> TupleWeights {
        let by_index = |slots: &[u32]| slots.iter().map(|&slot| values[slot as usize]).collect();
        let TupleSlots { blocks, lines, .. } = TupleSlots::get();
        TupleWeights { blocks: by_index(blocks), lines: by_index(lines) }
    }

    /// The weight of a block, whose cells are in the order of reading.
    #[inline(always)]
    pub(super) fn block(&self, block: [u8; 4]) -> i32 {
        i32::from(self.blocks[BLOCK.index(block)])
    }

    /// The weight of three cells in a row.
    #[inline(always)]
    pub(super) fn line(&self, line: [u8; 3]) -> i32 {
        i32::from(self.lines[LINE.index(line)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_have_the_slots_of_their_images() {
        let slots = TupleSlots::get();
        let block = |block: [u8; 4]| slots.blocks[BLOCK.index(block)];
        let tile = |right, down| BLOCK.tile(right, down);
        let (a, b, c) = (tile(1, 0), tile(-2, 1), BLOCK.border());
        // A quarter turn moves a cell from the upper left to the upper right.
        assert_eq!(block([a, b, c, c]), block([c, tile(0, 1), c, tile(-1, -2)]));
        // A reflection, and a displacement beyond the reach.
        assert_eq!(block([a, b, c, c]), block([tile(5, 1), tile(-1, 0), c, c]));
        assert_ne!(block([a, b, c, c]), block([b, a, c, c]));
        let line = |line: [u8; 3]| slots.lines[LINE.index(line)];
        let tile = |right, down| LINE.tile(right, down);
        let (x, y, blank) = (tile(3, -1), tile(0, 2), LINE.blank());
        assert_eq!(line([x, y, blank]), line([blank, tile(0, 2), tile(-3, -1)]));
        assert_eq!(line([x, y, blank]), line([tile(3, 1), tile(0, -2), blank]));
        assert_ne!(line([x, y, blank]), line([y, x, blank]));
    }

    #[test]
    fn every_slot_is_used() {
        let slots = TupleSlots::get();
        let mut is_used = vec![false; slots.n];
        slots.blocks.iter().chain(&slots.lines).for_each(|&slot| is_used[slot as usize] = true);
        assert!(is_used.into_iter().all(|is_used| is_used));
    }
}
