//! The output of a trace, step by step: it may be longer than memory, and writing it may be interrupted.

use npuzzle::Cancel;

use crate::exit::{Exit, Failure};
use crate::io::output::Output;

/// The size of the buffer in bytes.
const CHUNK: usize = 1 << 16;

pub(super) struct Sink {
    output: Output,
    cancel: Cancel,
    buffer: String,
}

impl Sink {
    pub(super) fn new(output: Output, cancel: Cancel) -> Sink {
        Sink { output, cancel, buffer: String::new() }
    }

    /// Writes a part, such as a step; fails if cancelled.
    pub(super) fn put(&mut self, part: &str) -> Result<(), Failure> {
        if self.cancel.is_cancelled() {
            return Err(Failure::usage("interrupted").with_exit(Exit::Interrupted));
        }
        self.buffer += part;
        if self.buffer.len() >= CHUNK {
            self.output.write(self.buffer.as_bytes())?;
            self.buffer.clear();
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.output.write_all(self.buffer.as_bytes())
    }
}
