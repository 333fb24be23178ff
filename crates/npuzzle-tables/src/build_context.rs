//! The resources of a table build: threads, a watch and a checkpoint; and how a build polls its watch.

use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Watch};

use crate::store::Checkpoint;

/// The resources of a table build.
pub struct BuildContext<'a> {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// Receives the progress of the build, and may stop it.
    pub watch: &'a mut dyn Watch,
    /// Saves partial results, and returns those of an earlier build that was interrupted.
    pub checkpoint: Checkpoint,
}

/// A callback that receives the completed share of a build, from 0 to 1, every few milliseconds, and
/// may stop the build.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<Limit>;

/// The number of bytes that are filled, copied or compared between two polls: about a millisecond.
pub(crate) const BYTES_PER_POLL: usize = 1 << 22;

/// Turns the answer of a poll into a `Result`, for use with `?`.
pub(crate) fn proceed(poll: ControlFlow<Limit>) -> Result<(), Limit> {
    poll.break_value().map_or(Ok(()), Err)
}

/// Returns the index of the first byte in which two tables differ. If one of them is a prefix of the
/// other, that is the length of the shorter one.
pub(crate) fn first_difference(
    found: &[u8],
    expected: &[u8],
    progress: Progress<'_>,
) -> Result<Option<usize>, Limit> {
    let chunks = found.chunks(BYTES_PER_POLL).zip(expected.chunks(BYTES_PER_POLL));
    for (number, (found, expected)) in chunks.enumerate() {
        proceed(progress(1.0))?;
        if found != expected {
            let at = found.iter().zip(expected).position(|(found, expected)| found != expected);
            let at = at.unwrap_or(found.len().min(expected.len()));
            return Ok(Some(number * BYTES_PER_POLL + at));
        }
    }
    let shorter = found.len().min(expected.len());
    Ok((found.len() != expected.len()).then_some(shorter))
}
