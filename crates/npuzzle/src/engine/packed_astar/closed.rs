//! The closed list: a hash table of nodes.
//!
//! ```text
//!     line   byte 0..6   a tag for each slot: bits of the hash
//!            byte 7      8 overflow flags
//!            7 slots     nodes of 8 bytes, filled in order
//! ```
//!
//! A line is a cache line. The hash selects a segment and a line in it. If the line is full, the node
//! goes to the next line with a free slot, and every full line on the way is marked with one of eight
//! flags, which the hash selects. All tags are compared at once, and few flags are set, so that looking for
//! an absent node reads one word and takes branches that the processor predicts.
//!
//! The segments grow one at a time and, after a few steps, at different times. So only a small part of
//! the table is in memory twice, and no insertion takes long.

use npuzzle_tables::prefetch_value;

use super::node::PackedNode;

/// Slots in a line.
const SLOTS: usize = 7;
/// Number of nodes in four lines, on average, at which a segment grows. With more nodes, insertions and look-ups
/// often pass full lines, which the processor does not predict; with fewer, a node takes more memory.
const MAX_LOAD_OF_FOUR: usize = 23;
const SEGMENT_BITS: u32 = 6;
const N_SEGMENTS: usize = 1 << SEGMENT_BITS;

const BYTE_ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bits of the seven tags.
const TAG_FLAGS: u64 = 0x0080_8080_8080_8080;

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct CacheLine {
    header: u64,
    slots: [PackedNode; SLOTS],
}

impl CacheLine {
    #[inline]
    fn n_used(&self) -> usize {
        // The tags of used slots have their highest bit: the last one gives the number.
        let used = self.header & TAG_FLAGS;
        ((used << 1 | 1).ilog2() / 8) as usize
    }

    /// Returns the node with the same board, if it is in this line.
    #[inline]
    fn find(&self, node: PackedNode, tag: u64) -> Option<PackedNode> {
        // A byte of `differences` is 0 if the tags are equal. The subtraction flags the lowest such
        // byte and may flag others above it, which the comparison of nodes rejects.
        let differences = self.header ^ (tag * BYTE_ONES);
        let mut flags = differences.wrapping_sub(BYTE_ONES) & !differences & TAG_FLAGS;
        while flags != 0 {
            let slot = self.slots.get((flags.trailing_zeros() / 8) as usize);
            if let Some(&found) = slot.filter(|slot| slot.is_same_board(node)) {
                return Some(found);
            }
            flags &= flags - 1;
        }
        None
    }

    /// Adds a node; `false` if the line is full.
    #[inline]
    fn push(&mut self, node: PackedNode, tag: u64) -> bool {
        let at = self.n_used();
        match self.slots.get_mut(at) {
            Some(slot) => {
                *slot = node;
                self.header |= tag << (8 * at);
                true
            }
            None => false,
        }
    }
}

/// The flag in the header of a full line: the probe sequence of some node with such a hash passes it.
#[inline]
fn overflow_flag(hash: u64) -> u64 {
    1 << (56 + (hash >> 7 & 7))
}

/// A tag: seven bits of the hash, and a bit that unused tags do not have.
#[inline]
fn tag(hash: u64) -> u64 {
    hash & 0x7f | 0x80
}

/// The hash of a node, and the line of its segment at which its probe sequence begins. Computed once, when
/// the line is prefetched; invalid when the closed list has grown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Home {
    hash: u64,
    line: usize,
}

/// Lines that grow together.
#[derive(Debug)]
struct Segment {
    lines: Box<[CacheLine]>,
    n_nodes: usize,
}

impl Segment {
    fn with_lines(n_lines: usize) -> Segment {
        let lines = vec![CacheLine::default(); n_lines].into_boxed_slice();
        Segment { lines, n_nodes: 0 }
    }

    /// The line at which the probe sequence of a hash begins.
    #[inline]
    fn first_line(&self, hash: u64) -> usize {
        let below = hash << SEGMENT_BITS >> 32;
        ((below * self.lines.len() as u64) >> 32) as usize
    }

    #[inline]
    fn next_line(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Looks for the node with the same board. If there is none, returns the last line of its probe
    /// sequence.
    #[inline(always)]
    fn find(
        &self,
        node: PackedNode,
        Home { hash, line: mut at }: Home,
    ) -> Result<PackedNode, usize> {
        debug_assert_eq!(at, self.first_line(hash), "the segment has grown");
        loop {
            let line = &self.lines[at];
            if let Some(found) = line.find(node, tag(hash)) {
                return Ok(found);
            }
            if line.header & overflow_flag(hash) == 0 {
                return Err(at);
            }
            at = self.next_line(at);
        }
    }

    /// Adds a node to the last line of its probe sequence, or a later one if that is full.
    #[inline]
    fn insert_from(&mut self, mut at: usize, node: PackedNode, hash: u64) {
        while !self.lines[at].push(node, tag(hash)) {
            self.lines[at].header |= overflow_flag(hash);
            at = self.next_line(at);
        }
        self.n_nodes += 1;
    }

    #[inline]
    fn is_full(&self) -> bool {
        4 * self.n_nodes >= self.lines.len() * MAX_LOAD_OF_FOUR
    }

    /// The number of lines after growing by five eighths: smaller steps take more time, larger ones more
    /// memory. After 8 lines it depends on the segment, so that segments later grow at different times.
    fn next_n_lines(&self, segment: usize) -> usize {
        match self.lines.len() {
            n @ 0..8 => 2 * n,
            8 => 16 + 10 * segment / N_SEGMENTS,
            n => n + n * 5 / 8,
        }
    }
}

/// The expanded nodes, found by their boards.
#[derive(Debug)]
pub(super) struct ClosedList {
    segments: [Segment; N_SEGMENTS],
    /// Lines in all segments.
    n_lines: usize,
}

impl ClosedList {
    pub(super) fn new() -> ClosedList {
        let segments = std::array::from_fn(|_| Segment::with_lines(1));
        ClosedList { segments, n_lines: N_SEGMENTS }
    }

