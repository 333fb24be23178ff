//! Counts shortest solutions, layer by layer.
//!
//! 1. *Forward.* The first layer is the start. The next one holds the states one move further,
//!    without those of the two layers before it and those that a lower bound keeps from being on a
//!    solution: after `g` moves, all from which the goal is more than `length - g` moves away. After
//!    `length` moves the goal alone is left.
//! 2. *Backward.* From the goal, the neighbours in the layer before are on solutions; they have as
//!    many ways to the goal as those of their neighbours that are nearer have together. The start
//!    has as many as there are solutions.
//! 3. *Forward again* over the states on solutions, to list some. No way is a dead end.
//!
//! Why this is right: a shortest solution's state after `g` moves is `g` moves from the start and no
//! fewer, so it is in no earlier layer, and an admissible bound does not throw it out. The other way
//! round, whatever leads from layer to layer to the goal has `length` moves, and no solution has
//! fewer. The bound need not be consistent, and the layers may hold states that are nearer to the
//! start than it seems; they lead nowhere.
//!
//! In the multi-tile metric a move is a straight run. Two runs along one line make one or none, so
//! in a shortest solution they never follow each other, and solutions that differ in their runs
//! differ in their slides.

use std::hash::BuildHasherDefault;
use std::hash::{BuildHasher, Hash};

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Arrangement, Dims, Metric, Slide, WordHasher};

use super::Counted;
use super::limits::Meter;
use super::lower_bound::Bound;

/// A count under way.
pub(super) struct Layered<'a, A, H> {
    dims: Dims,
    /// Slides in the longest move.
    longest: usize,
    bound: H,
    meter: Meter<'a>,
    /// Bytes of a state.
    n_bytes: usize,
    states: std::marker::PhantomData<A>,
}

/// The states of a layer that are on solutions, in order, each with the number of its ways to the
/// goal.
type Ways<A> = Vec<(A, u128)>;

impl<'a, A: Arrangement + Ord, H: Bound<A>> Layered<'a, A, H> {
    pub(super) fn new(dims: Dims, metric: Metric, bound: H, meter: Meter<'a>) -> Self {
        let longest = match metric {
            Metric::Stm => 1,
            Metric::Mtm => dims.rows().max(dims.cols()) - 1,
        };
        let states = std::marker::PhantomData;
        Layered { dims, longest, bound, meter, n_bytes: A::bytes(dims), states }
    }

    /// Counts the solutions of this length, which must be the shortest, and lists some.
    pub(super) fn run(
        mut self,
        start: A,
        goal: A,
        length: Cost,
        most: usize,
    ) -> Result<Counted, Limit> {
        self.meter.look()?;
        let layers = self.layers(start, length)?;
        let ways = self.ways(layers, goal)?;
        let first = ways.first().and_then(|first| first.first());
        let count = first.map_or(0, |(_, count)| *count);
        let mut list = List { most, slides: Vec::new(), listed: Vec::new() };
        let stopped = match first {
            Some((start, _)) => self.list(start, &ways[1..], &mut list).err(),
            None => None,
        };
        Ok(Counted { count, listed: list.listed, stopped })
    }

    /// The layers from the start to the goal.
    fn layers(&mut self, start: A, length: Cost) -> Result<Vec<Layer<A>>, Limit> {
        let mut layers = vec![Layer { parts: vec![vec![start]] }];
        for left in (0..length).rev() {
            let next = match &layers[..] {
                [.., before, last] => self.next(last, Some(before), left)?,
                [last] => self.next(last, None, left)?,
                [] => unreachable!("there is the layer of the start"),
            };
            layers.push(next);
        }
        Ok(layers)
    }

    /// The layer after one, without states from which the goal is more than `left` moves away.
    fn next(
        &mut self,
        layer: &Layer<A>,
        before: Option<&Layer<A>>,
        left: Cost,
    ) -> Result<Layer<A>, Limit> {
        let mut next = Layer::with_room_for(layer.len());
        self.meter.hold(size_of_val(&next.parts[..]))?;
        let Layered { dims, longest, bound, meter, n_bytes, .. } = self;
        for state in layer.parts.iter().flatten() {
            meter.expand()?;
            each_move(*dims, *longest, state, |_, _, near| {
                if bound.is_within(&near, left) { next.push(near, *n_bytes, meter) } else { Ok(()) }
            })?;
        }
        for part in &mut next.parts {
            meter.tick()?;
            sort(part);
            part.retain(|state| {
                !layer.contains(state) && !before.is_some_and(|before| before.contains(state))
            });
            let n_slots = part.capacity();
            part.shrink_to_fit();
            meter.release((n_slots - part.capacity()) * *n_bytes);
        }
        Ok(next)
    }

