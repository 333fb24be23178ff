//! The files of the page, and the server's own description.

use crate::client::{TestServer, head};

#[test]
fn page_has_a_strict_content_security_policy() {
    let server = TestServer::start();
    let reply = server.get("/");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(reply.text().starts_with("<!doctype html>"), "{}", reply.text());
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cache-control", "no-cache"),
    ] {
        assert_eq!(reply.header(name), Some(value), "{name}");
    }
    let error = server.get("/api/v1/nothing");
    assert!(error.header("content-security-policy").is_some());
    assert_eq!(error.header("cache-control"), Some("no-store"));
}

#[test]
fn cached_files_are_not_sent_again() {
    let server = TestServer::start();
    let tag = server.get("/").header("etag").unwrap().to_owned();
    let request = head("GET", "/index.html", &format!("If-None-Match: \"other\", {tag}\r\n"));
    let reply = server.exchange(request.as_bytes());
    assert_eq!((reply.status, reply.body.len()), (304, 0));
    let request = head("GET", "/", "If-None-Match: \"other\"\r\n");
    assert_eq!(server.exchange(request.as_bytes()).status, 200);
    let reply = server.exchange(head("HEAD", "/", "").as_bytes());
    assert_eq!((reply.status, reply.body.len()), (200, 0));
}

#[test]
fn no_path_leaves_the_assets_folder() {
    let server = TestServer::start();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/assets/../../Cargo.toml",
        "//etc/passwd",
        "/..\\Cargo.toml",
        "/index.html/",
        "/index.html%00",
        "/.gitignore",
    ] {
        let reply = server.get(path);
        assert!(reply.status == 404 || reply.status == 400, "{path}: {}", reply.status);
    }
}

#[test]
fn version_and_status_are_reported() {
    let server = TestServer::start();
    let version = server.get("/api/v1/version").json();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["limits"]["cells"], 127 * 127);
    assert!(version["public_address"].is_null());
    let status = server.get("/api/v1/status").json();
    assert_eq!((&status["running"], &status["waiting"]), (&0.into(), &0.into()));
}
