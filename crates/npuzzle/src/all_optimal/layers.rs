//! Counts optimal solutions layer by layer.
//!
//! 1. *Forward.* The first layer is the start. The next layer contains the states one move away,
//!    without those of the two layers before it, and without those that a lower bound excludes: after
//!    `g` moves, all states from which the goal is more than `length - g` moves away. After `length`
//!    moves only the goal is left.
//! 2. *Backward.* Starting at the goal, the neighbors in the layer before are on solutions. Their number
//!    of paths to the goal is the sum of those of their successors. The number of the start is the
//!    number of solutions.
//! 3. *Forward again*, over the states on solutions, to list some of them. There are no dead ends.
//!
//! # Why this is correct
//!
//! The state of an optimal solution after `g` moves is exactly `g` moves from the start. So it is in no
//! earlier layer, and an admissible bound does not exclude it. Conversely, every path from layer to
//! layer to the goal has `length` moves, and no solution is shorter. The bound need not be consistent.
//! The layers may contain states that are closer to the start than their layer; no path from them to the
//! goal is counted.
//!
//! In the multi-tile metric a move is a straight run. Two consecutive runs along one line are equivalent
//! to one run or none, so an optimal solution does not contain them. Hence solutions with different runs
//! have different slides.

use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Arrangement, Dims, Slide, WordHasher};

use super::limits::ResourceMeter;
use super::lower_bound::LowerBound;
use super::{CountRequest, PathCount, max_slides_per_move};

/// A count in progress.
pub(super) struct LayeredCount<'a, A, H> {
    dims: Dims,
    /// The length of an optimal solution, and the maximum number of solutions to list.
    length: Cost,
    max_listed: usize,
    /// The number of slides in the longest move.
    max_slides: usize,
    bound: H,
    meter: ResourceMeter<'a>,
    /// The size of a state in bytes.
    state_bytes: usize,
    states: std::marker::PhantomData<A>,
}

/// The states of a layer that are on solutions, sorted, each with its number of paths to the goal.
type LayerCounts<A> = Vec<(A, u128)>;

impl<'a, A: Arrangement + Ord, H: LowerBound<A>> LayeredCount<'a, A, H> {
    pub(super) fn new(request: &CountRequest<'_>, bound: H, meter: ResourceMeter<'a>) -> Self {
        let dims = request.instance.dims();
        LayeredCount {
            dims,
            length: request.length,
            max_listed: request.max_listed,
            max_slides: max_slides_per_move(dims, request.options.metric),
            bound,
            meter,
            state_bytes: A::bytes(dims),
            states: std::marker::PhantomData,
        }
    }

    /// Counts the optimal solutions, and lists some.
    pub(super) fn run(mut self, start: A, goal: A) -> Result<PathCount, Limit> {
        self.meter.poll()?;
        let layers = self.forward(start, self.length)?;
        let counts = self.backward(layers, goal)?;
        let first = counts.first().and_then(|first| first.first());
        let count = first.map_or(0, |(_, count)| *count);
        let mut list = PathList { path: Vec::new(), listed: Vec::new() };
        let stopped = match first {
            Some((start, _)) => self.list(start, &counts[1..], &mut list).err(),
            None => None,
        };
        Ok(PathCount { count, listed: list.listed, stopped })
    }

    /// Step 1: the layers from the start to the goal.
    fn forward(&mut self, start: A, length: Cost) -> Result<Vec<Layer<A>>, Limit> {
        let mut layers = vec![Layer { parts: vec![vec![start]] }];
        for left in (0..length).rev() {
            let next = match &layers[..] {
                [.., before, last] => self.next_layer(last, Some(before), left)?,
                [last] => self.next_layer(last, None, left)?,
                [] => unreachable!("the layer of the start exists"),
            };
            layers.push(next);
        }
        Ok(layers)
    }

    /// The layer after `layer`, without states whose bound is more than `left`.
    fn next_layer(
        &mut self,
        layer: &Layer<A>,
        before: Option<&Layer<A>>,
        left: Cost,
    ) -> Result<Layer<A>, Limit> {
        let mut next = Layer::with_capacity(layer.len());
        self.meter.allocate(size_of_val(&next.parts[..]))?;
        let LayeredCount { dims, max_slides, bound, meter, state_bytes, .. } = self;
        for state in layer.parts.iter().flatten() {
            meter.expand()?;
            each_move(*dims, *max_slides, state, |_, _, child| {
                if bound.is_within(&child, left) {
                    next.push(child, *state_bytes, meter)
                } else {
                    Ok(())
                }
            })?;
        }
        for part in &mut next.parts {
            meter.tick()?;
            sort_and_dedup(part);
            part.retain(|state| {
                !layer.contains(state) && !before.is_some_and(|before| before.contains(state))
            });
            let old_capacity = part.capacity();
            part.shrink_to_fit();
            meter.free((old_capacity - part.capacity()) * *state_bytes);
        }
        Ok(next)
    }

