//! Full and read-only disks, two runs that write one file, and no threads. Existing files stay, complete
//! answers are kept, and the exit code is 4. Without threads the answers are the same.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use npuzzle_testkit::data;

use crate::program::{Folder, command, on_full_disk, run, start_batch};

const EASY: &str = "1 2 3/4 0 5/7 8 6";
/// A board that takes about ten million nodes with small tables.
const HARD: &str = "12 11 9 13/3 15 5 0/7 6 14 10/4 8 1 2";

fn npuzzle(args: &[&str]) -> Command {
    let mut command = command();
    command.args(args).stdin(Stdio::null());
    command
}

/// Exit code, output and messages.
fn result_of(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn batch_on_full_disk_keeps_complete_answers() {
    let folder = Folder::new();
    let boards = folder.file("boards.txt", "1 2/0 3\n".repeat(100));
    let boards = boards.to_str().unwrap();
    let whole = run(["solve", boards]).stdout;
    let out = folder.file("out.txt", "old");
    let solve = npuzzle(&["solve", boards, "-o", out.to_str().unwrap()]);
    let (code, _, stderr) = result_of(&on_full_disk(1, &solve).output().unwrap());
    assert_eq!(code, Some(4), "{stderr}");
    let partial = folder.path().join("out.txt.partial");
    let words = format!("; the answers so far are in {}\n", partial.display());
    assert!(stderr.contains("File too large") && stderr.ends_with(&words), "{stderr}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    let kept = fs::read_to_string(&partial).unwrap();
    assert!(!kept.is_empty() && kept.ends_with('\n') && whole.starts_with(&kept), "{kept:?}");
    // Another run keeps these answers, too.
    for nth in 1..=2 {
        let (code, _, stderr) =
            result_of(&npuzzle(&["solve", EASY, "-o"]).arg(&out).output().unwrap());
        assert_eq!((code, stderr.lines().count()), (Some(0), 1), "{stderr}");
        let kept_path = folder.path().join(format!("out.txt.partial.{nth}"));
        assert!(stderr.contains(&format!("is kept as {}", kept_path.display())), "{stderr}");
        assert_eq!(fs::read_to_string(&kept_path).unwrap(), kept);
        fs::write(&partial, &kept).unwrap();
    }
}

/// Every command that writes a file, on a disk without room for a single byte.
#[test]
fn failed_write_keeps_the_old_file() {
    let initial = data::path("courses/cuhk/sample.in");
    let initial = initial.to_str().unwrap();
    for args in [
        &["solve", EASY, "-o", "OUT"][..],
        &["convert", EASY, "-o", "OUT"],
        &["render", EASY, "--as", "svg", "-o", "OUT"],
        &["render", EASY, "--as", "gif", "--solve", "-o", "OUT"],
        &["trace", EASY, "-o", "OUT"],
        &["census", "2x2", "-o", "OUT"],
        &["census", "2x2", "--chart", "OUT"],
        &["compare", EASY, "--algorithms", "astar,ida", "-o", "OUT"],
        &["compare", EASY, "--algorithms", "astar,ida", "--chart", "OUT"],
        &["generate", "--size", "3x3", "--seed", "1", "-o", "OUT"],
        &["generate", "--size", "3x3", "--seed", "1", "--key", "OUT"],
        &["course", "cuhk", initial, "OUT"],
    ] {
        let folder = Folder::new();
        let out = folder.file("out", "old");
        let args: Vec<&str> =
            args.iter().map(|&a| if a == "OUT" { out.to_str().unwrap() } else { a }).collect();
        let (code, _, stderr) = result_of(&on_full_disk(0, &npuzzle(&args)).output().unwrap());
        assert_eq!(code, Some(4), "{args:?}: {stderr}");
        assert!(stderr.contains("File too large"), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{args:?}");
        assert_eq!(folder.names(), ["out"], "{args:?}");
    }
}

#[test]
fn read_only_file_is_not_replaced() {
    let folder = Folder::new();
    let out = folder.file("out", "old");
    let mut permissions = fs::metadata(&out).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&out, permissions).unwrap();
    let output = npuzzle(&["solve", EASY, "-o", out.to_str().unwrap()]).output().unwrap();
    let (code, _, stderr) = result_of(&output);
    assert_eq!((code, stderr.contains("permission denied")), (Some(4), true), "{stderr}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(folder.names(), ["out"]);
}

#[test]
fn man_and_grade_on_full_disk_leave_no_partial_file() {
    let folder = Folder::new();
    let man = npuzzle(&["man", "-o", folder.path().to_str().unwrap()]);
    assert_eq!(on_full_disk(0, &man).output().unwrap().status.code(), Some(4));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n".repeat(20));
    for flag in ["--json", "--junit", "--gradescope"] {
        let out = folder.file("out", "old");
        let mut grade = npuzzle(&["grade", "--course", "princeton", "--boards"]);
        grade.arg(&boards).arg(flag).arg(&out).args(["--", "true"]);
        let (code, _, stderr) = result_of(&on_full_disk(1, &grade).output().unwrap());
        assert_eq!(code, Some(4), "{flag}: {stderr}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{flag}");
        assert_eq!(folder.names(), ["boards", "out"], "{flag}");
    }
}

#[test]
fn journal_that_cannot_start_can_be_created_again() {
    let folder = Folder::new();
    let path = folder.path().join("search");
    let file = path.to_str().unwrap();
    let first = npuzzle(&["solve", HARD, "--checkpoint", file]);
    let (code, _, stderr) = result_of(&on_full_disk(0, &first).output().unwrap());
    assert_eq!(code, Some(4), "{stderr}");
    let limited = ["--tables", "small", "--nodes", "1000"];
    let begun = run(["solve", HARD, "--checkpoint", file].iter().chain(&limited));
    assert_eq!(begun.code, 3, "{}", begun.stderr);
}

#[test]
fn journal_on_full_disk_keeps_answer_and_resumes() {
    let folder = Folder::new();
    let path = folder.path().join("search");
    let file = path.to_str().unwrap();
    let small = ["--tables", "small", "--quiet", "--time", "none"];
    let whole = run(["solve", HARD].iter().chain(&small));
    let search = npuzzle(&[&["solve", HARD, "--checkpoint", file][..], &small].concat());
    let (code, stdout, stderr) = result_of(&on_full_disk(1, &search).output().unwrap());
    assert_eq!((code, &stdout), (Some(0), &whole.stdout), "{stderr}");
    assert!(stderr.contains("the rest of the search is not logged"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let resumed = run(["solve", "--resume", file, "--tables", "small", "--nodes", "1000"]);
    assert_eq!(resumed.code, 3, "{}", resumed.stderr);
    assert!(fs::read(&path).unwrap().ends_with(b"\n"));
}

#[test]
fn cluster_batch_on_full_disk_keeps_answers() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 0 5/7 8 6\n".repeat(20));
    let hosts = folder.file("hosts", "127.0.0.1:1\n");
    let work = folder.path().join("work");
    let mut batch = npuzzle(&["cluster", "--threads", "1", "--process", "0", "--hosts"]);
    batch.arg(&hosts).arg("batch").arg(&boards).arg("--folder").arg(&work);
    let (code, stdout, stderr) = result_of(&on_full_disk(4, &batch).output().unwrap());
    assert_eq!((code, stdout.as_str()), (Some(4), ""), "{stderr}");
    let n_kept = fs::read_to_string(work.join("answers")).unwrap().lines().count();
    assert!(n_kept >= 2, "the header and at least one answer");
    let (code, stdout, stderr) = result_of(&batch.output().unwrap());
    assert_eq!((code, stdout.lines().count()), (Some(0), 20), "{stderr}");
}

/// A command in a shell in which `script` mounts something over a folder (`$0`); `None` if mounting is not
/// possible here.
fn mounted(script: &str, folder: &Path, command: &Command) -> Option<Command> {
    let mounted = |flags: &[&str], program: &Command| {
        let mut unshared = Command::new("unshare");
        unshared.args(flags).args(["sh", "-c", script]).arg(folder);
        unshared.arg(program.get_program()).args(program.get_args());
        unshared.envs(program.get_envs().filter_map(|(key, value)| Some((key, value?))));
        unshared
    };
    // Root may mount; other users may in a user namespace.
    for flags in [&["--mount"][..], &["--mount", "--map-root-user"]] {
        let tried = mounted(flags, &Command::new("true")).output();
        if tried.is_ok_and(|tried| tried.status.success()) {
            return Some(mounted(flags, command));
        }
    }
    eprintln!("skipped: mounting is not possible here");
    None
}

const READ_ONLY: &str =
    "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";

/// A disk of 64 KiB that disappears with the shell, so its files are printed before.
const SMALL: &str =
    "mount -t tmpfs -o size=64k none \"$0\" && cd \"$0\" && echo old > out && \"$@\"
    code=$?; head -c 40 out; ls; exit $code";

#[test]
fn full_file_system_keeps_complete_answers() {
    let folder = Folder::new();
    let boards = folder.file("boards", format!("{EASY}\n").repeat(20_000));
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let cases = [
        (&["solve", boards.to_str().unwrap(), "-q", "-o", "out"][..], "old\nout\nout.partial\n"),
        (&["generate", "--count", "9999", "-o", "out"], "old\nout\nout.partial\n"),
        (&["census", "3x3", "--on-disk", "levels"], "old\nlevels\nout\n"),
    ];
    for (args, left) in cases {
        let Some(mut full) = mounted(SMALL, &disk, &npuzzle(args)) else { return };
        let (code, stdout, stderr) = result_of(&full.output().unwrap());
        assert_eq!((code, stdout.as_str()), (Some(4), left), "{args:?}: {stderr}");
        assert!(stderr.contains("No space left on device"), "{args:?}: {stderr}");
    }
}

/// A wall clock that jumps by thirty years, forward and back, on every call.
const JUMPING: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    static int n_calls;
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec += n_calls++ % 2 ? -1000000000L : 1000000000L;
    return result;
}
"#;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn jumping_clock_changes_nothing() {
    let folder = Folder::new();
    let source = folder.file("jumping.c", JUMPING);
    let library = folder.path().join("jumping.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    assert!(cc.status().unwrap().success());
    let jumping = |mut command: Command| {
        let output = command.env("LD_PRELOAD", &library).stdin(Stdio::null()).output().unwrap();
        result_of(&output)
    };
    let mut date = Command::new("date");
    date.arg("+%Y");
    let year: u32 = jumping(date).1.trim().parse().unwrap();
    assert!(year > 2050, "the clock does not jump: {year}");

    let limited = [HARD, "--tables", "small", "--no-cache", "--time", "60s", "-q"];
    let solve = [&["solve"][..], &limited].concat();
    let calm = run(&solve);
    assert_eq!((calm.code, calm.stderr.as_str()), (0, ""));
    assert_eq!(jumping(npuzzle(&solve)), (Some(0), calm.stdout, String::new()));
    let (code, _, stderr) =
        jumping(npuzzle(&["solve", HARD, "--algorithm", "bfs", "--time", "1s"]));
    assert_eq!(code, Some(3), "{stderr}");
    let levels = folder.path().join("levels");
    let census = ["census", "3x3", "--on-disk", levels.to_str().unwrap(), "-q"];
    assert_eq!(jumping(npuzzle(&census)).0, Some(0));
}

#[test]
fn read_only_disk_allows_table_use() {
    const NAME: &str = "patterns-7x2-stm-0-zero-2.4.6.8.10.12.1-3.5.7.9.11.13";
    const BOARD: &str = "1 2 3 4 5 6 7/8 9 10 11 12 0 13";
    let folder = Folder::new();
    let cache = folder.path().to_str().unwrap();
    let built = run(["tables", "build", NAME, "--cache", cache]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let journal = folder.path().join("search");
    let file = journal.to_str().unwrap();
    let begun = run(["solve", HARD, "--checkpoint", file, "--tables", "small", "--nodes", "1000"]);
    assert_eq!(begun.code, 3, "{}", begun.stderr);
    let before = folder.names();
    let out = folder.path().join("out");
    for (args, code, words) in [
        (&["solve", BOARD, "--tables", "large", "--cache", cache][..], 0, ""),
        (&["tables", "verify", NAME, "--cache", cache], 0, ""),
        (&["tables", "remove", NAME, "--cache", cache], 4, "Read-only file system"),
        (&["solve", EASY, "-o", out.to_str().unwrap()], 4, "Read-only file system"),
        (&["solve", "--resume", file], 4, "Read-only file system"),
    ] {
        let Some(mut limited) = mounted(READ_ONLY, folder.path(), &npuzzle(args)) else { return };
        let (found, stdout, stderr) = result_of(&limited.output().unwrap());
        assert_eq!(found, Some(code), "{args:?}: {stdout}{stderr}");
        assert!(stderr.contains(words) && (code != 0 || stderr.is_empty()), "{args:?}: {stderr}");
        assert_eq!(folder.names(), before, "{args:?}");
    }
}

/// A command that cannot start threads; `None` if that is not possible here. The limit counts all
/// processes of a user and does not apply to root, so root becomes a user without other processes.
#[cfg(target_os = "linux")]
fn without_threads(folder: &Folder, args: &[&str]) -> Option<Command> {
    use std::os::unix::fs::PermissionsExt;
    // Readable by every user.
    let program = folder.path().join("npuzzle");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_npuzzle"), &program).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    }
    let user = (1_000_000_000 + std::process::id()).to_string();
    let user = ["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups"];
    for user in [&[][..], &user] {
        let limited = |words: &[&str]| {
            let words = [user, &["prlimit", "--nproc=1"], words].concat();
            let mut limited = Command::new(words[0]);
            limited.args(&words[1..]).stdin(Stdio::null()).current_dir(folder.path());
            limited
        };
        let succeeds = |words: &[&str]| limited(words).output().is_ok_and(|o| o.status.success());
        // The second command must fail to start another process.
        if succeeds(&["true"]) && !succeeds(&["timeout", "9", "true"]) {
            return Some(limited(&[&[program.to_str().unwrap()], args].concat()));
        }
    }
    eprintln!("skipped: threads cannot be refused here");
    None
}

#[cfg(target_os = "linux")]
#[test]
fn answers_do_not_depend_on_threads() {
    const NAME: &str = "patterns-7x2-stm-0-zero-2.4.6.8.10.12.1-3.5.7.9.11.13";
    const FILE: &str = "patterns-7x2-stm-0-zero-2.4.6.8.10.12.1-3.5.7.9.11.13.table";
    let folder = Folder::new();
    folder.file("boards", "1 2 3/4 0 5/7 8 6\n8 6 7/2 5 4/3 0 1\n".repeat(20));
    let boards = folder.path().join("boards");
    let boards = boards.to_str().unwrap();
    let whole = ["--no-cache", "--quiet", "--time", "none", "--threads", "4"];
    for (command, flags) in [
        // A batch, a search split into subtrees, MTM tables, and a beam search.
        (&["solve", boards][..], &whole[..]),
        (&["solve", HARD, "--tables", "small"], &whole),
        (&["solve", "12 1 2 15/11 6 5 8/7 10 9 4/0 13 14 3", "--metric", "mtm"], &whole),
        (&["solve", HARD, "--algorithm", "beam", "--nodes", "300000"], &whole),
        (&["audit", "manhattan", "--size", "3x3"], &["--threads", "4"]),
        (&["census", "3x3", "--on-disk", "census"], &["--threads", "4"]),
    ] {
        let args = [command, flags].concat();
        let Some(mut alone) = without_threads(&folder, &args) else { return };
        let alone = result_of(&alone.output().unwrap());
        assert_eq!((alone.0, alone.2.as_str()), (Some(0), ""), "{args:?}");
        let elsewhere = Folder::new();
        let together = result_of(&npuzzle(&args).current_dir(elsewhere.path()).output().unwrap());
        assert_eq!(alone, together, "{args:?}");
    }
    // The same bytes, with and without threads.
    let built = Folder::new();
    let build = ["tables", "build", NAME, "--threads", "4", "--cache", "cache"];
    let Some(mut alone) = without_threads(&folder, &build) else { return };
    for (command, place) in
        [(&mut alone, folder.path()), (npuzzle(&build).current_dir(built.path()), built.path())]
    {
        let (code, _, stderr) = result_of(&command.output().unwrap());
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{}", place.display());
    }
    let table = |folder: &Folder| fs::read(folder.path().join("cache").join(FILE)).unwrap();
    assert!(table(&folder) == table(&built));
    let verify = ["tables", "verify", NAME, "--deep", "--threads", "4", "--cache", "cache"];
    // Limits still end a search, and commands that require threads report it.
    let limited = ["solve", HARD, "--tables", "large", "--no-cache", "--time", "100ms"];
    let grade = ["grade", "--course", "princeton", "--boards", boards, "--", "true"];
    let cluster = ["cluster", "--local", "1", "census", "3x3", "--folder", "work"];
    for (args, code) in [(&verify[..], 0), (&limited, 3), (&grade, 4), (&cluster, 4)] {
        let Some(mut alone) = without_threads(&folder, args) else { return };
        let (found, _, stderr) = result_of(&alone.output().unwrap());
        assert_eq!(found, Some(code), "{args:?}: {stderr}");
        assert!(stderr.lines().count() <= 1, "{stderr}");
    }
}

#[test]
fn second_run_on_one_file_is_rejected() {
    let folder = Folder::new();
    let out = folder.file("out.txt", "old");
    let file = out.to_str().unwrap();
    let (mut first, partial) = start_batch(&out);
    let second = run(["solve", EASY, "--quiet", "-o", file]);
    // On an idle machine, the first run may have ended by then.
    if first.try_wait().unwrap().is_none() {
        assert_eq!(second.code, 4, "{}", second.stderr);
        assert!(second.stderr.contains("another process is writing it"), "{}", second.stderr);
        assert!(fs::read_to_string(&partial).unwrap().starts_with("L\n"));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // The file of a killed run is kept, and does not block other runs.
    assert_eq!(run(["solve", EASY, "--quiet", "-o", file]).code, 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), "L U\n");
    let names = folder.names();
    assert!(names == ["out.txt"] || names == ["out.txt", "out.txt.partial.1"], "{names:?}");
}
