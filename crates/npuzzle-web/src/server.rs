//! Accepts connections, serves them, and closes in good order.
//!
//! All connections are served by one thread, which never computes: there are more threads only for
//! jobs, and where they cannot be had that is an answer and not the end.

pub(crate) mod connections;
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

use crate::api::{self, App};
use crate::config::{Config, Limits};
use crate::server::connections::{Asker, Connection};
use crate::server::in_flight_body::until_taken;
use crate::server::write_timeout::Patient;

/// How long connections have to end when the server is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// A server that listens. Nothing is answered before it runs.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Listens on the address of the configuration, if all the jobs that it grants can have threads.
    pub fn bind(config: Config) -> io::Result<Server> {
        try_threads(config.limits.threads())?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind((config.host, config.port)))?;
        let address = listener.local_addr()?;
        let app = Arc::new(App::new(config));
        Ok(Server { runtime, listener, address, app })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until somebody asks the process to end; then running jobs are cancelled and told to
    /// whoever waits for them. A terminal that hangs up asks too, unless the server is to outlive it.
    pub fn run_until_signal(self, outlives_terminal: bool) -> io::Result<()> {
        self.run(ended_by_signal(outlives_terminal))
    }

    /// Answers until something happens.
    pub fn run(self, end: impl Future<Output = io::Result<()>>) -> io::Result<()> {
        let Server { runtime, listener, app, .. } = self;
        runtime.block_on(serve(listener, app, end))
    }
}

/// Starts so many threads at once, and ends them.
fn try_threads(n_threads: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    let started = thread::scope(|scope| {
        let _shut = gate.lock();
        (0..n_threads).try_for_each(|_| {
            thread::Builder::new().spawn_scoped(scope, || drop(gate.lock())).map(drop)
        })
    });
    started.map_err(|error| {
        let message = format!("the {n_threads} threads for jobs cannot be started: {error}");
        io::Error::new(error.kind(), message)
    })
}

#[cfg(unix)]
async fn ended_by_signal(outlives_terminal: bool) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate())?;
    // Not even heard: hearing it would undo what `nohup` has done.
    let mut hung_up = if outlives_terminal { None } else { Some(signal(SignalKind::hangup())?) };
    let hung_up = async {
        match &mut hung_up {
            Some(signal) => signal.recv().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminated.recv() => Ok(()),
        _ = hung_up => Ok(()),
    }
}

#[cfg(not(unix))]
async fn ended_by_signal(_: bool) -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    end: impl Future<Output = io::Result<()>>,
) -> io::Result<()> {
    let router = api::router(Arc::clone(&app));
    let graceful = GracefulShutdown::new();
    let mut end = pin!(end);
    let result = loop {
        let stream = tokio::select! {
            // First of all: a signal that comes before its handler is there ends the process at once.
            biased;
            ended = &mut end => break ended,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of files, or a client that has gone again.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            },
        };
        let Some(connection) = app.connections.open(app.limits().connections) else { continue };
        begin(stream, connection, &app, router.clone(), &graceful);
    };
    drop(listener);
    app.jobs.close();
    // Whoever has not ended by then is left behind.
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    let _ = tokio::time::timeout(FAREWELL, app.jobs.ended()).await;
    result
}

/// Serves a connection on a task of its own.
fn begin(
    stream: TcpStream,
    connection: Connection,
    app: &App,
    router: Router,
    graceful: &GracefulShutdown,
) {
    // Answers are small and whole; what cannot be set is not needed.
    let _ = stream.set_nodelay(true);
    let service = answering(connection.asker(), router);
    let stream = Patient::new(stream, app.limits());
    let served = http(app.limits()).serve_connection(TokioIo::new(stream), service);
    let served = graceful.watch(served);
    tokio::spawn(async move {
        tokio::select! {
            // What goes wrong with a connection is its own affair.
            _ = served => {}
            () = connection.unwanted() => {}
        }
    });
}

/// How connections are spoken with.
pub(crate) fn http(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience).max_buf_size(64 << 10);
    http
}

/// Answers the questions of a connection.
pub(crate) fn answering(
    asker: Asker,
    router: Router,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Send {
    service_fn(move |mut request: Request<Incoming>| {
        let asking = Arc::new(asker.asks());
        request.extensions_mut().insert(Arc::clone(&asking));
        let answered = router.clone().oneshot(request);
        async move {
            let response = answered.await?;
            asking.is_heard();
            Ok(until_taken(response, asking))
        }
    })
}
