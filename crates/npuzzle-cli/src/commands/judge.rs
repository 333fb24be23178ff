//! `npuzzle judge`: finds the moves in answers of models, and scores them.

mod answer_lines;
mod summary;

use std::collections::HashMap;
use std::path::Path;

use npuzzle::record::JudgmentRecord;
use npuzzle::teaching::{Judge, JudgeRules, JudgeTask, Judgment, judge_many};
use npuzzle::{Cancel, Instance, Limit, Notation, Tables};

use crate::args::JudgeArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::messages;
use crate::report::json_line;

use answer_lines::{LineReader, TaskLine};
use summary::JudgeSummary;

/// The number of answers that are judged at once.
const BATCH: usize = 4096;

/// The bytes of the answers that are judged at once.
const MAX_BATCH_BYTES: usize = 64 << 20;

pub(crate) fn run(args: &JudgeArgs) -> Result<Exit, Failure> {
    match &args.answer {
        Some(answer) => judge_one(args, answer),
        None => judge_file(args),
    }
}

/// Judges the answer on the command line.
fn judge_one(args: &JudgeArgs, answer: &str) -> Result<Exit, Failure> {
    let entry = Input::from_arg(&args.input)?.one_board(args.board.format)?;
    let puzzle =
        Instance::new(entry.board, &args.board.goal_or(entry.goal)).map_err(Failure::usage)?;
    // Any text is an answer, so an argument is a file only if the file exists.
    let text = match answer == "-" || Path::new(answer).exists() {
        true => Input::from_file_arg(answer)?.text,
        false => answer.to_owned(),
    };
    let mut cancel = signals::cancel()?;
    let tables = Tables::with_store(args.cache.store());
    let mut judge = Judge::new(tables, args.nodes.unwrap_or(u64::MAX));
    let judgment = judge.judge(&rules(args, None), &puzzle, &text, &mut cancel);
    if cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    let text = match args.json {
        true => json_line(&JudgmentRecord::new(&judgment))?,
        false => format!("{:.3} {}: {judgment}\n", judgment.score, judgment.status),
    };
    Output::open(args.out.path())?.write_all(text.as_bytes())?;
    Ok(if judgment.is_solved() { Exit::Yes } else { Exit::No })
}

/// The rules of a task: those of the flags, then those of its line.
fn rules(args: &JudgeArgs, line: Option<&TaskLine>) -> JudgeRules {
    let own = line.and_then(|line| line.notation);
    let notation = match args.notation {
        Some(notation) => notation.notation(),
        None => Some(own.unwrap_or(Notation::Tile)),
    };
    let metric = args.metric.or(line.and_then(|line| line.metric)).unwrap_or_default();
    JudgeRules { metric, notation, scoring: args.scoring }
}

/// Judges the answers of a file.
fn judge_file(args: &JudgeArgs) -> Result<Exit, Failure> {
    output::check_inputs([&args.input], &[&args.out.out])?;
    output::check_inputs(&args.tasks, &[&args.out.out])?;
    let tasks = read_tasks(args)?;
    let mut output = Output::open(args.out.path())?;
    let reader = LineReader::open(&args.input)?;
    let cancel = signals::cancel()?;
    let mut batch = FileBatch {
        args,
        tasks,
        reader,
        tables: Tables::with_store(args.cache.store()),
        summary: JudgeSummary::default(),
        exit: Exit::Yes,
    };
    let result = batch.judge_all(&mut output, cancel);
    if !args.json && result.is_ok() {
        output.write(batch.summary.to_string().as_bytes())?;
    }
    output.end_batch(result, "judgments")
}

/// The tasks of `--tasks` by their `id`.
fn read_tasks(args: &JudgeArgs) -> Result<HashMap<String, TaskLine>, Failure> {
    let mut tasks = HashMap::new();
    let Some(path) = &args.tasks else { return Ok(tasks) };
    let mut reader = LineReader::open(&path.to_string_lossy())?;
    while let Some(line) = reader.next_line()? {
        let task = TaskLine::read(&line, args.board.format);
        let task = task.map_err(|error| reader.failure(&error))?;
        let Some(id) = task.id.clone() else { return Err(reader.failure("the task has no `id`")) };
        if task.puzzle.is_none() {
            return Err(reader.failure("the task has no `board`"));
        }
        if tasks.insert(id.clone(), task).is_some() {
            return Err(reader.failure(&format!("a second task with the id {id:?}")));
        }
    }
    Ok(tasks)
}

