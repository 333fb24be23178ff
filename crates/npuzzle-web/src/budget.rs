//! Memory that others make us hold: bodies that come in, answers that nobody has taken yet.
//!
//! There is so much for all of them together, and whoever needs more is told to come again. A little
//! is free for everybody, so that small questions are answered whatever the large ones hold; as
//! there are only so many connections, that has an end too.

use std::io::{self, Write};
use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What nobody has to ask for, of each body and of each answer.
const FREE: usize = 16 << 10;
/// Asked for at once, since answers are written a few bytes at a time: this much, and a share of what
/// there is, since whoever grows may have to move.
const STEP: usize = 64 << 10;
const SHARE: usize = 8;

/// So many bytes for all.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: Arc<Semaphore>,
    most: usize,
}

/// Bytes within a budget, which has them back when they are dropped.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    budget: Budget,
    n_granted: usize,
    granted: Option<OwnedSemaphorePermit>,
}

impl Budget {
    pub(crate) fn new(n_bytes: usize) -> Budget {
        let most = n_bytes.min(Semaphore::MAX_PERMITS);
        Budget { left: Arc::new(Semaphore::new(most)), most }
    }

    /// An empty buffer.
    pub(crate) fn buffer(&self) -> Buffer {
        Buffer { bytes: Vec::new(), budget: self.clone(), n_granted: FREE, granted: None }
    }

    fn take(&self, n_bytes: usize) -> io::Result<OwnedSemaphorePermit> {
        let permits = u32::try_from(n_bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let taken = Arc::clone(&self.left).try_acquire_many_owned(permits);
        taken.map_err(|_| io::ErrorKind::QuotaExceeded.into())
    }
}

impl Buffer {
    /// The bytes, which count until the last copy of them is dropped.
    pub(crate) fn into_bytes(mut self) -> Bytes {
        self.bytes.shrink_to_fit();
        let spare = self.n_granted - self.bytes.len().max(FREE);
        drop(self.granted.as_mut().and_then(|granted| granted.split(spare)));
        self.n_granted -= spare;
        Bytes::from_owner(self)
    }

    fn make_room(&mut self, n_bytes: usize) -> io::Result<()> {
        let needed = self.bytes.len().saturating_add(n_bytes);
        if needed <= self.n_granted {
            return Ok(());
        }
        // What never fits is not to come again.
        if needed - FREE > self.budget.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let missing = needed - self.n_granted;
        let ahead = missing.max(STEP).max(self.n_granted / SHARE);
        let granted = self.budget.take(ahead).or_else(|_| self.budget.take(missing))?;
        self.n_granted += granted.num_permits();
        // Not a byte more, as it would be if it grew by itself.
        self.bytes.reserve_exact(self.n_granted - self.bytes.len());
        match &mut self.granted {
            Some(before) => before.merge(granted),
            before => *before = Some(granted),
        }
        Ok(())
    }
}

/// Fails with [`io::ErrorKind::QuotaExceeded`] if others hold too much, and with
/// [`io::ErrorKind::FileTooLarge`] if it is too much for one.
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

    fn written(budget: &Budget, n_bytes: usize) -> Result<Buffer, io::ErrorKind> {
        let mut buffer = budget.buffer();
        // In pieces of a number that no step is a multiple of.
        for piece in vec![7; n_bytes].chunks(999) {
            buffer.write_all(piece).map_err(|error| error.kind())?;
        }
        assert_eq!(buffer.as_ref().len(), n_bytes);
        assert!(n_bytes <= FREE || buffer.bytes.capacity() <= buffer.n_granted);
        Ok(buffer)
    }

    #[test]
    fn all_buffers_together_hold_what_there_is_and_what_is_free() {
        let budget = Budget::new(1_000_000);
        let first = written(&budget, 600_000).unwrap().into_bytes();
        assert_eq!(written(&budget, 600_000).unwrap_err(), io::ErrorKind::QuotaExceeded);
        let second = written(&budget, 400_000).unwrap().into_bytes();
        assert_eq!(budget.left.available_permits(), 2 * FREE);
        // Little is always granted, and what is given back is there again.
        assert_eq!(written(&budget, FREE).unwrap().into_bytes().len(), FREE);
        let part = first.slice(..1);
        drop(first);
        assert!(written(&budget, 600_000).is_err());
        drop(part);
        assert!(written(&budget, 600_000).is_ok());
        drop(second);
        assert_eq!(budget.left.available_permits(), 1_000_000);
    }

    #[test]
    fn one_may_have_all_and_not_more() {
        let budget = Budget::new(1_000_000);
        assert!(written(&budget, 1_000_000 + FREE).is_ok());
        let more = written(&budget, 1_000_001 + FREE).unwrap_err();
        assert_eq!(more, io::ErrorKind::FileTooLarge);
        assert_eq!(budget.left.available_permits(), 1_000_000);
    }
}
