//! Many clients at once: a short `cargo xtask load`.

use std::time::Duration;

use crate::client::TestServer;

#[path = "../../benches/load/crowd.rs"]
#[allow(dead_code)]
mod load;

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
