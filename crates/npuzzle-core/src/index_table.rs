//! A hash table with open addressing that stores the indices of values kept elsewhere.
//!
//! ```text
//!     segment 0   line 0   [ 2 used ] [ tag 3 | 0 ] [ tag 9 | 3 ] [ empty ] … 15 slots of four bytes
//!                 line 1   [ 1 used ] [ tag 5 | 1 ] [ empty ] …
//!     segment 1   …
//! ```
//!
//! The hash of a value selects its segment and its line. If the line is full, the value goes to the
//! next line with a free slot, and every full line on the way is marked. A line is a cache line of
//! the processor. A slot holds the index of a value and, in the bits that indices do not need yet, a
//! part of the hash, the tag. A lookup of an absent value therefore nearly always reads a single
//! cache line and no value.
//!
//! A small table has one segment. A table beyond 32 KiB is split into 512 segments, which grow one
//! at a time and at different times. So no insertion takes long, and only a small part of the table
//! is in memory twice while a segment grows. [`ChainedTable`](crate::ChainedTable) is the simpler
//! textbook table.

/// Slots in a line.
const SLOTS: usize = 15;
/// Average number of values per line at which a segment grows.
const MAX_LOAD: usize = 14;
/// Segments in a table that has been split.
const N_SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 9;
/// The number of lines at which the only segment of a table is split instead of growing.
const MAX_LINES_UNSPLIT: usize = 512;
/// Lines in a segment of a table that has just been split.
const LINES_AFTER_SPLIT: usize = 2 * MAX_LINES_UNSPLIT / N_SEGMENTS;

/// One cache line. The first word holds the number of used slots and the overflow flag; the slots
/// follow and are filled in order.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct CacheLine([u32; 1 + SLOTS]);

/// The flag in the first word of a line: the probe sequence of some value passes this line.
const OVERFLOWED: u32 = 1 << 31;

impl CacheLine {
    #[inline]
    fn n_used(&self) -> usize {
        (self.0[0] & 0xf) as usize
    }

    #[inline]
    fn used(&self) -> &[u32] {
        &self.0[1..1 + self.n_used()]
    }
}

/// Lines that grow together.
#[derive(Clone, Debug)]
struct Segment {
    lines: Box<[CacheLine]>,
    n_values: u32,
    /// The bits of a slot that hold an index: a power of two minus 1. The other bits hold the tag.
    index_mask: u32,
}

/// A hash table of the indices 0, 1, 2, … of values that the caller keeps, in the order of insertion.
///
/// The table does not hash or compare values: the caller passes the hash to every call and decides
/// equality. [`find`](IndexTable::find) takes O(1) on average, [`insert`](IndexTable::insert) O(1)
/// amortised. In a large table an index takes less than six bytes.
///
/// ```
/// use npuzzle_core::IndexTable;
/// let boards: [u64; 2] = [142_358_670, 12_345_678];
/// let mut table = IndexTable::new();
/// for board in boards {
///     table.insert(board, |index| boards[index as usize]);
/// }
/// assert_eq!(table.find(12_345_678, |index| boards[index as usize] == 12_345_678), Some(1));
/// assert_eq!(table.find(1, |index| boards[index as usize] == 1), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct IndexTable {
    /// Empty before the first insertion, one segment in a small table.
    segments: Vec<Segment>,
    n_values: u32,
    /// Lines in all segments.
    n_lines: usize,
}

/// The result of looking for a hash in the first line of its probe sequence.
///
/// ```
/// use npuzzle_core::IndexTable;
/// let mut table = IndexTable::new();
/// assert!(table.probe(7).is_absent());
/// table.insert(7, |_| 7);
/// let probe = table.probe(7);
/// assert_eq!(table.find_from(probe, 7, |_| true), Some(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    line: u32,
    /// Whether a slot of the line may have the right tag.
    has_tag: bool,
    /// Whether the probe sequence continues in the next line.
    continues: bool,
}

impl Probe {
    const ABSENT: Probe = Probe { line: 0, has_tag: false, continues: false };

    /// Whether the table is known not to contain the value.
    #[inline]
    pub fn is_absent(self) -> bool {
        !self.has_tag && !self.continues
    }
}

impl IndexTable {
    /// The maximum number of values.
    pub const MAX: u32 = u32::MAX - 1;

    /// An empty table.
    pub fn new() -> Self {
        IndexTable::default()
    }

    /// Returns the index of the value with this hash for which `same` holds.
    #[inline]
    pub fn find(&self, hash: u64, same: impl FnMut(u32) -> bool) -> Option<u32> {
        self.find_from(self.probe(hash), hash, same)
    }

