//! Many clients at once: a short `cargo xtask load`, and a short `cargo xtask soak`.

use std::time::Duration;

use crate::client::TestServer;

#[path = "../../benches/load/crowd.rs"]
#[allow(dead_code)]
mod load;

#[path = "../../benches/load/soak.rs"]
mod soak;

#[test]
fn two_hundred_clients_get_right_answers() {
    let server = TestServer::start();
    let known = load::known_puzzles(10, 1);
    let figures = load::crowd(server.address, 200, Duration::from_secs(2), &known);
    assert_eq!((&figures.errors, &figures.wrong), (&vec![], &vec![]));
    assert!(figures.times.len() >= 200);
    assert_eq!(server.count("refused"), 0);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn clients_of_all_kinds_get_right_answers_beside_such_as_misbehave() {
    let server = TestServer::start();
    let tally = soak::soak(server.address, 12, Duration::from_secs(3));
    assert_eq!(tally.wrong, [""; 0]);
    assert!(tally.acts.values().sum::<u64>() > 20, "{tally:?}");
    server.wait_for("running", |n| n == 0);
    server.wait_for("connections", |n| n == 1);
}
