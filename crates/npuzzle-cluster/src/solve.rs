//! Distributed search of one hard board.
//!
//! Every process searches the rounds of iterative deepening that take milliseconds, with the same
//! result. If small tables solve the board in such rounds, large tables are not built. Every process
//! splits a longer round into the same subtrees. A work queue distributes them, and process 0 adds up
//! their counts and records completed subtrees in a [`Journal`], as a search on one machine does:
//! either can resume from the journal of the other. When a subtree contains the goal, later subtrees
//! are cancelled and earlier ones are completed, so that the solution and the counts equal those of
//! one thread.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use npuzzle::search::{
    CompletedSubtree, Cost, DistributedSearch, Journal, NodeCounts, SplitRound, SubtreeResult,
};
use npuzzle::tables::Store;
use npuzzle::{Instance, Limit, Options, Report, Round, Slide, Stats, TableSize, Tables, Watch};

use crate::error::ClusterError;
use crate::exchange::{Exchange, ExchangeWatch, to_bytes, to_numbers};
use crate::work_queue::distribute;

/// A distributed search; the same in all processes, except for paths and threads.
#[derive(Clone, Debug)]
pub struct SolveJob {
    /// The board.
    pub instance: Instance,
    /// The size of the tables, and the number of threads that build them.
    pub options: Options,
    /// The number of subtrees that a process searches at once.
    pub threads: usize,
    /// The store of tables.
    pub store: Store,
    /// The journal of process 0.
    pub journal: PathBuf,
}

impl SolveJob {
    /// Returns a text that identifies the job, the same in all processes.
    pub fn about(&self) -> String {
        let SolveJob { instance, options, .. } = self;
        let (start, goal) = (instance.start().slash(), instance.goal().slash());
        format!("solve {start} {goal} {}", options.tables.name())
    }
}

/// The state of a search between two rounds, the same in all processes.
struct SearchState {
    bound: Cost,
    /// The number of nodes expanded in the last round.
    last_round: u64,
    rounds: Vec<Round>,
    started: Instant,
}

impl SearchState {
    fn new(search: &DistributedSearch) -> SearchState {
        let (bound, started) = (search.first_bound(), Instant::now());
        SearchState { bound, last_round: 0, rounds: Vec::new(), started }
    }

    fn report(self, search: &DistributedSearch, goal: Vec<Slide>) -> Result<Report, ClusterError> {
        let time = self.started.elapsed();
        search.report(goal, self.rounds, time).map_err(ClusterError::Solve)
    }

    /// Adds a completed round and moves to the next bound.
    fn add(&mut self, NodeCounts { expanded, generated }: NodeCounts, time: Duration) {
        self.rounds.push(Round { bound: self.bound, expanded, generated, time });
        self.last_round = expanded;
        self.bound += 2;
    }

    fn stats(&self) -> Stats {
        let sum = |count: fn(&Round) -> u64| self.rounds.iter().map(count).sum();
        let (expanded, generated) = (sum(|round| round.expanded), sum(|round| round.generated));
        Stats { expanded, generated, ..Stats::default() }
    }
}

/// Solves a board together with the other processes. Every process returns the report.
pub fn solve(
    exchange: &mut Exchange,
    job: &SolveJob,
    watch: &mut dyn Watch,
) -> Result<Report, ClusterError> {
    let opened = (exchange.process() == 0).then(|| open_journal(job)).transpose();
    let mut journal = exchange.all_ok(opened)?;
    let mut tables = Tables::with_store(job.store.clone());
    if job.options.tables == TableSize::Large {
        let small = Options { tables: TableSize::Small, ..job.options.clone() };
        let search = new_search(exchange, job, &small, &mut tables, watch)?;
        if let Some(report) = solve_locally(exchange, job, &search, watch)? {
            return Ok(report);
        }
    }
    let search = new_search(exchange, job, &job.options, &mut tables, watch)?;
    let mut state = agree(exchange, &search, journal.as_ref())?;
    if is_solved(job) {
        return state.report(&search, Vec::new());
    }
    loop {
        exchange.check()?;
        let began = Instant::now();
        let is_long = DistributedSearch::is_worth_splitting(state.last_round);
        let split = if is_long { search.split(state.bound, state.last_round) } else { None };
        let result = match &split {
            None => search.search_round(state.bound, watch),
            Some(split) => {
                let journal = journal.as_mut();
                distribute_round(exchange, job, &**split, &search, state.bound, journal, watch)?
            }
        };
        if result.is_partial {
            return Err(ClusterError::Stopped(Limit::Interrupted));
        }
        let bound = state.bound;
        state.add(result.counts, began.elapsed());
        if let Some(goal) = result.goal {
            return state.report(&search, goal);
        }
        if let Some(journal) = &mut journal {
            journal.record_round(bound, result.counts);
            check_journal(journal)?;
        }
        watch.round(bound, &state.stats());
    }
}

