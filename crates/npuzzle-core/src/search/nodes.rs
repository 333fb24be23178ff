//! The stored nodes of a search, as a structure of arrays.
//!
//! A node takes as few bytes as its fields need: for the 15-puzzle eight bytes for the state, one for
//! the action that led to it and one for its cost. If states are indexed, the parent is not stored:
//! undoing the action gives the parent's state, and the index finds its node.

use std::hash::{BuildHasher, BuildHasherDefault};

use super::chunked_vec::ChunkedVec;
use super::{Cost, Heuristic, Problem};
use crate::chained_hash::{ChainedTable, WordHasher};
use crate::index_table::{IndexTable, Probe};

/// The stored nodes, indexed from 0 in the order of insertion.
pub(super) struct Nodes<P: Problem, H: Heuristic<P>> {
    states: ChunkedVec<P::State>,
    /// The actions that led here from the parents; `None` for a root.
    actions: ChunkedVec<Option<P::Action>>,
    costs: Costs,
    /// Empty if the heuristic evaluates fast.
    memos: ChunkedVec<H::Memo>,
    /// Empty if states are indexed.
    parents: ChunkedVec<u32>,
    index: StateIndex<P::State>,
}

/// The hash table that finds the node of a state.
pub(super) enum StateIndex<S> {
    /// States are not indexed and never found.
    None,
    OpenAddressing(IndexTable),
    /// A table and a hash function that the caller chose.
    Chained(ChainedTable<u32>, fn(&S) -> u64),
}

/// All fields of one node.
pub(super) struct NodeRow<P: Problem, H: Heuristic<P>> {
    pub(super) state: P::State,
    pub(super) memo: H::Memo,
    pub(super) g: Cost,
    pub(super) action: Option<P::Action>,
    /// Unused for a root.
    pub(super) parent: u32,
}

/// The hash of a state and, if the index has been probed for it, the result of the probe.
#[derive(Clone, Copy)]
pub(super) struct StateKey {
    hash: u64,
    probe: Option<Probe>,
}

impl StateKey {
    /// Whether a probe has shown that the state is not in the index.
    #[inline]
    pub(super) fn is_absent(self) -> bool {
        self.probe.is_some_and(Probe::is_absent)
    }
}

#[inline]
fn hash_of<S: std::hash::Hash>(state: &S) -> u64 {
    BuildHasherDefault::<WordHasher>::new().hash_one(state)
}

