//! Sets of orders of tiles as words, and what a slide along a column makes of such a set.
//!
//! A *plane* holds one bit for every order, in the order of ranks. The last five places have 60
//! orders of one parity, which share a word; the places before them, the *head*, number the words.
//!
//! ```text
//!     11 tiles    places 0 1 2 3 4 5 | 6 7 8 9 10       332,640 words of 60 bits
//! ```
//!
//! The plain way to move a set is order by order. A slide along a column moves the tile at place
//! `last` to the place `first` or back, so it changes the digits of these places alone, and whole
//! words can be moved at once:
//!
//! 1. If both places lie in the head, words change their places and stay as they are.
//! 2. If both lie in the tail, words stay where they are; their bits are permuted, by looking up
//!    what becomes of every six of them.
//! 3. Otherwise the tile moves through the tail to its first place (as in 2), from there to the
//!    last place of the head, and then through the head (as in 1). The step between is one of six
//!    words with five chunks of 12 bits each: chunks change their places.

use super::perm_rank::{Orders, last_digit_to_first};

/// How the orders of so many tiles lie in the words of a plane.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    n_tiles: usize,
    /// How many places number the words.
    n_head: usize,
    /// Whether the digits of a word's head add up to an odd number.
    is_odd: Vec<bool>,
}

/// The most places within a word.
const MAX_TAIL: usize = 5;
/// The words that differ in the last digit of the head alone.
const GROUP: usize = MAX_TAIL + 1;

impl Layout {
    pub(crate) fn new(n_tiles: usize) -> Layout {
        let n_head = Layout::n_head(n_tiles);
        let mut is_odd = vec![false];
        for place in 0..n_head {
            let digits = 0..n_tiles - place;
            let longer = |odd: bool| digits.clone().map(move |digit| odd != (digit % 2 == 1));
            is_odd = is_odd.into_iter().flat_map(longer).collect();
        }
        Layout { n_tiles, n_head, is_odd }
    }

    /// How many places number the words.
    pub(crate) fn n_head(n_tiles: usize) -> usize {
        n_tiles.saturating_sub(MAX_TAIL)
    }

    /// Words of a plane.
    pub(crate) fn n_words(&self) -> usize {
        self.is_odd.len()
    }

    /// Whether the orders within a word of a plane are odd, as an index.
    #[inline]
    fn parity(&self, word: usize, is_odd: bool) -> usize {
        usize::from(is_odd != self.is_odd[word])
    }

    /// Bits of a word.
    pub(crate) fn n_bits(&self) -> usize {
        Orders::new(self.n_tiles - self.n_head).n_orders()
    }
}

/// What becomes of a plane when a tile slides along a column: the tile at place `last` moves to
/// `first` if the blank goes down, and back if it goes up.
#[derive(Clone, Debug)]
pub(crate) enum Passage {
    /// Within the head.
    Head(HeadMove),
    /// Within the tail.
    Tail(TailMove),
    /// From the tail to the head.
    Across(HeadMove, Option<TailMove>),
}

impl Passage {
    pub(crate) fn new(layout: &Layout, first: usize, last: usize) -> Passage {
        let n_head = layout.n_head;
        if last < n_head {
            Passage::Head(HeadMove::new(layout, first, last))
        } else if first >= n_head {
            Passage::Tail(TailMove::new(layout, first - n_head, last - n_head))
        } else {
            let in_tail = (last > n_head).then(|| TailMove::new(layout, 0, last - n_head));
            Passage::Across(HeadMove::new(layout, first, n_head - 1), in_tail)
        }
    }

    /// Adds to `target` what the blank's way down makes of the set `source`, whose orders are odd
    /// or not.
    pub(crate) fn down(
        &self,
        layout: &Layout,
        is_odd: bool,
        source: impl Fn(usize) -> u64,
        target: &mut [u64],
    ) {
        match self {
            Passage::Head(head) => head.each_run(layout, |from, to| {
                for at in 0..head.n_run {
                    target[to + at] |= source(from + at);
                }
            }),
            Passage::Tail(tail) => {
                for (at, target) in target.iter_mut().enumerate() {
                    let word = source(at);
                    if word != 0 {
                        *target |= tail.down[layout.parity(at, is_odd)].apply(word);
                    }
                }
            }
            Passage::Across(head, tail) => head.each_group(layout, |group, to| {
                let mut words: [u64; GROUP] = std::array::from_fn(|k| source(group + k));
                if words == [0; GROUP] {
                    return;
                }
                if let Some(tail) = tail {
                    for (k, word) in words.iter_mut().enumerate() {
                        *word = tail.down[layout.parity(group + k, is_odd)].apply(*word);
                    }
                }
                for (word, to) in crossed(words).into_iter().zip(to) {
                    target[to] |= word;
                }
            }),
        }
    }

