//! Searches on a thread of their own, one at a time. Whoever wants another one says so, and the one
//! under way is given up.

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

/// The longest that anybody waits for a distance.
const ANALYSIS_TIME: Duration = Duration::from_secs(20);

/// What is to be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// The distance of a board, and its best moves.
    Analyse(Instance),
    /// A solution.
    Solve(Instance),
    /// A solution that need not be short, soon.
    Hint(Instance),
    /// A board whose shortest solution has so many moves.
    Make { goal: Board, moves: Cost, seed: u64 },
}

/// What a search tells.
#[derive(Debug)]
pub(crate) enum News {
    /// How it goes.
    Progress(Progress),
    Analysed(Board, Analysis),
    Solved(Box<Report>),
    Generated(Instance),
    /// There is no answer, and why.
    Failed(String),
}

/// How a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Progress {
    /// Solutions of so many moves are ruled out.
    pub(crate) bound: Option<Cost>,
    /// The length of the best solution so far.
    pub(crate) best: Option<Cost>,
    pub(crate) expanded: u64,
    /// Of tables that are being built, in percent.
    pub(crate) built: Option<u8>,
}

pub(crate) struct Engine {
    jobs: Sender<Job>,
    news: Receiver<(u64, News)>,
    running: Option<Running>,
    n_jobs: u64,
}

struct Running {
    id: u64,
    task: Task,
    cancel: Cancel,
}

struct Job {
    id: u64,
    task: Task,
    cancel: Cancel,
}

/// The thread has ended, which it never should.
#[derive(Debug)]
pub(crate) struct Gone;

