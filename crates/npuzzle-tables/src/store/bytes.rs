//! The bytes of a table, wherever they are.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

/// The bytes of a table: part of the program, in memory, or a file that the system pages in. Clones
/// share them.
///
/// Bytes from a [`Store`](crate::Store) begin at an address that is a multiple of 8, whether they
/// were read or built, so that they can be looked at as words.
///
/// Dereferencing asks where the bytes are: loops that look up millions of times do it once, before.
///
/// ```
/// use npuzzle_tables::TableBytes;
/// let bytes = TableBytes::from(vec![1, 2, 3]);
/// assert_eq!(bytes.slice(1..3).as_deref(), Some(&[2, 3][..]));
/// assert!(bytes.slice(1..4).is_none());
/// ```
#[derive(Clone)]
pub struct TableBytes {
    place: Place,
    range: Range<usize>,
}

#[derive(Clone)]
enum Place {
    Program(&'static [u8]),
    Memory(Arc<Vec<u8>>),
    Map(Arc<Mmap>),
}

impl TableBytes {
    /// Maps a file and leaves out its first bytes.
    pub(super) fn map(file: &File, skip: usize) -> io::Result<TableBytes> {
        let map = map_read_only(file)?;
        let range = skip.min(map.len())..map.len();
        Ok(TableBytes { place: Place::Map(Arc::new(map)), range })
    }

    /// Bytes that begin at a multiple of 8; copied if they do not yet.
    pub(super) fn aligned(bytes: Vec<u8>) -> TableBytes {
        if bytes.as_ptr().align_offset(8) == 0 {
            return bytes.into();
        }
        let len = bytes.len();
        let copied = MmapMut::map_anon(len).and_then(|mut map| {
            map.copy_from_slice(&bytes);
            map.make_read_only()
        });
        match copied {
            Ok(map) => TableBytes { place: Place::Map(Arc::new(map)), range: 0..len },
            // No memory for a copy: better badly aligned than not there.
            Err(_) => bytes.into(),
        }
    }

    /// Some of the bytes, shared; `None` if the range is not within them.
    pub fn slice(&self, range: Range<usize>) -> Option<TableBytes> {
        if range.start > range.end || range.end > self.len() {
            return None;
        }
        let range = self.range.start + range.start..self.range.start + range.end;
        Some(TableBytes { place: self.place.clone(), range })
    }

    /// Whether the bytes are those of a file, mapped.
    pub fn is_mapped(&self) -> bool {
        matches!(self.place, Place::Map(_))
    }

    /// The same bytes where millions of look-ups in no order are fastest: in pages of megabytes, if
    /// there are many bytes and the system has such pages, at the price of a copy.
    ///
    /// Most of a look-up in hundreds of megabytes is the way to the page it is on, which is half as
    /// long; searches become a third faster.
    pub fn in_huge_pages(self) -> TableBytes {
        const PAYS_FROM: usize = 32 << 20;
        if !cfg!(target_os = "linux") || self.len() < PAYS_FROM {
            return self;
        }
        let copied = MmapMut::map_anon(self.len()).and_then(|mut map| {
            #[cfg(target_os = "linux")]
            map.advise(memmap2::Advice::HugePage)?;
            map.copy_from_slice(&self);
            map.make_read_only()
        });
        match copied {
            Ok(map) => TableBytes { range: 0..map.len(), place: Place::Map(Arc::new(map)) },
            // No such pages, or no memory for a copy.
            Err(_) => self,
        }
    }

    /// Tells the system that look-ups come in no order, so that it reads no pages in advance. A
    /// hint: what becomes of it does not matter.
    pub(super) fn expect_random_access(&self) {
        #[cfg(unix)]
        if let Place::Map(map) = &self.place {
            let _ = map.advise(memmap2::Advice::Random);
        }
    }
}

/// The one place where the crate trusts the world around it.
#[allow(unsafe_code)]
fn map_read_only(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes of a map must not change while they are borrowed. Table files are written
    // under another name, renamed when they are complete, and never written again: whoever builds
    // or removes a table leaves the mapped file as it was, nameless. Somebody else who writes into
    // a file of the cache while it is used can change what is looked up, or, by making it shorter,
    // end the program with a signal (SIGBUS). No program that maps files is safe from that, and the
    // folder is the user's own.
    unsafe { Mmap::map(file) }
}

impl Deref for TableBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        let all: &[u8] = match &self.place {
            Place::Program(bytes) => bytes,
            Place::Memory(bytes) => bytes,
            Place::Map(map) => map,
        };
        &all[self.range.clone()]
    }
}

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for TableBytes {
    fn from(bytes: Vec<u8>) -> TableBytes {
        TableBytes { range: 0..bytes.len(), place: Place::Memory(Arc::new(bytes)) }
    }
}

impl From<&'static [u8]> for TableBytes {
    fn from(bytes: &'static [u8]) -> TableBytes {
        TableBytes { range: 0..bytes.len(), place: Place::Program(bytes) }
    }
}

/// Equal bytes, wherever they are.
impl PartialEq for TableBytes {
    fn eq(&self, other: &TableBytes) -> bool {
        **self == **other
    }
}

impl Eq for TableBytes {}

impl fmt::Debug for TableBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place {
            Place::Program(_) => "of the program",
            Place::Memory(_) => "in memory",
            Place::Map(_) => "mapped",
        };
        write!(f, "TableBytes({} bytes {place})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_share_the_bytes() {
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
    #[cfg_attr(miri, ignore = "Miri cannot make a map read-only")]
    fn aligned_bytes_are_the_same_bytes() {
        for len in [0usize, 1, 7, 8, 5000] {
            let bytes: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let aligned = TableBytes::aligned(bytes.clone());
            assert_eq!(&*aligned, &*bytes);
            assert!(len == 0 || aligned.as_ptr().align_offset(8) == 0);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "some minutes of copying, and a call that Miri does not know")]
    fn bytes_in_huge_pages_are_the_same_bytes() {
        for len in [5000, 40 << 20] {
            let bytes: Vec<u8> = (0..len).map(|at| (at / 4099) as u8).collect();
            let moved = TableBytes::from(bytes.clone()).in_huge_pages();
            assert!(*moved == *bytes);
            assert_eq!(moved.as_ptr().align_offset(8), 0);
        }
    }

    #[test]
    fn threads_share_them() {
        fn check<T: Send + Sync + Clone + 'static>() {}
        check::<TableBytes>();
    }
}
