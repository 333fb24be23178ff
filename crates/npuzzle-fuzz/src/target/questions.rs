//! Questions to the server: a path, and a body of JSON.

use npuzzle_web::ROUTES;
use serde_json::Value;

use crate::place::{assert_place, assert_words, choice};

use super::http::{Heard, server};

/// The first byte names the path.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((which, body)) = choice(bytes) else { return false };
    let posts: Vec<&str> =
        ROUTES.iter().filter(|(method, _)| *method == "post").map(|(_, path)| *path).collect();
    let path = posts[which % posts.len()];
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let heard = server().exchange(&[head.as_bytes(), body].concat());
    let answer = Heard::first_of(&mut &heard[..], false).unwrap();
    answer.assert_whole();
    match answer.status {
        200 => assert!(!answer.body.is_empty()),
        400 | 413 | 422 | 503 => assert_error(path, body, answer.body),
        other => panic!("{path}: {other}"),
    }
    answer.status == 200
}

/// An error points into the body, or into the text of a field of it.
fn assert_error(path: &str, body: &[u8], answer: &[u8]) {
    let error = &serde_json::from_slice::<Value>(answer).unwrap()["error"];
    assert_words(error["message"].as_str().unwrap());
    let number = |name: &str| error[name].as_u64().map(|n| n as usize);
    let Some((line, column)) = number("line").zip(number("column")) else { return };
    let asked = || serde_json::from_slice::<Value>(body).ok();
    match error["field"].as_str() {
        Some(field) => {
            let asked = asked().unwrap();
            let text = asked[field].as_str().unwrap_or_else(|| panic!("{path}: {field} {error}"));
            // Of moves one character is marked, also where something is missing.
            let length = if error["kind"] == "moves" { 0 } else { number("length").unwrap_or(0) };
            assert_place(text, line, column, length);
        }
        None => {
            // Of JSON that ends too early the place is after its end; columns are bytes.
            let lines: Vec<&[u8]> = body.split(|&byte| byte == b'\n').collect();
            assert!((1..=lines.len()).contains(&line), "{error}");
            assert!((1..=lines[line - 1].len() + 1).contains(&column), "{error}");
        }
    }
}
