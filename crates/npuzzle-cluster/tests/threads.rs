//! Threads that a failed job leaves behind. The only test of its process, since it counts threads.
#![allow(clippy::unwrap_used, reason = "test helpers may panic")]
#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use npuzzle::Cancel;
use npuzzle_cluster::{ClusterError, Member, free_addresses};

/// The names of timely's threads.
fn timely_threads() -> Vec<String> {
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).ok();
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let mut names: Vec<String> = tasks.flatten().filter_map(name).collect();
    names.retain(|name| name.starts_with("timely:"));
    names
}

#[test]
fn ended_job_leaves_no_thread() {
    for (failing, panics) in [(None, false), (Some(0), false), (Some(2), false), (Some(1), true)] {
        let addresses = free_addresses(3).unwrap();
        let member = |process| Member {
            addresses: addresses.clone(),
            process,
            wait: Duration::from_secs(50),
            cancel: Cancel::new(),
        };
        let run = |process| {
            let member = member(process);
            member.run("test", move |exchange| {
                exchange.broadcast_flag(true)?;
                if failing == Some(process) {
                    assert!(!panics, "this panic is expected");
                    return Err(ClusterError::Impossible("failed".into()));
                }
                exchange.broadcast_flag(true)
            })
        };
        std::thread::scope(|scope| {
            let start =
                |process| std::thread::Builder::new().spawn_scoped(scope, move || run(process));
            let members = [0, 1, 2].map(start);
            for member in members {
                let result = member.unwrap().join().unwrap();
                assert_eq!(result.is_ok(), failing.is_none(), "{result:?}");
            }
        });
        // The last threads may still be about to end.
        let has_ended = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            timely_threads().is_empty()
        });
        assert!(has_ended, "{failing:?} failed: {:?}", timely_threads());
    }
}
