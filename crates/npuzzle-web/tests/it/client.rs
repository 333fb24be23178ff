//! A server for a test, and a client that does what it is told, right or wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use npuzzle_web::{Config, Limits, Server};
use serde_json::Value;
use tokio::sync::oneshot;

/// Longer than anything takes that ends at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that ends with the test.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start() -> TestServer {
        TestServer::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> TestServer {
        let server = Server::bind(Config { port: 0, limits, ..Config::default() }).unwrap();
        let address = server.address();
        let (end, ended) = oneshot::channel();
        let wait = async {
            let _ = ended.await;
            Ok(())
        };
        let thread = std::thread::spawn(move || server.run(wait).unwrap());
        TestServer { address, end: Some(end), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends these bytes and reads the answer.
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

    /// The answer to a question that has one.
    pub(crate) fn ask(&self, path: &str, body: Value) -> Value {
        let reply = self.post(path, &body);
        assert_eq!(reply.status, 200, "{path} {body}: {}", reply.text());
        reply.json()
    }

    /// A count of the status.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.get("/api/v1/status").json()[name].as_u64().unwrap()
    }

    /// Waits until a count is so large.
    pub(crate) fn wait_for(&self, name: &str, is_reached: impl Fn(u64) -> bool) {
        let begun = Instant::now();
        while !is_reached(self.count(name)) {
            assert!(begun.elapsed() < PATIENCE, "{name}: {}", self.count(name));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Closes the server, and says how long that took.
    pub(crate) fn close(mut self) -> Duration {
        let begun = Instant::now();
        self.end_now();
        begun.elapsed()
    }

    fn end_now(&mut self) {
        if let (Some(end), Some(thread)) = (self.end.take(), self.thread.take()) {
            let _ = end.send(());
            thread.join().unwrap();
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.end_now();
    }
}

/// A head with the usual fields, and these.
pub(crate) fn head(method: &str, path: &str, more: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n")
}

pub(crate) fn post(path: &str, body: &str) -> String {
    let length = body.len();
    let more = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
    head("POST", path, &more) + body
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// All of it, until the connection is closed.
    pub(crate) fn read(stream: TcpStream) -> Reply {
        let mut reader = BufReader::new(stream);
        let (status, head) = read_head(&mut reader);
        let mut body = Vec::new();
        reader.read_to_end(&mut body).unwrap();
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(&body) } else { body };
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

    /// The kind of an error.
    pub(crate) fn kind(&self) -> String {
        self.json()["error"]["kind"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn read_head(reader: &mut impl BufRead) -> (u16, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let n = reader.read_line(&mut head).unwrap();
        assert!(n > 0, "the connection was closed within the head: {head:?}");
    }
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head)
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..at]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        all.extend_from_slice(&bytes[at + 2..at + 2 + size]);
        bytes = &bytes[at + 2 + size + 2..];
    }
    all
}

/// Whether the other side has closed the connection.
pub(crate) fn is_closed(mut stream: TcpStream) -> bool {
    matches!(stream.read(&mut [0; 1]), Ok(0) | Err(_))
}
