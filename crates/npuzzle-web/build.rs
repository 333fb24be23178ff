//! Embeds the files of `assets/` in the program.
//!
//! Writes a list of `Asset` values to `$OUT_DIR/assets.rs`: path, entity tag and bytes of each file.
//! The server looks up requested paths in this list, so no request can leave the folder.

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
        let name = path.strip_prefix(&root)?.to_str().ok_or("the name of an asset is not UTF-8")?;
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

/// Appends the paths of all files below `folder`, except hidden files and folders.
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