/// A file of answers.
struct FileBatch<'a> {
    args: &'a JudgeArgs,
    tasks: HashMap<String, TaskLine>,
    reader: LineReader,
    tables: Tables,
    summary: JudgeSummary,
    exit: Exit,
}

/// An answer with its task.
struct ReadAnswer {
    id: Option<String>,
    rules: JudgeRules,
    puzzle: Instance,
    text: String,
}

impl ReadAnswer {
    fn task(&self) -> JudgeTask<'_> {
        JudgeTask { rules: self.rules, puzzle: &self.puzzle, text: &self.text }
    }
}

impl FileBatch<'_> {
    fn judge_all(&mut self, output: &mut Output, mut cancel: Cancel) -> Result<Exit, Failure> {
        loop {
            let answers = self.read_batch(&cancel)?;
            if answers.is_empty() {
                break;
            }
            let tasks: Vec<JudgeTask<'_>> = answers.iter().map(ReadAnswer::task).collect();
            let mut judgments = Vec::new();
            let max_nodes = self.args.nodes.unwrap_or(u64::MAX);
            let threads = self.args.threads.threads;
            let judged = judge_many(
                &tasks,
                max_nodes,
                threads,
                &mut self.tables,
                &mut cancel,
                &mut judgments,
            );
            if judged == Err(Limit::Interrupted) {
                return Ok(Exit::Interrupted);
            }
            self.write(&answers, judgments, output)?;
        }
        Ok(if cancel.is_cancelled() { Exit::Interrupted } else { self.exit })
    }

    fn write(
        &mut self,
        answers: &[ReadAnswer],
        judgments: Vec<Judgment>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let mut lines = String::new();
        for (answer, judgment) in answers.iter().zip(judgments) {
            self.summary.add(&judgment);
            if self.args.json {
                let record = JudgmentRecord::new(&judgment).with_id(answer.id.clone());
                lines += &json_line(&record)?;
            }
        }
        if lines.is_empty() { Ok(()) } else { output.write(lines.as_bytes()) }
    }

    /// Reads some answers; none at the end of the file, or if cancelled. Lines that cannot be read are reported and
    /// left out.
    fn read_batch(&mut self, cancel: &Cancel) -> Result<Vec<ReadAnswer>, Failure> {
        let (mut answers, mut n_bytes) = (Vec::new(), 0);
        while answers.len() < BATCH && n_bytes < MAX_BATCH_BYTES && !cancel.is_cancelled() {
            let Some(line) = self.reader.next_line()? else { break };
            n_bytes += line.len();
            match self.read_answer(&line) {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    messages::error(self.reader.failure(&error));
                    self.exit = self.exit.worse(Exit::Usage);
                }
            }
        }
        Ok(answers)
    }

    fn read_answer(&self, line: &str) -> Result<ReadAnswer, String> {
        let mut own = TaskLine::read(line, self.args.board.format)?;
        let text = own.take_text(&self.args.field)?;
        let task = match &own.id {
            Some(id) if self.args.tasks.is_some() => {
                let task = self.tasks.get(id);
                task.ok_or_else(|| format!("no task has the id {id:?}"))?
            }
            None if self.args.tasks.is_some() => {
                return Err("the answer has no `id` to find its task".to_owned());
            }
            _ => &own,
        };
        let rules = rules(self.args, Some(task));
        let (board, goal) = task.puzzle.clone().ok_or("no field `board`")?;
        let puzzle = Instance::new(board, &self.args.board.goal_or(goal));
        let puzzle = puzzle.map_err(|error| error.to_string())?;
        Ok(ReadAnswer { id: own.id, rules, puzzle, text })
    }
}
