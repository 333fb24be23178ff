//! The server as its clients see it: a real one on a free port, asked over real connections.

// A test that cannot go on should stop where it is, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod answers;
mod client;
mod crowd;
mod events;
mod held;
mod hostile;
mod openapi;
mod page;
