//! A beam over walks of the blank, on a single board.
//!
//! Boards of thousands of cells are too large to store in every node. A node of this beam is only a
//! [`Backpointer`], a slide after another node, so it takes four bytes whatever the size of the board.
//! There is one board, which is played back and forth along the tree of walks. A layer is visited in
//! the order of the tree: consecutive nodes share most of their walk, and a few slides lead from one to
//! the next.
//!
//! Nodes are ranked by a [`Potential`], a sum over tiles and small groups of cells. A slide changes few
//! terms of the sum, so the weight of a child follows from that of its parent.
//!
//! The tree is a sliding window over one long walk: [`WalkBeam::commit`] moves the root along the walk to
//! the best leaf and drops the leaves that diverged earlier.

use npuzzle_tables::clock::Instant;
use std::collections::VecDeque;

use npuzzle_core::{Metric, Slide};

use super::walk_board::{N_SLIDES, WalkBoard};
use crate::anytime::beam::backpointers::Backpointer;
use crate::anytime::working_board::WorkingBoard;

/// The objective that a walk beam minimizes.
pub(crate) trait Potential {
    /// Data of a board that is computed once for all its slides.
    type Common;

    /// Returns the data of the current board.
    fn common(&self, board: &WalkBoard) -> Self::Common;

    /// The change of the objective when the tile with this label slides from one cell of the board to
    /// the blank in `to`. `slide` is the index of the slide in [`Slide::ALL`].
    fn change(
        &self,
        board: &WalkBoard,
        common: &Self::Common,
        slide: usize,
        label: usize,
        from: usize,
        to: usize,
    ) -> i32;
}

/// The parameters of a phase that is driven by a walk beam.
#[derive(Clone, Copy)]
pub(super) struct WalkBeamConfig {
    pub(super) metric: Metric,
    pub(super) width: usize,
    /// Decides ties.
    pub(super) seed: u64,
    /// The time at which the phase ends.
    pub(super) end: Option<Instant>,
}

impl WalkBeamConfig {
    pub(super) fn is_time_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// A node of the last layer.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    weight: i32,
    hash: u64,
}

#[derive(Clone, Copy, Debug)]
struct WalkChild {
    /// The weight in the upper bits, a pseudo-random tie-breaker in the lower 16.
    key: i64,
    backpointer: Backpointer,
    leaf: Leaf,
}

/// A tree of walks, and a board at one of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct WalkBeam {
    board: WalkBoard,
    /// The first layer contains only the root.
    layers: VecDeque<Vec<Backpointer>>,
    leaves: Vec<Leaf>,
    goal_hash: u64,
    /// The layer and the index of the node that the board is at.
    board_node: (usize, usize),
    /// A lossy set of the hashes of recent boards: each slot keeps the last hash stored in it.
    recent_hashes: Vec<u64>,
    /// Varies the tie-breaking between runs.
    seed: u64,
    /// Added to the weight of a node when the blank turns.
    turn_cost: i32,
    /// The slides from the initial board to the root, as indices into [`Slide::ALL`].
    committed: Vec<u8>,
    n_expanded: u64,
    /// Scratch space, kept to avoid allocations.
    children: Vec<WalkChild>,
    keys: Vec<i64>,
    replay: Vec<usize>,
}

impl WalkBeam {
    /// The number of recent hashes: a few layers of a wide beam.
    const N_RECENT: usize = 1 << 17;

    /// The size of the recent hashes.
    pub(crate) const BYTES: u64 = 8 * WalkBeam::N_RECENT as u64;

    /// The memory of a tree of `n_layers` layers for each unit of its width, in bytes.
    pub(crate) fn bytes_per_width(n_layers: usize) -> u64 {
        // Backpointers; leaves, children and their keys, of which a node has at most three.
        (n_layers * size_of::<Backpointer>()
            + size_of::<Leaf>()
            + 3 * (size_of::<WalkChild>() + size_of::<i64>())) as u64
    }

    /// A beam whose tree contains only the given board.
    pub(crate) fn new(board: &WorkingBoard, seed: u64) -> WalkBeam {
        WalkBeam {
            board: WalkBoard::new(board),
            layers: VecDeque::from([vec![Backpointer::default()]]),
            leaves: vec![Leaf { weight: 0, hash: START_HASH }],
            goal_hash: goal_hash(board),
            board_node: (0, 0),
            recent_hashes: vec![0; WalkBeam::N_RECENT],
            seed,
            turn_cost: 0,
            committed: Vec::new(),
            n_expanded: 0,
            children: Vec::new(),
            keys: Vec::new(),
            replay: Vec::new(),
        }
    }