    /// Performs the first half of [`find`](IndexTable::find), which reads one line and no value.
    ///
    /// Callers that look for several values probe all of them first, so that the memory accesses
    /// overlap.
    #[inline]
    pub fn probe(&self, hash: u64) -> Probe {
        match self.segments.get(self.segment_of(hash)) {
            Some(segment) => segment.probe_line(segment.first_line(hash), hash),
            None => Probe::ABSENT,
        }
    }

    /// Performs the second half of [`find`](IndexTable::find), given the probe of the same hash. The
    /// table must not have changed since the probe.
    #[inline]
    pub fn find_from(&self, probe: Probe, hash: u64, same: impl FnMut(u32) -> bool) -> Option<u32> {
        if probe.is_absent() {
            return None;
        }
        self.segments.get(self.segment_of(hash))?.find_from(probe, hash, same)
    }

    /// Inserts the next index under the hash of its value and returns it. Equal values are not
    /// detected. When a segment grows, `hash_of` must return the hashes of earlier values.
    ///
    /// # Panics
    /// If the table contains [`MAX`](IndexTable::MAX) values.
    #[inline]
    pub fn insert(&mut self, hash: u64, hash_of: impl Fn(u32) -> u64) -> u32 {
        assert!(self.n_values < IndexTable::MAX, "an index table holds at most 2^32 - 2 values");
        let index = self.n_values;
        self.n_values += 1;
        let at = self.segment_of(hash);
        match self.segments.get_mut(at) {
            Some(segment) if segment.has_room_for(index) => segment.insert(hash, index),
            _ => self.insert_growing(hash, index, &hash_of),
        }
        index
    }

    #[cold]
    fn insert_growing(&mut self, hash: u64, index: u32, hash_of: &impl Fn(u32) -> u64) {
        if self.segments.is_empty() {
            self.segments.push(Segment::with_lines(1));
            self.n_lines = 1;
        }
        if let [segment] = &self.segments[..]
            && segment.lines.len() >= MAX_LINES_UNSPLIT
            && segment.is_full()
        {
            self.split(hash_of);
        }
        self.insert_in(self.segment_of(hash), hash, index, hash_of);
    }

    /// Inserts an index into a segment, which grows if it is full.
    fn insert_in(&mut self, at: usize, hash: u64, index: u32, hash_of: &impl Fn(u32) -> u64) {
        let segment = &mut self.segments[at];
        segment.widen_mask_for(index);
        if segment.is_full() {
            let n_lines = segment.lines.len();
            segment.grow(at, hash_of);
            self.n_lines += segment.lines.len() - n_lines;
        }
        segment.insert(hash, index);
    }

    /// Splits the only segment into many.
    fn split(&mut self, hash_of: &impl Fn(u32) -> u64) {
        let unsplit = std::mem::take(&mut self.segments);
        self.segments.resize_with(N_SEGMENTS, || Segment::with_lines(LINES_AFTER_SPLIT));
        self.n_lines = N_SEGMENTS * LINES_AFTER_SPLIT;
        for segment in unsplit {
            segment.for_each(hash_of, |index, hash| {
                self.insert_in(self.segment_of(hash), hash, index, hash_of);
            });
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.n_values as usize
    }

    /// Whether the table contains no values.
    pub fn is_empty(&self) -> bool {
        self.n_values == 0
    }

    /// Bytes in use. While a segment grows it is in memory twice: up to 32 KiB before the table is
    /// split, and a few thousandths of the table afterwards.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.n_lines * size_of::<CacheLine>() + self.segments.len() * size_of::<Segment>()
    }

    /// The highest bits of a hash select the segment, the bits below them the line; the lower half is
    /// for tags.
    #[inline]
    fn segment_of(&self, hash: u64) -> usize {
        (hash >> (64 - SEGMENT_BITS)) as usize & self.segments.len().wrapping_sub(1)
    }
}

impl Segment {
    fn with_lines(n_lines: usize) -> Segment {
        let lines = vec![CacheLine::default(); n_lines].into_boxed_slice();
        Segment { lines, n_values: 0, index_mask: 0xff }
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.index_mask
    }

    #[inline]
    fn first_line(&self, hash: u64) -> usize {
        let below = hash << SEGMENT_BITS >> 32;
        ((below * self.lines.len() as u64) >> 32) as usize
    }

