//! `cargo xtask bench`: the figures that the README claims, with optimisation.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::component;
use crate::fuzz;

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

/// `cargo xtask soak`: the server under all kinds of clients for an hour, or as long as is said.
pub(crate) fn soak(root: &Path, args: &[&str]) -> ExitCode {
    const SOAK: &[&str] = &["bench", "--package", "npuzzle-web", "--bench", "load", "--", "--soak"];
    let seconds = match args {
        [] => None,
        ["--time", text] => match fuzz::time(text) {
            Some(time) => Some(time.as_secs().to_string()),
            None => return bad_usage(&format!("{text:?} is no time such as 90s or 1h")),
        },
        _ => return bad_usage("soak takes --time and nothing else"),
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
    Ok(component::cargo().current_dir(root).args(args).status()?.success())
}
