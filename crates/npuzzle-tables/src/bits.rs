//! Bit manipulation that several tables share.

/// Moves bit `n` of a word to bit `2n`. The bits between are 0.
pub(crate) fn spread(bits: u32) -> u64 {
    let mut word = u64::from(bits);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        word = (word | word << shift) & mask;
    }
    word
}

/// The numbers of the set bits of a word, lowest first.
pub(crate) fn ones(word: u32) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_doubles_the_number_of_each_bit() {
        for bits in [0, 1, 0b1011, 0x8000_0001, u32::MAX] {
            let expected = ones(bits).fold(0, |word, bit| word | 1 << (2 * bit));
            assert_eq!(spread(bits), expected, "{bits:x}");
        }
    }
}
