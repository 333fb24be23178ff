//! Orders of tiles that are alike in classes, and their ranks.
//!
//! An *order* is what remains of a board when the blank is taken out and the tiles are read line by
//! line. Of a tile only its class counts, so an order is a word of two bits per tile, the first one
//! lowest. Classes of 4, 4, 4 and 3 tiles have 15!/(4!4!4!3!) = 15,765,750 orders.
//!
//! The word is ranked in two halves: the classes that the low half has taken decide which are left
//! for the high half. Low halves that leave the same classes are numbered one after the other, and
//! every one of them is followed by all its high halves. So a rank is a sum of two numbers from
//! tables that stay in the cache, and walking through all ranks walks through the high halves
//! of one low half after the other.

use std::collections::BTreeMap;

/// The most classes.
pub(crate) const MAX_CLASSES: usize = 4;

/// How many tiles the low half has, if there are so many.
const LOW_TILES: usize = 8;

const LOW_WORDS: usize = 1 << (2 * LOW_TILES);

/// The high half of 15 tiles has 7.
const HIGH_WORDS: usize = 1 << (2 * 7);

/// The orders of some tiles in classes.
#[derive(Clone, Debug)]
pub(crate) struct Orders {
    /// The rank of the first order with this low half.
    low: Box<[u32; LOW_WORDS]>,
    /// The number of a high half among those of the same classes.
    high: Box<[u16; HIGH_WORDS]>,
    rows: Vec<Row>,
    /// Lists of high halves that are of the same classes.
    highs: Vec<Vec<u16>>,
}

/// All orders with one low half.
#[derive(Clone, Copy, Debug)]
struct Row {
    low: u16,
    /// The rank of the first one.
    first: u32,
    /// Which list of high halves follows.
    highs: u32,
}

impl Orders {
    /// The orders of so many tiles of each class, 15 at most.
    pub(crate) fn new(sizes: [usize; MAX_CLASSES]) -> Orders {
        let n_tiles: usize = sizes.iter().sum();
        let n_low = n_tiles.min(LOW_TILES);
        let n_high = n_tiles - n_low;
        let mut high = Box::new([0; HIGH_WORDS]);
        let mut by_classes: BTreeMap<[usize; MAX_CLASSES], (Vec<u16>, Vec<u16>)> = BTreeMap::new();
        for word in 0..1u16 << (2 * n_high) {
            let classes = count(word, n_high);
            if (0..MAX_CLASSES).all(|class| classes[class] <= sizes[class]) {
                let (highs, _) = by_classes.entry(classes).or_default();
                high[usize::from(word)] = highs.len() as u16;
                highs.push(word);
            }
        }
        for word in 0..LOW_WORDS >> (2 * (LOW_TILES - n_low)) {
            let classes = count(word as u16, n_low);
            if (0..MAX_CLASSES).all(|class| classes[class] <= sizes[class]) {
                let left = std::array::from_fn(|class| sizes[class] - classes[class]);
                by_classes.entry(left).or_default().1.push(word as u16);
            }
        }
        let mut low = Box::new([0; LOW_WORDS]);
        let mut orders = (Vec::new(), Vec::new());
        let mut first = 0;
        for (at, (highs, lows)) in by_classes.into_values().enumerate() {
            for word in lows {
                low[usize::from(word)] = first;
                orders.0.push(Row { low: word, first, highs: at as u32 });
                first += highs.len() as u32;
            }
            orders.1.push(highs);
        }
        Orders { low, high, rows: orders.0, highs: orders.1 }
    }

    /// How many there are.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.rows().map(|(_, _, highs)| highs.len()).sum()
    }

    /// The rank of an order.
    #[inline(always)]
    pub(crate) fn rank(&self, order: u32) -> usize {
        let low = self.low[order as usize % LOW_WORDS];
        let high = self.high[(order >> (2 * LOW_TILES)) as usize % HIGH_WORDS];
        low as usize + usize::from(high)
    }

    /// The orders in the order of their ranks, in rows: the rank of the first one, what they all
    /// have in common, and what each of them adds to it.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, u32, &[u16])> {
        self.rows.iter().map(|row| {
            (row.first as usize, u32::from(row.low), self.highs[row.highs as usize].as_slice())
        })
    }
}