/// Creates the search with the tables of these options, and checks that all processes have the same
/// tables.
fn new_search(
    exchange: &mut Exchange,
    job: &SolveJob,
    options: &Options,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<DistributedSearch, ClusterError> {
    let mut exchange_watch = ExchangeWatch { exchange: &*exchange, watch };
    let search = DistributedSearch::new(&job.instance, options, tables, &mut exchange_watch);
    exchange.check()?;
    let none = || ClusterError::Impossible("there are no pattern databases for this board".into());
    let search = search.map_err(ClusterError::Stopped).and_then(|search| search.ok_or_else(none));
    let search = exchange.all_ok(search)?;
    // A machine with other tables would split rounds into other subtrees.
    let names = exchange.all_gather(search.tables().as_bytes())?;
    let other = names.iter().position(|name| *name != search.tables().as_bytes());
    exchange.all_ok(other.map_or(Ok(search), |process| Err(ClusterError::OtherJob { process })))
}

fn is_solved(job: &SolveJob) -> bool {
    job.instance.start() == job.instance.goal()
}

/// Searches without the other processes as long as rounds are too short to be split; `None` if the
/// board needs longer rounds. The decision depends only on node counts, so it is the same in all
/// processes.
fn solve_locally(
    exchange: &Exchange,
    job: &SolveJob,
    search: &DistributedSearch,
    watch: &mut dyn Watch,
) -> Result<Option<Report>, ClusterError> {
    let mut state = SearchState::new(search);
    if is_solved(job) {
        return state.report(search, Vec::new()).map(Some);
    }
    while !DistributedSearch::is_worth_splitting(state.last_round) {
        exchange.check()?;
        let began = Instant::now();
        let result = search.search_round(state.bound, watch);
        if result.is_partial {
            return Err(ClusterError::Stopped(Limit::Interrupted));
        }
        state.add(result.counts, began.elapsed());
        if let Some(goal) = result.goal {
            return state.report(search, goal).map(Some);
        }
    }
    Ok(None)
}

fn open_journal(job: &SolveJob) -> Result<Journal, ClusterError> {
    let path = &job.journal;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| ClusterError::file(folder, error))?;
    }
    // A run that was killed while it created the journal leaves an empty file.
    if std::fs::metadata(path).map_or(true, |metadata| metadata.len() == 0) {
        return Ok(Journal::create(path, &job.instance)?);
    }
    let journal = Journal::resume(path)?;
    let is_same = journal.instance() == &job.instance;
    if is_same { Ok(journal) } else { Err(ClusterError::Damaged { path: path.clone() }) }
}

/// Fails if the journal could not be written: without it the search could not be resumed.
fn check_journal(journal: &mut Journal) -> Result<(), ClusterError> {
    match journal.take_error() {
        Some(error) => Err(ClusterError::file(journal.path(), error)),
        None => Ok(()),
    }
}

/// Lets all processes begin after the last completed round in the journal of process 0.
fn agree(
    exchange: &mut Exchange,
    search: &DistributedSearch,
    journal: Option<&Journal>,
) -> Result<SearchState, ClusterError> {
    let rounds = journal.map_or(&[][..], Journal::rounds);
    let numbers: Vec<u64> = rounds
        .iter()
        .flat_map(|round| [round.bound.into(), round.counts.expanded, round.counts.generated])
        .collect();
    let all = exchange.all_gather_numbers(&numbers)?;
    let mut state = SearchState::new(search);
    for round in all.first().map_or(&[][..], |numbers| numbers.as_slice()).chunks_exact(3) {
        state.bound = round[0] as Cost;
        let counts = NodeCounts { expanded: round[1], generated: round[2] };
        state.add(counts, Duration::ZERO);
    }
    Ok(state)
}