    /// Step 2: the states on solutions with their path counts, layer by layer from the start on.
    fn backward(
        &mut self,
        mut layers: Vec<Layer<A>>,
        goal: A,
    ) -> Result<Vec<LayerCounts<A>>, Limit> {
        let reached = layers.pop().filter(|last| last.contains(&goal));
        let mut counts = vec![reached.map(|_| (goal, 1)).into_iter().collect::<LayerCounts<A>>()];
        let entry_bytes = self.state_bytes + size_of::<u128>();
        while let Some(layer) = layers.pop() {
            let mut found = Vec::new();
            for (state, n_paths) in counts.last().into_iter().flatten() {
                self.meter.expand()?;
                let n_before = found.len();
                each_move(self.dims, self.max_slides, state, |_, _, neighbor| {
                    if layer.contains(&neighbor) {
                        found.push((neighbor, *n_paths));
                    }
                    Ok(())
                })?;
                self.meter.allocate((found.len() - n_before) * entry_bytes)?;
            }
            found.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            let n_found = found.len();
            found.dedup_by(|(state, n_paths), (kept, sum)| {
                let is_same = state == kept;
                if is_same {
                    *sum = sum.saturating_add(*n_paths);
                }
                is_same
            });
            found.shrink_to_fit();
            self.meter.free((n_found - found.len()) * entry_bytes);
            self.meter.free(layer.capacity() * self.state_bytes);
            counts.push(found);
        }
        counts.reverse();
        Ok(counts)
    }

    /// Step 3: lists the solutions that continue from a state. `counts` are those of the layers after it.
    fn list(
        &mut self,
        state: &A,
        counts: &[LayerCounts<A>],
        list: &mut PathList,
    ) -> Result<(), Limit> {
        if list.listed.len() == self.max_listed {
            return Ok(());
        }
        self.meter.tick()?;
        let Some((next, rest)) = counts.split_first() else {
            self.meter.allocate(list.path.len() + size_of::<Vec<Slide>>())?;
            list.listed.push(list.path.clone());
            return Ok(());
        };
        each_move(self.dims, self.max_slides, state, |slide, n_slides, child| {
            if next.binary_search_by(|(state, _)| state.cmp(&child)).is_ok() {
                let n_before = list.path.len();
                list.path.extend(std::iter::repeat_n(slide, n_slides));
                self.list(&child, rest, list)?;
                list.path.truncate(n_before);
            }
            Ok(())
        })
    }
}

/// The solutions listed so far.
struct PathList {
    /// The slides to the current state.
    path: Vec<Slide>,
    listed: Vec<Vec<Slide>>,
}

/// Calls `visit` with the states one move away: the slide, how often it is made, and the resulting state.
#[inline]
fn each_move<A: Arrangement>(
    dims: Dims,
    max_slides: usize,
    state: &A,
    mut visit: impl FnMut(Slide, usize, A) -> Result<(), Limit>,
) -> Result<(), Limit> {
    for slide in Slide::ALL {
        let mut neighbor = state.clone();
        for n_slides in 1..=max_slides {
            let Some(from) = dims.source(neighbor.blank(), slide) else { break };
            neighbor.move_tile(from);
            visit(slide, n_slides, neighbor.clone())?;
        }
    }
    Ok(())
}

/// The states after the same number of moves, divided into sorted parts by their hashes. A part is small
/// enough to be sorted between two polls of the watch, and to grow without a jump in memory.
struct Layer<A> {
    /// Their number is a power of two.
    parts: Vec<Vec<A>>,
}

/// The approximate number of states in a part.
const STATES_PER_PART: usize = 1 << 14;

impl<A: Arrangement + Ord> Layer<A> {
    /// An empty layer for about `n_states` states.
    fn with_capacity(n_states: usize) -> Layer<A> {
        Layer { parts: vec![Vec::new(); n_states.div_ceil(STATES_PER_PART).next_power_of_two()] }
    }

    fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// The number of states for which memory is allocated.
    fn capacity(&self) -> usize {
        self.parts.iter().map(Vec::capacity).sum()
    }

    fn part_of(&self, state: &A) -> usize {
        if self.parts.len() == 1 { 0 } else { hash_of(state) as usize & (self.parts.len() - 1) }
    }

    /// Whether the layer contains a state. The parts must be sorted.
    fn contains(&self, state: &A) -> bool {
        self.parts[self.part_of(state)].binary_search(state).is_ok()
    }

    /// Adds a state. A part that is full removes its duplicates before it grows.
    fn push(
        &mut self,
        state: A,
        state_bytes: usize,
        meter: &mut ResourceMeter<'_>,
    ) -> Result<(), Limit> {
        let at = self.part_of(&state);
        let part = &mut self.parts[at];
        let capacity = part.capacity();
        if part.len() == capacity {
            sort_and_dedup(part);
            if 2 * part.len() >= capacity {
                let n_more = capacity.max(4);
                meter.allocate(n_more * state_bytes)?;
                part.reserve_exact(capacity + n_more - part.len());
            }
        }
        part.push(state);
        Ok(())
    }
}

fn sort_and_dedup<A: Ord>(part: &mut Vec<A>) {
    part.sort_unstable();
    part.dedup();
}

fn hash_of(state: &impl Hash) -> u64 {
    BuildHasherDefault::<WordHasher>::new().hash_one(state) >> 32
}
