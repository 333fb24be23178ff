//! The tables that are part of the program, in `data/`: the pattern databases of the 15-puzzle, the
//! best moves of the 8-puzzle, and the pruning automata.
//!
//! `cargo xtask generate` writes the files; a test compares them with what [`generate`] returns.

use std::sync::OnceLock;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Dims, Metric};

use crate::full::{BestMoves, DistanceTable, FullSpace};
use crate::parallel::n_cores;
use crate::pdb::partition::{Partition, PdbKind};
use crate::pdb::set::{PdbSet, ZeroAwareSet};
use crate::pruning::run_automaton::RunAutomaton;
use crate::pruning::slide_automaton::SlideAutomaton;
use crate::store::TableBytes;

/// The maximum length of the duplicate move sequences that the embedded automata prune, in slides.
const AUTOMATON_DEPTH: usize = 12;
const DEEP_AUTOMATON_DEPTH: usize = 14;

/// The maximum length of the duplicate move sequences that the embedded automaton prunes, in runs.
const RUN_AUTOMATON_DEPTH: usize = 9;

/// An embedded table of best moves: the blank's goal cell, the metric, the file name, the bytes.
type EmbeddedMoves = (u16, Metric, &'static str, &'static [u8]);

macro_rules! embedded_moves {
    ($($blank:literal $metric:ident $name:literal,)+) => {
        static BEST_MOVES: &[EmbeddedMoves] =
            &[$(($blank, Metric::$metric, $name, include_bytes!(concat!("../data/", $name)))),+];
    };
}

// Three goal cells of the blank represent all nine, by symmetry: a corner, an edge, the center.
embedded_moves!(
    0 Stm "3x3-0-stm.bin",
    1 Stm "3x3-1-stm.bin",
    4 Stm "3x3-4-stm.bin",
    0 Mtm "3x3-0-mtm.bin",
    1 Mtm "3x3-1-mtm.bin",
    4 Mtm "3x3-4-mtm.bin",
);

/// The effort of the compression, from 0 to 10.
const COMPRESSION: u8 = 9;

/// Builds the content of all files of `data/`, by file name. Takes a few seconds.
pub fn generate() -> Vec<(&'static str, Vec<u8>)> {
    let patterns = |kind| {
        let partition = Partition::embedded(kind)?;
        partition.build(1, &mut ()).ok().map(|bytes| bytes.to_vec())
    };
    let excess = patterns(PdbKind::Excess).unwrap_or_default();
    let deep_automaton = SlideAutomaton::new(DEEP_AUTOMATON_DEPTH).bytes();
    let mut files = vec![
        ("4x4-excess.bin.zlib", compress_to_vec_zlib(&excess, COMPRESSION)),
        ("4x4-zero.bin", patterns(PdbKind::ZeroAware).unwrap_or_default()),
        ("automaton.bin", SlideAutomaton::new(AUTOMATON_DEPTH).bytes()),
        ("deep_automaton.bin.zlib", compress_to_vec_zlib(&deep_automaton, COMPRESSION)),
        ("run_automaton.bin", RunAutomaton::new(RUN_AUTOMATON_DEPTH).bytes()),
    ];
    let best_moves = BEST_MOVES.iter().map(|&(blank, metric, name, _)| {
        let space = FullSpace::new(Dims::new(3, 3).ok()?, Cell::new(blank), metric)?;
        let table = DistanceTable::build(space, 1, &mut ()).ok()?;
        Some((name, BestMoves::from_table(&table)?.bytes().to_vec()))
    });
    files.extend(best_moves.flatten());
    files
}

impl Partition {
    /// The partition of the embedded set. Patterns that differ from those of the transposed board give two different
    /// bounds: this partition expands 1.5 times fewer nodes than the best one that is almost symmetric.
    ///
    /// ```text
    ///     .  a  a  a
    ///     a  a  a  c
    ///     b  b  b  c
    ///     b  b  b  c
    /// ```
    pub fn embedded(kind: PdbKind) -> Option<Partition> {
        let patterns: [&[u8]; 3] = [&[1, 2, 3, 4, 5, 6], &[8, 9, 10, 12, 13, 14], &[7, 11, 15]];
        Partition::new(Dims::new(4, 4).ok()?, Cell::new(0), &patterns, kind)
    }
}

impl PdbSet {
    /// The set for a size of board and a goal cell of the blank: the embedded one, or else that of
    /// [`Partition::quick`], which is built in a fraction of a second. Returns `None` for boards of
    /// more than 25 cells.
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

