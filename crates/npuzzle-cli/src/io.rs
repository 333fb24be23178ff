//! Input, output, temporary files, units and signals.

pub(crate) mod input;
mod moves_input;
pub(crate) mod output;
pub(crate) mod signals;
pub(crate) mod temp_dir;
pub(crate) mod units;
