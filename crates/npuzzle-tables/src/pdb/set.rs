//! Tables of disjoint patterns that together cover a board.

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Dims};

use crate::full;
use crate::parallel::watched::n_cores;
use crate::pdb::partition::Partition;
use crate::pdb::pattern::Pattern;
use crate::pdb::table::{PackedPdb, Width};
use crate::pruning::run_automaton::RunAutomaton;
use crate::pruning::slide_automaton::Automaton;
use crate::store::TableBytes;

/// Tables of disjoint patterns, for one size and one place of the blank.
#[derive(Clone, Debug)]
pub struct PdbSet {
    partition: Partition,
    tables: Vec<(Pattern, PackedPdb)>,
}

impl PdbSet {
    /// The most patterns of a set.
    pub const MAX_PATTERNS: usize = 4;

    /// The largest boards.
    pub const MAX_CELLS: usize = Pattern::MAX_CELLS;

    /// The set for a size and a place of the blank: embedded if it is, otherwise built, which takes
    /// a fraction of a second. `None` for boards of more than 25 cells.
    ///
    /// ```
    /// use npuzzle_core::{Cell, Dims};
    /// use npuzzle_tables::PdbSet;
    /// let set = PdbSet::new(Dims::new(2, 4)?, Cell::new(0)).expect("eight cells are few");
    /// let n_tiles: usize = set.tables().iter().map(|(pattern, _)| pattern.tiles().len()).sum();
    /// assert_eq!(n_tiles, 7);
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn new(dims: Dims, blank: Cell) -> Option<PdbSet> {
        PdbSet::new_watched(dims, blank, n_cores(), &mut ()).ok()?
    }

    /// The same on so many threads under a watch, which may stop a build.
    pub fn new_watched(
        dims: Dims,
        blank: Cell,
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<PdbSet>, Limit> {
        if PdbSet::is_embedded(dims, blank) {
            return Ok(PdbSet::embedded());
        }
        let quick = Partition::quick(dims, blank);
        quick.map(|partition| partition.build(threads, watch)).transpose()
    }

    /// Bytes that are needed to make the set, at most: none if it is embedded or there is none.
    pub fn n_bytes_to_build(dims: Dims, blank: Cell) -> usize {
        if PdbSet::is_embedded(dims, blank) {
            return 0;
        }
        Partition::quick(dims, blank).map_or(0, |partition| partition.n_bytes_to_build())
    }

    pub(crate) fn new_unchecked(partition: Partition, tables: Vec<(Pattern, PackedPdb)>) -> PdbSet {
        PdbSet { partition, tables }
    }

    /// Whether the set for a size and a place of the blank is part of the program.
    pub fn is_embedded(dims: Dims, blank: Cell) -> bool {
        (dims.rows(), dims.cols(), blank.index()) == (4, 4, 0)
    }

    /// The set for the 15-puzzle with the blank in a corner, which is part of the program.
    pub fn embedded() -> Option<PdbSet> {
        static BYTES: &[u8] = include_bytes!("../../data/4x4.bin");
        Partition::embedded()?.set(&TableBytes::from(BYTES))
    }

    /// The patterns.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.partition.dims()
    }

    /// Where the blank belongs.
    pub fn blank(&self) -> Cell {
        self.partition.blank()
    }

    /// How the tables are packed.
    pub fn width(&self) -> Width {
        self.partition.width()
    }

    /// The patterns with their tables.
    pub fn tables(&self) -> &[(Pattern, PackedPdb)] {
        &self.tables
    }

    /// The bytes of all tables, one after the other.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.partition.n_bytes());
        self.tables.iter().for_each(|(_, excess)| bytes.extend_from_slice(excess.bytes()));
        bytes
    }
}

/// The files of `data/`, by name: what is embedded, made anew. Takes some seconds.
pub fn generate() -> Vec<(&'static str, Vec<u8>)> {
    let set = Partition::embedded().and_then(|partition| partition.build(1, &mut ()).ok());
    let mut files = vec![
        ("4x4.bin", set.map(|set| set.bytes()).unwrap_or_default()),
        ("automaton.bin", Automaton::new(EMBEDDED_DEPTH).bytes()),
        ("run_automaton.bin", RunAutomaton::new(EMBEDDED_RUNS).bytes()),
    ];
    files.extend(full::generate());
    files
}

/// How long the duplicate paths are that the embedded automaton forbids.
const EMBEDDED_DEPTH: usize = 12;

/// The same, in straight runs.
const EMBEDDED_RUNS: usize = 9;
