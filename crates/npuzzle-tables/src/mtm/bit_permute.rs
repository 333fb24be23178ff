//! Sets of orders as bit vectors, and the effect of a slide along a column on such a set.
//!
//! A *plane* has one bit for each rank. The plain algorithm moves a set order by order. A slide along a
//! column moves the tile at position `first + width - 1` to `first`, or back, so it changes only these
//! positions. Orders that differ only at later positions have consecutive ranks before and after, and
//! earlier positions stay the same. So many bits can be moved at once:
//!
//! 1. If the positions are in the head, whole blocks move.
//! 2. If few positions remain from `first` on, all orders with the same earlier positions form a
//!    *region*. Bits move within their region, in the same way in all regions with the same classes
//!    ([`RegionShuffle`]).
//! 3. Otherwise ranges of bits move.

use std::collections::BTreeMap;

use crate::mtm::multiset_rank::{ClassSizes, MultisetRanker, after_blank_down, count, prefix};
use crate::mtm::region_shuffle::RegionShuffle;
use crate::parallel::StopFlag;

/// One bit for each rank.
pub(crate) type BitPlane = Vec<u64>;

/// The maximum number of positions in a region.
const MAX_REGION: usize = 9;

/// The number of blocks or ranges that are moved between two checks of the stop flag.
const MOVES_PER_CHECK: usize = 1 << 12;

/// The effect of a slide along a column on a plane.
pub(crate) enum ColumnSlide {
    Blocks(Vec<RangeMove>),
    Ranges(Vec<RangeMove>),
    Regions(Vec<RegionShuffle>),
}

/// Consecutive ranks, with the blank in the upper and in the lower cell.
pub(crate) struct RangeMove {
    upper: u32,
    lower: u32,
    n: u32,
}

impl ColumnSlide {
    /// The slide in which the blank moves down from the position `first`, past `width` tiles, or back.
    /// The result is incomplete if the flag stops the computation.
    pub(crate) fn new(
        ranker: &MultisetRanker,
        first: usize,
        width: usize,
        stop: &StopFlag<'_>,
    ) -> ColumnSlide {
        if first + width <= ranker.n_head() {
            let moves = ranker.blocks().iter().map(|&block| RangeMove {
                upper: block.first as u32,
                lower: ranker.first_rank(after_blank_down(block.head, first, width)) as u32,
                n: ranker.orders(block).len() as u32,
            });
            ColumnSlide::Blocks(moves.collect())
        } else if ranker.n_tiles() - first <= MAX_REGION {
            ColumnSlide::regions(ranker, first, width, stop)
        } else {
            ColumnSlide::ranges(ranker, first, width, stop)
        }
    }

    fn ranges(
        ranker: &MultisetRanker,
        first: usize,
        width: usize,
        stop: &StopFlag<'_>,
    ) -> ColumnSlide {
        let mut moves: Vec<RangeMove> = Vec::new();
        for &block in ranker.blocks() {
            if stop.is_set() {
                break;
            }
            let mut last = None;
            for (upper, order) in (block.first as u32..).zip(ranker.orders(block)) {
                let moved = prefix(order, first + width);
                match moves.last_mut() {
                    Some(range) if last == Some(moved) => range.n += 1,
                    _ => {
                        let lower = ranker.rank(after_blank_down(order, first, width)) as u32;
                        moves.push(RangeMove { upper, lower, n: 1 });
                    }
                }
                last = Some(moved);
            }
        }
        ColumnSlide::Ranges(moves)
    }

    fn regions(
        ranker: &MultisetRanker,
        first: usize,
        width: usize,
        stop: &StopFlag<'_>,
    ) -> ColumnSlide {
        let n_before = first.min(ranker.n_head());
        let mut shuffles: BTreeMap<ClassSizes, RegionShuffle> = BTreeMap::new();
        let before = |head: u64| prefix(head, n_before);
        for blocks in ranker.blocks().chunk_by(|a, b| before(a.head) == before(b.head)) {
            let (Some(start), Some(last)) = (blocks.first(), blocks.last()) else { continue };
            if stop.is_set() {
                break;
            }
            let end = (last.first + ranker.orders(*last).len()).next_multiple_of(64);
            let shuffle = shuffles.entry(count(start.head, n_before)).or_insert_with(|| {
                let mut shuffle = RegionShuffle::identity(end - start.first);
                for &block in blocks {
                    for (upper, order) in (block.first - start.first..).zip(ranker.orders(block)) {
                        let lower = ranker.rank(after_blank_down(order, first, width));
                        shuffle.move_bit(upper, lower - start.first);
                    }
                }
                shuffle
            });
            shuffle.add_region(start.first);
        }
        ColumnSlide::Regions(shuffles.into_values().collect())
    }

