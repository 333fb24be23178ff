//! Orders of tiles in classes, and their ranks.
//!
//! An *order* is the sequence of the tiles' classes, row by row without the blank: a permutation of a
//! multiset. It is a word of three bits per tile, the first tile in the lowest bits. Classes of 4, 4, 3,
//! 2 and 2 tiles have 15!/(4!4!3!2!2!) = 94,594,500 orders.
//!
//! ```text
//!     positions 0 1 2 3 4 5 6 7 | 8 9 10 11 12 13 14        rank = first rank of the head
//!               head              tail                             + number of the tail
//! ```
//!
//! The last seven positions are the *tail*, those before them the *head*. The classes that the head
//! contains determine the classes of the tail. Heads are in lexicographic order, and each head is
//! followed by a *block* of all its tails, again in lexicographic order. Blocks begin at multiples of
//! 64, so that a set of orders is a list of words, some of whose bits are unused.
//!
//! A rank is a sum of four numbers, for the first and the other four classes of the head, and for the first four
//! and the other three of the tail. The second number also depends on how many tiles of each class are among the
//! first four, and the third on how many are among the last three. The tables of these numbers take 220 KB for
//! five classes, and fit into the second-level cache; two tables by whole heads and tails take 1.7 MB.

use std::collections::BTreeMap;

use crate::mtm::axis::Axis;

/// The maximum number of classes.
pub(crate) const MAX_CLASSES: usize = 5;

/// The number of bits per tile.
const BITS: usize = 3;

/// The number of positions in the tail, if there are as many tiles.
const TAIL: usize = 7;

/// The number of tiles in each class.
pub(crate) type ClassSizes = [usize; MAX_CLASSES];

/// Ranks the orders of tiles in classes of given sizes.
#[derive(Clone, Debug)]
pub(crate) struct MultisetRanker {
    n_tiles: usize,
    n_head: usize,
    /// The bits of the head in an order, and their number.
    head_mask: u64,
    head_bits: u32,
    /// The number of classes, up to the last one that has tiles.
    n_classes: usize,
    /// The number of each word of four positions, in the base `n_classes`.
    fours: Box<[u16; 1 << (4 * BITS)]>,
    /// By the first four classes of the head.
    head_starts: Box<[HeadStart; 1 << (4 * BITS)]>,
    /// By the row of the first four classes, and by the other four: the number of ranks between the first head
    /// with the same start and this one.
    head_rests: Vec<u32>,
    /// By the last three classes of the tail.
    tail_ends: Box<[TailEnd; 1 << (3 * BITS)]>,
    /// By the row of the last three classes, and by the first four: the number of the first tail in its block
    /// that starts with these four.
    tail_starts: Vec<u16>,
    blocks: Vec<Block>,
    /// The lists of tails with the same classes.
    tail_lists: Vec<Vec<u64>>,
}

/// The first four classes of a head.
#[derive(Clone, Copy, Debug, Default)]
struct HeadStart {
    /// The first rank.
    first: u32,
    /// Where the rests of heads with these classes are in `head_rests`.
    row: u32,
}

/// The last three classes of a tail.
#[derive(Clone, Copy, Debug, Default)]
struct TailEnd {
    /// The number of words before it with the same classes.
    number: u16,
    /// Where the starts of tails with these classes are in `tail_starts`.
    row: u16,
}

/// All orders with the same head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) head: u64,
    /// The first rank.
    pub(crate) first: usize,
    tail_list: usize,
}

impl MultisetRanker {
    /// A ranker for classes of these sizes, at most 15 tiles together.
    pub(crate) fn new(sizes: ClassSizes) -> MultisetRanker {
        let n_tiles: usize = sizes.iter().sum();
        let n_head = n_tiles.saturating_sub(TAIL);
        let n_classes = sizes.iter().rposition(|&size| size > 0).map_or(1, |last| last + 1);
        let mut ranker = MultisetRanker {
            n_tiles,
            n_head,
            head_mask: (1 << (BITS * n_head)) - 1,
            head_bits: (BITS * n_head) as u32,
            n_classes,
            fours: Box::new([0; 1 << (4 * BITS)]),
            head_starts: Box::new([HeadStart::default(); 1 << (4 * BITS)]),
            head_rests: Vec::new(),
            tail_ends: Box::new([TailEnd::default(); 1 << (3 * BITS)]),
            tail_starts: Vec::new(),
            blocks: Vec::new(),
            tail_lists: Vec::new(),
        };
        for (word, number) in (0u64..).zip(ranker.fours.iter_mut()) {
            let classes = (0..4).map(|position| class(word, position));
            *number = classes.fold(0, |number, class| number * n_classes as u16 + class as u16);
        }
        let by_classes = ranker.add_tails(&sizes);
        ranker.add_heads(&sizes, &by_classes);
        ranker
    }

