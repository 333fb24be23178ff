//! Addresses of the processes of a run: from a host file, or free ones of this machine.

use std::collections::HashSet;
use std::net::TcpListener;

use crate::error::ClusterError;

/// The maximum length of an address in bytes: host names have at most 253 characters.
const MAX_LEN: usize = 260;

/// Reads a host file: one address `host:port` on each line. Blank lines are ignored, and `#` starts
/// a comment. The error message names the line.
pub fn read_hosts(text: &str) -> Result<Vec<String>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut addresses = Vec::new();
    let mut seen = HashSet::new();
    for (number, line) in (1..).zip(lines).filter(|(_, line)| !line.is_empty()) {
        let port = line.rsplit_once(':').and_then(|(host, port)| {
            port.parse::<u16>().ok().filter(|&port| port > 0 && !host.is_empty())
        });
        let is_invalid = |c: char| c.is_whitespace() || c.is_control();
        if port.is_none() || line.len() > MAX_LEN || line.contains(is_invalid) {
            let shown: String = line.chars().take(40).collect();
            return Err(format!("line {number}: {shown:?} is not an address such as node1:2101"));
        }
        if !seen.insert(line) {
            return Err(format!("line {number}: duplicate address {line}"));
        }
        addresses.push(line.to_owned());
    }
    if addresses.is_empty() { Err("no addresses".to_owned()) } else { Ok(addresses) }
}

/// Returns `n` addresses of this machine whose ports are free at the moment.
pub fn free_addresses(n: usize) -> Result<Vec<String>, ClusterError> {
    let failed = |error| ClusterError::io("127.0.0.1", error);
    // All listeners are open at the same time, so that the ports are distinct.
    let listeners: Result<Vec<_>, _> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
    let address = |listener: &TcpListener| listener.local_addr().map(|address| address.to_string());
    let addresses: Result<Vec<_>, _> = listeners.map_err(failed)?.iter().map(address).collect();
    addresses.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_hosts_names_the_line_of_an_error() {
        let good = "# a cluster\nnode1:2101\n\n node2:2101 # the other\n[::1]:80\n";
        assert_eq!(read_hosts(good).unwrap(), ["node1:2101", "node2:2101", "[::1]:80"]);
        for (bad, message) in [
            ("", "no addresses"),
            ("a:1\nb\n", "line 2: \"b\""),
            ("a:0", "line 1"),
            ("a:99999", "line 1"),
            (":1", "line 1"),
            ("a b:1", "line 1"),
            ("a\u{1}b:1", "line 1: \"a\\u{1}b:1\" is not an address"),
            (&format!("{}:1", "a".repeat(300)), "aaa\" is not an address"),
            ("a:1\na:1", "line 2: duplicate address a:1"),
        ] {
            let error = read_hosts(bad).unwrap_err();
            assert!(error.contains(message), "{bad:?}: {error}");
        }
    }
}
