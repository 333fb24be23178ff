//! The queues, compared with simple reference queues for random sequences of push and pop.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use proptest::prelude::*;

use crate::cases;

/// An operation on a queue: push an item with this key, or pop.
type Op = Option<u32>;

/// Two of three operations are pushes. Most keys are small, so that many are equal.
fn ops() -> impl Strategy<Value = Vec<Op>> {
    let key = prop_oneof![6 => 0u32..8, 2 => 65_530u32..65_542, 1 => any::<u32>()];
    prop::collection::vec(prop::option::weighted(0.66, key), 0..300)
}

/// Returns the popped items, which are numbered in the order of insertion. The queue is emptied at the
/// end.
fn run<Q: MinQueue<u32, usize>>(ops: &[Op]) -> Vec<Option<(u32, usize)>> {
    let mut queue = Q::default();
    let mut popped = Vec::new();
    let mut len = 0;
    for (number, op) in ops.iter().enumerate() {
        match *op {
            Some(key) => {
                queue.push(key, number);
                len += 1;
            }
            None => {
                popped.push(queue.pop());
                len -= usize::from(len > 0);
            }
        }
        assert_eq!((queue.len(), queue.is_empty()), (len, len == 0));
    }
    popped.extend(std::iter::from_fn(|| queue.pop()).map(Some));
    assert_eq!(queue.len(), 0);
    popped
}

fn keys(popped: &[Option<(u32, usize)>]) -> Vec<Option<u32>> {
    popped.iter().map(|item| item.map(|(key, _)| key)).collect()
}

/// The heap of the standard library.
#[derive(Default)]
struct StdHeap(BinaryHeap<Reverse<(u32, usize)>>);

impl MinQueue<u32, usize> for StdHeap {
    fn push(&mut self, key: u32, item: usize) {
        self.0.push(Reverse((key, item)));
    }

    fn pop(&mut self) -> Option<(u32, usize)> {
        self.0.pop().map(|Reverse(min)| min)
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// A list of items for every key. If `LAST`, the last item of a list leaves first, otherwise the
/// first item.
#[derive(Default)]
struct Lists<const LAST: bool>(BTreeMap<u32, Vec<usize>>);

impl<const LAST: bool> MinQueue<u32, usize> for Lists<LAST> {
    fn push(&mut self, key: u32, item: usize) {
        self.0.entry(key).or_default().push(item);
    }

    fn pop(&mut self) -> Option<(u32, usize)> {
        let (key, mut items) = self.0.pop_first()?;
        let item = items.remove(if LAST { items.len() - 1 } else { 0 });
        if !items.is_empty() {
            self.0.insert(key, items);
        }
        Some((key, item))
    }

    fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }
}

/// The textbook heap, transcribed literally: the array is indexed from 1 and a hole percolates.
struct Textbook {
    array: Vec<(u32, usize)>,
    current_size: usize,
}

impl Default for Textbook {
    fn default() -> Textbook {
        Textbook { array: vec![(0, 0)], current_size: 0 }
    }
}

impl Textbook {
    fn insert(&mut self, x: (u32, usize)) {
        self.current_size += 1;
        self.array.resize(self.array.len().max(self.current_size + 1), (0, 0));
        let mut hole = self.current_size;
        while hole > 1 && x.0 < self.array[hole / 2].0 {
            self.array[hole] = self.array[hole / 2];
            hole /= 2;
        }
        self.array[hole] = x;
    }

    fn delete_min(&mut self) -> Option<(u32, usize)> {
        if self.current_size == 0 {
            return None;
        }
        let min = self.array[1];
        self.array[1] = self.array[self.current_size];
        self.current_size -= 1;
        self.percolate_down(1);
        Some(min)
    }

    fn percolate_down(&mut self, mut hole: usize) {
        let tmp = self.array[hole];
        while hole * 2 <= self.current_size {
            let mut child = hole * 2;
            if child != self.current_size && self.array[child + 1].0 < self.array[child].0 {
                child += 1;
            }
            if self.array[child].0 < tmp.0 {
                self.array[hole] = self.array[child];
            } else {
                break;
            }
            hole = child;
        }
        self.array[hole] = tmp;
    }
}

impl MinQueue<u32, usize> for Textbook {
    fn push(&mut self, key: u32, item: usize) {
        self.insert((key, item));
    }

    fn pop(&mut self) -> Option<(u32, usize)> {
        self.delete_min()
    }

    fn len(&self) -> usize {
        self.current_size
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn all_queues_pop_the_same_keys_as_the_std_heap(ops in ops()) {
        let expect = keys(&run::<StdHeap>(&ops));
        assert_eq!(keys(&run::<ArrayHeap<u32, usize>>(&ops)), expect);
        assert_eq!(keys(&run::<FifoHeap<u32, usize>>(&ops)), expect);
        assert_eq!(keys(&run::<BucketQueue<usize>>(&ops)), expect);
    }

    #[test]
    fn fifo_heap_pops_equal_keys_first_in_first_out(ops in ops()) {
        assert_eq!(run::<FifoHeap<u32, usize>>(&ops), run::<Lists<false>>(&ops));
    }

    #[test]
    fn bucket_queue_pops_equal_keys_last_in_first_out(ops in ops()) {
        assert_eq!(run::<BucketQueue<usize>>(&ops), run::<Lists<true>>(&ops));
    }

    #[test]
    fn array_heap_pops_equal_keys_as_the_textbook_heap(ops in ops()) {
        assert_eq!(run::<ArrayHeap<u32, usize>>(&ops), run::<Textbook>(&ops));
    }

    #[test]
    fn array_heap_keeps_the_heap_invariant(ops in ops()) {
        let mut heap = ArrayHeap::new();
        for op in ops {
            match op {
                Some(key) => heap.push(key, ()),
                None => drop(heap.pop()),
            }
            let keys: Vec<u32> = heap.iter().map(|(&key, _)| key).collect();
            assert!((1..keys.len()).all(|child| keys[(child - 1) / 2] <= keys[child]), "{keys:?}");
        }
    }
}
