//! Sets of permutations as bit vectors, and the effect of a slide along a column on such a set.
//!
//! A *plane* has one bit for each permutation of the tiles, in the order of the ranks. The last five
//! positions, the *tail*, have 60 permutations of one parity, which share a word. The positions before
//! them, the *head*, number the words.
//!
//! ```text
//!     11 tiles    positions 0 1 2 3 4 5 | 6 7 8 9 10       332,640 words of 60 bits
//!                           head          tail
//! ```
//!
//! The plain algorithm moves a set permutation by permutation. A slide along a column moves the tile
//! at position `last` to `first`, or back, which changes only the digits of these positions. So whole
//! words can be moved at once:
//!
//! 1. If both positions are in the head, words move and keep their bits.
//! 2. If both are in the tail, words stay and their bits are permuted, six at a time by a look-up.
//! 3. Otherwise the tile moves through the tail to its first position (as in 2), from there to the
//!    last position of the head, and then through the head (as in 1). The step between affects groups
//!    of six words with five chunks of 12 bits each: the chunks are exchanged.

use super::perm_rank::{PermRanker, last_digit_to_first};

/// The maximum number of positions in the tail.
const MAX_TAIL: usize = 5;
/// The number of words that differ only in the last digit of the head.
const GROUP: usize = MAX_TAIL + 1;

/// The layout of the permutations in the words of a plane.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    n_tiles: usize,
    /// The number of positions in the head.
    n_head: usize,
    /// For each word, whether the digits of its head add up to an odd number.
    is_odd_head: Vec<bool>,
}

impl Layout {
    pub(crate) fn new(n_tiles: usize) -> Layout {
        let n_head = Layout::n_head(n_tiles);
        let mut is_odd_head = vec![false];
        for position in 0..n_head {
            let digits = 0..n_tiles - position;
            let longer = |odd: bool| digits.clone().map(move |digit| odd != (digit % 2 == 1));
            is_odd_head = is_odd_head.into_iter().flat_map(longer).collect();
        }
        Layout { n_tiles, n_head, is_odd_head }
    }

    /// The number of positions in the head.
    pub(crate) fn n_head(n_tiles: usize) -> usize {
        n_tiles.saturating_sub(MAX_TAIL)
    }

    /// The number of words in a plane.
    pub(crate) fn n_words(&self) -> usize {
        self.is_odd_head.len()
    }

    /// The number of bits in a word.
    pub(crate) fn n_bits(&self) -> usize {
        PermRanker::new(self.n_tiles - self.n_head).n_ranks() as usize
    }

    /// The parity, 0 or 1, of the tails in a word of a plane whose permutations are odd or even.
    #[inline]
    fn tail_parity(&self, word: usize, is_odd: bool) -> usize {
        usize::from(is_odd != self.is_odd_head[word])
    }
}

/// The effect of a slide along a column on a plane: if the blank moves down, the tile at position
/// `last` moves to `first`; if the blank moves up, it moves back.
#[derive(Clone, Debug)]
pub(crate) enum ColumnMove {
    /// Both positions are in the head.
    Head(HeadMove),
    /// Both positions are in the tail.
    Tail(TailMove),
    /// The tile moves from the tail to the head.
    Across(HeadMove, Option<TailMove>),
}

impl ColumnMove {
    pub(crate) fn new(layout: &Layout, first: usize, last: usize) -> ColumnMove {
        let n_head = layout.n_head;
        if last < n_head {
            ColumnMove::Head(HeadMove::new(layout, first, last))
        } else if first >= n_head {
            ColumnMove::Tail(TailMove::new(layout, first - n_head, last - n_head))
        } else {
            let in_tail = (last > n_head).then(|| TailMove::new(layout, 0, last - n_head));
            ColumnMove::Across(HeadMove::new(layout, first, n_head - 1), in_tail)
        }
    }

