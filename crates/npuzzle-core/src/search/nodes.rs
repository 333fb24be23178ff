//! What a search keeps of its nodes: one column per fact, rows by number.
//!
//! A row is as narrow as its facts: of a 15-puzzle a word for the state, a byte for the action that
//! led to it and a byte for its cost. Where states are remembered, the parent is not kept at all: it
//! is the state from which the action led here, found by taking the action back.

use std::hash::{BuildHasher, BuildHasherDefault};

use super::chunked_vec::ChunkedVec;
use super::{Cost, Heuristic, Problem};
use crate::chained_hash::{ChainedTable, WordHasher};
use crate::index_table::{NumberedTable, Probe};

/// Rows of nodes, numbered from 0.
pub(super) struct Nodes<P: Problem, H: Heuristic<P>> {
    states: ChunkedVec<P::State>,
    /// What led here from the parent; nothing for a root.
    actions: ChunkedVec<Option<P::Action>>,
    costs: Costs,
    /// Empty if the heuristic evaluates fast.
    memos: ChunkedVec<H::Memo>,
    /// Empty if states are remembered.
    parents: ChunkedVec<u32>,
    index: Index<P::State>,
}

/// Finds the node of a state.
pub(super) enum Index<S> {
    /// No state is remembered.
    None,
    Numbered(NumberedTable),
    /// A table and a hash function that were asked for.
    Chained(ChainedTable<u32>, fn(&S) -> u64),
}

/// A node with everything that is known of it.
pub(super) struct Row<P: Problem, H: Heuristic<P>> {
    pub(super) state: P::State,
    pub(super) memo: H::Memo,
    pub(super) g: Cost,
    pub(super) action: Option<P::Action>,
    /// Meaningless for a root.
    pub(super) parent: u32,
}

/// A state that may be among the nodes: its hash, and what a glance at the index told, if there was
/// one.
#[derive(Clone, Copy)]
pub(super) struct Sought {
    hash: u64,
    glance: Option<Probe>,
}

impl Sought {
    /// Whether a glance was enough to tell that the state is new.
    #[inline]
    pub(super) fn is_absent(self) -> bool {
        self.glance.is_some_and(Probe::is_absent)
    }
}

#[inline]
fn hash_of<S: std::hash::Hash>(state: &S) -> u64 {
    BuildHasherDefault::<WordHasher>::new().hash_one(state)
}

impl<P: Problem, H: Heuristic<P>> Nodes<P, H> {
    pub(super) fn new(index: Index<P::State>) -> Self {
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

    /// What led to a node from its parent; nothing for a root.
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

    /// The row that an action makes of a node.
    #[inline]
    pub(super) fn child(
        &self,
        problem: &P,
        heuristic: &H,
        parent: u32,
        action: P::Action,
    ) -> Row<P, H> {
        let mut state = self.state(parent).clone();
        problem.apply(&mut state, action);
        let memo = if H::EVALUATES_FAST {
            heuristic.eval(&state)
        } else {
            heuristic.step(&self.memos[parent as usize], &state, action)
        };
        Row { state, memo, g: self.g(parent) + 1, action: Some(action), parent }
    }

    /// The hash of a state, to look for it with.
    #[inline]
    pub(super) fn seek(&self, state: &P::State) -> Sought {
        let hash = match &self.index {
            Index::None => 0,
            Index::Numbered(_) => hash_of(state),
            Index::Chained(_, hash) => hash(state),
        };
        Sought { hash, glance: None }
    }

    /// The first half of [`find`](Nodes::find), for who has several states to find: glances, one
    /// after the other, wait for memory together. Nodes must not be added before the second half.
    #[inline]
    pub(super) fn glance(&self, state: &P::State) -> Sought {
        let mut sought = self.seek(state);
        if let Index::Numbered(table) = &self.index {
            sought.glance = Some(table.glance(sought.hash));
        }
        sought
    }

    /// The node with this state, for which `sought` was made; none unless states are remembered.
    #[inline]
    pub(super) fn find(&self, sought: Sought, state: &P::State) -> Option<u32> {
        if sought.is_absent() {
            return None;
        }
        let same = |id: u32| *self.state(id) == *state;
        match (&self.index, sought.glance) {
            (Index::Numbered(table), Some(glance)) => table.find_from(glance, sought.hash, same),
            (Index::Numbered(table), None) => table.find(sought.hash, same),
            (Index::Chained(table, _), _) => table.find(sought.hash, |&id| same(id)).copied(),
            (Index::None, _) => None,
        }
    }

    /// Adds a row; its state must not be among the remembered ones.
    #[inline]
    pub(super) fn push(&mut self, sought: Sought, row: Row<P, H>) -> u32 {
        let id = self.states.len() as u32;
        self.states.push(row.state);
        self.actions.push(row.action);
        self.costs.push(row.g);
        if !H::EVALUATES_FAST {
            self.memos.push(row.memo);
        }
        let states = &self.states;
        match &mut self.index {
            Index::None => self.parents.push(row.parent),
            Index::Numbered(table) => {
                table.insert(sought.hash, |id| hash_of(&states[id as usize]));
            }
            Index::Chained(table, hash) => {
                table.insert(sought.hash, id, |&id| hash(&states[id as usize]));
            }
        }
        id
    }

    /// A better way to the state of a node.
    pub(super) fn better(&mut self, id: u32, g: Cost, action: Option<P::Action>) {
        self.actions[id as usize] = action;
        self.costs.set(id as usize, g);
    }

    /// The actions from the root to this node.
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
        if let Index::None = self.index {
            return self.parents.get(id as usize).copied();
        }
        let mut state = self.state(id).clone();
        problem.apply(&mut state, problem.inverse(action));
        self.find(self.seek(&state), &state)
    }

    /// Bytes in use.
    #[inline]
    pub(super) fn bytes(&self, problem: &P) -> usize {
        let index = match &self.index {
            Index::None => 0,
            Index::Numbered(table) => table.bytes(),
            Index::Chained(table, _) => table.bytes(),
        };
        let row = problem.state_bytes() + size_of::<Option<P::Action>>();
        self.states.len() * row
            + self.costs.bytes()
            + self.memos.bytes()
            + self.parents.bytes()
            + index
    }
}

/// A column of costs in one byte each, or two or four once there is one that needs them.
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
    fn costs_come_back_as_they_were_when_the_column_widens() {
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
