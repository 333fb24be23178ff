//! Where a trace goes, step by step: it may be far longer than memory or patience.

use npuzzle::Cancel;

use crate::exit::{Exit, Failure};
use crate::io::output::Output;

/// What is gathered before it is written.
const CHUNK: usize = 1 << 16;

pub(super) struct Sink {
    output: Output,
    cancel: Cancel,
    text: String,
}

impl Sink {
    /// Writes until it is cancelled.
    pub(super) fn new(output: Output, cancel: Cancel) -> Sink {
        Sink { output, cancel, text: String::new() }
    }

    /// Takes a part, such as a step.
    pub(super) fn put(&mut self, part: &str) -> Result<(), Failure> {
        if self.cancel.is_cancelled() {
            return Err(Failure::usage("interrupted").with_exit(Exit::Interrupted));
        }
        self.text += part;
        if self.text.len() >= CHUNK {
            self.output.write(self.text.as_bytes())?;
            self.text.clear();
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.output.write_all(self.text.as_bytes())
    }
}
