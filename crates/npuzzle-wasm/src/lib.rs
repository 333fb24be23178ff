//! npuzzle as a WebAssembly module: it answers the JSON requests of the HTTP interface without a server.
//!
//! The module has no dependency on a JavaScript binding generator. It exports `allocate` and `call`, and imports
//! two functions of the host: a clock, and a function that receives what a request yields, each item with a name:
//! the events of its stream (`docs/http.md`), then the answer, `json` or `file`, or `error`.
//!
//! A call runs to its end on the calling thread; a page runs it in a worker, and cancels it by ending the worker.

mod call;
#[cfg(target_family = "wasm")]
mod exports;

pub use call::{Output, call};
