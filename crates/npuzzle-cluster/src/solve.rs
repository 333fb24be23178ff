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

use npuzzle::search::{
    CompletedRound, CompletedSubtree, Cost, DistributedError, DistributedSearch, Journal,
    KnownSolution, NodeCounts, RoundSearcher, SplitRound, SubtreeResult,
};
use npuzzle::tables::Store;
use npuzzle::{Instance, Moves, Options, Report, Slide, SolveError, TableSize, Tables, Watch};

use crate::error::ClusterError;
use crate::exchange::{Exchange, to_bytes, to_numbers};
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
        // The decision depends only on node counts, so it is the same in all processes.
        let report = search.solve_if_short(&mut exchange.watch(watch));
        exchange.check()?;
        if let Some(report) = report.map_err(ClusterError::Solve)? {
            return solved(report);
        }
    }
    let search = new_search(exchange, job, &job.options, &mut tables, watch)?;
    let completed = completed_rounds(exchange, journal.as_ref())?;
    let known = known_solution(exchange, journal.as_ref())?;
    exchange.check()?;
    let mut watch = exchange.watch(watch);
    let mut searcher = ClusterSearcher { exchange, n_threads: job.threads, error: None };
    let report = search.solve(&completed, known, journal.as_mut(), &mut searcher, &mut watch);
    let error = searcher.error;
    // A lost process stops the watch, too.
    exchange.check()?;
    if let Some(error) = error {
        return Err(error);
    }
    if let Some(journal) = &mut journal {
        check_journal(journal)?;
    }
    let report = report.map_err(ClusterError::Solve)?;
    report.map_or(Err(ClusterError::Solve(UNSEARCHED)), solved)
}

/// A searcher that declines a round has an error.
const UNSEARCHED: SolveError = SolveError::Internal { reason: "a round was not searched" };

/// The report, unless the watch stopped the search.
fn solved(report: Report) -> Result<Report, ClusterError> {
    report.stopped_by().map_or(Ok(report), |limit| Err(ClusterError::Stopped(limit)))
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
    let search = DistributedSearch::new(&job.instance, options, tables, &mut exchange.watch(watch));
    exchange.check()?;
    let search = exchange.all_ok(search.map_err(|error| match error {
        DistributedError::NoTables => {
            ClusterError::Impossible("there are no pattern databases for this board".into())
        }
        DistributedError::Limit(limit) => ClusterError::Stopped(limit),
        DistributedError::Solve(error) => ClusterError::Solve(error),
    }))?;
    // A machine with other tables would split rounds into other subtrees.
    let names = exchange.all_gather(search.tables().as_bytes())?;
    let other = names.iter().position(|name| *name != search.tables().as_bytes());
    exchange.all_ok(other.map_or(Ok(search), |process| Err(ClusterError::OtherJob { process })))
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

/// The completed rounds in the journal of process 0, for all processes.
fn completed_rounds(
    exchange: &mut Exchange,
    journal: Option<&Journal>,
) -> Result<Vec<CompletedRound>, ClusterError> {
    let rounds = journal.map_or(&[][..], Journal::rounds);
    let numbers: Vec<u64> = rounds
        .iter()
        .flat_map(|round| [round.bound.into(), round.counts.expanded, round.counts.generated])
        .collect();
    let all = exchange.all_gather_numbers(&numbers)?;
    let round = |numbers: &[u64]| CompletedRound {
        bound: numbers[0] as Cost,
        counts: NodeCounts { expanded: numbers[1], generated: numbers[2] },
    };
    Ok(all.first().map_or(&[][..], Vec::as_slice).chunks_exact(3).map(round).collect())
}

/// The best known solution in the journal of process 0, for all processes: each must end the search before the same
/// round.
fn known_solution(
    exchange: &mut Exchange,
    journal: Option<&Journal>,
) -> Result<KnownSolution, ClusterError> {
    let known = journal.map_or(KnownSolution::default(), |journal| journal.known().clone());
    let mut bytes = to_bytes(&[known.width as u64]);
    bytes.extend(known.moves.iter().flat_map(Moves::iter).map(|slide| slide as u8));
    let all = exchange.all_gather(&bytes)?;
    let damaged = ClusterError::Protocol { process: 0 };
    let Some((width, slides)) = all.first().and_then(|bytes| bytes.split_at_checked(8)) else {
        return Err(damaged);
    };
    let (Some(slides), &[width]) = (to_slides(slides), &to_numbers(width)[..]) else {
        return Err(damaged);
    };
    let moves = Some(Moves::from(slides)).filter(|moves| !moves.is_empty());
    Ok(KnownSolution { moves, width: width as usize })
}

/// Distributes the subtrees of long rounds to all processes.
struct ClusterSearcher<'a> {
    exchange: &'a mut Exchange,
    n_threads: usize,
    /// Why the search was stopped.
    error: Option<ClusterError>,
}

