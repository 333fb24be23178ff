//! The distances of all boards of a size to one goal, for boards of up to 9 cells.
//!
//! A board is *ranked* by the blank's cell and the order of the tiles, read row by row without the
//! blank. The order is a number in the factorial base, each digit being how many smaller tiles are
//! still to come. The last two tiles follow from the rest by parity: a slide along a row changes
//! nothing in the order, a slide along a column moves one tile past `cols - 1` others, so the
//! parity of the order hangs on the blank's row alone. So 3×3 has 9 · 8!/2 = 181,440 ranks, and
//! every one of them is the rank of exactly one board that can be solved.
//!
//! The table is filled by breadth-first search from the goal, level by level.

use npuzzle_core::{Board, Cell, Dims, Metric, Packed, Slide};

/// A rank that no search has reached.
const UNKNOWN: u8 = u8::MAX;

/// The distances of all boards of up to 9 cells to one goal.
///
/// ```
/// use npuzzle::{FullTable, Goal, Dims, Metric};
/// let goal = Goal::Last.board(Dims::new(3, 3)?).expect("a named goal fits every size");
/// let table = FullTable::build(&goal, Metric::Stm).expect("nine cells fit");
/// let hard = "8 6 7/2 5 4/3 0 1".parse()?;
/// assert_eq!(table.distance(&hard), Some(31));
/// assert_eq!(table.path(&hard).map(|slides| slides.len()), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FullTable {
    goal: Board,
    metric: Metric,
    shape: Shape,
    distances: Vec<u8>,
}

impl FullTable {
    /// The largest boards.
    pub const MAX_CELLS: usize = 9;

    /// Builds the table, in a few milliseconds; `None` for boards of more than 9 cells.
    pub fn build(goal: &Board, metric: Metric) -> Option<FullTable> {
        let dims = goal.dims();
        if dims.cells() > FullTable::MAX_CELLS {
            return None;
        }
        let shape = Shape::new(dims);
        let start = Packed::new(goal)?;
        let mut distances = vec![UNKNOWN; shape.n_ranks()];
        distances[shape.rank(start)] = 0;
        let (blank, order) = (start.blank(), shape.order(start, start.blank()));
        let mut level = vec![Reached { state: start, blank, order, along: None }];
        let mut next = Vec::new();
        // Deepest of all is 2x4 with 36 slides; 3x3 has 31.
        for distance in 1..UNKNOWN {
            for reached in &level {
                let Reached { state, blank, order, along } = *reached;
                shape.each_move(state, blank, metric, along, |(slide, _), state, blank| {
                    // A slide along a row changes nothing in the order.
                    let order = if slide.is_vertical() { shape.order(state, blank) } else { order };
                    let known = &mut distances[shape.place(blank, order)];
                    if *known == UNKNOWN {
                        *known = distance;
                        next.push(Reached { state, blank, order, along: Some(slide) });
                    }
                    true
                });
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut level, &mut next);
            next.clear();
        }
        Some(FullTable { goal: goal.clone(), metric, shape, distances })
    }

    /// The goal that the distances lead to.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// What the distances count.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.distances.len()
    }

    /// The distance of a board; `None` if it is of another size or cannot reach the goal.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        self.state(board).map(|state| u32::from(self.look_up(state)))
    }

    /// A shortest path from a board to the goal; `None` as for [`distance`](FullTable::distance).
    pub fn path(&self, board: &Board) -> Option<Vec<Slide>> {
        let mut state = self.state(board)?;
        let mut path = Vec::new();
        for left in (0..self.look_up(state)).rev() {
            let mut nearer = None;
            self.shape.each_move(state, state.blank(), self.metric, None, |run, neighbor, _| {
                if self.look_up(neighbor) == left {
                    nearer = Some((run, neighbor));
                }
                nearer.is_none()
            });
            let ((slide, n), neighbor) = nearer?;
            path.extend(std::iter::repeat_n(slide, n));
            state = neighbor;
        }
        Some(path)
    }

    /// How many boards are at each distance.
    pub fn census(&self) -> Vec<u64> {
        let deepest = self.distances.iter().copied().filter(|&d| d != UNKNOWN).max().unwrap_or(0);
        let mut counts = vec![0; usize::from(deepest) + 1];
        for &distance in &self.distances {
            if let Some(count) = counts.get_mut(usize::from(distance)) {
                *count += 1;
            }
        }
        counts
    }

    fn look_up(&self, state: Packed) -> u8 {
        self.distances[self.shape.rank(state)]
    }

    fn state(&self, board: &Board) -> Option<Packed> {
        let goal = npuzzle_core::Goal::Board(self.goal.clone());
        let instance = npuzzle_core::Instance::new(board.clone(), &goal).ok()?;
        if instance.is_solvable() { Packed::new(board) } else { None }
    }
}

/// A state of the breadth-first search, with what saves work on its neighbours.
#[derive(Clone, Copy)]
struct Reached {
    state: Packed,
    blank: Cell,
    order: usize,
    /// The slide that led here.
    along: Option<Slide>,
}

