//! `cargo xtask sanitize`: the tests that reach unsafe code, ours and that of dependencies, under
//! AddressSanitizer; and those of ours that Miri supports under Miri, if it is installed.
//!
//! The runtime of AddressSanitizer is part of every toolchain for x86-64 and ARM Linux and for
//! macOS. The compiler flag is a nightly one; `RUSTC_BOOTSTRAP` makes the stable compiler accept it.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::toolchain::{self, succeeds};

/// The tests for AddressSanitizer: those of the crate with unsafe code, and every parser with the
/// crates that it depends on.
const ADDRESS: &[&[&str]] = &[
    &["--package", "npuzzle-tables", "--lib", "--test", "it"],
    &["--package", "npuzzle-fuzz", "--test", "replay"],
];

const MIRI: &[&str] = &["miri", "test", "--package", "npuzzle-tables", "--lib"];

/// Miri cannot map files, so it runs only the prefetch hint and the bytes in memory.
const MIRI_TESTS: &[&str] = &["prefetch", "store::bytes"];

/// Runs the tests and returns whether all passed.
pub(crate) fn run(root: &Path) -> io::Result<bool> {
    let host = toolchain::host()?;
    let folder = toolchain::target_folder(root).join("sanitize");
    let mut is_clean = true;
    for tests in ADDRESS {
        println!("==> AddressSanitizer: cargo test {}", tests.join(" "));
        let mut cargo = toolchain::cargo();
        cargo.current_dir(root).args(["test", "--locked", "--target", &host]).args(*tests);
        cargo.arg("--target-dir").arg(&folder);
        cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
        // Search threads sometimes outlive a test; the sanitizer would report them as leaks.
        cargo.env("ASAN_OPTIONS", "detect_leaks=0");
        is_clean &= cargo.status()?.success();
    }
    if succeeds(Command::new("cargo").args(["+nightly", "miri", "--version"])) {
        println!("==> Miri: cargo +nightly {} -- {}", MIRI.join(" "), MIRI_TESTS.join(" "));
        let mut miri = Command::new("cargo");
        miri.current_dir(root).arg("+nightly").args(MIRI).arg("--target-dir").arg(&folder);
        miri.arg("--").args(MIRI_TESTS);
        is_clean &= miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").status()?.success();
    } else {
        println!("Miri is not installed (rustup +nightly component add miri): skipped");
    }
    println!("{}", if is_clean { "clean" } else { "NOT CLEAN" });
    Ok(is_clean)
}
