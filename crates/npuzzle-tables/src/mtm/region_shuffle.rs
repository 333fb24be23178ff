//! Bits that move within regions of a plane, in the same way in all regions.
//!
//! The plain algorithm moves bit by bit. That takes time in proportion to the number of set bits. If many bits are
//! set, 64 regions are shuffled together: a transposition of 64×64 bits makes a word of the bits with the same
//! number in each of them, and words move instead of bits.
//!
//! ```text
//!     region 0   a0 a1 a2 …         bit 0   a0 b0 c0 …         bit 1 moves to 0        region 0   a1 a0 a2 …
//!     region 1   b0 b1 b2 …    →    bit 1   a1 b1 c1 …    →    bit 0 moves to 1   →    region 1   b1 b0 b2 …
//!     region 2   c0 c1 c2 …         bit 2   a2 b2 c2 …         bit 2 stays             region 2   c1 c0 c2 …
//! ```

use crate::bits::transpose_64x64;
use crate::parallel::StopFlag;

/// The number of regions that are shuffled together.
const GROUP: usize = 64;

/// Groups of fewer regions are moved bit by bit.
const MIN_GROUP: usize = 16;

/// A permutation of the bits of a region when the blank moves down, its inverse when the blank moves up, and the
/// regions.
pub(crate) struct RegionShuffle {
    down: Vec<u16>,
    up: Vec<u16>,
    /// The number of the first word of each region.
    first_words: Vec<u32>,
}

impl RegionShuffle {
    /// A shuffle of regions of `n_bits` bits, a multiple of 64 and less than 2¹⁶, that moves no bit.
    pub(crate) fn identity(n_bits: usize) -> RegionShuffle {
        let same: Vec<u16> = (0..n_bits as u16).collect();
        RegionShuffle { down: same.clone(), up: same, first_words: Vec::new() }
    }

    /// Defines where a bit moves. The bits that are moved must be permuted among themselves.
    pub(crate) fn move_bit(&mut self, upper: usize, lower: usize) {
        self.down[upper] = lower as u16;
        self.up[lower] = upper as u16;
    }

    /// Adds a region that begins at a bit of the plane, a multiple of 64.
    pub(crate) fn add_region(&mut self, first_bit: usize) {
        self.first_words.push((first_bit / 64) as u32);
    }

    /// Adds the shuffled bits of all regions of `source` to `target`. The result is incomplete if the flag stops the
    /// computation.
    pub(crate) fn apply(
        &self,
        is_down: bool,
        is_dense: bool,
        source: &[u64],
        target: &mut [u64],
        stop: &StopFlag<'_>,
    ) {
        let to = if is_down { &self.down } else { &self.up };
        let mut permuted = vec![[0; 64]; if is_dense { to.len() / 64 } else { 0 }];
        // The flag is checked by looking at the clock, which takes as long as some regions.
        for group in self.first_words.chunks(GROUP) {
            if stop.is_set() {
                return;
            }
            if is_dense && group.len() >= MIN_GROUP {
                shuffle_words(group, source, to, &mut permuted, target);
            } else {
                for &first in group {
                    let words = first as usize..first as usize + to.len() / 64;
                    shuffle_bits(&source[words.clone()], to, &mut target[words]);
                }
            }
        }
    }
}

/// Adds the bits of a region to `target`, each at its new number.
#[inline(always)]
fn shuffle_bits(source: &[u64], to: &[u16], target: &mut [u64]) {
    for (&word, to) in source.iter().zip(to.as_chunks::<64>().0) {
        let mut rest = word;
        while rest != 0 {
            let to = usize::from(to[rest.trailing_zeros() as usize % 64]);
            target[to / 64] |= 1 << (to % 64);
            rest &= rest - 1;
        }
    }
}

/// [`shuffle_bits`] for up to 64 regions that begin at the words `group`. `permuted` is a buffer of 64 words for
/// each word of a region; every word of it is overwritten, because `to` is a permutation.
fn shuffle_words(
    group: &[u32],
    source: &[u64],
    to: &[u16],
    permuted: &mut [[u64; 64]],
    target: &mut [u64],
) {
    for (word, to) in to.as_chunks::<64>().0.iter().enumerate() {
        let mut bits = [0; 64];
        for (bits, &first) in bits.iter_mut().zip(group) {
            *bits = source[first as usize + word];
        }
        if bits.iter().any(|&bits| bits != 0) {
            transpose_64x64(&mut bits);
        }
        for (bits, &to) in bits.iter().zip(to) {
            permuted[usize::from(to / 64)][usize::from(to % 64)] = *bits;
        }
    }
    for (word, bits) in permuted.iter_mut().enumerate() {
        if bits.iter().any(|&bits| bits != 0) {
            transpose_64x64(bits);
            for (&bits, &first) in bits.iter().zip(group) {
                target[first as usize + word] |= bits;
            }
        }
    }
}
