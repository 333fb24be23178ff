//! The local server of npuzzle: its page, and the HTTP interface behind it (`docs/http.md`).
//!
//! ```no_run
//! let server = npuzzle_web::Server::bind(npuzzle_web::Config::default())?;
//! println!("http://{}/", server.address());
//! server.run_until_signal(false)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! The way of a question: `server` accepts connections and cuts off slow ones, `guard` turns away
//! strangers, `question` reads the body, a file of `api/` understands it, `jobs` finds it a place and a
//! thread to be answered on, and `error` says what went wrong. Searches never run on the threads
//! that serve connections, and whatever runs ends when nobody waits for it any more. What is held for
//! others, bodies and answers, has a `budget`.

#![forbid(unsafe_code)]

mod api;
mod assets;
mod budget;
mod config;
mod error;
mod host_check;
mod jobs;
mod request;
mod server;
mod watch;

pub use crate::server::in_memory::InMemory;
pub use api::ROUTES;
pub use config::{Config, Limits};
pub use server::Server;
