//! Attacks on `npuzzle grade`, each a small program. Each one prints what it found on standard error.

#![cfg(target_os = "linux")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::grade::n_running;
use crate::program::{Folder, RunResult, command, run};

const NPUZZLE: &str = env!("CARGO_BIN_EXE_npuzzle");
const BOARD: &str = "1 2 3/4 5 6/7 0 8\n";
/// A right answer for `BOARD`.
const ANSWER: &str =
    "Minimum number of moves = 1\n3\n1 2 3\n4 5 6\n7 0 8\n3\n1 2 3\n4 5 6\n7 8 0\n";

/// Whether bubblewrap works here. It must in the CI.
fn has_bubblewrap() -> bool {
    let probe = ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
    let works = Command::new("bwrap").args(probe).output().is_ok_and(|ran| ran.status.success());
    assert!(works || std::env::var_os("CI").is_none(), "the CI has no bubblewrap");
    if !works {
        eprintln!("skipped: bubblewrap does not work here");
    }
    works
}

/// The folder of a student, next to files that the student must not see.
struct Class {
    folder: Folder,
}

impl Class {
    fn new() -> Class {
        let folder = Folder::new();
        fs::create_dir(folder.path().join("ada")).unwrap();
        folder.file("boards.txt", BOARD);
        folder.file("key.csv", "the key");
        Class { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Grades a shell script of the student, with `CLASS` in place of the folder's path. Returns the
    /// result and what the JSON file says.
    fn grade(&self, flags: &[&str], script: &str) -> (RunResult, Value) {
        let script = script.replace("CLASS", self.folder.path().to_str().unwrap());
        fs::write(self.path("ada/attack.sh"), script).unwrap();
        let (boards, json) = (self.path("boards.txt"), self.path("results.json"));
        let fixed = ["grade", "--course", "princeton", "--require-sandbox", "--boards", &boards];
        let program = self.path("ada/attack.sh");
        let rest = ["--json", &json, "--", "sh", &program, "{input}"];
        let ran = run(fixed.iter().chain(flags).chain(&rest));
        let text = fs::read_to_string(&json).unwrap_or_else(|_| panic!("{}", ran.stderr));
        (ran, serde_json::from_str(&text).unwrap())
    }

    /// The verdict and the standard error of a script that must not pass.
    fn fails(&self, flags: &[&str], script: &str) -> (String, String) {
        let (ran, results) = self.grade(flags, script);
        assert_eq!((ran.code, &results["score"]), (1, &0.0.into()), "{}{}", ran.stdout, ran.stderr);
        let text = |name: &str| results["results"][0][name].as_str().unwrap().to_owned();
        (text("verdict"), text("stderr"))
    }

    /// Checks that a script prints `words` on standard error.
    fn reports(&self, script: &str, words: &str) {
        let (verdict, stderr) = self.fails(&["--time", "60s"], script);
        assert!(stderr.contains(words), "{script}: {verdict}: {stderr:?} has no {words:?}");
    }
}

#[test]
fn sandboxed_program_solves_and_uses_its_folder() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let script = format!("cat $1 > $HOME/copy && printf '{}'", ANSWER.replace('\n', "\\n"));
    let (ran, results) = class.grade(&[], &script);
    assert_eq!((ran.code, &results["score"]), (0, &100.0.into()), "{}{}", ran.stdout, ran.stderr);
    let all = ["files", "network", "processes", "system calls", "environment", "limits"];
    assert_eq!(results["sandbox"], serde_json::json!(all));
    assert!(ran.stdout.contains("sandbox: files, network, processes"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

#[test]
fn sandbox_protects_the_results() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    // It does not see the incomplete file. Its forged file is in a private /tmp.
    let forge = "ls CLASS >&2; echo '{\"score\":100}' > CLASS/forged
        mv CLASS/forged CLASS/results.json.partial && echo replaced >&2";
    let (_, stderr) = class.fails(&[], forge);
    assert_eq!(stderr, "ada\nreplaced\n");
    assert_eq!(class.folder.names(), ["ada", "boards.txt", "key.csv", "results.json"]);
    class.reports("cat CLASS/key.csv >&2 || echo no key >&2", "no key");
    class.reports("cat CLASS/boards.txt >&2 || echo no boards >&2", "no boards");
    class.reports("cat CLASS/../*/key.csv >&2 || echo no other folders >&2", "no other folders");
}

#[test]
fn sandbox_hides_results_in_the_program_folder() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let boards = class.path("ada/boards.txt");
    fs::write(&boards, BOARD).unwrap();
    let scope = class.path("ada/scope.json");
    let flags = ["--boards", &boards, "--gradescope", &scope];
    let script = "cat CLASS/ada/boards.txt >&2 || echo hidden boards >&2
        (echo 100 > CLASS/ada/scope.json.partial) 2>&- || echo hidden results >&2";
    let (verdict, stderr) = class.fails(&flags, script);
    assert!(stderr.contains("hidden boards\n"), "{verdict}: {stderr}");
    assert!(stderr.contains("hidden results\n"), "{verdict}: {stderr}");
    assert!(fs::read_to_string(&scope).unwrap().contains("\"score\": 0.0"));
}

#[test]
fn sandbox_hides_npuzzle_and_its_process() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let calls =
        "for exe in /proc/[0-9]*/exe; do $exe course princeton $1 2>&-; done; echo tried >&2";
    class.reports(calls, "tried");
    class.reports(&format!("{NPUZZLE} course princeton $1 || echo no npuzzle >&2"), "no npuzzle");
    // Its parent is a process of bubblewrap.
    class.reports("cat /proc/[0-9]*/cmdline | grep -a -c -- '--[c]ourse' >&2", "0\n");
    class.reports("kill -KILL $PPID; kill -KILL 1; kill -KILL -1; echo alive >&2", "alive");
    // The folder of npuzzle is shown, but not npuzzle.
    let folder = Path::new(NPUZZLE).parent().unwrap().to_str().unwrap();
    let script = format!("test -e {NPUZZLE} && echo exists >&2; {NPUZZLE} course princeton $1");
    let (_, stderr) = class.fails(&["--allow", folder], &script);
    assert!(stderr.contains("exists"), "{stderr}");
    // Unless the user names it.
    let (ran, _) = class.grade(&["--allow", NPUZZLE], &script);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn sandbox_denies_ptrace_and_namespaces() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let python = "python3 -c '
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def denied(name, number, *args):
    result = libc.syscall(number, *args)
    import sys
    print(name, result, errno.errorcode.get(ctypes.get_errno()), file=sys.stderr)
denied(\"ptrace\", PTRACE, 16, 1, 0, 0)
denied(\"memfd\", MEMFD, b\"x\", 0)
denied(\"unshare\", UNSHARE, 0x10000000)
denied(\"clone\", CLONE, 0x10000000 | 17, 0, 0, 0, 0)
'";
    let numbers =
        if cfg!(target_arch = "x86_64") { [101, 319, 272, 56] } else { [117, 279, 97, 220] };
    let mut python = python.to_owned();
    for (name, number) in ["PTRACE", "MEMFD", "UNSHARE", "CLONE"].into_iter().zip(numbers) {
        python = python.replace(name, &number.to_string());
    }
    let (_, stderr) = class.fails(&["--time", "60s"], &python);
    for name in ["ptrace", "memfd", "unshare", "clone"] {
        assert!(stderr.contains(&format!("{name} -1 ENOSYS\n")), "{stderr}");
    }
}

#[test]
fn sandbox_hides_the_environment() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    fs::write(class.path("ada/attack.sh"), "env | cut -d= -f1 | sort | tr '\\n' ' ' >&2").unwrap();
    let (boards, attack) = (class.path("boards.txt"), class.path("ada/attack.sh"));
    let ran = command()
        .args(["grade", "--course", "princeton", "--boards", &boards, "--", "sh", &attack])
        .env("SECRET_TOKEN", "1")
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&ran.stdout);
    assert!(stdout.contains("stderr: HOME LANG LC_ALL PATH PWD TMPDIR"), "{stdout}");
    assert!(!stdout.contains("SECRET"), "{stdout}");
}

#[test]
fn sandbox_has_no_network() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!(
        "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 5)' \
         2>&- || echo no network >&2"
    );
    class.reports(&connect, "no network");
    class.reports("tail -n +3 /proc/net/dev | grep -vc lo: >&2", "0\n");
}

#[test]
fn sandbox_ends_a_fork_comet() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    // Each process starts its successor in a session of its own and ends. The chain is bounded.
    let mark = format!("comet-{}", std::process::id());
    let comet = format!(
        "echo '[ $1 = 500 ] || setsid sh $HOME/comet $(($1 + 1)) {mark} &' > $HOME/comet
        sh $HOME/comet 0 {mark}; sleep 0.1"
    );
    class.fails(&[], &comet);
    assert_eq!(n_running(&mark), 0);
    let (verdict, _) = class.fails(&[], "setsid sleep 77.125 & exit 0");
    assert!(verdict.contains("left 1 process running, which was killed"), "{verdict}");
    assert_eq!(n_running("77.125"), 0);
}

#[test]
fn sandbox_sets_limits_before_the_first_instruction() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    class.reports("ulimit -f >&2", "131072\n");
    class.reports("head -c 80M /dev/zero > $HOME/large; wc -c < $HOME/large >&2", "67108864\n");
}

