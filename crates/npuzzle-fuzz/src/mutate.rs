//! Inputs changed at random, from a seed: the same on every machine.

use npuzzle::Random;

/// The most bytes of what comes out.
const MOST: usize = 1 << 12;

/// An input with one to four changes: bits flipped, bytes set, parts left out, doubled, moved or taken
/// from another input, words put in.
pub fn mutated(input: &[u8], other: &[u8], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(4) {
        change(&mut bytes, other, words, random);
    }
    bytes.truncate(MOST);
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], words: &[&str], random: &mut Random) {
    let mut below = |n: usize| random.below(n as u64) as usize;
    let at = below(bytes.len() + 1);
    let end = at + below((bytes.len() - at).min(40) + 1);
    match below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << below(8),
        1 if at < bytes.len() => bytes[at] = [0, 9, 10, 32, 47, 48, 127, 255][below(8)],
        2 => drop(bytes.drain(at..end)),
        3 => {
            let part = bytes[at..end].to_vec();
            let to = below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        4 if !other.is_empty() => {
            let from = below(other.len());
            let part = &other[from..from + below((other.len() - from).min(40)) + 1];
            bytes.splice(at..end, part.iter().copied());
        }
        5 if !words.is_empty() => {
            bytes.splice(at..at, words[below(words.len())].bytes());
        }
        _ => bytes.insert(at, below(256) as u8),
    }
}
