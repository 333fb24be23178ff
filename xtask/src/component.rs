//! The toolchain: cargo itself, and the components that a minimal installation lacks.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const RUSTFMT: Component =
    Component { name: "rustfmt", subcommand: "fmt", debian_package: "rustfmt" };
pub(crate) const CLIPPY: Component =
    Component { name: "clippy", subcommand: "clippy", debian_package: "rust-clippy" };

/// A component as rustup knows it.
pub(crate) struct Component {
    name: &'static str,
    /// What it adds to cargo.
    subcommand: &'static str,
    debian_package: &'static str,
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Installs the component if it is missing. The error says how to do so by hand.
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
        "{name} is missing and could not be installed. Install it with \
         `rustup component add {name}`, or, if Rust came from the system, as a package \
         (Debian: `apt-get install {debian_package}`)."
    )))
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// What the compiler calls this machine, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host() -> io::Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| io::Error::other("rustc does not say what machine this is"))
}

/// Where cargo puts what it makes.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}
