//! Tables of disjoint patterns that together cover a board.

use npuzzle_core::{Cell, Dims};

use crate::automaton::Automaton;
use crate::pattern::Pattern;
use crate::table::{Excess, PatternTable, Width};

/// Tables of disjoint patterns, for one size and one place of the blank.
#[derive(Clone, Debug)]
pub struct PatternSet {
    dims: Dims,
    blank: Cell,
    tables: Vec<(Pattern, Excess)>,
}

impl PatternSet {
    /// The most patterns of a set.
    pub const MAX_PATTERNS: usize = 4;

    /// The largest boards.
    pub const MAX_CELLS: usize = 16;

    /// The set for a size and a place of the blank: embedded if it is, otherwise built, which takes
    /// about a second at most. `None` for boards of more than 16 cells.
    ///
    /// ```
    /// use npuzzle_core::{Cell, Dims};
    /// use npuzzle_tables::PatternSet;
    /// let set = PatternSet::new(Dims::new(2, 4)?, Cell::new(0)).expect("eight cells are few");
    /// let n_tiles: usize = set.tables().iter().map(|(pattern, _)| pattern.tiles().len()).sum();
    /// assert_eq!(n_tiles, 7);
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn new(dims: Dims, blank: Cell) -> Option<PatternSet> {
        if PatternSet::is_embedded(dims, blank) {
            return PatternSet::embedded();
        }
        if dims.cells() > PatternSet::MAX_CELLS || blank.index() >= dims.cells() {
            return None;
        }
        let patterns = partition(dims, blank);
        let patterns: Vec<&[u8]> = patterns.iter().map(Vec::as_slice).collect();
        PatternSet::build(dims, blank, &patterns)
    }

    /// Whether the set for a size and a place of the blank is part of the program.
    pub fn is_embedded(dims: Dims, blank: Cell) -> bool {
        (dims.rows(), dims.cols(), blank.index()) == (4, 4, 0)
    }

    /// Builds the tables of these patterns, each on a thread of its own; `None` if they are not
    /// disjoint patterns of the board.
    pub fn build(dims: Dims, blank: Cell, patterns: &[&[u8]]) -> Option<PatternSet> {
        let build = |tiles: &[u8]| {
            let pattern = Pattern::new(dims.cells(), tiles)?;
            Some(PatternTable::build(dims, blank, &pattern)?.excess(Width::Two, 1))
        };
        let built: Option<Vec<Excess>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                patterns.iter().map(|&tiles| scope.spawn(move || build(tiles))).collect();
            threads.into_iter().map(|thread| thread.join().ok().flatten()).collect()
        });
        let mut built = built?.into_iter();
        PatternSet::with(dims, blank, patterns, |_| built.next())
    }

    /// The set for the 15-puzzle with the blank in a corner, which is part of the program.
    pub fn embedded() -> Option<PatternSet> {
        static BYTES: &[u8] = include_bytes!("../data/4x4.bin");
        let dims = Dims::new(4, 4).ok()?;
        let mut rest = BYTES;
        PatternSet::with(dims, Cell::new(0), &EMBEDDED, |pattern| {
            let (table, after) = rest.split_at_checked(pattern.n_ranks().div_ceil(4))?;
            rest = after;
            Some(Excess::from_bytes(Width::Two, table))
        })
    }

    fn with(
        dims: Dims,
        blank: Cell,
        patterns: &[&[u8]],
        mut table: impl FnMut(&Pattern) -> Option<Excess>,
    ) -> Option<PatternSet> {
        let all: Vec<u8> = patterns.concat();
        let is_disjoint = (0..all.len()).all(|at| !all[..at].contains(&all[at]));
        if !is_disjoint || patterns.len() > PatternSet::MAX_PATTERNS {
            return None;
        }
        let tables = patterns.iter().map(|tiles| {
            let pattern = Pattern::new(dims.cells(), tiles)?;
            let excess = table(&pattern)?;
            Some((pattern, excess))
        });
        Some(PatternSet { dims, blank, tables: tables.collect::<Option<_>>()? })
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Where the blank belongs.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// The patterns with their tables.
    pub fn tables(&self) -> &[(Pattern, Excess)] {
        &self.tables
    }
}

/// The most placements of a pattern that is built on the spot: five tiles of 16, so that the time
/// is not noticed on large boards, and less on boards that need less.
fn max_ranks(n_cells: usize) -> usize {
    if n_cells > 12 { 600_000 } else { 200_000 }
}

/// The tiles of a board in groups as large as can be built on the spot. Tiles are taken column by
/// column, since a group of tiles that belong side by side knows most about their conflicts.
fn partition(dims: Dims, blank: Cell) -> Vec<Vec<u8>> {
    let n_cells = dims.cells();
    let n_ranks = |n_tiles: usize| (n_cells - n_tiles + 1..=n_cells).product::<usize>();
    let most =
        (1..n_cells.min(Pattern::MAX_TILES + 1)).rev().find(|&n| n_ranks(n) <= max_ranks(n_cells));
    let columns = (0..dims.cols()).flat_map(|col| (0..dims.rows()).map(move |row| (row, col)));
    let cells = columns.map(|(row, col)| dims.cell(row, col)).filter(|&cell| cell != blank);
    let labels: Vec<u8> = cells.map(|cell| cell.index() as u8).collect();
    labels.chunks(most.unwrap_or(1)).map(<[u8]>::to_vec).collect()
}

/// The patterns of the embedded set.
///
/// ```text
///     .  a  a  b
///     a  a  b  b
///     a  a  b  b
///     c  c  c  b
/// ```
const EMBEDDED: [&[u8]; 3] = [&[1, 2, 4, 5, 8, 9], &[3, 6, 7, 10, 11, 15], &[12, 13, 14]];

/// The files of `data/`, by name: what is embedded, made anew. Takes some seconds.
pub fn generate() -> Vec<(&'static str, Vec<u8>)> {
    let tables = Dims::new(4, 4).ok().and_then(|dims| {
        let set = PatternSet::build(dims, Cell::new(0), &EMBEDDED)?;
        Some(set.tables().iter().flat_map(|(_, excess)| excess.bytes().to_vec()).collect())
    });
    vec![
        ("4x4.bin", tables.unwrap_or_default()),
        ("automaton.bin", Automaton::new(EMBEDDED_DEPTH).bytes()),
    ]
}

/// How long the duplicate paths are that the embedded automaton forbids.
const EMBEDDED_DEPTH: usize = 12;
