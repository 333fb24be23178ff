//! Reproducible archives: the bytes depend only on the content.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

/// A file in the archive.
pub(super) struct Entry {
    /// Relative, with `/` between the parts.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    is_program: bool,
}

impl Entry {
    pub(super) fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), bytes: bytes.into(), is_program: false }
    }

    pub(super) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { is_program: true, ..Entry::file(path, bytes) }
    }
}

/// Packs the entries, sorted, into a folder of the archive, with this modification time and owner 0.
pub(super) fn pack(folder: &str, mut entries: Vec<Entry>, time: u64) -> io::Result<Vec<u8>> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for Entry { path, bytes, is_program } in &entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if *is_program { 0o755 } else { 0o644 });
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, format!("{folder}/{path}"), &bytes[..])?;
    }
    let mut packed = tar.into_inner()?;
    packed.flush()?;
    packed.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn entries() -> Vec<Entry> {
        let long = format!("man/man1/{}.1", "npuzzle-".repeat(20));
        vec![
            Entry::file("b/page.md", "text"),
            Entry::program("a", [0, 1, 2]),
            Entry::file(long, ""),
        ]
    }

    #[test]
    fn bytes_do_not_depend_on_the_order_of_entries() {
        let mut backward = entries();
        backward.reverse();
        let packed = pack("x-1.0", entries(), 86_400).unwrap();
        assert_eq!(packed, pack("x-1.0", backward, 86_400).unwrap());
        assert_ne!(packed, pack("x-1.0", entries(), 86_401).unwrap());
    }

    #[test]
    fn packed_entries_are_unpacked_unchanged() {
        let packed = pack("x-1.0", entries(), 86_400).unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(&packed[..]));
        let mut seen = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            let header = entry.header();
            assert_eq!((header.mtime().unwrap(), header.uid().unwrap()), (86_400, 0));
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            seen.push((path, header.mode().unwrap(), bytes));
        }
        let paths: Vec<&str> = seen.iter().map(|(path, ..)| path.as_str()).collect();
        assert!(paths.is_sorted() && paths.iter().all(|path| path.starts_with("x-1.0/")));
        assert_eq!(seen[0], ("x-1.0/a".to_owned(), 0o755, vec![0, 1, 2]));
        assert_eq!(seen[1], ("x-1.0/b/page.md".to_owned(), 0o644, b"text".to_vec()));
        assert!(seen[2].0.ends_with("npuzzle-.1"));
    }
}