    #[inline]
    fn next_line(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    #[inline]
    fn probe_line(&self, line: usize, hash: u64) -> Probe {
        let (words, tag) = (&self.lines[line].0, self.tag(hash));
        // All words are compared, without an early exit, so that the compiler vectorises the loop.
        // Comparing the first word and empty slots as well is harmless.
        let is_tagged = |slot: &u32| slot & !self.index_mask == tag;
        let has_tag = words.iter().fold(false, |any, slot| any | is_tagged(slot));
        Probe { line: line as u32, has_tag, continues: words[0] & OVERFLOWED != 0 }
    }

    #[inline(never)]
    fn find_from(
        &self,
        mut probe: Probe,
        hash: u64,
        mut same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let tag = self.tag(hash);
        loop {
            let line = probe.line as usize;
            if probe.has_tag {
                let tagged = self.lines[line].used().iter();
                let mut tagged = tagged.filter(|&slot| slot & !self.index_mask == tag);
                let found = tagged.find(|&slot| same(slot & self.index_mask));
                if let Some(slot) = found {
                    return Some(slot & self.index_mask);
                }
            }
            if !probe.continues {
                return None;
            }
            probe = self.probe_line(self.next_line(line), hash);
        }
    }

    /// Whether an index can be inserted without growing the segment or widening the mask.
    #[inline]
    fn has_room_for(&self, index: u32) -> bool {
        !self.is_full() && index <= self.index_mask
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.n_values as usize >= self.lines.len() * MAX_LOAD
    }

    #[inline]
    fn insert(&mut self, hash: u64, index: u32) {
        let slot = self.tag(hash) | index;
        let mut at = self.first_line(hash);
        loop {
            let line = &mut self.lines[at];
            let n_used = line.n_used();
            if n_used < SLOTS {
                line.0[1 + n_used] = slot;
                line.0[0] += 1;
                self.n_values += 1;
                return;
            }
            line.0[0] |= OVERFLOWED;
            at = self.next_line(at);
        }
    }

    /// Widens the index mask so that it covers an index. The bits are taken from the tags.
    fn widen_mask_for(&mut self, index: u32) {
        if index > self.index_mask {
            let widened = u32::MAX >> index.leading_zeros();
            let taken = widened & !self.index_mask;
            self.index_mask = widened;
            let slots = self.lines.iter_mut().flat_map(|line| &mut line.0[1..]);
            slots.for_each(|slot| *slot &= !taken);
        }
    }

    fn grow(&mut self, at: usize, hash_of: &impl Fn(u32) -> u64) {
        let mut larger = Segment::with_lines(self.next_n_lines(at));
        larger.index_mask = self.index_mask;
        self.for_each(hash_of, |index, hash| larger.insert(hash, index));
        *self = larger;
    }

    /// Calls `f` with all indices and their hashes.
    fn for_each(&self, hash_of: impl Fn(u32) -> u64, mut f: impl FnMut(u32, u64)) {
        for line in &self.lines {
            // All hashes are computed before the first is used, so that the memory accesses to the
            // values overlap.
            let mut hashes = [0; SLOTS];
            for (slot, hash) in line.used().iter().zip(&mut hashes) {
                *hash = hash_of(slot & self.index_mask);
            }
            for (slot, hash) in line.used().iter().zip(hashes) {
                f(slot & self.index_mask, hash);
            }
        }
    }

    /// The number of lines after growing: half as many again, so that few slots are empty. After 16
    /// lines the new size depends on the segment, so that segments later grow at different times.
    fn next_n_lines(&self, segment: usize) -> usize {
        match self.lines.len() {
            n @ 0..16 => 2 * n,
            16 => 17 + 7 * segment / N_SEGMENTS,
            n => n + n / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::*;
    use crate::chained_hash::WordHasher;

    fn hash(index: u32) -> u64 {
        BuildHasherDefault::<WordHasher>::new().hash_one(u64::from(index))
    }

    #[test]
    fn insertion_copies_only_a_small_part_of_a_large_table() {
        let mut table = IndexTable::new();
        let (mut before, mut max_growth) = (0, 0);
        for index in 0..3_000_000 {
            assert_eq!(table.insert(hash(index), hash), index);
            assert!(table.segments.len() == N_SEGMENTS || table.len() < 10_000);
            // The bytes that one insertion adds show how much it has copied.
            let grown = table.bytes() - before;
            if table.len() > 200_000 {
                max_growth = max_growth.max(grown * 10_000 / before);
            }
            before = table.bytes();
        }
        assert!((1..=40).contains(&max_growth), "{max_growth} ten-thousandths");
        let n_lines: usize = table.segments.iter().map(|segment| segment.lines.len()).sum();
        let n_values: u32 = table.segments.iter().map(|segment| segment.n_values).sum();
        assert_eq!((table.n_lines, table.n_values), (n_lines, n_values));
        // Segments grow at different times, so their sizes differ by up to a half.
        let sizes = || table.segments.iter().map(|segment| segment.lines.len());
        assert!(sizes().max() > sizes().min().map(|min| min * 5 / 4));
    }
}
