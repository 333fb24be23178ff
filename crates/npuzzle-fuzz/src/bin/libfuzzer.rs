//! Runs one target under libFuzzer. The environment variable `NPUZZLE_FUZZ_TARGET` names it.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use npuzzle_fuzz::{Target, find};

static TARGET: OnceLock<&'static Target> = OnceLock::new();

fn target() -> &'static Target {
    TARGET.get_or_init(|| {
        let name = std::env::var("NPUZZLE_FUZZ_TARGET").unwrap_or_default();
        find(&name).unwrap_or_else(|| panic!("NPUZZLE_FUZZ_TARGET={name:?}: unknown target"))
    })
}

fuzz_target!(|input: &[u8]| {
    target().check(input);
});
