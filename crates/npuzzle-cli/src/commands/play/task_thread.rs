//! A thread for searches, one at a time. A new task cancels the one that is running.

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::Duration;

use npuzzle::search::Cost;
use npuzzle::tables::Store;
use npuzzle::teaching::{Analysis, GenerateSpec, Generator};
use npuzzle::{
    Board, Cancel, Effort, Instance, Limit, Limits, Metric, Options, Random, Report, Stats, Tables,
    Watch,
};

/// The time limit of an analysis.
const ANALYSIS_TIME: Duration = Duration::from_secs(20);

/// A search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Finds the distance of a board and its best moves.
    Analyze(Instance),
    /// Finds a solution.
    Solve(Instance),
    /// Finds any solution quickly.
    Hint(Instance),
    /// Generates a board whose shortest solution has this many moves.
    Generate { goal: Board, moves: Cost, seed: u64 },
}

/// A message from a search.
#[derive(Debug)]
pub(crate) enum Update {
    Progress(TaskProgress),
    Analyzed(Board, Analysis),
    Solved(Box<Report>),
    Generated(Instance),
    /// There is no answer, for this reason.
    Failed(String),
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TaskProgress {
    /// The bound of the current round; shorter solutions are ruled out.
    pub(crate) bound: Option<Cost>,
    /// The length of the incumbent.
    pub(crate) incumbent: Option<Cost>,
    pub(crate) expanded: u64,
    /// The finished share of the tables being built, in percent.
    pub(crate) built: Option<u8>,
}

pub(crate) struct TaskThread {
    jobs: Sender<Job>,
    updates: Receiver<(u64, Update)>,
    running: Option<Job>,
    n_jobs: u64,
}

#[derive(Clone)]
struct Job {
    id: u64,
    task: Task,
    cancel: Cancel,
}

/// The thread has ended unexpectedly.
#[derive(Debug)]
pub(crate) struct TaskThreadStopped;

impl TaskThread {
    pub(crate) fn start(metric: Metric, store: Store) -> io::Result<TaskThread> {
        let (jobs, job_receiver) = mpsc::channel();
        let (update_sender, updates) = mpsc::channel();
        let worker = Worker { metric, tables: Tables::with_store(store), updates: update_sender };
        thread::Builder::new().spawn(move || worker.run(&job_receiver))?;
        Ok(TaskThread { jobs, updates, running: None, n_jobs: 0 })
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Continues this task if it is running. Otherwise cancels the running task, and starts this one.
    pub(crate) fn pursue(&mut self, requested: Option<Task>) -> Result<(), TaskThreadStopped> {
        if self.running.as_ref().map(|running| &running.task) == requested.as_ref() {
            return Ok(());
        }
        self.stop();
        let Some(task) = requested else { return Ok(()) };
        self.n_jobs += 1;
        let job = Job { id: self.n_jobs, task, cancel: Cancel::new() };
        self.running = Some(job.clone());
        self.jobs.send(job).map_err(|_| TaskThreadStopped)
    }

    /// The next update of the running task, if any.
    pub(crate) fn receive(&mut self) -> Result<Option<Update>, TaskThreadStopped> {
        loop {
            match self.updates.try_recv() {
                Ok((id, update)) => {
                    if self.running.as_ref().is_none_or(|running| running.id != id) {
                        continue;
                    }
                    if !matches!(update, Update::Progress(_)) {
                        self.running = None;
                    }
                    return Ok(Some(update));
                }
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(TaskThreadStopped),
            }
        }
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel.cancel();
        }
    }
}

impl Drop for TaskThread {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Worker {
    metric: Metric,
    tables: Tables,
    updates: Sender<(u64, Update)>,
}

impl Worker {
    /// Runs jobs until the thread is dropped.
    fn run(mut self, jobs: &Receiver<Job>) {
        while let Ok(Job { id, task, cancel }) = jobs.recv() {
            let updates = self.updates.clone();
            let sent = TaskProgress::default();
            let mut watch = ProgressSender { cancel, id, updates, sent };
            let update = self.perform(task, &mut watch).unwrap_or_else(Update::Failed);
            // Fails if the thread was dropped.
            let _ = self.updates.send((id, update));
        }
    }

