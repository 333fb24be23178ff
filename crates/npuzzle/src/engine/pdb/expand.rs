//! One slide of a search: where it leads, and what the tables say of that.

use npuzzle_core::Slide;
use npuzzle_tables::Automaton;

use crate::engine::pdb::lookup::{Entry, Index, Step};
use crate::engine::pdb::packed::PackedCells;
use crate::engine::pdb::search::{DOWN, LEFT, Node, RIGHT, Search, UP};

/// A slide of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Slid {
    tile: usize,
    from: usize,
    /// Manhattan distance after it.
    manhattan: i32,
}

/// Where a slide is to be looked up, on the board and on the transposed one.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    at: Index,
    mirror_at: Index,
}

/// Where a slide leads.
#[derive(Clone, Copy)]
pub(crate) enum ChildStatus {
    /// It is not legal, or not allowed.
    Illegal,
    /// Too far from the goal, whatever its pattern says.
    Pruned,
    Pending(Slid, Places),
}

impl<
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> Search<'_, B, N, C, BITS, MIRROR, FAR>
{
    /// Looks where a slide leads, and has the entries fetched that it will ask for.
    #[inline(always)]
    pub(crate) fn ahead<const S: usize>(
        &self,
        node: &Node<B>,
        next: &[u16; 4],
        left: i32,
    ) -> ChildStatus {
        if !self.is_open_to::<S>(node, next) {
            return ChildStatus::Illegal;
        }
        let slid = self.slid::<S>(node);
        if self.is_beyond(node, slid, left) {
            return ChildStatus::Pruned;
        }
        let places = self.places::<S>(node, slid);
        self.grid.view.prefetch(places.at);
        if MIRROR {
            self.grid.view.prefetch(places.mirror_at);
        }
        ChildStatus::Pending(slid, places)
    }

    /// Whether a slide is legal and allowed.
    #[inline(always)]
    pub(crate) fn is_open_to<const S: usize>(&self, node: &Node<B>, next: &[u16; 4]) -> bool {
        self.grid.legal[node.blank & (N - 1)] >> S & 1 == 1 && next[S] != Automaton::DEAD
    }

    /// [`is_open_to`](Search::is_open_to) for a slide that is known only now.
    pub(crate) fn is_open(&self, node: &Node<B>, next: &[u16; 4], slide: Slide) -> bool {
        let is_legal = self.grid.legal[node.blank & (N - 1)] >> slide as u8 & 1 == 1;
        is_legal && next[slide as usize] != Automaton::DEAD
    }

    /// [`child`](Search::child) for a slide that is known only now.
    pub(crate) fn child_after(
        &self,
        slide: Slide,
        node: &Node<B>,
        automaton: u16,
        left: i32,
    ) -> Option<Node<B>> {
        match slide {
            Slide::Up => self.child::<UP>(node, automaton, left),
            Slide::Down => self.child::<DOWN>(node, automaton, left),
            Slide::Left => self.child::<LEFT>(node, automaton, left),
            Slide::Right => self.child::<RIGHT>(node, automaton, left),
        }
    }

    /// The tile that a legal slide moves.
    #[inline(always)]
    fn slid<const S: usize>(&self, node: &Node<B>) -> Slid {
        let from = match S {
            UP => node.blank + C,
            DOWN => node.blank - C,
            LEFT => node.blank + 1,
            _ => node.blank - 1,
        };
        let tile = node.board.get(from);
        let nearer = self.grid.nearer[S][tile & (N - 1)][from & (N - 1)];
        Slid { tile, from, manhattan: node.manhattan + i32::from(nearer) }
    }

    /// Whether a slide leads too far from the goal whatever its pattern says.
    #[inline(always)]
    fn is_beyond(&self, node: &Node<B>, slid: Slid, left: i32) -> bool {
        slid.manhattan + 2 * self.grid.view.least_after(&node.seen, slid.tile) > left
    }

    /// The node after a legal slide, unless it is more than `left` moves from the goal.
    #[inline(always)]
    pub(crate) fn child<const S: usize>(
        &self,
        node: &Node<B>,
        automaton: u16,
        left: i32,
    ) -> Option<Node<B>> {
        let slid = self.slid::<S>(node);
        self.child_at(node, automaton, left, slid, self.places::<S>(node, slid))
    }

    /// Where a slide is to be looked up.
    #[inline(always)]
    fn places<const S: usize>(&self, node: &Node<B>, slid: Slid) -> Places {
        let at = self.grid.view.at_after(&node.seen, node.board, step::<S, _>(node, slid));
        let mut mirror_at = Index::default();
        if MIRROR {
            let step = mirror_step::<S, C, _>(node, slid);
            mirror_at = self.grid.view.at_after(&node.mirror_seen, node.mirror, step);
        }
        Places { at, mirror_at }
    }

    /// [`child`](Search::child) after looking there.
    #[inline(always)]
    pub(crate) fn child_at(
        &self,
        node: &Node<B>,
        automaton: u16,
        left: i32,
        slid: Slid,
        places: Places,
    ) -> Option<Node<B>> {
        let look = self.grid.view.look(&node.seen, places.at);
        if slid.manhattan + 2 * look.sum > left {
            return None;
        }
        let mut mirror_look = Entry::default();
        if MIRROR {
            mirror_look = self.grid.view.look(&node.mirror_seen, places.mirror_at);
            if slid.manhattan + 2 * mirror_look.sum > left {
                return None;
            }
        }
        let (tile, from, home) = (slid.tile, slid.from, self.grid.home);
        let mut mirror = node.mirror;
        let mut mirror_seen = node.mirror_seen;
        if MIRROR {
            // The blank belongs on the diagonal: its label is the same on both sides.
            let difference = transpose::<C>(tile) ^ home;
            mirror = mirror.swapped(difference, transpose::<C>(from), transpose::<C>(node.blank));
            mirror_seen = mirror_seen.with(mirror_look);
        }
        Some(Node {
            board: node.board.swapped(tile ^ home, from, node.blank),
            mirror,
            blank: from,
            automaton,
            manhattan: slid.manhattan,
            seen: node.seen.with(look),
            mirror_seen,
        })
    }
}

const fn is_vertical(slide: usize) -> bool {
    slide == UP || slide == DOWN
}

const fn is_forward(slide: usize) -> bool {
    slide == DOWN || slide == RIGHT
}

/// A slide as the ranks see it.
#[inline(always)]
fn step<const S: usize, B>(node: &Node<B>, slid: Slid) -> Step {
    let lower = if is_forward(S) { slid.from } else { node.blank };
    Step { tile: slid.tile, lower, is_across: is_vertical(S), is_forward: is_forward(S) }
}

/// The same slide on the transposed board.
#[inline(always)]
fn mirror_step<const S: usize, const C: usize, B>(node: &Node<B>, slid: Slid) -> Step {
    let lower = transpose::<C>(if is_forward(S) { slid.from } else { node.blank });
    let tile = transpose::<C>(slid.tile);
    Step { tile, lower, is_across: !is_vertical(S), is_forward: is_forward(S) }
}

/// The cell, or the label, that takes the place of another on the transposed board.
#[inline(always)]
pub(crate) fn transpose<const C: usize>(cell: usize) -> usize {
    cell % C * C + cell / C
}
