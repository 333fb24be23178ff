//! Stored tables: right answers and clear messages, whatever happens to the disk and to other processes.

use std::fs::{self, File};
use std::process::{Child, Command, Output, Stdio};

use xxhash_rust::xxh3::xxh3_64;

#[cfg(unix)]
use crate::program::on_full_disk;
use crate::program::{Folder, command};

/// The smallest table, and a board of its size.
const NAME: &str = "patterns-7x2-stm-0-zero-2.4.6.8.10.12.1-3.5.7.9.11.13";
const BOARD: &str = "1 2 3 4 5 6 7/8 9 10 11 12 0 13";
/// A table that takes longer to build.
const SLOW: &str = "patterns-5x3-stm-0-zero-3.6.9.12.1.4.7-10.13.2.5.8.11.14";

fn tables(folder: &Folder, args: &[&str]) -> Command {
    let mut command = command();
    command.arg("tables").args(args).env("NPUZZLE_CACHE", folder.path());
    command
}

fn solve(folder: &Folder, args: &[&str]) -> Command {
    let mut command = command();
    command
        .args(["solve", BOARD, "--tables", "large"])
        .args(args)
        .env("NPUZZLE_CACHE", folder.path());
    command
}

/// Runs a command, and returns its exit code, output and messages.
fn run(command: &mut Command) -> (i32, String, String) {
    result_of(&command.output().unwrap())
}

fn result_of(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Solves the board, which must succeed, and returns the messages.
fn solved(command: &mut Command) -> String {
    let (code, stdout, stderr) = run(command);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("1 STM / 1 MTM (optimal)\ntile slides: L\n"), "{stdout}");
    stderr
}

fn file_of(name: &str) -> String {
    format!("{name}.table")
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
}

