//! A server for tests, and a client that sends any bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use npuzzle_web::{Config, Server, ServerLimits};
use serde_json::Value;
use tokio::sync::oneshot;

/// Longer than any request takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server that shuts down when it is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    shutdown: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start() -> TestServer {
        TestServer::with(ServerLimits::default())
    }

    pub(crate) fn with(limits: ServerLimits) -> TestServer {
        TestServer::with_config(Config { limits, ..Config::default() })
    }

    /// Starts a server with this configuration on a free port.
    pub(crate) fn with_config(config: Config) -> TestServer {
        let server = Server::bind(Config { port: 0, ..config }).unwrap();
        let address = server.address();
        let (shutdown, receiver) = oneshot::channel();
        let wait = async {
            let _ = receiver.await;
            Ok(())
        };
        let thread = std::thread::spawn(move || server.run(wait).unwrap());
        TestServer { address, shutdown: Some(shutdown), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends bytes on a new connection and reads the response.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        Reply::read(stream)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.exchange(head("GET", path, "").as_bytes())
    }

    pub(crate) fn post_raw(&self, path: &str, body: &str) -> Reply {
        self.exchange(post(path, body).as_bytes())
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.post_raw(path, &body.to_string())
    }

    /// Sends a request that must succeed, and returns its JSON.
    pub(crate) fn request(&self, path: &str, body: Value) -> Value {
        let reply = self.post(path, &body);
        assert_eq!(reply.status, 200, "{path} {body}: {}", reply.text());
        reply.json()
    }

    /// Returns a number of `status`.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.get("/api/v1/status").json()[name].as_u64().unwrap()
    }

    /// Waits until a number of `status` satisfies a condition.
    pub(crate) fn wait_for(&self, name: &str, is_reached: impl Fn(u64) -> bool) {
        let started = Instant::now();
        while !is_reached(self.count(name)) {
            assert!(started.elapsed() < TIMEOUT, "{name}: {}", self.count(name));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Shuts the server down, and returns how long that took.
    pub(crate) fn close(mut self) -> Duration {
        let started = Instant::now();
        self.shut_down();
        started.elapsed()
    }

    fn shut_down(&mut self) {
        if let (Some(shutdown), Some(thread)) = (self.shutdown.take(), self.thread.take()) {
            let _ = shutdown.send(());
            thread.join().unwrap();
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Returns the head of a request, with these additional headers.
pub(crate) fn head(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
}

pub(crate) fn post(path: &str, body: &str) -> String {
    let length = body.len();
    let headers = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
    head("POST", path, &headers) + body
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Reads a response until the connection is closed.
    pub(crate) fn read(stream: TcpStream) -> Reply {
        let mut reader = BufReader::new(stream);
        let (status, head) = read_head(&mut reader);
        let mut body = Vec::new();
        reader.read_to_end(&mut body).unwrap();
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { decode_chunks(&body) } else { body };
        Reply { status, head, body }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns the kind of an error.
    pub(crate) fn kind(&self) -> String {
        self.json()["error"]["kind"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn read_head(reader: &mut impl BufRead) -> (u16, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let n = reader.read_line(&mut head).unwrap();
        assert!(n > 0, "the connection was closed in the head: {head:?}");
    }
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head)
}

fn decode_chunks(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..at]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        all.extend_from_slice(&bytes[at + 2..at + 2 + size]);
        bytes = &bytes[at + 2 + size + 2..];
    }
    all
}

/// Whether the server has closed the connection.
pub(crate) fn is_closed(mut stream: TcpStream) -> bool {
    matches!(stream.read(&mut [0; 1]), Ok(0) | Err(_))
}