    /// The board at the current node of the tree.
    pub(crate) fn board(&self) -> &WalkBoard {
        &self.board
    }

    /// Keeps the blank out of a cell from now on.
    pub(crate) fn block(&mut self, cell: usize) {
        self.board.block(cell);
    }

    /// Sets the cost of a turn of the blank.
    pub(crate) fn set_turn_cost(&mut self, turn_cost: i32) {
        self.turn_cost = turn_cost;
    }

    /// The number of nodes expanded since the last call.
    pub(crate) fn take_expanded(&mut self) -> u64 {
        std::mem::take(&mut self.n_expanded)
    }

    /// The slides from the initial board to the root.
    pub(crate) fn committed_slides(&self) -> impl Iterator<Item = Slide> + '_ {
        self.committed_slides_after(0)
    }

    /// The slides to the root without the first `n`.
    pub(crate) fn committed_slides_after(&self, n: usize) -> impl Iterator<Item = Slide> + '_ {
        self.committed[n..].iter().map(|&slide| Slide::ALL[usize::from(slide)])
    }

    /// The number of slides to the root.
    pub(crate) fn n_committed(&self) -> usize {
        self.committed.len()
    }

    /// The slides from the root to a leaf.
    pub(crate) fn slides_to(&self, leaf: usize) -> Vec<Slide> {
        let mut node = leaf;
        let pointers = self.layers.iter().skip(1).rev().map(|layer| {
            let pointer = layer[node];
            node = pointer.parent();
            Slide::ALL[pointer.slide()]
        });
        let mut slides: Vec<Slide> = pointers.collect();
        slides.reverse();
        slides
    }

    /// Moves the board to a leaf, through the last common ancestor.
    pub(crate) fn go_to_leaf(&mut self, leaf: usize) {
        let (mut layer, mut here) = self.board_node;
        let (last, mut there) = (self.layers.len() - 1, leaf);
        for deeper in (layer + 1..=last).rev() {
            let pointer = self.layers[deeper][there];
            self.replay.push(pointer.slide());
            there = pointer.parent();
        }
        while here != there {
            let (undone, done) = (self.layers[layer][here], self.layers[layer][there]);
            self.board.make_slide(undone.slide() ^ 1);
            self.replay.push(done.slide());
            (here, there) = (undone.parent(), done.parent());
            layer -= 1;
        }
        while let Some(slide) = self.replay.pop() {
            self.board.make_slide(slide);
        }
        self.board_node = (last, leaf);
    }

    /// Adds a layer with the best `width` children of the leaves, or more if keys are equal. The goal is always among
    /// them. Returns `false` if every child was visited recently.
    pub(crate) fn add_layer(&mut self, potential: &impl Potential, width: usize) -> bool {
        let mut children = std::mem::take(&mut self.children);
        children.clear();
        self.n_expanded += self.leaves.len() as u64;
        for leaf in 0..self.leaves.len() {
            self.go_to_leaf(leaf);
            self.generate_children(leaf, potential, &mut children);
        }
        let max_key = if children.len() > width {
            self.keys.clear();
            self.keys.extend(children.iter().map(|child| child.key));
            *self.keys.select_nth_unstable(width - 1).1
        } else {
            i64::MAX
        };
        let selected = || children.iter().filter(|child| child.key <= max_key);
        let has_children = !children.is_empty();
        if has_children {
            self.layers.push_back(selected().map(|child| child.backpointer).collect());
            self.leaves.clear();
            self.leaves.extend(selected().map(|child| child.leaf));
        }
        self.children = children;
        has_children
    }

    /// Appends the children of the leaf that the board is at.
    #[inline]
    fn generate_children(
        &mut self,
        leaf: usize,
        potential: &impl Potential,
        children: &mut Vec<WalkChild>,
    ) {
        let Leaf { weight, hash } = self.leaves[leaf];
        let last = self.layers.len() - 1;
        let reverse = (last > 0).then(|| self.layers[last][leaf].slide() ^ 1);
        let (common, blank) = (potential.common(&self.board), self.board.blank());
        for slide in 0..N_SLIDES {
            let Some(from) = self.board.source(slide).filter(|_| Some(slide) != reverse) else {
                continue;
            };
            let label = self.board.label(from);
            let hash = hash ^ zobrist(label, from) ^ zobrist(label, blank);
            let recent = &mut self.recent_hashes[hash as usize % WalkBeam::N_RECENT];
            if *recent == hash {
                continue;
            }
            *recent = hash;
            let turn_cost = if reverse == Some(slide ^ 1) { 0 } else { self.turn_cost };
            let change = potential.change(&self.board, &common, slide, label, from, blank);
            let weight = weight + change + turn_cost;
            // The goal ranks first, whatever the costs of the blank are there.
            let key = match hash == self.goal_hash {
                true => i64::MIN,
                false => i64::from(weight) << 16 | ((hash ^ self.seed) >> 48) as i64,
            };
            children.push(WalkChild {
                key,
                backpointer: Backpointer::new(leaf, slide),
                leaf: Leaf { weight, hash },
            });
        }
    }

    /// The leaf that is the goal, if there is one.
    pub(crate) fn goal_leaf(&self) -> Option<usize> {
        self.leaves.iter().position(|leaf| leaf.hash == self.goal_hash)
    }

    /// The leaf with the smallest weight.
    pub(crate) fn best_leaf(&self) -> usize {
        let leaves = self.leaves.iter().enumerate();
        leaves.min_by_key(|(_, leaf)| leaf.weight).map_or(0, |(at, _)| at)
    }

    /// The weight of a leaf.
    pub(crate) fn weight(&self, leaf: usize) -> i32 {
        self.leaves[leaf].weight
    }

    /// Moves the root along the walk to a leaf, up to `lag` slides before its end, and drops all leaves
    /// that do not descend from the new root. Returns the number of slides that the root moved.
    pub(crate) fn commit(&mut self, leaf: usize, lag: usize) -> usize {
        let last = self.layers.len() - 1;
        let root_layer = last.saturating_sub(lag);
        self.go_to_leaf(leaf);
        let ancestor = |mut node: usize| {
            for layer in (root_layer + 1..=last).rev() {
                node = self.layers[layer][node].parent();
            }
            node
        };
        let root = ancestor(leaf);
        let is_kept: Vec<bool> =
            (0..self.leaves.len()).map(|leaf| ancestor(leaf) == root).collect();
        let (mut node, n_committed) = (root, self.committed.len());
        for layer in (1..=root_layer).rev() {
            let pointer = self.layers[layer][node];
            self.committed.push(pointer.slide() as u8);
            node = pointer.parent();
        }
        self.committed[n_committed..].reverse();
        self.layers.drain(..root_layer);
        let n_kept_before = is_kept[..leaf].iter().filter(|&&is_kept| is_kept).count();
        self.board_node = (last - root_layer, n_kept_before);
        let mut flags = is_kept.iter();
        self.leaves.retain(|_| flags.next() == Some(&true));
        let mut flags = is_kept.iter();
        if root_layer == last {
            self.layers[0] = vec![Backpointer::default()];
        } else {
            self.layers[last - root_layer].retain(|_| flags.next() == Some(&true));
        }
        root_layer
    }

    /// Adds `change`, evaluated on the board of each leaf, to the weight of the leaf.
    pub(crate) fn adjust_weights(&mut self, change: impl Fn(&WalkBoard) -> i32) {
        // Subtracting the smallest weight prevents an overflow on long walks.
        let smallest = self.leaves.iter().map(|leaf| leaf.weight).min().unwrap_or(0);
        for leaf in 0..self.leaves.len() {
            self.go_to_leaf(leaf);
            self.leaves[leaf].weight += change(&self.board) - smallest;
        }
    }

    /// The cells that the blank left by the last `n_slides` slides to the root.
    pub(crate) fn last_visited_cells(&mut self, n_slides: usize) -> Vec<usize> {
        let (mut layer, mut node) = self.board_node;
        let mut cell = self.board.blank();
        while layer > 0 {
            let pointer = self.layers[layer][node];
            cell = self.board.blank_after(cell, pointer.slide() ^ 1);
            node = pointer.parent();
            layer -= 1;
        }
        let last_slides = self.committed[self.committed.len() - n_slides..].iter().rev();
        let undo = |&slide: &u8| {
            cell = self.board.blank_after(cell, usize::from(slide) ^ 1);
            cell
        };
        last_slides.map(undo).collect()
    }
}

/// The hash of the first board of a beam.
const START_HASH: u64 = 1;

/// The hash of the goal in a beam that starts with this board.
fn goal_hash(board: &WorkingBoard) -> u64 {
    let tiles = (0..board.n_cells()).filter(|&cell| cell != board.blank());
    let words = tiles.map(|cell| {
        let label = board.label(cell);
        zobrist(label, cell) ^ zobrist(label, label)
    });
    words.fold(START_HASH, |hash, word| hash ^ word)
}

/// The pseudo-random word of a tile in a cell. The hash of a board is the XOR of these words (Zobrist
/// hashing), computed instead of stored because the largest boards have 260 million pairs.
#[inline]
fn zobrist(label: usize, cell: usize) -> u64 {
    let x = ((label << 16 | cell) as u64 ^ 0x5851_f42d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
