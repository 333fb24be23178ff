//! Host files of a cluster.

use npuzzle_cluster::read_hosts;

use crate::assertions::{assert_line, assert_message, text};

pub(super) fn run(bytes: &[u8]) -> bool {
    let text = &*text(bytes);
    match read_hosts(text) {
        Ok(addresses) => {
            assert!(!addresses.is_empty());
            assert_eq!(read_hosts(&addresses.join("\n")).as_ref(), Ok(&addresses));
            true
        }
        Err(message) => {
            assert_message(&message);
            if let Some(rest) = message.strip_prefix("line ") {
                let number = rest.split(':').next().unwrap_or_default();
                assert_line(text, number.parse().unwrap());
            }
            false
        }
    }
}
