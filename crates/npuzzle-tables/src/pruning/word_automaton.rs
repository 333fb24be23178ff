//! The minimal automaton that rejects all words that contain a forbidden word.

use std::collections::{HashMap, VecDeque};

/// The start state.
pub(super) const START: u16 = 0;

/// Stands for no state: the letter is forbidden.
pub(super) const DEAD: u16 = u16::MAX;

/// The minimal automaton that rejects the words of an alphabet of `LETTERS` letters that contain one of
/// these words. Returns the next state for each state and letter.
///
/// # Panics
/// If it has 2¹⁶ states or more.
pub(super) fn word_automaton<const LETTERS: usize>(words: &[Vec<u8>]) -> Vec<[u16; LETTERS]> {
    let merged = minimized(&aho_corasick(words));
    // The ends of words are never entered, and states that only they lead to cannot be reached.
    reachable(&merged)
}

/// The automaton of Aho & Corasick. A state is the longest suffix of the input that is a prefix of a
/// word. `None` if the input ends with a word.
fn aho_corasick<const LETTERS: usize>(words: &[Vec<u8>]) -> Vec<[Option<usize>; LETTERS]> {
    // A trie. No word is a prefix of another, so words end at leaves.
    let mut children: Vec<[Option<usize>; LETTERS]> = vec![[None; LETTERS]];
    let mut is_end = vec![false];
    for word in words {
        let mut at = 0;
        for &letter in word {
            at = match children[at][usize::from(letter)] {
                Some(child) => child,
                None => {
                    children.push([None; LETTERS]);
                    is_end.push(false);
                    let child = children.len() - 1;
                    children[at][usize::from(letter)] = Some(child);
                    child
                }
            };
        }
        is_end[at] = true;
    }
    // Breadth-first, so that the longest proper suffix of a node is complete before the node.
    let mut next = vec![[0; LETTERS]; children.len()];
    let mut suffix = vec![0; children.len()];
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for letter in 0..LETTERS {
            let fallback = if node == 0 { 0 } else { next[suffix[node]][letter] };
            next[node][letter] = match children[node][letter] {
                Some(child) => {
                    suffix[child] = fallback;
                    is_end[child] |= is_end[fallback];
                    queue.push_back(child);
                    child
                }
                None => fallback,
            };
        }
    }
    let alive = |to: usize| (!is_end[to]).then_some(to);
    next.iter().map(|row| row.map(alive)).collect()
}

/// Merges states that reject the same words, by refining a partition until it is stable (Moore).
fn minimized<const LETTERS: usize>(next: &[[Option<usize>; LETTERS]]) -> Vec<[u16; LETTERS]> {
    let mut class = vec![0; next.len()];
    let mut n_classes = 1;
    loop {
        // Classes are numbered in the order of their first states, so the start state stays 0.
        let mut numbers = HashMap::new();
        let refined: Vec<usize> = next
            .iter()
            .zip(&class)
            .map(|(row, &own)| {
                let signature = (own, row.map(|to| to.map(|to| class[to])));
                let n = numbers.len();
                *numbers.entry(signature).or_insert(n)
            })
            .collect();
        class = refined;
        if numbers.len() == n_classes {
            break;
        }
        n_classes = numbers.len();
    }
    assert!(n_classes < usize::from(DEAD), "{n_classes} states do not fit into 16 bits");
    let mut merged = vec![[DEAD; LETTERS]; n_classes];
    for (row, &own) in next.iter().zip(&class) {
        merged[own] = row.map(|to| to.map_or(DEAD, |to| class[to] as u16));
    }
    merged
}

/// The reachable states, numbered in the order of a breadth-first search.
fn reachable<const LETTERS: usize>(next: &[[u16; LETTERS]]) -> Vec<[u16; LETTERS]> {
    let mut numbers: HashMap<u16, u16> = HashMap::from([(START, START)]);
    let mut order = vec![START];
    let mut at = 0;
    while at < order.len() {
        for to in next[usize::from(order[at])] {
            if to != DEAD && !numbers.contains_key(&to) {
                numbers.insert(to, order.len() as u16);
                order.push(to);
            }
        }
        at += 1;
    }
    let renumbered = |to: u16| if to == DEAD { DEAD } else { numbers[&to] };
    order.iter().map(|&old| next[usize::from(old)].map(renumbered)).collect()
}

/// The bytes of an automaton: the next states, 16 bits each, low byte first.
pub(super) fn to_bytes<const LETTERS: usize>(next: &[[u16; LETTERS]]) -> Vec<u8> {
    next.iter().flatten().flat_map(|to| to.to_le_bytes()).collect()
}

/// The automaton that [`to_bytes`] wrote. Returns `None` if the bytes are not an automaton with at least
/// `min_states` states.
pub(super) fn from_bytes<const LETTERS: usize>(
    bytes: &[u8],
    min_states: usize,
) -> Option<Vec<[u16; LETTERS]>> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let numbers: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    let (next, more) = numbers.as_chunks::<LETTERS>();
    let is_valid = |&to: &u16| to == DEAD || usize::from(to) < next.len();
    let is_complete = rest.is_empty() && more.is_empty() && next.len() >= min_states;
    (is_complete && numbers.iter().all(is_valid)).then(|| next.to_vec())
}
