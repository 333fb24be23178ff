//! The oldest supported Rust version: installed by rustup if it is missing, and used to check the
//! library and the program.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::tally::Tally;
use crate::tidy;
use crate::toolchain::succeeds;

/// Runs `cargo check` with the `rust-version` of the manifest.
pub(crate) fn check(root: &Path) -> io::Result<Tally> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let version = tidy::toml_string(&manifest, "workspace.package", "rust-version")
        .ok_or_else(|| io::Error::other("no rust-version in [workspace.package]"))?;
    if !succeeds(rustup().args(["run", version, "cargo", "--version"])) {
        println!("Rust {version} is missing: rustup toolchain install {version}");
        let install = ["toolchain", "install", version, "--profile", "minimal"];
        if !rustup().args(install).status().is_ok_and(|status| status.success()) {
            return Err(io::Error::other(format!(
                "Rust {version} is missing and could not be installed. Install rustup \
                 (https://rustup.rs) and run `rustup toolchain install {version}`."
            )));
        }
    }
    // A separate target folder: the two versions of cargo cannot reuse each other's output.
    let folder = root.join("target/msrv");
    let args = ["run", version, "cargo", "check", "--locked", "-p", "npuzzle", "-p", "npuzzle-cli"];
    println!("rustup {} --target-dir {}", args.join(" "), folder.display());
    let status = rustup().current_dir(root).args(args).arg("--target-dir").arg(folder).status()?;
    Ok(Tally::of_step(status.success()))
}

/// rustup without the variables by which the running cargo selects its own toolchain.
fn rustup() -> Command {
    let mut rustup = Command::new("rustup");
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        rustup.env_remove(name);
    }
    rustup
}
