//! The local web server of npuzzle: the page and its HTTP interface (`docs/http.md`).
//!
//! ```no_run
//! let server = npuzzle_web::Server::bind(npuzzle_web::Config::default())?;
//! println!("http://{}/", server.address());
//! server.run_until_signal(false)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A request passes through these modules in order: `server` accepts the connection and enforces
//! its timeouts, `host_check` rejects requests from other sites (`cross_origin` has the exceptions), `request` reads the body and the
//! common fields, a file of `api/` validates it, and `jobs` runs it in a slot on a thread of its
//! own. `error` describes failures. `budget` bounds the memory of buffered bodies and responses.
//!
//! A search never runs on the thread that serves connections. A job stops when its client
//! disconnects.

#![forbid(unsafe_code)]

mod api;
mod app;
mod assets;
mod budget;
mod config;
mod connections;
mod cross_origin;
mod error;
mod host_check;
mod jobs;
mod request;
mod server;
mod site_address;

pub use crate::server::in_memory::InMemory;
pub use api::ROUTES;
pub use config::{Config, ServerLimits};
pub use npuzzle_api::RequestLimits;
pub use server::{Server, ShutdownSignal};
pub use site_address::{AddressError, PageAddress, SiteOrigin};
