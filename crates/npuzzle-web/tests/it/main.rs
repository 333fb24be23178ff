//! Tests of the server over real connections, on a free port.

// A failed test may panic, also in its helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod buffers;
mod client;
mod events;
mod hostile;
mod load;
mod openapi;
mod origins;
mod page;
mod requests;
mod slots;
