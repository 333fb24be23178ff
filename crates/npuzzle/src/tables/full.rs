//! The distances of all boards of up to 12 cells to one goal: a table of `npuzzle-tables`, seen
//! from the goal.

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Arrangement, Board, Metric, Slide};
use npuzzle_tables::{BestMoves, FullSpace};

use crate::tables::canonical::CanonicalForm;

/// The distances of all boards of up to 12 cells to one goal.
///
/// ```
/// use npuzzle::tables::FullTable;
/// use npuzzle::{Goal, Dims, Metric};
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
    frame: CanonicalForm,
    /// What a slide in the frame is on the board.
    slides: [Slide; 4],
    table: Table,
}

/// Cheap to clone: the bytes are shared.
#[derive(Clone, Debug)]
enum Table {
    /// Part of the program.
    Best(BestMoves),
    Full(npuzzle_tables::DistanceTable),
}

impl FullTable {
    /// The largest boards.
    pub const MAX_CELLS: usize = FullSpace::MAX_CELLS;

    /// From so many boards on, threads share the work.
    const WORTH_THREADS: usize = 10_000_000;

    /// Builds the table, in milliseconds for boards of up to 10 cells and about a second for 12;
    /// `None` for boards of more.
    pub fn build(goal: &Board, metric: Metric) -> Option<FullTable> {
        FullTable::build_with(goal, metric, npuzzle_tables::n_cores, None, &mut ()).ok()?
    }

    /// Builds the table with up to so many threads, within a limit of bytes, under the eyes of a
    /// watch.
    pub(crate) fn build_with(
        goal: &Board,
        metric: Metric,
        n_threads: impl FnOnce() -> usize,
        most_bytes: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<FullTable>, Limit> {
        let Some(space) = FullTable::space(goal, metric) else { return Ok(None) };
        if let Some(moves) = BestMoves::embedded(space) {
            return Ok(FullTable::with(goal, metric, Table::Best(moves)));
        }
        let n_threads = FullTable::threads_within(space, n_threads, most_bytes)?;
        let table = npuzzle_tables::DistanceTable::build(space, n_threads, watch)?;
        Ok(FullTable::with(goal, metric, Table::Full(table)))
    }

    /// With how many threads a table can be built within a limit of bytes.
    pub(crate) fn threads_within(
        space: FullSpace,
        n_threads: impl FnOnce() -> usize,
        most_bytes: Option<u64>,
    ) -> Result<usize, Limit> {
        let fits = |n: &usize| most_bytes.is_none_or(|most| space.build_bytes(*n) as u64 <= most);
        if !fits(&1) {
            return Err(Limit::Memory);
        }
        let n_threads = if space.n_boards() < FullTable::WORTH_THREADS { 1 } else { n_threads() };
        Ok((1..=n_threads).rev().find(fits).unwrap_or(1))
    }

    /// The table of another goal, if this one serves it as well.
    pub(crate) fn for_goal(&self, goal: &Board, metric: Metric) -> Option<FullTable> {
        if self.serves(FullTable::space(goal, metric)?) {
            FullTable::with(goal, metric, self.table.clone())
        } else {
            None
        }
    }

    /// Whether this is the table of these boards.
    pub(crate) fn serves(&self, space: FullSpace) -> bool {
        self.table.space() == space
    }

    /// A table of `npuzzle-tables`, seen from a goal; `None` if it is for other boards. For what shares
    /// a build among machines; no part of the interface, nor is the next one.
    #[doc(hidden)]
    pub fn from_table(goal: &Board, table: npuzzle_tables::DistanceTable) -> Option<FullTable> {
        let serves = |&metric: &Metric| FullTable::space(goal, metric) == Some(table.space());
        let metric = Metric::ALL.into_iter().find(serves)?;
        FullTable::with(goal, metric, Table::Full(table))
    }

    /// The table itself, unless it is part of the program.
    #[doc(hidden)]
    pub fn table(&self) -> Option<&npuzzle_tables::DistanceTable> {
        match &self.table {
            Table::Full(table) => Some(table),
            Table::Best(_) => None,
        }
    }

    /// Which boards the table of a goal is for; `None` if they are too large. Goals with the blank
    /// in the same place, or in one that flipping and transposing make the same, share it.
    pub fn space(goal: &Board, metric: Metric) -> Option<FullSpace> {
        let frame = CanonicalForm::new(goal)?;
        FullSpace::new(frame.dims(), frame.blank(), metric)
    }

    fn with(goal: &Board, metric: Metric, table: Table) -> Option<FullTable> {
        let frame = CanonicalForm::new(goal)?;
        let slides = Slide::ALL.map(|slide| frame.slide(slide));
        Some(FullTable { goal: goal.clone(), metric, frame, slides, table })
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
        match &self.table {
            Table::Best(moves) => moves.bytes().len(),
            Table::Full(table) => table.bytes().len(),
        }
    }

    /// The distance of a board; `None` if it is of another size or cannot reach the goal.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        self.walk(board, |_, _| {})
    }

    /// [`distance`](FullTable::distance) for any arrangement of this size.
    pub(crate) fn distance_of(&self, state: &impl Arrangement) -> Option<u32> {
        let mut labels = [0; FullTable::MAX_CELLS];
        let labels = &mut labels[..self.goal.tiles().len()];
        self.frame.label_of(state, labels);
        match &self.table {
            Table::Best(moves) => moves.walk(labels, |_, _| {}),
            Table::Full(table) => table.walk(labels, |_, _| {}),
        }
    }

    /// A shortest path from a board to the goal; `None` as for [`distance`](FullTable::distance).
    pub fn path(&self, board: &Board) -> Option<Vec<Slide>> {
        self.route(board).map(|(path, _)| path)
    }

    /// A shortest path and its length in the metric.
    pub(crate) fn route(&self, board: &Board) -> Option<(Vec<Slide>, u32)> {
        // Room for any 8-puzzle.
        let mut path = Vec::with_capacity(32);
        let distance = self.walk(board, |slide, n| (0..n).for_each(|_| path.push(slide)))?;
        Some((path, distance))
    }

    /// How many boards are at each distance.
    pub fn census(&self) -> Vec<u64> {
        match &self.table {
            Table::Best(moves) => moves.census(),
            Table::Full(table) => table.census(),
        }
    }

    /// Tells `step` the moves of a shortest path, and counts them.
    #[inline]
    fn walk(&self, board: &Board, mut step: impl FnMut(Slide, usize)) -> Option<u32> {
        if board.dims() != self.goal.dims() {
            return None;
        }
        let mut labels = [0; FullTable::MAX_CELLS];
        let labels = &mut labels[..board.tiles().len()];
        self.frame.label(board, labels);
        let step = |slide: Slide, n| step(self.slides[slide as usize], n);
        match &self.table {
            Table::Best(moves) => moves.walk(labels, step),
            Table::Full(table) => table.walk(labels, step),
        }
    }
}

impl Table {
    fn space(&self) -> FullSpace {
        match self {
            Table::Best(moves) => moves.space(),
            Table::Full(table) => table.space(),
        }
    }
}
