//! A hash table with separate chaining.
//!
//! ```text
//!     buckets   entries (in the order of insertion)
//!      [ 2 ] --> 2: (x, next 0) --> 0: (a, end)
//!      [end]
//!      [ 1 ] --> 1: (b, end)
//! ```
//!
//! All entries are stored in one array and linked by index. An entry takes eight bytes in addition to
//! its value, and growing the table only relinks entries. Four of the eight bytes are a tag, a part
//! of the hash: a lookup of an absent value rarely compares any value, which may be stored elsewhere
//! and cost an access to main memory.

use std::hash::Hasher;

/// The index that ends a chain.
const END: u32 = u32::MAX;

/// A hash table with separate chaining.
///
/// The table does not hash or compare values: the caller passes the hash to every call and decides
/// equality, so a value may be an index of something stored elsewhere. [`find`] takes O(1) on average
/// and O(n) in the worst case, [`insert`] O(1) amortized; memory is O(n).
///
/// A table created by [`new`] doubles its buckets as it fills, so chains stay short. A table created
/// by [`with_buckets`] keeps its number of buckets, which should be a prime.
///
/// ```
/// use npuzzle_core::ChainedTable;
/// let mut table = ChainedTable::with_buckets(991);
/// for number in [142_358_670_u64, 12_345_678] {
///     table.insert(number, number, |&n| n);
/// }
/// assert_eq!(table.find(12_345_678, |&n| n == 12_345_678), Some(&12_345_678));
/// assert_eq!(table.find(1, |&n| n == 1), None);
/// ```
///
/// [`new`]: ChainedTable::new
/// [`with_buckets`]: ChainedTable::with_buckets
/// [`find`]: ChainedTable::find
/// [`insert`]: ChainedTable::insert
#[derive(Clone, Debug)]
pub struct ChainedTable<T> {
    /// The index of the first entry of every chain.
    buckets: Vec<u32>,
    entries: Vec<ChainEntry<T>>,
    grows: bool,
}

#[derive(Clone, Debug)]
struct ChainEntry<T> {
    value: T,
    tag: u32,
    /// The index of the next entry of the chain.
    next: u32,
}

/// The part of a hash that an entry stores.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

impl<T> ChainedTable<T> {
    /// An empty table that grows.
    pub fn new() -> Self {
        ChainedTable { buckets: Vec::new(), entries: Vec::new(), grows: true }
    }

    /// An empty table with a fixed number of buckets (at least one).
    pub fn with_buckets(n_buckets: usize) -> Self {
        ChainedTable { buckets: vec![END; n_buckets.max(1)], entries: Vec::new(), grows: false }
    }

    /// Returns the value with this hash for which `same` holds.
    #[inline]
    pub fn find(&self, hash: u64, mut same: impl FnMut(&T) -> bool) -> Option<&T> {
        if self.buckets.is_empty() {
            return None;
        }
        let mut at = self.buckets[self.bucket(hash)];
        while at != END {
            let entry = &self.entries[at as usize];
            if entry.tag == tag(hash) && same(&entry.value) {
                return Some(&entry.value);
            }
            at = entry.next;
        }
        None
    }

    /// Inserts a value under its hash. Equal values are not detected. When the table grows, `hash_of`
    /// must return the hashes of the values in it.
    ///
    /// # Panics
    /// If the table contains 2³² - 1 values.
    #[inline]
    pub fn insert(&mut self, hash: u64, value: T, hash_of: impl Fn(&T) -> u64) {
        // At least half of the buckets are empty, so most lookups of absent values end at an empty
        // bucket.
        if self.grows && 2 * self.entries.len() >= self.buckets.len() {
            self.grow(hash_of);
        }
        assert!(self.entries.len() < END as usize, "a chained table holds at most 2^32 - 1 values");
        let bucket = self.bucket(hash);
        self.entries.push(ChainEntry { value, tag: tag(hash), next: self.buckets[bucket] });
        self.buckets[bucket] = (self.entries.len() - 1) as u32;
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the table contains no values.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The values in the order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.entries.iter().map(|entry| &entry.value)
    }

    /// Returns the number of values in each bucket, to examine a hash function.
    pub fn chain_lengths(&self) -> Vec<usize> {
        let next = |&at: &u32| self.entries.get(at as usize).map(|entry| entry.next);
        let chain =
            |&first: &u32| std::iter::successors(Some(first), next).filter(|&at| at != END).count();
        self.buckets.iter().map(chain).collect()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.buckets[..]) + size_of_val(&self.entries[..])
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        let n = self.buckets.len() as u64;
        // The number of buckets of a growing table is a power of two: masking is cheaper than dividing.
        (if self.grows { hash & (n - 1) } else { hash % n }) as usize
    }

    fn grow(&mut self, hash_of: impl Fn(&T) -> u64) {
        let n = (2 * self.buckets.len()).max(16);
        self.buckets.clear();
        self.buckets.resize(n, END);
        for at in 0..self.entries.len() {
            let bucket = self.bucket(hash_of(&self.entries[at].value));
            self.entries[at].next = self.buckets[bucket];
            self.buckets[bucket] = at as u32;
        }
    }
}

impl<T> Default for ChainedTable<T> {
    fn default() -> Self {
        ChainedTable::new()
    }
}

/// A fast hasher for states of a few machine words, which multiplies and folds.
///
/// It does not resist inputs that are chosen to collide.
///
/// ```
/// use npuzzle_core::WordHasher;
/// use std::hash::Hasher;
/// let hash = |word| {
///     let mut hasher = WordHasher::default();
///     hasher.write_u64(word);
///     hasher.finish()
/// };
/// assert_ne!(hash(1), hash(2));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        // 2^64 divided by the golden ratio, rounded to an odd number: every bit of the word affects
        // the high half of the product.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.write_u64(word);
        }
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
