//! Counts shortest solutions depth first, with an engine that carries its estimates along.
//!
//! Every path of the length is followed from the start, but never farther than the estimates allow,
//! and no state is looked into twice: how many ways lead on from it is remembered. Nothing may be left
//! out because another path of the same length ends in the same place; only what would make a path
//! shorter is: two runs along one line.
//!
//! A state on a shortest solution is met with one number of moves left, its distance to the goal. With
//! fewer left there is no way on; so what is remembered of a state is its ways and what was left
//! then. Of the many states without any way, as many are remembered as fit into a small table.

use std::collections::HashMap;

use npuzzle_core::Slide;
use npuzzle_core::search::{Cost, Limit};

use super::Counted;
use super::limits::Meter;

/// The steps of an engine.
pub(crate) trait Walk {
    type Node: Copy;

    /// What tells states apart.
    fn key(&self, node: &Self::Node) -> Key;

    /// Calls `visit` with every move that leads to the goal, or to a state from which it may be
    /// reached in `left - 1` moves.
    fn each_step(&self, node: &Self::Node, left: Cost, visit: impl FnMut(Step<Self::Node>));
}

/// A board, and what else its ways hang on.
pub(crate) type Key = (u64, u8);

/// A move: so many slides of one kind on the board, and what they lead to, nothing being the goal.
pub(crate) struct Step<N> {
    pub(crate) slide: Slide,
    pub(crate) n_slides: usize,
    pub(crate) to: Option<N>,
}

/// What is to be counted, and with how much.
pub(crate) struct Task<'a> {
    /// Of the shortest solutions.
    pub(crate) length: Cost,
    /// How many to list.
    pub(crate) most: usize,
    /// The most bytes that may be held.
    pub(crate) most_bytes: Option<u64>,
    pub(crate) meter: Meter<'a>,
}

/// Counts the ways from the roots, which are one board that may be left in several ways.
pub(crate) fn deep<W: Walk>(
    walk: &W,
    roots: &[W::Node],
    mut task: Task<'_>,
) -> Result<Counted, Limit> {
    task.meter.look()?;
    let (length, most) = (task.length, task.most);
    if length == 0 {
        return Ok(Counted { count: 1, listed: vec![Vec::new(); most.min(1)], stopped: None });
    }
    let dead = DeadEnds::within(task.most_bytes);
    let mut deep = Deep { walk, meter: task.meter, ways: HashMap::new(), dead };
    let mut count = 0u128;
    for root in roots {
        count = count.saturating_add(deep.count(root, length)?);
    }
    let mut listed = Vec::new();
    let stopped = deep.list(roots, length, most, &mut Vec::new(), &mut listed).err();
    Ok(Counted { count, listed, stopped })
}

/// A count under way.
struct Deep<'a, 'm, W> {
    walk: &'a W,
    meter: Meter<'m>,
    /// The moves left at a state and the number of its ways, which is not 0.
    ways: HashMap<Key, (Cost, u128)>,
    dead: DeadEnds,
}

/// About what a state with ways takes in the table.
const BYTES_PER_STATE: usize = 96;

impl<W: Walk> Deep<'_, '_, W> {
    /// In how many ways the goal is reached in `left` moves.
    fn count(&mut self, node: &W::Node, left: Cost) -> Result<u128, Limit> {
        let key = self.walk.key(node);
        if let Some(&(then, ways)) = self.ways.get(&key) {
            return Ok(if then == left { ways } else { 0 });
        }
        if self.dead.has(key, left) {
            return Ok(0);
        }
        self.meter.expand()?;
        let mut ways = Ok(0u128);
        let walk = self.walk;
        walk.each_step(node, left, |step| {
            let Ok(before) = ways else { return };
            let more = match step.to {
                None => Ok(u128::from(left == 1)),
                Some(node) if left > 1 => self.count(&node, left - 1),
                Some(_) => Ok(0),
            };
            ways = more.map(|more| before.saturating_add(more));
        });
        let ways = ways?;
        if ways > 0 {
            self.meter.hold(BYTES_PER_STATE)?;
            self.ways.insert(key, (left, ways));
        } else {
            self.dead.add(key, left, &mut self.meter)?;
        }
        Ok(ways)
    }

    /// Writes down the ways from states, up before down before left before right and short runs
    /// before long ones, until there are enough.
    fn list(
        &mut self,
        nodes: &[W::Node],
        left: Cost,
        most: usize,
        path: &mut Vec<Slide>,
        listed: &mut Vec<Vec<Slide>>,
    ) -> Result<(), Limit> {
        self.meter.tick()?;
        let mut steps = Vec::new();
        for node in nodes {
            self.walk.each_step(node, left, |step| steps.push(step));
        }
        steps.sort_by_key(|step| (step.slide, step.n_slides));
        for Step { slide, n_slides, to } in steps {
            let is_on = match &to {
                None => left == 1,
                Some(to) => self.has_ways(to, left - 1),
            };
            if !is_on || listed.len() == most {
                continue;
            }
            let n_before = path.len();
            path.extend(std::iter::repeat_n(slide, n_slides));
            match to {
                None => {
                    self.meter.hold(path.len() + size_of::<Vec<Slide>>())?;
                    listed.push(path.clone());
                }
                Some(to) => self.list(&[to], left - 1, most, path, listed)?,
            }
            path.truncate(n_before);
        }
        Ok(())
    }

    fn has_ways(&self, node: &W::Node, left: Cost) -> bool {
        self.ways.get(&self.walk.key(node)).is_some_and(|&(then, _)| then == left)
    }
}

/// States from which the goal is not reached with so many moves left, as many as fit.
struct DeadEnds {
    /// How many places there may be.
    most: usize,
    /// One place for every hash; who comes later, stays.
    places: Vec<(Key, Cost)>,
    /// How often a place has been taken since there are so many.
    n_added: usize,
}

impl DeadEnds {
    /// Most boards are easy: many places are made when few have been taken.
    const MIN_PLACES: usize = 1 << 8;

    /// 24 MB.
    const MAX_PLACES: usize = 1 << 20;

    /// In a quarter of these bytes at most.
    fn within(most_bytes: Option<u64>) -> DeadEnds {
        let most = most_bytes.map_or(u64::MAX, |most| most / 4 / size_of::<(Key, Cost)>() as u64);
        let most = most.clamp(1, DeadEnds::MAX_PLACES as u64) as usize;
        DeadEnds { most, places: Vec::new(), n_added: 0 }
    }

    fn place(&self, key: Key) -> usize {
        let mixed = (key.0 ^ u64::from(key.1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize % self.places.len().max(1)
    }

    fn has(&self, key: Key, left: Cost) -> bool {
        let known = self.places.get(self.place(key));
        known.is_some_and(|&(known, most)| known == key && left <= most)
    }

    fn add(&mut self, key: Key, left: Cost, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let n_places = self.places.len();
        if self.n_added == n_places && n_places < self.most {
            let n_more = (4 * n_places).max(DeadEnds::MIN_PLACES).min(self.most) - n_places;
            meter.hold(n_more * size_of::<(Key, Cost)>())?;
            // What was there is forgotten. No board has all its cells alike.
            self.places = vec![((0, 0), 0); n_places + n_more];
            self.n_added = 0;
        }
        self.n_added = (self.n_added + 1).min(self.places.len());
        let place = self.place(key);
        self.places[place] = (key, left);
        Ok(())
    }
}
