//! Bubblewrap, which the tests of the sandbox need on Linux: found, or installed where possible.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::toolchain::{self, succeeds};

const PACKAGE: &str = "bubblewrap";

/// A missing bubblewrap, after an attempt to install it, if tests must not be skipped.
pub(crate) fn problems(_: &Path) -> io::Result<Vec<String>> {
    if !cfg!(target_os = "linux") || is_installed() {
        return Ok(Vec::new());
    }
    if toolchain::is_debian_root() {
        println!("missing: bwrap; apt-get install {PACKAGE}");
        toolchain::apt_install(&[PACKAGE]);
    }
    let is_needed = std::env::var_os("CI").is_some() && !is_installed();
    Ok(is_needed
        .then(|| format!("missing: bwrap. Install the package {PACKAGE}."))
        .into_iter()
        .collect())
}

fn is_installed() -> bool {
    succeeds(Command::new("bwrap").arg("--version"))
}
