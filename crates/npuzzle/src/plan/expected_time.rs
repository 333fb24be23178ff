//! How long a planned search usually takes.

use npuzzle_core::Instance;
use npuzzle_core::search::Cost;

use super::{MAX_PROVED_CELLS, MAX_QUICK_TABLE_CELLS, Plan};
use crate::engine::lower_bound::lower_bound;
use crate::plan::Engine;

/// The textbook searches of boards of up to this size visit a few hundred thousand states.
const MAX_SHORT_CELLS: usize = 9;

/// 15-puzzles with a lower bound of at most this many slides, as almost all random ones, are usually proved within 0.1 s with
/// embedded tables: Korf's hundred boards take half a second together.
const MAX_SHORT_BOUND: Cost = 50;

impl Plan {
    /// Whether the search usually ends within a tenth of a second on one thread. A front end with many searches can
    /// let such a search pass longer ones. This is an estimate: a search may take longer.
    ///
    /// ```
    /// use npuzzle::search::plan;
    /// use npuzzle::{Instance, Options};
    /// let is_short = |text: &str, options| {
    ///     let instance: Instance = text.parse()?;
    ///     Ok::<_, Box<dyn std::error::Error>>(plan(&instance, options)?.is_usually_short(&instance))
    /// };
    /// let default = Options::default();
    /// assert!(is_short("8 1 3/4 0 2/7 6 5", &default)?);
    /// assert!(is_short("7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4", &default)?);
    /// // A board of 80 moves.
    /// assert!(!is_short("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", &default)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_usually_short(&self, instance: &Instance) -> bool {
        let cells = instance.dims().cells();
        match self.engine {
            Engine::Table => cells <= MAX_QUICK_TABLE_CELLS,
            Engine::PdbIda => {
                cells <= MAX_PROVED_CELLS && lower_bound(instance, self.metric) <= MAX_SHORT_BOUND
            }
            Engine::MtmIda { .. }
            | Engine::Ida(_)
            | Engine::BestFirst(..)
            | Engine::HashDistributedAstar { .. }
            | Engine::BreadthFirst
            | Engine::Bidirectional(_) => cells <= MAX_SHORT_CELLS,
            // These use all of their time.
            Engine::Construct | Engine::Beam { .. } => false,
        }
    }
}