    /// Returns the home of a node and loads its line into the cache of the processor.
    #[inline(always)]
    pub(super) fn locate(&self, node: PackedNode) -> Home {
        let hash = node.hash();
        let segment = &self.segments[segment_of(hash)];
        let line = segment.first_line(hash);
        if let Some(line) = segment.lines.get(line) {
            prefetch_value(line);
        }
        Home { hash, line }
    }

    /// Returns the expanded node with the same board. `home` is the home of the node.
    #[inline(always)]
    pub(super) fn find(&self, node: PackedNode, home: Home) -> Option<PackedNode> {
        self.segments[segment_of(home.hash)].find(node, home).ok()
    }

    /// Makes room for a node. Returns whether the list has grown; then all homes are invalid.
    #[inline(always)]
    pub(super) fn make_room(&mut self, node: PackedNode) -> bool {
        let at = segment_of(node.hash());
        let is_full = self.segments[at].is_full();
        if is_full {
            self.grow(at);
        }
        is_full
    }

    /// Adds a node for which there is room, unless its board is in the list; then returns `false`. `home` is
    /// the home of the node.
    #[inline(always)]
    pub(super) fn insert(&mut self, node: PackedNode, home: Home) -> bool {
        let segment = &mut self.segments[segment_of(home.hash)];
        match segment.find(node, home) {
            Ok(_) => false,
            Err(line) => {
                segment.insert_from(line, node, home.hash);
                true
            }
        }
    }

    #[cold]
    fn grow(&mut self, at: usize) {
        let segment = &mut self.segments[at];
        let mut larger = Segment::with_lines(segment.next_n_lines(at));
        self.n_lines += larger.lines.len() - segment.lines.len();
        for line in &segment.lines {
            for &node in &line.slots[..line.n_used()] {
                let hash = node.hash();
                larger.insert_from(larger.first_line(hash), node, hash);
            }
        }
        *segment = larger;
    }

    /// Bytes in use.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.n_lines * size_of::<CacheLine>() + size_of::<ClosedList>()
    }
}

/// The highest bits of a hash select the segment, the bits below them the line, the lowest are the tag.
#[inline]
fn segment_of(hash: u64) -> usize {
    (hash >> (64 - SEGMENT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use npuzzle_core::Packed;

    use super::*;

    #[test]
    fn closed_list_finds_exactly_what_was_inserted_while_it_grows() {
        let mut closed = ClosedList::new();
        let node = |word: u64| PackedNode::new(Packed::from_bits(word), None);
        let n = 300_000;
        for word in 0..n {
            let node = node(word);
            assert_eq!(closed.find(node, closed.locate(node)), None);
            closed.make_room(node);
            let home = closed.locate(node);
            assert!(closed.insert(node, home) && !closed.insert(node, home));
            assert_eq!(closed.find(node, home), Some(node));
        }
        let contains =
            |word| closed.find(node(word), closed.locate(node(word))) == Some(node(word));
        assert!((0..n).all(contains));
        assert!(!(n..2 * n).any(contains));
        let n_nodes: usize = closed.segments.iter().map(|segment| segment.n_nodes).sum();
        let n_lines: usize = closed.segments.iter().map(|segment| segment.lines.len()).sum();
        assert_eq!((n_nodes, n_lines), (n as usize, closed.n_lines));
        assert!(closed.bytes() < 16 * n as usize, "{}", closed.bytes());
        // Segments grow at different times, so their sizes differ by up to five eighths.
        let sizes = || closed.segments.iter().map(|segment| segment.lines.len());
        assert!(sizes().max() > sizes().min().map(|min| min * 5 / 4));
    }

    #[test]
    fn line_takes_64_bytes_and_passes_on_when_full() {
        assert_eq!(size_of::<CacheLine>(), 64);
        let mut segment = Segment::with_lines(2);
        let nodes = (0..14).map(|word| PackedNode::new(Packed::from_bits(word), None));
        // All hashes are equal: same line, same tag.
        let home = Home { hash: u64::MAX, line: 1 };
        nodes.clone().for_each(|node| segment.insert_from(1, node, u64::MAX));
        assert!(nodes.clone().all(|node| segment.find(node, home) == Ok(node)));
        let is_marked = segment.lines.iter().map(|line| line.header & overflow_flag(u64::MAX) != 0);
        assert!(is_marked.eq([false, true]));
    }
}
