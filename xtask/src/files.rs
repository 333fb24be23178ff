//! The files of the repository.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Paths of all files that are tracked or would be, relative to the root, with `/` between the
/// parts, sorted.
pub(crate) fn list(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = match list_by_git(root) {
        Some(paths) => paths,
        None => list_by_walking(root)?,
    };
    // Git also lists what is tracked and was deleted.
    paths.retain(|path| root.join(path).is_file());
    paths.sort();
    Ok(paths)
}

/// `None` without Git, or outside of a clone.
fn list_by_git(root: &Path) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-co", "--exclude-standard", "-z"]).current_dir(root);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let paths = String::from_utf8(output.stdout).ok()?;
    Some(paths.split_terminator('\0').map(str::to_owned).collect())
}

/// Everything but `target` and hidden folders, for those who unpacked an archive.
fn list_by_walking(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{folder}{name}");
            if !entry.file_type()?.is_dir() {
                paths.push(path);
            } else if path != "target" && !name.starts_with('.') {
                folders.push(path + "/");
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walking_finds_this_file() {
        let paths = list_by_walking(&crate::root()).unwrap();
        assert!(paths.contains(&"xtask/src/files.rs".to_owned()));
        assert!(!paths.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }
}
