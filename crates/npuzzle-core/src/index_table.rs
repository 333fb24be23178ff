//! A hash table with open addressing, for values that are kept elsewhere and have numbers.
//!
//! ```text
//!     segment 0   line 0   [ 2 used ] [ tag 3 | 0 ] [ tag 9 | 3 ] [ empty ] … 15 slots of four bytes
//!                 line 1   [ 1 used ] [ tag 5 | 1 ] [ empty ] …
//!     segment 1   …
//! ```
//!
//! A value's hash names its segment and its line; if that is full, the value goes to the next line
//! that is not, and every line it passes is marked. A line is what the processor fetches from memory
//! at once. A slot holds the value's number and, in the bits that the numbers do not need yet, a part
//! of the hash: a value that is not there is nearly always told by one such fetch, without looking at
//! any value.
//!
//! A small table is one segment. One beyond 32 KiB is parted into 512, which grow one at a time
//! and at different times: no insertion takes long, and what is in memory twice while a segment grows
//! is a small part of the table. The twin that textbooks draw is
//! [`ChainedTable`](crate::ChainedTable).

/// Slots in a line.
const WIDTH: usize = 15;
/// Values for each line of a segment before it grows.
const MAX_LOAD: usize = 14;
/// Segments in a table that has more than one.
const N_SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 9;
/// Once the only segment of a table has so many lines, it is parted instead of growing.
const MAX_ALONE: usize = 512;
/// Lines in a segment of a table that has just been parted.
const N_AFTER_PARTING: usize = 2 * MAX_ALONE / N_SEGMENTS;

/// What begins and ends with a line of the processor's cache: in the first word how many slots are
/// used, and whether some value has passed by since they are; then the slots, filled in order.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([u32; 1 + WIDTH]);

/// In the first word of a line: a value that belongs here, or before here, is in a later line.
const PASSED: u32 = 1 << 31;

impl Line {
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
    lines: Box<[Line]>,
    n_values: u32,
    /// The bits of a slot that hold a number, a power of two less 1. The tag is in the others.
    number_bits: u32,
}

/// A hash table of the numbers 0, 1, 2, …, which stand for values in the order of their insertion.
///
/// The table does not hash: the caller passes the hash with every call and says what equality
/// means. [`find`](NumberedTable::find) takes O(1) on average, [`insert`](NumberedTable::insert)
/// O(1) amortised. In a large table a number takes less than six bytes.
///
/// ```
/// use npuzzle_core::NumberedTable;
/// let boards: [u64; 2] = [142_358_670, 12_345_678];
/// let mut table = NumberedTable::new();
/// for board in boards {
///     table.insert(board, |number| boards[number as usize]);
/// }
/// assert_eq!(table.find(12_345_678, |number| boards[number as usize] == 12_345_678), Some(1));
/// assert_eq!(table.find(1, |number| boards[number as usize] == 1), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NumberedTable {
    /// None before the first insertion, one in a small table.
    segments: Vec<Segment>,
    n_values: u32,
    /// In all segments together.
    n_lines: usize,
}

/// What the first line of a hash tells of its value.
///
/// ```
/// use npuzzle_core::NumberedTable;
/// let mut table = NumberedTable::new();
/// assert!(table.glance(7).is_absent());
/// table.insert(7, |_| 7);
/// let glance = table.glance(7);
/// assert_eq!(table.find_from(glance, 7, |_| true), Some(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    line: u32,
    /// Whether some slot may have the right tag.
    has_tag: bool,
    /// Whether the search must go on in the next line.
    goes_on: bool,
}

impl Probe {
    const ABSENT: Probe = Probe { line: 0, has_tag: false, goes_on: false };

    /// Whether the value is known not to be there.
    #[inline]
    pub fn is_absent(self) -> bool {
        !self.has_tag && !self.goes_on
    }
}

impl NumberedTable {
    /// The most values that a table holds.
    pub const MAX: u32 = u32::MAX - 1;

    /// An empty table.
    pub fn new() -> Self {
        NumberedTable::default()
    }

    /// The number of the value under this hash for which `same` holds.
    #[inline]
    pub fn find(&self, hash: u64, same: impl FnMut(u32) -> bool) -> Option<u32> {
        self.find_from(self.glance(hash), hash, same)
    }

