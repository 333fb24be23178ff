//! Who may ask: programs and pages that call this server by one of its own names.
//!
//! Any page in a browser can send requests to a server on the same machine. It cannot choose the
//! `Host` and the `Origin` that the browser sends along, so these tell our page from others, even
//! from one whose name has been made to lead here (DNS rebinding).

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::App;
use crate::error::ApiError;

/// What every answer carries: our page may use its own files and nothing else, no other page may
/// show it, and a file is what it says it is.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Turns strangers away, and sends the headers along.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match app.names.admits(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The names of this server.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    listens_on: IpAddr,
    allowed: Vec<String>,
}

impl Names {
    pub(crate) fn new(listens_on: IpAddr, allowed: &[String]) -> Names {
        Names { listens_on, allowed: allowed.iter().map(|name| name.to_lowercase()).collect() }
    }

    fn admits(&self, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().map_err(|_| ApiError::strange_host())?,
            _ => return Err(ApiError::strange_host()),
        };
        if !self.is_ours(name_of(host)) {
            return Err(ApiError::strange_host());
        }
        let is_question = !matches!(*method, Method::GET | Method::HEAD);
        let mut origins = headers.get_all(header::ORIGIN).iter();
        if is_question && !origins.all(|origin| is_origin_of(origin, host)) {
            return Err(ApiError::strange_origin());
        }
        Ok(())
    }

    /// Names can be made to lead here, addresses cannot: who listens on all that the machine has, and
    /// may be known by yet others outside, answers to any.
    fn is_ours(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_own = match address {
            Ok(address) => {
                let is_any = self.listens_on.is_unspecified();
                is_any || address.is_loopback() || address == self.listens_on
            }
            Err(_) => name == "localhost",
        };
        is_own || self.allowed.contains(&name)
    }
}

/// The name without the port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_origin_of(origin: &HeaderValue, host: &str) -> bool {
    let origin = origin.to_str().unwrap_or_default();
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(listens_on: &str, method: Method, host: &str, origins: &[&str]) -> bool {
        let allowed = ["Puzzle.example", "203.0.113.7"].map(str::to_owned);
        let names = Names::new(listens_on.parse().unwrap(), &allowed);
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        for origin in origins {
            headers.append(header::ORIGIN, origin.parse().unwrap());
        }
        names.admits(&method, &headers).is_ok()
    }

    #[test]
    fn only_our_names_are_ours() {
        let check = |host, expect| {
            assert_eq!(admits("127.0.0.1", Method::GET, host, &[]), expect, "{host}");
        };
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]:9", "puzzle.example:1"] {
            check(host, true);
        }
        for host in
            ["evil.example", "localhost.evil.example", "192.168.0.1", "", "127.0.0.1.nip.io"]
        {
            check(host, false);
        }
        check("203.0.113.7:8080", true);
    }

    #[test]
    fn addresses_are_ours_that_we_listen_on() {
        let check = |listens_on, host, expect| {
            let admitted = admits(listens_on, Method::GET, host, &[]);
            assert_eq!(admitted, expect, "{host} on {listens_on}");
        };
        check("0.0.0.0", "192.168.0.1:8080", true);
        check("::", "[fe80::1]:8080", true);
        check("0.0.0.0", "evil.example", false);
        check("192.168.0.1", "192.168.0.1:8080", true);
        check("192.168.0.1", "127.0.0.1:8080", true);
        check("192.168.0.1", "192.168.0.2:8080", false);
        check("192.168.0.1", "evil.example", false);
    }

    #[test]
    fn pages_of_others_may_not_ask() {
        let check = |method, origins: &[&str], expect| {
            let host = "localhost:8080";
            assert_eq!(admits("127.0.0.1", method, host, origins), expect, "{origins:?}");
        };
        check(Method::POST, &["http://localhost:8080"], true);
        check(Method::POST, &["http://localhost:8081"], false);
        check(Method::POST, &["http://evil.example"], false);
        check(Method::POST, &["http://localhost:8080", "http://evil.example"], false);
        check(Method::POST, &["null"], false);
        check(Method::GET, &["http://evil.example"], true);
    }
}
