//! What others get of the library, built on its own.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::component;
use crate::tally::Tally;

/// Each needs those before it.
const PACKAGES: [&str; 3] = ["npuzzle-core", "npuzzle-tables", "npuzzle"];

/// Makes the packages, and builds each with the others as they are packed.
pub(crate) fn check(root: &Path) -> io::Result<Tally> {
    forget_unpacked()?;
    // Nor does it compile them anew.
    let target = root.join("target/packages");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let packages = PACKAGES.map(|name| format!("--package={name}"));
    let args = ["--locked", "--allow-dirty"];
    println!("cargo package {} {}", packages.join(" "), args.join(" "));
    let mut package = component::cargo();
    package.current_dir(root).arg("package").args(packages).args(args);
    let status = package.env("CARGO_TARGET_DIR", &target).status()?;
    Ok(Tally::of_whole(status.success()))
}

/// Cargo unpacks a package of one version once, and goes on with that when the package is another.
fn forget_unpacked() -> io::Result<()> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let Some(folder) = home.map(|home| home.join("registry/src")) else { return Ok(()) };
    let Ok(registries) = fs::read_dir(folder) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        // That of packages that are being made has no name but its number.
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
