//! The change of the n-tuple network by a slide.
//!
//! A slide exchanges the blank and a tile next to it, so only the tuples around them change: six blocks, eight crosses,
//! and the pairs of the tile with the tiles around it, before and after. The contents of the cells around the blank are
//! looked up once for all slides of a board ([`Surroundings`]). Where the tuples of a slide are among these cells is known
//! at compile time ([`SlideTuples`]).

use npuzzle_core::Slide;

use super::tuple_weights::{
    BLOCK, CROSS, FIRST_CROSS, PAIR, PAIR_OFFSETS, TupleWeights, first_pair,
};

/// The content of a cell as the tuples around it see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Content {
    pub(super) block: u8,
    pub(super) cross: u8,
    pub(crate) pair: u8,
}

impl Content {
    /// A cell beyond the border.
    pub(crate) const BORDER: Content = Content {
        block: BLOCK.contents.border(),
        cross: CROSS.contents.border(),
        pair: PAIR.border(),
    };

    /// The blank.
    pub(crate) const BLANK: Content = Content {
        block: BLOCK.contents.blank(),
        cross: CROSS.contents.blank(),
        pair: PAIR.blank(),
    };

    /// A tile whose goal cell is this many steps below and to the right.
    #[inline]
    pub(crate) fn tile(steps: (isize, isize)) -> Content {
        TILES[usize::from(PAIR.tile(steps))]
    }
}

const _: () = assert!(BLOCK.contents.reach <= PAIR.reach && CROSS.contents.reach <= PAIR.reach);

/// The contents with a tile, by [`Content::pair`]. Blocks and crosses distinguish less.
const TILES: [Content; PAIR.blank() as usize] = {
    let mut tiles = [Content::BLANK; PAIR.blank() as usize];
    let mut pair = 0;
    while pair < PAIR.blank() {
        if let Some(steps) = PAIR.steps(pair) {
            let (block, cross) = (BLOCK.contents.tile(steps), CROSS.contents.tile(steps));
            tiles[pair as usize] = Content { block, cross, pair };
        }
        pair += 1;
    }
    tiles
};

/// The number of cells that share a tuple with the blank or with a cell next to it.
pub(crate) const N_AROUND: usize = 37;

/// The cells around the blank, as steps down and to the right of it: at most two steps in each direction, or three and at
/// most one across.
pub(crate) const AROUND: [(isize, isize); N_AROUND] = {
    let mut cells = [(0, 0); N_AROUND];
    let (mut n, mut down) = (0, -3);
    while down <= 3 {
        let mut right = -3;
        while right <= 3 {
            let (rows, cols): (isize, isize) = (down, right);
            if rows.abs() <= 2 && cols.abs() <= 2 || rows.abs() + cols.abs() <= 4 {
                cells[n] = (down, right);
                n += 1;
            }
            right += 1;
        }
        down += 1;
    }
    assert!(n == N_AROUND);
    cells
};

/// The place of a cell in [`AROUND`].
const fn place((down, right): (isize, isize)) -> u8 {
    let mut at = 0;
    while AROUND[at].0 != down || AROUND[at].1 != right {
        at += 1;
    }
    at as u8
}

/// The place of the blank.
const CENTER: usize = place((0, 0)) as usize;

/// The tuples that a slide changes, as places in [`AROUND`].
struct SlideTuples {
    /// The cell of the tile before the slide.
    from: u8,
    blocks: [[u8; 4]; 6],
    crosses: [[u8; 5]; 8],
    /// The cells that form pairs with the cell of the tile before the slide, and after it: those below or to the right by
    /// one of [`PAIR_OFFSETS`], then those above or to the left.
    partners_before: [[u8; PAIR_OFFSETS.len()]; 2],
    partners_after: [[u8; PAIR_OFFSETS.len()]; 2],
}

/// By slide, in the order of [`Slide::ALL`].
const SLIDE_TUPLES: [SlideTuples; Slide::ALL.len()] = [
    SlideTuples::new((1, 0)),
    SlideTuples::new((-1, 0)),
    SlideTuples::new((0, 1)),
    SlideTuples::new((0, -1)),
];

impl SlideTuples {
    /// The tuples of a slide of the tile at this position relative to the blank.
    const fn new(from: (isize, isize)) -> SlideTuples {
        let (mut blocks, mut crosses) = ([[0; 4]; 6], [[0; 5]; 8]);
        let (mut n_blocks, mut n_crosses) = (0, 0);
        let mut down = -2;
        while down <= 2 {
            let mut right = -2;
            while right <= 2 {
                if is_near((0, 0), (down, right)) || is_near(from, (down, right)) {
                    crosses[n_crosses] = [
                        place((down - 1, right)),
                        place((down, right - 1)),
                        place((down, right)),
                        place((down, right + 1)),
                        place((down + 1, right)),
                    ];
                    n_crosses += 1;
                }
                if block_contains((down, right), (0, 0)) || block_contains((down, right), from) {
                    blocks[n_blocks] = [
                        place((down, right)),
                        place((down, right + 1)),
                        place((down + 1, right)),
                        place((down + 1, right + 1)),
                    ];
                    n_blocks += 1;
                }
                right += 1;
            }
            down += 1;
        }
        assert!(n_blocks == 6 && n_crosses == 8);
        SlideTuples {
            from: place(from),
            blocks,
            crosses,
            partners_before: partners(from),
            partners_after: partners((0, 0)),
        }
    }
}

