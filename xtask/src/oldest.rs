//! The oldest Rust that the library promises to build with: installed by rustup where it is missing,
//! and asked.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::tally::Tally;
use crate::tidy;

/// Checks the library and the program with the oldest Rust of the manifest.
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
    // What the newer cargo keeps in its folder is of no use to the older one.
    let folder = root.join("target/oldest");
    let args = ["run", version, "cargo", "check", "--locked", "-p", "npuzzle", "-p", "npuzzle-cli"];
    println!("rustup {} --target-dir {}", args.join(" "), folder.display());
    let status = rustup().current_dir(root).args(args).arg("--target-dir").arg(folder).status()?;
    Ok(Tally::of_whole(status.success()))
}

/// Without what the cargo that runs this program has told about itself.
fn rustup() -> Command {
    let mut rustup = Command::new("rustup");
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        rustup.env_remove(name);
    }
    rustup
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
