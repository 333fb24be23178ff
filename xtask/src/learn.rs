//! `cargo xtask learn`: learns the weights of the beam search, which takes several hours; `cargo xtask learn tuples`: learns
//! its n-tuple network; `cargo xtask bench ablation`: what the parts of the evaluation gain.

use std::io;
use std::path::Path;

use crate::toolchain;

/// Writes new weights to the file given by `args`. The embedded weights stay as they are.
pub(crate) fn run(root: &Path, args: &[&str]) -> io::Result<bool> {
    run_example(root, "learn", args)
}

/// `cargo xtask bench ablation`: the solutions of single beams with parts of the evaluation.
pub(crate) fn ablation(root: &Path, args: &[&str]) -> io::Result<bool> {
    run_example(root, "ablation", args)
}

fn run_example(root: &Path, name: &str, args: &[&str]) -> io::Result<bool> {
    const RUN: &[&str] =
        &["run", "--release", "--package", "npuzzle", "--features", "learn", "--example"];
    let status =
        toolchain::cargo().current_dir(root).args(RUN).args([name, "--"]).args(args).status()?;
    Ok(status.success())
}
