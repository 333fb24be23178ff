//! The part of a hash-distributed search that one thread works on at a time.

use std::sync::mpsc::Receiver;

use npuzzle_core::Sliding;
use npuzzle_core::search::{Cost, Heuristic, Stats};

use super::closed::{ClosedList, Home};
use super::expansion::Expander;
use super::node::PackedNode;
use super::open::OpenList;
use super::slid_board::SlidBoard;

/// Nodes that leave the open list together, so that their lines of the closed list are loaded at the same time.
pub(super) const N_TOGETHER: usize = 16;
/// Messages in a full batch.
const BATCH: usize = 128;
/// Nodes of one `f` are ordered by `h`, which is less than this on boards of up to 16 cells.
const MAX_H: Cost = 256;

/// A generated node on its way to its owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<M> {
    node: PackedNode,
    key: Cost,
    memo: M,
}

/// Messages for one owner.
pub(super) type Batch<M> = Vec<Message<M>>;

/// The states whose hashes belong to one owner: their open list, their closed list and the messages from
/// and to other owners.
pub(super) struct Shard<H: Heuristic<Sliding<SlidBoard>>> {
    number: usize,
    open: OpenList<H>,
    closed: ClosedList,
    inbox: Receiver<Batch<H::Memo>>,
    /// Messages that have not been sent, by owner.
    outboxes: Vec<Batch<H::Memo>>,
    /// Received batches whose nodes have not been searched completely.
    pub(super) n_held: usize,
    pub(super) stats: Stats,
}

/// A node that has left the open list, with its memo if memos are stored.
#[derive(Clone, Copy)]
struct PoppedNode<M> {
    node: PackedNode,
    memo: Option<M>,
    home: Home,
}

/// The result of expanding some nodes of one `f`.
pub(super) enum Expanded {
    /// No node of this `f` is left here.
    Nothing,
    /// This many nodes were not duplicates.
    Nodes(u64),
    Goal(PackedNode),
}

impl<H> Shard<H>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy>,
{
    pub(super) fn new(number: usize, n_shards: usize, inbox: Receiver<Batch<H::Memo>>) -> Self {
        Shard {
            number,
            open: OpenList::new(),
            closed: ClosedList::new(),
            inbox,
            outboxes: (0..n_shards).map(|_| Vec::new()).collect(),
            n_held: 0,
            stats: Stats::default(),
        }
    }

    /// Adds the start, whose `f` is its `h`.
    pub(super) fn push_start(&mut self, h: Cost, node: PackedNode, memo: H::Memo) {
        self.open.push(key(h, h), node, memo);
        self.stats.enqueued += 1;
    }

    /// The smallest `f` of an open node.
    pub(super) fn min_f(&mut self) -> Option<Cost> {
        self.open.min_key().map(|key| key / MAX_H)
    }

    /// Number of open nodes.
    pub(super) fn n_open(&self) -> u64 {
        self.open.len() as u64
    }

    /// Bytes in use, without messages.
    pub(super) fn bytes(&self) -> u64 {
        (self.open.bytes() + self.closed.bytes()) as u64
    }

    /// The expanded node with the same board.
    pub(super) fn find(&self, node: PackedNode) -> Option<PackedNode> {
        self.closed.find(node, self.closed.locate(node))
    }

    /// Moves received nodes to the open list. Returns the number of bytes of their messages.
    pub(super) fn receive(&mut self) -> u64 {
        let mut n_bytes = 0;
        while let Ok(batch) = self.inbox.try_recv() {
            self.n_held += 1;
            n_bytes += size_of_val(&batch[..]) as u64;
            self.stats.enqueued += batch.len() as u64;
            for Message { node, key, memo } in batch {
                self.open.push(key, node, memo);
            }
        }
        n_bytes
    }

    /// Expands up to `max_nodes` nodes of this `f`, those with the smallest `h` first. Calls `send` with the
    /// number of an owner and a batch of messages for it.
    pub(super) fn expand(
        &mut self,
        f: Cost,
        max_nodes: usize,
        goal: PackedNode,
        expander: &Expander<'_, H>,
        mut send: impl FnMut(usize, Batch<H::Memo>),
    ) -> Expanded {
        let mut nodes = [None; N_TOGETHER];
        let n_nodes = self.pop(f, &mut nodes[..max_nodes.min(N_TOGETHER)]);
        if n_nodes == 0 {
            return Expanded::Nothing;
        }
        let (mut n_expanded, mut has_grown) = (0, false);
        for PoppedNode { node, memo, home } in nodes.into_iter().flatten() {
            self.stats.dequeued += 1;
            if node.is_same_board(goal) {
                return Expanded::Goal(node);
            }
            has_grown |= self.closed.make_room(node);
            let home = if has_grown { self.closed.locate(node) } else { home };
            if !self.closed.insert(node, home) {
                self.stats.duplicates += 1;
                continue;
            }
            n_expanded += 1;
            self.generate(node, f, memo, expander, &mut send);
        }
        self.stats.expanded += n_expanded;
        Expanded::Nodes(n_expanded)
    }

    /// Takes nodes of this `f` out of the open list and prefetches their lines of the closed list.
    fn pop(&mut self, f: Cost, nodes: &mut [Option<PoppedNode<H::Memo>>]) -> usize {
        let mut n_nodes = 0;
        for place in nodes {
            if self.min_f() != Some(f) {
                break;
            }
            let Some((_, node, memo)) = self.open.pop() else { break };
            *place = Some(PoppedNode { node, memo, home: self.closed.locate(node) });
            n_nodes += 1;
        }
        n_nodes
    }

    /// Puts the children of a node into the open list or the messages to their owners. Duplicates are found
    /// when they leave the open list: half of the children never do.
    #[inline]
    fn generate(
        &mut self,
        node: PackedNode,
        f: Cost,
        memo: Option<H::Memo>,
        expander: &Expander<'_, H>,
        send: &mut impl FnMut(usize, Batch<H::Memo>),
    ) {
        let memo = memo.unwrap_or_else(|| expander.eval(node));
        let n_shards = self.outboxes.len();
        for (node, f, memo) in expander.children(node, f, memo) {
            self.stats.generated += 1;
            let key = key(f, expander.value(&memo));
            let owner = node.owner(n_shards);
            if owner == self.number {
                self.stats.enqueued += 1;
                self.open.push(key, node, memo);
                continue;
            }
            let outbox = &mut self.outboxes[owner];
            outbox.push(Message { node, key, memo });
            if outbox.len() == BATCH {
                send(owner, std::mem::replace(outbox, Vec::with_capacity(BATCH)));
            }
        }
    }

    /// Sends all messages that are left.
    pub(super) fn flush(&mut self, mut send: impl FnMut(usize, Batch<H::Memo>)) {
        for (owner, outbox) in self.outboxes.iter_mut().enumerate() {
            if !outbox.is_empty() {
                send(owner, std::mem::take(outbox));
            }
        }
    }
}

/// The key of the open list: `f`, then `h`.
#[inline]
fn key(f: Cost, h: Cost) -> Cost {
    f * MAX_H + h
}
