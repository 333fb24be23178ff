//! Tables of the multi-tile metric.

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::parallel::n_cores;
use npuzzle_tables::{Abstraction, MtmTable};

use super::{LOADED_PER_SECOND, Tables, is_large, speed_up};
use crate::tables::catalogue;

/// Bytes of an MTM table that one thread builds per second.
const BUILT_PER_SECOND: f64 = 22e6;

impl Tables {
    /// The MTM tables of some abstractions, built if necessary. `None` if a stored file cannot be used: the
    /// tables must then be built, and the cost changes, so the caller decides again.
    pub(crate) fn mtm_tables(
        &mut self,
        abstractions: &[Abstraction],
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Vec<Arc<MtmTable>>>, Limit> {
        // They are large, so only those of one goal are kept.
        self.mtm.retain(|table| abstractions.contains(table.abstraction()));
        for abstraction in abstractions {
            if self.has_mtm(abstraction) {
                continue;
            }
            match self.mtm_table(abstraction, n_threads, watch)? {
                Some(table) => self.mtm.push(Arc::new(table)),
                None => return Ok(None),
            }
        }
        Ok(Some(self.mtm.clone()))
    }

    fn has_mtm(&self, abstraction: &Abstraction) -> bool {
        self.mtm.iter().any(|table| table.abstraction() == abstraction)
    }

    fn mtm_table(
        &mut self,
        abstraction: &Abstraction,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<MtmTable>, Limit> {
        let spec = catalogue::mtm_table(abstraction).filter(|_| is_large(abstraction));
        let Some(spec) = spec else {
            return MtmTable::build(abstraction.clone(), n_threads, watch).map(Some);
        };
        let bytes = if self.is_stored(spec.name()) {
            match self.load(&spec, watch)? {
                Some(bytes) => bytes,
                None => return Ok(None),
            }
        } else {
            self.load_or_build(&spec, n_threads, watch)?
        };
        match MtmTable::from_bytes(abstraction.clone(), bytes.in_huge_pages()) {
            Some(table) => Ok(Some(table)),
            None => MtmTable::build(abstraction.clone(), n_threads, watch).map(Some),
        }
    }

    /// The estimated time until all of these tables are in memory.
    pub(crate) fn mtm_cost(&self, abstractions: &[Abstraction], n_threads: usize) -> Duration {
        let cost = |abstraction: &Abstraction| {
            let n_bytes = MtmTable::n_bytes(abstraction) as f64;
            let is_stored = || abstraction.name().is_some_and(|name| self.is_stored(&name));
            if self.has_mtm(abstraction) {
                0.0
            } else if is_stored() {
                n_bytes / LOADED_PER_SECOND
            } else {
                n_bytes / BUILT_PER_SECOND / speed_up(n_threads, n_cores())
            }
        };
        Duration::from_secs_f64(abstractions.iter().map(cost).sum())
    }
}
