//! A search under way as bytes, so that one that was cut off can go on.
//!
//! ```text
//!     u64      the cost of the last level
//!     u64      states that have been met
//!     u64      states there are, as far as is known
//!     words    what has been met, then what was met in the last level: a bit for each order and slot
//!     bytes    costs
//! ```
//!
//! Numbers are little-endian; how many there are follows from the pattern.

use std::io::{self, Write};

use npuzzle_core::search::Limit;

use crate::build_context::{BYTES_PER_POLL, Progress, proceed};

use super::{Keep, Levels, Slots, UNKNOWN};

/// Words that are turned into bytes at once.
const WORDS: usize = 1 << 12;

impl<'a> Levels<'a> {
    /// Writes down where the search is.
    pub(crate) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        save_words(&[u64::from(self.cost), self.n_met, self.n_all], out)?;
        save_words(&self.met, out)?;
        save_words(&self.level, out)?;
        out.write_all(&self.costs)
    }

    /// The search that was written down; `None` if that was another one.
    pub(crate) fn restored(
        slots: &'a Slots<'a>,
        keep: Keep,
        saved: &[u8],
        progress: Progress<'_>,
    ) -> Result<Option<Levels<'a>>, Limit> {
        let (n_slots, n_words) = (slots.regions.len(), slots.n_words());
        let (n_bits, n_costs) = (n_slots * n_words, slots.n_costs(keep));
        if saved.len() != 24 + 16 * n_bits + n_costs {
            return Ok(None);
        }
        let (counts, rest) = saved.split_at(24);
        let (met, rest) = rest.split_at(8 * n_bits);
        let (level, costs) = rest.split_at(8 * n_bits);
        let counts = restored(counts, number, progress)?;
        let [cost, n_met, n_all] = counts[..] else { return Ok(None) };
        let Ok(cost) = u8::try_from(cost) else { return Ok(None) };
        let level = restored(level, number, progress)?;
        let is_live = level.chunks(n_words).map(|slot| slot.iter().any(|&word| word != 0));
        let levels = Levels {
            slots,
            keep,
            cost,
            met: restored(met, number, progress)?,
            is_live: is_live.collect(),
            level,
            next: vec![0; n_bits],
            costs: restored(costs, |&[cost]: &[u8; 1]| cost, progress)?,
            n_met,
            n_all,
        };
        Ok(Some(levels).filter(Levels::can_be))
    }

    /// Whether a search can be here: a checksum tells that bytes are as they were written, not who
    /// has written them.
    fn can_be(&self) -> bool {
        let n_orders = self.slots.placements.n_orders();
        let most = (self.slots.regions.len() * n_orders) as u64;
        let beyond = (!0u64 << ((n_orders - 1) % 64)) << 1;
        let has_none_beyond = |words: &[u64]| {
            let slots = words.chunks(self.slots.n_words());
            slots.into_iter().all(|slot| slot.last().is_none_or(|last| last & beyond == 0))
        };
        let n_met = self.met.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        self.cost < UNKNOWN
            && self.n_met == n_met
            && (n_met..=most).contains(&self.n_all)
            && has_none_beyond(&self.met)
            && has_none_beyond(&self.level)
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

/// Items of `N` bytes each, with looks at the watch.
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
