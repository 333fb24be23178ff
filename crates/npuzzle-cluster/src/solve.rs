//! One hard board, over several processes.
//!
//! Rounds of iterative deepening that take milliseconds are searched by every process, with the same
//! result; large tables are not even built for a board that small ones solve in such rounds. A longer round is cut into slices, by every process in the same way; the first one deals
//! them out, adds up what they count, and writes down in a [`Journal`] which are done, as a search on
//! one machine does: either can go on from what the other has left. When a slice has the goal, those
//! after it are given up and those before it are finished, so that the solution and the counts are
//! those of one thread.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use npuzzle::search::Cost;
use npuzzle::search::{DistributedSearch, Journal, SplitRound, SubtreeResult};
use npuzzle::tables::Store;
use npuzzle::{Instance, Limit, Options, Report, Slide, Stats, TableSize, Tables, Watch};

use crate::error::ClusterError;
use crate::exchange::{Looking, Mesh, to_bytes, to_numbers};
use crate::work_queue::deal;

/// What all processes have been told about a search.
#[derive(Clone, Debug)]
pub struct SolveJob {
    /// The board.
    pub instance: Instance,
    /// Which tables, and on how many threads they are built.
    pub options: Options,
    /// So many slices at once in a process.
    pub threads: usize,
    /// Where tables are kept.
    pub store: Store,
    /// Where the first process writes down what has been done.
    pub journal: PathBuf,
}

impl SolveJob {
    /// What is done, in words that are the same for all processes.
    pub fn about(&self) -> String {
        let SolveJob { instance, options, .. } = self;
        let (start, goal) = (instance.start().slash(), instance.goal().slash());
        format!("solve {start} {goal} {}", options.tables.name())
    }
}

/// Where a search stands, the same for all.
struct Standing {
    bound: Cost,
    last_round: u64,
    rounds: Vec<npuzzle::Round>,
    started: Instant,
}

impl Standing {
    fn new(search: &DistributedSearch) -> Standing {
        let (bound, started) = (search.first_bound(), Instant::now());
        Standing { bound, last_round: 0, rounds: Vec::new(), started }
    }

    fn report(self, search: &DistributedSearch, goal: Vec<Slide>) -> Result<Report, ClusterError> {
        let time = self.started.elapsed();
        search.report(goal, self.rounds, time).map_err(ClusterError::Solve)
    }

    fn add(&mut self, expanded: u64, generated: u64, time: Duration) {
        self.rounds.push(npuzzle::Round { bound: self.bound, expanded, generated, time });
        self.last_round = expanded;
        self.bound += 2;
    }

    fn stats(&self) -> Stats {
        let sum = |of: fn(&npuzzle::Round) -> u64| self.rounds.iter().map(of).sum();
        let (expanded, generated) = (sum(|round| round.expanded), sum(|round| round.generated));
        Stats { expanded, generated, ..Stats::default() }
    }
}

/// Solves a board with the other processes; all get the report.
pub fn solve(
    mesh: &mut Mesh,
    job: &SolveJob,
    watch: &mut dyn Watch,
) -> Result<Report, ClusterError> {
    let opened = (mesh.process() == 0).then(|| open_journal(job)).transpose();
    let mut journal = mesh.all_have(opened)?;
    let mut tables = Tables::with_store(job.store.clone());
    if job.options.tables == TableSize::Large {
        let small = Options { tables: TableSize::Small, ..job.options.clone() };
        let search = search_with(mesh, job, &small, &mut tables, watch)?;
        if let Some(report) = solve_easy(mesh, job, &search, watch)? {
            return Ok(report);
        }
    }
    let search = search_with(mesh, job, &job.options, &mut tables, watch)?;
    let mut standing = agree(mesh, &search, journal.as_ref())?;
    if is_solved(job) {
        return standing.report(&search, Vec::new());
    }
    loop {
        mesh.look()?;
        let began = Instant::now();
        let is_long = DistributedSearch::is_worth_splitting(standing.last_round);
        let cut = if is_long { search.split(standing.bound, standing.last_round) } else { None };
        let slice = match &cut {
            None => search.search_round(standing.bound, watch),
            Some(cut) => deal_round(mesh, job, cut, &search, &standing, journal.as_mut(), watch)?,
        };
        if slice.is_partial {
            return Err(ClusterError::Stopped(Limit::Interrupted));
        }
        let before = standing.stats();
        let bound = standing.bound;
        standing.add(slice.expanded, slice.generated, began.elapsed());
        if let Some(goal) = slice.goal {
            return standing.report(&search, goal);
        }
        if let Some(journal) = &mut journal {
            journal.round(bound, &before, &standing.stats());
            told(journal)?;
        }
        watch.round(bound, &standing.stats());
    }
}

