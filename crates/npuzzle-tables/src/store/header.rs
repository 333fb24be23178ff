//! The header of a table file.
//!
//! ```text
//!      0  8 bytes   magic
//!      8  u32       version of the format: 1
//!     12  u32       length of the name
//!     16  u64       length of the payload
//!     24  u64       checksum of the payload
//!     32  the name, then zeros
//!   4088  u64       XXH3 of the bytes before
//!   4096  the payload, to the end of the file
//! ```
//!
//! Numbers are little-endian. The header fills a page, so the payload of a mapped file begins at a
//! page boundary.

use crate::files::checksum;

use super::error::Damage;
use super::name::TableName;

/// The size of the header in bytes.
pub(super) const HEADER_LEN: usize = 4096;

/// A byte that is not ASCII, a name, and line ends that a transfer as text would change.
const MAGIC: [u8; 8] = *b"\x89NPT\r\n\x1a\n";

/// The version of the format: the only one that is written and read.
const VERSION: u32 = 1;

const NAME_AT: usize = 32;
const CHECKSUM_AT: usize = HEADER_LEN - 8;

/// The content of a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) name: TableName,
    pub(super) len: u64,
    pub(super) checksum: u64,
}

impl Header {
    pub(super) fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let name = self.name.as_str().as_bytes();
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(name.len() as u32).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.len.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[NAME_AT..NAME_AT + name.len()].copy_from_slice(name);
        let checksum = checksum(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the header of a table file from its first bytes, and checks it against the length of the
    /// file and the name of the table.
    pub(super) fn read(start: &[u8], file_len: u64, name: &TableName) -> Result<Header, Damage> {
        if !start.starts_with(&MAGIC) {
            return Err(Damage::Foreign);
        }
        let Some(start) = start.first_chunk::<HEADER_LEN>() else {
            return Err(Damage::Length { found: file_len, expected: HEADER_LEN as u64 });
        };
        let [u32_at, u64_at] = [4, 8].map(|n| {
            move |at: usize| (0..n).rev().fold(0, |n, i| n << 8 | u64::from(start[at + i]))
        });
        // A later version may have its checksum elsewhere, so the version is checked first.
        if u32_at(8) != u64::from(VERSION) {
            return Err(Damage::Version { found: u32_at(8) as u32 });
        }
        if u64_at(CHECKSUM_AT) != checksum(&start[..CHECKSUM_AT]) {
            return Err(Damage::Header);
        }
        let name_len = (u32_at(12) as usize).min(TableName::MAX_LEN);
        let found = String::from_utf8_lossy(&start[NAME_AT..NAME_AT + name_len]);
        if found != name.as_str() {
            return Err(Damage::Name { found: found.into_owned() });
        }
        let header = Header { name: name.clone(), len: u64_at(16), checksum: u64_at(24) };
        let expected = header.len.saturating_add(HEADER_LEN as u64);
        if file_len != expected {
            return Err(Damage::Length { found: file_len, expected });
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header { name: "mtm-4x4-15".parse().unwrap(), len: 1000, checksum: 0x0123_4567_89ab_cdef }
    }

    #[test]
    fn header_is_read_as_written() {
        let header = header();
        assert_eq!(Header::read(&header.to_bytes(), 5096, &header.name), Ok(header));
    }

    #[test]
    fn every_changed_bit_is_detected() {
        let header = header();
        let good = header.to_bytes();
        for bit in 0..8 * HEADER_LEN {
            let mut bytes = good;
            bytes[bit / 8] ^= 1 << (bit % 8);
            let expected = match bit / 8 {
                0..8 => "Foreign",
                8..12 => "Version",
                _ => "Header",
            };
            let damage = Header::read(&bytes, 5096, &header.name).unwrap_err();
            assert!(format!("{damage:?}").starts_with(expected), "bit {bit}: {damage:?}");
        }
    }

    #[test]
    fn every_other_file_length_is_detected() {
        let header = header();
        let good = header.to_bytes();
        for file_len in (0..5096).chain([5097, u64::MAX]) {
            let start = &good[..HEADER_LEN.min(file_len as usize)];
            let damage = Header::read(start, file_len, &header.name).unwrap_err();
            let is_foreign = damage == Damage::Foreign;
            assert_eq!(is_foreign, file_len < 8, "{file_len}: {damage:?}");
        }
    }

    #[test]
    fn another_table_name_is_detected() {
        let damage = Header::read(&header().to_bytes(), 5096, &"full-3x4".parse().unwrap());
        assert_eq!(damage, Err(Damage::Name { found: "mtm-4x4-15".to_owned() }));
    }
}
