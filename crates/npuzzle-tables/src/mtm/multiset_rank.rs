//! Orders of tiles that are alike in classes, and their ranks.
//!
//! An *order* is what remains of a board when the blank is taken out and the tiles are read row by
//! row. Of a tile only its class counts, so an order is a word of three bits per tile, the first one
//! lowest. Classes of 4, 4, 3, 2 and 2 tiles have 15!/(4!4!3!2!2!) = 94,594,500 orders.
//!
//! The places are cut in two: the last seven are the *tail*, those before them the *head*. The
//! classes that the head has taken decide which are left for the tail. Heads are numbered as words
//! in a dictionary are, and every head is followed by a *block* of all its tails, again as in a
//! dictionary. Blocks begin at multiples of 64, so that a set of orders is a list of words, some of
//! whose bits stand for nothing. A rank is a sum of two numbers from tables that stay in the cache.

use std::collections::BTreeMap;

use crate::mtm::axis::Axis;

/// The most classes.
pub(crate) const MAX_CLASSES: usize = 5;

/// Bits of a tile.
const BITS: usize = 3;

/// The most tiles.
const MAX_TILES: usize = 15;

/// How many places the tail has, if there are so many.
const TAIL: usize = 7;

/// How many places the head has at most.
const HEAD: usize = MAX_TILES - TAIL;

/// How many tiles each class has.
pub(crate) type Sizes = [usize; MAX_CLASSES];

/// The orders of some tiles in classes.
#[derive(Clone, Debug)]
pub(crate) struct Orders {
    n_tiles: usize,
    n_head: usize,
    /// The number of four places, which is that of a word of four letters among all such words.
    fours: Box<[u16; 1 << (4 * BITS)]>,
    /// How many letters there are: classes with tiles come first.
    n_letters: usize,
    /// The rank of the first order with this head.
    firsts: Vec<u32>,
    /// The number of a tail among those of the same classes.
    tails: Vec<u16>,
    blocks: Vec<Block>,
    /// Lists of tails that are of the same classes.
    lists: Vec<Vec<u64>>,
}

/// All orders with one head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) head: u64,
    /// The rank of the first one.
    pub(crate) first: usize,
    list: usize,
}

impl Orders {
    /// The orders of so many tiles of each class, 15 at most.
    pub(crate) fn new(sizes: Sizes) -> Orders {
        let n_tiles: usize = sizes.iter().sum();
        let n_head = n_tiles.saturating_sub(TAIL);
        let n_letters = sizes.iter().rposition(|&size| size > 0).map_or(1, |last| last + 1);
        let mut orders = Orders {
            n_tiles,
            n_head,
            fours: Box::new([0; 1 << (4 * BITS)]),
            n_letters,
            firsts: vec![0; n_letters.pow(HEAD as u32)],
            tails: vec![0; n_letters.pow(TAIL as u32)],
            blocks: Vec::new(),
            lists: Vec::new(),
        };
        for (word, number) in (0u64..).zip(orders.fours.iter_mut()) {
            let letters = (0..4).map(|place| class(word, place));
            *number = letters.fold(0, |number, letter| number * n_letters as u16 + letter as u16);
        }
        let mut by_classes: BTreeMap<Sizes, usize> = BTreeMap::new();
        for tail in words(n_tiles - n_head, &sizes) {
            let list = *by_classes.entry(count(tail, n_tiles - n_head)).or_insert_with(|| {
                orders.lists.push(Vec::new());
                orders.lists.len() - 1
            });
            let number = orders.tail_number(tail);
            orders.tails[number] = orders.lists[list].len() as u16;
            orders.lists[list].push(tail);
        }
        let mut first = 0;
        for head in words(n_head, &sizes) {
            let taken = count(head, n_head);
            let left: Sizes = std::array::from_fn(|class| sizes[class] - taken[class]);
            // Some tail has what is left.
            let list = by_classes.get(&left).copied().unwrap_or(0);
            let number = orders.head_number(head);
            orders.firsts[number] = first as u32;
            orders.blocks.push(Block { head, first, list });
            first += orders.lists[list].len().next_multiple_of(64);
        }
        orders
    }

