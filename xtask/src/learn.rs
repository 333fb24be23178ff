//! `cargo xtask learn`: the weights of beams made anew, in some hours.

use std::path::Path;
use std::process::ExitCode;

use crate::component;

/// Writes the weights to a file, not over those that are part of the program.
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
    match component::cargo().current_dir(root).args(LEARN).args(args).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
