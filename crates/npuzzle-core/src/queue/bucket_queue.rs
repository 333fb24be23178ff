//! One stack per key: the fastest queue when keys are small whole numbers.

use std::collections::BTreeMap;

use super::MinQueue;

/// Keys below this have a place of their own in an array; the rest go to a map, so that a large
/// key does not cost an array of its size.
const NEAR: usize = 1 << 16;

/// A queue for keys that are small whole numbers: one stack per key.
///
/// `push` takes O(1). `pop` takes O(1) and a look at every empty stack between the last key and
/// the next, which a search whose keys hardly fall makes rarely. Keys from 65536 take O(log k)
/// for k different keys. Among equal keys, last in is first out.
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
    near: Vec<Stack<T>>,
    far: BTreeMap<u32, Stack<T>>,
    /// No stack below this one has an item.
    least: usize,
    n_near: usize,
    n_far: usize,
}

impl<T> BucketQueue<T> {
    /// An empty queue.
    pub fn new() -> Self {
        BucketQueue { near: Vec::new(), far: BTreeMap::new(), least: 0, n_near: 0, n_far: 0 }
    }

    /// The smallest key of an item, and by the way the end of the empty stacks before it.
    #[inline]
    pub fn least_key(&mut self) -> Option<u32> {
        if self.n_near == 0 {
            return self.far.keys().next().copied();
        }
        while self.near.get(self.least).is_some_and(Stack::is_empty) {
            self.least += 1;
        }
        Some(self.least as u32)
    }

    /// Puts in an item for whose key there is no stack yet.
    #[cold]
    fn push_beyond(&mut self, key: u32, item: T) {
        let at = key as usize;
        if at >= NEAR {
            self.far.entry(key).or_default().push(item);
            self.n_far += 1;
        } else {
            self.near.resize_with(at + 1, Stack::default);
            self.push(key, item);
        }
    }

    #[inline]
    fn pop_near(&mut self) -> Option<(u32, T)> {
        while let Some(stack) = self.near.get_mut(self.least) {
            if let Some(item) = stack.pop() {
                self.n_near -= 1;
                return Some((self.least as u32, item));
            }
            self.least += 1;
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
                self.least = self.least.min(at);
                self.n_near += 1;
            }
            None => self.push_beyond(key, item),
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
        // The key is the place.
        self.len() * size_of::<T>()
    }
}

/// Items in a chunk of a stack.
const CHUNK: usize = 1 << 12;

/// A stack in chunks: what is taken out gives its memory back, and nothing is moved to make room.
#[derive(Clone, Debug)]
struct Stack<T> {
    /// The last chunk; empty only if there is nothing in the stack.
    top: Vec<T>,
    /// The chunks before it, all of them full.
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
    fn push(&mut self, item: T) {
        if self.top.len() == CHUNK {
            self.begin();
        }
        self.top.push(item);
    }

    #[cold]
    fn begin(&mut self) {
        // Most queues are small: only a chunk after the first is given its room at once.
        let full = std::mem::replace(&mut self.top, Vec::with_capacity(CHUNK));
        self.below.push(full);
    }

    #[inline]
    fn pop(&mut self) -> Option<T> {
        let item = self.top.pop();
        if self.top.is_empty() {
            self.uncover();
        }
        item
    }

    #[cold]
    fn uncover(&mut self) {
        self.top = self.below.pop().unwrap_or_default();
    }
}