#[test]
fn tables_list_build_verify_and_remove() {
    let folder = Folder::new();
    let state = |name: &str| {
        let (code, stdout, _) = run(&mut tables(&folder, &["list"]));
        assert_eq!(code, 0);
        let head = format!("folder: {}\n", folder.path().display());
        assert!(stdout.starts_with(&head), "{stdout}");
        let line = stdout.lines().find(|line| line.contains(name)).unwrap().to_owned();
        line.split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!((state(NAME), state(SLOW)), ("absent".into(), "absent".into()));
    let (code, stdout, _) = run(&mut tables(&folder, &["build", NAME]));
    assert!(code == 0 && stdout.starts_with(&format!("built   {NAME} (6.8 MB, ")), "{stdout}");
    assert_eq!((state(NAME), state(SLOW)), ("present".into(), "absent".into()));
    // A unique prefix of a name works.
    let (code, stdout, _) = run(&mut tables(&folder, &["build", "patterns-7x2"]));
    assert!(code == 0 && stdout.starts_with(&format!("present {NAME} ")), "{stdout}");
    let right = format!("intact  {NAME}\n");
    assert_eq!(run(&mut tables(&folder, &["verify"])), (0, right.clone(), String::new()));
    let absent = format!("{right}absent  {SLOW}\n");
    let both = run(&mut tables(&folder, &["verify", NAME, SLOW]));
    assert_eq!(both, (1, absent, String::new()));
    let removed = format!("removed {NAME}\n");
    assert_eq!(run(&mut tables(&folder, &["remove", "all"])), (0, removed, String::new()));
    let absent = format!("absent  {NAME}\n");
    assert_eq!(run(&mut tables(&folder, &["remove", NAME])), (0, absent, String::new()));
    assert!(folder.names().is_empty());
}

#[test]
fn tables_list_json_has_all_states() {
    let folder = Folder::new();
    folder.file(&file_of(NAME), "no table");
    folder.file("old-table.table", "no table either");
    let (code, stdout, _) = run(&mut tables(&folder, &["list", "--json"]));
    assert_eq!(code, 0);
    let rows: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(row(NAME)["state"], "damaged");
    assert_eq!(row(NAME)["reason"], "not a table of npuzzle");
    assert_eq!((&row(SLOW)["state"], &row(SLOW)["bytes"]), (&"absent".into(), &20_633_760.into()));
    assert_eq!(row("old-table")["purpose"], serde_json::Value::Null);
    // A table of an older version can be removed.
    let (code, stdout, _) = run(&mut tables(&folder, &["remove", "old-table"]));
    assert_eq!((code, stdout.as_str()), (0, "removed old-table\n"));
}

#[test]
fn unknown_table_name_lists_the_known_ones() {
    let folder = Folder::new();
    for command in ["build", "verify", "remove"] {
        for name in ["no-such-table", "../escape", "", "patterns-"] {
            let (code, stdout, stderr) = run(&mut tables(&folder, &[command, NAME, name]));
            assert_eq!((code, stdout.as_str()), (2, ""), "{command} {name}");
            assert!(stderr.starts_with(&format!("npuzzle: {name:?} is ")), "{stderr}");
            assert!(stderr.contains(NAME) && stderr.contains(SLOW), "{stderr}");
        }
    }
    assert!(folder.names().is_empty());
}

#[test]
fn concurrent_builds_build_once() {
    let folder = Folder::new();
    let start = || {
        let mut command = tables(&folder, &["build", NAME]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children = [start(), start(), start()];
    let words = children.map(|child| {
        let (code, stdout, stderr) = result_of(&child.wait_with_output().unwrap());
        assert_eq!((code, stderr.as_str()), (0, ""));
        stdout.split_whitespace().next().unwrap().to_owned()
    });
    assert_eq!(words.iter().filter(|word| *word == "built").count(), 1, "{words:?}");
    assert_eq!(words.iter().filter(|word| *word == "present").count(), 2, "{words:?}");
    assert_eq!(folder.names(), [file_of(NAME)]);
}

#[test]
fn solve_stores_the_table_it_builds() {
    let folder = Folder::new();
    assert_eq!(solved(&mut solve(&folder, &["--no-cache"])), "");
    assert!(folder.names().is_empty());
    for _ in 0..2 {
        assert_eq!(solved(&mut solve(&folder, &[])), "");
        assert_eq!(folder.names(), [file_of(NAME)]);
    }
    let other = Folder::new();
    let path = other.path().join("made");
    assert_eq!(solved(&mut solve(&folder, &["--cache", path.to_str().unwrap()])), "");
    assert!(path.join(file_of(NAME)).is_file());
}

#[test]
fn waiting_for_a_table_respects_the_time_limit() {
    let folder = Folder::new();
    let lock = File::create(folder.path().join(format!("{NAME}.lock"))).unwrap();
    lock.lock().unwrap();
    let (code, stdout, stderr) = run(&mut solve(&folder, &["--time", "100ms"]));
    assert_eq!((code, stderr.as_str()), (3, ""), "{stdout}");
    assert!(stdout.contains("time"), "{stdout}");
    drop(lock);
    assert_eq!(solved(&mut solve(&folder, &[])), "");
    assert_eq!(folder.names(), [file_of(NAME)]);
}

#[test]
fn unwritable_folder_degrades_to_memory() {
    let folder = Folder::new();
    // Permissions would not stop root; a file in place of a folder does.
    let cache = folder.file("file", "").join("below");
    let stderr = solved(solve(&folder, &[]).env("NPUZZLE_CACHE", &cache));
    assert!(stderr.starts_with(&format!("npuzzle: warning: {}: ", cache.display())), "{stderr}");
    assert!(stderr.ends_with("the table could not be stored and is kept in memory for this run\n"));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert_eq!(solved(solve(&folder, &["--no-cache"]).env("NPUZZLE_CACHE", &cache)), "");
    for args in [&["build", NAME][..], &["list"], &["verify"], &["remove", "all"]] {
        let (code, stdout, stderr) = run(tables(&folder, args).env("NPUZZLE_CACHE", &cache));
        assert_eq!((code, stdout.as_str()), (4, ""), "{args:?}");
        assert!(stderr.starts_with(&format!("npuzzle: {}: ", cache.display())), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn full_disk_degrades_to_memory() {
    let folder = Folder::new();
    let stderr = solved(&mut on_full_disk(64, &solve(&folder, &[])));
    assert!(stderr.contains("File too large"), "{stderr}");
    assert!(stderr.ends_with("the table could not be stored and is kept in memory for this run\n"));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
    let (code, stdout, stderr) = run(&mut on_full_disk(64, &tables(&folder, &["build", NAME])));
    assert_eq!((code, stdout.as_str()), (4, ""), "{stderr}");
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// Kills a build while it writes, and returns whether the kill came in time.
#[cfg(unix)]
fn is_killed_while_writing(folder: &Folder) -> bool {
    let mut child = tables(folder, &["build", NAME]).stdout(Stdio::null()).spawn().unwrap();
    let is_writing = || folder.names().iter().any(|name| name.ends_with(".tmp"));
    while !is_writing() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    is_writing() && !folder.names().contains(&file_of(NAME))
}

#[cfg(unix)]
#[test]
fn next_build_removes_files_of_a_killed_writer() {
    // Writing takes milliseconds, so the kill may come too late.
    let caught = (0..20).map(|_| Folder::new()).find(is_killed_while_writing);
    let folder = caught.expect("one of twenty kills comes while the table is written");
    assert_eq!(solved(&mut solve(&folder, &[])), "");
    assert_eq!(folder.names(), [file_of(NAME)]);
}

#[cfg(unix)]
#[test]
fn killed_build_restarts() {
    let folder = Folder::new();
    let mut child = tables(&folder, &["build", SLOW]).stdout(Stdio::null()).spawn().unwrap();
    let lock = folder.path().join(format!("{SLOW}.lock"));
    while !lock.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, _, stderr) = run(&mut tables(&folder, &["build", SLOW]));
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(folder.names(), [file_of(SLOW)]);
    assert_eq!(run(&mut tables(&folder, &["verify", SLOW])).0, 0);
}

#[cfg(unix)]
#[test]
fn interrupted_build_leaves_nothing() {
    let folder = Folder::new();
    let mut build = tables(&folder, &["build", "all"]);
    let child = build.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The signal handler is installed before the lock is taken.
    while !folder.names().iter().any(|name| name.ends_with(".lock")) {
        std::thread::yield_now();
    }
    signal(&child, "-INT");
    let (code, _, stderr) = result_of(&child.wait_with_output().unwrap());
    assert_eq!(code, 130);
    assert!(stderr.starts_with("interrupted: patterns-"), "{stderr}");
    assert!(folder.names().iter().all(|name| name.ends_with(".table")), "{:?}", folder.names());
}

#[test]
fn damaged_tables_are_reported_and_rebuilt() {
    let folder = Folder::new();
    assert_eq!(solved(&mut solve(&folder, &[])), "");
    let path = folder.path().join(file_of(NAME));
    let good = fs::read(&path).unwrap();
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let short = &good[..good.len() - 1];
    let length = format!("{} bytes instead of {}", short.len(), good.len());
    // The damage, its message, and whether to test the rebuild, which takes a while.
    let damages = [
        (vec![], "not a table of npuzzle", true),
        (b"something else".repeat(1000), "not a table of npuzzle", false),
        (short.to_vec(), &length, true),
        (flipped(8), "a table of another version (17)", false),
        (flipped(40), "the checksum of the header does not match", false),
        (flipped(50_000), "the checksum of the table does not match", true),
    ];
    for (bytes, words, is_rebuilt) in damages {
        fs::write(&path, bytes).unwrap();
        let damaged = format!("damaged {NAME}: {words}\n");
        assert_eq!(run(&mut tables(&folder, &["verify"])), (1, damaged, String::new()));
        if !is_rebuilt {
            continue;
        }
        let stderr = solved(&mut solve(&folder, &[]));
        let file = path.display();
        assert_eq!(stderr, format!("npuzzle: warning: {file}: damaged: {words}; it was rebuilt\n"));
        assert_eq!(solved(&mut solve(&folder, &[])), "");
        assert_eq!(folder.names(), [file_of(NAME)]);
    }
    assert_eq!(fs::read(&path).unwrap(), good);
}

/// The name of a table that is built quickly.
fn quick() -> String {
    let (_, list, _) = run(&mut tables(&Folder::new(), &["list", "--json"]));
    let rows = list.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let names = rows.map(|row| row["name"].as_str().unwrap().to_owned());
    names.into_iter().find(|name| name.starts_with("mtm-5x3")).unwrap()
}

#[test]
fn deep_verify_finds_wrong_entries() {
    let folder = Folder::new();
    let name = &quick();
    assert_eq!(run(&mut tables(&folder, &["build", name, "--threads", "2"])).0, 0);
    let right = (0, format!("intact  {name}\n"), String::new());
    assert_eq!(run(&mut tables(&folder, &["verify", "--deep", name])), right);
    // A wrong entry with matching checksums.
    let path = folder.path().join(file_of(name));
    let mut bytes = fs::read(&path).unwrap();
    bytes[50_000] ^= 0x10;
    let hashes: Vec<u8> =
        bytes[4096..].chunks(1 << 20).flat_map(|block| xxh3_64(block).to_le_bytes()).collect();
    bytes[24..32].copy_from_slice(&xxh3_64(&hashes).to_le_bytes());
    let header = xxh3_64(&bytes[..4088]);
    bytes[4088..4096].copy_from_slice(&header.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    assert_eq!(run(&mut tables(&folder, &["verify", name])), right);
    let (code, stdout, _) = run(&mut tables(&folder, &["verify", "--deep", name]));
    assert_eq!(code, 1);
    let damaged = format!("damaged {name}: byte 45904 differs from");
    assert!(stdout.starts_with(&damaged), "{stdout}");
}

#[test]
fn names_are_resolved_or_explained() {
    let folder = Folder::new();
    let check = |args: &[&str], code: i32, stdout: &str, words: &[&str]| {
        let ran = run(&mut tables(&folder, args));
        assert_eq!((ran.0, &ran.1[..]), (code, stdout), "{args:?}: {}", ran.2);
        assert!(words.iter().all(|word| ran.2.contains(word)), "{args:?}: {}", ran.2);
    };
    // A table outside the catalogue that was removed before.
    check(&["remove", "full-5x2-3-stm"], 0, "absent  full-5x2-3-stm\n", &[]);
    check(&["verify", "full-5x2-3-stm"], 1, "absent  full-5x2-3-stm\n", &[]);
    check(
        &["remove", "foo"],
        2,
        "",
        &["\"foo\" is not a table; the tables are\n", "full-4x3-0-stm"],
    );
    check(&["build", "full-3x4-0-stm"], 2, "", &["did you mean\n  full-4x3-0-stm\n"]);
    check(&["build", "full"], 2, "", &["beginning of several tables:\n  full-"]);
    let (_, _, stderr) = run(&mut tables(&folder, &["build", "full"]));
    assert!(!stderr.contains("patterns-"), "{stderr}");
}
