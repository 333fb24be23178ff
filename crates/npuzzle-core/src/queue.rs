//! Priority queues: the smallest key leaves first.
//!
//! | queue | push | pop | among equal keys |
//! |---|---|---|---|
//! | [`ArrayHeap`] | O(log n) | O(log n) | as the textbook's percolation has it |
//! | [`FifoHeap`] | O(log n) | O(log n) | first in, first out |
//! | [`BucketQueue`] | O(1) | O(1) amortised over the keys | last in, first out |
//!
//! All of them hold their items in arrays: `len` is O(1), memory is O(n).

mod array_heap;
mod bucket_queue;
mod fifo_heap;

pub use array_heap::ArrayHeap;
pub use bucket_queue::BucketQueue;
pub use fifo_heap::FifoHeap;

/// A queue from which the item with the smallest key leaves first.
///
/// ```
/// use npuzzle_core::queue::{ArrayHeap, MinQueue};
/// let mut queue = ArrayHeap::default();
/// for (key, item) in [(3, 'c'), (1, 'a'), (2, 'b')] {
///     queue.push(key, item);
/// }
/// assert_eq!(queue.peek(), Some((&1, &'a')));
/// assert_eq!(queue.pop(), Some((1, 'a')));
/// assert_eq!(queue.len(), 2);
/// ```
pub trait MinQueue<K: Ord, T>: Default {
    /// Puts an item in.
    fn push(&mut self, key: K, item: T);
    /// Takes out an item with the smallest key.
    fn pop(&mut self) -> Option<(K, T)>;
    /// How many items are in it.
    fn len(&self) -> usize;
    /// Whether nothing is in it.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes that the items take.
    fn bytes(&self) -> usize {
        self.len() * size_of::<(K, T)>()
    }
}
