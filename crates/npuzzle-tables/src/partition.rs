//! How the tiles of a board are divided into patterns, and at what price.

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Dims};

use crate::pattern::Pattern;
use crate::recipe::Recipe;
use crate::set::PatternSet;
use crate::store::TableBytes;
use crate::table::{Excess, PatternTable, Width};

/// Disjoint patterns of a board whose blank belongs at a cell, and how their tables are packed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Partition {
    dims: Dims,
    blank: Cell,
    patterns: Vec<Vec<u8>>,
    width: Width,
}

impl Partition {
    /// These patterns; `None` if they are not disjoint patterns of such a board, or too many.
    pub fn new(dims: Dims, blank: Cell, patterns: &[&[u8]], width: Width) -> Option<Partition> {
        let all: Vec<u8> = patterns.concat();
        let is_disjoint = (0..all.len()).all(|at| !all[..at].contains(&all[at]));
        let home = blank.index() as u8;
        if !is_disjoint || all.contains(&home) || patterns.len() > PatternSet::MAX_PATTERNS {
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
    /// than 16 cells.
    pub fn quick(dims: Dims, blank: Cell) -> Option<Partition> {
        // Six tiles of 16 and five of 12.
        let most = if dims.cells() > 12 { 6_000_000 } else { 200_000 };
        Partition::by_columns(dims, blank, most, Width::Two)
    }

    /// A partition whose tables are built within a minute and kept on disk, for boards of 13 to 16
    /// cells. Two patterns, of which the larger has 8 tiles at most.
    pub fn large(dims: Dims, blank: Cell) -> Option<Partition> {
        if dims.cells() < 13 {
            return None;
        }
        Partition::by_columns(dims, blank, 520_000_000, Width::Four)
    }

    /// Groups as large as the number of their placements permits, and about equal. Tiles are taken
    /// column by column, since a group of tiles that belong side by side knows most about their
    /// conflicts.
    fn by_columns(dims: Dims, blank: Cell, max_ranks: usize, width: Width) -> Option<Partition> {
        let n_cells = dims.cells();
        if n_cells > 16 || blank.index() >= n_cells {
            return None;
        }
        let n_ranks = |n_tiles: usize| (n_cells - n_tiles + 1..=n_cells).product::<usize>();
        let fits = |&n: &usize| n_ranks(n) <= max_ranks;
        let most = (1..n_cells.min(Pattern::MAX_TILES + 1)).rev().find(fits)?;
        let columns = (0..dims.cols()).flat_map(|col| (0..dims.rows()).map(move |row| (row, col)));
        let cells = columns.map(|(row, col)| dims.cell(row, col)).filter(|&cell| cell != blank);
        let labels: Vec<u8> = cells.map(|cell| cell.index() as u8).collect();
        let patterns: Vec<&[u8]> = labels.chunks(most).collect();
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

    /// Bytes that the tables take.
    pub fn n_bytes(&self) -> usize {
        self.patterns().map(|pattern| self.width.n_bytes(pattern.n_ranks())).sum()
    }

    /// Bytes that are needed to build them, at most.
    pub fn n_bytes_to_build(&self) -> usize {
        // A byte for each placement of the largest pattern, three bits for each of its regions, of
        // which there are three on average at most.
        let largest = self.patterns().map(|pattern| pattern.n_ranks()).max().unwrap_or(0);
        self.n_bytes() + largest + 3 * (3 * largest).div_ceil(8)
    }

    /// Builds the tables, one after the other, each on so many threads.
    pub fn build(&self, threads: usize, watch: &mut dyn Watch) -> Result<PatternSet, Limit> {
        let n_all: usize = self.patterns().map(|pattern| pattern.n_ranks()).sum();
        let mut n_done = 0;
        let mut tables = Vec::new();
        for pattern in self.patterns() {
            let n_here = pattern.n_ranks();
            let share = |done: f64| (n_done as f64 + done * n_here as f64) / n_all as f64;
            let progress = &mut |done| watch.building(share(done));
            let table = PatternTable::build_on(threads, self.dims, self.blank, &pattern, progress);
            if let Some(table) = table.transpose()? {
                tables.push((pattern, table.excess(self.width, threads)));
            }
            n_done += n_here;
        }
        Ok(PatternSet::new_unchecked(self.clone(), tables))
    }

    /// The tables from their bytes, one after the other; `None` if they are too few.
    pub fn set(&self, bytes: &TableBytes) -> Option<PatternSet> {
        let mut at = 0;
        let mut tables = Vec::new();
        for pattern in self.patterns() {
            let end = at + self.width.n_bytes(pattern.n_ranks());
            tables.push((pattern, Excess::from_bytes(self.width, bytes.slice(at..end)?)));
            at = end;
        }
        Some(PatternSet::new_unchecked(self.clone(), tables))
    }

    /// How the tables are kept in a store, with what they are for in a line; `None` if the name
    /// would be none.
    pub fn recipe(&self, purpose: &str) -> Option<Recipe> {
        let Partition { dims, blank, patterns, width } = self;
        let mut name = format!(
            "patterns-{}x{}-stm-{}-{}bit",
            dims.rows(),
            dims.cols(),
            blank.index(),
            width.bits()
        );
        for tiles in patterns {
            let tiles: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            name += &format!("-{}", tiles.join("."));
        }
        let partition = self.clone();
        Some(Recipe::new(name.parse().ok()?, purpose, self.n_bytes(), move |watch| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            Ok(partition.build(threads, watch)?.bytes())
        }))
    }
}