#[test]
fn sandbox_limits_memory_that_no_process_maps() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let fill = "for f in /tmp/a /dev/shm/b; do head -c 300M /dev/zero > $f; done 2>&-
        du -xsm /tmp /dev/shm | cut -f1 | tr '\\n' ' ' >&2";
    class.reports(fill, "32 16");
    let python = "python3 -c 'import os
try: f = os.memfd_create(\"x\")
except OSError: exit(\"no memfd\")
for i in range(300): os.write(f, bytes(1 << 20))'";
    let (verdict, stderr) = class.fails(&["--memory", "128M", "--time", "60s"], python);
    assert!(stderr.contains("no memfd"), "{verdict}: {stderr}");
}

#[test]
fn sandbox_writes_only_to_its_folder() {
    if !has_bubblewrap() {
        return;
    }
    let class = Class::new();
    let script = "for f in /x /etc/x /usr/x CLASS/ada/x /dev/x /proc/sys/kernel/core_pattern; do
        (cat $f > $f || echo x > $f) 2>&- && echo wrote $f >&2; done; echo x > $HOME/x && echo x > CLASS/x && echo done >&2";
    let (_, stderr) = class.fails(&[], script);
    assert_eq!(stderr, "done\n");
    // The class is in a private /tmp.
    assert!(!Path::new(&class.path("x")).exists());
    // Too much, in many files.
    let fill = "for i in 1 2 3 4 5 6 7 8 9; do head -c 60M /dev/zero > $HOME/$i; done; sleep 60";
    let (verdict, _) = class.fails(&["--time", "60s"], fill);
    assert!(verdict.contains("too much output"), "{verdict}");
}

/// Programs in a `PATH` without bubblewrap.
fn path_without_bubblewrap(folder: &Folder) -> String {
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["sh", "cat", "env"] {
        let folders = std::env::var_os("PATH").unwrap();
        let path = std::env::split_paths(&folders).map(|folder| folder.join(name));
        symlink(path.into_iter().find(|path| path.exists()).unwrap(), bin.join(name)).unwrap();
    }
    bin.to_str().unwrap().to_owned()
}

#[test]
fn grade_warns_or_refuses_without_bubblewrap() {
    let class = Class::new();
    let path = path_without_bubblewrap(&class.folder);
    let (boards, json) = (class.path("boards.txt"), class.path("r.json"));
    let grade = |flags: &[&str], script: &str| {
        let fixed = ["grade", "--course", "princeton", "--boards", &boards];
        let script = script.replace("CLASS", class.folder.path().to_str().unwrap());
        let mut command = command();
        command.args(fixed).args(flags).args(["--", "/bin/sh", "-c", &script]).env("PATH", &path);
        let ran = command.current_dir(class.path("ada")).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
    };
    let (code, stdout, stderr) = grade(&["--require-sandbox"], "echo ran >&2");
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.contains("install the package bubblewrap"), "{stderr}");

    let (code, stdout, stderr) = grade(&["--json", &json], "ulimit -f >&2; exit 3");
    assert_eq!(code, Some(1), "{stderr}");
    assert_eq!(stderr.matches("bubblewrap is not installed").count(), 1, "{stderr}");
    assert!(stdout.contains("stderr: 131072\n"), "{stdout}");
    let results: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let protections = results["sandbox"].as_array().unwrap();
    assert!(protections.contains(&"limits".into()), "{results}");
    assert!(!protections.contains(&"processes".into()), "{results}");
    // Landlock, if the kernel has it.
    if protections.contains(&"files".into()) {
        let steal = "cat CLASS/key.csv || echo no key >&2; (echo > CLASS/x) || echo no write >&2";
        let (_, stdout, _) = grade(&[], steal);
        assert!(stdout.contains("no key") && stdout.contains("no write"), "{stdout}");
    }
}

