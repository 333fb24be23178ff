//! A program and everything that it started.
//!
//! Who leaves the group (`setsid`) and loses its parent becomes, on Linux, a child of ours: we are the
//! reaper of our descendants. So everything that the program ever started is below us in the tree of
//! processes, which `/proc` shows, since we start nothing else meanwhile.

#[cfg(target_os = "linux")]
pub(super) use linux::{Processes, adopt_orphans};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{Processes, adopt_orphans};

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::fs;
    use std::process::{Child, id};
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{
        Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process,
        kill_process_group, prlimit, set_child_subreaper, waitid, waitpid,
    };

    use super::super::MAX_PROCESSES;

    /// The largest file that a program may write.
    const MAX_FILE: u64 = 64 << 20;
    /// So many tasks more than at the beginning are looked at closely.
    const SWARM: u64 = 1000;
    /// Processes and threads that the program may add to those that its user has: those of a program
    /// that forks faster than we count them. Whoever runs everything as root is not bound by it.
    const MAX_MORE_TASKS: u64 = 4096;
    /// How long is tried to end everything: only a process in the hands of a broken device lasts.
    const PATIENCE: Duration = Duration::from_secs(10);

    /// Orphans below us become our children.
    pub(crate) fn adopt_orphans() {
        // Older kernels than any in use would refuse; then who leaves the group is out of reach.
        let _ = set_child_subreaper(Some(rustix::process::getpid()));
    }

    pub(crate) struct Processes {
        leader: Option<Pid>,
        most_bytes: u64,
        /// Tasks of the whole system at the beginning.
        n_before: u64,
    }

    impl Processes {
        pub(crate) fn of(child: &Child) -> Processes {
            let leader = Pid::from_raw(child.id() as i32);
            // It runs already, but has no time to get far. A limit that cannot be set is none.
            let limits = [
                (Resource::Fsize, MAX_FILE),
                (Resource::Core, 0),
                (Resource::Nproc, n_tasks_of_ours() + MAX_MORE_TASKS),
            ];
            for (resource, most) in limits {
                let _ =
                    prlimit(leader, resource, Rlimit { current: Some(most), maximum: Some(most) });
            }
            Processes { leader, most_bytes: 0, n_before: n_tasks() }
        }

        /// Whether the program itself has ended. It is not reaped, so that its group keeps its number.
        pub(crate) fn has_ended(&self, _: &mut Child) -> bool {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            let Some(leader) = self.leader else { return true };
            !matches!(waitid(WaitId::Pid(leader), options), Ok(None) | Err(rustix::io::Errno::INTR))
        }

        /// How many processes there are, and how many bytes they hold together.
        pub(crate) fn count(&mut self) -> (usize, u64) {
            // To count many takes time, in which a program that forks and forks would not wait.
            let is_swarm = n_tasks() > self.n_before + SWARM;
            if is_swarm {
                self.signal(Signal::STOP);
            }
            let below = below_us();
            let n_bytes = below.iter().map(|process| process.n_bytes).sum();
            self.most_bytes = self.most_bytes.max(n_bytes);
            let n_alive = below.iter().filter(|process| !process.is_dead).count();
            if is_swarm && n_alive <= MAX_PROCESSES {
                self.signal(Signal::CONT);
            }
            (n_alive, n_bytes)
        }

        /// To the whole group at a stroke.
        fn signal(&self, signal: Signal) {
            if let Some(leader) = self.leader {
                let _ = kill_process_group(leader, signal);
            }
        }

        pub(crate) fn most_bytes(&self) -> Option<u64> {
            (self.most_bytes > 0).then_some(self.most_bytes)
        }

        /// Ends everything but the remains of the program itself; how many others were running.
        pub(crate) fn end_all(&mut self, _: &mut Child) -> usize {
            let leader = self.leader.map_or(0, Pid::as_raw_pid);
            let end = Instant::now() + PATIENCE;
            let mut n_others = None;
            // So that it cannot fork faster than it is counted.
            self.signal(Signal::STOP);
            loop {
                let below = below_us();
                let others =
                    below.iter().filter(|process| process.pid != leader && !process.is_dead);
                n_others.get_or_insert(others.count());
                self.signal(Signal::KILL);
                for process in &below {
                    let Some(pid) = Pid::from_raw(process.pid) else { continue };
                    if !process.is_dead {
                        let _ = kill_process(pid, Signal::KILL);
                    } else if process.pid != leader && process.parent == id() as i32 {
                        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
                    }
                }
                let is_over = below.iter().all(|process| process.pid == leader && process.is_dead);
                if is_over || Instant::now() > end {
                    return n_others.unwrap_or(0);
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    struct Process {
        pid: i32,
        parent: i32,
        is_dead: bool,
        n_bytes: u64,
        n_tasks: u64,
    }

    /// All processes below us in the tree.
    fn below_us() -> Vec<Process> {
        let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
        for process in all() {
            by_parent.entry(process.parent).or_default().push(process);
        }
        let mut below: Vec<Process> = Vec::new();
        let mut parents = vec![id() as i32];
        while let Some(parent) = parents.pop() {
            let children = by_parent.remove(&parent).unwrap_or_default();
            parents.extend(children.iter().map(|child| child.pid));
            below.extend(children);
        }
        below
    }

    /// Processes and threads of everybody; none where the system does not tell. The fourth field is
    /// `RUNNING/ALL`; see proc(5).
    fn n_tasks() -> u64 {
        let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let field = text.split_whitespace().nth(3).and_then(|field| field.split_once('/'));
        field.and_then(|(_, all)| all.parse().ok()).unwrap_or(0)
    }

    /// Processes and threads of the user who runs us.
    fn n_tasks_of_ours() -> u64 {
        let user = rustix::process::getuid().as_raw();
        let is_ours = |process: &Process| {
            let meta = fs::metadata(format!("/proc/{}", process.pid));
            meta.is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == user)
        };
        all().iter().filter(|process| is_ours(process)).map(|process| process.n_tasks).sum()
    }

    fn all() -> Vec<Process> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(process).collect()
    }

    /// `PID (NAME) STATE PARENT …`, the 20th field being the threads, the 24th the resident pages; see
    /// proc(5).
    fn process(pid: i32) -> Option<Process> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let n_pages: u64 = fields.get(21)?.parse().ok()?;
        Some(Process {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            is_dead: matches!(*fields.first()?, "Z" | "X"),
            n_bytes: n_pages * rustix::param::page_size() as u64,
            n_tasks: fields.get(17)?.parse().ok()?,
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::process::Child;

    pub(crate) fn adopt_orphans() {}

    /// The program and, on Unix, its group.
    pub(crate) struct Processes;

    impl Processes {
        pub(crate) fn of(_: &Child) -> Processes {
            Processes
        }

        pub(crate) fn has_ended(&self, child: &mut Child) -> bool {
            !matches!(child.try_wait(), Ok(None))
        }

        pub(crate) fn count(&mut self) -> (usize, u64) {
            (1, 0)
        }

        pub(crate) fn most_bytes(&self) -> Option<u64> {
            None
        }

        pub(crate) fn end_all(&mut self, child: &mut Child) -> usize {
            #[cfg(unix)]
            if let Some(leader) = rustix::process::Pid::from_raw(child.id() as i32) {
                let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
            }
            let _ = child.kill();
            0
        }
    }
}
