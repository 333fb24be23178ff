//! Memory budgets for data that clients make the server hold: request bodies, and responses that
//! have not been read yet.
//!
//! All buffers of a budget share a fixed number of bytes; a request that needs more is told to try
//! again later. The first bytes of each buffer are free, so small requests succeed whatever the
//! large ones hold. The number of connections bounds the total of the free bytes.

use std::io::{self, Write};
use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The bytes of each buffer that are not counted.
const FREE: usize = 16 << 10;
/// Responses are written a few bytes at a time, so a buffer reserves at least this many bytes at
/// once, and at least this share of its size: growing may copy the buffer.
const MIN_STEP: usize = 64 << 10;
const STEP_SHARE: usize = 8;

/// A number of bytes that buffers share.
#[derive(Clone, Debug)]
pub(crate) struct ByteBudget {
    /// One permit for each free byte.
    left: Arc<Semaphore>,
    total: usize,
}

/// A byte buffer within a budget. Dropping it returns its bytes to the budget.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    budget: ByteBudget,
    n_granted: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl ByteBudget {
    pub(crate) fn new(n_bytes: usize) -> ByteBudget {
        let total = n_bytes.min(Semaphore::MAX_PERMITS);
        ByteBudget { left: Arc::new(Semaphore::new(total)), total }
    }

    /// Returns an empty buffer.
    pub(crate) fn buffer(&self) -> Buffer {
        Buffer { bytes: Vec::new(), budget: self.clone(), n_granted: FREE, permit: None }
    }

    fn take(&self, n_bytes: usize) -> io::Result<OwnedSemaphorePermit> {
        let permits = u32::try_from(n_bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let taken = Arc::clone(&self.left).try_acquire_many_owned(permits);
        taken.map_err(|_| io::ErrorKind::QuotaExceeded.into())
    }
}

impl Buffer {
    /// Converts the buffer to `Bytes`. The bytes count until their last clone is dropped.
    pub(crate) fn into_bytes(mut self) -> Bytes {
        self.bytes.shrink_to_fit();
        let unused = self.n_granted - self.bytes.len().max(FREE);
        drop(self.permit.as_mut().and_then(|permit| permit.split(unused)));
        self.n_granted -= unused;
        Bytes::from_owner(self)
    }

    fn make_room(&mut self, n_bytes: usize) -> io::Result<()> {
        let needed = self.bytes.len().saturating_add(n_bytes);
        if needed <= self.n_granted {
            return Ok(());
        }
        // Trying again cannot help if the whole budget is too small.
        if needed - FREE > self.budget.total {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let missing = needed - self.n_granted;
        let step = missing.max(MIN_STEP).max(self.n_granted / STEP_SHARE);
        let taken = self.budget.take(step).or_else(|_| self.budget.take(missing))?;
        self.n_granted += taken.num_permits();
        // `reserve` could allocate more than was granted.
        self.bytes.reserve_exact(self.n_granted - self.bytes.len());
        match &mut self.permit {
            Some(permit) => permit.merge(taken),
            permit => *permit = Some(taken),
        }
        Ok(())
    }
}

/// Writing fails with [`io::ErrorKind::QuotaExceeded`] if other buffers hold too much of the budget,
/// and with [`io::ErrorKind::FileTooLarge`] if the data exceeds the whole budget.
impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.make_room(bytes.len())?;
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled_buffer(budget: &ByteBudget, n_bytes: usize) -> Result<Buffer, io::ErrorKind> {
        let mut buffer = budget.buffer();
        // The size of a piece divides no step.
        for piece in vec![7; n_bytes].chunks(999) {
            buffer.write_all(piece).map_err(|error| error.kind())?;
        }
        assert_eq!(buffer.as_ref().len(), n_bytes);
        assert!(n_bytes <= FREE || buffer.bytes.capacity() <= buffer.n_granted);
        Ok(buffer)
    }

    #[test]
    fn buffers_share_the_budget_beyond_their_free_bytes() {
        let budget = ByteBudget::new(1_000_000);
        let first = filled_buffer(&budget, 600_000).unwrap().into_bytes();
        assert_eq!(filled_buffer(&budget, 600_000).unwrap_err(), io::ErrorKind::QuotaExceeded);
        let second = filled_buffer(&budget, 400_000).unwrap().into_bytes();
        assert_eq!(budget.left.available_permits(), 2 * FREE);
        // Small buffers always succeed, and dropped bytes are available again.
        assert_eq!(filled_buffer(&budget, FREE).unwrap().into_bytes().len(), FREE);
        let part = first.slice(..1);
        drop(first);
        assert!(filled_buffer(&budget, 600_000).is_err());
        drop(part);
        assert!(filled_buffer(&budget, 600_000).is_ok());
        drop(second);
        assert_eq!(budget.left.available_permits(), 1_000_000);
    }

    #[test]
    fn one_buffer_may_use_the_whole_budget_but_no_more() {
        let budget = ByteBudget::new(1_000_000);
        assert!(filled_buffer(&budget, 1_000_000 + FREE).is_ok());
        let more = filled_buffer(&budget, 1_000_001 + FREE).unwrap_err();
        assert_eq!(more, io::ErrorKind::FileTooLarge);
        assert_eq!(budget.left.available_permits(), 1_000_000);
    }
}
