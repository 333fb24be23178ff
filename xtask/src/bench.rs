//! `cargo xtask bench`: the figures that the README claims, with optimisation.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::component;

/// The program itself, whose start is measured too, and then the bench with these arguments.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    const BUILD: &[&str] = &["build", "--quiet", "--release", "--package", "npuzzle-cli"];
    const BENCH: &[&str] = &["bench", "--package", "npuzzle", "--bench", "targets", "--"];
    exit(
        cargo(root, BUILD)
            .and_then(|is_built| Ok(is_built && cargo(root, &[BENCH, args].concat())?)),
    )
}

/// `cargo xtask load`: the server under many clients.
pub(crate) fn load(root: &Path, args: &[&str]) -> ExitCode {
    const LOAD: &[&str] = &["bench", "--package", "npuzzle-web", "--bench", "load", "--"];
    exit(cargo(root, &[LOAD, args].concat()))
}

fn exit(outcome: io::Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn cargo(root: &Path, args: &[&str]) -> io::Result<bool> {
    Ok(component::cargo().current_dir(root).args(args).status()?.success())
}
