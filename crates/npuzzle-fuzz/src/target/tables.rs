//! Table files, compared with a plain reader that follows `docs/tables.md`.

use std::fs;

use npuzzle::tables::{Damage, Store, StoreError, TableName};
use xxhash_rust::xxh3::xxh3_64;

use crate::assertions::selector;

const NAME: &str = "fuzz-table";
pub(super) const HEADER: usize = 4096;
/// The number of header bytes that the input provides.
const HEAD: usize = 48;

/// Repairs of the header, one bit each, since no fuzzer finds a checksum.
const MAGIC: usize = 1;
const OWN_NAME: usize = 2;
const LENGTH: usize = 4;
const PAYLOAD: usize = 8;
const CHECKSUM: usize = 16;
/// The rest of the input is the whole file.
const RAW: usize = 32;

pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((repairs, rest)) = selector(bytes) else { return false };
    let file = if repairs & RAW > 0 { rest.to_vec() } else { assembled(repairs, rest) };
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let name: TableName = NAME.parse().unwrap();
    let path = store.path(&name).unwrap();
    fs::write(&path, &file).unwrap();
    let expected = read_plainly(&file);
    let verified = store.verify(&name, &mut ());
    let len = expected.as_ref().map_or(0, |payload| payload.len());
    let loaded = store.load(&name, len, &mut ());
    let is_valid = expected.is_ok();
    match expected {
        Ok(payload) => {
            assert_eq!(verified.unwrap(), Some(len as u64));
            assert_eq!(&*loaded.unwrap().unwrap(), payload);
            let longer = store.load(&name, len + 1, &mut ());
            assert_eq!(damage(longer.map(|_| ())), "Length");
        }
        Err(expected) => {
            assert_eq!(damage(verified.map(|_| ())), expected);
            assert!(loaded.is_err());
        }
    }
    let listed = store.list().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].file_len, file.len() as u64);
    assert_eq!(fs::read(&path).unwrap(), file, "readers leave a file unchanged");
    // A damaged file does not prevent a build.
    let built = vec![7; 5];
    let loaded = store.get_or_build(&name, 5, &mut (), |_| Ok(built.clone())).unwrap();
    assert!(*loaded.bytes == *built || !loaded.is_built && loaded.bytes.len() == 5);
    assert_eq!(store.load(&name, 5, &mut ()).unwrap().unwrap(), loaded.bytes);
    is_valid
}

/// A file from the first bytes of its header and its payload.
fn assembled(repairs: usize, rest: &[u8]) -> Vec<u8> {
    let (head, payload) = rest.split_at(rest.len().min(HEAD));
    let mut file = vec![0; HEADER];
    file[..head.len()].copy_from_slice(head);
    file.extend(payload);
    repair(&mut file, repairs, NAME);
    file
}

pub(super) const ALL_REPAIRS: usize = MAGIC | OWN_NAME | LENGTH | PAYLOAD | CHECKSUM;

/// Repairs the fields that the bits select.
pub(super) fn repair(file: &mut [u8], repairs: usize, name: &str) {
    let n_payload = (file.len() - HEADER) as u64;
    let sum = payload_sum(&file[HEADER..]);
    let mut put = |bit: usize, at: usize, bytes: &[u8]| {
        if repairs & bit > 0 {
            file[at..at + bytes.len()].copy_from_slice(bytes);
        }
    };
    put(MAGIC, 0, b"\x89NPT\r\n\x1a\n\x01\0\0\0");
    put(OWN_NAME, 12, &(name.len() as u32).to_le_bytes());
    put(OWN_NAME, 32, name.as_bytes());
    put(LENGTH, 16, &n_payload.to_le_bytes());
    put(PAYLOAD, 24, &sum.to_le_bytes());
    let sum = xxh3_64(&file[..HEADER - 8]);
    if repairs & CHECKSUM > 0 {
        file[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
    }
}

/// The checksum of the checksums of the mebibytes.
fn payload_sum(payload: &[u8]) -> u64 {
    let sums = payload.chunks(1 << 20).flat_map(|block| xxh3_64(block).to_le_bytes());
    xxh3_64(&sums.collect::<Vec<u8>>())
}

/// Reads the payload, or returns the name of the damage.
fn read_plainly(file: &[u8]) -> Result<&[u8], &'static str> {
    let number = |at: usize, n: usize| {
        file[at..at + n].iter().rev().fold(0u64, |all, &byte| all << 8 | u64::from(byte))
    };
    if !file.starts_with(b"\x89NPT\r\n\x1a\n") {
        return Err("Foreign");
    }
    if file.len() < HEADER {
        return Err("Length");
    }
    if number(8, 4) != 1 {
        return Err("Version");
    }
    if number(HEADER - 8, 8) != xxh3_64(&file[..HEADER - 8]) {
        return Err("Header");
    }
    let n_name = (number(12, 4) as usize).min(TableName::MAX_LEN);
    if &file[32..32 + n_name] != NAME.as_bytes() {
        return Err("Name");
    }
    let payload = &file[HEADER..];
    if number(16, 8) != payload.len() as u64 {
        return Err("Length");
    }
    if number(24, 8) != payload_sum(payload) {
        return Err("Payload");
    }
    Ok(payload)
}

fn damage(result: Result<(), StoreError>) -> &'static str {
    match result {
        Err(StoreError::Damaged { damage, .. }) => match damage {
            Damage::Foreign => "Foreign",
            Damage::Length { .. } => "Length",
            Damage::Version { .. } => "Version",
            Damage::Header => "Header",
            Damage::Name { .. } => "Name",
            Damage::Payload => "Payload",
            other => panic!("unknown damage {other:?}"),
        },
        other => panic!("expected damage, found {other:?}"),
    }
}