    /// Adds to `target`, whose orders are odd or not, what the blank's way up makes of the set
    /// `source`.
    pub(crate) fn up(
        &self,
        layout: &Layout,
        is_odd: bool,
        source: impl Fn(usize) -> u64,
        target: &mut [u64],
    ) {
        match self {
            Passage::Head(head) => head.each_run(layout, |to, from| {
                for at in 0..head.n_run {
                    target[to + at] |= source(from + at);
                }
            }),
            Passage::Tail(tail) => {
                for (at, target) in target.iter_mut().enumerate() {
                    let word = source(at);
                    if word != 0 {
                        *target |= tail.up[layout.parity(at, is_odd)].apply(word);
                    }
                }
            }
            Passage::Across(head, tail) => head.each_group(layout, |group, from| {
                let words = from.map(&source);
                if words == [0; GROUP] {
                    return;
                }
                for (k, mut word) in crossed(words).into_iter().enumerate() {
                    if let Some(tail) = tail {
                        word = tail.up[layout.parity(group + k, is_odd)].apply(word);
                    }
                    target[group + k] |= word;
                }
            }),
        }
    }
}

/// Six words that differ in the last digit of the head, after the tiles on both sides of the border
/// between head and tail have changed places. Doing it twice undoes it.
///
/// Chunk `c` of word `w` holds the orders with the digits `w` and `c` there.
#[inline]
fn crossed(words: [u64; GROUP]) -> [u64; GROUP] {
    const CHUNK: usize = 12;
    let mut crossed = [0; GROUP];
    for (w, word) in words.into_iter().enumerate() {
        for c in 0..MAX_TAIL {
            let (to, place) = if w <= c { (c + 1, w) } else { (c, w - 1) };
            crossed[to] |= (word >> (CHUNK * c) & ((1 << CHUNK) - 1)) << (CHUNK * place);
        }
    }
    crossed
}

/// A tile that moves from one place of the head to an earlier one, or stays.
#[derive(Clone, Debug)]
pub(crate) struct HeadMove {
    /// Where each run of words goes, among those that differ in the digits concerned.
    to: Vec<u32>,
    /// Words that lie side by side, before and after.
    n_run: usize,
}

impl HeadMove {
    fn new(layout: &Layout, first: usize, last: usize) -> HeadMove {
        let bases: Vec<usize> = (first..=last).map(|place| layout.n_tiles - place).collect();
        let n_runs: usize = bases.iter().product();
        let to = (0..n_runs).map(|run| {
            let mut left = run;
            let mut digits = vec![0; bases.len()];
            for (digit, base) in digits.iter_mut().zip(&bases).rev() {
                *digit = (left % base) as u8;
                left /= base;
            }
            last_digit_to_first(&mut digits);
            let pairs = digits.iter().zip(&bases);
            pairs.fold(0, |run, (&digit, base)| run * base + usize::from(digit)) as u32
        });
        let rest = last + 1..layout.n_head;
        HeadMove { to: to.collect(), n_run: rest.map(|place| layout.n_tiles - place).product() }
    }

    /// Calls `visit` with every group of six words, by its first, and where its words go. Only for
    /// moves that include the last place of the head.
    #[inline]
    fn each_group(&self, layout: &Layout, mut visit: impl FnMut(usize, [usize; GROUP])) {
        for block in (0..layout.n_words()).step_by(self.to.len()) {
            for (group, to) in self.to.chunks_exact(GROUP).enumerate() {
                let to = std::array::from_fn(|k| block + to[k] as usize);
                visit(block + group * GROUP, to);
            }
        }
    }

