//! `npuzzle grade` with right, wrong and hostile programs.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::program::{Folder, RunResult, command, run};

const NPUZZLE: &str = env!("CARGO_BIN_EXE_npuzzle");

/// A student's program with a selectable bug. It belongs to another crate, so cargo builds it.
pub(crate) fn wrong_solver() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let built = Command::new(env!("CARGO"))
            .args([
                "build",
                "--quiet",
                "--locked",
                "-p",
                "npuzzle-testkit",
                "--bin",
                "wrong_solver",
            ])
            .arg("--target-dir")
            .arg(target)
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        target.join("debug/wrong_solver")
    })
}

pub(crate) fn grade(course: &str, flags: &[&str], program: &[&str]) -> RunResult {
    run(["grade", "--course", course].iter().chain(flags).chain(&["--"]).chain(program))
}

/// Grades the student's program with a bug; also returns the JSON results.
fn grade_wrong(bug: &str, course: &str, flags: &[&str]) -> (RunResult, Value) {
    let folder = Folder::new();
    let json = folder.path().join("results.json");
    let solver = wrong_solver().to_str().unwrap();
    let flags = [flags, &["--json", json.to_str().unwrap()]].concat();
    let ran = grade(course, &flags, &[solver, bug, course, "{input}"]);
    let text = fs::read_to_string(&json).unwrap_or_else(|_| panic!("{}", ran.stderr));
    (ran, serde_json::from_str(&text).unwrap())
}

/// The bugs that are named.
fn diagnosed(results: &Value) -> Vec<&str> {
    let found = results["diagnoses"].as_array().unwrap();
    found.iter().map(|found| found["suspect"].as_str().unwrap()).collect()
}

fn names_bug(bug: &str, course: &str, flags: &[&str]) {
    let (ran, results) = grade_wrong(bug, course, flags);
    assert_eq!(ran.code, 1, "{bug} {course}: {}{}", ran.stdout, ran.stderr);
    assert_eq!(diagnosed(&results), [bug], "{course}: {}", ran.stdout);
    assert!(ran.stdout.contains("likely bug: "), "{}", ran.stdout);
}