/// The search with the tables of these options, the same for all processes.
fn search_with(
    mesh: &mut Mesh,
    job: &SolveJob,
    options: &Options,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<DistributedSearch, ClusterError> {
    let search = DistributedSearch::new(
        &job.instance,
        options,
        tables,
        &mut Looking { mesh: &*mesh, watch },
    );
    mesh.look()?;
    let none = || ClusterError::Impossible("there are no pattern databases for this board".into());
    let search = search.map_err(ClusterError::Stopped).and_then(|search| search.ok_or_else(none));
    let search = mesh.all_have(search)?;
    // The tables may be another engine's on another machine: then slices are others.
    let names = mesh.share(search.tables().as_bytes())?;
    let other = names.iter().position(|name| *name != search.tables().as_bytes());
    mesh.all_have(other.map_or(Ok(search), |process| Err(ClusterError::OtherJob { process })))
}

fn is_solved(job: &SolveJob) -> bool {
    job.instance.start() == job.instance.goal()
}

/// Solves a board whose rounds are not worth being cut; `None` if it is another one. It goes by
/// counts, so all processes decide alike.
fn solve_easy(
    mesh: &Mesh,
    job: &SolveJob,
    search: &DistributedSearch,
    watch: &mut dyn Watch,
) -> Result<Option<Report>, ClusterError> {
    let mut standing = Standing::new(search);
    if is_solved(job) {
        return standing.report(search, Vec::new()).map(Some);
    }
    while !DistributedSearch::is_worth_splitting(standing.last_round) {
        mesh.look()?;
        let began = Instant::now();
        let slice = search.search_round(standing.bound, watch);
        if slice.is_partial {
            return Err(ClusterError::Stopped(Limit::Interrupted));
        }
        standing.add(slice.expanded, slice.generated, began.elapsed());
        if let Some(goal) = slice.goal {
            return standing.report(search, goal).map(Some);
        }
    }
    Ok(None)
}

fn open_journal(job: &SolveJob) -> Result<Journal, ClusterError> {
    let path = &job.journal;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| ClusterError::file(folder, error))?;
    }
    // One that is empty was made by a run that was killed at that moment.
    if std::fs::metadata(path).map_or(true, |about| about.len() == 0) {
        return Ok(Journal::create(path, &job.instance)?);
    }
    let journal = Journal::resume(path)?;
    let is_same = journal.instance() == &job.instance;
    if is_same { Ok(journal) } else { Err(ClusterError::Foreign { path: path.clone() }) }
}

/// A search that cannot be gone on with is not gone on with.
fn told(journal: &mut Journal) -> Result<(), ClusterError> {
    match journal.take_error() {
        Some(error) => Err(ClusterError::file(journal.path(), error)),
        None => Ok(()),
    }
}

/// All begin where the journal of the first process ends.
fn agree(
    mesh: &mut Mesh,
    search: &DistributedSearch,
    journal: Option<&Journal>,
) -> Result<Standing, ClusterError> {
    let rounds = journal.map_or(&[][..], Journal::rounds);
    let numbers: Vec<u64> = rounds
        .iter()
        .flat_map(|round| [round.at as u64, round.expanded, round.generated])
        .collect();
    let heard = mesh.share_numbers(&numbers)?;
    let mut standing = Standing::new(search);
    for round in heard.first().map_or(&[][..], |numbers| numbers.as_slice()).chunks_exact(3) {
        standing.bound = round[0] as Cost;
        standing.add(round[1], round[2], Duration::ZERO);
    }
    Ok(standing)
}

