//! `openapi.json` compared with the routes and their responses.

use std::collections::BTreeSet;

use npuzzle_web::ROUTES;
use serde_json::{Value, json};

use crate::client::TestServer;

const BOARD: &str = "8 1 3/4 0 2/7 6 5";

fn description(server: &TestServer) -> Value {
    server.get("/api/v1/openapi.json").json()
}

#[test]
fn openapi_describes_exactly_the_routes() {
    let server = TestServer::start();
    let description = description(&server);
    let paths = description["paths"].as_object().unwrap();
    let described: BTreeSet<(&str, &str)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (method.as_str(), path.as_str()))
        })
        .collect();
    assert_eq!(described, ROUTES.iter().copied().collect());
    let docs = include_str!("../../../../docs/http.md");
    for (method, path) in ROUTES {
        let heading = format!("### `{} {path}`\n", method.to_uppercase());
        assert!(docs.contains(&heading), "docs/http.md has no {heading}");
    }
}

/// Returns the first difference between a value and its schema.
fn mismatch(all: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = all.pointer(name.strip_prefix('#').unwrap()).unwrap();
        return mismatch(all, schema, value, at);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().map(|name| name.as_str().unwrap()).collect(),
        _ => vec![],
    };
    let is_type = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    if !types.iter().any(|name| is_type(name)) {
        return Some(format!("{at}: {value} has none of the types {types:?}"));
    }
    if let (Some(names), false) = (schema["enum"].as_array(), value.is_null())
        && !names.contains(value)
    {
        return Some(format!("{at}: {value} is none of {names:?}"));
    }
    if let Some(items) = value.as_array() {
        return items.iter().find_map(|item| mismatch(all, &schema["items"], item, at));
    }
    let fields = value.as_object()?;
    let described = schema["properties"].as_object().unwrap();
    let required = schema["required"].as_array().unwrap();
    if let Some(name) = required.iter().find(|name| !fields.contains_key(name.as_str().unwrap())) {
        return Some(format!("{at}: {name} is missing"));
    }
    fields.iter().find_map(|(name, value)| match described.get(name) {
        Some(schema) => mismatch(all, schema, value, &format!("{at}.{name}")),
        None => Some(format!("{at}: {name} is not described")),
    })
}

fn check(all: &Value, name: &str, value: &Value) {
    let schema = &all["components"]["schemas"][name];
    assert!(schema.is_object(), "{name}");
    assert_eq!(mismatch(all, schema, value, name), None);
}

#[test]
fn openapi_describes_the_fields_of_responses() {
    let server = TestServer::start();
    let all = description(&server);
    let moved = "1 2 3/4 0 5/7 8 6";
    let requests = [
        ("solve", "Solve", json!({"board": BOARD})),
        ("solve", "Solve", json!({"board": BOARD, "all": true, "notation": "boards"})),
        ("solve", "Solve", json!({"board": "1 2/0 3", "algorithm": "ida", "time_ms": 1000})),
        ("read", "Read", json!({"text": BOARD})),
        ("analyse", "Analyse", json!({"board": BOARD, "metric": "mtm"})),
        ("losses", "Losses", json!({"board": moved, "moves": "L U"})),
        ("generate", "Generate", json!({"rows": 2, "cols": 3, "moves": 5})),
        ("check", "Check", json!({"board": moved, "solution": "L U"})),
        ("trace", "Trace", json!({"board": BOARD})),
        ("trace", "Trace", json!({"board": BOARD, "algorithm": "ida"})),
        ("compare", "Compare", json!({"board": BOARD})),
    ];
    for (path, name, request) in requests {
        check(&all, &format!("{name}Request"), &request);
        let response = server.request(&format!("/api/v1/{path}"), request);
        check(&all, &format!("{name}Response"), &response);
    }
    check(&all, "VersionResponse", &server.get("/api/v1/version").json());
    check(&all, "StatusResponse", &server.get("/api/v1/status").json());
    check(&all, "Error", &server.post("/api/v1/solve", &json!({"board": "1 2 3/4"})).json());
}

/// A field that the server knows is recognized by sending a value whose type no field has.
#[test]
fn openapi_describes_the_fields_of_requests() {
    let server = TestServer::start();
    let all = description(&server);
    for (_, path) in ROUTES.iter().filter(|(method, _)| *method == "post") {
        let body = &all["paths"][path]["post"]["requestBody"]["content"]["application/json"];
        let schema =
            all.pointer(body["schema"]["$ref"].as_str().unwrap().strip_prefix('#').unwrap());
        let fields = schema.unwrap()["properties"].as_object().unwrap();
        for field in fields.keys() {
            let reply = server.post(path, &json!({field: {"no": "such type"}}));
            let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
            assert_eq!(reply.status, 400, "{path} {field}");
            assert!(!message.contains("unknown field"), "{path} {field}: {message}");
        }
        // The error about an unknown field lists all fields of the request.
        let reply = server.post(path, &json!({"no such field": 1}));
        let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        let expected: BTreeSet<&str> = message.split('`').skip(3).step_by(2).collect();
        assert_eq!(expected, fields.keys().map(String::as_str).collect(), "{path}: {message}");
    }
}
