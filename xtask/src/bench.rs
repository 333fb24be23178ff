//! `cargo xtask bench`, `load` and `soak`: measurements, with optimization.

use std::io;
use std::path::Path;

use crate::{fuzz, toolchain, usage};

/// Builds the program, whose start-up time is measured, too, and runs the bench with these
/// arguments.
pub(crate) fn run(root: &Path, args: &[&str]) -> io::Result<bool> {
    const BUILD: &[&str] = &["build", "--quiet", "--release", "--package", "npuzzle-cli"];
    const BENCH: &[&str] = &["bench", "--package", "npuzzle", "--bench", "targets", "--"];
    Ok(cargo(root, BUILD)? && cargo(root, &[BENCH, args].concat())?)
}

/// `cargo xtask load`: the server with many clients.
pub(crate) fn load(root: &Path, args: &[&str]) -> io::Result<bool> {
    const LOAD: &[&str] = &["bench", "--package", "npuzzle-web", "--bench", "load", "--"];
    cargo(root, &[LOAD, args].concat())
}

/// `cargo xtask soak`: the server with well-behaved and misbehaving clients.
pub(crate) fn soak(root: &Path, args: &[&str]) -> io::Result<bool> {
    const SOAK: &[&str] = &["bench", "--package", "npuzzle-web", "--bench", "load", "--", "--soak"];
    let seconds = match args {
        [] => None,
        ["--time", text] => Some(fuzz::duration(text)?.as_secs().to_string()),
        _ => return Err(usage("soak takes only --time")),
    };
    let flags: Vec<&str> = seconds.iter().flat_map(|n| ["--seconds", n.as_str()]).collect();
    cargo(root, &[SOAK, &flags].concat())
}

fn cargo(root: &Path, args: &[&str]) -> io::Result<bool> {
    Ok(toolchain::cargo().current_dir(root).args(args).status()?.success())
}