    /// Adds to `target` the permutations that those of `source` become when the blank moves, down if
    /// `DOWN`. `is_odd` is the parity of the permutations with the blank in the upper cell.
    pub(crate) fn apply<const DOWN: bool>(
        &self,
        layout: &Layout,
        is_odd: bool,
        source: impl Fn(usize) -> u64,
        target: &mut [u64],
    ) {
        match self {
            ColumnMove::Head(head) => head.each_run(layout, |upper, lower| {
                let (from, to) = if DOWN { (upper, lower) } else { (lower, upper) };
                for at in 0..head.n_run {
                    target[to + at] |= source(from + at);
                }
            }),
            ColumnMove::Tail(tail) => {
                let bits = tail.bits::<DOWN>();
                for (at, target) in target.iter_mut().enumerate() {
                    let word = source(at);
                    if word != 0 {
                        *target |= bits[layout.tail_parity(at, is_odd)].apply(word);
                    }
                }
            }
            ColumnMove::Across(head, tail) => head.each_group(layout, |group, lower| {
                let upper = std::array::from_fn(|k| group + k);
                let (from, to) = if DOWN { (upper, lower) } else { (lower, upper) };
                let mut words = from.map(&source);
                if words == [0; GROUP] {
                    return;
                }
                let move_in_tail = |words: &mut [u64; GROUP]| {
                    let Some(tail) = tail else { return };
                    for (k, word) in words.iter_mut().enumerate() {
                        let parity = layout.tail_parity(group + k, is_odd);
                        *word = tail.bits::<DOWN>()[parity].apply(*word);
                    }
                };
                if DOWN {
                    move_in_tail(&mut words);
                }
                words = swap_at_border(words);
                if !DOWN {
                    move_in_tail(&mut words);
                }
                for (word, to) in words.into_iter().zip(to) {
                    target[to] |= word;
                }
            }),
        }
    }
}

/// Swaps the tiles on both sides of the border between head and tail, in six words that differ only in
/// the last digit of the head. This is its own inverse.
///
/// Chunk `c` of word `w` holds the permutations with the digits `w` and `c` there.
#[inline]
fn swap_at_border(words: [u64; GROUP]) -> [u64; GROUP] {
    const CHUNK: usize = 12;
    let mut swapped = [0; GROUP];
    for (w, word) in words.into_iter().enumerate() {
        for c in 0..MAX_TAIL {
            let (to, chunk) = if w <= c { (c + 1, w) } else { (c, w - 1) };
            swapped[to] |= (word >> (CHUNK * c) & ((1 << CHUNK) - 1)) << (CHUNK * chunk);
        }
    }
    swapped
}

/// The permutation of the words when a tile moves from one position of the head to an earlier one.
#[derive(Clone, Debug)]
pub(crate) struct HeadMove {
    /// The new number of each run of words, among those that differ in the changed digits.
    to: Vec<u32>,
    /// The length of a run: consecutive words that stay together.
    n_run: usize,
}

impl HeadMove {
    fn new(layout: &Layout, first: usize, last: usize) -> HeadMove {
        let bases: Vec<usize> = (first..=last).map(|position| layout.n_tiles - position).collect();
        let n_runs: usize = bases.iter().product();
        let to = (0..n_runs).map(|run| {
            let mut rest = run;
            let mut digits = vec![0; bases.len()];
            for (digit, base) in digits.iter_mut().zip(&bases).rev() {
                *digit = (rest % base) as u8;
                rest /= base;
            }
            last_digit_to_first(&mut digits);
            let pairs = digits.iter().zip(&bases);
            pairs.fold(0, |run, (&digit, base)| run * base + usize::from(digit)) as u32
        });
        let rest = last + 1..layout.n_head;
        let n_run = rest.map(|position| layout.n_tiles - position).product();
        HeadMove { to: to.collect(), n_run }
    }

    /// Calls `visit` with the first word of each group of six, and the new numbers of the group's
    /// words. Only for moves that include the last position of the head.
    #[inline]
    fn each_group(&self, layout: &Layout, mut visit: impl FnMut(usize, [usize; GROUP])) {
        for block in (0..layout.n_words()).step_by(self.to.len()) {
            for (group, to) in self.to.chunks_exact(GROUP).enumerate() {
                let to = std::array::from_fn(|k| block + to[k] as usize);
                visit(block + group * GROUP, to);
            }
        }
    }

    /// Calls `visit` with the first word of each run, and its new number.
    #[inline]
    fn each_run(&self, layout: &Layout, mut visit: impl FnMut(usize, usize)) {
        let n_block = self.to.len() * self.n_run;
        for block in (0..layout.n_words()).step_by(n_block) {
            for (run, &to) in self.to.iter().enumerate() {
                visit(block + run * self.n_run, block + to as usize * self.n_run);
            }
        }
    }
}

/// The permutation of the bits of a word when a tile moves from one position of the tail to an earlier
/// one, or back.
#[derive(Clone, Debug)]
pub(crate) struct TailMove {
    /// When the blank moves down, by the parity of the tails before the move.
    down: [BitPermutation; 2],
    /// When the blank moves up, by the parity of the tails after the move.
    up: [BitPermutation; 2],
}

