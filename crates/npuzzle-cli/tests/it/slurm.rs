//! The job scripts of `docs/cluster.md`, with stand-ins for what SLURM has.
//!
//! `srun` starts the tasks on this machine and ends with the highest of their exit codes, `scontrol`
//! tells the nodes and notes what is put back into the queue. Nodes are addresses of this machine that
//! are this test's alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::census::csv;
use crate::program::{Folder, run};

const SRUN: &str = r#"#!/bin/bash
while [ "$1" != bash ]; do shift; done
for ((task = 0; task < SLURM_NTASKS; task++)); do
    SLURM_PROCID=$task "$@" &
    tasks+=($!)
done
for task in "${tasks[@]}"; do
    wait "$task"
    code=$?
    if [ "$code" -gt "${most:-0}" ]; then most=$code; fi
done
exit "${most:-0}"
"#;

const SCONTROL: &str = r#"#!/bin/bash
case $1 in
    show) printf '%s\n' $SLURM_JOB_NODELIST;;
    requeue) echo "$2" >> "$SLURM_SUBMIT_DIR/requeued";;
esac
"#;

/// The program, and what may happen to it.
const NPUZZLE: &str = r#"#!/bin/bash
case $ACCIDENT-$SLURM_PROCID in
    killed-1) kill -9 $$;;
    late-*)
        touch "$SLURM_SUBMIT_DIR/started"
        while [ -e "$SLURM_SUBMIT_DIR/started" ]; do sleep 0.02; done
        exit 130;;
esac
exec "$PROGRAM" "$@"
"#;

/// A script, and where it is run.
struct Trial {
    folder: Folder,
    script: String,
    nodes: String,
    tasks_per_node: usize,
}

