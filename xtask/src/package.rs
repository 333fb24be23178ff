//! The packages that are published, each built as others would build it.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::tally::Tally;
use crate::toolchain;

/// In order of their dependencies.
const PACKAGES: [&str; 3] = ["npuzzle-core", "npuzzle-tables", "npuzzle"];

/// Packs the crates and builds each with the packed versions of the others.
pub(crate) fn check(root: &Path) -> io::Result<Tally> {
    remove_unpacked()?;
    // Cargo would reuse what it compiled from an earlier package of the same version.
    let target = root.join("target/packages");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let packages = PACKAGES.map(|name| format!("--package={name}"));
    let args = ["--locked", "--allow-dirty"];
    println!("cargo package {} {}", packages.join(" "), args.join(" "));
    let mut package = toolchain::cargo();
    package.current_dir(root).arg("package").args(packages).args(args);
    let status = package.env("CARGO_TARGET_DIR", &target).status()?;
    Ok(Tally::of_step(status.success()))
}

/// Removes the packages that an earlier run unpacked. Cargo unpacks a version only once and would
/// reuse the old files.
fn remove_unpacked() -> io::Result<()> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let Some(folder) = home.map(|home| home.join("registry/src")) else { return Ok(()) };
    let Ok(registries) = fs::read_dir(folder) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        // The temporary registry of `cargo package` has a name that consists of `-` and a hash.
        if !registry.file_name().to_string_lossy().starts_with('-') {
            continue;
        }
        for package in fs::read_dir(registry.path())? {
            let package = package?;
            if package.file_name().to_string_lossy().starts_with("npuzzle") {
                fs::remove_dir_all(package.path())?;
            }
        }
    }
    Ok(())
}
