//! Sets of orders as words, and what a slide along a column makes of such a set.
//!
//! A *plane* holds one bit for every rank. The plain way to move a set is order by order: a slide
//! along a column moves the tile at place `first + width - 1` to the place `first` or back, so it
//! changes these places alone. Whatever comes after them has neighbouring ranks before and after,
//! and whatever comes before them stays. So much can be moved at once:
//!
//! 1. If the places lie in the head, blocks change their places and stay as they are.
//! 2. If few places are left from `first` on, all orders with the same places before it lie in a
//!    *region* small enough for the nearest cache, and bits change their places within it, in the
//!    same way in all regions of the same classes.
//! 3. Otherwise ranges of bits change their places.

use std::collections::BTreeMap;

use crate::mtm::multiset_rank::{Orders, Sizes, count, forward, prefix};
use crate::parallel::watched::Stop;

/// Orders of one line, as bits by rank.
pub(crate) type Plane = Vec<u64>;

/// A region has no more places than this.
const REGION: usize = 9;

/// So many blocks or ranges are moved between two looks at whether to stop.
const AT_ONCE: usize = 1 << 12;

/// What becomes of a plane when a tile slides along a column.
pub(crate) enum Passage {
    Blocks(Vec<Move>),
    Ranges(Vec<Move>),
    Regions { regions: Vec<Region>, shuffles: Vec<Shuffle> },
}

/// Where some neighbouring ranks are before and after the blank goes down.
pub(crate) struct Move {
    above: u32,
    below: u32,
    n: u32,
}

/// The orders with the same first places.
pub(crate) struct Region {
    first_word: u32,
    n_words: u32,
    shuffle: u32,
}

/// Where the bits of a region go when the blank goes down, and when it goes up.
pub(crate) struct Shuffle {
    down: Vec<u16>,
    up: Vec<u16>,
}

impl Passage {
    /// The blank goes down from the place `first`, past `width` tiles, and up again. Part of it, if it
    /// is told to stop.
    pub(crate) fn new(orders: &Orders, first: usize, width: usize, stop: &Stop<'_>) -> Passage {
        if first + width <= orders.n_head() {
            let moves = orders.blocks().iter().map(|&block| Move {
                above: block.first as u32,
                below: rank_below(orders, block.head, first, width),
                n: orders.of(block).len() as u32,
            });
            Passage::Blocks(moves.collect())
        } else if orders.n_tiles() - first <= REGION {
            Passage::regions(orders, first, width, stop)
        } else {
            Passage::ranges(orders, first, width, stop)
        }
    }

    fn ranges(orders: &Orders, first: usize, width: usize, stop: &Stop<'_>) -> Passage {
        let mut moves: Vec<Move> = Vec::new();
        for &block in orders.blocks() {
            if stop.is_up() {
                break;
            }
            let mut last = None;
            for (above, order) in (block.first as u32..).zip(orders.of(block)) {
                let moved = prefix(order, first + width);
                match moves.last_mut() {
                    Some(range) if last == Some(moved) => range.n += 1,
                    _ => moves.push(Move {
                        above,
                        below: orders.rank(forward(order, first, width)) as u32,
                        n: 1,
                    }),
                }
                last = Some(moved);
            }
        }
        Passage::Ranges(moves)
    }

    fn regions(orders: &Orders, first: usize, width: usize, stop: &Stop<'_>) -> Passage {
        let n_before = first.min(orders.n_head());
        let mut by_classes: BTreeMap<Sizes, u32> = BTreeMap::new();
        let (mut regions, mut shuffles) = (Vec::new(), Vec::new());
        let before = |head: u64| prefix(head, n_before);
        for blocks in orders.blocks().chunk_by(|a, b| before(a.head) == before(b.head)) {
            let (Some(start), Some(last)) = (blocks.first(), blocks.last()) else { continue };
            if stop.is_up() {
                break;
            }
            let end = (last.first + orders.of(*last).len()).next_multiple_of(64);
            let shuffle = *by_classes.entry(count(start.head, n_before)).or_insert_with(|| {
                let mut down = vec![0; end - start.first];
                let mut up = down.clone();
                for &block in blocks {
                    for (above, order) in (block.first - start.first..).zip(orders.of(block)) {
                        let below = orders.rank(forward(order, first, width)) - start.first;
                        down[above] = below as u16;
                        up[below] = above as u16;
                    }
                }
                shuffles.push(Shuffle { down, up });
                shuffles.len() as u32 - 1
            });
            let first_word = (start.first / 64) as u32;
            regions.push(Region { first_word, n_words: (end / 64) as u32 - first_word, shuffle });
        }
        Passage::Regions { regions, shuffles }
    }

