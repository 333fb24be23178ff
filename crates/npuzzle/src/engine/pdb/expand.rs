//! Expansion of a node: legality, heuristic and state of its children.

use npuzzle_core::{Cell, Slide};
use npuzzle_tables::SlideAutomaton;

use super::config::{Config, transpose};
use super::context::Context;
use super::lookup::{Entry, Index, RankStep, Ranks};
use super::packed::PackedBoard;

/// A node of the search tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PdbNode<B> {
    pub(crate) board: B,
    /// The transposed board.
    pub(super) mirror: B,
    blank: usize,
    /// The state of the automaton that prunes duplicate paths.
    pub(crate) automaton: u16,
    pub(crate) manhattan: i32,
    /// Ranks and values of the board.
    ranks: Ranks,
    /// Ranks and values of the transposed board.
    pub(super) mirror_ranks: Ranks,
}

impl<B> PdbNode<B> {
    /// The heuristic value: Manhattan distance plus the larger of both additions.
    pub(crate) fn h(&self) -> i32 {
        self.manhattan + 2 * self.ranks.sum.max(self.mirror_ranks.sum)
    }
}

/// The move of a tile.
#[derive(Clone, Copy)]
pub(crate) struct TileMove {
    tile: usize,
    from: usize,
    /// Manhattan distance after the move.
    manhattan: i32,
}

/// The table entries of a child: for the board and for the transposed board.
#[derive(Clone, Copy)]
pub(crate) struct ChildIndex {
    board: Index,
    mirror: Index,
}

/// The state of a child whose table entries are not read yet.
#[derive(Clone, Copy)]
pub(crate) enum ChildStatus {
    /// The slide is illegal, or leads along a duplicate path.
    Illegal,
    /// The child is too far from the goal, whatever its table entry says.
    Pruned,
    Pending(TileMove, ChildIndex),
}

pub(crate) const UP: usize = Slide::Up as usize;
pub(crate) const DOWN: usize = Slide::Down as usize;
pub(crate) const LEFT: usize = Slide::Left as usize;
pub(crate) const RIGHT: usize = Slide::Right as usize;

