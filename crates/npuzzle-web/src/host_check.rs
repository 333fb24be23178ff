//! Accepts only requests that address the server by one of its own names.
//!
//! Any page in a browser can send requests to a server on the same machine. It cannot choose the
//! `Host` and `Origin` headers, which the browser sets. These headers distinguish our page from
//! other sites, including a site whose name resolves to this machine (DNS rebinding).

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::cross_origin::{AllowedOrigins, is_preflight, permission};
use crate::error::WebError;
use crate::site_address::SiteOrigin;

/// Further headers of every response: browsers must not guess content types, nor share the page with other sites.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Rejects requests that address another host or come from an origin that is not allowed, and adds the security
/// headers to every response.
pub(crate) async fn check_host(
    State(hosts): State<Arc<AllowedHosts>>,
    request: Request,
    next: Next,
) -> Response {
    let origin = hosts.origins.of_request(request.headers());
    let is_preflight = is_preflight(request.method(), request.headers());
    let mut response = match hosts.check(request.method(), request.headers()) {
        Ok(()) if origin.is_some() && is_preflight => permission(),
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    hosts.origins.add_headers(origin, headers);
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The host names and addresses that belong to this server.
#[derive(Clone, Debug)]
pub(crate) struct AllowedHosts {
    listens_on: IpAddr,
    /// Additional names, in lower case.
    allowed: Vec<String>,
    origins: AllowedOrigins,
}

impl AllowedHosts {
    pub(crate) fn new(
        listens_on: IpAddr,
        allowed: &[String],
        origins: &[SiteOrigin],
    ) -> AllowedHosts {
        let allowed = allowed.iter().map(|name| name.to_lowercase()).collect();
        AllowedHosts { listens_on, allowed, origins: AllowedOrigins::new(origins) }
    }

    fn check(&self, method: &Method, headers: &HeaderMap) -> Result<(), WebError> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().map_err(|_| WebError::unknown_host())?,
            _ => return Err(WebError::unknown_host()),
        };
        if !self.contains(without_port(host)) {
            return Err(WebError::unknown_host());
        }
        let is_read_only = matches!(*method, Method::GET | Method::HEAD);
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let is_allowed =
            |origin: &HeaderValue| is_origin_of(origin, host) || self.origins.contains(origin);
        if !is_read_only && !origins.all(is_allowed) {
            return Err(WebError::foreign_origin());
        }
        Ok(())
    }

    /// DNS rebinding works with names, not with addresses. So a server that listens on all
    /// addresses accepts any address: behind a NAT it cannot know its own.
    fn contains(&self, host: &str) -> bool {
        let host = host.to_lowercase();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_own = match address {
            Ok(address) => {
                let is_any = self.listens_on.is_unspecified();
                is_any || address.is_loopback() || address == self.listens_on
            }
            Err(_) => host == "localhost",
        };
        is_own || self.allowed.contains(&host)
    }
}

/// Returns the host without its port.
fn without_port(host: &str) -> &str {
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

    fn accepts(listens_on: &str, method: Method, host: &str, origins: &[&str]) -> bool {
        let allowed = ["Puzzle.example", "203.0.113.7"].map(str::to_owned);
        let sites = ["https://course.example".parse().unwrap()];
        let hosts = AllowedHosts::new(listens_on.parse().unwrap(), &allowed, &sites);
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        for origin in origins {
            headers.append(header::ORIGIN, origin.parse().unwrap());
        }
        hosts.check(&method, &headers).is_ok()
    }

    #[test]
    fn unknown_host_names_are_rejected() {
        let check = |host, expect| {
            assert_eq!(accepts("127.0.0.1", Method::GET, host, &[]), expect, "{host}");
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
    fn addresses_are_accepted_if_the_server_listens_on_them() {
        let check = |listens_on, host, expect| {
            let accepted = accepts(listens_on, Method::GET, host, &[]);
            assert_eq!(accepted, expect, "{host} on {listens_on}");
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
    fn posts_from_other_origins_are_rejected() {
        let check = |method, origins: &[&str], expect| {
            let host = "localhost:8080";
            assert_eq!(accepts("127.0.0.1", method, host, origins), expect, "{origins:?}");
        };
        check(Method::POST, &["http://localhost:8080"], true);
        check(Method::POST, &["http://localhost:8081"], false);
        check(Method::POST, &["http://evil.example"], false);
        check(Method::POST, &["http://localhost:8080", "http://evil.example"], false);
        check(Method::POST, &["null"], false);
        check(Method::POST, &["https://course.example"], true);
        check(Method::POST, &["https://course.example", "http://evil.example"], false);
        check(Method::POST, &["http://course.example"], false);
        check(Method::GET, &["http://evil.example"], true);
    }
}
