//! The toolchain: cargo itself, and the components that a minimal installation lacks.

use std::env;
use std::io;
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
