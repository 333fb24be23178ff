//! Accepts connections, serves them, and shuts down gracefully.
//!
//! One thread serves all connections and never computes. Jobs run on threads of their own; if such
//! a thread cannot be started, the request fails and the server continues.

pub(crate) mod in_flight_body;
pub(crate) mod in_memory;
pub(crate) mod write_timeout;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use crate::api;
use crate::app::App;
use crate::config::{Config, ServerLimits};
use crate::connections::{Client, OpenConnection, RequestRegistry};
use crate::server::in_flight_body::hold_until_sent;
use crate::server::write_timeout::WriteTimeout;

/// The time that connections, and then jobs, have to end after the server is shut down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// A listening server. It answers no request until it runs.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Listens on the configured address. Fails if the address is not available, or if the system
    /// cannot start the threads of all jobs that the limits allow.
    pub fn bind(config: Config) -> io::Result<Server> {
        check_threads(config.limits.threads())?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind((config.host, config.port)))?;
        let address = listener.local_addr()?;
        let app = Arc::new(App::new(config));
        Ok(Server { runtime, listener, address, app })
    }

    /// Returns the address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process receives SIGINT or SIGTERM, or SIGHUP unless `ignores_hangup`, and returns the signal.
    /// Then running jobs are cancelled, and waiting clients receive their partial results.
    pub fn run_until_signal(self, ignores_hangup: bool) -> io::Result<ShutdownSignal> {
        self.run(shutdown_signal(ignores_hangup))
    }

    /// Serves until `shutdown` completes, and returns its result.
    pub fn run<T>(self, shutdown: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let Server { runtime, listener, app, .. } = self;
        runtime.block_on(serve(listener, app, shutdown))
    }
}

/// A signal that ends a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShutdownSignal {
    /// SIGINT or SIGHUP: a user pressed Ctrl-C or closed the terminal.
    Interrupt,
    /// SIGTERM: a service manager stops the server.
    Terminate,
}

/// Checks that `n_threads` threads can exist at the same time, by starting and ending them.
fn check_threads(n_threads: usize) -> io::Result<()> {
    let barrier = Mutex::new(());
    let started = thread::scope(|scope| {
        let _locked = barrier.lock();
        (0..n_threads).try_for_each(|_| {
            thread::Builder::new().spawn_scoped(scope, || drop(barrier.lock())).map(drop)
        })
    });
    started.map_err(|error| {
        let message =
            format!("cannot start {n_threads} threads for jobs: lower the number of jobs");
        io::Error::new(error.kind(), message)
    })
}

#[cfg(unix)]
async fn shutdown_signal(ignores_hangup: bool) -> io::Result<ShutdownSignal> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate())?;
    // Installing a handler would undo the effect of `nohup`.
    let mut hangup = if ignores_hangup { None } else { Some(signal(SignalKind::hangup())?) };
    let hung_up = async {
        match &mut hangup {
            Some(signal) => signal.recv().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| ShutdownSignal::Interrupt),
        _ = terminated.recv() => Ok(ShutdownSignal::Terminate),
        _ = hung_up => Ok(ShutdownSignal::Interrupt),
    }
}

#[cfg(not(unix))]
async fn shutdown_signal(_: bool) -> io::Result<ShutdownSignal> {
    tokio::signal::ctrl_c().await?;
    Ok(ShutdownSignal::Interrupt)
}

async fn serve<T>(
    listener: TcpListener,
    app: Arc<App>,
    shutdown: impl Future<Output = io::Result<T>>,
) -> io::Result<T> {
    let router = api::router(Arc::clone(&app));
    let graceful = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    let result = loop {
        let (stream, client) = tokio::select! {
            // The signal handlers must be installed before the first connection is accepted: until
            // then a signal kills the process.
            biased;
            ended = &mut shutdown => break ended,
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => (stream, Client(address.ip())),
                // No file descriptor is free, or the client has already disconnected.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            },
        };
        let Some(connection) = app.connections.open(app.limits().max_connections) else { continue };
        spawn_connection(stream, client, connection, &app, router.clone(), &graceful);
    };
    drop(listener);
    app.jobs.close();
    // Connections and jobs that exceed the timeout are abandoned.
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, app.jobs.ended()).await;
    result
}

/// Serves a connection on its own task.
fn spawn_connection(
    stream: TcpStream,
    client: Client,
    connection: OpenConnection,
    app: &App,
    router: Router,
    graceful: &GracefulShutdown,
) {
    // Responses are written in one piece, so Nagle's algorithm only adds latency. A failure to
    // disable it is harmless.
    let _ = stream.set_nodelay(true);
    let service = connection_service(client, connection.registry(), router);
    let stream = WriteTimeout::new(stream, app.limits());
    let served = http1_builder(app.limits()).serve_connection(TokioIo::new(stream), service);
    let served = graceful.watch(served);
    tokio::spawn(async move {
        tokio::select! {
            // An error ends only this connection.
            _ = served => {}
            () = connection.evicted() => {}
        }
    });
}

/// Returns the HTTP/1 settings of a connection.
fn http1_builder(limits: &ServerLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.read_timeout).max_buf_size(64 << 10);
    http
}

/// Returns the service that answers the requests of a connection.
fn connection_service(
    client: Client,
    registry: RequestRegistry,
    router: Router,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Send {
    service_fn(move |mut request: Request<Incoming>| {
        let in_flight = Arc::new(registry.begin());
        request.extensions_mut().insert(Arc::clone(&in_flight));
        request.extensions_mut().insert(client);
        let response = router.clone().oneshot(request);
        async move {
            let response = response.await?;
            in_flight.mark_received();
            Ok(hold_until_sent(response, in_flight))
        }
    })
}