    /// Adds to `target` the orders that those of `source` become when the blank moves down, or up. If the set is
    /// dense, whole words are moved where that takes less time than single bits. The result is incomplete if the
    /// flag stops the computation.
    pub(crate) fn apply(
        &self,
        is_down: bool,
        is_dense: bool,
        source: &[u64],
        target: &mut [u64],
        stop: &StopFlag<'_>,
    ) {
        match self {
            ColumnSlide::Blocks(moves) => each(moves, is_down, stop, |from, to, n| {
                let n_words = n.div_ceil(64);
                let source = &source[from / 64..][..n_words];
                for (target, word) in target[to / 64..][..n_words].iter_mut().zip(source) {
                    *target |= word;
                }
            }),
            ColumnSlide::Ranges(moves) => each(moves, is_down, stop, |from, to, n| {
                copy_bits(source, from, target, to, n);
            }),
            ColumnSlide::Regions(shuffles) => {
                for shuffle in shuffles {
                    shuffle.apply(is_down, is_dense, source, target, stop);
                }
            }
        }
    }
}

/// Calls `visit` for each move, with the old and the new rank and the number of ranks.
fn each(
    moves: &[RangeMove],
    is_down: bool,
    stop: &StopFlag<'_>,
    mut visit: impl FnMut(usize, usize, usize),
) {
    for moves in moves.chunks(MOVES_PER_CHECK) {
        if stop.is_set() {
            return;
        }
        for &RangeMove { upper, lower, n } in moves {
            let (from, to) = if is_down { (upper, lower) } else { (lower, upper) };
            visit(from as usize, to as usize, n as usize);
        }
    }
}

/// Adds `n` bits of `source` to `target`.
#[inline(always)]
fn copy_bits(source: &[u64], from: usize, target: &mut [u64], to: usize, n: usize) {
    let mut done = 0;
    while done < n {
        let ((from, from_bit), (to, to_bit)) =
            (((from + done) / 64, (from + done) % 64), ((to + done) / 64, (to + done) % 64));
        let n_bits = (64 - from_bit).min(64 - to_bit).min(n - done);
        let bits = source[from] >> from_bit & (u64::MAX >> (64 - n_bits));
        target[to] |= bits << to_bit;
        done += n_bits;
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::parallel::run_cancellable;
    use npuzzle_testkit::random::Random;

    fn check(sizes: ClassSizes, width: usize) {
        let proceed = || ControlFlow::Continue(());
        run_cancellable(1, proceed, |stop| check_until(sizes, width, stop)).unwrap();
    }

    fn check_until(sizes: ClassSizes, width: usize, stop: &StopFlag<'_>) {
        let ranker = MultisetRanker::new(sizes);
        let mut random = Random::new(7);
        let n_words = MultisetRanker::n_ranks(sizes) / 64;
        let mut kinds = [0; 3];
        for first in 0..ranker.n_tiles() + 1 - width {
            let slide = ColumnSlide::new(&ranker, first, width, stop);
            kinds[match slide {
                ColumnSlide::Blocks(_) => 0,
                ColumnSlide::Ranges(_) => 1,
                ColumnSlide::Regions(_) => 2,
            }] += 1;
            let mut upper = vec![0u64; n_words];
            let mut lower = upper.clone();
            for order in ranker.blocks().iter().flat_map(|&block| ranker.orders(block)) {
                if random.below(3) == 0 {
                    let (from, to) =
                        (ranker.rank(order), ranker.rank(after_blank_down(order, first, width)));
                    upper[from / 64] |= 1 << (from % 64);
                    lower[to / 64] |= 1 << (to % 64);
                }
            }
            for is_dense in [false, true] {
                let mut moved = vec![0; n_words];
                slide.apply(true, is_dense, &upper, &mut moved, stop);
                assert!(moved == lower, "{sizes:?} {first} {width} {is_dense} down");
                let mut moved = vec![0; n_words];
                slide.apply(false, is_dense, &lower, &mut moved, stop);
                assert!(moved == upper, "{sizes:?} {first} {width} {is_dense} up");
            }
        }
        if ranker.n_tiles() > 11 {
            assert!(kinds.iter().all(|&n| n > 0), "{kinds:?}");
        }
    }

    #[test]
    fn column_slide_moves_sets_as_single_orders() {
        check([2, 1, 0, 0, 0], 2);
        check([1, 2, 2, 1, 1], 3);
        check([2, 3, 0, 1, 3], 4);
        check([2, 2, 3, 2, 2], 4);
        check([8, 0, 1, 2, 3], 4);
        check([4, 7, 1, 0, 2], 5);
    }
}
