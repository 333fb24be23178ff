//! The files of the repository.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// The sorted paths of all files that are tracked or not ignored, relative to the root, with `/`
/// between the parts.
pub(crate) fn list(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = match list_by_git(root) {
        Some(paths) => paths,
        None => list_by_walking(root)?,
    };
    // Git also lists tracked files that were deleted.
    paths.retain(|path| root.join(path).is_file());
    paths.sort();
    Ok(paths)
}

/// `None` if Git is not installed or the root is not a clone.
fn list_by_git(root: &Path) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-co", "--exclude-standard", "-z"]).current_dir(root);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let paths = String::from_utf8(output.stdout).ok()?;
    Some(paths.split_terminator('\0').map(str::to_owned).collect())
}

/// All files except `target` and hidden folders, for a workspace that is not a Git clone.
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
    fn walking_finds_tracked_files_only() {
        let paths = list_by_walking(&crate::root()).unwrap();
        assert!(paths.contains(&"xtask/src/files.rs".to_owned()));
        assert!(!paths.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }
}