    /// Adds to `target` what the blank's way down makes of the set `source`, or its way up. Part of
    /// it, if it is told to stop.
    pub(crate) fn pass(&self, is_down: bool, source: &[u64], target: &mut [u64], stop: &Stop<'_>) {
        let is_stopped = || stop.is_up();
        match self {
            Passage::Blocks(moves) => each(moves, is_down, is_stopped, |from, to, n| {
                let n_words = n.div_ceil(64);
                let source = &source[from / 64..][..n_words];
                for (target, word) in target[to / 64..][..n_words].iter_mut().zip(source) {
                    *target |= word;
                }
            }),
            Passage::Ranges(moves) => each(moves, is_down, is_stopped, |from, to, n| {
                copy_bits(source, from, target, to, n);
            }),
            Passage::Regions { regions, shuffles } => {
                for region in regions {
                    if is_stopped() {
                        return;
                    }
                    let shuffle = &shuffles[region.shuffle as usize];
                    let to = if is_down { &shuffle.down } else { &shuffle.up };
                    let words =
                        region.first_word as usize..(region.first_word + region.n_words) as usize;
                    shuffle_bits(&source[words.clone()], to, &mut target[words]);
                }
            }
        }
    }
}

/// Calls `visit` with every move: from where, to where, and how many ranks.
fn each(
    moves: &[Move],
    is_down: bool,
    is_stopped: impl Fn() -> bool,
    mut visit: impl FnMut(usize, usize, usize),
) {
    for moves in moves.chunks(AT_ONCE) {
        if is_stopped() {
            return;
        }
        for &Move { above, below, n } in moves {
            let (from, to) = if is_down { (above, below) } else { (below, above) };
            visit(from as usize, to as usize, n as usize);
        }
    }
}

/// The rank of the first order with what becomes of a head.
fn rank_below(orders: &Orders, head: u64, first: usize, width: usize) -> u32 {
    orders.first_with(forward(head, first, width)) as u32
}

/// Adds `n` bits to others.
#[inline(always)]
fn copy_bits(source: &[u64], from: usize, target: &mut [u64], to: usize, n: usize) {
    let mut done = 0;
    while done < n {
        let ((from, at), (to, place)) =
            (((from + done) / 64, (from + done) % 64), ((to + done) / 64, (to + done) % 64));
        let n_bits = (64 - at).min(64 - place).min(n - done);
        let bits = source[from] >> at & (u64::MAX >> (64 - n_bits));
        target[to] |= bits << place;
        done += n_bits;
    }
}

/// Adds the bits of a region to others, each in another place.
#[inline(always)]
fn shuffle_bits(source: &[u64], to: &[u16], target: &mut [u64]) {
    for (&word, to) in source.iter().zip(to.as_chunks::<64>().0) {
        let mut left = word;
        while left != 0 {
            let to = usize::from(to[left.trailing_zeros() as usize % 64]);
            target[to / 64] |= 1 << (to % 64);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::watched::unwatched;
    use npuzzle_testkit::random::Random;

    /// That all passages move sets as single orders are moved.
    fn check(sizes: Sizes, width: usize) {
        unwatched(|stop| check_under(sizes, width, stop));
    }

    fn check_under(sizes: Sizes, width: usize, stop: &Stop<'_>) {
        let orders = Orders::new(sizes);
        let mut random = Random::new(7);
        let n_words = Orders::n_ranks(sizes) / 64;
        let mut kinds = [0; 3];
        for first in 0..orders.n_tiles() + 1 - width {
            let passage = Passage::new(&orders, first, width, stop);
            kinds[match passage {
                Passage::Blocks(_) => 0,
                Passage::Ranges(_) => 1,
                Passage::Regions { .. } => 2,
            }] += 1;
            let mut above = vec![0u64; n_words];
            let mut below = above.clone();
            for order in orders.blocks().iter().flat_map(|&block| orders.of(block)) {
                if random.below(3) == 0 {
                    let (from, to) =
                        (orders.rank(order), orders.rank(forward(order, first, width)));
                    above[from / 64] |= 1 << (from % 64);
                    below[to / 64] |= 1 << (to % 64);
                }
            }
            let mut moved = vec![0; n_words];
            passage.pass(true, &above, &mut moved, stop);
            assert!(moved == below, "{sizes:?} {first} {width} down");
            let mut moved = vec![0; n_words];
            passage.pass(false, &below, &mut moved, stop);
            assert!(moved == above, "{sizes:?} {first} {width} up");
        }
        if orders.n_tiles() > 11 {
            assert!(kinds.iter().all(|&n| n > 0), "{kinds:?}");
        }
    }

    #[test]
    fn whole_sets_move_as_their_orders_do() {
        check([2, 1, 0, 0, 0], 2);
        check([1, 2, 2, 1, 1], 3);
        check([2, 3, 0, 1, 3], 4);
        check([2, 2, 3, 2, 2], 4);
        check([8, 0, 1, 2, 3], 4);
        check([4, 7, 1, 0, 2], 5);
    }
}
