//! Pages of other sites: closed by default, open for named origins. The list of routes, and the public address.

use npuzzle_web::{Config, ROUTES};
use serde_json::json;

use crate::client::{TestServer, head};

const COURSE: &str = "https://course.example";

fn open_server() -> TestServer {
    let allowed_origins = [COURSE, "http://localhost:3000"].map(|name| name.parse().unwrap());
    TestServer::with_config(Config {
        allowed_origins: allowed_origins.to_vec(),
        ..Config::default()
    })
}

fn preflight(origin: &str) -> String {
    let headers = format!(
        "Origin: {origin}\r\nAccess-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: content-type\r\n"
    );
    head("OPTIONS", "/api/v1/solve", &headers)
}

fn solve_from(origin: &str) -> String {
    let body = json!({"board": "1 2/0 3"}).to_string();
    let length = body.len();
    let headers = format!(
        "Origin: {origin}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
    );
    head("POST", "/api/v1/solve", &headers) + &body
}

#[test]
fn allowed_origin_may_send_requests_and_read_responses() {
    let server = open_server();
    for origin in [COURSE, "http://localhost:3000"] {
        let reply = server.exchange(preflight(origin).as_bytes());
        assert_eq!(reply.status, 204);
        assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
        assert_eq!(reply.header("access-control-allow-methods"), Some("GET, HEAD, POST"));
        assert_eq!(reply.header("access-control-allow-headers"), Some("Content-Type"));
        let reply = server.exchange(solve_from(origin).as_bytes());
        assert_eq!((reply.status, &reply.json()["status"]), (200, &json!("solved")));
        assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
        assert_eq!(reply.header("vary"), Some("Origin"));
    }
    // Scripts can read errors, too.
    let headers = format!("Origin: {COURSE}\r\n");
    let reply = server.exchange(head("GET", "/api/v1/nothing", &headers).as_bytes());
    assert_eq!((reply.status, reply.kind().as_str()), (404, "path"));
    assert_eq!(reply.header("access-control-allow-origin"), Some(COURSE));
}

#[test]
fn other_origins_remain_closed() {
    for server in [open_server(), TestServer::start()] {
        for origin in ["https://evil.example", "http://course.example", "null"] {
            for request in [preflight(origin), solve_from(origin)] {
                let reply = server.exchange(request.as_bytes());
                assert_eq!((reply.status, reply.kind().as_str()), (403, "origin"), "{origin}");
                assert_eq!(reply.header("access-control-allow-origin"), None);
            }
            let headers = format!("Origin: {origin}\r\n");
            let reply = server.exchange(head("GET", "/api/v1/version", &headers).as_bytes());
            assert_eq!(reply.header("access-control-allow-origin"), None);
        }
    }
    let reply = TestServer::start().exchange(preflight(COURSE).as_bytes());
    assert_eq!(reply.status, 403);
}

#[test]
fn only_allowed_origins_may_embed_the_page() {
    let embedders = |server: &TestServer| {
        let reply = server.get("/");
        let policy = reply.header("content-security-policy").unwrap().to_owned();
        let (_, embedders) = policy.split_once("frame-ancestors ").unwrap();
        (embedders.to_owned(), reply.header("x-frame-options").map(str::to_owned))
    };
    let closed = embedders(&TestServer::start());
    assert_eq!(closed, ("'none'".to_owned(), Some("DENY".to_owned())));
    let open = embedders(&open_server());
    assert_eq!(open, (format!("{COURSE} http://localhost:3000"), None));
}

#[test]
fn index_lists_the_routes() {
    let server = TestServer::start();
    for path in ["/api", "/api/", "/api/v1", "/api/v1/"] {
        let reply = server.get(path);
        assert_eq!(reply.status, 200, "{path}");
        let index = reply.json();
        assert_eq!(index["routes"].as_array().unwrap().len(), ROUTES.len());
        assert!(index["routes"].as_array().unwrap().contains(&json!({
            "method": "POST", "path": "/api/v1/solve",
        })));
        let reply = server.post(path, &json!({}));
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
}

#[test]
fn version_has_the_public_address() {
    let address = "https://course.example/npuzzle/";
    let public_address = Some(address.parse().unwrap());
    let server = TestServer::with_config(Config { public_address, ..Config::default() });
    assert_eq!(server.get("/api/v1/version").json()["public_address"], address);
}
