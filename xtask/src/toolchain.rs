//! The Rust toolchain: cargo, rustup components that a minimal installation lacks, and folders.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const RUSTFMT: Component =
    Component { name: "rustfmt", subcommand: "fmt", debian_package: "rustfmt" };
pub(crate) const CLIPPY: Component =
    Component { name: "clippy", subcommand: "clippy", debian_package: "rust-clippy" };

/// A rustup component.
pub(crate) struct Component {
    name: &'static str,
    /// The subcommand that it adds to cargo.
    subcommand: &'static str,
    debian_package: &'static str,
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Installs the component if it is missing. The error says how to install it by hand.
pub(crate) fn ensure(component: &Component) -> io::Result<()> {
    let Component { name, subcommand, debian_package } = component;
    if succeeds(cargo().args([subcommand, "--version"])) {
        return Ok(());
    }
    println!("{name} is missing: rustup component add {name}");
    let is_added =
        Command::new("rustup").args(["component", "add", name]).status().is_ok_and(|s| s.success());
    if is_added && succeeds(cargo().args([subcommand, "--version"])) {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "{name} is missing and could not be installed. Run `rustup component add {name}`, or \
         install the system package (Debian: `apt-get install {debian_package}`)."
    )))
}

/// Installs the standard library of another target if it is missing. The error says how to install it by hand.
pub(crate) fn ensure_target(target: &str) -> io::Result<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let sysroot = Command::new(rustc).args(["--print", "sysroot"]).output()?.stdout;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot).trim());
    let is_installed = || sysroot.join("lib/rustlib").join(target).join("lib").is_dir();
    if is_installed() {
        return Ok(());
    }
    println!("{target} is missing: rustup target add {target}");
    let added = Command::new("rustup").args(["target", "add", target]).status();
    if added.is_ok_and(|status| status.success()) && is_installed() {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "{target} is missing and could not be installed. Run `rustup target add {target}`."
    )))
}

/// Whether a command runs and exits with 0. Its output is discarded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Whether this is Debian or a derivative and the user may install packages.
pub(crate) fn is_debian_root() -> bool {
    let is_debian = Path::new("/etc/debian_version").exists();
    let user = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    is_debian && user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}

/// Installs Debian packages. The package lists are updated if the first attempt fails.
pub(crate) fn apt_install(packages: &[&str]) -> bool {
    let apt_get = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(args);
        succeeds(&mut command)
    };
    let install = [&["install", "-y", "--no-install-recommends"], packages].concat();
    apt_get(&install) || (apt_get(&["update"]) && apt_get(&install))
}

/// The target triple of this machine, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host() -> io::Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| io::Error::other("`rustc -vV` does not print a `host:` line"))
}

/// The folder for build output.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}
