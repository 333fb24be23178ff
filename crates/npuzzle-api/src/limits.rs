//! The limits of requests.

use std::time::Duration;

/// The limits of requests.
#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// The maximum number of cells of a board.
    pub max_cells: usize,
    /// The maximum running time of an operation.
    pub max_time: Duration,
    /// The maximum memory for the search states of an operation, in bytes.
    pub max_memory: u64,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits {
            max_cells: 127 * 127,
            max_time: Duration::from_secs(60),
            max_memory: 512 << 20,
        }
    }
}
