//! `cargo xtask learn`: learns the weights of the beam search, which takes several hours; `cargo xtask learn tuples`: learns
//! its n-tuple network.

use std::io;
use std::path::Path;

use crate::toolchain;

/// Writes new weights to the file given by `args`. The embedded weights stay as they are.
pub(crate) fn run(root: &Path, args: &[&str]) -> io::Result<bool> {
    const LEARN: &[&str] = &[
        "run",
        "--release",
        "--package",
        "npuzzle",
        "--features",
        "learn",
        "--example",
        "learn",
        "--",
    ];
    let status = toolchain::cargo().current_dir(root).args(LEARN).args(args).status()?;
    Ok(status.success())
}
