//! A heap from which equal keys leave in the order of insertion.

use super::{ArrayHeap, MinQueue};

/// A stable binary min-heap: among equal keys, first in is first out.
///
/// It is an [`ArrayHeap`] that breaks ties by the order of insertion. `push` and `pop` take O(log n).
///
/// ```
/// use npuzzle_core::queue::{FifoHeap, MinQueue};
/// let mut queue = FifoHeap::default();
/// for (key, item) in [(1, 'a'), (0, 'x'), (1, 'b'), (1, 'c')] {
///     queue.push(key, item);
/// }
/// let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, item)| item).collect();
/// assert_eq!(order, "xabc");
/// ```
#[derive(Clone, Debug)]
pub struct FifoHeap<K, T> {
    heap: ArrayHeap<(K, u64), T>,
    n_pushed: u64,
}

impl<K: Ord, T> FifoHeap<K, T> {
    /// An empty heap.
    pub fn new() -> Self {
        FifoHeap { heap: ArrayHeap::new(), n_pushed: 0 }
    }
}

impl<K: Ord, T> Default for FifoHeap<K, T> {
    fn default() -> Self {
        FifoHeap::new()
    }
}

impl<K: Ord, T> MinQueue<K, T> for FifoHeap<K, T> {
    fn push(&mut self, key: K, item: T) {
        self.heap.push((key, self.n_pushed), item);
        self.n_pushed += 1;
    }

    fn pop(&mut self) -> Option<(K, T)> {
        self.heap.pop().map(|((key, _), item)| (key, item))
    }

    fn len(&self) -> usize {
        self.heap.len()
    }

    fn bytes(&self) -> usize {
        self.heap.bytes()
    }
}
