//! A hash table with open addressing, for values that are kept elsewhere and have numbers.
//!
//! ```text
//!     segment 0   line 0   [ tag 3 | 1 ] [ tag 9 | 4 ] [ empty ] … 16 slots of four bytes
//!                 line 1   [ tag 5 | 2 ] [ empty ] …
//!     segment 1   …
//! ```
//!
//! A value's hash names its segment and its line; if that is full, the value goes to the next line
//! that is not. A line is what the processor fetches from memory at once. A slot holds the value's
//! number and, in the bits that the numbers do not need yet, a part of the hash: a value that is
//! not there is nearly always told by one such fetch, without looking at any value.
//!
//! Segments grow one at a time and at different times, so no insertion takes long, and a table that
//! grows is never in memory twice. The twin that textbooks draw is
//! [`ChainedTable`](crate::ChainedTable).

/// Slots in a line.
const WIDTH: usize = 16;
/// Segments in a table that has more than one.
const N_SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 7;
/// Lines in the only segment of a table before it is parted.
const MAX_ALONE: usize = 64;

/// Slots that begin and end with a line of the processor's cache. 0 is an empty slot; slots are
/// filled in order.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([u32; WIDTH]);

/// Lines that grow together.
#[derive(Clone, Debug, Default)]
struct Segment {
    lines: Vec<Line>,
    n_values: usize,
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
#[derive(Clone, Debug)]
pub struct NumberedTable {
    /// None before the first insertion, one in a small table.
    segments: Vec<Segment>,
    n_values: u32,
    n_lines: usize,
    /// The bits of a slot that hold a number, counted from 1: a power of two less 1. The tag is in
    /// the others.
    number_bits: u32,
}

/// What the first line of a hash tells of its value.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    line: u32,
    /// Whether some slot has the right tag.
    has_tag: bool,
    /// Whether the search must go on in the next line.
    is_full: bool,
}

impl Glance {
    const ABSENT: Glance = Glance { line: 0, has_tag: false, is_full: false };

    /// Whether the value is known not to be there.
    #[inline]
    pub fn is_absent(self) -> bool {
        !self.has_tag && !self.is_full
    }
}

impl NumberedTable {
    /// The most values that a table holds: a slot has 32 bits, and one number means empty.
    pub const MAX: u32 = u32::MAX - 1;

