//! The Python package: a virtual environment with what its tests need, the wheel, pytest.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tally::Tally;

/// What is installed in the environment.
const PACKAGES: &[&str] = &["maturin>=1.9,<2", "pytest", "numpy", "gymnasium"];

/// Whether all of it is there.
const IMPORTS: &str = "import gymnasium, maturin, numpy, pytest";

const PACKAGE: &str = "crates/npuzzle-python";

/// Builds the wheel, installs it in an environment of its own, and runs pytest on what is installed.
pub(crate) fn test(root: &Path) -> io::Result<Tally> {
    let target = target(root);
    let python = environment(&target.join("python-venv"))?;
    let wheel = build(root, &python, &target.join("wheels"))?;
    pip(&python, &["install", "--force-reinstall", "--no-deps"], &[wheel.as_os_str()])?;
    pytest(root, &python, &target)
}

/// Where cargo puts what it builds.
fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// The interpreter of the environment, which is made unless it is there.
fn environment(folder: &Path) -> io::Result<PathBuf> {
    let bin = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(bin);
    if !succeeds(Command::new(&python).args(["-m", "pip", "--version"])) {
        make_environment(folder)?;
    }
    if !succeeds(Command::new(&python).args(["-c", IMPORTS])) {
        println!("installing {} in {}", PACKAGES.join(", "), folder.display());
        pip(&python, &["install"], PACKAGES)?;
    }
    Ok(python)
}

fn make_environment(folder: &Path) -> io::Result<()> {
    if try_environment(folder) || (install_on_debian() && try_environment(folder)) {
        return Ok(());
    }
    Err(io::Error::other(
        "Python 3.9 or later with its modules venv and pip is missing and could not be installed. \
         Debian, Ubuntu: `apt-get install python3 python3-venv`; Fedora: `dnf install python3`; \
         macOS: `brew install python`; otherwise https://www.python.org/downloads.",
    ))
}

/// Half an environment is worse than none.
fn try_environment(folder: &Path) -> bool {
    ["python3", "python"].iter().any(|python| {
        let _ = fs::remove_dir_all(folder);
        succeeds(Command::new(python).args(["-m", "venv"]).arg(folder))
    })
}

/// Where there is apt-get and it may install; elsewhere nothing happens.
fn install_on_debian() -> bool {
    let is_root = || {
        let id = Command::new("id").arg("-u").output();
        id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
    };
    if !Path::new("/etc/debian_version").exists() || !is_root() {
        return false;
    }
    println!("Python's module venv is missing: apt-get install python3 python3-venv");
    let apt = |args: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-y"]).args(args);
        apt.status().is_ok_and(|status| status.success())
    };
    let install = || apt(&["install", "python3", "python3-venv"]);
    install() || (apt(&["update"]) && install())
}

fn pip<S: AsRef<std::ffi::OsStr>>(python: &Path, args: &[&str], what: &[S]) -> io::Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(args).args(what);
    run(&mut pip)
}

/// The wheel, with the profile and so with the dependencies of the other tests.
fn build(root: &Path, python: &Path, wheels: &Path) -> io::Result<PathBuf> {
    let _ = fs::remove_dir_all(wheels);
    let mut maturin = Command::new(python);
    maturin.current_dir(root.join(PACKAGE)).args(["-m", "maturin", "build", "--quiet", "--locked"]);
    maturin.args(["--profile", "dev", "--auditwheel", "skip", "--out"]).arg(wheels);
    run(&mut maturin)?;
    let wheel = fs::read_dir(wheels)?.next().transpose()?;
    wheel.map(|wheel| wheel.path()).ok_or_else(|| io::Error::other("maturin has made no wheel"))
}

/// Runs the tests elsewhere than beside the sources, so that it is the wheel that they test.
fn pytest(root: &Path, python: &Path, target: &Path) -> io::Result<Tally> {
    let report = target.join("pytest.xml");
    let _ = fs::remove_file(&report);
    let mut pytest = Command::new(python);
    pytest.current_dir(target).args([
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--junit-xml",
    ]);
    let succeeded = pytest.arg(&report).arg(root.join(PACKAGE).join("tests")).status()?.success();
    let mut tally = Tally::of_junit(&fs::read_to_string(&report).unwrap_or_default());
    if !succeeded && tally.failed == 0 {
        tally += Tally::FAILED;
    }
    Ok(tally)
}

fn run(command: &mut Command) -> io::Result<()> {
    println!("{command:?}");
    if command.status()?.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?} has failed")))
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
