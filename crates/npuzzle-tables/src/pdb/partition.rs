//! How the tiles of a board are divided into patterns, and at what price.

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Dims};

use crate::pdb::build::{AT_ONCE, Keep, Levels, Slots, go_on};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;
use crate::pdb::set::PdbSet;
use crate::pdb::table::{PackedPdb, PatternDatabase, Width};
use crate::pdb::verify::Flaw;
use crate::store::{Checkpoint, TableBytes};
use crate::table_spec::{TableSpec, Work, first_difference};

/// How much of the time of a build goes to the levels of the search; the rest goes to packing.
const LEVELS_SHARE: f64 = 0.8;

/// Disjoint patterns of a board whose blank belongs at a cell, and how their tables are packed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Partition {
    dims: Dims,
    blank: Cell,
    patterns: Vec<Vec<u8>>,
    width: Width,
}

impl Partition {
    /// Boards of more cells have tables of two bits an entry: searches are compiled for no others.
    pub const MAX_WIDE_CELLS: usize = 16;

    /// These patterns; `None` if they are not disjoint patterns of such a board, or too many, or if
    /// entries are wider than boards of this size have them.
    pub fn new(dims: Dims, blank: Cell, patterns: &[&[u8]], width: Width) -> Option<Partition> {
        let all: Vec<u8> = patterns.concat();
        if dims.cells() > Pattern::MAX_CELLS || blank.index() >= dims.cells() {
            return None;
        }
        if width == Width::Four && dims.cells() > Partition::MAX_WIDE_CELLS {
            return None;
        }
        let is_disjoint = (0..all.len()).all(|at| !all[..at].contains(&all[at]));
        let home = blank.index() as u8;
        if !is_disjoint || all.contains(&home) || patterns.len() > PdbSet::MAX_PATTERNS {
            return None;
        }
        patterns.iter().try_for_each(|tiles| Pattern::new(dims.cells(), tiles).map(drop))?;
        let patterns = patterns.iter().map(|tiles| tiles.to_vec()).collect();
        Some(Partition { dims, blank, patterns, width })
    }

    /// The partition of the embedded set.
    ///
    /// ```text
    ///     .  a  a  b
    ///     a  a  b  b
    ///     a  a  b  b
    ///     c  c  c  b
    /// ```
    pub fn embedded() -> Option<Partition> {
        let patterns: [&[u8]; 3] = [&[1, 2, 4, 5, 8, 9], &[3, 6, 7, 10, 11, 15], &[12, 13, 14]];
        Partition::new(Dims::new(4, 4).ok()?, Cell::new(0), &patterns, Width::Two)
    }

    /// A partition whose tables are built within a fraction of a second; `None` for boards of more
    /// than 25 cells. On boards of more than 16 cells some tiles are left out.
    pub fn quick(dims: Dims, blank: Cell) -> Option<Partition> {
        let max_ranks = match dims.cells() {
            0..=12 => 200_000,    // five tiles of 12
            13..=16 => 6_000_000, // six of 16
            _ => 400_000,         // four of 25
        };
        let most = most_tiles(dims.cells(), max_ranks)?;
        Partition::by_columns(dims, blank, most, Width::Two)
    }