    /// Numbers the tails. Returns the index of the list of tails by their classes.
    fn add_tails(&mut self, sizes: &ClassSizes) -> BTreeMap<ClassSizes, usize> {
        let (n_tail, n_fours) = (self.n_tiles - self.n_head, self.n_classes.pow(4));
        let (n_start, n_end) = (n_tail.min(4), n_tail.saturating_sub(4));
        let mut rows: BTreeMap<ClassSizes, (u16, u16)> = BTreeMap::new();
        for end in words(n_end, sizes) {
            let row = (rows.len() * n_fours) as u16;
            let (row, n_known) = rows.entry(count(end, n_end)).or_insert((row, 0));
            self.tail_ends[end as usize] = TailEnd { number: *n_known, row: *row };
            *n_known += 1;
        }
        self.tail_starts = vec![0; rows.len() * n_fours];
        let mut by_classes: BTreeMap<ClassSizes, usize> = BTreeMap::new();
        for tail in words(n_tail, sizes) {
            let list = *by_classes.entry(count(tail, n_tail)).or_insert_with(|| {
                self.tail_lists.push(Vec::new());
                self.tail_lists.len() - 1
            });
            let TailEnd { number, row } = self.tail_ends[end_index(tail)];
            if number == 0 {
                let start = self.four(prefix(tail, n_start));
                self.tail_starts[usize::from(row) + start] = self.tail_lists[list].len() as u16;
            }
            self.tail_lists[list].push(tail);
        }
        by_classes
    }

    /// Numbers the heads.
    fn add_heads(&mut self, sizes: &ClassSizes, by_classes: &BTreeMap<ClassSizes, usize>) {
        let (n_start, n_fours) = (self.n_head.min(4), self.n_classes.pow(4));
        let mut rows: BTreeMap<ClassSizes, u32> = BTreeMap::new();
        let mut last_start = None;
        let mut first = 0;
        for head in words(self.n_head, sizes) {
            let taken = count(head, self.n_head);
            let rest: ClassSizes = std::array::from_fn(|class| sizes[class] - taken[class]);
            // Some tail has these classes.
            let tail_list = by_classes.get(&rest).copied().unwrap_or(0);
            let start = prefix(head, n_start);
            let index = four_index(start);
            if last_start != Some(start) {
                last_start = Some(start);
                let row = (rows.len() * n_fours) as u32;
                let row = *rows.entry(count(start, n_start)).or_insert(row);
                self.head_rests.resize(rows.len() * n_fours, 0);
                self.head_starts[index] = HeadStart { first: first as u32, row };
            }
            // The same for all starts with the same classes.
            let HeadStart { first: first_of_start, row } = self.head_starts[index];
            let rest = row as usize + self.four(head >> (4 * BITS));
            self.head_rests[rest] = first as u32 - first_of_start;
            self.blocks.push(Block { head, first, tail_list });
            first += self.tail_lists[tail_list].len().next_multiple_of(64);
        }
    }

    /// The number of ranks, unused ones included: a multiple of 64.
    pub(crate) fn n_ranks(sizes: ClassSizes) -> usize {
        let n_tiles: usize = sizes.iter().sum();
        let n_head = n_tiles.saturating_sub(TAIL);
        let n_orders = |sizes: ClassSizes| -> usize {
            let factorial = |n: usize| (1..=n).product::<usize>();
            let n_equal: usize = sizes.iter().map(|&size| factorial(size)).product();
            factorial(sizes.iter().sum()) / n_equal
        };
        let mut heads: Vec<ClassSizes> = vec![[0; MAX_CLASSES]];
        for class in 0..MAX_CLASSES {
            let with = |head: &ClassSizes| {
                let mut head = *head;
                (0..=sizes[class]).map(move |n| {
                    head[class] = n;
                    head
                })
            };
            heads = heads.iter().flat_map(with).collect();
        }
        heads.retain(|head| head.iter().sum::<usize>() == n_head);
        let ranks = heads.into_iter().map(|head| {
            let tail = std::array::from_fn(|class| sizes[class] - head[class]);
            n_orders(head) * n_orders(tail).next_multiple_of(64)
        });
        ranks.sum()
    }

    /// The rank of an order.
    #[inline(always)]
    pub(crate) fn rank(&self, order: u64) -> usize {
        let tail = order >> (self.head_bits % 64);
        let TailEnd { number, row } = self.tail_ends[end_index(tail)];
        let start = self.tail_starts[usize::from(row) + self.four(tail)];
        self.first_rank(order & self.head_mask) + usize::from(start + number)
    }

