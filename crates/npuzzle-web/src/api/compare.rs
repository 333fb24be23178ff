//! `compare`: what `npuzzle compare --json` answers, in a list.

use std::time::Duration;

use npuzzle::record::CompareRecord;
use npuzzle::teaching::AlgorithmConfig;
use npuzzle::{
    Algorithm, HeuristicChoice, Instance, Limits as SolveLimits, Options, TableSize, Tables,
};
use serde::{Deserialize, Serialize};

use super::solve::weight;
use super::{Answer, Question, Task};
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request::{self, named};

/// The most searches for one question.
const MAX_SEARCHES: usize = 200;
/// The time for each unless another is asked for.
const TIME: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareQuestion {
    board: Option<String>,
    boards: Option<Vec<String>>,
    goal: Option<String>,
    algorithms: Option<Vec<String>>,
    heuristics: Option<Vec<String>>,
    metric: Option<String>,
    weight: Option<f64>,
    time_ms: Option<u64>,
    nodes: Option<u64>,
    memory: Option<u64>,
}

pub(crate) struct CompareTask {
    instances: Vec<Instance>,
    contenders: Vec<AlgorithmConfig>,
    options: Options,
    /// For all of them.
    time: Duration,
}

#[derive(Serialize)]
struct Rows {
    rows: Vec<CompareRecord>,
}

impl Question for CompareQuestion {
    type Task = CompareTask;

    fn understand(self, limits: &Limits) -> Result<CompareTask, ApiError> {
        let boards = match (self.board, self.boards) {
            (Some(board), None) => vec![board],
            (None, Some(boards)) if boards.is_empty() => {
                return Err(ApiError::value("boards", "expected at least one board"));
            }
            (None, Some(boards)) => boards,
            _ => return Err(ApiError::value("board", "give either board or boards")),
        };
        let algorithms = match self.algorithms {
            Some(names) => all_named("algorithms", &names)?,
            None => vec![Algorithm::Astar, Algorithm::Ida, Algorithm::Greedy],
        };
        let heuristics: Vec<HeuristicChoice> = match self.heuristics {
            Some(names) => all_named("heuristics", &names)?,
            None => all_named("heuristics", &["misplaced", "manhattan", "linear-conflict"])?,
        };
        let contenders = AlgorithmConfig::all(&algorithms, &heuristics);
        let n_searches = boards.len() * contenders.len();
        if n_searches > MAX_SEARCHES {
            let message = format!("{n_searches} searches, and {MAX_SEARCHES} is the most");
            return Err(ApiError::refused(message));
        }
        let goal = self.goal.as_deref();
        let instance = |board: &String| Ok(request::instance(board, goal, limits)?.0);
        let options = Options {
            metric: named("metric", self.metric.as_deref())?,
            weight: self.weight.map(weight).transpose()?,
            limits: SolveLimits {
                time: Some(request::time(self.time_ms, TIME, limits)),
                nodes: self.nodes,
                memory: Some(self.memory.map_or(limits.memory, |asked| asked.min(limits.memory))),
            },
            // Counts hang on the board alone.
            tables: TableSize::Small,
            ..Options::default()
        };
        Ok(CompareTask {
            instances: boards.iter().map(instance).collect::<Result<_, ApiError>>()?,
            contenders,
            options,
            time: limits.time,
        })
    }
}

fn all_named<T>(field: &'static str, names: &[impl AsRef<str>]) -> Result<Vec<T>, ApiError>
where
    T: std::str::FromStr<Err: std::fmt::Display> + Default,
{
    names.iter().map(|name| named(field, Some(name.as_ref()))).collect()
}

impl Task for CompareTask {
    fn is_quick(&self) -> bool {
        false
    }

    fn run(mut self, job: &mut Job) -> Result<Answer, ApiError> {
        job.end_after(self.time);
        self.options.threads = Some(job.n_threads);
        let mut rows = Vec::new();
        for &contender in &self.contenders {
            // Nobody profits from what others have built.
            let mut tables = Tables::new();
            for (number, instance) in (1..).zip(&self.instances) {
                let trial = contender.run(instance, &self.options, &mut tables, &mut job.watch);
                if job.watch.is_cancelled() {
                    return Err(ApiError::closing());
                }
                let source = format!("board {number}");
                rows.push(CompareRecord::new(&source, instance, contender, &trial));
            }
        }
        Answer::json(&Rows { rows }, job.buffer())
    }
}
