//! The size of the folder that a program writes to.

use std::fs;
use std::path::Path;

/// The largest total size of the files, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// The largest number of files and folders.
const MAX_ENTRIES: usize = 4096;

/// Whether a folder has too many files, or too large ones. Links are not followed.
pub(super) fn is_too_large(folder: &Path) -> bool {
    let (mut n_bytes, mut n_entries) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            // A file may be removed at any moment.
            let Ok(meta) = entry.metadata() else { continue };
            n_bytes += meta.len();
            n_entries += 1;
            if n_bytes > MAX_BYTES || n_entries > MAX_ENTRIES {
                return true;
            }
            if meta.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn folder_is_measured_with_its_subfolders() {
        let folder = tempfile::tempdir().unwrap();
        let sub = folder.path().join("a/b");
        fs::create_dir_all(&sub).unwrap();
        let file = File::create(sub.join("c")).unwrap();
        assert!(!is_too_large(folder.path()));
        file.set_len(MAX_BYTES + 1).unwrap();
        assert!(is_too_large(folder.path()));
        file.set_len(0).unwrap();
        for name in 0..MAX_ENTRIES {
            File::create(sub.join(name.to_string())).unwrap();
        }
        assert!(is_too_large(folder.path()));
    }
}
