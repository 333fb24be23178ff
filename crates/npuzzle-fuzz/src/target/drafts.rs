//! Drafts of a table whose build was cut off: what another build goes on from.
//!
//! A checksum keeps out what was damaged. Here it is made right, so that the numbers behind it are
//! anything at all: the table may then be wrong, but a build comes to an end and does not panic.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use npuzzle_core::Cell;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::{Partition, Store, TableSpec, Width};

use super::tables::{ALL_MENDED, HEADER, mend};

/// Two bytes say where the draft ends, unless they are 0; then come changes, a place and a byte each.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((end, changes)) = bytes.split_first_chunk::<2>() else { return false };
    let recipe = recipe();
    let mut file = draft().to_vec();
    match HEADER + usize::from(u16::from_le_bytes(*end)) {
        HEADER => {}
        end => file.truncate(end),
    }
    for &[low, high, byte] in changes.as_chunks::<3>().0 {
        let at = HEADER + usize::from(u16::from_le_bytes([low, high]));
        if let Some(place) = file.get_mut(at) {
            *place = byte;
        }
    }
    mend(&mut file, ALL_MENDED, &format!("draft1.{}", recipe.name()));
    let folder = tempfile::tempdir().unwrap();
    fs::write(draft_path(folder.path(), &recipe), &file).unwrap();
    let mut asked = Asked::default();
    let got = recipe.get(&Store::at(folder.path()), 1, &mut asked).unwrap();
    assert!(got.is_built && got.bytes.len() == recipe.len());
    assert!(!draft_path(folder.path(), &recipe).exists(), "a draft goes when its table is there");
    // Who goes on has other things to do than who begins.
    asked.0 != n_asked_anew()
}

/// Counts how often a build asks whether to go on.
#[derive(Default)]
struct Asked(u64);

impl Watch for Asked {
    fn building(&mut self, _: f64) -> ControlFlow<Limit> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// How often a build asks that has no draft.
fn n_asked_anew() -> u64 {
    static ASKED: OnceLock<u64> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let mut asked = Asked::default();
        recipe().get(&Store::none(), 1, &mut asked).unwrap();
        asked.0
    })
}

fn recipe() -> TableSpec {
    let patterns: [&[u8]; 2] = [&[1, 2, 3], &[4, 5]];
    let dims = "3x3".parse().unwrap();
    Partition::new(dims, Cell::new(0), &patterns, Width::Four).unwrap().spec("").unwrap()
}

fn draft_path(folder: &Path, recipe: &TableSpec) -> PathBuf {
    folder.join(format!("{}.draft", recipe.name()))
}

/// A draft as it is written in the middle of the first pattern.
fn draft() -> &'static [u8] {
    static DRAFT: OnceLock<Vec<u8>> = OnceLock::new();
    DRAFT.get_or_init(|| {
        let (folder, recipe) = (tempfile::tempdir().unwrap(), recipe());
        let store = Store::at(folder.path()).checkpoint_every(Duration::ZERO);
        let cut = recipe.get(&store, 1, &mut Cutter);
        assert_eq!(cut.err(), Some(Limit::Interrupted));
        fs::read(draft_path(folder.path(), &recipe)).unwrap()
    })
}

/// Ends a build when a fifth of it is done.
struct Cutter;

impl Watch for Cutter {
    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        if share > 0.2 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}
