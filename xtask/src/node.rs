//! Node and npm: found, or installed where possible; the npm packages that tests use; the tests of the npm package.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page::{self, Folders};
use crate::tally::Tally;
use crate::toolchain::{self, succeeds};

/// The crates that users may compile for a browser themselves.
const LIBRARIES: [&str; 3] = ["npuzzle-core", "npuzzle-tables", "npuzzle"];

const INSTRUCTIONS: &str = "\
Node 18 or later with npm is missing and could not be installed. Debian, Ubuntu: `apt-get install nodejs npm`; Fedora: \
`dnf install nodejs`; macOS: `brew install node`; Windows: `winget install OpenJS.NodeJS`.";

/// Checks the libraries for the target of browsers, builds the page and the npm package, and tests the package in Node.
pub(crate) fn test(root: &Path) -> io::Result<Tally> {
    let mut tally = Tally::of_step(check_libraries(root)?);
    let Folders { page, package } = page::build(root)?;
    ensure()?;
    let tests = root.join("crates/npuzzle-wasm/tests");
    let folders = [("NPUZZLE_PAGE", &page), ("NPUZZLE_NPM", &package)];
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap"]).envs(folders);
    node.args(["page.test.mjs", "package.test.mjs"].map(|test| tests.join(test)));
    println!("{node:?}");
    let output = node.output()?;
    let report = String::from_utf8_lossy(&output.stdout);
    let tests = Tally::of_tap(&report);
    if !output.status.success() || tests.failed > 0 {
        println!("{report}{}", String::from_utf8_lossy(&output.stderr));
    }
    tally += tests;
    if !output.status.success() && tests.failed == 0 {
        tally += Tally::FAILED;
    }
    tally += Tally::of_step(check_types(root, &package)?);
    Ok(tally)
}

/// `cargo xtask bench wasm`: measures the package in Node.
pub(crate) fn bench(root: &Path) -> io::Result<bool> {
    let package = page::build(root)?.package;
    ensure()?;
    let mut bench = Command::new("node");
    bench.arg(root.join("crates/npuzzle-wasm/tests/bench.mjs"));
    Ok(bench.arg(package).arg(root.join("testdata/korf100.txt")).status()?.success())
}

fn check_libraries(root: &Path) -> io::Result<bool> {
    toolchain::ensure_target(page::TARGET)?;
    let mut check = toolchain::cargo();
    check.current_dir(root).args(["check", "--locked", "--target", page::TARGET]);
    check.args(LIBRARIES.iter().flat_map(|library| ["--package", library]));
    Ok(check.status()?.success())
}

/// Compiles a program that uses the declarations of the package.
fn check_types(root: &Path, package: &Path) -> io::Result<bool> {
    let modules = install(root, "typescript@5")?;
    let project = toolchain::target_folder(root).join("types");
    let _ = std::fs::remove_dir_all(&project);
    let installed = project.join("node_modules/npuzzle");
    std::fs::create_dir_all(&installed)?;
    for file in ["package.json", "index.d.ts", "index.js"] {
        std::fs::copy(package.join(file), installed.join(file))?;
    }
    std::fs::write(project.join("package.json"), "{ \"type\": \"module\" }")?;
    std::fs::copy(root.join("crates/npuzzle-wasm/tests/types.ts"), project.join("types.ts"))?;
    let mut compile = Command::new("node");
    compile.current_dir(project).arg(modules.join("typescript/bin/tsc"));
    compile
        .args(["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "types.ts"]);
    Ok(compile.status()?.success())
}

/// Installs an npm package in the target folder if it is missing. Returns the folder of the packages.
pub(crate) fn install(root: &Path, package: &str) -> io::Result<PathBuf> {
    let folder = toolchain::target_folder(root).join("node");
    let modules = folder.join("node_modules");
    let name = package.split('@').next().unwrap_or(package);
    if modules.join(name).join("package.json").is_file() {
        return Ok(modules);
    }
    ensure()?;
    std::fs::create_dir_all(&folder)?;
    println!("npm install {package} in {}", folder.display());
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
        .arg(&folder)
        .arg(package);
    match npm.status()?.success() {
        true => Ok(modules),
        false => Err(io::Error::other(format!("npm could not install {package}"))),
    }
}

/// Installs Node and npm on Debian if they are missing.
fn ensure() -> io::Result<()> {
    let is_there =
        || ["node", "npm"].iter().all(|program| succeeds(Command::new(program).arg("--version")));
    if is_there() {
        return Ok(());
    }
    if toolchain::is_debian_root() {
        println!("Node is missing: apt-get install nodejs npm");
        toolchain::apt_install(&["nodejs", "npm"]);
    }
    if is_there() { Ok(()) } else { Err(io::Error::other(INSTRUCTIONS)) }
}