impl Trial {
    fn new(script: String, n_nodes: usize) -> Trial {
        static NEXT: AtomicU8 = AtomicU8::new(1);
        let folder = Folder::new();
        for (name, text) in [("srun", SRUN), ("scontrol", SCONTROL), ("npuzzle", NPUZZLE)] {
            let path = folder.file(name, text);
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let [.., high, low] = std::process::id().to_be_bytes();
        let node = |_| {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            format!("127.{number}.{high}.{low}")
        };
        let nodes: Vec<String> = (0..n_nodes).map(node).collect();
        Trial { folder, script, nodes: nodes.join(" "), tasks_per_node: 2 / n_nodes }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, accident: &str) -> Child {
        // Who waits for one that was killed at once would wait long.
        let script = match accident {
            "killed" => self.script.replace("--wait 10m", "--wait 1s"),
            _ => self.script.clone(),
        };
        let (here, path) = (self.folder.path(), std::env::var("PATH").unwrap());
        Command::new("bash")
            .arg(self.folder.file("job.sh", script))
            .current_dir(here)
            .env("PATH", format!("{}:{path}", here.display()))
            .env("PROGRAM", env!("CARGO_BIN_EXE_npuzzle"))
            .env("ACCIDENT", accident)
            .env("SLURM_JOB_ID", "77")
            .env("SLURM_JOB_NODELIST", &self.nodes)
            .env("SLURM_NTASKS", "2")
            .env("SLURM_NTASKS_PER_NODE", self.tasks_per_node.to_string())
            .env("SLURM_CPUS_PER_TASK", "1")
            .env("SLURM_SUBMIT_DIR", here)
            .stdin(Stdio::null())
            .stdout(fs::File::create(self.path("out")).unwrap())
            .stderr(fs::File::create(self.path("err")).unwrap())
            .spawn()
            .unwrap()
    }

    /// How a job ends, and how often it is put back into the queue.
    fn ended(&self, mut job: Child) -> (Option<i32>, usize) {
        let code = job.wait().unwrap().code();
        let requeued = fs::read_to_string(self.path("requeued")).unwrap_or_default();
        let _ = fs::remove_file(self.path("requeued"));
        assert!(requeued.lines().all(|job| job == "77"));
        (code, requeued.lines().count())
    }

    fn check(&self, accident: &str, expect: (Option<i32>, usize)) {
        let ended = self.ended(self.start(accident));
        let [out, err] = ["out", "err"].map(|name| fs::read_to_string(self.path(name)).unwrap());
        assert_eq!(ended, expect, "{accident} {out}{err}");
    }

    /// Lost processes and time that is over put a job back, once each.
    fn check_accidents(&self) {
        self.check("killed", (Some(0), 1));
        let job = self.start("late");
        while !self.path("started").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = job.id().to_string();
        assert!(Command::new("kill").args(["-USR1", &id]).status().unwrap().success());
        assert_eq!(self.ended(job), (Some(0), 1));
        fs::remove_file(self.path("started")).unwrap();
        let is_noted = |name: &str| self.path(name).exists();
        assert!(is_noted("hosts.77") && !is_noted("hosts.77.wrong"));
    }
}

/// The scripts of the document: a census, and one hard board.
fn scripts() -> [String; 2] {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cluster.md");
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let scripts: Vec<String> =
        blocks.filter(|block| block.starts_with("#!/bin/bash\n")).map(str::to_owned).collect();
    scripts.try_into().unwrap()
}

#[test]
fn a_census_is_put_back_when_that_helps() {
    let [script, _] = scripts();
    let large = "census 4x4 --depth 40 --memory 3G";
    assert!(script.contains(large));
    let trial = Trial::new(script.replace(large, "census 2x4 --memory 64M --output csv"), 1);
    let work = trial.path("census-4x4");
    let local = |args: &[&str]| {
        let folder = ["--folder", work.to_str().unwrap()];
        assert_eq!(run(["cluster", "--local", "2"].iter().chain(args).chain(&folder)).code, 0);
    };
    trial.check_accidents();
    trial.check("", (Some(0), 0));
    assert_eq!(fs::read_to_string(trial.path("counts.txt")).unwrap(), csv("4x2.stm"));
    assert!(!work.exists() && !trial.path("hosts.77").exists());
    // The folder of another job.
    local(&["census", "2x3", "--depth", "3"]);
    trial.check("", (Some(2), 0));
    let wrong = fs::read_to_string(trial.path("hosts.77.wrong")).unwrap();
    let mut wrong: Vec<&str> = wrong.lines().collect();
    wrong.sort_unstable();
    assert_eq!(wrong, ["process 0: 2", "process 1: 2"]);
    // Damage that one process comes upon, and the other one misses it.
    fs::remove_dir_all(&work).unwrap();
    local(&["census", "2x4", "--depth", "9"]);
    fs::write(work.join("process-1/level-9-1.ranks"), "something else").unwrap();
    trial.check("", (Some(4), 0));
    let wrong = fs::read_to_string(trial.path("hosts.77.wrong")).unwrap();
    assert_eq!(wrong, "process 1: 2\n");
    // Nothing of that is left when it goes well.
    fs::remove_dir_all(&work).unwrap();
    trial.check("", (Some(0), 0));
    assert!(!trial.path("hosts.77.wrong").exists());
}

#[test]
fn a_search_is_put_back_when_that_helps() {
    let [_, script] = scripts();
    let trial = Trial::new(script, 2);
    let board = "5 1 2 3 4/10 6 7 8 9/0 11 12 13 14/15 16 17 18 19/20 21 22 23 24\n";
    trial.folder.file("board.txt", board);
    trial.check_accidents();
    trial.check("", (Some(0), 0));
    let answer = fs::read_to_string(trial.path("out")).unwrap();
    assert!(answer.starts_with("2 STM / 1 MTM (optimal)\n"), "{answer}");
    fs::create_dir(trial.path("search")).unwrap();
    fs::write(trial.path("search/journal"), "something else\n").unwrap();
    trial.check("", (Some(2), 0));
}
