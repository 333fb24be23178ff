//! The bytes of a table, in the program, in memory or in a mapped file.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::map::Map;

/// The bytes of a table: part of the program, in memory, or in a mapped file. Clones share them.
///
/// The address of bytes from a [`Store`](crate::Store) is a multiple of 8, whether they were loaded or
/// built, so that they can be read as words.
///
/// Dereferencing has to find out where the bytes are. Loops with millions of look-ups should
/// dereference once, before.
///
/// ```
/// use npuzzle_tables::TableBytes;
/// let bytes = TableBytes::from(vec![1, 2, 3]);
/// assert_eq!(bytes.slice(1..3).as_deref(), Some(&[2, 3][..]));
/// assert!(bytes.slice(1..4).is_none());
/// ```
#[derive(Clone)]
pub struct TableBytes {
    owner: Owner,
    range: Range<usize>,
}

#[derive(Clone)]
enum Owner {
    Program(&'static [u8]),
    Memory(Arc<Vec<u8>>),
    Map(Arc<Map>),
}

impl TableBytes {
    /// Maps a file, except for its first `skip` bytes.
    pub(super) fn map(file: &File, skip: usize) -> io::Result<TableBytes> {
        let map = Map::file(file)?;
        let range = skip.min(map.len())..map.len();
        Ok(TableBytes { owner: Owner::Map(Arc::new(map)), range })
    }

    /// Bytes whose address is a multiple of 8. They are copied if it is not.
    pub(super) fn aligned(bytes: Vec<u8>) -> TableBytes {
        if bytes.as_ptr().align_offset(8) == 0 {
            return bytes.into();
        }
        // If there is not enough memory for a copy, unaligned bytes are better than none.
        Map::copy(&bytes).map_or_else(|_| bytes.into(), TableBytes::from)
    }

    /// A range of the bytes, shared. Returns `None` if the range is out of bounds.
    pub fn slice(&self, range: Range<usize>) -> Option<TableBytes> {
        if range.start > range.end || range.end > self.len() {
            return None;
        }
        let range = self.range.start + range.start..self.range.start + range.end;
        Some(TableBytes { owner: self.owner.clone(), range })
    }

    /// Whether the bytes are mapped.
    pub fn is_mapped(&self) -> bool {
        matches!(self.owner, Owner::Map(_))
    }

    /// Copies many bytes to huge pages, if the system has them, because millions of random look-ups are
    /// faster there.
    ///
    /// Most of the time of a look-up in hundreds of megabytes is the translation of the address, which
    /// takes half as long with huge pages. Searches become faster by a third.
    pub fn in_huge_pages(self) -> TableBytes {
        const PAYS_FROM: usize = 32 << 20;
        if self.len() < PAYS_FROM {
            return self;
        }
        // Fails if the system has no huge pages, or not enough memory for a copy.
        Map::copy_to_huge_pages(&self).map_or(self, TableBytes::from)
    }

    /// Tells the system that look-ups are random, so that it does not read ahead. This is only a hint.
    pub(super) fn expect_random_access(&self) {
        if let Owner::Map(map) = &self.owner {
            map.expect_random_access();
        }
    }
}

impl Deref for TableBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        let all: &[u8] = match &self.owner {
            Owner::Program(bytes) => bytes,
            Owner::Memory(bytes) => bytes,
            Owner::Map(map) => map,
        };
        &all[self.range.clone()]
    }
}

impl From<Map> for TableBytes {
    fn from(map: Map) -> TableBytes {
        TableBytes { range: 0..map.len(), owner: Owner::Map(Arc::new(map)) }
    }
}

impl From<Vec<u8>> for TableBytes {
    fn from(bytes: Vec<u8>) -> TableBytes {
        TableBytes { range: 0..bytes.len(), owner: Owner::Memory(Arc::new(bytes)) }
    }
}

impl From<&'static [u8]> for TableBytes {
    fn from(bytes: &'static [u8]) -> TableBytes {
        TableBytes { range: 0..bytes.len(), owner: Owner::Program(bytes) }
    }
}

/// Compares the bytes, not their owners.
impl PartialEq for TableBytes {
    fn eq(&self, other: &TableBytes) -> bool {
        **self == **other
    }
}

impl Eq for TableBytes {}

impl fmt::Debug for TableBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owner = match self.owner {
            Owner::Program(_) => "in the program",
            Owner::Memory(_) => "in memory",
            Owner::Map(_) => "mapped",
        };
        write!(f, "TableBytes({} bytes {owner})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_share_their_bytes() {
        let kinds: [TableBytes; 2] =
            [vec![0, 1, 2, 3, 4].into(), (&[0u8, 1, 2, 3, 4] as &'static [u8]).into()];
        for bytes in kinds {
            let middle = bytes.slice(1..4).unwrap();
            assert_eq!(&*middle, [1, 2, 3]);
            assert_eq!(&*middle.slice(2..3).unwrap(), [3]);
            assert_eq!(middle.as_ptr(), bytes[1..].as_ptr());
            assert_eq!(middle.slice(3..3).unwrap().len(), 0);
            assert_eq!(middle.slice(1..4), None);
            #[allow(clippy::reversed_empty_ranges)]
            let backward = middle.slice(2..1);
            assert_eq!(backward, None);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not support read-only maps")]
    fn aligned_keeps_the_bytes() {
        for len in [0usize, 1, 7, 8, 5000] {
            let bytes: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let aligned = TableBytes::aligned(bytes.clone());
            assert_eq!(&*aligned, &*bytes);
            assert!(len == 0 || aligned.as_ptr().align_offset(8) == 0);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes, and Miri does not support the call")]
    fn in_huge_pages_keeps_the_bytes() {
        for len in [5000, 40 << 20] {
            let bytes: Vec<u8> = (0..len).map(|at| (at / 4099) as u8).collect();
            let moved = TableBytes::from(bytes.clone()).in_huge_pages();
            assert!(*moved == *bytes);
            assert_eq!(moved.as_ptr().align_offset(8), 0);
        }
    }

    #[test]
    fn table_bytes_are_send_and_sync() {
        fn check<T: Send + Sync + Clone + 'static>() {}
        check::<TableBytes>();
    }
}