    /// The rank of the first order with a head.
    #[inline(always)]
    pub(crate) fn first_rank(&self, head: u64) -> usize {
        let HeadStart { first, row } = self.head_starts[four_index(head)];
        (first + self.head_rests[row as usize + self.four(head >> (4 * BITS))]) as usize
    }

    /// The number of the first four classes of a word. Missing positions count as class 0.
    #[inline(always)]
    fn four(&self, word: u64) -> usize {
        usize::from(self.fours[four_index(word)])
    }

    /// The number of tiles.
    pub(crate) fn n_tiles(&self) -> usize {
        self.n_tiles
    }

    /// The number of positions in the head.
    pub(crate) fn n_head(&self) -> usize {
        self.n_head
    }

    /// All blocks, in the order of the ranks.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The order with a number within a block.
    pub(crate) fn order(&self, block: Block, number: usize) -> u64 {
        block.head | self.tail_lists[block.tail_list][number] << (BITS * self.n_head)
    }

    /// The orders of a block, in the order of the ranks.
    pub(crate) fn orders(&self, block: Block) -> impl ExactSizeIterator<Item = u64> {
        let shift = BITS * self.n_head;
        self.tail_lists[block.tail_list].iter().map(move |tail| block.head | tail << shift)
    }
}

/// The first four classes of a word, as an index.
#[inline(always)]
fn four_index(word: u64) -> usize {
    word as usize % (1 << (4 * BITS))
}

/// The last three classes of a tail, as an index.
#[inline(always)]
fn end_index(tail: u64) -> usize {
    (tail >> (4 * BITS)) as usize % (1 << (3 * BITS))
}

/// The first positions of an order.
#[inline(always)]
pub(crate) fn prefix(order: u64, n_positions: usize) -> u64 {
    order & ((1 << (BITS * n_positions)) - 1)
}

/// The class at a position.
#[inline(always)]
fn class(order: u64, position: usize) -> usize {
    (order >> (BITS * position) & 7) as usize
}

/// An order with a class at a position that was 0.
#[inline(always)]
pub(crate) fn with_class(order: u64, position: usize, class: u8) -> u64 {
    order | u64::from(class) << (BITS * position)
}

/// The number of tiles of each class at the first positions.
pub(crate) fn count(order: u64, n_positions: usize) -> ClassSizes {
    let mut classes = [0; MAX_CLASSES];
    (0..n_positions).for_each(|position| classes[class(order, position)] += 1);
    classes
}

