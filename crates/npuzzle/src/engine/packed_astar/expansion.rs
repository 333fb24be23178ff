//! The children of a node, computed without the open list.

use npuzzle_core::search::{Cost, Heuristic, Problem};
use npuzzle_core::{Cell, MovedTile, Packed, Slide, Sliding};

use super::closed::Home;
use super::node::PackedNode;
use super::slid_board::SlidBoard;

/// The largest number of children.
const MAX_CHILDREN: usize = 4;

/// A node with its children, whether they are duplicates or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion<M> {
    pub(super) node: PackedNode,
    pub(super) home: Home,
    children: [Child<M>; MAX_CHILDREN],
    n_children: usize,
}

/// A child with all that the lists of the search need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<M> {
    pub(super) node: PackedNode,
    pub(super) home: Home,
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

/// The slides of a node, without the one that undoes the last.
#[derive(Clone, Copy, Debug)]
struct NodeSlides {
    slides: [BlankSlide; MAX_CHILDREN],
    n_slides: usize,
}

/// A slide to a known cell of the blank.
#[derive(Clone, Copy, Debug)]
struct BlankSlide {
    /// What moving a tile of number 1 adds to the word of the board. A tile adds its number times as much.
    word_step: u64,
    /// The cell from which the tile moves.
    from: Cell,
    slide: Slide,
}

impl BlankSlide {
    fn new(slide: Slide, from: Cell, blank: Cell) -> BlankSlide {
        let one_at = |cell: Cell| 1u64 << (4 * cell.index());
        BlankSlide { word_step: one_at(blank).wrapping_sub(one_at(from)), from, slide }
    }

    /// The board after the slide. `blank` is the cell of the blank before it.
    #[inline]
    fn apply(self, board: Packed, blank: Cell) -> SlidBoard {
        let tile = board.tile(self.from);
        let step = self.word_step.wrapping_mul(u64::from(tile.number()));
        let after = Packed::from_bits(board.bits().wrapping_add(step));
        SlidBoard::new(after, MovedTile { tile, from: self.from, to: blank })
    }
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
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy>,
{
    pub(super) fn new(problem: &Sliding<Packed>, heuristic: &'a H) -> Self {
        let dims = problem.dims();
        let slides_of = |blank: Cell, last: Option<Slide>| {
            // A board with the blank in this cell: `actions` does not look at the tiles.
            let board = Packed::from_bits(u64::MAX ^ 0xf << (4 * blank.index()));
            let back = last.map(Slide::opposite);
            let unused = BlankSlide::new(Slide::Up, blank, blank);
            let mut result = NodeSlides { slides: [unused; MAX_CHILDREN], n_slides: 0 };
            for slide in problem.actions(&board).filter(|&slide| Some(slide) != back) {
                let from = dims.source_unchecked(blank, slide);
                result.slides[result.n_slides] = BlankSlide::new(slide, from, blank);
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
        self.heuristic.eval(&SlidBoard::without_slide(self.board(node)))
    }

    /// The estimate of a node with this memo.
    #[inline]
    pub(super) fn value(&self, memo: &H::Memo) -> Cost {
        self.heuristic.value(memo)
    }

    /// An expansion without children.
    pub(super) fn leaf(&self, node: PackedNode, memo: H::Memo) -> Expansion<H::Memo> {
        let home = Home::default();
        let child = Child { node, home, f: 0, memo };
        Expansion { node, home, children: [child; MAX_CHILDREN], n_children: 0 }
    }

    /// Expands a node of this `f` and memo. `locate` returns the home of a node; `visit` is called with
    /// every child.
    #[inline(always)]
    pub(super) fn expand(
        &self,
        node: PackedNode,
        f: Cost,
        memo: H::Memo,
        expansion: &mut Expansion<H::Memo>,
        locate: impl Fn(PackedNode) -> Home,
        mut visit: impl FnMut(&Child<H::Memo>),
    ) {
        let children = self.children(node, f, memo);
        expansion.node = node;
        expansion.home = locate(node);
        expansion.n_children = children.len();
        for (child, (node, f, memo)) in expansion.children.iter_mut().zip(children) {
            *child = Child { node, home: locate(node), f, memo };
            visit(child);
        }
    }

    /// The nodes, `f` and memos of the children of a node of this `f` and memo.
    #[inline(always)]
    pub(super) fn children(
        &self,
        node: PackedNode,
        f: Cost,
        memo: H::Memo,
    ) -> impl ExactSizeIterator<Item = (PackedNode, Cost, H::Memo)> {
        let board = self.board(node);
        let blank = board.blank();
        let slides = &self.slides[blank.index()][node.slide_code()];
        // The `f` of a child with an estimate of 0.
        let f_base = f + 1 - self.heuristic.value(&memo);
        slides.slides[..slides.n_slides].iter().map(move |slide| {
            let after = slide.apply(board, blank);
            let memo = self.heuristic.step(&memo, &after, slide.slide);
            let node = PackedNode::new(after.board(), Some(slide.slide));
            (node, f_base + self.heuristic.value(&memo), memo)
        })
    }
}
