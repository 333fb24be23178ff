//! The server without a network: the bytes of a connection in, the bytes of its answers out.
//!
//! All of it is the same but for the socket, so that tests and fuzzers reach what strangers reach.

use std::io;
use std::sync::Arc;

use axum::Router;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

use crate::api::{self, App};
use crate::config::Config;
use crate::server::write_timeout::Patient;
use crate::server::{answering, http};

/// A server that is asked by the program that it is in.
///
/// ```
/// let server = npuzzle_web::InMemory::new(npuzzle_web::Config::default())?;
/// let answer = server.exchange(b"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
/// assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct InMemory {
    runtime: Runtime,
    app: Arc<App>,
    router: Router,
}

impl InMemory {
    /// Of the configuration, the address counts only as one of the server's names.
    pub fn new(config: Config) -> io::Result<InMemory> {
        let app = Arc::new(App::new(config));
        let router = api::router(Arc::clone(&app));
        Ok(InMemory { runtime: Builder::new_current_thread().enable_all().build()?, app, router })
    }

    /// What a connection hears that sends these bytes and then no more.
    pub fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let limits = self.app.limits();
        let Some(connection) = self.app.connections.open(limits.connections) else {
            return Vec::new();
        };
        let service = answering(connection.asker(), self.router.clone());
        let (client, stream) = tokio::io::duplex(1 << 16);
        let stream = TokioIo::new(Patient::new(stream, limits));
        // A client that has said all it has to say is still answered.
        let served = http(limits).half_close(true).serve_connection(stream, service);
        let mut heard = Vec::new();
        self.runtime.block_on(async {
            let (mut answers, mut questions) = tokio::io::split(client);
            let ask = async {
                // Who is not listened to any more hears why.
                let _ = questions.write_all(bytes).await;
                let _ = questions.shutdown().await;
            };
            let _ = tokio::join!(served, ask, answers.read_to_end(&mut heard));
        });
        heard
    }
}
