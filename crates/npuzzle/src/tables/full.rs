//! Full tables: the distances of all boards of up to 12 cells to one goal.

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Arrangement, Board, Metric, Slide};
use npuzzle_tables::{BestMoves, FullSpace};

use crate::tables::canonical::CanonicalForm;

/// The distances of all boards of a size to one goal, for boards of up to 12 cells.
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
    form: CanonicalForm,
    /// The slide on the board, by slide in the canonical form.
    slides: [Slide; 4],
    table: Table,
}

/// The entries. Clones share their bytes.
#[derive(Clone, Debug)]
enum Table {
    /// Embedded.
    Best(BestMoves),
    Full(npuzzle_tables::DistanceTable),
}

impl FullTable {
    /// The largest number of cells.
    pub const MAX_CELLS: usize = FullSpace::MAX_CELLS;

    /// The smallest space whose table is built by several threads.
    const WORTH_THREADS: usize = 10_000_000;

    /// Builds the table, within milliseconds for boards of up to 10 cells and about a second for 12. `None`
    /// for larger boards.
    pub fn build(goal: &Board, metric: Metric) -> Option<FullTable> {
        FullTable::build_with(goal, metric, npuzzle_tables::parallel::n_cores, None, &mut ())
            .ok()?
    }

    /// Builds the table with up to `n_threads` threads, within `max_bytes`, under a watch.
    pub(crate) fn build_with(
        goal: &Board,
        metric: Metric,
        n_threads: impl FnOnce() -> usize,
        max_bytes: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<FullTable>, Limit> {
        let Some(space) = FullTable::space(goal, metric) else { return Ok(None) };
        if let Some(moves) = BestMoves::embedded(space) {
            return Ok(FullTable::with(goal, metric, Table::Best(moves)));
        }
        let n_threads = FullTable::threads_within(space, n_threads, max_bytes)?;
        let table = npuzzle_tables::DistanceTable::build(space, n_threads, watch)?;
        Ok(FullTable::with(goal, metric, Table::Full(table)))
    }

    /// The number of threads with which a table can be built within `max_bytes`.
    pub(crate) fn threads_within(
        space: FullSpace,
        n_threads: impl FnOnce() -> usize,
        max_bytes: Option<u64>,
    ) -> Result<usize, Limit> {
        let fits = |n: &usize| max_bytes.is_none_or(|max| space.build_bytes(*n) as u64 <= max);
        if !fits(&1) {
            return Err(Limit::Memory);
        }
        let n_threads = if space.n_boards() < FullTable::WORTH_THREADS { 1 } else { n_threads() };
        Ok((1..=n_threads).rev().find(fits).unwrap_or(1))
    }

    /// The table of another goal with the same entries, if they serve it.
    pub(crate) fn for_goal(&self, goal: &Board, metric: Metric) -> Option<FullTable> {
        if self.serves(FullTable::space(goal, metric)?) {
            FullTable::with(goal, metric, self.table.clone())
        } else {
            None
        }
    }

    /// Whether this is the table of a space.
    pub(crate) fn serves(&self, space: FullSpace) -> bool {
        self.table.space() == space
    }

    /// The table of a goal with entries that were built elsewhere. `None` if they are for other boards. Not part
    /// of the stable interface.
    #[doc(hidden)]
    pub fn from_table(goal: &Board, table: npuzzle_tables::DistanceTable) -> Option<FullTable> {
        let serves = |&metric: &Metric| FullTable::space(goal, metric) == Some(table.space());
        let metric = Metric::ALL.into_iter().find(serves)?;
        FullTable::with(goal, metric, Table::Full(table))
    }

    /// The entries, unless they are embedded. Not part of the stable interface.
    #[doc(hidden)]
    pub fn table(&self) -> Option<&npuzzle_tables::DistanceTable> {
        match &self.table {
            Table::Full(table) => Some(table),
            Table::Best(_) => None,
        }
    }

    /// The space of a goal's table. `None` if the board is too large. Goals whose blanks are in the same cell up to
    /// reflection and transposition share it.
    pub fn space(goal: &Board, metric: Metric) -> Option<FullSpace> {
        let form = CanonicalForm::new(goal)?;
        FullSpace::new(form.dims(), form.blank(), metric)
    }

    fn with(goal: &Board, metric: Metric, table: Table) -> Option<FullTable> {
        let form = CanonicalForm::new(goal)?;
        let slides = Slide::ALL.map(|slide| form.slide(slide));
        Some(FullTable { goal: goal.clone(), metric, form, slides, table })
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The metric of the distances.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The size of the entries in bytes.
    pub fn bytes(&self) -> usize {
        match &self.table {
            Table::Best(moves) => moves.bytes().len(),
            Table::Full(table) => table.bytes().len(),
        }
    }

    /// The distance of a board. `None` if it has another size or cannot reach the goal.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        if board.dims() == self.goal.dims() { self.distance_of(board) } else { None }
    }

    /// [`distance`](FullTable::distance) of any arrangement of this size.
    pub(crate) fn distance_of(&self, state: &impl Arrangement) -> Option<u32> {
        self.walk(state, |_, _| {})
    }

    /// A shortest path from a board to the goal; `None` as for [`distance`](FullTable::distance).
    pub fn path(&self, board: &Board) -> Option<Vec<Slide>> {
        self.route(board).map(|(path, _)| path)
    }

    /// A shortest path and its length in the metric.
    pub(crate) fn route(&self, board: &Board) -> Option<(Vec<Slide>, u32)> {
        if board.dims() != self.goal.dims() {
            return None;
        }
        // Room for any 8-puzzle.
        let mut path = Vec::with_capacity(32);
        let distance = self.walk(board, |slide, n| (0..n).for_each(|_| path.push(slide)))?;
        Some((path, distance))
    }

    /// The number of boards at each distance.
    pub fn census(&self) -> Vec<u64> {
        match &self.table {
            Table::Best(moves) => moves.census(),
            Table::Full(table) => table.census(),
        }
    }

    /// Calls `step` with the moves of a shortest path, and counts them.
    #[inline]
    fn walk(&self, state: &impl Arrangement, mut step: impl FnMut(Slide, usize)) -> Option<u32> {
        let mut labels = [0; FullTable::MAX_CELLS];
        let labels = &mut labels[..self.goal.tiles().len()];
        self.form.label(state, labels);
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
