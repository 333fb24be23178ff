//! Read-only memory maps. Without the feature `files` there are none, and every call fails.

use std::fs::File;
use std::io;
use std::ops::Deref;

/// A read-only memory map.
#[cfg(feature = "files")]
pub(super) struct Map(memmap2::Mmap);

#[cfg(feature = "files")]
impl Map {
    /// Maps a file. This is the only code of the crate whose soundness depends on other processes.
    #[allow(unsafe_code)]
    pub(super) fn file(file: &File) -> io::Result<Map> {
        // SAFETY: the bytes of a map must not change while they are borrowed. Table files are written
        // under another name, renamed when they are complete, and never written again. A process that
        // builds or removes a table replaces or removes the name; the mapped file stays unchanged. A
        // foreign program that writes into a file of the cache can change the look-ups, or, if it shortens
        // the file, end the process with a signal (SIGBUS). No program that maps files is safe from that,
        // and the folder belongs to the user.
        unsafe { memmap2::Mmap::map(file) }.map(Map)
    }

    /// A copy of bytes in pages of their own.
    pub(super) fn copy(bytes: &[u8]) -> io::Result<Map> {
        Map::copy_to(memmap2::MmapMut::map_anon(bytes.len())?, bytes)
    }

    /// A copy of bytes in huge pages. Fails if the system has none.
    pub(super) fn copy_to_huge_pages(bytes: &[u8]) -> io::Result<Map> {
        #[cfg(target_os = "linux")]
        {
            let map = memmap2::MmapMut::map_anon(bytes.len())?;
            map.advise(memmap2::Advice::HugePage)?;
            Map::copy_to(map, bytes)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = bytes;
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    fn copy_to(mut map: memmap2::MmapMut, bytes: &[u8]) -> io::Result<Map> {
        map.copy_from_slice(bytes);
        map.make_read_only().map(Map)
    }

    /// Tells the system that look-ups are random.
    pub(super) fn expect_random_access(&self) {
        #[cfg(unix)]
        let _ = self.0.advise(memmap2::Advice::Random);
    }
}

#[cfg(feature = "files")]
impl Deref for Map {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// A memory map, of which there are none.
#[cfg(not(feature = "files"))]
pub(super) enum Map {}

#[cfg(not(feature = "files"))]
impl Map {
    pub(super) fn file(_: &File) -> io::Result<Map> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn copy(_: &[u8]) -> io::Result<Map> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn copy_to_huge_pages(_: &[u8]) -> io::Result<Map> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn expect_random_access(&self) {
        match *self {}
    }
}

#[cfg(not(feature = "files"))]
impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match *self {}
    }
}
