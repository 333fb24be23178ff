//! Connections to the server, byte for byte, without a network.

use std::sync::OnceLock;
use std::time::Duration;

use npuzzle_web::{Config, InMemory, Limits};

/// What is sent is answered by whole answers, or by none.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let heard = server().exchange(bytes);
    assert!(heard.len() <= MOST_HEARD, "{}", heard.len());
    is_answered(bytes, &heard)
}

/// Whether there is an answer; that all are whole.
fn is_answered(asked: &[u8], heard: &[u8]) -> bool {
    let may_lack_body = asked.windows(5).any(|five| five == b"HEAD ");
    let mut rest = heard;
    let mut is_answered = false;
    while let Some(answer) = Heard::first_of(&mut rest, may_lack_body) {
        answer.assert_whole();
        is_answered |= answer.status == 200;
    }
    assert!(rest.is_empty(), "{}", rest.escape_ascii());
    is_answered
}

/// So short an input asks for a few files and a few boards.
const MOST_HEARD: usize = 64 << 20;

/// A server that grants little, so that every question is answered soon.
pub(super) fn server() -> &'static InMemory {
    static SERVER: OnceLock<InMemory> = OnceLock::new();
    SERVER.get_or_init(|| {
        let limits = Limits {
            max_body_bytes: 1 << 16,
            max_cells: 400,
            max_time: Duration::from_millis(30),
            max_memory: 16 << 20,
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
    /// The first answer, taken off the front; `None` if there is none. All that it tells to have is
    /// there, but for the body of an answer to HEAD.
    pub(super) fn first_of(rest: &mut &'a [u8], may_lack_body: bool) -> Option<Heard<'a>> {
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8(rest[..end].to_vec()).unwrap().to_lowercase();
        assert!(head.starts_with("http/1."), "{head}");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Heard { status, head, body: &[] };
        let body = &rest[end + 4..];
        let lacks_body = may_lack_body && (body.is_empty() || body.starts_with(b"HTTP/1."));
        let n_bytes = match answer.header("content-length") {
            _ if lacks_body => 0,
            Some(length) => length.parse().unwrap(),
            None if answer.header("transfer-encoding").is_some() => length_of_pieces(body),
            // Before there were pieces, what had no length went on to the end of the connection.
            None if answer.head.starts_with("http/1.0") => body.len(),
            None => 0,
        };
        assert!(n_bytes <= body.len(), "{}: of {n_bytes} bytes {} came", answer.head, body.len());
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

/// The length of a body in pieces, with their sizes and the empty one at the end.
fn length_of_pieces(body: &[u8]) -> usize {
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
    fn an_answer_that_is_cut_is_noticed() {
        let body = r#"{"board": "1 2/0 3"}"#;
        let length = body.len();
        let post = |path: &str| {
            format!(
                "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            )
        };
        let version = "GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let asked = [post("/api/v1/solve/stream"), post("/api/v1/solve"), version.into()].concat();
        let heard = server().exchange(asked.as_bytes());
        assert!(is_answered(asked.as_bytes(), &heard));
        let is_whole = |heard: &[u8]| catch_unwind(|| is_answered(asked.as_bytes(), heard)).is_ok();
        let starts: Vec<usize> =
            (0..heard.len()).filter(|&at| heard[at..].starts_with(b"HTTP/1.1 200 ")).collect();
        assert_eq!(starts.len(), 3);
        for end in 1..heard.len() {
            assert_eq!(is_whole(&heard[..end]), starts.contains(&end), "{end}");
        }
        // A byte is lost between two answers.
        assert!(!is_whole(&[&heard[..starts[1] - 1], &heard[starts[1]..]].concat()));
        assert!(!is_whole(&[&heard[..starts[2] - 1], &heard[starts[2]..]].concat()));
    }

    #[test]
    fn an_answer_to_head_has_no_body() {
        let asked = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2);
        assert!(is_answered(&asked, &server().exchange(&asked)));
    }
}
