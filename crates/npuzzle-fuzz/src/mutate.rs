//! Random mutations of inputs, the same on every machine for a seed.

use npuzzle::Random;

/// The maximum length of a mutated input.
const MAX_BYTES: usize = 1 << 12;

/// Returns the input with one to four changes: flips bits, sets bytes, removes, duplicates or moves
/// ranges, inserts ranges of another input, or inserts tokens.
pub fn mutated(input: &[u8], other: &[u8], tokens: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(4) {
        change(&mut bytes, other, tokens, random);
    }
    bytes.truncate(MAX_BYTES);
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], tokens: &[&str], random: &mut Random) {
    let mut below = |n: usize| random.below(n as u64) as usize;
    let at = below(bytes.len() + 1);
    let end = at + below((bytes.len() - at).min(40) + 1);
    match below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << below(8),
        1 if at < bytes.len() => bytes[at] = [0, 9, 10, 32, 47, 48, 127, 255][below(8)],
        2 => drop(bytes.drain(at..end)),
        3 => {
            let range = bytes[at..end].to_vec();
            let to = below(bytes.len() + 1);
            bytes.splice(to..to, range);
        }
        4 if !other.is_empty() => {
            let from = below(other.len());
            let range = &other[from..from + below((other.len() - from).min(40)) + 1];
            bytes.splice(at..end, range.iter().copied());
        }
        5 if !tokens.is_empty() => {
            bytes.splice(at..at, tokens[below(tokens.len())].bytes());
        }
        _ => bytes.insert(at, below(256) as u8),
    }
}
