//! The processes of a program: the program and everything it started.
//!
//! On Linux, a process that leaves the group (`setsid`) and loses its parent becomes our child, because
//! we are the subreaper of our descendants. We start no other process meanwhile, so the descendants that
//! `/proc` shows are exactly the processes of the program, and two of bubblewrap: the leader of the group,
//! and the first process of the PID namespace, whose end ends all others of the namespace.

#[cfg(target_os = "linux")]
pub(super) use linux::{Processes, adopt_orphans, max_tasks};
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
        Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group,
        set_child_subreaper, waitid, waitpid,
    };

    use super::super::MAX_PROCESSES;
    use super::super::launch::is_launcher;
    use super::super::prepared::Prepared;

    /// The number of new tasks in the system above which the program is stopped while it is measured.
    const SWARM: u64 = 1000;
    /// The number of processes and threads that the program may add to those of its user, in case it
    /// forks faster than we count. The limit does not apply to root.
    const MAX_MORE_TASKS: u64 = 4096;
    /// How long to try to kill everything. Only a process that is blocked by a broken device survives.
    const KILL_TIMEOUT: Duration = Duration::from_secs(10);

    /// Makes orphaned descendants our children.
    pub(crate) fn adopt_orphans() {
        // Fails on kernels before 3.4; processes that leave the group then escape.
        let _ = set_child_subreaper(Some(rustix::process::getpid()));
    }

    /// The largest number of processes and threads of our user while a program runs.
    pub(crate) fn max_tasks() -> u64 {
        n_tasks_of_ours() + MAX_MORE_TASKS
    }

    pub(crate) struct Processes {
        leader: Option<Pid>,
        /// The first process of the PID namespace, once it is known.
        init: Option<i32>,
        /// Whether the leader is the program, not the launcher or bubblewrap.
        is_leader_program: bool,
        peak_bytes: u64,
        /// The number of tasks in the system at the start.
        n_before: u64,
    }

    impl Processes {
        pub(crate) fn of(child: &Child) -> Processes {
            let leader = Pid::from_raw(child.id() as i32);
            let n_before = n_tasks();
            Processes { leader, init: None, is_leader_program: false, peak_bytes: 0, n_before }
        }

        /// Whether the program itself has ended. It is not reaped, so the number of its group stays
        /// reserved.
        pub(crate) fn has_ended(&self, _: &mut Child) -> bool {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            let Some(leader) = self.leader else { return true };
            !matches!(waitid(WaitId::Pid(leader), options), Ok(None) | Err(rustix::io::Errno::INTR))
        }

        /// The number of processes, and their total memory in bytes.
        pub(crate) fn measure(&mut self, prepared: &Prepared) -> (usize, u64) {
            self.update(prepared);
            // Measuring many processes takes time, in which a fork bomb would grow.
            let is_swarm = n_tasks() > self.n_before + SWARM;
            if is_swarm {
                self.signal(Signal::STOP);
            }
            let mut descendants = descendants();
            descendants.retain(|process| !self.is_helper(process.pid));
            let n_bytes = descendants.iter().map(|process| process.n_bytes).sum();
            self.peak_bytes = self.peak_bytes.max(n_bytes);
            let n_alive = descendants.iter().filter(|process| !process.is_dead).count();
            if is_swarm && n_alive <= MAX_PROCESSES {
                self.signal(Signal::CONT);
            }
            (n_alive, n_bytes)
        }

        /// Finds out which processes are not the program's.
        fn update(&mut self, prepared: &Prepared) {
            match self.leader {
                _ if prepared.is_wrapped() => self.init = self.init.or_else(|| prepared.init()),
                Some(leader) if !self.is_leader_program => {
                    self.is_leader_program = !is_launcher(leader.as_raw_pid());
                }
                _ => {}
            }
        }

        /// Whether a process is the launcher or one of bubblewrap's.
        fn is_helper(&self, pid: i32) -> bool {
            let is_leader = self.leader.is_some_and(|leader| leader.as_raw_pid() == pid);
            (is_leader && !self.is_leader_program) || self.init == Some(pid)
        }

        /// Sends a signal to the whole process group.
        fn signal(&self, signal: Signal) {
            if let Some(leader) = self.leader {
                let _ = kill_process_group(leader, signal);
            }
        }

        pub(crate) fn peak_bytes(&self) -> Option<u64> {
            (self.peak_bytes > 0).then_some(self.peak_bytes)
        }

        /// Kills all processes, and reaps all but the program itself. Returns how many others were
        /// running.
        pub(crate) fn kill_all(&mut self, _: &mut Child, prepared: &Prepared) -> usize {
            self.update(prepared);
            let leader = self.leader.map_or(0, Pid::as_raw_pid);
            let end = Instant::now() + KILL_TIMEOUT;
            let mut n_others = None;
            // A stopped program cannot fork.
            self.signal(Signal::STOP);
            loop {
                let descendants = descendants();
                let is_other = |process: &&Process| {
                    process.pid != leader && Some(process.pid) != self.init && !process.is_dead
                };
                let others = descendants.iter().filter(is_other);
                n_others.get_or_insert(others.count());
                self.signal(Signal::KILL);
                for process in &descendants {
                    let Some(pid) = Pid::from_raw(process.pid) else { continue };
                    if !process.is_dead {
                        let _ = kill_process(pid, Signal::KILL);
                    } else if process.pid != leader && process.parent == id() as i32 {
                        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
                    }
                }
                let is_done =
                    descendants.iter().all(|process| process.pid == leader && process.is_dead);
                if is_done || Instant::now() > end {
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

    /// All descendants of this process.
    fn descendants() -> Vec<Process> {
        let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
        for process in all_processes() {
            by_parent.entry(process.parent).or_default().push(process);
        }
        let mut descendants: Vec<Process> = Vec::new();
        let mut parents = vec![id() as i32];
        while let Some(parent) = parents.pop() {
            let children = by_parent.remove(&parent).unwrap_or_default();
            parents.extend(children.iter().map(|child| child.pid));
            descendants.extend(children);
        }
        descendants
    }

    /// The number of processes and threads in the system, or 0 if it is unknown. The fourth field is
    /// `RUNNING/ALL`; see proc(5).
    fn n_tasks() -> u64 {
        let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let field = text.split_whitespace().nth(3).and_then(|field| field.split_once('/'));
        field.and_then(|(_, all)| all.parse().ok()).unwrap_or(0)
    }

    /// The number of processes and threads of our user.
    fn n_tasks_of_ours() -> u64 {
        let user = rustix::process::getuid().as_raw();
        let is_ours = |process: &Process| {
            let meta = fs::metadata(format!("/proc/{}", process.pid));
            meta.is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == user)
        };
        all_processes()
            .iter()
            .filter(|process| is_ours(process))
            .map(|process| process.n_tasks)
            .sum()
    }

    fn all_processes() -> Vec<Process> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(read_process).collect()
    }

    /// Parses `PID (NAME) STATE PARENT …`; the 20th field is the number of threads, the 24th the number
    /// of resident pages. See proc(5).
    fn read_process(pid: i32) -> Option<Process> {
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

    use super::super::isolation::Prepared;

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

        pub(crate) fn measure(&mut self, _: &Prepared) -> (usize, u64) {
            (1, 0)
        }

        pub(crate) fn peak_bytes(&self) -> Option<u64> {
            None
        }

        pub(crate) fn kill_all(&mut self, child: &mut Child, _: &Prepared) -> usize {
            #[cfg(unix)]
            if let Some(leader) = rustix::process::Pid::from_raw(child.id() as i32) {
                let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
            }
            let _ = child.kill();
            0
        }
    }
}
