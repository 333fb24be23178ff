//! Builds and verifies the tables of a partition, one pattern after the other.
//!
//! A checkpoint consists of the number of completed tables (`u64`, little-endian), their bytes, and
//! the state of the next table's search, if that has begun (`build/checkpoint.rs`).

use npuzzle_core::search::{Limit, Watch};

use crate::bits::transpose;
use crate::build_context::{BYTES_PER_POLL, BuildContext, Progress, first_difference, proceed};
use crate::pdb::build::{Keep, PatternSearch, Slots};
use crate::pdb::pack::PackedPdb;
use crate::pdb::partition::{Partition, PdbKind};
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;
use crate::pdb::table::PatternDatabase;
use crate::pdb::verify::{Flaw, ProvenCosts};
use crate::store::TableBytes;

/// The share of the time that the breadth-first search takes; the rest is packing.
const SEARCH_SHARE: f64 = 0.8;

impl Partition {
    /// Builds the bytes of all tables, one after the other. Continues from the checkpoint, if there
    /// is one.
    pub(crate) fn build_payload(&self, context: &mut BuildContext<'_>) -> Result<Vec<u8>, Limit> {
        let mut bytes = vec![0; self.n_bytes()];
        let (n_done, mut saved_search) = self.read_checkpoint(context, &mut bytes)?;
        let n_patterns = self.patterns().len();
        let mut n_ranks_before = 0;
        for (index, (pattern, range)) in self.byte_ranges().enumerate() {
            if index >= n_done {
                let (done, packed) = bytes[..range.end].split_at_mut(range.start);
                let build = PatternBuild { partition: self, pattern, index, n_ranks_before, done };
                build.run(context, saved_search.take(), packed)?;
                if index + 1 < n_patterns && context.checkpoint.is_due() {
                    let BuildContext { watch, checkpoint, .. } = context;
                    checkpoint.write(*watch, |out| {
                        out.write_all(&(index as u64 + 1).to_le_bytes())?;
                        out.write_all(&bytes[..range.end])
                    })?;
                }
            }
            n_ranks_before += pattern.n_ranks();
        }
        Ok(bytes)
    }

    /// Reads the checkpoint: copies the completed tables to their place, and returns their number
    /// and the saved search of the next table.
    fn read_checkpoint(
        &self,
        context: &mut BuildContext<'_>,
        bytes: &mut [u8],
    ) -> Result<(usize, Option<TableBytes>), Limit> {
        let none = (0, None);
        let Some(saved) = context.checkpoint.read(context.watch)? else { return Ok(none) };
        let Some(n_done) = saved.first_chunk().map(|n| u64::from_le_bytes(*n) as usize) else {
            return Ok(none);
        };
        let last = self.byte_ranges().take(n_done).last();
        let end = last.map_or(0, |(_, range)| range.end);
        let parts = saved.slice(8..8 + end).zip(saved.slice(8 + end..saved.len()));
        let Some((done, search)) = parts.filter(|_| n_done <= self.patterns().len()) else {
            return Ok(none);
        };
        for (bytes, done) in
            bytes[..end].chunks_mut(BYTES_PER_POLL).zip(done.chunks(BYTES_PER_POLL))
        {
            proceed(context.watch.building(0.0))?;
            bytes.copy_from_slice(done);
        }
        Ok((n_done, (!search.is_empty()).then_some(search)))
    }

