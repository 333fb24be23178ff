//! Prefetching into the processor's caches.

/// Asks the processor to load a byte of a table that will be needed soon. This is a hint: it has no
/// effect except on the time.
#[inline(always)]
pub fn prefetch(bytes: &[u8], at: usize) {
    if let Some(byte) = bytes.get(at) {
        prefetch_value(byte);
    }
}

/// Asks the processor to load the cache line in which a value begins, as [`prefetch`] does.
#[allow(unsafe_code)]
#[inline(always)]
pub fn prefetch_value<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It does not read the value into a
        // register, and the address is valid for reads.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefetch_accepts_any_index_and_changes_nothing() {
        let bytes: Vec<u8> = (0..100).collect();
        for at in [0, 1, 63, 99, 100, 101, usize::MAX] {
            prefetch(&bytes, at);
            prefetch(&[], at);
        }
        prefetch_value(&bytes);
        prefetch_value(&());
        assert!(bytes.iter().copied().eq(0..100));
    }
}
