//! `cargo xtask sanitize`: the tests of all that reaches unsafe code, ours and that of others, under
//! AddressSanitizer, and what Miri can run of ours under Miri if it is installed.
//!
//! The runtime of AddressSanitizer comes with every toolchain for x86-64 and ARM Linux and for macOS;
//! the flag is one of the nightly compiler, which `RUSTC_BOOTSTRAP` has the stable one take.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::component;

/// Packages and the tests of them that are run: the two unsafe lines of ours with all that is behind
/// them, and every parser with the crates of others that it uses.
const ADDRESS: &[&[&str]] = &[
    &["--package", "npuzzle-tables", "--lib", "--test", "it"],
    &["--package", "npuzzle-fuzz", "--test", "replay"],
];

/// What Miri runs: it maps no files, so of ours the hint to the caches is left, and the bytes in
/// memory.
const MIRI: &[&str] = &["miri", "test", "--package", "npuzzle-tables", "--lib"];
const MIRI_TESTS: &[&str] = &["prefetch", "store::bytes"];

pub(crate) fn run(root: &Path) -> ExitCode {
    match sanitize(root) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn sanitize(root: &Path) -> io::Result<bool> {
    let host = component::host()?;
    let folder = component::target_folder(root).join("sanitize");
    let mut is_clean = true;
    for tests in ADDRESS {
        println!("==> AddressSanitizer: cargo test {}", tests.join(" "));
        let mut cargo = component::cargo();
        cargo.current_dir(root).args(["test", "--locked", "--target", &host]).args(*tests);
        cargo.arg("--target-dir").arg(&folder);
        cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
        // Threads of searches outlive a test now and then, and that is no leak.
        cargo.env("ASAN_OPTIONS", "detect_leaks=0");
        is_clean &= cargo.status()?.success();
    }
    if has_miri() {
        println!("==> Miri: cargo +nightly {} -- {}", MIRI.join(" "), MIRI_TESTS.join(" "));
        let mut miri = Command::new("cargo");
        miri.current_dir(root).arg("+nightly").args(MIRI).arg("--target-dir").arg(&folder);
        miri.arg("--").args(MIRI_TESTS);
        is_clean &= miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").status()?.success();
    } else {
        println!("Miri is not installed (rustup +nightly component add miri): left out");
    }
    println!("{}", if is_clean { "clean" } else { "NOT CLEAN" });
    Ok(is_clean)
}

fn has_miri() -> bool {
    let mut version = Command::new("cargo");
    version.args(["+nightly", "miri", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
