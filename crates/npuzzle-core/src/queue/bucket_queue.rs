//! A bucket queue: one stack per key, the fastest queue if keys are small integers.

use std::collections::BTreeMap;

use super::MinQueue;

/// Keys below this index an array of stacks. Larger keys use a map, so that one large key does not
/// allocate a large array.
const ARRAY_KEYS: usize = 1 << 16;

/// A queue for keys that are small integers: one stack per key.
///
/// `push` takes O(1). `pop` takes O(1) plus the number of empty stacks between the last key and the
/// next; this number is small in a search whose keys rarely decrease. Keys from 65536 on take
/// O(log k) for k different keys. Among equal keys, last in is first out.
///
/// ```
/// use npuzzle_core::queue::{BucketQueue, MinQueue};
/// let mut queue = BucketQueue::default();
/// for (key, item) in [(1, 'a'), (0, 'x'), (1, 'b'), (4_000_000_000, 'z')] {
///     queue.push(key, item);
/// }
/// let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, item)| item).collect();
/// assert_eq!(order, "xbaz");
/// ```
#[derive(Clone, Debug)]
pub struct BucketQueue<T> {
    /// The stacks of the keys below [`ARRAY_KEYS`].
    near: Vec<Stack<T>>,
    /// The stacks of the other keys.
    far: BTreeMap<u32, Stack<T>>,
    /// All stacks of `near` before this index are empty.
    min: usize,
    n_near: usize,
    n_far: usize,
}

impl<T> BucketQueue<T> {
    /// An empty queue.
    pub fn new() -> Self {
        BucketQueue { near: Vec::new(), far: BTreeMap::new(), min: 0, n_near: 0, n_far: 0 }
    }

    /// Returns the smallest key. The queue is mutable because it remembers which stacks are empty.
    #[inline]
    pub fn min_key(&mut self) -> Option<u32> {
        if self.n_near == 0 {
            return self.far.keys().next().copied();
        }
        while self.near.get(self.min).is_some_and(Stack::is_empty) {
            self.min += 1;
        }
        Some(self.min as u32)
    }

    /// Number of items with this key.
    #[inline]
    pub fn len_of(&self, key: u32) -> usize {
        self.stack(key).map_or(0, Stack::len)
    }

    /// Returns the item with this key above `n_below` others: the one that leaves the queue when only
    /// `n_below` items with this key remain. Searches look ahead with it.
    ///
    /// ```
    /// use npuzzle_core::queue::{BucketQueue, MinQueue};
    /// let mut queue = BucketQueue::default();
    /// for item in ['a', 'b', 'c'] {
    ///     queue.push(7, item);
    /// }
    /// assert_eq!((queue.len_of(7), queue.get(7, 1), queue.get(7, 3)), (3, Some(&'b'), None));
    /// ```
    #[inline]
    pub fn get(&self, key: u32, n_below: usize) -> Option<&T> {
        self.stack(key)?.get(n_below)
    }

    #[inline]
    fn stack(&self, key: u32) -> Option<&Stack<T>> {
        match self.near.get(key as usize) {
            None if self.n_far > 0 => self.far.get(&key),
            stack => stack,
        }
    }

    /// Inserts an item whose key has no stack in `near` yet.
    #[cold]
    fn push_new_key(&mut self, key: u32, item: T) {
        let at = key as usize;
        if at >= ARRAY_KEYS {
            self.far.entry(key).or_default().push(item);
            self.n_far += 1;
        } else {
            self.near.resize_with(at + 1, Stack::default);
            self.push(key, item);
        }
    }

    #[inline]
    fn pop_near(&mut self) -> Option<(u32, T)> {
        while let Some(stack) = self.near.get_mut(self.min) {
            if let Some(item) = stack.pop() {
                self.n_near -= 1;
                return Some((self.min as u32, item));
            }
            self.min += 1;
        }
        None
    }

    fn pop_far(&mut self) -> Option<(u32, T)> {
        let mut stack = self.far.first_entry()?;
        let key = *stack.key();
        let item = stack.get_mut().pop();
        if stack.get().is_empty() {
            stack.remove();
        }
        self.n_far -= 1;
        item.map(|item| (key, item))
    }
}

impl<T> Default for BucketQueue<T> {
    fn default() -> Self {
        BucketQueue::new()
    }
}

impl<T> MinQueue<u32, T> for BucketQueue<T> {
    #[inline]
    fn push(&mut self, key: u32, item: T) {
        let at = key as usize;
        match self.near.get_mut(at) {
            Some(stack) => {
                stack.push(item);
                self.min = self.min.min(at);
                self.n_near += 1;
            }
            None => self.push_new_key(key, item),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, T)> {
        if self.n_near > 0 { self.pop_near() } else { self.pop_far() }
    }

    #[inline]
    fn len(&self) -> usize {
        self.n_near + self.n_far
    }

    fn bytes(&self) -> usize {
        // Keys are not stored: they are the indices of the stacks.
        self.len() * size_of::<T>()
    }
}

/// Items in a chunk of a stack.
const CHUNK: usize = 1 << 12;

/// A stack in chunks: popped chunks are freed, and growing moves no items.
#[derive(Clone, Debug)]
struct Stack<T> {
    /// The last chunk; empty only if the stack is empty.
    top: Vec<T>,
    /// The chunks below it, all full.
    below: Vec<Vec<T>>,
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Stack { top: Vec::new(), below: Vec::new() }
    }
}

impl<T> Stack<T> {
    #[inline]
    fn is_empty(&self) -> bool {
        self.top.is_empty()
    }

    #[inline]
    fn len(&self) -> usize {
        self.below.len() * CHUNK + self.top.len()
    }

    #[inline]
    fn get(&self, index: usize) -> Option<&T> {
        let chunk = self.below.get(index / CHUNK).unwrap_or(&self.top);
        // If the index is beyond the top chunk, so is this difference.
        chunk.get(index - (index / CHUNK).min(self.below.len()) * CHUNK)
    }

    #[inline]
    fn push(&mut self, item: T) {
        if self.top.len() == CHUNK {
            self.add_chunk();
        }
        self.top.push(item);
    }

    #[cold]
    fn add_chunk(&mut self) {
        // Most stacks are small: only chunks after the first are allocated at full size.
        let full = std::mem::replace(&mut self.top, Vec::with_capacity(CHUNK));
        self.below.push(full);
    }

    #[inline]
    fn pop(&mut self) -> Option<T> {
        let item = self.top.pop();
        if self.top.is_empty() {
            self.drop_chunk();
        }
        item
    }

    #[cold]
    fn drop_chunk(&mut self) {
        self.top = self.below.pop().unwrap_or_default();
    }
}
