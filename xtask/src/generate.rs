//! `cargo xtask generate`: writes the embedded data files of `npuzzle-tables`. A test compares the
//! committed files with the generator.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(root: &Path) -> ExitCode {
    let folder = root.join("crates/npuzzle-tables/data");
    for (name, bytes) in npuzzle_tables::generate() {
        let path = folder.join(name);
        if let Err(error) = fs::write(&path, &bytes) {
            eprintln!("error: cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        println!("{}: {} bytes", path.display(), bytes.len());
    }
    ExitCode::SUCCESS
}