/// The order of a row with one of its high halves.
#[inline(always)]
pub(crate) fn joined(low: u32, high: u16) -> u32 {
    low | u32::from(high) << (2 * LOW_TILES)
}

/// How many tiles of each class a word has.
fn count(word: u16, n_tiles: usize) -> [usize; MAX_CLASSES] {
    let mut classes = [0; MAX_CLASSES];
    for at in 0..n_tiles {
        classes[usize::from(word >> (2 * at) & 3)] += 1;
    }
    classes
}

/// The order after the blank has gone from a place to the next line, whose cell is `width` places
/// later: the last of `width` tiles, those from the blank's place on, becomes the first.
#[inline(always)]
pub fn forward(order: u32, place: usize, width: usize) -> u32 {
    let (first, last) = (2 * place, 2 * (place + width - 1));
    let between = ((1 << last) - 1) & !((1 << first) - 1);
    let moved = order >> last & 3;
    order & !(between | 3 << last) | (order & between) << 2 | moved << first
}

/// The order after the blank has gone from a place to the line before: what
/// [`forward`] takes back.
#[inline(always)]
pub fn backward(order: u32, place: usize, width: usize) -> u32 {
    let (first, last) = (2 * (place - width), 2 * (place - 1));
    let between = ((4 << last) - 1) & !((4 << first) - 1);
    let moved = order >> first & 3;
    order & !(between | 3 << first) | (order & between) >> 2 | moved << last
}

/// A word with a cell for the blank, of class 0, at a place.
#[inline(always)]
pub(crate) fn with_blank(order: u32, place: usize) -> u32 {
    let before = (1 << (2 * place)) - 1;
    order & before | (order & !before) << 2
}

/// What is left when the cell at a place is taken out.
#[inline(always)]
pub(crate) fn without_blank(cells: u32, place: usize) -> u32 {
    let before = (1 << (2 * place)) - 1;
    cells & before | cells >> 2 & !before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_all_orders_once() {
        for (sizes, expect) in [
            ([1, 2, 0, 0], 3),
            ([2, 2, 2, 1], 630),
            ([3, 3, 2, 0], 560),
            ([4, 4, 4, 0], 34_650),
            ([3, 3, 3, 4], 1_201_200),
        ] {
            let orders = Orders::new(sizes);
            assert_eq!(orders.len(), expect, "{sizes:?}");
            let mut at = 0;
            for (first, low, highs) in orders.rows() {
                assert_eq!(first, at);
                for &high in highs {
                    let order = joined(low, high);
                    assert_eq!(orders.rank(order), at);
                    let n_tiles: usize = sizes.iter().sum();
                    let classes = (0..n_tiles).fold([0; 4], |mut classes, tile| {
                        classes[(order >> (2 * tile) & 3) as usize] += 1;
                        classes
                    });
                    assert_eq!(classes, sizes);
                    at += 1;
                }
            }
            assert_eq!(at, expect);
        }
    }

    #[test]
    fn the_blank_passes_a_line_of_tiles() {
        // Cells 0 1 2 / 3 . 5 with the classes 0 1 2 / 3 . 1; the blank goes to the cell of 1.
        let order = 0b01_11_10_01_00;
        assert_eq!(without_blank(with_blank(order, 4), 4), order);
        assert_eq!(with_blank(order, 4), 0b01_00_11_10_01_00);
        let up = backward(order, 4, 3);
        // 0 . 2 / 3 1 1
        assert_eq!(up, 0b01_01_11_10_00);
        assert_eq!(forward(up, 1, 3), order);
    }
}
