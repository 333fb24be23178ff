//! Bytes of a connection to the server, without a network.

use std::sync::OnceLock;
use std::time::Duration;

use npuzzle_web::{Config, InMemory, RequestLimits, ServerLimits};

/// The server answers with complete responses, or not at all.
pub(super) fn run(bytes: &[u8]) -> bool {
    let received = server().exchange(bytes);
    assert!(received.len() <= MAX_RECEIVED, "{}", received.len());
    assert_responses(bytes, &received)
}

/// Asserts that all responses are complete, and returns whether one has status 200.
fn assert_responses(sent: &[u8], received: &[u8]) -> bool {
    let may_lack_body = sent.windows(5).any(|five| five == b"HEAD ");
    let mut rest = received;
    let mut has_ok = false;
    while let Some(response) = Response::take_first(&mut rest, may_lack_body) {
        response.assert_valid();
        has_ok |= response.status == 200;
    }
    assert!(rest.is_empty(), "{}", rest.escape_ascii());
    has_ok
}

/// A short input requests at most a few files and a few boards.
const MAX_RECEIVED: usize = 64 << 20;

/// A server with small limits, so that every request is answered quickly.
pub(super) fn server() -> &'static InMemory {
    static SERVER: OnceLock<InMemory> = OnceLock::new();
    SERVER.get_or_init(|| {
        let limits = ServerLimits {
            max_body_bytes: 1 << 16,
            request: RequestLimits {
                max_cells: 400,
                max_time: Duration::from_millis(30),
                max_memory: 16 << 20,
            },
            jobs: 2,
            ..ServerLimits::default()
        };
        InMemory::new(Config { limits, ..Config::default() }).unwrap()
    })
}

/// An HTTP response.
pub(super) struct Response<'a> {
    pub(super) status: u16,
    head: String,
    pub(super) body: &'a [u8],
}

impl<'a> Response<'a> {
    /// Removes the first response from the front; `None` if there is none. Asserts that it is
    /// complete, except for the body of a response to HEAD.
    pub(super) fn take_first(rest: &mut &'a [u8], may_lack_body: bool) -> Option<Response<'a>> {
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8(rest[..end].to_vec()).unwrap().to_lowercase();
        assert!(head.starts_with("http/1."), "{head}");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut response = Response { status, head, body: &[] };
        let body = &rest[end + 4..];
        let lacks_body = may_lack_body && (body.is_empty() || body.starts_with(b"HTTP/1."));
        let n_bytes = match response.header("content-length") {
            _ if lacks_body => 0,
            Some(length) => length.parse().unwrap(),
            None if response.header("transfer-encoding").is_some() => chunked_length(body),
            // In HTTP/1.0 a body without a length extends to the end of the connection.
            None if response.head.starts_with("http/1.0") => body.len(),
            None => 0,
        };
        let n_received = body.len();
        assert!(n_bytes <= n_received, "{}: {n_received} of {n_bytes} bytes", response.head);
        (response.body, *rest) = body.split_at(n_bytes);
        Some(response)
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.into_iter().find(|(found, _)| *found == name).map(|(_, value)| value.trim())
    }

    /// Asserts that the response is not an internal error, has the security headers of the page, and
    /// reports errors as JSON objects.
    pub(super) fn assert_valid(&self) {
        assert!(self.status != 500, "{} {}", self.head, self.body.escape_ascii());
        // hyper answers invalid HTTP itself, with a status and no body.
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

/// The length of a chunked body, including the chunk sizes and the empty last chunk.
fn chunked_length(body: &[u8]) -> usize {
    let mut n_bytes = 0;
    loop {
        let rest = body.get(n_bytes..).unwrap();
        let end = rest.windows(2).position(|two| two == b"\r\n").unwrap();
        let size = usize::from_str_radix(str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        n_bytes += end + 2 + size + 2;
        assert_eq!(body.get(n_bytes - 2..n_bytes), Some(&b"\r\n"[..]));
        if size == 0 {
            return n_bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn truncated_response_is_detected() {
        let body = r#"{"board": "1 2/0 3"}"#;
        let length = body.len();
        let post = |path: &str| {
            format!(
                "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            )
        };
        let version = "GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let sent = [post("/api/v1/solve/stream"), post("/api/v1/solve"), version.into()].concat();
        let received = server().exchange(sent.as_bytes());
        assert!(assert_responses(sent.as_bytes(), &received));
        let is_complete =
            |received: &[u8]| catch_unwind(|| assert_responses(sent.as_bytes(), received)).is_ok();
        let starts: Vec<usize> = (0..received.len())
            .filter(|&at| received[at..].starts_with(b"HTTP/1.1 200 "))
            .collect();
        assert_eq!(starts.len(), 3);
        for end in 1..received.len() {
            assert_eq!(is_complete(&received[..end]), starts.contains(&end), "{end}");
        }
        // A byte is lost between two responses.
        for start in &starts[1..] {
            assert!(!is_complete(&[&received[..start - 1], &received[*start..]].concat()));
        }
    }

    #[test]
    fn response_to_head_has_no_body() {
        let sent = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2);
        assert!(assert_responses(&sent, &server().exchange(&sent)));
    }
}