    /// The states on solutions, layer by layer from the start on.
    fn ways(&mut self, mut layers: Vec<Layer<A>>, goal: A) -> Result<Vec<Ways<A>>, Limit> {
        let reached = layers.pop().filter(|last| last.contains(&goal));
        let mut ways = vec![reached.map(|_| (goal, 1)).into_iter().collect::<Ways<A>>()];
        let n_bytes = self.n_bytes + size_of::<u128>();
        while let Some(layer) = layers.pop() {
            let mut found = Vec::new();
            for (state, n) in ways.last().into_iter().flatten() {
                self.meter.expand()?;
                let n_before = found.len();
                each_move(self.dims, self.longest, state, |_, _, near| {
                    if layer.contains(&near) {
                        found.push((near, *n));
                    }
                    Ok(())
                })?;
                self.meter.hold((found.len() - n_before) * n_bytes)?;
            }
            found.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            let n_found = found.len();
            found.dedup_by(|(state, n), (kept, sum)| {
                let is_same = state == kept;
                if is_same {
                    *sum = sum.saturating_add(*n);
                }
                is_same
            });
            found.shrink_to_fit();
            self.meter.release((n_found - found.len()) * n_bytes);
            self.meter.release(layer.n_slots() * self.n_bytes);
            ways.push(found);
        }
        ways.reverse();
        Ok(ways)
    }

    /// Lists solutions that go on from a state.
    fn list(&mut self, state: &A, ways: &[Ways<A>], list: &mut List) -> Result<(), Limit> {
        if list.listed.len() == list.most {
            return Ok(());
        }
        self.meter.tick()?;
        let Some((next, rest)) = ways.split_first() else {
            self.meter.hold(list.slides.len() + size_of::<Vec<Slide>>())?;
            list.listed.push(list.slides.clone());
            return Ok(());
        };
        each_move(self.dims, self.longest, state, |slide, n, near| {
            if next.binary_search_by(|(state, _)| state.cmp(&near)).is_ok() {
                let n_slides = list.slides.len();
                list.slides.extend(std::iter::repeat_n(slide, n));
                self.list(&near, rest, list)?;
                list.slides.truncate(n_slides);
            }
            Ok(())
        })
    }
}

/// Solutions that are listed.
struct List {
    most: usize,
    /// Of the one under way.
    slides: Vec<Slide>,
    listed: Vec<Vec<Slide>>,
}

/// Visits the states one move away: the slide, how often it is made, and where it leads.
#[inline]
fn each_move<A: Arrangement>(
    dims: Dims,
    longest: usize,
    state: &A,
    mut visit: impl FnMut(Slide, usize, A) -> Result<(), Limit>,
) -> Result<(), Limit> {
    for slide in Slide::ALL {
        let mut near = state.clone();
        for n in 1..=longest {
            let Some(from) = dims.source(near.blank(), slide) else { break };
            near.move_tile(from);
            visit(slide, n, near.clone())?;
        }
    }
    Ok(())
}

/// States after the same number of moves, in parts by their hashes. Parts are sorted; they are small
/// enough to be sorted between two looks at the watch, and to grow without a jump of memory.
struct Layer<A> {
    /// A power of two of them.
    parts: Vec<Vec<A>>,
}

/// How many states a part has room for, by and large.
const PART: usize = 1 << 14;

impl<A: Arrangement + Ord> Layer<A> {
    /// Empty, for about so many states.
    fn with_room_for(n_states: usize) -> Layer<A> {
        Layer { parts: vec![Vec::new(); n_states.div_ceil(PART).next_power_of_two()] }
    }

    fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// How many states fit into the memory it holds.
    fn n_slots(&self) -> usize {
        self.parts.iter().map(Vec::capacity).sum()
    }

    fn part_of(&self, state: &A) -> usize {
        if self.parts.len() == 1 { 0 } else { hash_of(state) as usize & (self.parts.len() - 1) }
    }

    /// Once it is sorted.
    fn contains(&self, state: &A) -> bool {
        self.parts[self.part_of(state)].binary_search(state).is_ok()
    }

    /// Adds a state. A part that is full gets rid of what it has twice before it grows.
    fn push(&mut self, state: A, n_bytes: usize, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let at = self.part_of(&state);
        let part = &mut self.parts[at];
        let n_slots = part.capacity();
        if part.len() == n_slots {
            sort(part);
            if 2 * part.len() >= n_slots {
                let n_more = n_slots.max(4);
                meter.hold(n_more * n_bytes)?;
                part.reserve_exact(n_slots + n_more - part.len());
            }
        }
        part.push(state);
        Ok(())
    }
}

fn sort<A: Ord>(part: &mut Vec<A>) {
    part.sort_unstable();
    part.dedup();
}

fn hash_of(state: &impl Hash) -> u64 {
    BuildHasherDefault::<WordHasher>::new().hash_one(state) >> 32
}
