//! The children of a node, computed without the lists of the search.

use npuzzle_core::search::{Cost, Heuristic, Problem};
use npuzzle_core::{Cell, Packed, Slide, Sliding};

use super::node::PackedNode;

/// The largest number of children.
const MAX_CHILDREN: usize = 4;

/// A node with its children, whether they are duplicates or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion<M> {
    pub(super) node: PackedNode,
    /// The hash of the node.
    pub(super) hash: u64,
    children: [Child<M>; MAX_CHILDREN],
    n_children: usize,
}

/// A child with all that the lists of the search need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<M> {
    pub(super) node: PackedNode,
    /// The hash of the node.
    pub(super) hash: u64,
    pub(super) f: Cost,
    pub(super) memo: M,
}

impl<M> Expansion<M> {
    /// The children in the order in which they are generated.
    #[inline]
    pub(super) fn children(&self) -> &[Child<M>] {
        &self.children[..self.n_children]
    }
}

/// The slides of a node, without the one that undoes the last, and the cells from which they move a tile.
#[derive(Clone, Copy, Debug)]
struct NodeSlides {
    slides: [(Slide, Cell); MAX_CHILDREN],
    n_slides: usize,
}

/// Computes children. The result depends on nothing but the node.
#[derive(Debug)]
pub(super) struct Expander<'a, H> {
    heuristic: &'a H,
    /// The exclusive or of the numbers of all tiles.
    all_tiles: u64,
    /// The slides by the cell of the blank and the code of the last slide.
    slides: Vec<[NodeSlides; PackedNode::N_SLIDE_CODES]>,
}

impl<'a, H> Expander<'a, H>
where
    H: Heuristic<Sliding<Packed>, Memo: Copy>,
{
    pub(super) fn new(problem: &Sliding<Packed>, heuristic: &'a H) -> Self {
        let dims = problem.dims();
        let slides_of = |blank: Cell, last: Option<Slide>| {
            // A board with the blank in this cell: `actions` does not look at the tiles.
            let board = Packed::from_bits(u64::MAX ^ 0xf << (4 * blank.index()));
            let back = last.map(Slide::opposite);
            let mut result = NodeSlides { slides: [(Slide::Up, blank); MAX_CHILDREN], n_slides: 0 };
            for slide in problem.actions(&board).filter(|&slide| Some(slide) != back) {
                result.slides[result.n_slides] = (slide, dims.source_unchecked(blank, slide));
                result.n_slides += 1;
            }
            result
        };
        let slides = dims.all_cells().map(|blank| {
            std::array::from_fn(|code| slides_of(blank, Slide::ALL.get(code).copied()))
        });
        let all_tiles = (0..dims.cells() as u64).fold(0, |all, tile| all ^ tile);
        Expander { heuristic, all_tiles, slides: slides.collect() }
    }

    #[inline]
    pub(super) fn board(&self, node: PackedNode) -> Packed {
        node.board(self.all_tiles)
    }

    /// Computes the memo of a node from scratch.
    #[inline]
    pub(super) fn eval(&self, node: PackedNode) -> H::Memo {
        self.heuristic.eval(&self.board(node))
    }

    /// An expansion without children.
    pub(super) fn leaf(&self, node: PackedNode, memo: H::Memo) -> Expansion<H::Memo> {
        let hash = node.hash();
        let child = Child { node, hash, f: 0, memo };
        Expansion { node, hash, children: [child; MAX_CHILDREN], n_children: 0 }
    }

    /// Expands a node of this `f` and memo, and calls `visit` with every child.
    #[inline]
    pub(super) fn expand(
        &self,
        node: PackedNode,
        f: Cost,
        memo: H::Memo,
        expansion: &mut Expansion<H::Memo>,
        mut visit: impl FnMut(&Child<H::Memo>),
    ) {
        let board = self.board(node);
        let blank = board.blank();
        let slides = &self.slides[blank.index()][node.slide_code()];
        // The `f` of a child with an estimate of 0.
        let f_base = f + 1 - self.heuristic.value(&memo);
        expansion.node = node;
        expansion.hash = node.hash();
        expansion.n_children = slides.n_slides;
        let children = expansion.children.iter_mut().zip(&slides.slides[..slides.n_slides]);
        for (child, &(slide, from)) in children {
            let mut after = board;
            after.move_tile(from, blank);
            let memo = self.heuristic.step(&memo, &after, slide);
            let node = PackedNode::new(after, Some(slide));
            let f = f_base + self.heuristic.value(&memo);
            *child = Child { node, hash: node.hash(), f, memo };
            visit(child);
        }
    }
}
