//! `cargo xtask generate`: writes the embedded data files of `npuzzle-tables`. A test compares the
//! committed files with the generator.

use std::path::Path;
use std::{fs, io};

pub(crate) fn run(root: &Path) -> io::Result<bool> {
    let folder = root.join("crates/npuzzle-tables/data");
    for (name, bytes) in npuzzle_tables::generate() {
        let path = folder.join(name);
        fs::write(&path, &bytes)?;
        println!("{}: {} bytes", path.display(), bytes.len());
    }
    Ok(true)
}
