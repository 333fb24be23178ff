//! Addresses of other sites, which the operator of the server names.

use std::fmt;
use std::str::FromStr;

/// The origin of a site whose pages may send requests to the server and embed its page, such as `https://example.org`.
///
/// It contains only characters of host names, so that it is safe as a part of a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteOrigin(String);

impl SiteOrigin {
    /// The origin as browsers write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SiteOrigin {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<SiteOrigin, AddressError> {
        let text = text.to_ascii_lowercase();
        match without_scheme(&text) {
            Some(host) if is_host(host) => Ok(SiteOrigin(text)),
            _ => Err(AddressError(
                "expected an origin without a path, such as https://example.org or http://localhost:3000",
            )),
        }
    }
}

/// The address of a static page that other people can open, such as `https://example.org/npuzzle/`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageAddress(String);

impl PageAddress {
    /// The address, to which the fragment of a link can be appended.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PageAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<PageAddress, AddressError> {
        let is_path = |path: &str| {
            path.bytes().all(|byte| byte.is_ascii_graphic() && !b"#?\"<>\\".contains(&byte))
        };
        let (host, path) = match without_scheme(text) {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", ""),
        };
        match is_host(host) && is_path(path) {
            true => Ok(PageAddress(text.to_owned())),
            false => Err(AddressError(
                "expected the address of a page, such as https://example.org/npuzzle/",
            )),
        }
    }
}

/// Why a text is not an address, and what is expected.
#[derive(Clone, Debug)]
pub struct AddressError(&'static str);

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for AddressError {}

fn without_scheme(text: &str) -> Option<&str> {
    text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))
}

/// Whether a text is a host name or an address, with or without a port.
fn is_host(text: &str) -> bool {
    let in_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    text.bytes().all(in_host) && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_has_a_scheme_and_a_host_and_no_path() {
        let origin = |text: &str| text.parse::<SiteOrigin>().ok().map(|origin| origin.0);
        for text in ["https://example.org", "http://localhost:3000", "http://[::1]:80"] {
            assert_eq!(origin(text).as_deref(), Some(text));
        }
        assert_eq!(origin("HTTPS://Example.org").as_deref(), Some("https://example.org"));
        for text in [
            "*",
            "null",
            "example.org",
            "https://",
            "https://example.org/",
            "https://*.example.org",
            "https://a.example; script-src *",
            "https://a.example https://b.example",
            "https://a.example\r\nX: y",
            "ftp://example.org",
            "https://user@example.org",
        ] {
            assert_eq!(origin(text), None, "{text}");
        }
    }

    #[test]
    fn page_address_has_no_query_and_no_fragment() {
        let is_page = |text: &str| text.parse::<PageAddress>().is_ok();
        assert!(is_page("https://example.org"));
        assert!(is_page("https://example.org/games/npuzzle/index.html"));
        for text in [
            "example.org/npuzzle/",
            "https:///x",
            "javascript:alert(1)",
            "https://a/#x",
            "https://a/ b",
        ] {
            assert!(!is_page(text), "{text}");
        }
    }
}