/// Distributes the subtrees of a round. Returns the result of the round, the same in all processes.
fn distribute_round(
    exchange: &mut Exchange,
    job: &SolveJob,
    split: &dyn SplitRound,
    search: &DistributedSearch,
    bound: Cost,
    mut journal: Option<&mut Journal>,
    watch: &mut dyn Watch,
) -> Result<SubtreeResult, ClusterError> {
    let mut results: Vec<Option<SubtreeResult>> = vec![None; split.n_subtrees()];
    let completed = match &mut journal {
        Some(journal) => {
            journal.record_split(bound, split.n_subtrees(), split.checksum(), &search.tables())
        }
        None => Vec::new(),
    };
    for CompletedSubtree { index, counts } in completed {
        if let Some(slot) = results.get_mut(index) {
            *slot = Some(SubtreeResult { counts, goal: None, is_partial: false });
        }
    }
    let pending = (0u64..).zip(&results).filter(|(_, result)| result.is_none());
    let items = pending.map(|(number, _)| number).collect();
    let run_item =
        |number: u64, watch: &mut dyn Watch| encode(&split.search(number as usize, watch));
    let mut first_goal = None;
    let mut on_result = |number: u64, bytes: Vec<u8>| {
        let Some(result) = decode(&bytes) else {
            return Err(ClusterError::Protocol { process: 0 });
        };
        if let (Some(journal), None, false) = (&mut journal, &result.goal, result.is_partial) {
            journal.record_subtree(bound, number as usize, result.counts);
            check_journal(journal)?;
        }
        let is_goal = result.goal.is_some();
        if let Some(slot) = results.get_mut(number as usize) {
            *slot = Some(result);
        }
        if is_goal && first_goal.is_none_or(|first| number < first) {
            first_goal = Some(number);
            return Ok(ControlFlow::Break(number));
        }
        Ok(ControlFlow::Continue(()))
    };
    distribute(exchange, items, job.threads, &run_item, &mut on_result, watch)?;
    // Only process 0 knows the results of all subtrees.
    let all = exchange.all_gather(&encode(&round_result(split, &results)))?;
    all.first().and_then(|bytes| decode(bytes)).ok_or(ClusterError::Protocol { process: 0 })
}

/// The sum of all subtrees of a round, or of those up to the first that contains the goal.
fn round_result(split: &dyn SplitRound, results: &[Option<SubtreeResult>]) -> SubtreeResult {
    let first = results.iter().position(|result| result.as_ref().is_some_and(|s| s.goal.is_some()));
    let mut counts = split.above(first);
    let counted = &results[..first.map_or(results.len(), |first| first + 1)];
    counted.iter().flatten().for_each(|result| counts += result.counts);
    let goal = first.and_then(|first| results[first].as_ref()?.goal.clone());
    let is_partial =
        counted.iter().any(|result| result.as_ref().is_none_or(|result| result.is_partial));
    SubtreeResult { counts, goal, is_partial }
}

/// Encodes the counts, two flags (stopped early, contains the goal) and the slides to the goal.
fn encode(result: &SubtreeResult) -> Vec<u8> {
    let flags = u64::from(result.is_partial) | u64::from(result.goal.is_some()) << 1;
    let mut bytes = to_bytes(&[result.counts.expanded, result.counts.generated, flags]);
    bytes.extend(result.goal.iter().flatten().map(|&slide| slide as u8));
    bytes
}

fn decode(bytes: &[u8]) -> Option<SubtreeResult> {
    let (numbers, slides) = bytes.split_at_checked(24)?;
    let [expanded, generated, flags] = to_numbers(numbers)[..] else { return None };
    let slide = |&at: &u8| Slide::ALL.get(usize::from(at)).copied();
    let slides: Option<Vec<Slide>> = slides.iter().map(slide).collect();
    let goal = if flags & 2 == 2 { Some(slides?) } else { None };
    let counts = NodeCounts { expanded, generated };
    Some(SubtreeResult { counts, goal, is_partial: flags & 1 == 1 })
}
