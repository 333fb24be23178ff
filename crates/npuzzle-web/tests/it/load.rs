//! Many clients at once: short runs of `cargo xtask load` and `cargo xtask soak`.

use std::time::Duration;

use crate::client::TestServer;

#[path = "../../benches/load/clients.rs"]
#[allow(dead_code)]
mod clients;

#[path = "../../benches/load/soak.rs"]
mod soak;

#[test]
fn two_hundred_clients_receive_correct_responses() {
    let server = TestServer::start();
    let known = clients::known_puzzles(10, 1);
    let results = clients::run(server.address, 200, Duration::from_secs(2), &known);
    assert_eq!((&results.errors, &results.wrong), (&vec![], &vec![]));
    assert!(results.latencies.len() >= 200);
    assert_eq!(server.count("refused"), 0);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn misbehaving_clients_do_not_disturb_others() {
    let server = TestServer::start();
    let tally = soak::soak(server.address, 12, Duration::from_secs(3));
    assert_eq!(tally.wrong, [""; 0]);
    assert!(tally.actions.values().sum::<u64>() > 20, "{tally:?}");
    server.wait_for("running", |n| n == 0);
    server.wait_for("connections", |n| n == 1);
}