impl<P: Problem, H: Heuristic<P>> Nodes<P, H> {
    pub(super) fn new(index: StateIndex<P::State>) -> Self {
        Nodes {
            states: ChunkedVec::default(),
            actions: ChunkedVec::default(),
            costs: Costs::default(),
            memos: ChunkedVec::default(),
            parents: ChunkedVec::default(),
            index,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    #[inline]
    pub(super) fn state(&self, id: u32) -> &P::State {
        &self.states[id as usize]
    }

    #[inline]
    pub(super) fn g(&self, id: u32) -> Cost {
        self.costs.get(id as usize)
    }

    /// The action that led to a node from its parent; `None` for a root.
    #[inline]
    pub(super) fn action(&self, id: u32) -> Option<P::Action> {
        self.actions[id as usize]
    }

    #[inline]
    pub(super) fn memo(&self, heuristic: &H, id: u32) -> H::Memo {
        if H::EVALUATES_FAST {
            heuristic.eval(self.state(id))
        } else {
            self.memos[id as usize].clone()
        }
    }

    /// Computes the child of a node by an action.
    #[inline]
    pub(super) fn child(
        &self,
        problem: &P,
        heuristic: &H,
        parent: u32,
        action: P::Action,
    ) -> NodeRow<P, H> {
        let mut state = self.state(parent).clone();
        problem.apply(&mut state, action);
        let memo = if H::EVALUATES_FAST {
            heuristic.eval(&state)
        } else {
            heuristic.step(&self.memos[parent as usize], &state, action)
        };
        let g = self.g(parent).saturating_add(problem.cost(&state, action));
        NodeRow { state, memo, g, action: Some(action), parent }
    }

    /// Hashes a state, to find or insert it.
    #[inline]
    pub(super) fn key(&self, state: &P::State) -> StateKey {
        let hash = match &self.index {
            StateIndex::None => 0,
            StateIndex::OpenAddressing(_) => hash_of(state),
            StateIndex::Chained(_, hash) => hash(state),
        };
        StateKey { hash, probe: None }
    }

    /// Performs the first half of [`find`](Nodes::find). Callers that look for several states probe
    /// all of them first, so that the memory accesses overlap. No node may be added between the two
    /// halves.
    #[inline]
    pub(super) fn probe(&self, state: &P::State) -> StateKey {
        let mut key = self.key(state);
        if let StateIndex::OpenAddressing(table) = &self.index {
            key.probe = Some(table.probe(key.hash));
        }
        key
    }

    /// Returns the node of a state, given the key of that state; `None` if states are not indexed.
    #[inline]
    pub(super) fn find(&self, key: StateKey, state: &P::State) -> Option<u32> {
        if key.is_absent() {
            return None;
        }
        let same = |id: u32| *self.state(id) == *state;
        match (&self.index, key.probe) {
            (StateIndex::OpenAddressing(table), Some(probe)) => {
                table.find_from(probe, key.hash, same)
            }
            (StateIndex::OpenAddressing(table), None) => table.find(key.hash, same),
            (StateIndex::Chained(table, _), _) => table.find(key.hash, |&id| same(id)).copied(),
            (StateIndex::None, _) => None,
        }
    }

    /// Adds a node, given the key of its state, and returns its index. The state must not be in the
    /// index of states yet.
    #[inline]
    pub(super) fn push(&mut self, key: StateKey, row: NodeRow<P, H>) -> u32 {
        let id = self.states.len() as u32;
        self.states.push(row.state);
        self.actions.push(row.action);
        self.costs.push(row.g);
        if !H::EVALUATES_FAST {
            self.memos.push(row.memo);
        }
        let states = &self.states;
        match &mut self.index {
            StateIndex::None => self.parents.push(row.parent),
            StateIndex::OpenAddressing(table) => {
                table.insert(key.hash, |id| hash_of(&states[id as usize]));
            }
            StateIndex::Chained(table, hash) => {
                table.insert(key.hash, id, |&id| hash(&states[id as usize]));
            }
        }
        id
    }

    /// Replaces the path to a node by a shorter one.
    pub(super) fn set_path(&mut self, id: u32, g: Cost, action: Option<P::Action>) {
        self.actions[id as usize] = action;
        self.costs.set(id as usize, g);
    }

    /// Returns the actions from the root to this node.
    pub(super) fn path(&self, problem: &P, id: u32) -> Vec<P::Action> {
        let mut path = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at
            && let Some(action) = self.actions[id as usize]
        {
            path.push(action);
            at = self.parent(problem, id, action);
        }
        path.reverse();
        path
    }

    fn parent(&self, problem: &P, id: u32, action: P::Action) -> Option<u32> {
        if let StateIndex::None = self.index {
            return self.parents.get(id as usize).copied();
        }
        let mut state = self.state(id).clone();
        problem.apply(&mut state, problem.inverse(action));
        self.find(self.key(&state), &state)
    }

    /// Bytes in use.
    #[inline]
    pub(super) fn bytes(&self, problem: &P) -> usize {
        let index = match &self.index {
            StateIndex::None => 0,
            StateIndex::OpenAddressing(table) => table.bytes(),
            StateIndex::Chained(table, _) => table.bytes(),
        };
        let row = problem.state_bytes() + size_of::<Option<P::Action>>();
        self.states.len() * row
            + self.costs.bytes()
            + self.memos.bytes()
            + self.parents.bytes()
            + index
    }
}

/// A vector of costs, with one byte each until a cost needs two or four.
#[derive(Debug)]
enum Costs {
    Bytes(ChunkedVec<u8>),
    Words(ChunkedVec<u16>),
    Full(ChunkedVec<Cost>),
}

impl Default for Costs {
    fn default() -> Costs {
        Costs::Bytes(ChunkedVec::default())
    }
}

impl Costs {
    #[inline]
    fn get(&self, at: usize) -> Cost {
        match self {
            Costs::Bytes(costs) => costs[at].into(),
            Costs::Words(costs) => costs[at].into(),
            Costs::Full(costs) => costs[at],
        }
    }

    #[inline]
    fn push(&mut self, cost: Cost) {
        match self {
            Costs::Bytes(costs) if cost <= u8::MAX.into() => costs.push(cost as u8),
            Costs::Words(costs) if cost <= u16::MAX.into() => costs.push(cost as u16),
            Costs::Full(costs) => costs.push(cost),
            _ => {
                self.widen_for(cost);
                self.push(cost);
            }
        }
    }

    fn set(&mut self, at: usize, cost: Cost) {
        self.widen_for(cost);
        match self {
            Costs::Bytes(costs) => costs[at] = cost as u8,
            Costs::Words(costs) => costs[at] = cost as u16,
            Costs::Full(costs) => costs[at] = cost,
        }
    }

    #[cold]
    fn widen_for(&mut self, cost: Cost) {
        match self {
            Costs::Bytes(costs) if cost > u8::MAX.into() => {
                *self = Costs::Words(std::mem::take(costs).map(u16::from));
                self.widen_for(cost);
            }
            Costs::Words(costs) if cost > u16::MAX.into() => {
                *self = Costs::Full(std::mem::take(costs).map(Cost::from));
            }
            _ => {}
        }
    }

    #[inline]
    fn bytes(&self) -> usize {
        match self {
            Costs::Bytes(costs) => costs.bytes(),
            Costs::Words(costs) => costs.bytes(),
            Costs::Full(costs) => costs.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_keep_their_values_when_the_vector_widens() {
        let mut costs = Costs::default();
        let all = [0, 255, 256, 7, 65_535, 65_536, 1, Cost::MAX];
        for (n, &cost) in (1..).zip(&all) {
            costs.push(cost);
            assert!((0..n).all(|at| costs.get(at) == all[at]), "{costs:?}");
        }
        assert!(matches!(costs, Costs::Full(_)));
        let mut costs = Costs::default();
        costs.push(3);
        costs.set(0, 70_000);
        assert_eq!((costs.get(0), costs.bytes()), (70_000, 4));
    }
}