    /// [`PdbSet::new`] on `threads` threads, with a watch that may stop the build.
    pub fn new_watched(
        dims: Dims,
        blank: Cell,
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<PdbSet>, Limit> {
        let tables = small_tables(dims, blank, PdbKind::Excess, threads, watch)?;
        Ok(tables.and_then(|(partition, bytes)| PdbSet::from_bytes(&partition, &bytes)))
    }

    /// The embedded set, for the 15-puzzle with the blank in the top left corner.
    pub fn embedded() -> Option<PdbSet> {
        let partition = Partition::embedded(PdbKind::Excess)?;
        PdbSet::from_bytes(&partition, &embedded_tables(PdbKind::Excess)?)
    }
}

impl ZeroAwareSet {
    /// The set for a size of board and a goal cell of the blank: the embedded one, or else that of
    /// [`Partition::quick`], built on `threads` threads. Returns `None` for boards of more than 25 cells.
    pub fn new_watched(
        dims: Dims,
        blank: Cell,
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareSet>, Limit> {
        let tables = small_tables(dims, blank, PdbKind::ZeroAware, threads, watch)?;
        Ok(tables.and_then(|(partition, bytes)| ZeroAwareSet::from_bytes(&partition, &bytes)))
    }

    /// The embedded set, for the 15-puzzle with the blank in the top left corner.
    pub fn embedded() -> Option<ZeroAwareSet> {
        let partition = Partition::embedded(PdbKind::ZeroAware)?;
        ZeroAwareSet::from_bytes(&partition, &embedded_tables(PdbKind::ZeroAware)?)
    }
}

/// The tables of [`Partition::small`], embedded or built on `threads` threads.
fn small_tables(
    dims: Dims,
    blank: Cell,
    kind: PdbKind,
    threads: usize,
    watch: &mut dyn Watch,
) -> Result<Option<(Partition, TableBytes)>, Limit> {
    let Some(partition) = Partition::small(dims, blank, kind) else { return Ok(None) };
    let bytes = if is_embedded(dims, blank) {
        embedded_tables(kind)
    } else {
        Some(partition.build(threads, watch)?)
    };
    Ok(bytes.map(|bytes| (partition, bytes)))
}

/// The tables of [`Partition::embedded`]. The excess tables are compressed, because few searches need them;
/// decompression takes some milliseconds.
#[cfg(feature = "embedded-15")]
fn embedded_tables(kind: PdbKind) -> Option<TableBytes> {
    static EXCESS: &[u8] = include_bytes!("../data/4x4-excess.bin.zlib");
    static ZERO_AWARE: &[u8] = include_bytes!("../data/4x4-zero.bin");
    match kind {
        PdbKind::Excess => decompress_to_vec_zlib(EXCESS).ok().map(TableBytes::from),
        PdbKind::ZeroAware => Some(TableBytes::from(ZERO_AWARE)),
    }
}

/// No tables are embedded: [`is_embedded`] is false for all boards.
#[cfg(not(feature = "embedded-15"))]
fn embedded_tables(_: PdbKind) -> Option<TableBytes> {
    None
}

impl Partition {
    /// The embedded partition, or else [`Partition::quick`].
    pub fn small(dims: Dims, blank: Cell, kind: PdbKind) -> Option<Partition> {
        if is_fifteen(dims, blank) {
            Partition::embedded(kind)
        } else {
            Partition::quick(dims, blank, kind)
        }
    }

    /// The maximum memory in bytes that the tables of [`Partition::small`] need while they are built: 0 if
    /// they are embedded or do not exist.
    pub fn small_build_bytes(dims: Dims, blank: Cell, kind: PdbKind) -> usize {
        if is_embedded(dims, blank) {
            return 0;
        }
        Partition::small(dims, blank, kind).map_or(0, |partition| partition.build_bytes())
    }
}

/// Whether the pattern databases for a size of board and a goal cell of the blank are part of the program.
pub fn is_embedded(dims: Dims, blank: Cell) -> bool {
    cfg!(feature = "embedded-15") && is_fifteen(dims, blank)
}

/// Whether this is the 15-puzzle with the blank in the top left corner, which represents all corners.
fn is_fifteen(dims: Dims, blank: Cell) -> bool {
    (dims.rows(), dims.cols(), blank.index()) == (4, 4, 0)
}

impl BestMoves {
    /// The embedded table of a space. Returns `None` if no such table is part of the program.
    ///
    /// ```
    /// use npuzzle_core::{Cell, Dims, Metric};
    /// use npuzzle_tables::{BestMoves, FullSpace};
    /// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(0), Metric::Stm).expect("it fits");
    /// let moves = BestMoves::embedded(space).expect("the 8-puzzle is embedded");
    /// assert_eq!(moves.walk(&[8, 7, 6, 5, 4, 3, 2, 1, 0], |_, _| {}), Some(28));
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn embedded(space: FullSpace) -> Option<BestMoves> {
        let is_it = |&&(blank, metric, ..): &&EmbeddedMoves| {
            (Cell::new(blank), metric) == (space.blank, space.metric)
        };
        let &(.., bytes) = BEST_MOVES.iter().find(is_it)?;
        BestMoves::from_static(space, bytes)
    }
}

impl SlideAutomaton {
    /// The embedded automaton, of depth 12. It is read once.
    pub fn embedded() -> Option<&'static SlideAutomaton> {
        static AUTOMATON: OnceLock<Option<SlideAutomaton>> = OnceLock::new();
        let read = || SlideAutomaton::from_bytes(include_bytes!("../data/automaton.bin"));
        AUTOMATON.get_or_init(read).as_ref()
    }

    /// The embedded automaton of depth 14, for long searches. It is compressed; the first call takes about a
    /// millisecond.
    pub fn embedded_deep() -> Option<&'static SlideAutomaton> {
        static COMPRESSED: &[u8] = include_bytes!("../data/deep_automaton.bin.zlib");
        static AUTOMATON: OnceLock<Option<SlideAutomaton>> = OnceLock::new();
        let read = || SlideAutomaton::from_bytes(&decompress_to_vec_zlib(COMPRESSED).ok()?);
        AUTOMATON.get_or_init(read).as_ref()
    }
}

impl RunAutomaton {
    /// The embedded automaton, of depth 9.
    pub fn embedded() -> Option<RunAutomaton> {
        RunAutomaton::from_bytes(include_bytes!("../data/run_automaton.bin"))
    }
}
