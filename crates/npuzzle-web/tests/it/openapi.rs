//! `openapi.json` compared with the routes and their responses.

use std::collections::BTreeSet;

use npuzzle_api::ErrorKind;
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
        (
            "compare",
            "Compare",
            json!({"boards": [[[1, 2], [0, 3]], "1 2/3 0"], "goal": [1, 2, 3, 0]}),
        ),
    ];
    for (path, name, request) in requests {
        check(&all, &format!("{name}Request"), &request);
        let response = server.request(&format!("/api/v1/{path}"), request);
        check(&all, &format!("{name}Response"), &response);
    }
    check(&all, "IndexResponse", &server.get("/api").json());
    check(&all, "VersionResponse", &server.get("/api/v1/version").json());
    check(&all, "StatusResponse", &server.get("/api/v1/status").json());
    check(&all, "Error", &server.post("/api/v1/solve", &json!({"board": "1 2 3/4"})).json());
}

#[test]
fn openapi_lists_the_statuses_of_errors() {
    let all = description(&TestServer::start());
    let responses = all["components"]["responses"].as_object().unwrap();
    let schema = json!({"$ref": "#/components/schemas/Error"});
    let kinds = &all["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["kind"];
    let kinds = kinds["enum"].as_array().unwrap();
    assert_eq!(kinds.len(), ErrorKind::ALL.len());
    for kind in ErrorKind::ALL {
        let (name, status) = (json!(kind), kind.status().to_string());
        assert!(kinds.contains(&name), "{name}");
        let response = &responses[&status];
        assert_eq!(response["content"]["application/json"]["schema"], schema, "{status}");
        let text = response["description"].as_str().unwrap();
        assert!(text.contains(name.as_str().unwrap()), "{status}: {name} is not in {text:?}");
    }
    // Other paths and methods have no description in which they could be listed.
    let of_other_requests = [ErrorKind::Path, ErrorKind::Method];
    let posts = ErrorKind::ALL.iter().filter(|kind| !of_other_requests.contains(kind));
    let posts: BTreeSet<u16> = posts.map(|kind| kind.status()).chain([200]).collect();
    let gets = BTreeSet::from([200, 403, 500, 503]);
    for (method, path) in ROUTES {
        let listed = all["paths"][path][method]["responses"].as_object().unwrap();
        let statuses = listed.keys().map(|status| status.parse().unwrap()).collect();
        assert_eq!(if *method == "post" { &posts } else { &gets }, &statuses, "{path}");
        for (status, response) in listed.iter().filter(|(status, _)| *status != "200") {
            let expect = json!({"$ref": format!("#/components/responses/{status}")});
            assert_eq!(response, &expect, "{path} {status}");
        }
    }
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
