//! Priority queues: the smallest key leaves first.
//!
//! | queue | push | pop | among equal keys |
//! |---|---|---|---|
//! | [`ArrayHeap`] | O(log n) | O(log n) | the order of textbook percolation |
//! | [`FifoHeap`] | O(log n) | O(log n) | first in, first out |
//! | [`BucketQueue`] | O(1) | O(1) amortized over the keys | last in, first out |
//!
//! All queues store their items in arrays: `len` takes O(1), and memory is O(n).

mod array_heap;
mod bucket_queue;
mod fifo_heap;

pub use array_heap::ArrayHeap;
pub use bucket_queue::BucketQueue;
pub use fifo_heap::FifoHeap;

/// A priority queue from which an item with the smallest key leaves first.
///
/// ```
/// use npuzzle_core::queue::{ArrayHeap, MinQueue};
/// let mut queue = ArrayHeap::default();
/// for (key, item) in [(3, 'c'), (1, 'a'), (2, 'b')] {
///     queue.push(key, item);
/// }
/// assert_eq!(queue.pop(), Some((1, 'a')));
/// assert_eq!(queue.len(), 2);
/// ```
pub trait MinQueue<K: Ord, T>: Default {
    /// Inserts an item.
    fn push(&mut self, key: K, item: T);
    /// Removes and returns an item with the smallest key.
    fn pop(&mut self) -> Option<(K, T)>;
    /// Number of items.
    fn len(&self) -> usize;
    /// Whether the queue has no items.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes that the items occupy.
    fn bytes(&self) -> usize {
        self.len() * size_of::<(K, T)>()
    }
}