/// A round whose slices are dealt out; what all of them come to, the same for all processes.
fn deal_round(
    mesh: &mut Mesh,
    job: &SolveJob,
    cut: &SplitRound<'_>,
    search: &DistributedSearch,
    standing: &Standing,
    mut journal: Option<&mut Journal>,
    watch: &mut dyn Watch,
) -> Result<SubtreeResult, ClusterError> {
    let bound = standing.bound;
    let mut slices: Vec<Option<SubtreeResult>> = vec![None; cut.n_subtrees()];
    let done = match &mut journal {
        Some(journal) => journal.cut(bound, cut.n_subtrees(), cut.checksum(), &search.tables()),
        None => Vec::new(),
    };
    for done in done {
        if let Some(slice) = slices.get_mut(done.at) {
            let (expanded, generated) = (done.expanded, done.generated);
            *slice = Some(SubtreeResult { expanded, generated, goal: None, is_partial: false });
        }
    }
    let undone = (0u64..).zip(&slices).filter(|(_, slice)| slice.is_none());
    let items = undone.map(|(number, _)| number).collect();
    let work = |number: u64, watch: &mut dyn Watch| encode(&cut.search(number as usize, watch));
    let mut first_goal = None;
    let mut hear = |number: u64, bytes: Vec<u8>| {
        let Some(slice) = decode(&bytes) else {
            return Err(ClusterError::Garbled { process: 0 });
        };
        if let (Some(journal), None, false) = (&mut journal, &slice.goal, slice.is_partial) {
            let (expanded, generated) = (slice.expanded, slice.generated);
            journal.slice(
                bound,
                number as usize,
                &Stats { expanded, generated, ..Stats::default() },
            );
            told(journal)?;
        }
        let is_goal = slice.goal.is_some();
        if let Some(place) = slices.get_mut(number as usize) {
            *place = Some(slice);
        }
        if is_goal && first_goal.is_none_or(|first| number < first) {
            first_goal = Some(number);
            return Ok(ControlFlow::Break(number));
        }
        Ok(ControlFlow::Continue(()))
    };
    deal(mesh, items, job.threads, &work, &mut hear, watch)?;
    // What the first process has added up is told to all.
    let sum = add_up(cut, &slices);
    let heard = mesh.share(&encode(&sum))?;
    heard.first().and_then(|bytes| decode(bytes)).ok_or(ClusterError::Garbled { process: 0 })
}

/// What counts of a round: all slices, or those up to the first with the goal.
fn add_up(cut: &SplitRound<'_>, slices: &[Option<SubtreeResult>]) -> SubtreeResult {
    let first = slices.iter().position(|slice| slice.as_ref().is_some_and(|s| s.goal.is_some()));
    let (mut expanded, mut generated) = cut.above(first);
    let counted = &slices[..first.map_or(slices.len(), |first| first + 1)];
    for slice in counted.iter().flatten() {
        expanded += slice.expanded;
        generated += slice.generated;
    }
    let goal = first.and_then(|first| slices[first].as_ref()?.goal.clone());
    let is_partial =
        counted.iter().any(|slice| slice.as_ref().is_none_or(|slice| slice.is_partial));
    SubtreeResult { expanded, generated, goal, is_partial }
}

/// Counts, whether it was given up, whether there is a goal, and its slides.
fn encode(slice: &SubtreeResult) -> Vec<u8> {
    let flags = u64::from(slice.is_partial) | u64::from(slice.goal.is_some()) << 1;
    let mut bytes = to_bytes(&[slice.expanded, slice.generated, flags]);
    bytes.extend(slice.goal.iter().flatten().map(|&slide| slide as u8));
    bytes
}

fn decode(bytes: &[u8]) -> Option<SubtreeResult> {
    let (numbers, slides) = bytes.split_at_checked(24)?;
    let [expanded, generated, flags] = to_numbers(numbers)[..] else { return None };
    let slide = |&at: &u8| Slide::ALL.get(usize::from(at)).copied();
    let slides: Option<Vec<Slide>> = slides.iter().map(slide).collect();
    let goal = if flags & 2 == 2 { Some(slides?) } else { None };
    Some(SubtreeResult { expanded, generated, goal, is_partial: flags & 1 == 1 })
}
