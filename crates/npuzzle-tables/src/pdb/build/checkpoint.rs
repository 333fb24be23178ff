//! A search in progress as bytes, so that an interrupted build can continue.
//!
//! ```text
//!     u64      cost of the last level
//!     u64      states seen
//!     u64      states, as far as is known
//!     words    the states seen, then those of the last level: a bit for each slot and permutation
//!     bytes    costs, or bits of costs
//! ```
//!
//! Numbers are little-endian. The pattern determines how many words and bytes there are.

use std::io::{self, Write};

use npuzzle_core::search::Limit;

use crate::build_context::{BYTES_PER_POLL, Progress, proceed};

use super::{Keep, PatternSearch, Slots, UNKNOWN};

/// The number of words that are converted to bytes at once.
const WORDS: usize = 1 << 12;

impl<'a> PatternSearch<'a> {
    /// Writes the state of the search.
    pub(crate) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        save_words(&[u64::from(self.cost), self.n_seen, self.n_states], out)?;
        save_words(&self.seen, out)?;
        save_words(&self.level, out)?;
        out.write_all(&self.costs)
    }

    /// Restores a search from the bytes that [`save`](PatternSearch::save) has written. Returns `None`
    /// if they are not the state of such a search.
    pub(crate) fn restored(
        slots: &'a Slots<'a>,
        keep: Keep,
        saved: &[u8],
        progress: Progress<'_>,
    ) -> Result<Option<PatternSearch<'a>>, Limit> {
        let n_words = slots.n_words();
        let n_bit_words = slots.len() * n_words;
        let n_costs = slots.n_cost_bytes(keep, 0..slots.index.cell_sets.n_sets());
        if saved.len() != 24 + 16 * n_bit_words + n_costs {
            return Ok(None);
        }
        let (counts, rest) = saved.split_at(24);
        let (seen, rest) = rest.split_at(8 * n_bit_words);
        let (level, costs) = rest.split_at(8 * n_bit_words);
        let counts = restored(counts, number, progress)?;
        let [cost, n_seen, n_states] = counts[..] else { return Ok(None) };
        let Ok(cost) = u8::try_from(cost) else { return Ok(None) };
        let level = restored(level, number, progress)?;
        let has_level = level.chunks(n_words).map(|slot| slot.iter().any(|&word| word != 0));
        let search = PatternSearch {
            slots,
            keep,
            cost,
            seen: restored(seen, number, progress)?,
            has_level: has_level.collect(),
            level,
            next: vec![0; n_bit_words],
            costs: restored(costs, |&[cost]: &[u8; 1]| cost, progress)?,
            n_seen,
            n_states,
        };
        Ok(Some(search).filter(PatternSearch::is_consistent))
    }

    /// Whether the restored counts and bits fit together. The checksum of the file shows that the bytes
    /// are unchanged, but not that this program has written them.
    fn is_consistent(&self) -> bool {
        let n_perms = self.slots.index.n_perms();
        let max_states = (self.slots.len() * n_perms) as u64;
        let unused = (!0u64 << ((n_perms - 1) % 64)) << 1;
        let has_no_unused = |words: &[u64]| {
            let slots = words.chunks(self.slots.n_words());
            slots.into_iter().all(|slot| slot.last().is_none_or(|last| last & unused == 0))
        };
        let n_seen = self.seen.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        self.cost < UNKNOWN
            && self.n_seen == n_seen
            && (n_seen..=max_states).contains(&self.n_states)
            && has_no_unused(&self.seen)
            && has_no_unused(&self.level)
    }
}

fn save_words(words: &[u64], out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(8 * WORDS);
    for words in words.chunks(WORDS) {
        bytes.clear();
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn number(bytes: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*bytes)
}

/// Converts items of `N` bytes each, and polls in between.
fn restored<T, const N: usize>(
    bytes: &[u8],
    item: impl Fn(&[u8; N]) -> T,
    progress: Progress<'_>,
) -> Result<Vec<T>, Limit> {
    let mut items = Vec::with_capacity(bytes.len() / N);
    for part in bytes.chunks(BYTES_PER_POLL) {
        proceed(progress(0.0))?;
        items.extend(part.as_chunks::<N>().0.iter().map(&item));
    }
    Ok(items)
}
