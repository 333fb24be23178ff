//! Durable files: a program may be killed, and a disk may be full, at any moment.
//!
//! - [`AtomicFile`]: a file that is complete or does not exist. It is written under another name, and
//!   renamed when it is complete.
//! - [`AppendLog`]: a text file that only grows, one line at a time. Each line has a checksum. A last
//!   line that was written in part is ignored.
//! - [`LockFile`]: one process at a time. The system releases the lock when the process ends, however
//!   that happens.
//! - [`checksum`]: XXH3, which shows whether bytes have changed since they were written.

mod append_log;
mod atomic;
mod checksum;
mod lock;

pub use append_log::{AppendLog, LogContent, LogEnd};
pub use atomic::{AtomicFile, sync_folder};
pub use checksum::checksum;
pub(crate) use checksum::{BLOCK, BlockChecksum, block_checksum};
pub use lock::LockFile;
