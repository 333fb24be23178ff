//! `cargo xtask learn`: learns the weights of the beam search, which takes several hours.

use std::path::Path;
use std::process::ExitCode;

use crate::toolchain;

/// Writes new weights to the file given by `args`. The embedded weights stay as they are.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
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
    match toolchain::cargo().current_dir(root).args(LEARN).args(args).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