    /// The first half of [`find`](NumberedTable::find), which looks at one line and at no value.
    ///
    /// Who has several values to find glances at all of them first: the fetches from memory then go
    /// side by side, not one after the other.
    #[inline]
    pub fn glance(&self, hash: u64) -> Probe {
        match self.segments.get(self.segment_of(hash)) {
            Some(segment) => segment.look(segment.first_line(hash), hash),
            None => Probe::ABSENT,
        }
    }

    /// The second half of [`find`](NumberedTable::find), after a glance at the same table.
    #[inline]
    pub fn find_from(
        &self,
        glance: Probe,
        hash: u64,
        same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        if glance.is_absent() {
            return None;
        }
        self.segments.get(self.segment_of(hash))?.find_from(glance, hash, same)
    }

    /// Adds the next number under the hash of its value, whether or not an equal value is there,
    /// and returns it. `hash_of` is asked for the hashes of values before it when a segment grows.
    ///
    /// # Panics
    /// With [`MAX`](NumberedTable::MAX) values in it.
    #[inline]
    pub fn insert(&mut self, hash: u64, hash_of: impl Fn(u32) -> u64) -> u32 {
        assert!(self.n_values < NumberedTable::MAX, "a table holds 2^32 - 2 values");
        let number = self.n_values;
        self.n_values += 1;
        let at = self.segment_of(hash);
        match self.segments.get_mut(at) {
            Some(segment) if segment.has_room_for(number) => segment.place(hash, number),
            _ => self.insert_slowly(hash, number, &hash_of),
        }
        number
    }

    #[cold]
    fn insert_slowly(&mut self, hash: u64, number: u32, hash_of: &impl Fn(u32) -> u64) {
        if self.segments.is_empty() {
            self.segments.push(Segment::with_lines(1));
            self.n_lines = 1;
        }
        if let [alone] = &self.segments[..]
            && alone.lines.len() >= MAX_ALONE
            && alone.is_due_to_grow()
        {
            self.part(hash_of);
        }
        let at = self.segment_of(hash);
        self.place(at, hash, number, hash_of);
    }

    /// Places a number in a segment, for which there is room in the end.
    fn place(&mut self, at: usize, hash: u64, number: u32, hash_of: &impl Fn(u32) -> u64) {
        let segment = &mut self.segments[at];
        segment.widen_numbers_for(number);
        if segment.is_due_to_grow() {
            let n_lines = segment.lines.len();
            segment.grow(at, hash_of);
            self.n_lines += segment.lines.len() - n_lines;
        }
        segment.place(hash, number);
    }

    /// Makes many segments of the only one.
    fn part(&mut self, hash_of: &impl Fn(u32) -> u64) {
        let alone = std::mem::take(&mut self.segments);
        self.segments.resize_with(N_SEGMENTS, || Segment::with_lines(N_AFTER_PARTING));
        self.n_lines = N_SEGMENTS * N_AFTER_PARTING;
        for segment in alone {
            segment.for_each(hash_of, |number, hash| {
                self.place(self.segment_of(hash), hash, number, hash_of);
            });
        }
    }

    /// How many values are in it.
    pub fn len(&self) -> usize {
        self.n_values as usize
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.n_values == 0
    }

    /// Bytes in use. A segment that grows is there twice for that time: some 32 KiB before the table
    /// is parted, then a few thousandths of it.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.n_lines * size_of::<Line>() + self.segments.len() * size_of::<Segment>()
    }

    /// The highest bits of a hash name the segment, those below the line, the lowest half is for
    /// tags.
    #[inline]
    fn segment_of(&self, hash: u64) -> usize {
        (hash >> (64 - SEGMENT_BITS)) as usize & self.segments.len().wrapping_sub(1)
    }
}