impl RoundSearcher for ClusterSearcher<'_> {
    fn search(
        &mut self,
        round: &dyn SplitRound,
        journal: Option<&mut Journal>,
        watch: &mut dyn Watch,
    ) -> Option<SubtreeResult> {
        let result = distribute_round(self.exchange, self.n_threads, round, journal, watch);
        result.map_err(|error| self.error = Some(error)).ok()
    }
}

/// Distributes the subtrees of a round. Returns the result of the round, the same in all processes.
fn distribute_round(
    exchange: &mut Exchange,
    n_threads: usize,
    round: &dyn SplitRound,
    mut journal: Option<&mut Journal>,
    watch: &mut dyn Watch,
) -> Result<SubtreeResult, ClusterError> {
    let mut results = Vec::new();
    let mut is_pending = vec![true; round.n_subtrees()];
    for CompletedSubtree { index, counts } in round.completed(journal.as_deref_mut()) {
        is_pending[index] = false;
        results.push((index, SubtreeResult { counts, goal: None, is_partial: false }));
    }
    let items = (0u64..).zip(is_pending).filter(|(_, is_pending)| *is_pending);
    let items = items.map(|(number, _)| number).collect();
    let run_item =
        |number: u64, watch: &mut dyn Watch| encode(&round.search_subtree(number as usize, watch));
    let mut first_goal = None;
    let mut on_result = |number: u64, bytes: Vec<u8>| {
        let Some(result) = decode(&bytes) else {
            return Err(ClusterError::Protocol { process: 0 });
        };
        if let (Some(journal), None, false) = (&mut journal, &result.goal, result.is_partial) {
            journal.record_subtree(round.bound(), number as usize, result.counts);
            check_journal(journal)?;
        }
        let is_goal = result.goal.is_some();
        results.push((number as usize, result));
        if is_goal && first_goal.is_none_or(|first| number < first) {
            first_goal = Some(number);
            return Ok(ControlFlow::Break(number));
        }
        Ok(ControlFlow::Continue(()))
    };
    distribute(exchange, items, n_threads, &run_item, &mut on_result, watch)?;
    // Only process 0 knows the results of all subtrees.
    let all = exchange.all_gather(&encode(&round.sum(results)))?;
    let sum = all.first().and_then(|bytes| decode(bytes));
    sum.filter(|sum| !sum.is_partial).ok_or(ClusterError::Protocol { process: 0 })
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
    let goal = if flags & 2 == 2 { Some(to_slides(slides)?) } else { None };
    let counts = NodeCounts { expanded, generated };
    Some(SubtreeResult { counts, goal, is_partial: flags & 1 == 1 })
}

/// The slides with these numbers.
fn to_slides(bytes: &[u8]) -> Option<Vec<Slide>> {
    bytes.iter().map(|&at| Slide::ALL.get(usize::from(at)).copied()).collect()
}