    fn perform(&mut self, task: Task, watch: &mut ProgressSender) -> Result<Update, String> {
        let options = Options { metric: self.metric, ..Options::default() };
        match task {
            Task::Analyze(instance) => {
                let limits = Limits { time: Some(ANALYSIS_TIME), ..Limits::default() };
                let options = Options { limits, ..options };
                let analysis = options.analyze(&instance, &mut self.tables, watch);
                // A board that cannot be analyzed is treated like one that takes too long.
                let unknown = |_| Analysis { distance: None, moves: vec![], stopped: None };
                let analysis = analysis.unwrap_or_else(unknown);
                Ok(Update::Analyzed(instance.start().clone(), analysis))
            }
            Task::Solve(instance) => self.solve(&instance, &options, watch),
            Task::Hint(instance) => {
                let options = Options { effort: Some(Effort::Fast), ..options };
                self.solve(&instance, &options, watch)
            }
            Task::Generate { goal, moves, seed } => {
                let spec =
                    GenerateSpec { moves: Some(moves..=moves), options, ..GenerateSpec::any(goal) };
                let generator = Generator::new(spec).map_err(|error| error.to_string())?;
                let mut generator = generator.with_tables(self.tables.clone());
                let generated = generator.generate(&mut Random::new(seed), watch);
                Ok(Update::Generated(generated.map_err(|error| error.to_string())?.instance))
            }
        }
    }

    fn solve(
        &mut self,
        instance: &Instance,
        options: &Options,
        watch: &mut ProgressSender,
    ) -> Result<Update, String> {
        let report = options.solve_with(instance, &mut self.tables, watch);
        report.map(|report| Update::Solved(Box::new(report))).map_err(|error| error.to_string())
    }
}

/// Sends the progress of a search when it changes, and cancels the search on request.
struct ProgressSender {
    cancel: Cancel,
    id: u64,
    updates: Sender<(u64, Update)>,
    sent: TaskProgress,
}

impl ProgressSender {
    fn send(&mut self, progress: TaskProgress) {
        if self.sent != progress {
            self.sent = progress;
            let _ = self.updates.send((self.id, Update::Progress(progress)));
        }
    }
}

impl Watch for ProgressSender {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        let expanded = stats.expanded;
        self.send(TaskProgress { bound: Some(bound), expanded, built: None, ..self.sent });
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.cancel.poll(stats)
    }

    fn improved(&mut self, length: Cost, _: Cost) {
        self.send(TaskProgress { incumbent: Some(length), built: None, ..self.sent });
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.send(TaskProgress { built: Some((100.0 * share) as u8), ..self.sent });
        self.poll(&Stats::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next update that is not progress.
    fn answer(thread: &mut TaskThread) -> Update {
        loop {
            match thread.receive().unwrap() {
                Some(Update::Progress(_)) => {}
                Some(update) => return update,
                None => thread::yield_now(),
            }
        }
    }

    #[test]
    fn new_task_cancels_the_running_one() {
        let mut thread = TaskThread::start(Metric::Stm, Store::none()).unwrap();
        // A board of 80 moves, whose search takes longer than this test.
        let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
        thread.pursue(Some(Task::Solve(hard))).unwrap();
        let easy = Task::Solve("1 2/0 3".parse().unwrap());
        thread.pursue(Some(easy.clone())).unwrap();
        thread.pursue(Some(easy)).unwrap();
        let Update::Solved(report) = answer(&mut thread) else { panic!() };
        assert_eq!(report.moves().map(ToString::to_string).as_deref(), Some("L"));
        assert!(!thread.is_busy());
        assert!(thread.receive().unwrap().is_none());
    }

    #[test]
    fn generated_board_has_the_requested_length() {
        let mut thread = TaskThread::start(Metric::Stm, Store::none()).unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let task = |moves| Some(Task::Generate { goal: goal.clone(), moves, seed: 1 });
        thread.pursue(task(17)).unwrap();
        let Update::Generated(instance) = answer(&mut thread) else { panic!() };
        thread.pursue(Some(Task::Analyze(instance.clone()))).unwrap();
        let Update::Analyzed(board, analysis) = answer(&mut thread) else { panic!() };
        assert_eq!((&board, analysis.distance), (instance.start(), Some(17)));
        thread.pursue(task(32)).unwrap();
        let Update::Failed(reason) = answer(&mut thread) else { panic!() };
        assert_eq!(reason, "no board of this size takes 32 moves; the hardest take 31");
    }
}
