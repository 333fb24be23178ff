//! The server without a network, for tests and fuzzing.
//!
//! It takes the bytes that a client sends and returns the bytes that the server sends. Only the
//! socket is replaced, so tests reach the same code as remote clients.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

use crate::api;
use crate::app::App;
use crate::config::Config;
use crate::connections::Client;
use crate::server::write_timeout::WriteTimeout;
use crate::server::{connection_service, http1_builder};

/// A server within this process that needs no socket.
///
/// ```
/// let server = npuzzle_web::InMemory::new(npuzzle_web::Config::default())?;
/// let response = server.exchange(b"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
/// assert!(response.starts_with(b"HTTP/1.1 200 OK\r\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct InMemory {
    runtime: Runtime,
    app: Arc<App>,
    router: Router,
}

impl InMemory {
    /// Creates a server. The configured address is only used as an accepted host name.
    pub fn new(config: Config) -> io::Result<InMemory> {
        let app = Arc::new(App::new(config));
        let router = api::router(Arc::clone(&app));
        Ok(InMemory { runtime: Builder::new_current_thread().enable_all().build()?, app, router })
    }

    /// Sends `bytes` on a new connection, closes its sending side, and returns all bytes that the
    /// server sends back.
    pub fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let limits = self.app.limits();
        let Some(connection) = self.app.connections.open(limits.max_connections) else {
            return Vec::new();
        };
        let client = Client(Ipv4Addr::LOCALHOST.into());
        let service = connection_service(client, connection.registry(), self.router.clone());
        let (client, stream) = tokio::io::duplex(1 << 16);
        let stream = TokioIo::new(WriteTimeout::new(stream, limits));
        // The client closes its sending side before it reads the response.
        let served = http1_builder(limits).half_close(true).serve_connection(stream, service);
        let mut received = Vec::new();
        self.runtime.block_on(async {
            let (mut reader, mut writer) = tokio::io::split(client);
            let send = async {
                // A server that stops reading still sends an error response.
                let _ = writer.write_all(bytes).await;
                let _ = writer.shutdown().await;
            };
            let _ = tokio::join!(served, send, reader.read_to_end(&mut received));
        });
        received
    }
}