    /// Calls `visit` with the first word of every run, and the first word of where it goes.
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

/// A tile that moves from one place of the tail to an earlier one, or back.
#[derive(Clone, Debug)]
pub(crate) struct TailMove {
    /// What becomes of the bits of a word when the blank goes down, by the parity of its orders.
    down: [BitMove; 2],
    /// When it goes up, by the parity of the orders *after* the move.
    up: [BitMove; 2],
}

impl TailMove {
    fn new(layout: &Layout, first: usize, last: usize) -> TailMove {
        let n_places = layout.n_tiles - layout.n_head;
        let moves = |parity: usize| {
            let n_orders = Orders::new(n_places).n_orders();
            (0..n_orders).map(move |from| {
                let mut digits = digits_of(from, n_places, parity as u8);
                last_digit_to_first(&mut digits[first..=last]);
                (from, rank_of(&digits))
            })
        };
        TailMove {
            down: [0, 1].map(|parity| BitMove::new(moves(parity))),
            up: [0, 1].map(|parity| BitMove::new(moves(parity).map(|(from, to)| (to, from)))),
        }
    }
}

/// The digits of an order of so many tiles, from its rank and its parity.
fn digits_of(rank: usize, n_places: usize, parity: u8) -> Vec<u8> {
    let mut digits = vec![0; n_places];
    let mut left = rank;
    for place in (0..n_places - 2).rev() {
        digits[place] = (left % (n_places - place)) as u8;
        left /= n_places - place;
    }
    digits[n_places - 2] = (digits.iter().sum::<u8>() + parity) % 2;
    digits
}

fn rank_of(digits: &[u8]) -> usize {
    let ranked = digits.iter().enumerate().take(digits.len() - 2);
    ranked.fold(0, |rank, (place, &digit)| rank * (digits.len() - place) + usize::from(digit))
}

/// A permutation of the bits of a word.
#[derive(Clone, Debug)]
struct BitMove {
    /// What becomes of every six bits.
    parts: Box<[[u64; 1 << PART]; 60 / PART]>,
}

const PART: usize = 6;

impl BitMove {
    /// From where every bit goes.
    fn new(moves: impl Iterator<Item = (usize, usize)>) -> BitMove {
        let mut parts = Box::new([[0; 1 << PART]; 60 / PART]);
        for (from, to) in moves {
            for (bits, word) in parts[from / PART].iter_mut().enumerate() {
                *word |= ((bits >> (from % PART) & 1) as u64) << to;
            }
        }
        BitMove { parts }
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
    use crate::full::perm_rank::Order;
    use npuzzle_testkit::random::Random;

    /// All orders of so many tiles with this parity, by rank.
    fn by_rank(n_tiles: usize, is_odd: bool) -> Vec<Order> {
        let orders = Orders::new(n_tiles);
        let mut found = vec![None; orders.n_orders()];
        let mut tiles: Vec<Vec<u8>> = vec![vec![]];
        for _ in 0..n_tiles {
            let longer = |order: &Vec<u8>| {
                let free = (0..n_tiles as u8).filter(|tile| !order.contains(tile));
                free.map(|tile| [&order[..], &[tile]].concat()).collect::<Vec<_>>()
            };
            tiles = tiles.iter().flat_map(longer).collect();
        }
        for tiles in tiles {
            let order = orders.of(tiles);
            if order.is_odd() == is_odd {
                found[order.rank()] = Some(order);
            }
        }
        found.into_iter().map(Option::unwrap).collect()
    }

    /// Sets of orders move through every passage as their orders do one by one.
    #[test]
    fn words_move_as_orders_do() {
        let mut random = Random::new(60);
        for n_tiles in [3, 5, 7, 8] {
            let layout = Layout::new(n_tiles);
            let orders = Orders::new(n_tiles);
            assert_eq!(layout.n_words() * layout.n_bits(), orders.n_orders());
            let known = [by_rank(n_tiles, false), by_rank(n_tiles, true)];
            for (first, last) in (0..n_tiles).flat_map(|a| (a + 1..n_tiles).map(move |b| (a, b))) {
                let passage = Passage::new(&layout, first, last);
                for is_odd in [false, true] {
                    let mut set = vec![0u64; layout.n_words()];
                    let mut down = set.clone();
                    for order in &known[usize::from(is_odd)] {
                        if random.below(3) == 0 {
                            let place = |order: Order| {
                                (order.rank() / layout.n_bits(), order.rank() % layout.n_bits())
                            };
                            let (word, bit) = place(*order);
                            set[word] |= 1 << bit;
                            let (word, bit) = place(orders.last_to_first(*order, first, last));
                            down[word] |= 1 << bit;
                        }
                    }
                    let mut moved = vec![0; layout.n_words()];
                    passage.down(&layout, is_odd, |at| set[at], &mut moved);
                    assert!(moved == down, "{n_tiles} {first} {last} {is_odd} down");
                    let mut moved = vec![0; layout.n_words()];
                    passage.up(&layout, is_odd, |at| down[at], &mut moved);
                    assert!(moved == set, "{n_tiles} {first} {last} {is_odd} up");
                }
            }
        }
    }
}
