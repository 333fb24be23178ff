//! Checkpoints of interrupted table builds, from which another build resumes.
//!
//! The store rejects a damaged checkpoint by its checksum. Here the checksum is valid and the
//! contents are arbitrary: the table may be wrong, but the build must terminate without a panic.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use npuzzle_core::Cell;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::{Partition, PdbKind, Store, TableSpec};

use super::tables::{ALL_REPAIRS, HEADER, repair};

/// The first two bytes truncate the checkpoint, unless they are 0. Then follow changes, an offset of
/// two bytes and a byte each.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((end, changes)) = bytes.split_first_chunk::<2>() else { return false };
    let spec = table_spec();
    let mut file = checkpoint().to_vec();
    match HEADER + usize::from(u16::from_le_bytes(*end)) {
        HEADER => {}
        end => file.truncate(end),
    }
    for &[low, high, byte] in changes.as_chunks::<3>().0 {
        let at = HEADER + usize::from(u16::from_le_bytes([low, high]));
        if let Some(target) = file.get_mut(at) {
            *target = byte;
        }
    }
    repair(&mut file, ALL_REPAIRS, &format!("draft1.{}", spec.name()));
    let folder = tempfile::tempdir().unwrap();
    fs::write(checkpoint_path(folder.path(), &spec), &file).unwrap();
    let mut polls = PollCounter::default();
    let loaded = spec.get(&Store::at(folder.path()), 1, &mut polls).unwrap();
    assert!(loaded.is_built && loaded.bytes.len() == spec.len());
    let is_left = checkpoint_path(folder.path(), &spec).exists();
    assert!(!is_left, "the checkpoint is removed when the table is complete");
    // A resumed build polls less often than a complete one.
    polls.0 != n_polls_of_complete_build()
}

/// Counts the polls of a build.
#[derive(Default)]
struct PollCounter(u64);

impl Watch for PollCounter {
    fn building(&mut self, _: f64) -> ControlFlow<Limit> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

fn n_polls_of_complete_build() -> u64 {
    static N_POLLS: OnceLock<u64> = OnceLock::new();
    *N_POLLS.get_or_init(|| {
        let mut polls = PollCounter::default();
        table_spec().get(&Store::none(), 1, &mut polls).unwrap();
        polls.0
    })
}

fn table_spec() -> TableSpec {
    let patterns: [&[u8]; 2] = [&[1, 2, 3], &[4, 5]];
    let dims = "3x3".parse().unwrap();
    Partition::new(dims, Cell::new(0), &patterns, PdbKind::ZeroAware).unwrap().spec("").unwrap()
}

fn checkpoint_path(folder: &Path, spec: &TableSpec) -> PathBuf {
    folder.join(format!("{}.draft", spec.name()))
}

/// A checkpoint from the middle of the first pattern.
fn checkpoint() -> &'static [u8] {
    static CHECKPOINT: OnceLock<Vec<u8>> = OnceLock::new();
    CHECKPOINT.get_or_init(|| {
        let (folder, spec) = (tempfile::tempdir().unwrap(), table_spec());
        let store = Store::at(folder.path()).checkpoint_every(Duration::ZERO);
        let stopped = spec.get(&store, 1, &mut StopAtOneFifth);
        assert_eq!(stopped.err(), Some(Limit::Interrupted));
        fs::read(checkpoint_path(folder.path(), &spec)).unwrap()
    })
}

/// Interrupts a build when a fifth of it is done.
struct StopAtOneFifth;

impl Watch for StopAtOneFifth {
    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        if share > 0.2 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}
