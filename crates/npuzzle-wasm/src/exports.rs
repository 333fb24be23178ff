//! The functions that the host calls, and those that it provides. Texts are passed as an address and a length in the
//! module's memory.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::time::Duration;

use npuzzle::Tables;

#[link(wasm_import_module = "host")]
// SAFETY: the host provides these functions with these types; they read the memory only during the call.
unsafe extern "C" {
    /// The time since some fixed point, in milliseconds.
    safe fn now() -> f64;
    /// Receives an item: its name and its bytes.
    fn receive(name: *const u8, name_len: usize, bytes: *const u8, len: usize);
}

thread_local! {
    /// The tables of earlier requests.
    static TABLES: RefCell<Tables> = RefCell::new(Tables::new());
}

/// Allocates memory for a text of the host, which it passes to `call`.
// SAFETY: the name is not used by another function of the module.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn allocate(len: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; len].into_boxed_slice()).cast()
}

/// Answers a request. Both texts were allocated with `allocate`, and the module releases them.
// SAFETY: the name is not used by another function of the module.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call(name: *mut u8, name_len: usize, body: *mut u8, body_len: usize) {
    npuzzle::clock::set_host_clock(|| Duration::from_secs_f64(now().max(0.0) / 1e3));
    // SAFETY: the host passes addresses and lengths of `allocate`, each once.
    let [name, body] = [(name, name_len), (body, body_len)]
        .map(|(text, len)| unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, len)) });
    let mut output = |name: &str, bytes: &[u8]| {
        // SAFETY: both slices are valid during the call, in which the host copies them.
        unsafe { receive(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len()) }
    };
    let name = String::from_utf8_lossy(&name);
    TABLES.with_borrow_mut(|tables| crate::call(&name, &body, tables, &mut output));
}