/// What is worked out once for all boards of a size.
#[derive(Clone, Debug)]
struct Shape {
    n_cells: usize,
    /// Half of all orders of the tiles.
    n_orders: usize,
    /// The legal slides, and where their tiles lie, for every place of the blank.
    slides: Vec<Vec<(Slide, Cell)>>,
}

impl Shape {
    fn new(dims: Dims) -> Shape {
        let cells = (0..dims.cells() as u16).map(Cell::new);
        let slides = cells.map(|blank| {
            let source = |slide| dims.source(blank, slide).map(|from| (slide, from));
            Slide::COURSE_ORDER.into_iter().filter_map(source).collect()
        });
        Shape {
            n_cells: dims.cells(),
            n_orders: (1..dims.cells()).product::<usize>() / 2,
            slides: slides.collect(),
        }
    }

    /// Half of all arrangements.
    fn n_ranks(&self) -> usize {
        self.n_cells * self.n_orders
    }

    /// The rank of a board among those that can reach the same goal.
    #[inline]
    fn rank(&self, state: Packed) -> usize {
        self.place(state.blank(), self.order(state, state.blank()))
    }

    /// The rank of a board of which the blank and the order are known.
    #[inline]
    fn place(&self, blank: Cell, order: usize) -> usize {
        self.n_orders * blank.index() + order
    }

    /// The rank of the order of the tiles, read row by row without the blank.
    #[inline]
    fn order(&self, state: Packed, blank: Cell) -> usize {
        const ONES: u64 = 0x1111_1111_1111_1111;
        // The nibbles below the blank, and those above it moved down by one.
        let below = (1 << (4 * blank.index())) - 1;
        let mut tiles = state.bits() & below | state.bits() >> 4 & !below;
        // Nibble t: how many tiles smaller than t are still to come.
        let mut n_smaller: u64 = 0xedcb_a987_6543_2100;
        let mut rank = 0;
        for n_left in (3..self.n_cells).rev() {
            let shift = 4 * (tiles & 0xf);
            rank = rank * n_left + (n_smaller >> shift & 0xf) as usize;
            n_smaller = n_smaller.wrapping_sub((ONES << 4) << shift);
            tiles >>= 4;
        }
        rank
    }

    /// Calls `visit` with every move that counts 1 in the metric (a slide and how often it is
    /// repeated), the state it leads to and the blank there, until `visit` returns `false`. Moves
    /// that cannot lead anywhere new after the slide `along` are left out: the way back, and in the
    /// multi-tile metric the whole line.
    #[inline]
    fn each_move(
        &self,
        state: Packed,
        blank: Cell,
        metric: Metric,
        along: Option<Slide>,
        mut visit: impl FnMut((Slide, usize), Packed, Cell) -> bool,
    ) {
        let is_stale = |slide: Slide| match metric {
            Metric::Stm => along == Some(slide.opposite()),
            Metric::Mtm => along.is_some_and(|along| along.is_vertical() == slide.is_vertical()),
        };
        for &(slide, from) in &self.slides[blank.index()] {
            if is_stale(slide) {
                continue;
            }
            let (mut neighbor, mut to, mut n) = (state, blank, 0);
            let mut next = Some(from);
            while let Some(from) = next {
                neighbor.move_tile(from, to);
                (to, n) = (from, n + 1);
                if !visit((slide, n), neighbor, to) {
                    return;
                }
                next = match metric {
                    Metric::Stm => None,
                    Metric::Mtm => {
                        let further = self.slides[to.index()].iter().find(|(s, _)| *s == slide);
                        further.map(|&(_, from)| from)
                    }
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Goal;
    use npuzzle_testkit::{data, space};

    #[test]
    fn ranks_of_all_solvable_boards_are_different_and_fill_the_table() {
        for space in space::all() {
            let dims = space.goal.dims();
            let shape = Shape::new(dims);
            let mut seen = vec![false; shape.n_ranks()];
            for (board, _) in space.solvable() {
                let rank = shape.rank(Packed::new(board).unwrap());
                assert!(!std::mem::replace(&mut seen[rank], true), "{board:?}");
            }
            assert!(seen.iter().all(|&seen| seen), "{dims}");
        }
    }

    #[test]
    fn counts_per_depth_are_the_published_ones() {
        for size in ["2x2", "3x2", "4x2", "3x3"] {
            for metric in Metric::ALL {
                let dims: Dims = size.parse().unwrap();
                let goal = Goal::Last.board(dims).unwrap();
                let table = FullTable::build(&goal, metric).unwrap();
                assert_eq!(table.census(), data::census(&format!("{size}.{metric}")), "{size}");
            }
        }
    }

    #[test]
    fn paths_in_the_multi_tile_metric_have_the_length_of_the_table() {
        for space in space::of("2x3") {
            let table = FullTable::build(&space.goal, Metric::Mtm).unwrap();
            for (board, _) in space.solvable() {
                let moves: npuzzle_core::Moves = table.path(board).unwrap().into();
                assert_eq!(moves.mtm() as u32, table.distance(board).unwrap());
                assert_eq!(moves.replay(board).as_ref(), Ok(&space.goal));
            }
        }
    }
}