/// Columbia's programs write `output.txt` into the current folder.
#[test]
fn sandboxed_program_writes_the_prescribed_file() {
    let class = Class::new();
    let columbia = |path: &str, args: &[&str]| {
        let ran = command().args(args).env("PATH", path).current_dir(class.path("")).output();
        RunResult::from(ran.unwrap())
    };
    let path = std::env::var("PATH").unwrap();
    columbia(&path, &["course", "columbia", "bfs", "1,2,5,3,4,0,6,7,8"]);
    let answer = fs::read_to_string(class.path("output.txt")).unwrap();
    fs::remove_file(class.path("output.txt")).unwrap();
    let script = format!(
        "cat > output.txt <<END\n{answer}END\n[ $PWD = $HOME ] && echo own folder >&2
        (echo > CLASS/ada/x) 2>&- || echo no write >&2; cat CLASS/key.csv 2>&- || echo no key >&2"
    );
    let script = script.replace("CLASS", &class.path("."));
    fs::write(class.path("ada/driver.sh"), script).unwrap();
    class.folder.file("boards.txt", "1 2 5/3 4 0/6 7 8\n");

    let without_bubblewrap = path_without_bubblewrap(&class.folder);
    let mut paths = vec![without_bubblewrap];
    paths.extend(has_bubblewrap().then_some(path));
    for path in paths {
        let fixed = ["grade", "--course", "columbia", "--method", "bfs", "--boards", "boards.txt"];
        let rest = ["--json", "r.json", "--", "/bin/sh", "ada/driver.sh", "{method}", "{board}"];
        let ran = columbia(&path, &[&fixed[..], &rest].concat());
        assert_eq!(ran.code, 0, "{path}: {}{}", ran.stdout, ran.stderr);
        let results = fs::read_to_string(class.path("r.json")).unwrap();
        let results: Value = serde_json::from_str(&results).unwrap();
        let stderr = results["results"][0]["stderr"].as_str().unwrap();
        assert!(stderr.starts_with("own folder\n"), "{path}: {stderr}");
        // Neither bubblewrap nor Landlock may be there.
        if results["sandbox"].as_array().unwrap().contains(&"files".into()) {
            assert_eq!(stderr, "own folder\nno write\nno key\n", "{path}");
        }
    }
    assert!(!Path::new(&class.path("output.txt")).exists());
}