impl Segment {
    fn with_lines(n_lines: usize) -> Segment {
        let lines = vec![Line::default(); n_lines].into_boxed_slice();
        Segment { lines, n_values: 0, number_bits: 0xff }
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.number_bits
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
    fn look(&self, line: usize, hash: u64) -> Probe {
        let (words, tag) = (&self.lines[line].0, self.tag(hash));
        // All of them, without an end at the first, so that the compiler compares several at once; that
        // the first word and empty slots are compared too does no harm.
        let is_tagged = |slot: &u32| slot & !self.number_bits == tag;
        let has_tag = words.iter().fold(false, |any, slot| any | is_tagged(slot));
        Probe { line: line as u32, has_tag, goes_on: words[0] & PASSED != 0 }
    }

    #[inline(never)]
    fn find_from(
        &self,
        mut glance: Probe,
        hash: u64,
        mut same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let tag = self.tag(hash);
        loop {
            let line = glance.line as usize;
            if glance.has_tag {
                let tagged = self.lines[line].used().iter();
                let mut tagged = tagged.filter(|&slot| slot & !self.number_bits == tag);
                let found = tagged.find(|&slot| same(slot & self.number_bits));
                if let Some(slot) = found {
                    return Some(slot & self.number_bits);
                }
            }
            if !glance.goes_on {
                return None;
            }
            glance = self.look(self.next_line(line), hash);
        }
    }

    /// Whether a number can be placed without more ado.
    #[inline]
    fn has_room_for(&self, number: u32) -> bool {
        !self.is_due_to_grow() && number <= self.number_bits
    }

    #[inline]
    fn is_due_to_grow(&self) -> bool {
        self.n_values as usize >= self.lines.len() * MAX_LOAD
    }

    #[inline]
    fn place(&mut self, hash: u64, number: u32) {
        let slot = self.tag(hash) | number;
        let mut at = self.first_line(hash);
        loop {
            let line = &mut self.lines[at];
            let n_used = line.n_used();
            if n_used < WIDTH {
                line.0[1 + n_used] = slot;
                line.0[0] += 1;
                self.n_values += 1;
                return;
            }
            line.0[0] |= PASSED;
            at = self.next_line(at);
        }
    }

    /// Takes bits from the tags for the numbers.
    fn widen_numbers_for(&mut self, number: u32) {
        if number > self.number_bits {
            let widened = u32::MAX >> number.leading_zeros();
            let taken = widened & !self.number_bits;
            self.number_bits = widened;
            let slots = self.lines.iter_mut().flat_map(|line| &mut line.0[1..]);
            slots.for_each(|slot| *slot &= !taken);
        }
    }

    /// Makes room.
    fn grow(&mut self, at: usize, hash_of: &impl Fn(u32) -> u64) {
        let mut larger = Segment::with_lines(self.next_size(at));
        larger.number_bits = self.number_bits;
        self.for_each(hash_of, |number, hash| larger.place(hash, number));
        *self = larger;
    }

    /// Calls `f` with the numbers and their hashes.
    fn for_each(&self, hash_of: impl Fn(u32) -> u64, mut f: impl FnMut(u32, u64)) {
        for line in &self.lines {
            // All hashes before the first is used: values are fetched from memory side by side.
            let mut hashes = [0; WIDTH];
            for (slot, hash) in line.used().iter().zip(&mut hashes) {
                *hash = hash_of(slot & self.number_bits);
            }
            for (slot, hash) in line.used().iter().zip(hashes) {
                f(slot & self.number_bits, hash);
            }
        }
    }

    /// How many lines there are next: half as many again, so that little is left empty. Once on the
    /// way a segment grows by a share of that, to part it from the others.
    fn next_size(&self, number: usize) -> usize {
        match self.lines.len() {
            n @ 0..16 => 2 * n,
            16 => 17 + 7 * number / N_SEGMENTS,
            n => n + n / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::*;
    use crate::chained_hash::WordHasher;

    fn hash(number: u32) -> u64 {
        BuildHasherDefault::<WordHasher>::new().hash_one(u64::from(number))
    }

    #[test]
    fn a_table_is_parted_and_what_grows_at_once_is_a_small_part_of_it() {
        let mut table = NumberedTable::new();
        let (mut before, mut most_at_once) = (0, 0);
        for number in 0..3_000_000 {
            assert_eq!(table.insert(hash(number), hash), number);
            assert!(table.segments.len() == N_SEGMENTS || table.len() < 10_000);
            // What one insertion adds tells how much it has copied.
            let grown = table.bytes() - before;
            if table.len() > 200_000 {
                most_at_once = most_at_once.max(grown * 10_000 / before);
            }
            before = table.bytes();
        }
        assert!((1..=40).contains(&most_at_once), "{most_at_once} of ten thousand");
        let n_lines: usize = table.segments.iter().map(|segment| segment.lines.len()).sum();
        let n_values: u32 = table.segments.iter().map(|segment| segment.n_values).sum();
        assert_eq!((table.n_lines, table.n_values), (n_lines, n_values));
        // Grown at different times, segments differ in size by up to a half.
        let sizes = || table.segments.iter().map(|segment| segment.lines.len());
        assert!(sizes().max() > sizes().min().map(|least| least * 5 / 4));
    }
}
