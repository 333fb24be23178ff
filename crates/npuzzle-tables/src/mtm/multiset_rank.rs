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
//! 64, so that a set of orders is a list of words, some of whose bits are unused. A rank is a sum of two
//! numbers from tables that fit into the cache.

use std::collections::BTreeMap;

use crate::mtm::axis::Axis;

/// The maximum number of classes.
pub(crate) const MAX_CLASSES: usize = 5;

/// The number of bits per tile.
const BITS: usize = 3;

/// The maximum number of tiles.
const MAX_TILES: usize = 15;

/// The number of positions in the tail, if there are as many tiles.
const TAIL: usize = 7;

/// The maximum number of positions in the head.
const MAX_HEAD: usize = MAX_TILES - TAIL;

/// The number of tiles in each class.
pub(crate) type ClassSizes = [usize; MAX_CLASSES];

/// Ranks the orders of tiles in classes of given sizes.
#[derive(Clone, Debug)]
pub(crate) struct MultisetRanker {
    n_tiles: usize,
    n_head: usize,
    /// The number of classes, up to the last one that has tiles.
    n_classes: usize,
    /// The number of each word of four positions, in the base `n_classes`.
    fours: Box<[u16; 1 << (4 * BITS)]>,
    /// The rank of the first order with each head.
    first_ranks: Vec<u32>,
    /// The number of each tail within its block.
    tail_numbers: Vec<u16>,
    blocks: Vec<Block>,
    /// The lists of tails with the same classes.
    tail_lists: Vec<Vec<u64>>,
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
            n_classes,
            fours: Box::new([0; 1 << (4 * BITS)]),
            first_ranks: vec![0; n_classes.pow(MAX_HEAD as u32)],
            tail_numbers: vec![0; n_classes.pow(TAIL as u32)],
            blocks: Vec::new(),
            tail_lists: Vec::new(),
        };
        for (word, number) in (0u64..).zip(ranker.fours.iter_mut()) {
            let classes = (0..4).map(|position| class(word, position));
            *number = classes.fold(0, |number, class| number * n_classes as u16 + class as u16);
        }
        let mut by_classes: BTreeMap<ClassSizes, usize> = BTreeMap::new();
        for tail in words(n_tiles - n_head, &sizes) {
            let list = *by_classes.entry(count(tail, n_tiles - n_head)).or_insert_with(|| {
                ranker.tail_lists.push(Vec::new());
                ranker.tail_lists.len() - 1
            });
            let index = ranker.tail_index(tail);
            ranker.tail_numbers[index] = ranker.tail_lists[list].len() as u16;
            ranker.tail_lists[list].push(tail);
        }
        let mut first = 0;
        for head in words(n_head, &sizes) {
            let taken = count(head, n_head);
            let rest: ClassSizes = std::array::from_fn(|class| sizes[class] - taken[class]);
            // Some tail has these classes.
            let tail_list = by_classes.get(&rest).copied().unwrap_or(0);
            let index = ranker.head_index(head);
            ranker.first_ranks[index] = first as u32;
            ranker.blocks.push(Block { head, first, tail_list });
            first += ranker.tail_lists[tail_list].len().next_multiple_of(64);
        }
        ranker
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
        let shift = BITS * self.n_head;
        let head = self.head_index(order & ((1 << shift) - 1));
        let tail = self.tail_index(order >> shift);
        self.first_ranks[head] as usize + usize::from(self.tail_numbers[tail])
    }

    /// The index of a head among all words of eight classes. Missing positions count as class 0.
    #[inline(always)]
    fn head_index(&self, head: u64) -> usize {
        let n = self.n_classes;
        let four = |at: usize| usize::from(self.fours[(head >> (4 * BITS * at) & 0xfff) as usize]);
        four(0) * (n * n * n * n) + four(1)
    }

    /// The index of a tail among all words of seven classes.
    #[inline(always)]
    fn tail_index(&self, tail: u64) -> usize {
        let n = self.n_classes;
        let four = |at: usize| usize::from(self.fours[(tail >> (4 * BITS * at) & 0xfff) as usize]);
        // The second four has only three classes.
        four(0) * (n * n * n) + four(1) / n
    }

    /// The rank of the first order with a head.
    pub(crate) fn first_rank(&self, head: u64) -> usize {
        self.first_ranks[self.head_index(head)] as usize
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

    /// The orders of a block, in the order of the ranks.
    pub(crate) fn orders(&self, block: Block) -> impl ExactSizeIterator<Item = u64> {
        let shift = BITS * self.n_head;
        self.tail_lists[block.tail_list].iter().map(move |tail| block.head | tail << shift)
    }
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

#[cfg(test)]
mod tests {
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
}
