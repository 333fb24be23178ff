//! The textbook binary min-heap.
//!
//! ```text
//!            1            array: 1 3 2 7 4
//!          /   \          children of i: 2i + 1 and 2i + 2 (counting from 0)
//!         3     2         invariant: no child is smaller than its parent
//!        / \
//!       7   4
//! ```

use super::MinQueue;

/// A binary min-heap in an array.
///
/// The order among equal keys is specified, because course programs print counts that depend on it.
/// `push` percolates an item up while it is strictly smaller than its parent. `pop` moves the last
/// item to the root and percolates it down until the smaller child is not strictly smaller; if both
/// children are equal, it moves to the left.
///
/// `push` and `pop` take O(log n), `len` O(1).
///
/// ```
/// use npuzzle_core::queue::{ArrayHeap, MinQueue};
/// let mut heap = ArrayHeap::new();
/// for (key, item) in [(5, 'a'), (5, 'b'), (5, 'c')] {
///     heap.push(key, item);
/// }
/// let order: String = std::iter::from_fn(|| heap.pop()).map(|(_, item)| item).collect();
/// assert_eq!(order, "acb"); // the last item moves to the root
/// ```
#[derive(Clone, Debug)]
pub struct ArrayHeap<K, T> {
    items: Vec<(K, T)>,
}

impl<K: Ord, T> ArrayHeap<K, T> {
    /// An empty heap.
    pub fn new() -> Self {
        ArrayHeap { items: Vec::new() }
    }

    /// Iterates over the items in the order of the array.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &T)> {
        self.items.iter().map(|(key, item)| (key, item))
    }

    fn percolate_up(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.items[at].0 >= self.items[parent].0 {
                break;
            }
            self.items.swap(at, parent);
            at = parent;
        }
    }

    fn percolate_down(&mut self, mut at: usize) {
        while let Some(child) = self.smaller_child(at) {
            if self.items[child].0 >= self.items[at].0 {
                break;
            }
            self.items.swap(at, child);
            at = child;
        }
    }

    /// The left child unless the right one is strictly smaller.
    fn smaller_child(&self, at: usize) -> Option<usize> {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        if right < self.items.len() && self.items[right].0 < self.items[left].0 {
            Some(right)
        } else {
            (left < self.items.len()).then_some(left)
        }
    }
}

impl<K: Ord, T> Default for ArrayHeap<K, T> {
    fn default() -> Self {
        ArrayHeap::new()
    }
}

impl<K: Ord, T> MinQueue<K, T> for ArrayHeap<K, T> {
    fn push(&mut self, key: K, item: T) {
        self.items.push((key, item));
        self.percolate_up(self.items.len() - 1);
    }

    fn pop(&mut self) -> Option<(K, T)> {
        if self.items.is_empty() {
            return None;
        }
        let min = self.items.swap_remove(0);
        self.percolate_down(0);
        Some(min)
    }

    fn len(&self) -> usize {
        self.items.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes these keys and returns their indices in the order in which they leave.
    fn order(keys: &[u32]) -> Vec<usize> {
        let mut heap = ArrayHeap::new();
        for (i, &key) in keys.iter().enumerate() {
            heap.push(key, i);
        }
        std::iter::from_fn(|| heap.pop()).map(|(_, i)| i).collect()
    }

    #[test]
    fn equal_keys_leave_in_percolation_order() {
        // Computed by hand. With three equal keys the last moves to the root and stays there.
        assert_eq!(order(&[5, 5, 5]), [0, 2, 1]);
        assert_eq!(order(&[5, 5, 5, 5]), [0, 3, 2, 1]);
        // After the first pop the children of the root are equal, and the left one moves up.
        assert_eq!(order(&[1, 2, 2, 3]), [0, 1, 2, 3]);
    }
}