impl Engine {
    pub(crate) fn start(metric: Metric, store: Store) -> io::Result<Engine> {
        let (jobs, to_do) = mpsc::channel();
        let (to_tell, news) = mpsc::channel();
        let worker = Worker { metric, tables: Tables::with_store(store), news: to_tell };
        thread::Builder::new().spawn(move || worker.work(&to_do))?;
        Ok(Engine { jobs, news, running: None, n_jobs: 0 })
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Goes on with this search if it is under way, else gives up what is, and begins it.
    pub(crate) fn pursue(&mut self, wanted: Option<Task>) -> Result<(), Gone> {
        if self.running.as_ref().map(|running| &running.task) == wanted.as_ref() {
            return Ok(());
        }
        self.stop();
        let Some(task) = wanted else { return Ok(()) };
        self.n_jobs += 1;
        let (id, cancel) = (self.n_jobs, Cancel::new());
        let job = Job { id, task: task.clone(), cancel: cancel.clone() };
        self.running = Some(Running { id, task, cancel });
        self.jobs.send(job).map_err(|_| Gone)
    }

    /// What the search under way has to tell, if anything.
    pub(crate) fn news(&mut self) -> Result<Option<News>, Gone> {
        loop {
            match self.news.try_recv() {
                Ok((id, news)) => {
                    if self.running.as_ref().is_none_or(|running| running.id != id) {
                        continue;
                    }
                    if !matches!(news, News::Progress(_)) {
                        self.running = None;
                    }
                    return Ok(Some(news));
                }
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(Gone),
            }
        }
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel.cancel();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Worker {
    metric: Metric,
    tables: Tables,
    news: Sender<(u64, News)>,
}

impl Worker {
    /// Until nobody has anything to ask.
    fn work(mut self, jobs: &Receiver<Job>) {
        while let Ok(Job { id, task, cancel }) = jobs.recv() {
            let to = self.news.clone();
            let mut watch = Teller { cancel, id, to, told: Progress::default() };
            let news = self.run(task, &mut watch).unwrap_or_else(News::Failed);
            // Nobody may be listening any more.
            let _ = self.news.send((id, news));
        }
    }

    fn run(&mut self, task: Task, watch: &mut Teller) -> Result<News, String> {
        let options = Options { metric: self.metric, ..Options::default() };
        match task {
            Task::Analyse(instance) => {
                let limits = Limits { time: Some(ANALYSIS_TIME), ..Limits::default() };
                let options = Options { limits, ..options };
                let analysis = options.analyse(&instance, &mut self.tables, watch);
                // What cannot be known is as good as what is not found in time.
                let unknown = |_| Analysis { distance: None, moves: vec![], stopped: None };
                let analysis = analysis.unwrap_or_else(unknown);
                Ok(News::Analysed(instance.start().clone(), analysis))
            }
            Task::Solve(instance) => self.solve(&instance, &options, watch),
            Task::Hint(instance) => {
                let options = Options { effort: Some(Effort::Fast), ..options };
                self.solve(&instance, &options, watch)
            }
            Task::Make { goal, moves, seed } => {
                let wish =
                    GenerateSpec { moves: Some(moves..=moves), options, ..GenerateSpec::any(goal) };
                let generator = Generator::new(wish).map_err(|error| error.to_string())?;
                let mut generator = generator.with_tables(self.tables.clone());
                let made = generator.generate(&mut Random::new(seed), watch);
                Ok(News::Generated(made.map_err(|error| error.to_string())?.instance))
            }
        }
    }

    fn solve(
        &mut self,
        instance: &Instance,
        options: &Options,
        watch: &mut Teller,
    ) -> Result<News, String> {
        let report = options.solve_with(instance, &mut self.tables, watch);
        report.map(|report| News::Solved(Box::new(report))).map_err(|error| error.to_string())
    }
}

/// Tells how a search goes when that has changed, and stops it when asked to.
struct Teller {
    cancel: Cancel,
    id: u64,
    to: Sender<(u64, News)>,
    told: Progress,
}

impl Teller {
    fn tell(&mut self, progress: Progress) {
        if self.told != progress {
            self.told = progress;
            let _ = self.to.send((self.id, News::Progress(progress)));
        }
    }
}

impl Watch for Teller {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        let progress = Progress { bound: Some(bound), expanded: stats.expanded, ..self.told };
        self.tell(Progress { built: None, ..progress });
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.cancel.poll(stats)
    }

    fn better(&mut self, length: Cost, _: Cost) {
        self.tell(Progress { best: Some(length), built: None, ..self.told });
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.tell(Progress { built: Some((100.0 * share) as u8), ..self.told });
        self.poll(&Stats::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next answer that is no progress.
    fn answer(engine: &mut Engine) -> News {
        loop {
            match engine.news().unwrap() {
                Some(News::Progress(_)) => {}
                Some(news) => return news,
                None => thread::yield_now(),
            }
        }
    }

    #[test]
    fn another_wish_ends_the_search_under_way() {
        let mut engine = Engine::start(Metric::Stm, Store::none()).unwrap();
        // One of the boards that take 80 moves, without a limit worth waiting for.
        let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
        engine.pursue(Some(Task::Solve(hard))).unwrap();
        let easy = Task::Solve("1 2/0 3".parse().unwrap());
        engine.pursue(Some(easy.clone())).unwrap();
        engine.pursue(Some(easy)).unwrap();
        let News::Solved(report) = answer(&mut engine) else { panic!() };
        assert_eq!(report.moves().map(ToString::to_string).as_deref(), Some("L"));
        assert!(!engine.is_busy());
        assert!(engine.news().unwrap().is_none());
    }

    #[test]
    fn boards_are_made_as_wished() {
        let mut engine = Engine::start(Metric::Stm, Store::none()).unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let task = |moves| Some(Task::Make { goal: goal.clone(), moves, seed: 1 });
        engine.pursue(task(17)).unwrap();
        let News::Generated(instance) = answer(&mut engine) else { panic!() };
        engine.pursue(Some(Task::Analyse(instance.clone()))).unwrap();
        let News::Analysed(board, analysis) = answer(&mut engine) else { panic!() };
        assert_eq!((&board, analysis.distance), (instance.start(), Some(17)));
        engine.pursue(task(32)).unwrap();
        let News::Failed(why) = answer(&mut engine) else { panic!() };
        assert_eq!(why, "no board of this size takes 32 moves; the hardest take 31");
    }
}
