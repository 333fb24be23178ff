//! Has memory fetched into the caches while other things are done.

/// Asks for a byte of a table that will be needed soon. A hint: it changes nothing but time.
#[inline(always)]
pub fn prefetch(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(at) {
        fetch(byte);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn fetch(byte: &u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the instruction is part of every x86-64, reads nothing into the program, and is given
    // an address that may be read.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_within_and_beyond_the_bytes_changes_nothing() {
        let bytes: Vec<u8> = (0..100).collect();
        for at in [0, 1, 63, 99, 100, 101, usize::MAX] {
            prefetch(&bytes, at);
            prefetch(&[], at);
        }
        assert!(bytes.iter().copied().eq(0..100));
    }
}
