//! Many boards, distributed one by one, each answered once.
//!
//! Process 0 appends every answer to a file ([`AppendLog`]): a line with the number of the board, the record
//! that `npuzzle solve --json` prints, and a checksum. A run that is started again reads the file and
//! distributes the remaining boards.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use npuzzle::record::SolveRecord;
use npuzzle::tables::Store;
use npuzzle::{Instance, Notation, Options, Tables, Watch};
use npuzzle_tables::files::{AppendLog, LogEnd, checksum};

use crate::error::ClusterError;
use crate::exchange::Exchange;
use crate::work_queue::{ItemProgress, distribute};

/// A board of a batch and its position in the input.
#[derive(Clone, Debug)]
pub struct BatchBoard {
    /// The board, or why it is invalid.
    pub board: Result<Instance, String>,
    /// The name of the input file.
    pub source: String,
    /// The line in the file, from 1.
    pub line: usize,
}

/// A batch; the same in all processes, except for paths and threads.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The boards.
    pub boards: Vec<BatchBoard>,
    /// The options for each board, which is solved on one thread.
    pub options: Options,
    /// The notation of solutions.
    pub notation: Notation,
    /// The number of boards that a process solves at once.
    pub threads: usize,
    /// The store of tables.
    pub store: Store,
    /// The answer file of process 0.
    pub file: PathBuf,
}

impl Batch {
    /// Returns a text that identifies the job, the same in all processes.
    pub fn about(&self) -> String {
        let Batch { boards, options, notation, .. } = self;
        let mut about = format!("batch {notation} {options:?}");
        for BatchBoard { board, source, line } in boards {
            let board = match board {
                Ok(instance) => format!("{} {}", instance.start().slash(), instance.goal().slash()),
                Err(reason) => reason.clone(),
            };
            about += &format!("\n{source}:{line} {board}");
        }
        about
    }

    /// The answer for a board as a line of JSON; `None` if the search was stopped.
    fn answer(&self, number: usize, tables: &mut Tables, watch: &mut dyn Watch) -> Option<Vec<u8>> {
        let BatchBoard { board, source, line } = self.boards.get(number)?;
        let notation = self.notation;
        let record = match board {
            Ok(instance) => match self.options.solve_with(instance, tables, watch) {
                Ok(report) => SolveRecord::new(&report, notation),
                Err(error) => SolveRecord::error(error.to_string(), notation),
            },
            Err(reason) => SolveRecord::error(reason.clone(), notation),
        };
        // The report of a stopped search is not the answer.
        if watch.poll(&npuzzle::Stats::default()).is_break() {
            return None;
        }
        serde_json::to_vec(&record.with_source(source, Some(*line))).ok()
    }
}

/// The answers for all boards in order, each a line of JSON.
pub type BatchAnswers = Vec<String>;

/// Answers all boards together with the other processes. Only process 0 returns the answers.
pub fn batch(
    exchange: &mut Exchange,
    job: &Batch,
    watch: &mut dyn Watch,
) -> Result<Option<BatchAnswers>, ClusterError> {
    let is_first = exchange.process() == 0;
    let opened = is_first.then(|| AnswerFile::open(&job.file, &job.about())).transpose();
    let (mut file, found) = exchange.all_ok(opened)?.unzip();
    let mut answers = vec![None; job.boards.len()];
    for (number, answer) in found.into_iter().flatten() {
        if let Some(slot) = answers.get_mut(number) {
            *slot = Some(answer);
        }
    }
    let unanswered = (0u64..).zip(&answers).filter(|(_, answer)| answer.is_none());
    let items = unanswered.map(|(number, _)| number).collect();
    // A thread takes tables that no other thread uses, and returns them after the board.
    let idle: Mutex<Vec<Tables>> = Mutex::default();
    let run_item = |number: u64, watch: &mut dyn Watch| {
        let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tables = taken.unwrap_or_else(|| Tables::with_store(job.store.clone()));
        let answer = job.answer(number as usize, &mut tables, watch);
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(tables);
        answer.unwrap_or_default()
    };
    let n_done = Cell::new(answers.iter().flatten().count());
    let mut progress = ItemProgress { watch, n_done: &n_done, n_all: answers.len() };
    let mut on_result = |number: u64, answer: Vec<u8>| {
        let answer = String::from_utf8(answer).ok().filter(|answer| !answer.is_empty());
        let (Some(answer), Some(file)) = (answer, &mut file) else {
            return Err(ClusterError::Protocol { process: 0 });
        };
        file.add(number as usize, &answer)?;
        if let Some(slot) = answers.get_mut(number as usize) {
            *slot = Some(answer);
        }
        n_done.set(n_done.get() + 1);
        Ok(ControlFlow::Continue(()))
    };
    distribute(exchange, items, job.threads, &run_item, &mut on_result, &mut progress)?;
    if let Some(file) = &mut file {
        file.sync()?;
    }
    Ok(is_first.then(|| answers.into_iter().flatten().collect()))
}