#[test]
fn grade_gives_our_programs_full_marks() {
    for course in ["umbc", "auc", "princeton", "bu", "cuhk", "42"] {
        let answer: &[&str] = if course == "cuhk" { &["{output}"] } else { &[] };
        let program = [&[NPUZZLE, "course", course, "{input}"], answer].concat();
        let ran = grade(course, &[], &program);
        assert_eq!(ran.code, 0, "{course}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("score: 100 of 100 points"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("likely bug"), "{}", ran.stdout);
    }
    for method in ["bfs", "dfs", "ast"] {
        let program = [NPUZZLE, "course", "columbia", "{method}", "{board}"];
        let ran = grade("columbia", &["--method", method], &program);
        assert_eq!(ran.code, 0, "{method}: {}{}", ran.stdout, ran.stderr);
    }
    let ran = grade("cs188", &[], &[NPUZZLE, "course", "cs188", "{board}"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    // Other boards of the same kind.
    let ran = grade("princeton", &["--seed", "7"], &[NPUZZLE, "course", "princeton", "{input}"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn grade_gives_a_right_program_full_marks() {
    for course in ["princeton", "auc", "umbc"] {
        let (ran, results) = grade_wrong("none", course, &["--points", "20"]);
        assert_eq!(ran.code, 0, "{course}: {}{}", ran.stdout, ran.stderr);
        assert_eq!((&results["score"], &results["points"]), (&20.0.into(), &20.0.into()));
        assert!(diagnosed(&results).is_empty());
    }
}

#[test]
fn grade_names_wrong_heuristics() {
    names_bug("blank-counted", "princeton", &[]);
    names_bug("blank-counted", "auc", &[]);
    names_bug("blank-counted", "umbc", &[]);
    names_bug("conflict-pairs", "princeton", &[]);
    names_bug("conflict-pairs", "auc", &[]);
}

#[test]
fn grade_names_wrong_searches() {
    names_bug("greedy", "princeton", &[]);
    names_bug("greedy", "auc", &[]);
    names_bug("greedy", "umbc", &[]);
    names_bug("closed-on-insertion", "princeton", &[]);
    names_bug("goal-on-insertion", "princeton", &[]);
    names_bug("goal-on-insertion", "umbc", &[]);
}

#[test]
fn grade_names_endless_searches() {
    // A limit that does not depend on the speed of the machine.
    let flags = ["--memory", "300M", "--time", "none"];
    names_bug("no-detection", "princeton", &flags);
    names_bug("wrong-ancestor", "princeton", &flags);
    // The states removed from the queue show the cause.
    names_bug("wrong-ancestor", "umbc", &flags);
}

#[test]
fn grade_names_wrong_answers() {
    names_bug("off-by-one", "princeton", &[]);
    names_bug("off-by-one", "umbc", &[]);
    names_bug("off-by-one", "auc", &[]);
    names_bug("ways-swapped", "auc", &[]);
    names_bug("wrong-goal", "princeton", &[]);
    names_bug("wrong-goal", "umbc", &[]);
}

#[test]
fn grade_does_not_name_an_unknown_bug() {
    let (ran, results) = grade_wrong("detour", "princeton", &[]);
    assert_eq!(ran.code, 1);
    assert!(diagnosed(&results).is_empty(), "{}", ran.stdout);
    let results = results["results"].as_array().unwrap();
    let longer =
        |result: &&Value| result["verdict"].as_str().unwrap().contains("2 more than the shortest");
    let n_solvable = results.iter().filter(|result| result["solvable"] == true).count();
    assert_eq!(results.iter().filter(longer).count(), n_solvable, "{}", ran.stdout);
}

/// A number of seconds to sleep that no other process has on its command line.
pub(crate) fn unique_sleep() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("9{}.{}", NEXT.fetch_add(1, Ordering::Relaxed), 100_000_000 + process::id())
}

/// The number of live processes with this argument.
pub(crate) fn n_running(word: &str) -> usize {
    let running = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let matches = line.split(|&byte| byte == 0).any(|arg| arg == word.as_bytes());
        matches.then_some(())
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(running).count()
}

/// Runs a hostile program on one board, and checks the verdict and that no process is left.
fn survives(script: &str, flags: &[&str], words: &str) {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n");
    let sleep = unique_sleep();
    let script = script.replace("SLEEP", &format!("sleep {sleep}"));
    let flags = [flags, &["--boards", boards.to_str().unwrap()]].concat();
    let ran = grade("princeton", &flags, &["sh", "-c", &script]);
    assert_eq!(ran.code, 1, "{script}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(words), "{script}: {}", ran.stdout);
    assert_eq!(n_running(&sleep), 0, "{script}");
}

#[test]
fn grade_survives_hostile_programs() {
    let brief = ["--time", "300ms"];
    survives("SLEEP", &brief, "timed out");
    survives("trap '' TERM INT HUP; while :; do SLEEP; done", &brief, "timed out");
    // Children and orphaned grandchildren, inside and outside the group.
    survives("SLEEP & (SLEEP &) & setsid sh -c 'SLEEP & SLEEP' & exit 0", &[], "left ");
    survives("(setsid sh -c 'trap \"\" HUP TERM; SLEEP' &) ; SLEEP", &brief, "timed out");
    survives("while :; do echo flood; done; SLEEP", &["--time", "60s"], "cut off");
    survives("while :; do echo flood >&2; done", &brief, "timed out");
    // `tail` holds a line that never ends.
    let eats = "tail -n 1 /dev/zero";
    survives(eats, &["--memory", "100M", "--time", "60s"], "exceeded the memory limit");
    survives(
        &format!("setsid {eats} & wait"),
        &["--memory", "100M", "--time", "60s"],
        "exceeded the memory limit",
    );
    survives("while :; do SLEEP & done", &["--time", "60s"], "too many processes");
    survives("kill -SEGV $$", &[], "killed by signal 11");
    survives("exit 3", &[], "no answer in the output, exit code 3");
}

/// Runs as a user with no other processes and a limit of some hundred, so that a surviving bomb does little
/// harm. Only root can become another user.
#[test]
fn grade_kills_a_fork_bomb() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n");
    // Readable by every user.
    let program = folder.path().join("npuzzle");
    fs::copy(NPUZZLE, &program).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let user = (1_100_000_000 + process::id()).to_string();
    let as_user = |words: &[&str]| {
        let mut as_user = Command::new("setpriv");
        as_user.args(["--reuid", &user, "--regid", &user, "--clear-groups"]);
        as_user.args(["prlimit", "--nproc=600"]).args(words);
        as_user.stdin(Stdio::null()).current_dir(folder.path());
        as_user
    };
    if !as_user(&["true"]).output().is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: cannot become another user here");
        return;
    }
    let grade = [program.to_str().unwrap(), "grade", "--course", "princeton", "--time", "60s"];
    let bomb = ["--boards", boards.to_str().unwrap(), "--", "sh", "-c", "f() { f | f; }; f"];
    let ran = as_user(&[&grade[..], &bomb].concat()).output().unwrap();
    let owner = |entry: &fs::DirEntry| {
        let status = fs::read_to_string(entry.path().join("status")).ok()?;
        let field = |name| status.lines().find_map(|line: &str| line.strip_prefix(name));
        let is_alive = !field("State:")?.trim().starts_with('Z');
        let uid = field("Uid:")?.split_whitespace().next()?;
        (is_alive && uid == user).then_some(())
    };
    let left = fs::read_dir("/proc").unwrap().flatten().filter(|e| owner(e).is_some()).count();
    let _ = as_user(&["kill", "-KILL", "--", "-1"]).status();
    let (stdout, stderr) =
        (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    // It has too many processes, or fails at its user's limit before they are counted.
    assert_eq!(ran.status.code(), Some(1), "{stdout}{stderr}");
    assert_eq!(left, 0, "processes of the bomb");
}

#[test]
fn crash_is_not_the_answer_unsolvable() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/8 7 0\n");
    let flags = ["--boards", boards.to_str().unwrap()];
    for course in ["umbc", "auc", "cuhk"] {
        let crash = "echo 'Traceback (most recent call last):' >&2; exit 1";
        let crashed = grade(course, &flags, &["sh", "-c", crash]);
        assert_eq!(crashed.code, 1, "{course}: {}", crashed.stdout);
        assert!(crashed.stdout.contains("crashed with exit code 1"), "{}", crashed.stdout);
        let silent = grade(course, &flags, &["sh", "-c", "exit 1"]);
        assert_eq!(silent.code, 0, "{course}: {}", silent.stdout);
    }
}

#[test]
fn interrupted_grade_leaves_nothing() {
    let sleep = unique_sleep();
    let script = format!("setsid sleep {sleep} & sleep {sleep}");
    let folder = Folder::new();
    let out = folder.path().join("results.json");
    let mut child = command()
        .args(["grade", "--course", "princeton", "--time", "none", "--json"])
        .arg(&out)
        .args(["--", "sh", "-c", &script])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while n_running(&sleep) < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(n_running(&sleep), 0);
    assert!(!out.exists());
    let leftover = format!("npuzzle-{id}-");
    let names = fs::read_dir(std::env::temp_dir()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.filter(|name| name.to_string_lossy().starts_with(&leftover)).count(), 0);
}

/// Escape sequences that clear the screen, a change of direction, and a bell.
#[test]
fn grade_escapes_what_a_program_prints() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n");
    let [json, junit, scope] = ["r.json", "r.xml", "results.json"].map(|n| folder.path().join(n));
    let paths = [&json, &junit, &scope].map(|path| path.to_str().unwrap());
    let flags = ["--json", paths[0], "--junit", paths[1], "--gradescope", paths[2]];
    let flags = [&["--boards", boards.to_str().unwrap()][..], &flags].concat();
    let script = r"printf 'a\033[2Jb\342\200\256c\007\n' | tee /dev/stderr; exit 1";
    let ran = grade("princeton", &flags, &["sh", "-c", script]);
    let shown = r"a\u{1b}[2Jb\u{202e}c\u{7}";
    assert!(ran.stdout.contains(&format!("stderr: {shown}\n")), "{}", ran.stdout);
    for path in paths {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(&shown.replace('\\', r"\\")) || text.contains(shown), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text}");
    }
}

#[test]
fn grade_shows_the_same_error_once() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/0 7 8\n1 2 3/4 5 0/7 8 6\n");
    let flags = ["--boards", boards.to_str().unwrap()];
    let ran = grade("princeton", &flags, &["sh", "-c", "echo Traceback >&2; exit 1"]);
    assert_eq!(ran.stdout.matches("stderr: Traceback").count(), 1, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("; stderr as on board 1)").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("[1 2 3/4 5 6/0 7 8]: no answer"), "{}", ran.stdout);
}

#[test]
fn grade_writes_json_junit_and_gradescope() {
    let folder = Folder::new();
    let boards = folder.file("a<b>&\"c\".txt", "1 2 3/4 5 6/7 0 8\n0 1 3/4 2 5/7 8 6\n");
    let [json, junit, scope] = ["r.json", "r.xml", "results.json"].map(|n| folder.path().join(n));
    let flags = [
        "--boards",
        boards.to_str().unwrap(),
        "--points",
        "5",
        "--json",
        json.to_str().unwrap(),
        "--junit",
        junit.to_str().unwrap(),
        "--gradescope",
        scope.to_str().unwrap(),
        "--quiet",
    ];
    // A program that knows one answer.
    let script = "echo 'Minimum number of moves = 1'; printf '3\\n1 2 3\\n4 5 6\\n7 0 8\\n3\\n1 2 3\\n\
                  4 5 6\\n7 8 0\\n'; echo 'a <warning>' >&2";
    let ran = grade("princeton", &flags, &["sh", "-c", script]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let results: Value = serde_json::from_str(&read(&json)).unwrap();
    assert_eq!((&results["passed"], &results["boards"]), (&1.into(), &2.into()));
    assert_eq!(results["score"], 2.5);
    assert_eq!(results["results"][0]["passed"], true);
    assert_eq!(
        results["results"][1]["verdict"],
        "line 3: the first board is not the start of the puzzle"
    );
    let scope: Value = serde_json::from_str(&read(&scope)).unwrap();
    let tests = scope["tests"].as_array().unwrap();
    let scores: Vec<f64> = tests.iter().map(|test| test["score"].as_f64().unwrap()).collect();
    assert_eq!((scores, &tests[1]["max_score"]), (vec![2.5, 0.0], &2.5.into()));
    assert_eq!(tests[1]["status"], "failed");
    assert!(tests[1]["output"].as_str().unwrap().contains("a <warning>"));
    let xml = read(&junit);
    assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{xml}");
    assert!(xml.contains("a&lt;b&gt;&amp;&quot;c&quot;.txt:1\""), "{xml}");
    assert!(xml.contains("a &lt;warning&gt;"), "{xml}");
    assert_eq!(xml.matches("<testcase").count(), 2);
    assert_eq!(folder.names(), ["a<b>&\"c\".txt", "r.json", "r.xml", "results.json"]);
}

#[test]
fn grade_reads_only_regular_answer_files() {
    let outside = Folder::new();
    let secret = outside.file("secret", "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/7 8 0\n");
    let link = format!("ln -s {} {{output}}", secret.display());
    for script in ["mkfifo {output}", &link, "mkdir {output}"] {
        survives(script, &[], "no answer in the output");
    }
}

#[test]
fn every_board_has_its_own_folder() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 0/7 8 6\n");
    let flags = ["--boards", boards.to_str().unwrap(), "--allow", NPUZZLE];
    let script = format!("{NPUZZLE} course princeton {{input}}; rm -r $(dirname {{input}})");
    let ran = grade("princeton", &flags, &["sh", "-c", &script]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn program_that_cannot_start_has_results() {
    let folder = Folder::new();
    let [json, junit, scope] = ["r.json", "r.xml", "results.json"].map(|n| folder.path().join(n));
    let paths = [&json, &junit, &scope].map(|path| path.to_str().unwrap());
    let flags = ["--json", paths[0], "--junit", paths[1], "--gradescope", paths[2], "--quiet"];
    let ran = grade("bu", &flags, &["/no/such/program"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let results: Value = serde_json::from_str(&read(&json)).unwrap();
    assert_eq!(results["score"], 0.0);
    assert_eq!(results["results"][0]["verdict"], "cannot be started: no such program");
    let ran = grade("bu", &[], &["/no/such/program"]);
    assert_eq!(ran.stdout, "score: 0 of 100 points, 0 of 9 boards passed\n");
    assert_eq!(ran.stderr.matches("no such program").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("/no/such/program: cannot be started: no such program"));
    let scope: Value = serde_json::from_str(&read(&scope)).unwrap();
    assert_eq!(scope["score"], 0.0);
    assert!(read(&junit).contains("<error message=\"cannot be started"));
}

#[test]
fn grade_opens_outputs_before_running() {
    let folder = Folder::new();
    let (bad, out) = (folder.path().join("none/r.json"), folder.path().join("r.json"));
    let ran = grade("bu", &["--json", bad.to_str().unwrap()], &["sh", "-c", "echo ran >&2"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""), "{}", ran.stderr);
    let other = folder.path().join("../").join(folder.path().file_name().unwrap()).join("r.json");
    let flags = ["--json", out.to_str().unwrap(), "--gradescope", other.to_str().unwrap()];
    let ran = grade("bu", &flags, &["sh", "-c", "echo ran >&2"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("used for two outputs"), "{}", ran.stderr);
    assert!(folder.names().is_empty());
}

#[test]
fn grade_passes_boards_by_file_or_stdin() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n");
    let flags = ["--boards", boards.to_str().unwrap(), "--allow", NPUZZLE];
    let solve =
        |from: &str| format!("f=$(mktemp); cat {from} > $f; {NPUZZLE} course princeton $f; rm $f");
    let by_name = grade("princeton", &flags, &["sh", "-c", &solve("{input}")]);
    assert_eq!(by_name.code, 0, "{}{}", by_name.stdout, by_name.stderr);
    let by_stdin = grade("princeton", &flags, &["sh", "-c", &solve("-")]);
    assert_eq!(by_stdin.code, 0, "{}{}", by_stdin.stdout, by_stdin.stderr);
    let shown = grade("umbc", &flags, &["sh", "-c", "cat >&2"]);
    assert!(shown.stdout.contains("stderr: 7 0 8\n"), "{}", shown.stdout);
    assert!(shown.stdout.contains("stderr: 1 2 3\n"), "{}", shown.stdout);
}

#[test]
fn grade_rejects_bad_usage() {
    let check = |args: &[&str], words: &str| {
        let ran = run(["grade"].iter().chain(args));
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(&["--course", "princeton"], "COMMAND");
    check(&["--course", "mit", "--", "true"], "mit");
    check(&["--course", "bu", "--", "/no/such/program", "{input}"], "cannot be started");
    check(&["--course", "bu", "--time", "0s", "--", "true"], "a time above 0");
    check(&["--course", "bu", "--memory", "0", "--", "true"], "a size above 0");
    check(&["--course", "bu", "--points", "0", "--", "true"], "a number above 0");
    check(&["--course", "columbia", "--", "true"], "needs --method with one of bfs, dfs, ast");
    check(&["--course", "columbia", "--method", "ucs", "--", "true"], "one of bfs, dfs, ast");
    check(&["--course", "bu", "--method", "bfs", "--", "true"], "bu is graded without a method");
    check(&["--course", "uta", "--method", "bfs", "--", "true"], "uta is graded without a method");
    let folder = Folder::new();
    let large = folder.file("large", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0\n");
    check(
        &["--course", "bu", "--boards", large.to_str().unwrap(), "--", "true"],
        "this course solves 3x3 boards",
    );
    let other = folder.file("other", "{\"start\":[[1,2],[3,0]],\"goal\":[[0,1],[2,3]]}\n");
    check(
        &["--course", "princeton", "--boards", other.to_str().unwrap(), "--", "true"],
        "has a fixed goal",
    );
}