    /// How many ranks there are, those that stand for nothing included; a multiple of 64.
    pub(crate) fn n_ranks(sizes: Sizes) -> usize {
        let n_tiles: usize = sizes.iter().sum();
        let n_head = n_tiles.saturating_sub(TAIL);
        let n_orders = |sizes: Sizes| -> usize {
            let factorial = |n: usize| (1..=n).product::<usize>();
            let alike: usize = sizes.iter().map(|&size| factorial(size)).product();
            factorial(sizes.iter().sum()) / alike
        };
        let mut heads: Vec<Sizes> = vec![[0; MAX_CLASSES]];
        for class in 0..MAX_CLASSES {
            let with = |head: &Sizes| {
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
        let head = self.head_number(order & ((1 << shift) - 1));
        let tail = self.tail_number(order >> shift);
        self.firsts[head] as usize + usize::from(self.tails[tail])
    }

    /// The number of a head among all words of eight letters; letters that are missing are the
    /// first of the alphabet.
    #[inline(always)]
    fn head_number(&self, head: u64) -> usize {
        let letters = self.n_letters;
        let four = |at: usize| usize::from(self.fours[(head >> (4 * BITS * at) & 0xfff) as usize]);
        four(0) * (letters * letters * letters * letters) + four(1)
    }

    /// The number of a tail among all words of seven letters.
    #[inline(always)]
    fn tail_number(&self, tail: u64) -> usize {
        let letters = self.n_letters;
        let four = |at: usize| usize::from(self.fours[(tail >> (4 * BITS * at) & 0xfff) as usize]);
        // The last letter of the second four is missing.
        four(0) * (letters * letters * letters) + four(1) / letters
    }

    /// The rank of the first order with this head.
    pub(crate) fn first_with(&self, head: u64) -> usize {
        self.firsts[self.head_number(head)] as usize
    }

    /// How many tiles there are.
    pub(crate) fn n_tiles(&self) -> usize {
        self.n_tiles
    }

    /// How many places the head has.
    pub(crate) fn n_head(&self) -> usize {
        self.n_head
    }

    /// All blocks, in the order of their ranks.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The orders of a block, in the order of their ranks.
    pub(crate) fn of(&self, block: Block) -> impl ExactSizeIterator<Item = u64> {
        let shift = BITS * self.n_head;
        self.lists[block.list].iter().map(move |tail| block.head | tail << shift)
    }
}

/// The first places of an order.
#[inline(always)]
pub(crate) fn prefix(order: u64, n_places: usize) -> u64 {
    order & ((1 << (BITS * n_places)) - 1)
}

/// The class at a place.
#[inline(always)]
fn class(order: u64, place: usize) -> usize {
    (order >> (BITS * place) & 7) as usize
}

/// An order with a tile of a class at a place where there is none.
#[inline(always)]
pub(crate) fn with(order: u64, place: usize, class: u8) -> u64 {
    order | u64::from(class) << (BITS * place)
}

/// How many tiles of each class the first places have.
pub(crate) fn count(order: u64, n_places: usize) -> Sizes {
    let mut classes = [0; MAX_CLASSES];
    (0..n_places).for_each(|place| classes[class(order, place)] += 1);
    classes
}

/// All words of so many places with no more tiles of a class than there are, as in a dictionary.
fn words(n_places: usize, sizes: &Sizes) -> Vec<u64> {
    let mut words = vec![0];
    for place in 0..n_places {
        let longer = |&word: &u64| {
            let taken = count(word, place);
            let left = (0..MAX_CLASSES).filter(move |&class| taken[class] < sizes[class]);
            left.map(move |class| with(word, place, class as u8))
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

/// The order after the blank has gone from a place to the next row, whose cell is `width` places
/// later: the last of `width` tiles, those from the blank's place on, becomes the first.
#[inline(always)]
pub(crate) fn forward(order: u64, place: usize, width: usize) -> u64 {
    let (first, last) = (BITS * place, BITS * (place + width - 1));
    let between = ((1 << last) - 1) & !((1 << first) - 1);
    let moved = order >> last & 7;
    order & !(between | 7 << last) | (order & between) << BITS | moved << first
}

/// The order after the blank has gone from a place to the row before: what [`forward`] takes back.
#[inline(always)]
pub(crate) fn backward(order: u64, place: usize, width: usize) -> u64 {
    let (first, last) = (BITS * (place - width), BITS * (place - 1));
    let between = ((8 << last) - 1) & !((8 << first) - 1);
    let moved = order >> first & 7;
    order & !(between | 7 << first) | (order & between) >> BITS | moved << last
}

/// From the entry of a line along an axis to the one of the line `at` across it; `cols` is how many
/// columns there are. Entries of columns have their blank in the first row.
#[inline(always)]
pub(crate) fn turned(order: u64, axis: Axis, line: usize, at: usize, cols: usize) -> u64 {
    match axis {
        Axis::Row => {
            (1..=line).rev().fold(order, |order, row| backward(order, row * cols + at, cols))
        }
        Axis::Col => (0..at).fold(order, |order, row| forward(order, row * cols + line, cols)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_all_orders_as_in_a_dictionary() {
        for (sizes, expect) in [
            ([1, 2, 0, 0, 0], 3),
            ([2, 2, 2, 1, 0], 630),
            ([3, 0, 3, 2, 0], 560),
            ([4, 4, 4, 0, 0], 34_650),
            ([3, 3, 3, 4, 0], 1_201_200),
            ([1, 2, 3, 2, 4], 831_600),
        ] {
            let orders = Orders::new(sizes);
            let mut known = Vec::new();
            let mut end = 0;
            for &block in orders.blocks() {
                assert_eq!(block.first, end, "{sizes:?}");
                for (at, order) in orders.of(block).enumerate() {
                    assert_eq!(orders.rank(order), block.first + at);
                    assert_eq!(count(order, orders.n_tiles()), sizes);
                    known.push(order);
                }
                end += orders.of(block).len().next_multiple_of(64);
            }
            assert_eq!((known.len(), end), (expect, Orders::n_ranks(sizes)), "{sizes:?}");
            let letters = |order: u64| (0..15).map(move |place| class(order, place));
            assert!(known.is_sorted_by(|&a, &b| letters(a).lt(letters(b))), "{sizes:?}");
        }
    }

    #[test]
    fn the_blank_passes_a_row_of_tiles() {
        // 0 1 2 / 3 . 1; the blank goes to the cell of 1.
        let order = 0o1_3_2_1_0;
        let up = backward(order, 4, 3);
        // 0 . 2 / 3 1 1
        assert_eq!(up, 0o1_1_3_2_0);
        assert_eq!(forward(up, 1, 3), order);
        assert_eq!(turned(order, Axis::Row, 1, 1, 3), up);
        assert_eq!(turned(up, Axis::Col, 1, 1, 3), order);
        // In the other columns.
        assert_eq!(turned(order, Axis::Row, 1, 0, 3), 0o1_3_0_2_1);
    }
}