/// All words of `n_positions` classes that the sizes of the classes allow, in lexicographic order.
fn words(n_positions: usize, sizes: &ClassSizes) -> Vec<u64> {
    let mut words = vec![0];
    for position in 0..n_positions {
        let longer = |&word: &u64| {
            let taken = count(word, position);
            let free = (0..MAX_CLASSES).filter(move |&class| taken[class] < sizes[class]);
            free.map(move |class| with_class(word, position, class as u8))
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

/// The order after the blank has moved down from a position to the cell that is `width` positions
/// later: of the `width` tiles from that position on, the last one becomes the first.
#[inline(always)]
pub(crate) fn after_blank_down(order: u64, position: usize, width: usize) -> u64 {
    let (first, last) = (BITS * position, BITS * (position + width - 1));
    let between = ((1 << last) - 1) & !((1 << first) - 1);
    let moved = order >> last & 7;
    order & !(between | 7 << last) | (order & between) << BITS | moved << first
}

/// The order after the blank has moved up from a position: the inverse of [`after_blank_down`].
#[inline(always)]
pub(crate) fn after_blank_up(order: u64, position: usize, width: usize) -> u64 {
    let (first, last) = (BITS * (position - width), BITS * (position - 1));
    let between = ((8 << last) - 1) & !((8 << first) - 1);
    let moved = order >> first & 7;
    order & !(between | 7 << first) | (order & between) >> BITS | moved << last
}

/// The order of the entry of line `at` of the other axis, from the order of the entry of `line` along
/// `axis`. `cols` is the number of columns. Entries of columns have the blank in the first row.
#[inline(always)]
pub(crate) fn switch_axis(order: u64, axis: Axis, line: usize, at: usize, cols: usize) -> u64 {
    match axis {
        Axis::Row => {
            (1..=line).rev().fold(order, |order, row| after_blank_up(order, row * cols + at, cols))
        }
        Axis::Col => {
            (0..at).fold(order, |order, row| after_blank_down(order, row * cols + line, cols))
        }
    }
}

/// [`switch_axis`] for one cell of the blank, in a few instructions.
///
/// ```text
///     a  b  c  d        The blank moves up from the cell after g, past  d e f g  and  a b c: each of these
///     e  f  g  .        groups of as many tiles as the board has columns moves its first tile to the end.
/// ```
///
/// The groups are adjacent, so that the first tiles of all of them move by the same distance, and so do the
/// others. Where the blank moves down, the last tiles move to the front.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rotation {
    /// The tiles that move to later positions, and the others that move.
    later: u64,
    earlier: u64,
    later_shift: u32,
    earlier_shift: u32,
}

impl Rotation {
    /// The change from the entry of `line` along `axis` to that of line `at` of the other axis.
    pub(crate) fn new(axis: Axis, line: usize, at: usize, cols: usize) -> Rotation {
        let (n_groups, first) = match axis {
            Axis::Row => (line, at),
            Axis::Col => (at, line),
        };
        let mut rotation = Rotation::default();
        for position in (0..n_groups * cols).map(|tile| first + tile) {
            let tile = 7 << (BITS * position);
            let is_later = match axis {
                Axis::Row => (position - first).is_multiple_of(cols),
                Axis::Col => !(position - first + 1).is_multiple_of(cols),
            };
            *(if is_later { &mut rotation.later } else { &mut rotation.earlier }) |= tile;
        }
        let (one, others) = (BITS as u32, (BITS * (cols - 1)) as u32);
        (rotation.later_shift, rotation.earlier_shift) = match axis {
            Axis::Row => (others, one),
            Axis::Col => (one, others),
        };
        rotation
    }

    #[inline(always)]
    pub(crate) fn apply(&self, order: u64) -> u64 {
        order & !(self.later | self.earlier)
            | (order & self.later) << (self.later_shift % 64)
            | (order & self.earlier) >> (self.earlier_shift % 64)
    }
}

#[cfg(test)]
mod tests {
    use npuzzle_testkit::random::Random;

    use super::*;

    #[test]
    fn ranks_are_dense_and_lexicographic() {
        for (sizes, expected) in [
            ([1, 2, 0, 0, 0], 3),
            ([2, 2, 2, 1, 0], 630),
            ([3, 0, 3, 2, 0], 560),
            ([4, 4, 4, 0, 0], 34_650),
            ([3, 3, 3, 4, 0], 1_201_200),
            ([1, 2, 3, 2, 4], 831_600),
        ] {
            let ranker = MultisetRanker::new(sizes);
            let mut known = Vec::new();
            let mut end = 0;
            for &block in ranker.blocks() {
                assert_eq!(block.first, end, "{sizes:?}");
                for (at, order) in ranker.orders(block).enumerate() {
                    assert_eq!(ranker.rank(order), block.first + at);
                    assert_eq!(count(order, ranker.n_tiles()), sizes);
                    known.push(order);
                }
                end += ranker.orders(block).len().next_multiple_of(64);
            }
            assert_eq!((known.len(), end), (expected, MultisetRanker::n_ranks(sizes)), "{sizes:?}");
            let classes = |order: u64| (0..15).map(move |position| class(order, position));
            assert!(known.is_sorted_by(|&a, &b| classes(a).lt(classes(b))), "{sizes:?}");
        }
    }

    #[test]
    fn after_blank_up_and_down_move_the_blank_past_a_row() {
        // 0 1 2 / 3 . 1: the blank moves up to the cell of 1.
        let order = 0o1_3_2_1_0;
        let up = after_blank_up(order, 4, 3);
        // 0 . 2 / 3 1 1
        assert_eq!(up, 0o1_1_3_2_0);
        assert_eq!(after_blank_down(up, 1, 3), order);
        assert_eq!(switch_axis(order, Axis::Row, 1, 1, 3), up);
        assert_eq!(switch_axis(up, Axis::Col, 1, 1, 3), order);
        // In the other columns.
        assert_eq!(switch_axis(order, Axis::Row, 1, 0, 3), 0o1_3_0_2_1);
    }

    #[test]
    fn rotations_switch_the_axis() {
        let mut random = Random::new(5);
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (4, 4), (3, 5), (2, 8), (8, 2), (5, 3)] {
            let n_bits = BITS * (rows * cols - 1);
            for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                for (axis, line, at) in [(Axis::Row, row, col), (Axis::Col, col, row)] {
                    let rotation = Rotation::new(axis, line, at, cols);
                    let order = random.bits() >> (64 - n_bits);
                    let expected = switch_axis(order, axis, line, at, cols);
                    assert_eq!(
                        rotation.apply(order),
                        expected,
                        "{rows}x{cols} {axis:?} {line} {at}"
                    );
                }
            }
        }
    }
}
