//! Puts the files of the page into the program: a list of all of `assets/`, with their bytes.
//!
//! A list that is made here and nowhere else cannot lead out of the folder, whatever is asked for.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=assets");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("assets");
    let mut paths = Vec::new();
    collect(&root, &mut paths)?;
    paths.sort();
    let mut code = String::from("&[\n");
    for path in &paths {
        let bytes = fs::read(path)?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let name = path.strip_prefix(&root)?.to_str().ok_or("a name that is no UTF-8")?;
        let url = format!("/{}", name.replace('\\', "/"));
        writeln!(
            code,
            "    Asset {{ path: {url:?}, tag: {tag:?}, bytes: include_bytes!({:?}) }},",
            path.display().to_string()
        )?;
    }
    code += "]\n";
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("assets.rs"), code)?;
    Ok(())
}

/// All files below a folder, but for those whose names begin with a dot.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        match entry.file_type()? {
            _ if is_hidden => {}
            kind if kind.is_dir() => collect(&entry.path(), paths)?,
            _ => paths.push(entry.path()),
        }
    }
    Ok(())
}
