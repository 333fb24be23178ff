//! Addresses of processes: from a file, or free ones of this machine.

use std::collections::HashSet;
use std::net::TcpListener;

use crate::error::ClusterError;

/// No address is longer: names of hosts have at most 253 characters.
const LONGEST: usize = 260;

/// The addresses of a file, one `host:port` on each line; blank lines and what follows `#` do not
/// count.
pub fn read_hosts(text: &str) -> Result<Vec<String>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut addresses = Vec::new();
    let mut seen = HashSet::new();
    for (number, line) in (1..).zip(lines).filter(|(_, line)| !line.is_empty()) {
        let port = line.rsplit_once(':').and_then(|(host, port)| {
            port.parse::<u16>().ok().filter(|&port| port > 0 && !host.is_empty())
        });
        let is_odd = |c: char| c.is_whitespace() || c.is_control();
        if port.is_none() || line.len() > LONGEST || line.contains(is_odd) {
            let shown: String = line.chars().take(40).collect();
            return Err(format!("line {number}: {shown:?} is no address such as node1:2101"));
        }
        if !seen.insert(line) {
            return Err(format!("line {number}: {line} is there twice"));
        }
        addresses.push(line.to_owned());
    }
    if addresses.is_empty() { Err("no addresses".to_owned()) } else { Ok(addresses) }
}

/// So many addresses of this machine that nobody is using just now.
pub fn free_addresses(n: usize) -> Result<Vec<String>, ClusterError> {
    let failed = |error| ClusterError::io("127.0.0.1", error);
    // All at once, so that none comes twice.
    let listeners: Result<Vec<_>, _> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
    let address = |listener: &TcpListener| listener.local_addr().map(|address| address.to_string());
    let addresses: Result<Vec<_>, _> = listeners.map_err(failed)?.iter().map(address).collect();
    addresses.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_lines_and_mistakes_are_shown() {
        let good = "# a cluster\nnode1:2101\n\n node2:2101 # the other\n[::1]:80\n";
        assert_eq!(read_hosts(good).unwrap(), ["node1:2101", "node2:2101", "[::1]:80"]);
        for (bad, words) in [
            ("", "no addresses"),
            ("a:1\nb\n", "line 2: \"b\""),
            ("a:0", "line 1"),
            ("a:99999", "line 1"),
            (":1", "line 1"),
            ("a b:1", "line 1"),
            ("a\u{1}b:1", "line 1: \"a\\u{1}b:1\" is no address"),
            (&format!("{}:1", "a".repeat(300)), "aaa\" is no address"),
            ("a:1\na:1", "line 2: a:1 is there twice"),
        ] {
            let error = read_hosts(bad).unwrap_err();
            assert!(error.contains(words), "{bad:?}: {error}");
        }
    }
}
