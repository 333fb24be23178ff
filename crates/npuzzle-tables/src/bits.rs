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
pub(crate) fn ones(word: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut rest = word.into();
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Transposes a matrix of bits, whose rows are taken in the order of `rows`. Rows begin with a new byte, and the first
/// bit of a byte is the lowest.
pub(crate) fn transpose(matrix: &[u8], rows: &[u32], n_cols: usize, transposed: &mut [u8]) {
    let n_rows = rows.len();
    let (row_bytes, col_bytes) = (n_cols.div_ceil(8), n_rows.div_ceil(8));
    // Eight bytes of a column are written at once, because they share a cache line.
    for first_row in (0..n_rows).step_by(64) {
        for byte in 0..row_bytes {
            for (block, first) in (first_row..n_rows.min(first_row + 64)).step_by(8).enumerate() {
                let mut bits = [0; 8];
                for (bits, &row) in bits.iter_mut().zip(&rows[first..]) {
                    *bits = matrix[row as usize * row_bytes + byte];
                }
                let columns = transpose_8x8(u64::from_le_bytes(bits)).to_le_bytes();
                for (column, bits) in (8 * byte..n_cols).zip(columns) {
                    transposed[column * col_bytes + first_row / 8 + block] = bits;
                }
            }
        }
    }
}

/// Transposes eight rows of eight bits: swaps blocks of one, two and four bits (Warren, Hacker's Delight, 7-3).
fn transpose_8x8(mut bits: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)]
    {
        let swapped = (bits ^ bits >> shift) & mask;
        bits ^= swapped ^ swapped << shift;
    }
    bits
}

/// Transposes 64 rows of 64 bits, the first bit of a row being the lowest: swaps blocks of 32, 16, …, 1 bits.
pub(crate) fn transpose_64x64(rows: &mut [u64; 64]) {
    swap_blocks::<32>(rows, 0x0000_0000_ffff_ffff);
    swap_blocks::<16>(rows, 0x0000_ffff_0000_ffff);
    swap_blocks::<8>(rows, 0x00ff_00ff_00ff_00ff);
    swap_blocks::<4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap_blocks::<2>(rows, 0x3333_3333_3333_3333);
    swap_blocks::<1>(rows, 0x5555_5555_5555_5555);
}

/// Swaps the upper right and the lower left block of `SIZE` bits square in each square of twice that size. The mask
/// has the lower blocks of a row.
#[inline(always)]
fn swap_blocks<const SIZE: usize>(rows: &mut [u64; 64], mask: u64) {
    for square in rows.chunks_exact_mut(2 * SIZE) {
        let (upper, lower) = square.split_at_mut(SIZE);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swapped = (*upper >> SIZE ^ *lower) & mask;
            *upper ^= swapped << SIZE;
            *lower ^= swapped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_matrix_has_rows_and_columns_exchanged() {
        for (n_rows, n_cols) in [(1usize, 1usize), (8, 8), (5, 13), (130, 6), (67, 24), (64, 720)] {
            let (row_bytes, col_bytes) = (n_cols.div_ceil(8), n_rows.div_ceil(8));
            let is_set =
                |row: usize, col: usize| (row * 31 + col * 17 + row * col).is_multiple_of(3);
            let mut matrix = vec![0; n_rows * row_bytes];
            for (row, col) in (0..n_rows).flat_map(|row| (0..n_cols).map(move |col| (row, col))) {
                matrix[row * row_bytes + col / 8] |= u8::from(is_set(row, col)) << (col % 8);
            }
            let mut transposed = vec![0; n_cols * col_bytes];
            let backward: Vec<u32> = (0..n_rows as u32).rev().collect();
            transpose(&matrix, &backward, n_cols, &mut transposed);
            for (row, col) in (0..n_rows).flat_map(|row| (0..n_cols).map(move |col| (row, col))) {
                let nth = n_rows - 1 - row;
                let bit = transposed[col * col_bytes + nth / 8] >> (nth % 8) & 1;
                assert_eq!(bit == 1, is_set(row, col), "{n_rows}x{n_cols}: {row}, {col}");
            }
        }
    }

    #[test]
    fn transpose_64x64_matches_transpose() {
        let row = |row: u64| (row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(row as u32);
        let mut rows: [u64; 64] = std::array::from_fn(|number| row(number as u64));
        let matrix: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
        let mut expected = vec![0; matrix.len()];
        let in_order: Vec<u32> = (0..64).collect();
        transpose(&matrix, &in_order, 64, &mut expected);
        transpose_64x64(&mut rows);
        assert_eq!(rows.iter().flat_map(|row| row.to_le_bytes()).collect::<Vec<u8>>(), expected);
    }

    #[test]
    fn spread_doubles_the_number_of_each_bit() {
        for bits in [0u32, 1, 0b1011, 0x8000_0001, u32::MAX] {
            let expected = ones(bits).fold(0, |word, bit| word | 1 << (2 * bit));
            assert_eq!(spread(bits), expected, "{bits:x}");
        }
    }
}
