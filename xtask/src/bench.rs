//! `cargo xtask bench`: the figures that the README claims, with optimisation.

use std::path::Path;
use std::process::{Command, ExitCode};

pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut bench = Command::new(cargo);
    bench.args(["bench", "--package", "npuzzle", "--bench", "targets", "--"]).args(args);
    match bench.current_dir(root).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo bench: {error}");
            ExitCode::FAILURE
        }
    }
}
