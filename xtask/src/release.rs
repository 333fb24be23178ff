//! `cargo xtask release`: the release archive and its checksum.
//!
//! Builds are reproducible: the same commit and compiler give the same bytes. Files are sorted, have
//! the time of the commit and no owner, and the program contains no paths of the build machine.

mod archive;
mod licenses;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use sha2::{Digest, Sha256};

use crate::files;
use crate::toolchain;
use archive::Entry;

/// The shells and the file names that they expect for completion scripts.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "npuzzle.bash"),
    ("elvish", "npuzzle.elv"),
    ("fish", "npuzzle.fish"),
    ("powershell", "_npuzzle.ps1"),
    ("zsh", "_npuzzle"),
];

/// Files of the root folder that the archive contains, in addition to `docs` and `examples`.
const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
];

/// Builds the archive and prints its path.
pub(crate) fn run(root: &Path) -> io::Result<bool> {
    if let Some(change) = uncommitted(root) {
        return Err(io::Error::other(format!("commit all changes first: {change}")));
    }
    let host = toolchain::host()?;
    let folder = toolchain::target_folder(root).join("dist");
    fs::create_dir_all(&folder)?;
    let program = build(root, &host)?;
    let version = output_of(&program, &["--version"])?;
    let version = version.trim().replace(' ', "-");
    let name = format!("{version}-{host}");
    let file_name = format!("npuzzle{}", env::consts::EXE_SUFFIX);
    let mut entries = vec![Entry::program(file_name, fs::read(&program)?)];
    entries.extend(completions(&program)?);
    entries.extend(manual(&program)?);
    entries.extend(documents(root)?);
    let list = licenses::list(root, &host)?;
    entries.push(Entry::file("LICENSES-OF-DEPENDENCIES.txt", list));
    let bytes = archive::pack(&name, entries, time(root))?;
    let path = folder.join(format!("{name}.tar.gz"));
    let sums = format!("{}  {name}.tar.gz\n", sha256(&bytes));
    // The checksum is written last: if it exists, the archive is complete.
    write_atomically(&path, &bytes)?;
    write_atomically(&folder.join(format!("{name}.tar.gz.sha256")), sums.as_bytes())?;
    println!("{}", path.display());
    Ok(true)
}

fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_extension("partial");
    fs::write(&partial, bytes)?;
    fs::rename(partial, path)
}

/// Builds the program with optimization and without paths of this machine; returns its path.
fn build(root: &Path, host: &str) -> io::Result<PathBuf> {
    let folder = toolchain::target_folder(root).join("dist").join("build");
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let mut flags = format!("--remap-path-prefix={}=npuzzle", root.display());
    if let Some(home) = cargo_home {
        flags += &format!(" --remap-path-prefix={}=cargo", home.display());
    }
    let mut build = toolchain::cargo();
    build.current_dir(root).args(["build", "--locked", "--profile", "dist"]);
    build.args(["--package", "npuzzle-cli", "--target", host]);
    build.arg("--target-dir").arg(&folder).env("RUSTFLAGS", flags);
    if !build.status()?.success() {
        return Err(io::Error::other("cargo could not build npuzzle-cli"));
    }
    Ok(folder.join(host).join("dist").join(format!("npuzzle{}", env::consts::EXE_SUFFIX)))
}

/// The standard output of the program.
fn output_of(program: &Path, args: &[&str]) -> io::Result<String> {
    let output = Command::new(program).args(args).output()?;
    let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    if !output.status.success() || text.is_empty() {
        return Err(io::Error::other(format!("npuzzle {} failed", args.join(" "))));
    }
    Ok(text)
}

/// An uncommitted change, if there is one; `None` outside a Git repository.
fn uncommitted(root: &Path) -> Option<String> {
    let mut git = Command::new("git");
    let output = git.current_dir(root).args(["status", "--porcelain"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().filter(|_| output.status.success()).map(str::to_owned)
}

/// The shells that the help of `npuzzle completions` lists.
fn shells_in(help: &str) -> Vec<&str> {
    let values = help.split_once("[possible values:").and_then(|(_, rest)| rest.split_once(']'));
    values.map_or_else(Vec::new, |(values, _)| values.split(',').map(str::trim).collect())
}

fn completions(program: &Path) -> io::Result<Vec<Entry>> {
    let help = output_of(program, &["completions", "-h"])?;
    let known: Vec<&str> = COMPLETIONS.iter().map(|(shell, _)| *shell).collect();
    if shells_in(&help) != known {
        return Err(io::Error::other(format!(
            "`npuzzle completions` supports other shells than {known:?}: {help}"
        )));
    }
    let script = |(shell, name): &(&str, &str)| {
        let text = output_of(program, &["completions", shell])?;
        Ok(Entry::file(format!("completions/{name}"), text))
    };
    COMPLETIONS.iter().map(script).collect()
}

fn manual(program: &Path) -> io::Result<Vec<Entry>> {
    let folder = tempfile::tempdir()?;
    let status = Command::new(program).arg("man").arg("--out").arg(folder.path()).status()?;
    if !status.success() {
        return Err(io::Error::other("npuzzle man failed"));
    }
    let page = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Ok(Entry::file(format!("man/man1/{name}"), fs::read(entry.path())?))
    };
    fs::read_dir(folder.path())?.map(page).collect()
}

fn documents(root: &Path) -> io::Result<Vec<Entry>> {
    let pages = files::list(root)?;
    let pages =
        pages.iter().filter(|path| path.starts_with("docs/") || path.starts_with("examples/"));
    let paths = DOCUMENTS.iter().copied().chain(pages.map(String::as_str));
    paths.map(|path| Ok(Entry::file(path, fs::read(root.join(path))?))).collect()
}

/// The modification time of all files, in seconds since 1970: `SOURCE_DATE_EPOCH` or the time of the
/// commit.
fn time(root: &Path) -> u64 {
    let variable = env::var("SOURCE_DATE_EPOCH").ok();
    let committed = || {
        let mut git = Command::new("git");
        let output = git.current_dir(root).args(["log", "-1", "--format=%ct"]).output().ok()?;
        String::from_utf8(output.stdout).ok()
    };
    variable.or_else(committed).and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_matches_the_standard() {
        // The first example of FIPS 180-4.
        let expect = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expect);
    }

    #[test]
    fn archive_contains_documents_docs_and_examples() {
        let documents = documents(&crate::root()).unwrap();
        for name in DOCUMENTS.iter().chain(&["docs/formats.md", "examples/README.md"]) {
            assert!(documents.iter().any(|entry| entry.path == *name), "{name}");
        }
        assert!(documents.iter().all(|entry| !entry.bytes.is_empty()));
    }

    #[test]
    fn shells_are_parsed_from_the_help() {
        let help = "Usage: npuzzle completions <SHELL>\n\nArguments:\n  <SHELL>  The shell \
                    [possible values: bash, elvish, fish,\n           powershell, zsh]\n";
        let known: Vec<&str> = COMPLETIONS.iter().map(|(shell, _)| *shell).collect();
        assert_eq!(shells_in(help), known);
        assert_eq!(shells_in("Usage: npuzzle"), [""; 0]);
    }
}
