//! Requests to the server: a path and a JSON body.

use npuzzle_web::ROUTES;
use serde_json::Value;

use crate::assertions::{assert_message, assert_position, selector};

use super::http::{Response, server};

/// The first byte selects the path.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, body)) = selector(bytes) else { return false };
    let posts: Vec<&str> =
        ROUTES.iter().filter(|(method, _)| *method == "post").map(|(_, path)| *path).collect();
    let path = posts[which % posts.len()];
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let received = server().exchange(&[head.as_bytes(), body].concat());
    let response = Response::take_first(&mut &received[..], false).unwrap();
    response.assert_valid();
    match response.status {
        200 => assert!(!response.body.is_empty()),
        400 | 413 | 422 | 503 => assert_error(path, body, response.body),
        other => panic!("{path}: {other}"),
    }
    response.status == 200
}

/// Asserts that an error points into the body, or into the text of one of its fields.
fn assert_error(path: &str, body: &[u8], response: &[u8]) {
    let error = &serde_json::from_slice::<Value>(response).unwrap()["error"];
    assert_message(error["message"].as_str().unwrap());
    let number = |name: &str| error[name].as_u64().map(|n| n as usize);
    let Some((line, column)) = number("line").zip(number("column")) else { return };
    match error["field"].as_str() {
        Some(field) => {
            let request: Value = serde_json::from_slice(body).unwrap();
            let text = request[field].as_str().unwrap_or_else(|| panic!("{path}: {field} {error}"));
            // Errors in moves mark one character, also at the end of the text.
            let length = if error["kind"] == "moves" { 0 } else { number("length").unwrap_or(0) };
            assert_position(text, line, column, length);
        }
        None => {
            // The position of truncated JSON is after its end; columns are bytes.
            let lines: Vec<&[u8]> = body.split(|&byte| byte == b'\n').collect();
            assert!((1..=lines.len()).contains(&line), "{error}");
            assert!((1..=lines[line - 1].len() + 1).contains(&column), "{error}");
        }
    }
}