impl TailMove {
    fn new(layout: &Layout, first: usize, last: usize) -> TailMove {
        let n_tail = layout.n_tiles - layout.n_head;
        let moves = |parity: usize| {
            (0..layout.n_bits()).map(move |from| {
                let mut digits = tail_digits(from, n_tail, parity as u8);
                last_digit_to_first(&mut digits[first..=last]);
                (from, tail_rank(&digits))
            })
        };
        let inverse = |parity: usize| moves(parity).map(|(from, to)| (to, from));
        TailMove {
            down: [0, 1].map(|parity| BitPermutation::new(moves(parity))),
            up: [0, 1].map(|parity| BitPermutation::new(inverse(parity))),
        }
    }

    #[inline(always)]
    fn bits<const DOWN: bool>(&self) -> &[BitPermutation; 2] {
        if DOWN { &self.down } else { &self.up }
    }
}

/// The digits of a tail, from its rank and its parity.
fn tail_digits(rank: usize, n_tail: usize, parity: u8) -> Vec<u8> {
    let mut digits = vec![0; n_tail];
    let mut rest = rank;
    for position in (0..n_tail - 2).rev() {
        digits[position] = (rest % (n_tail - position)) as u8;
        rest /= n_tail - position;
    }
    digits[n_tail - 2] = (digits.iter().sum::<u8>() + parity) % 2;
    digits
}

/// The rank of a tail: the inverse of [`tail_digits`].
fn tail_rank(digits: &[u8]) -> usize {
    let ranked = digits.iter().enumerate().take(digits.len() - 2);
    ranked.fold(0, |rank, (position, &digit)| rank * (digits.len() - position) + usize::from(digit))
}

/// A permutation of the bits of a word.
#[derive(Clone, Debug)]
struct BitPermutation {
    /// The image of each value of each group of `PART` bits.
    parts: Box<[[u64; 1 << PART]; 60 / PART]>,
}

const PART: usize = 6;

impl BitPermutation {
    /// The permutation with these pairs of an old and a new bit number.
    fn new(moves: impl Iterator<Item = (usize, usize)>) -> BitPermutation {
        let mut parts = Box::new([[0; 1 << PART]; 60 / PART]);
        for (from, to) in moves {
            for (bits, word) in parts[from / PART].iter_mut().enumerate() {
                *word |= ((bits >> (from % PART) & 1) as u64) << to;
            }
        }
        BitPermutation { parts }
    }

    #[inline]
    fn apply(&self, word: u64) -> u64 {
        let bits = |at: usize| word >> (PART * at) & ((1 << PART) - 1);
        let parts = self.parts.iter().enumerate();
        parts.fold(0, |moved, (at, part)| moved | part[bits(at) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full::perm_rank::{Perm, all_permutations};
    use npuzzle_testkit::random::Random;

    #[test]
    fn column_slide_moves_words_as_single_permutations() {
        let mut random = Random::new(60);
        for n_tiles in [3, 5, 7, 8] {
            let layout = Layout::new(n_tiles);
            let ranker = PermRanker::new(n_tiles);
            assert_eq!((layout.n_words() * layout.n_bits()) as u64, ranker.n_ranks());
            let perms: Vec<Perm> = all_permutations(n_tiles as u8)
                .into_iter()
                .map(|tiles| ranker.rank(tiles))
                .collect();
            let add = |set: &mut [u64], perm: Perm| {
                let rank = perm.rank() as usize;
                set[rank / layout.n_bits()] |= 1 << (rank % layout.n_bits());
            };
            for (first, last) in (0..n_tiles).flat_map(|a| (a + 1..n_tiles).map(move |b| (a, b))) {
                let slide = ColumnMove::new(&layout, first, last);
                for is_odd in [false, true] {
                    let mut upper = vec![0; layout.n_words()];
                    let mut lower = upper.clone();
                    for &perm in perms.iter().filter(|perm| perm.is_odd() == is_odd) {
                        if random.below(3) == 0 {
                            add(&mut upper, perm);
                            add(&mut lower, ranker.last_to_first(perm, first, last));
                        }
                    }
                    let mut moved = vec![0; layout.n_words()];
                    slide.apply::<true>(&layout, is_odd, |at| upper[at], &mut moved);
                    assert!(moved == lower, "{n_tiles} {first} {last} {is_odd} down");
                    let mut moved = vec![0; layout.n_words()];
                    slide.apply::<false>(&layout, is_odd, |at| lower[at], &mut moved);
                    assert!(moved == upper, "{n_tiles} {first} {last} {is_odd} up");
                }
            }
        }
    }
}
