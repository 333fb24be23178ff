//! The job scripts of `docs/cluster.md`, with simple replacements for the commands of SLURM.
//!
//! `srun` starts the tasks on this machine and exits with the highest of their exit codes. `scontrol` lists
//! the nodes and records requeued jobs. Nodes are loopback addresses that no other test uses.

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
    if [ "$code" -gt "${max:-0}" ]; then max=$code; fi
done
exit "${max:-0}"
"#;

const SCONTROL: &str = r#"#!/bin/bash
case $1 in
    show) printf '%s\n' $SLURM_JOB_NODELIST;;
    requeue) echo "$2" >> "$SLURM_SUBMIT_DIR/requeued";;
esac
"#;

/// The program, with simulated accidents.
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

/// A job script and the folder in which it runs.
struct SlurmJob {
    folder: Folder,
    script: String,
    nodes: String,
    tasks_per_node: usize,
}

impl SlurmJob {
    fn new(script: String, n_nodes: usize) -> SlurmJob {
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
        SlurmJob { folder, script, nodes: nodes.join(" "), tasks_per_node: 2 / n_nodes }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, accident: &str) -> Child {
        // Waiting for a process that was killed at the start would take long.
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

    /// The exit code of a job, and how often it was requeued.
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

    /// A killed process and the end of the job's time requeue the job once each.
    fn check_accidents(&self) {
        self.check("killed", (Some(0), 1));
        let late = self.start("late");
        while !self.path("started").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = late.id().to_string();
        assert!(Command::new("kill").args(["-USR1", &id]).status().unwrap().success());
        assert_eq!(self.ended(late), (Some(0), 1));
        fs::remove_file(self.path("started")).unwrap();
        let exists = |name: &str| self.path(name).exists();
        assert!(exists("hosts.77") && !exists("hosts.77.wrong"));
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
fn slurm_census_is_requeued_when_that_helps() {
    let [script, _] = scripts();
    let large = "census 4x4 --depth 40 --memory 3G";
    assert!(script.contains(large));
    let job = SlurmJob::new(script.replace(large, "census 2x4 --memory 64M --output csv"), 1);
    let work = job.path("census-4x4");
    let local = |args: &[&str]| {
        let folder = ["--folder", work.to_str().unwrap()];
        assert_eq!(run(["cluster", "--local", "2"].iter().chain(args).chain(&folder)).code, 0);
    };
    job.check_accidents();
    job.check("", (Some(0), 0));
    assert_eq!(fs::read_to_string(job.path("counts.txt")).unwrap(), csv("4x2.stm"));
    assert!(!work.exists() && !job.path("hosts.77").exists());
    // The folder of another job.
    local(&["census", "2x3", "--depth", "3"]);
    job.check("", (Some(2), 0));
    let wrong = fs::read_to_string(job.path("hosts.77.wrong")).unwrap();
    let mut wrong: Vec<&str> = wrong.lines().collect();
    wrong.sort_unstable();
    assert_eq!(wrong, ["process 0: 2", "process 1: 2"]);
    // Damage that only one process finds; the other one loses its peer.
    fs::remove_dir_all(&work).unwrap();
    local(&["census", "2x4", "--depth", "9"]);
    fs::write(work.join("process-1/level-9-1.ranks"), "something else").unwrap();
    job.check("", (Some(4), 0));
    let wrong = fs::read_to_string(job.path("hosts.77.wrong")).unwrap();
    assert_eq!(wrong, "process 1: 2\n");
    // A successful run removes the record of errors.
    fs::remove_dir_all(&work).unwrap();
    job.check("", (Some(0), 0));
    assert!(!job.path("hosts.77.wrong").exists());
}

#[test]
fn slurm_search_is_requeued_when_that_helps() {
    let [_, script] = scripts();
    let job = SlurmJob::new(script, 2);
    let board = "5 1 2 3 4/10 6 7 8 9/0 11 12 13 14/15 16 17 18 19/20 21 22 23 24\n";
    job.folder.file("board.txt", board);
    job.check_accidents();
    job.check("", (Some(0), 0));
    let answer = fs::read_to_string(job.path("out")).unwrap();
    assert!(answer.starts_with("2 STM / 1 MTM (optimal)\n"), "{answer}");
    fs::create_dir(job.path("search")).unwrap();
    fs::write(job.path("search/journal"), "something else\n").unwrap();
    job.check("", (Some(2), 0));
}
