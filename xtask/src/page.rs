//! `cargo xtask page`: the page as static files, with the WebAssembly module instead of a server; and the npm package.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::toolchain;

/// The target of the module.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Tells the page that its engine is the module (`assets/js/api.js`), and loads the module while the other scripts load.
const ENGINE: &str = "<meta name=\"npuzzle-engine\" content=\"wasm\">\n\
    <script type=\"module\" src=\"js/transport/wasm.js\"></script>\n";

/// The folders that [`build`] fills.
pub(crate) struct Folders {
    pub(crate) page: PathBuf,
    pub(crate) package: PathBuf,
}

/// Builds the page and the npm package, and prints where they are.
pub(crate) fn run(root: &Path) -> io::Result<bool> {
    let Folders { page, package } = build(root)?;
    println!("page: {}\nnpm package: {}", page.display(), package.display());
    Ok(true)
}

/// Builds the module, the page in `target/page`, and the npm package in `target/npm`.
pub(crate) fn build(root: &Path) -> io::Result<Folders> {
    let module = build_module(root)?;
    let target = toolchain::target_folder(root);
    let (page, package) = (target.join("page"), target.join("npm"));
    replace_folder(&page, |folder| {
        copy_folder(&root.join("crates/npuzzle-web/assets"), folder)?;
        let engine = folder.join("engine");
        fs::create_dir(&engine)?;
        fs::copy(root.join("crates/npuzzle-wasm/npm/index.js"), engine.join("index.js"))?;
        fs::copy(&module, engine.join("npuzzle.wasm"))?;
        let index = fs::read_to_string(folder.join("index.html"))?;
        let (head, rest) = index.split_once("<title>").ok_or(io::ErrorKind::InvalidData)?;
        fs::write(folder.join("index.html"), format!("{head}{ENGINE}<title>{rest}"))
    })?;
    replace_folder(&package, |folder| {
        copy_folder(&root.join("crates/npuzzle-wasm/npm"), folder)?;
        fs::copy(&module, folder.join("npuzzle.wasm"))?;
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(root.join(license), folder.join(license))?;
        }
        Ok(())
    })?;
    Ok(Folders { page, package })
}

/// Builds the module and returns its path.
fn build_module(root: &Path) -> io::Result<PathBuf> {
    toolchain::ensure_target(TARGET)?;
    let args = ["build", "--release", "--locked", "--target", TARGET, "--package", "npuzzle-wasm"];
    if !toolchain::cargo().current_dir(root).args(args).status()?.success() {
        return Err(io::Error::other("the module could not be built"));
    }
    Ok(toolchain::target_folder(root).join(TARGET).join("release/npuzzle_wasm.wasm"))
}

/// Fills a new folder and puts it in the place of the old one when it is complete.
fn replace_folder(folder: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let partial = folder.with_extension("partial");
    for old in [&partial, folder] {
        match fs::remove_dir_all(old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::create_dir_all(&partial)?;
    fill(&partial)?;
    fs::rename(partial, folder)
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