    /// An empty table.
    pub fn new() -> Self {
        NumberedTable { segments: Vec::new(), n_values: 0, n_lines: 0, number_bits: 0xff }
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
    pub fn glance(&self, hash: u64) -> Glance {
        match self.segments.get(self.segment_of(hash)) {
            Some(segment) if !segment.lines.is_empty() => {
                self.look(segment, segment.first_line(hash), hash)
            }
            _ => Glance::ABSENT,
        }
    }

    /// The second half of [`find`](NumberedTable::find), after a glance at the same table.
    #[inline]
    pub fn find_from(
        &self,
        mut glance: Glance,
        hash: u64,
        mut same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        if glance.is_absent() {
            return None;
        }
        let segment = self.segments.get(self.segment_of(hash))?;
        let tag = hash as u32 & !self.number_bits;
        loop {
            let line = glance.line as usize;
            for slot in segment.lines[line].0.iter().filter(|_| glance.has_tag) {
                // An empty slot looks as one with the tag 0 does.
                if slot & !self.number_bits == tag
                    && let Some(number) = (slot & self.number_bits).checked_sub(1)
                    && same(number)
                {
                    return Some(number);
                }
            }
            if !glance.is_full {
                return None;
            }
            glance = self.look(segment, segment.next_line(line), hash);
        }
    }

    /// Adds the next number under the hash of its value, whether or not an equal value is there,
    /// and returns it. `hash_of` is asked for the hashes of values before it when a segment grows.
    ///
    /// # Panics
    /// With [`MAX`](NumberedTable::MAX) values in it.
    #[inline]
    pub fn insert(&mut self, hash: u64, hash_of: impl Fn(u32) -> u64) -> u32 {
        assert!(self.n_values < NumberedTable::MAX, "a table holds 2^32 - 2 values");
        if self.n_values == self.number_bits {
            self.widen_numbers();
        }
        let at = self.segment_of(hash);
        if self.segments.get(at).is_none_or(Segment::is_due_to_grow) {
            self.grow(at, &hash_of);
        }
        let number = self.n_values;
        self.n_values += 1;
        let at = self.segment_of(hash);
        self.segments[at].place(hash, (hash as u32 & !self.number_bits) | (number + 1));
        number
    }

    /// How many values are in it.
    pub fn len(&self) -> usize {
        self.n_values as usize
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.n_values == 0
    }

    /// Bytes in use.
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

    #[inline]
    fn look(&self, segment: &Segment, line: usize, hash: u64) -> Glance {
        let slots = &segment.lines[line].0;
        let tag = hash as u32 & !self.number_bits;
        // Counted, not searched, so that the compiler compares several slots at once.
        let n: u32 = slots.iter().map(|slot| u32::from(slot & !self.number_bits == tag)).sum();
        Glance { line: line as u32, has_tag: n > 0, is_full: slots[WIDTH - 1] != 0 }
    }

    /// Makes room in a segment.
    #[cold]
    fn grow(&mut self, at: usize, hash_of: &impl Fn(u32) -> u64) {
        let before = match self.segments.get_mut(at) {
            // The only segment is parted into many, which begin small.
            Some(alone) if self.n_lines == MAX_ALONE => {
                let before = std::mem::take(&mut alone.lines);
                self.segments.clear();
                self.segments.resize_with(N_SEGMENTS, || Segment::with_lines(1));
                before
            }
            Some(segment) => {
                let larger = Segment::with_lines(segment.next_size(at));
                std::mem::replace(segment, larger).lines
            }
            None => {
                self.segments.push(Segment::with_lines(1));
                Vec::new()
            }
        };
        for Line(slots) in before {
            // All hashes before the first is used: values are fetched from memory side by side.
            let hashes = slots.map(|slot| hash_of((slot & self.number_bits).saturating_sub(1)));
            for (slot, hash) in slots.into_iter().zip(hashes).filter(|(slot, _)| *slot != 0) {
                let at = self.segment_of(hash);
                if self.segments[at].is_due_to_grow() {
                    self.grow(at, hash_of);
                }
                self.segments[at].place(hash, slot);
            }
        }
        self.n_lines = self.segments.iter().map(|segment| segment.lines.len()).sum();
    }

    /// Takes a bit from the tags for the numbers.
    #[cold]
    fn widen_numbers(&mut self) {
        let taken = self.number_bits + 1;
        self.number_bits |= taken;
        let lines = self.segments.iter_mut().flat_map(|segment| &mut segment.lines);
        lines.flat_map(|line| &mut line.0).for_each(|slot| *slot &= !taken);
    }
}

impl Default for NumberedTable {
    fn default() -> Self {
        NumberedTable::new()
    }
}

impl Segment {
    fn with_lines(n_lines: usize) -> Segment {
        Segment { lines: vec![Line::default(); n_lines], n_values: 0 }
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

    /// Seven eighths of the slots are used at most.
    #[inline]
    fn is_due_to_grow(&self) -> bool {
        self.n_values >= self.lines.len() * (WIDTH * 7 / 8)
    }

    #[inline]
    fn place(&mut self, hash: u64, slot: u32) {
        let mut line = self.first_line(hash);
        loop {
            let slots = &mut self.lines[line].0;
            let n_used = slots.partition_point(|&slot| slot != 0);
            if n_used < WIDTH {
                slots[n_used] = slot;
                self.n_values += 1;
                return;
            }
            line = self.next_line(line);
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
