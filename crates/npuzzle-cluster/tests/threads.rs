//! What is left of a job that has failed. Alone in its process, since it counts threads.
#![allow(clippy::unwrap_used, reason = "the helpers of tests are tests")]
#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use npuzzle::Cancel;
use npuzzle_cluster::{ClusterError, Member, free_addresses};

/// Threads of timely.
fn threads() -> Vec<String> {
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).ok();
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let mut names: Vec<String> = tasks.flatten().filter_map(name).collect();
    names.retain(|name| name.starts_with("timely:"));
    names
}

#[test]
fn no_thread_is_left_of_a_job_that_ends_or_fails() {
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
            member.run("test", move |mesh| {
                mesh.has_first_done(true)?;
                if failing == Some(process) {
                    assert!(!panics, "as it should");
                    return Err(ClusterError::Impossible("failed".into()));
                }
                mesh.has_first_done(true)
            })
        };
        std::thread::scope(|scope| {
            let start =
                |process| std::thread::Builder::new().spawn_scoped(scope, move || run(process));
            let members = [0, 1, 2].map(start);
            for member in members {
                let ended = member.unwrap().join().unwrap();
                assert_eq!(ended.is_ok(), failing.is_none(), "{ended:?}");
            }
        });
        // The last of them may be just about to end.
        let is_quiet = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            threads().is_empty()
        });
        assert!(is_quiet, "{failing:?} has failed: {:?}", threads());
    }
}