/// Whether two cells are equal or neighbors.
const fn is_near(cell: (isize, isize), other: (isize, isize)) -> bool {
    (cell.0 - other.0).abs() + (cell.1 - other.1).abs() <= 1
}

/// Whether the block with this upper left cell contains a cell.
const fn block_contains(first: (isize, isize), cell: (isize, isize)) -> bool {
    let (down, right) = (cell.0 - first.0, cell.1 - first.1);
    0 <= down && down <= 1 && 0 <= right && right <= 1
}

/// The cells that form pairs with a cell.
const fn partners(cell: (isize, isize)) -> [[u8; PAIR_OFFSETS.len()]; 2] {
    let mut partners = [[0; PAIR_OFFSETS.len()]; 2];
    let mut at = 0;
    while at < PAIR_OFFSETS.len() {
        let (down, right) = PAIR_OFFSETS[at];
        partners[0][at] = place((cell.0 + down, cell.1 + right));
        partners[1][at] = place((cell.0 - down, cell.1 - right));
        at += 1;
    }
    partners
}

/// The contents of the cells around the blank of a board, in the order of [`AROUND`].
pub(crate) struct Surroundings([Content; N_AROUND]);

impl Surroundings {
    /// The surroundings with these contents, by place in [`AROUND`]. That of the blank is ignored.
    #[inline(always)]
    pub(crate) fn new(content: impl Fn(usize) -> Content) -> Surroundings {
        let mut contents = [Content::BLANK; N_AROUND];
        for (at, it) in contents.iter_mut().enumerate() {
            *it = content(at);
        }
        contents[CENTER] = Content::BLANK;
        Surroundings(contents)
    }
}

impl TupleWeights {
    /// The change of the network by a slide, given by its index in [`Slide::ALL`], after which the tile has this content.
    #[inline(always)]
    pub(crate) fn change(&self, surroundings: &Surroundings, slide: usize, after: Content) -> i32 {
        match slide {
            0 => self.change_by::<0>(surroundings, after),
            1 => self.change_by::<1>(surroundings, after),
            2 => self.change_by::<2>(surroundings, after),
            _ => self.change_by::<3>(surroundings, after),
        }
    }

    /// The change by a slide that is known at compile time, so that the places of its tuples are constants.
    #[inline(always)]
    fn change_by<const SLIDE: usize>(&self, surroundings: &Surroundings, after: Content) -> i32 {
        let tuples = const { &SLIDE_TUPLES[SLIDE] };
        let (mut cells, from) = (surroundings.0, usize::from(tuples.from));
        let sum_before = self.blocks_and_crosses(&cells, tuples)
            + self.pairs(&cells, cells[from].pair, &tuples.partners_before);
        cells[CENTER] = after;
        cells[from] = Content::BLANK;
        let sum_after = self.blocks_and_crosses(&cells, tuples)
            + self.pairs(&cells, after.pair, &tuples.partners_after);
        sum_after - sum_before
    }

    #[inline(always)]
    fn blocks_and_crosses(&self, cells: &[Content; N_AROUND], tuples: &SlideTuples) -> i32 {
        let block = |place: u8| cells[usize::from(place)].block;
        let cross = |place: u8| cells[usize::from(place)].cross;
        let mut sum = 0;
        for &[a, b, c, d] in &tuples.blocks {
            sum += self.get(BLOCK.contents.index([block(a), block(b), block(c), block(d)]));
        }
        for &[a, b, c, d, e] in &tuples.crosses {
            let contents = [cross(a), cross(b), cross(c), cross(d), cross(e)];
            sum += self.get(FIRST_CROSS + CROSS.contents.index(contents));
        }
        sum
    }

    /// The sum over the pairs of a tile with its partners. Pairs with the blank or with a cell beyond the border have a
    /// weight of 0.
    #[inline(always)]
    fn pairs(
        &self,
        cells: &[Content; N_AROUND],
        content: u8,
        [below, above]: &[[u8; PAIR_OFFSETS.len()]; 2],
    ) -> i32 {
        let mut sum = 0;
        for (offset, &place) in below.iter().enumerate() {
            let other = cells[usize::from(place)].pair;
            sum += self.get(first_pair(offset, content) + usize::from(other));
        }
        for (offset, &place) in above.iter().enumerate() {
            let other = cells[usize::from(place)].pair;
            sum += self.get(first_pair(offset, other) + usize::from(content));
        }
        sum
    }
}
