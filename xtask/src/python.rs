//! The Python package: release wheels; and its tests, with a virtual environment for their dependencies.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tally::Tally;
use crate::toolchain::{self, succeeds};

/// The packages of the virtual environment.
const PACKAGES: &[&str] = &["maturin>=1.9,<2", "pytest", "numpy", "gymnasium"];

/// A program that fails if one of them is missing.
const IMPORTS: &str = "import gymnasium, maturin, numpy, pytest";

const PACKAGE: &str = "crates/npuzzle-python";

/// Builds the wheel, installs it in the virtual environment and runs pytest on the installed package.
pub(crate) fn test(root: &Path) -> io::Result<Tally> {
    let target = toolchain::target_folder(root);
    let python = environment(&target.join("python-venv"))?;
    // The profile of the other tests, so that compiled dependencies are reused.
    let wheel = build(root, &python, &target.join("wheels"), &["--profile", "dev"])?;
    pip(&python, &["install", "--force-reinstall", "--no-deps"], &[wheel.as_os_str()])?;
    pytest(root, &python, &target)
}

/// Builds the release wheel for this system in target/dist. It serves every Python from 3.9 on.
pub(crate) fn wheels(root: &Path) -> io::Result<()> {
    let target = toolchain::target_folder(root);
    let python = environment(&target.join("python-venv"))?;
    let folder = target.join("dist");
    fs::create_dir_all(&folder)?;
    // Maturin's own name for the file, so that pip accepts it.
    let wheels = target.join("release-wheels");
    let wheel = build(root, &python, &wheels, &["--release"])?;
    let name = wheel.file_name().ok_or_else(|| io::Error::other("the wheel has no name"))?;
    let path = folder.join(name);
    fs::copy(&wheel, &path)?;
    let mb = fs::metadata(&path)?.len() as f64 / 1e6;
    println!("{} ({mb:.1} MB)", path.display());
    println!("pip install {}", path.display());
    Ok(())
}

/// The interpreter of the virtual environment, which is created if it is missing.
fn environment(folder: &Path) -> io::Result<PathBuf> {
    let bin = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(bin);
    if !succeeds(Command::new(&python).args(["-m", "pip", "--version"])) {
        create_environment(folder)?;
    }
    if !succeeds(Command::new(&python).args(["-c", IMPORTS])) {
        println!("installing {} in {}", PACKAGES.join(", "), folder.display());
        pip(&python, &["install"], PACKAGES)?;
    }
    Ok(python)
}

fn create_environment(folder: &Path) -> io::Result<()> {
    if try_create(folder) || (install_python() && try_create(folder)) {
        return Ok(());
    }
    Err(io::Error::other(
        "Python 3.9 or later with the modules venv and pip is missing and could not be installed. \
         Debian, Ubuntu: `apt-get install python3 python3-venv`; Fedora: `dnf install python3`; \
         macOS: `brew install python`; otherwise https://www.python.org/downloads.",
    ))
}

/// Removes an incomplete environment first.
fn try_create(folder: &Path) -> bool {
    ["python3", "python"].iter().any(|python| {
        let _ = fs::remove_dir_all(folder);
        succeeds(Command::new(python).args(["-m", "venv"]).arg(folder))
    })
}

/// Installs Python on Debian; does nothing on other systems.
fn install_python() -> bool {
    if !toolchain::is_debian_root() {
        return false;
    }
    println!("the Python module venv is missing: apt-get install python3 python3-venv");
    toolchain::apt_install(&["python3", "python3-venv"])
}

fn pip<S: AsRef<OsStr>>(python: &Path, args: &[&str], packages: &[S]) -> io::Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(args).args(packages);
    run(&mut pip)
}

/// Builds the only wheel of a folder, with a profile.
fn build(root: &Path, python: &Path, wheels: &Path, profile: &[&str]) -> io::Result<PathBuf> {
    let _ = fs::remove_dir_all(wheels);
    let mut maturin = Command::new(python);
    maturin.current_dir(root.join(PACKAGE)).args(["-m", "maturin", "build", "--quiet", "--locked"]);
    maturin.args(profile).args(["--auditwheel", "skip", "--out"]).arg(wheels);
    run(&mut maturin)?;
    let wheel = fs::read_dir(wheels)?.next().transpose()?;
    wheel.map(|wheel| wheel.path()).ok_or_else(|| io::Error::other("maturin wrote no wheel"))
}

/// Runs pytest outside the source folder, so that it imports the installed wheel.
fn pytest(root: &Path, python: &Path, target: &Path) -> io::Result<Tally> {
    let report = target.join("pytest.xml");
    let _ = fs::remove_file(&report);
    let mut pytest = Command::new(python);
    let args = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml"];
    pytest.current_dir(target).args(args).arg(&report).arg(root.join(PACKAGE).join("tests"));
    let is_success = pytest.status()?.success();
    let mut tally = Tally::of_junit(&fs::read_to_string(&report).unwrap_or_default());
    if !is_success && tally.failed == 0 {
        tally += Tally::FAILED;
    }
    Ok(tally)
}

fn run(command: &mut Command) -> io::Result<()> {
    println!("{command:?}");
    if command.status()?.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?} failed")))
}
