//! Tables of disjoint patterns that together cover a board.

use npuzzle_core::{Cell, Dims};

use crate::automaton::Automaton;
use crate::pattern::Pattern;
use crate::table::{Excess, PatternTable};

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

    /// Builds the tables of these patterns; `None` if they are not disjoint patterns of the board.
    pub fn build(dims: Dims, blank: Cell, patterns: &[&[u8]]) -> Option<PatternSet> {
        let build = |pattern: &Pattern| Some(PatternTable::build(dims, blank, pattern)?.excess());
        PatternSet::with(dims, blank, patterns, build)
    }

    /// The set for the 15-puzzle with the blank in a corner, which is part of the program.
    pub fn embedded() -> Option<PatternSet> {
        static BYTES: &[u8] = include_bytes!("../data/4x4.bin");
        let dims = Dims::new(4, 4).ok()?;
        let mut rest = BYTES;
        PatternSet::with(dims, Cell::new(0), &EMBEDDED, |pattern| {
            let (table, after) = rest.split_at_checked(pattern.n_ranks().div_ceil(4))?;
            rest = after;
            Some(Excess::from_bytes(table))
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
