//! Connections to the server, byte for byte, without a network.

use std::sync::OnceLock;
use std::time::Duration;

use npuzzle_web::{Config, InMemory, Limits};

/// What is sent is answered by whole answers, or by none.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let heard = server().exchange(bytes);
    assert!(heard.len() <= MOST_HEARD, "{}", heard.len());
    let mut rest = &heard[..];
    let mut is_answered = false;
    while let Some(answer) = Heard::first_of(&mut rest) {
        answer.assert_whole();
        is_answered |= answer.status == 200;
    }
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 "), "{}", rest.escape_ascii());
    is_answered
}

/// So short an input asks for a few files and a few boards.
const MOST_HEARD: usize = 64 << 20;

/// A server that grants little, so that every question is answered soon.
pub(super) fn server() -> &'static InMemory {
    static SERVER: OnceLock<InMemory> = OnceLock::new();
    SERVER.get_or_init(|| {
        let limits = Limits {
            body: 1 << 16,
            cells: 400,
            time: Duration::from_millis(30),
            memory: 16 << 20,
            jobs: 2,
            ..Limits::default()
        };
        InMemory::new(Config { limits, ..Config::default() }).unwrap()
    })
}

/// An answer.
pub(super) struct Heard<'a> {
    pub(super) status: u16,
    head: String,
    pub(super) body: &'a [u8],
}

impl<'a> Heard<'a> {
    /// The first answer that is whole and has a length, taken off the front; `None` if there is none.
    pub(super) fn first_of(rest: &mut &'a [u8]) -> Option<Heard<'a>> {
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8(rest[..end].to_vec()).unwrap().to_lowercase();
        assert!(head.starts_with("http/1."), "{head}");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Heard { status, head, body: &[] };
        let body = &rest[end + 4..];
        let n_bytes = match answer.header("content-length") {
            Some(length) => length.parse().unwrap(),
            // Answers to HEAD and those that come in pieces are not looked into.
            None if answer.header("transfer-encoding").is_some() => body.len(),
            // Before there were pieces, what had no length went on to the end of the connection.
            None if answer.head.starts_with("http/1.0") => body.len(),
            None => 0,
        };
        // An answer to HEAD tells the length of what it does not have.
        let n_bytes = if body.starts_with(b"HTTP/1.") { 0 } else { n_bytes.min(body.len()) };
        (answer.body, *rest) = body.split_at(n_bytes);
        Some(answer)
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.into_iter().find(|(found, _)| *found == name).map(|(_, value)| value.trim())
    }

    /// No mistake of the server's own; what our page is held to; errors as objects.
    pub(super) fn assert_whole(&self) {
        assert!(self.status != 500, "{} {}", self.head, self.body.escape_ascii());
        // What is no HTTP never came to us: hyper answers it with a bare status.
        if matches!(self.status, 100 | 400 | 408 | 413 | 414 | 431 | 505) && self.body.is_empty() {
            return;
        }
        let policy = self.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'"), "{}", self.head);
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(self.header("access-control-allow-origin"), None);
        if self.status >= 400 && !self.body.is_empty() {
            let error: serde_json::Value = serde_json::from_slice(self.body).unwrap();
            assert!(error["error"]["kind"].is_string() && error["error"]["message"].is_string());
        }
    }
}
