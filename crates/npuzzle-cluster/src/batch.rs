//! Many boards, distributed one by one, each answered once.
//!
//! Process 0 appends every answer to a file: a line with a checksum, the number of the board and the
//! record that `npuzzle solve --json` prints. A run that is started again reads the file and
//! distributes the remaining boards. An incomplete last line is removed.

use std::cell::Cell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use npuzzle::record::SolveRecord;
use npuzzle::tables::Store;
use npuzzle::{Instance, Notation, Options, Tables, Watch};
use xxhash_rust::xxh3::xxh3_64;

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
        serde_json::to_vec(&record.at(source, Some(*line))).ok()
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

/// The answer file.
struct AnswerFile {
    path: PathBuf,
    file: File,
    /// The time of the last sync to disk.
    synced: Instant,
}

/// The maximum time between syncs to disk. Until then an answer survives a crash of the process, but
/// not of the machine.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// The first line, up to the hash of the job.
const TITLE: &str = "npuzzle batch 1";

impl AnswerFile {
    /// Opens or creates the file of this batch. Returns it with the answers that it contains.
    fn open(path: &Path, about: &str) -> Result<(AnswerFile, Vec<(usize, String)>), ClusterError> {
        let failed = |error: io::Error| ClusterError::file(path, error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| ClusterError::file(folder, error))?;
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|_| failed(io::Error::other("another run is writing to it")))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let title = format!("{TITLE} {:016x}\n", xxh3_64(about.as_bytes()));
        let mut found = Vec::new();
        let mut n_read = title.len();
        match text.strip_prefix(title.as_bytes()) {
            Some(rest) => {
                for line in rest.split_inclusive(|&byte| byte == b'\n') {
                    let Some(answer) = read_line(line) else {
                        // Only the last line can be incomplete after a crash.
                        if line.ends_with(b"\n") {
                            return Err(ClusterError::Damaged { path: path.to_owned() });
                        }
                        break;
                    };
                    found.push(answer);
                    n_read += line.len();
                }
                file.set_len(n_read as u64).map_err(failed)?;
                file.seek(SeekFrom::End(0)).map_err(failed)?;
            }
            None if title.as_bytes().starts_with(&text) => {
                file.set_len(0).map_err(failed)?;
                file.seek(SeekFrom::Start(0)).map_err(failed)?;
                file.write_all(title.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
            }
            None => return Err(ClusterError::Damaged { path: path.to_owned() }),
        }
        Ok((AnswerFile { path: path.to_owned(), file, synced: Instant::now() }, found))
    }

    fn add(&mut self, number: usize, answer: &str) -> Result<(), ClusterError> {
        let line = format!("{:016x} {number} {answer}\n", checksum(number, answer));
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| ClusterError::file(&self.path, error))?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), ClusterError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| ClusterError::file(&self.path, error))
    }
}

/// Parses a line: the number of a board and its answer.
fn read_line(line: &[u8]) -> Option<(usize, String)> {
    let line = str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let mut words = line.splitn(3, ' ');
    let sum = u64::from_str_radix(words.next()?, 16).ok()?;
    let number = words.next()?.parse().ok()?;
    let answer = words.next()?;
    (sum == checksum(number, answer)).then(|| (number, answer.to_owned()))
}

fn checksum(number: usize, answer: &str) -> u64 {
    xxh3_64(format!("{number} {answer}").as_bytes())
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