impl<L: Config> Context<'_, L> {
    /// The node of a board, from scratch.
    pub(crate) fn root(&self, labels: &[u8]) -> PdbNode<L::Board> {
        let blank_label = self.blank_label as u8;
        let distance = |(cell, &label): (usize, &u8)| {
            self.dims.distance(Cell::new(cell as u16), Cell::new(label.into()))
        };
        let tiles = labels.iter().enumerate().filter(|&(_, &label)| label != blank_label);
        let transposed: Vec<u8> = if L::MIRROR {
            (0..labels.len())
                .map(|cell| transpose::<L>(labels[transpose::<L>(cell)].into()) as u8)
                .collect()
        } else {
            labels.to_vec()
        };
        PdbNode {
            board: L::Board::pack(labels),
            mirror: L::Board::pack(&transposed),
            blank: labels.iter().position(|&label| label == blank_label).unwrap_or(0),
            automaton: SlideAutomaton::START,
            manhattan: tiles.map(distance).sum::<usize>() as i32,
            ranks: self.lookup.ranks(labels),
            mirror_ranks: self.lookup.ranks(&transposed),
        }
    }

    /// Examines a child without its table entries, and prefetches them.
    #[inline(always)]
    pub(crate) fn prefetch_child<const S: usize>(
        &self,
        node: &PdbNode<L::Board>,
        next: &[u16; 4],
        left: i32,
    ) -> ChildStatus {
        if !self.is_allowed::<S>(node, next) {
            return ChildStatus::Illegal;
        }
        let tile_move = self.tile_move::<S>(node);
        if tile_move.manhattan + 2 * self.lookup.sum_without(&node.ranks, tile_move.tile) > left {
            return ChildStatus::Pruned;
        }
        let index = self.child_index::<S>(node, tile_move);
        self.lookup.prefetch(index.board);
        if L::MIRROR {
            self.lookup.prefetch(index.mirror);
        }
        ChildStatus::Pending(tile_move, index)
    }

    /// Whether a slide is legal and no duplicate path. `next` is the automaton's row of the node.
    #[inline(always)]
    pub(crate) fn is_allowed<const S: usize>(
        &self,
        node: &PdbNode<L::Board>,
        next: &[u16; 4],
    ) -> bool {
        self.legal[node.blank & L::Board::MASK] >> S & 1 == 1 && next[S] != SlideAutomaton::DEAD
    }

    /// [`is_allowed`](Context::is_allowed) for a slide that is known at run time.
    pub(crate) fn is_slide_allowed(
        &self,
        node: &PdbNode<L::Board>,
        next: &[u16; 4],
        slide: Slide,
    ) -> bool {
        let is_legal = self.legal[node.blank & L::Board::MASK] >> slide as u8 & 1 == 1;
        is_legal && next[slide as usize] != SlideAutomaton::DEAD
    }

    /// [`child`](Context::child) for a slide that is known at run time.
    pub(crate) fn child_after(
        &self,
        slide: Slide,
        node: &PdbNode<L::Board>,
        automaton: u16,
        left: i32,
    ) -> Option<PdbNode<L::Board>> {
        match slide {
            Slide::Up => self.child::<UP>(node, automaton, left),
            Slide::Down => self.child::<DOWN>(node, automaton, left),
            Slide::Left => self.child::<LEFT>(node, automaton, left),
            Slide::Right => self.child::<RIGHT>(node, automaton, left),
        }
    }

    /// The move of a legal slide.
    #[inline(always)]
    fn tile_move<const S: usize>(&self, node: &PdbNode<L::Board>) -> TileMove {
        let from = match S {
            UP => node.blank + L::COLS,
            DOWN => node.blank - L::COLS,
            LEFT => node.blank + 1,
            _ => node.blank - 1,
        };
        let tile = node.board.get(from);
        let mask = L::Board::MASK;
        let change = self.manhattan_change[S][tile & mask][from & mask];
        TileMove { tile, from, manhattan: node.manhattan + i32::from(change) }
    }

    /// The child after a legal slide, unless it is more than `left` moves from the goal.
    #[inline(always)]
    pub(crate) fn child<const S: usize>(
        &self,
        node: &PdbNode<L::Board>,
        automaton: u16,
        left: i32,
    ) -> Option<PdbNode<L::Board>> {
        let tile_move = self.tile_move::<S>(node);
        self.child_at(node, automaton, left, tile_move, self.child_index::<S>(node, tile_move))
    }

    /// The table entries of the child after a slide.
    #[inline(always)]
    fn child_index<const S: usize>(
        &self,
        node: &PdbNode<L::Board>,
        tile_move: TileMove,
    ) -> ChildIndex {
        let step = rank_step::<S, _>(node, tile_move);
        let board = self.lookup.index_after(&node.ranks, node.board, step);
        let mut mirror = Index::default();
        if L::MIRROR {
            let step = mirror_step::<S, L>(node, tile_move);
            mirror = self.lookup.index_after(&node.mirror_ranks, node.mirror, step);
        }
        ChildIndex { board, mirror }
    }

    /// [`child`](Context::child), given its table entries.
    #[inline(always)]
    pub(crate) fn child_at(
        &self,
        node: &PdbNode<L::Board>,
        automaton: u16,
        left: i32,
        tile_move: TileMove,
        index: ChildIndex,
    ) -> Option<PdbNode<L::Board>> {
        let TileMove { tile, from, manhattan } = tile_move;
        let entry = self.lookup.entry(&node.ranks, index.board);
        if manhattan + 2 * entry.sum > left {
            return None;
        }
        let mut mirror_entry = Entry::default();
        if L::MIRROR {
            mirror_entry = self.lookup.entry(&node.mirror_ranks, index.mirror);
            if manhattan + 2 * mirror_entry.sum > left {
                return None;
            }
        }
        let mut mirror = node.mirror;
        let mut mirror_ranks = node.mirror_ranks;
        if L::MIRROR {
            // The goal cell of the blank is on the diagonal: its label is the same on both boards.
            let difference = transpose::<L>(tile) ^ self.blank_label;
            mirror = mirror.swapped(difference, transpose::<L>(from), transpose::<L>(node.blank));
            mirror_ranks = mirror_ranks.with(mirror_entry);
        }
        Some(PdbNode {
            board: node.board.swapped(tile ^ self.blank_label, from, node.blank),
            mirror,
            blank: from,
            automaton,
            manhattan,
            ranks: node.ranks.with(entry),
            mirror_ranks,
        })
    }
}

const fn is_vertical(slide: usize) -> bool {
    slide == UP || slide == DOWN
}

const fn is_forward(slide: usize) -> bool {
    slide == DOWN || slide == RIGHT
}

#[inline(always)]
fn rank_step<const S: usize, B>(node: &PdbNode<B>, tile_move: TileMove) -> RankStep {
    let lower = if is_forward(S) { tile_move.from } else { node.blank };
    let tile = tile_move.tile;
    RankStep { tile, lower, is_vertical: is_vertical(S), is_forward: is_forward(S) }
}

/// The same slide on the transposed board.
#[inline(always)]
fn mirror_step<const S: usize, L: Config>(
    node: &PdbNode<L::Board>,
    tile_move: TileMove,
) -> RankStep {
    let lower = transpose::<L>(if is_forward(S) { tile_move.from } else { node.blank });
    let tile = transpose::<L>(tile_move.tile);
    RankStep { tile, lower, is_vertical: !is_vertical(S), is_forward: is_forward(S) }
}