/// The file of answers.
struct AnswerFile {
    path: PathBuf,
    log: AppendLog,
    /// When the file was last synced.
    synced: Instant,
}

/// The maximum time until an answer is synced. Until then it survives the end of the process, but not a
/// crash of the machine.
const MAX_UNSYNCED: Duration = Duration::from_secs(1);

/// The first line, before the checksum of the job.
const TITLE: &str = "npuzzle batch 2";

impl AnswerFile {
    /// Opens the file of this batch, or creates it. Returns it with its answers.
    fn open(path: &Path, about: &str) -> Result<(AnswerFile, Vec<(usize, String)>), ClusterError> {
        let failed = |error: io::Error| ClusterError::file(path, error);
        let foreign = || ClusterError::Damaged { path: path.to_owned() };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| ClusterError::file(folder, error))?;
        }
        let mut log = AppendLog::open_or_create(path).map_err(failed)?;
        let content = log.read(u64::MAX).map_err(failed)?;
        let title = format!("{TITLE} {:016x}", checksum(about.as_bytes()));
        let mut found = Vec::new();
        if content.is_torn_start(&title) {
            log.start(&[&title]).map_err(failed)?;
        } else {
            let is_ours = content.lines.first() == Some(&title);
            if !is_ours || content.end() == LogEnd::Damaged {
                return Err(foreign());
            }
            let answers = content.lines[1..].iter().map(|line| parse(line).ok_or_else(foreign));
            found = answers.collect::<Result<_, _>>()?;
            log.resume(&content).map_err(failed)?;
        }
        Ok((AnswerFile { path: path.to_owned(), log, synced: Instant::now() }, found))
    }

    fn add(&mut self, number: usize, answer: &str) -> Result<(), ClusterError> {
        let added = self.log.append(&format!("{number} {answer}"));
        added.map_err(|error| ClusterError::file(&self.path, error))?;
        if self.synced.elapsed() >= MAX_UNSYNCED { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), ClusterError> {
        self.synced = Instant::now();
        self.log.sync().map_err(|error| ClusterError::file(&self.path, error))
    }
}

/// The number of a board and its answer.
fn parse(line: &str) -> Option<(usize, String)> {
    let (number, answer) = line.split_once(' ')?;
    Some((number.parse().ok()?, answer.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_file_is_read_and_changed_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/answers");
        let (mut answers, found) = AnswerFile::open(&path, "about").unwrap();
        assert!(found.is_empty());
        answers.add(3, "{\"a\":1}").unwrap();
        answers.add(0, "{}").unwrap();
        assert!(AnswerFile::open(&path, "about").is_err(), "the file is locked");
        drop(answers);
        let whole = std::fs::read(&path).unwrap();
        let n_lines = |len: usize| whole[..len].iter().filter(|&&byte| byte == b'\n').count();
        for len in 0..=whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            let (mut answers, found) = AnswerFile::open(&path, "about").unwrap();
            assert_eq!(found.len(), n_lines(len).saturating_sub(1));
            answers.add(7, "[]").unwrap();
            drop(answers);
            let (_, again) = AnswerFile::open(&path, "about").unwrap();
            assert_eq!(again.last(), Some(&(7, "[]".to_owned())));
            assert_eq!(again.len(), found.len() + 1);
        }
        for at in 0..whole.len() - 1 {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            let opened = AnswerFile::open(&path, "about");
            assert!(matches!(opened, Err(ClusterError::Damaged { .. })), "{at}");
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(matches!(AnswerFile::open(&path, "other"), Err(ClusterError::Damaged { .. })));
    }
}