    /// A partition whose tables are built within a minute and kept on disk, for boards of 13 to 25
    /// cells.
    pub fn large(dims: Dims, blank: Cell) -> Option<Partition> {
        match dims.cells() {
            13..=16 if (dims.rows(), dims.cols(), blank.index()) == (4, 4, 0) => {
                let rows: [&[u8]; 2] = [&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
                Partition::new(dims, blank, &rows, Width::Four)
            }
            13..=16 => {
                // Two halves, of eight tiles at most.
                let half = (dims.cells() - 1).div_ceil(2);
                Partition::by_columns(dims, blank, half, Width::Four)
            }
            25 if dims.is_square() && blank.index() == 0 => {
                Partition::new(dims, blank, &CORNER_24, Width::Two)
            }
            // Six tiles of 25, seven of 18.
            17..=25 => {
                let most = most_tiles(dims.cells(), 170_000_000)?;
                Partition::by_columns(dims, blank, most, Width::Two)
            }
            _ => None,
        }
    }

    /// Groups of so many tiles, as many as a set may have. Tiles are taken column by column, since a
    /// group of tiles that belong side by side knows most about their conflicts.
    fn by_columns(dims: Dims, blank: Cell, n_tiles: usize, width: Width) -> Option<Partition> {
        let columns = (0..dims.cols()).flat_map(|col| (0..dims.rows()).map(move |row| (row, col)));
        let cells = columns.map(|(row, col)| dims.cell(row, col)).filter(|&cell| cell != blank);
        let labels: Vec<u8> = cells.map(|cell| cell.index() as u8).collect();
        let patterns: Vec<&[u8]> = labels.chunks(n_tiles).take(PdbSet::MAX_PATTERNS).collect();
        Partition::new(dims, blank, &patterns, width)
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Where the blank belongs.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// How the tables are packed.
    pub fn width(&self) -> Width {
        self.width
    }

    fn patterns(&self) -> impl Iterator<Item = Pattern> {
        // They have been made once before.
        self.patterns.iter().filter_map(|tiles| Pattern::new(self.dims.cells(), tiles))
    }

    /// Each pattern by itself; their tables, one after the other, are those of all.
    pub fn parts(&self) -> Vec<Partition> {
        let part = |tiles: &Vec<u8>| Partition { patterns: vec![tiles.clone()], ..self.clone() };
        self.patterns.iter().map(part).collect()
    }

    /// Number of placements of all patterns.
    pub fn n_ranks(&self) -> usize {
        self.patterns().map(|pattern| pattern.n_ranks()).sum()
    }

    /// Bytes that the tables take.
    pub fn n_bytes(&self) -> usize {
        self.patterns().map(|pattern| self.width.n_bytes(pattern.n_ranks())).sum()
    }

    /// Bytes that are needed to build them, at most.
    pub fn n_bytes_to_build(&self) -> usize {
        // A byte for each placement of the largest pattern, three bits for each with each of its
        // regions, of which there are 2.7 on average for eight tiles on 4x4 and 3.1 on 8x2.
        let largest = self.patterns().map(|pattern| pattern.n_ranks()).max().unwrap_or(0);
        self.n_bytes() + largest + 3 * (7 * largest / 2).div_ceil(8)
    }

    /// Builds the tables, one after the other, each on so many threads.
    pub fn build(&self, threads: usize, watch: &mut dyn Watch) -> Result<PdbSet, Limit> {
        let work = &mut Work { threads: threads.max(1), watch, draft: Checkpoint::none() };
        let bytes = TableBytes::from(self.build_bytes(work)?);
        Ok(PdbSet::new_unchecked(self.clone(), self.split(&bytes)))
    }

    /// The bytes of all tables, one after the other. Goes on from where the draft ends: that has the
    /// number of tables that are done (`u64`), their bytes, and how far the next one is, if it is
    /// under way.
    fn build_bytes(&self, work: &mut Work<'_>) -> Result<Vec<u8>, Limit> {
        let mut bytes = vec![0; self.n_bytes()];
        let (n_done, mut under_way) = self.read_draft(work, &mut bytes)?;
        let (mut at, mut n_built) = (0, 0);
        for (index, pattern) in self.patterns().enumerate() {
            let end = at + self.width.n_bytes(pattern.n_ranks());
            if index >= n_done {
                let (done, here) = bytes[..end].split_at_mut(at);
                let site = Site { partition: self, pattern: &pattern, index, n_built, done };
                site.build(work, under_way.take(), here)?;
                if index + 1 < self.patterns.len() && work.draft.is_due() {
                    let Work { watch, draft, .. } = work;
                    draft.write(*watch, |out| {
                        out.write_all(&(index as u64 + 1).to_le_bytes())?;
                        out.write_all(&bytes[..end])
                    })?;
                }
            }
            (at, n_built) = (end, n_built + pattern.n_ranks());
        }
        Ok(bytes)
    }

    /// How many tables an earlier build has done, which are put where they belong, and how far it
    /// was with the next.
    fn read_draft(
        &self,
        work: &mut Work<'_>,
        bytes: &mut [u8],
    ) -> Result<(usize, Option<TableBytes>), Limit> {
        let Some(draft) = work.draft.read(work.watch)? else { return Ok((0, None)) };
        let Some(n_done) = draft.first_chunk().map(|n| u64::from_le_bytes(*n) as usize) else {
            return Ok((0, None));
        };
        let done = self.patterns().take(n_done);
        let end = done.map(|pattern| self.width.n_bytes(pattern.n_ranks())).sum::<usize>();
        let parts = draft.slice(8..8 + end).zip(draft.slice(8 + end..draft.len()));
        let Some((done, under_way)) = parts.filter(|_| n_done <= self.patterns.len()) else {
            return Ok((0, None));
        };
        for (bytes, done) in bytes[..end].chunks_mut(AT_ONCE).zip(done.chunks(AT_ONCE)) {
            go_on(work.watch.building(0.0))?;
            bytes.copy_from_slice(done);
        }
        Ok((n_done, (!under_way.is_empty()).then_some(under_way)))
    }

    /// Proves costs for all tables anew by the rules they obey, and compares the bytes with what they
    /// come to. What is wrong, if anything is.
    pub fn verify(
        &self,
        bytes: &[u8],
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Flaw>, Limit> {
        let (mut at, mut n_done) = (0, 0);
        let n_all = self.n_ranks() as f64;
        for pattern in self.patterns() {
            let n_here = pattern.n_ranks();
            let end = at + self.width.n_bytes(n_here);
            let mut tell =
                |done: f64| watch.building((n_done as f64 + done * n_here as f64) / n_all);
            let proving = &mut |done| tell(done * LEVELS_SHARE);
            let proven =
                PatternDatabase::proven(self.dims, self.blank, &pattern, threads, proving)?;
            let table = match proven {
                Ok(table) => table,
                Err(flaw) => return Ok(Some(flaw)),
            };
            let mut right = vec![0; end - at];
            let packing = &mut |done| tell(LEVELS_SHARE + done * (1.0 - LEVELS_SHARE));
            let packed = table.pack(self.width, &mut right, threads, packing);
            table.give_back();
            packed?;
            let found = bytes.get(at..end).unwrap_or_default();
            if let Some(byte) = first_difference(found, &right, watch)? {
                let rank = byte * 8 / self.width.bits() as usize;
                let rule = "the entry here, or beside it, is not what the costs come to";
                return Ok(Some(Flaw { cells: pattern.cells(rank as u32), rule }));
            }
            (at, n_done) = (end, n_done + n_here);
        }
        Ok(None)
    }

    /// The tables from their bytes, one after the other; `None` if they are too few.
    pub fn set(&self, bytes: &TableBytes) -> Option<PdbSet> {
        (bytes.len() >= self.n_bytes())
            .then(|| PdbSet::new_unchecked(self.clone(), self.split(bytes)))
    }

    fn split(&self, bytes: &TableBytes) -> Vec<(Pattern, PackedPdb)> {
        let mut at = 0;
        let table = |pattern: Pattern| {
            let range = at..at + self.width.n_bytes(pattern.n_ranks());
            at = range.end;
            Some((pattern, PackedPdb::from_bytes(self.width, bytes.slice(range)?)))
        };
        self.patterns().filter_map(table).collect()
    }

    /// A name that tells it from all others.
    pub fn name(&self) -> String {
        let Partition { dims, blank, patterns, width } = self;
        let (rows, cols, bits) = (dims.rows(), dims.cols(), width.bits());
        let mut name = format!("patterns-{rows}x{cols}-stm-{}-{bits}bit", blank.index());
        for tiles in patterns {
            let tiles: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            name += &format!("-{}", tiles.join("."));
        }
        name
    }

    /// How the tables are kept in a store, with what they are for in a line.
    pub fn recipe(&self, purpose: &str) -> Option<TableSpec> {
        let partition = self.clone();
        let recipe =
            TableSpec::new(self.name().parse().ok()?, purpose, self.n_bytes(), move |work| {
                partition.build_bytes(work)
            });
        let partition = self.clone();
        Some(recipe.proved_by(move |bytes, threads, watch| {
            Ok(partition.verify(bytes, threads, watch)?.map(|flaw| flaw.to_string()))
        }))
    }
}

/// One table of a partition while it is built.
struct Site<'a> {
    partition: &'a Partition,
    pattern: &'a Pattern,
    index: usize,
    /// Placements of the tables before it.
    n_built: usize,
    /// The bytes of these tables.
    done: &'a [u8],
}

impl Site<'_> {
    /// Builds the table, or goes on with it, and packs it.
    fn build(
        &self,
        work: &mut Work<'_>,
        under_way: Option<TableBytes>,
        packed: &mut [u8],
    ) -> Result<(), Limit> {
        let Partition { dims, blank, width, .. } = *self.partition;
        let (n_here, n_all) = (self.pattern.n_ranks(), self.partition.n_ranks());
        let share = |done: f64| (self.n_built as f64 + done * n_here as f64) / n_all as f64;
        let Work { threads, watch, draft } = work;
        let searching = |done: f64| share(done * LEVELS_SHARE);
        let placements = CellSets::new(dims.cells(), self.pattern.tiles().len());
        let tell = &mut |done| watch.building(searching(done));
        let slots = Slots::new(dims, &placements, tell)?;
        let restored = under_way.map(|saved| Levels::restored(&slots, Keep::Least, &saved, tell));
        let mut levels = match restored.transpose()?.flatten() {
            Some(levels) => levels,
            None => Levels::new(&slots, blank, self.pattern, Keep::Least, tell)?,
        };
        while !levels.is_done() {
            levels.advance(*threads, &mut |done| watch.building(searching(done)))?;
            if draft.is_due() {
                draft.write(*watch, |out| {
                    out.write_all(&(self.index as u64).to_le_bytes())?;
                    out.write_all(self.done)?;
                    levels.save(out)
                })?;
            }
        }
        let (pattern, costs) = (self.pattern.clone(), levels.into_costs());
        drop(slots);
        let table = PatternDatabase { pattern, dims, placements, costs };
        let packing = |done: f64| share(LEVELS_SHARE + done * (1.0 - LEVELS_SHARE));
        let tell = &mut |done| watch.building(packing(done));
        let done = table.pack(width, packed, *threads, tell);
        table.give_back();
        done
    }
}

/// The partition of Korf and Felner for the 24-puzzle, blank in a corner.
///
/// ```text
///     .  a  a  b  b
///     a  a  a  b  b
///     c  c  a  b  b
///     c  c  d  d  d
///     c  c  d  d  d
/// ```
const CORNER_24: [&[u8]; 4] = [
    &[1, 2, 5, 6, 7, 12],
    &[3, 4, 8, 9, 13, 14],
    &[10, 11, 15, 16, 20, 21],
    &[17, 18, 19, 22, 23, 24],
];

/// The most tiles whose placements are not more than so many.
fn most_tiles(n_cells: usize, max_ranks: usize) -> Option<usize> {
    let n_ranks = |n_tiles: usize| (n_cells - n_tiles + 1..=n_cells).product::<usize>();
    (1..n_cells.min(Pattern::MAX_TILES + 1)).rev().find(|&n| n_ranks(n) <= max_ranks)
}