    /// Verifies the bytes of all tables. For each table, the costs are built again and proved by the
    /// rules of `pdb::verify`, packed, and compared with the bytes. Returns the
    /// first flaw.
    pub fn verify(
        &self,
        bytes: &[u8],
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Flaw>, Limit> {
        let mut n_done = 0;
        let n_all = self.n_ranks() as f64;
        for (pattern, range) in self.byte_ranges() {
            let n_here = pattern.n_ranks();
            let found = bytes.get(range).unwrap_or_default();
            let mut report =
                |done: f64| watch.building((n_done as f64 + done * n_here as f64) / n_all);
            if let Some(flaw) = self.verify_table(pattern, found, threads, &mut report)? {
                return Ok(Some(flaw));
            }
            n_done += n_here;
        }
        Ok(None)
    }

    fn verify_table(
        &self,
        pattern: &Pattern,
        found: &[u8],
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Option<Flaw>, Limit> {
        let rule = "this entry, or one that shares its byte, differs from the proven cost";
        let proving = &mut |done| progress(done * SEARCH_SHARE);
        let proven = ProvenCosts::build(self.dims(), self.blank(), pattern, threads, proving)?;
        let proven = match proven {
            Ok(proven) => proven,
            Err(flaw) => return Ok(Some(flaw)),
        };
        let packing = &mut |done| progress(SEARCH_SHARE + done * (1.0 - SEARCH_SHARE));
        let cells = match self.kind() {
            PdbKind::ZeroAware => first_difference(found, &proven.zero_aware(), packing)?
                .map(|byte| proven.cells_of_byte(byte)),
            PdbKind::Excess => {
                let table = proven.into_table(self.dims(), pattern);
                let mut expected = vec![0; found.len()];
                let packed = table.pack(&mut expected, threads, packing);
                table.drop_in_background();
                packed?;
                first_difference(found, &expected, packing)?
                    .map(|byte| pattern.cells(PackedPdb::first_rank(byte)))
            }
        };
        Ok(cells.map(|cells| Flaw { cells, rule }))
    }
}

/// The build of one table of a partition.
struct PatternBuild<'a> {
    partition: &'a Partition,
    pattern: &'a Pattern,
    index: usize,
    /// The number of placements in the tables before this one.
    n_ranks_before: usize,
    /// The bytes of these tables.
    done: &'a [u8],
}

impl PatternBuild<'_> {
    /// Searches the pattern's placements, from the saved search if there is one, and packs the costs
    /// into `packed`.
    fn run(
        &self,
        context: &mut BuildContext<'_>,
        saved_search: Option<TableBytes>,
        packed: &mut [u8],
    ) -> Result<(), Limit> {
        let (dims, blank) = (self.partition.dims(), self.partition.blank());
        let (n_here, n_all) = (self.pattern.n_ranks(), self.partition.n_ranks());
        let share = |done: f64| (self.n_ranks_before as f64 + done * n_here as f64) / n_all as f64;
        let BuildContext { threads, watch, checkpoint } = context;
        let searching = |done: f64| share(done * SEARCH_SHARE);
        let report = &mut |done| watch.building(searching(done));
        let keep = match self.partition.kind() {
            PdbKind::Excess => Keep::Minimum,
            PdbKind::ZeroAware => Keep::OneBit,
        };
        let index = SlotIndex::new(dims, self.pattern.tiles().len(), report)?;
        let slots = Slots::new(&index, report)?;
        let restored =
            saved_search.map(|saved| PatternSearch::restored(&slots, keep, &saved, report));
        let mut search = match restored.transpose()?.flatten() {
            Some(search) => search,
            None => PatternSearch::new(&slots, blank, self.pattern, keep, report)?,
        };
        while !search.is_done() {
            search.advance(*threads, &mut |done| watch.building(searching(done)))?;
            if checkpoint.is_due() {
                checkpoint.write(*watch, |out| {
                    out.write_all(&(self.index as u64).to_le_bytes())?;
                    out.write_all(self.done)?;
                    search.save(out)
                })?;
            }
        }
        let (pattern, costs) = (self.pattern.clone(), search.into_costs());
        if keep == Keep::OneBit {
            transpose(&costs, &index.slots_by_column(), index.n_perms(), packed);
            return Ok(());
        }
        drop(slots);
        let table = PatternDatabase { pattern, dims, cell_sets: index.cell_sets, costs };
        let packing = |done: f64| share(SEARCH_SHARE + done * (1.0 - SEARCH_SHARE));
        let report = &mut |done| watch.building(packing(done));
        let done = table.pack(packed, *threads, report);
        table.drop_in_background();
        done
    }
}
