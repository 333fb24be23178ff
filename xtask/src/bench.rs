//! `cargo xtask bench`, `load` and `soak`: measurements, with optimisation.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::fuzz;
use crate::toolchain;

/// Builds the program, whose start-up time is measured, too, and runs the bench with these
/// arguments.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    const BUILD: &[&str] = &["build", "--quiet", "--release", "--package", "npuzzle-cli"];
    const BENCH: &[&str] = &["bench", "--package", "npuzzle", "--bench", "targets", "--"];
    exit(
        cargo(root, BUILD)
            .and_then(|is_built| Ok(is_built && cargo(root, &[BENCH, args].concat())?)),
    )
}

/// `cargo xtask load`: the server with many clients.
pub(crate) fn load(root: &Path, args: &[&str]) -> ExitCode {
    const LOAD: &[&str] = &["bench", "--package", "npuzzle-web", "--bench", "load", "--"];
    exit(cargo(root, &[LOAD, args].concat()))
}

/// `cargo xtask soak`: the server with well-behaved and misbehaving clients.
pub(crate) fn soak(root: &Path, args: &[&str]) -> ExitCode {
    const SOAK: &[&str] = &["bench", "--package", "npuzzle-web", "--bench", "load", "--", "--soak"];
    let seconds = match args {
        [] => None,
        ["--time", text] => match fuzz::duration(text) {
            Some(time) => Some(time.as_secs().to_string()),
            None => return bad_usage(&format!("{text:?} is not a time such as 90s or 1h")),
        },
        _ => return bad_usage("soak takes only --time"),
    };
    let flags: Vec<&str> = seconds.iter().flat_map(|n| ["--seconds", n.as_str()]).collect();
    exit(cargo(root, &[SOAK, &flags].concat()))
}

fn bad_usage(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
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
    Ok(toolchain::cargo().current_dir(root).args(args).status()?.success())
}
