//! What every engine works with.

use npuzzle_core::Instance;

use crate::engine::upper_bound::UpperBound;
use crate::limits::Clock;
use crate::options::Options;
use crate::tables::cache::Tables;

/// The puzzle to solve, and the options, tables and clock to solve it with.
pub(crate) struct SolveContext<'a, 'w> {
    pub(crate) instance: &'a Instance,
    pub(crate) options: &'a Options,
    pub(crate) tables: &'a mut Tables,
    pub(crate) clock: &'a mut Clock<'w>,
    /// The best known solution, for iterative deepening.
    pub(crate) upper_bound: Option<&'a mut dyn UpperBound>,
}
