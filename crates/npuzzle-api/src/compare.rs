//! `compare`: the objects of `npuzzle compare --json`, in a list.

use std::time::Duration;

use npuzzle::record::CompareRecord;
use npuzzle::teaching::AlgorithmConfig;
use npuzzle::{Algorithm, HeuristicChoice, Instance, Options, TableSize, Tables};
use serde::Deserialize;
use serde_json::json;

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields::{self, parse_optional, parse_or_default, search_limits};
use crate::job::AnswerKind;
use crate::job::Job;
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};
use crate::solve::weight;

/// The maximum number of searches of one request.
const MAX_SEARCHES: usize = 200;
/// The default time limit of each search.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareRequest {
    board: Option<BoardField>,
    boards: Option<Vec<BoardField>>,
    goal: Option<BoardField>,
    algorithms: Option<Vec<String>>,
    heuristics: Option<Vec<String>>,
    metric: Option<String>,
    weight: Option<f64>,
    order: Option<String>,
    time_ms: Option<u64>,
    nodes: Option<u64>,
    memory: Option<u64>,
}

impl Request for CompareRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let boards = match (self.board, self.boards) {
            (Some(board), None) => vec![board],
            (None, Some(boards)) if boards.is_empty() => {
                return Err(ApiError::value("boards", "expected at least one board"));
            }
            (None, Some(boards)) => boards,
            _ => return Err(ApiError::value("board", "expected either board or boards")),
        };
        let algorithms = match self.algorithms {
            Some(names) => parse_all("algorithms", &names)?,
            None => vec![Algorithm::Astar, Algorithm::Ida, Algorithm::Greedy],
        };
        let heuristics: Vec<HeuristicChoice> = match self.heuristics {
            Some(names) => parse_all("heuristics", &names)?,
            None => parse_all("heuristics", &["misplaced", "manhattan", "linear-conflict"])?,
        };
        let configs = AlgorithmConfig::all(&algorithms, &heuristics);
        let n_searches = boards.len() * configs.len();
        if n_searches > MAX_SEARCHES {
            let message =
                format!("too many searches ({n_searches}): the maximum is {MAX_SEARCHES}");
            return Err(ApiError::refused(message));
        }
        let goal = self.goal.as_ref();
        let instance = |board: &BoardField| Ok(fields::instance(board, goal, limits)?.0);
        let time = fields::time(self.time_ms, DEFAULT_TIME, limits);
        let options = Options {
            metric: parse_or_default("metric", self.metric.as_deref())?,
            weight: self.weight.map(weight).transpose()?,
            order: parse_optional("order", self.order.as_deref())?,
            limits: search_limits(time, self.nodes, self.memory, limits),
            // With small tables the counts depend only on the board.
            tables: TableSize::Small,
            ..Options::default()
        };
        let instances = boards.iter().map(instance).collect::<Result<Vec<_>, ApiError>>()?;
        let max_time = limits.max_time;
        Ok(Operation::new(ExpectedTime::Long, move |job| {
            job.watch.set_time_limit(max_time);
            let options = Options { threads: Some(job.n_threads), ..options };
            compare(&instances, &configs, &options, job)
        }))
    }
}

fn compare(
    instances: &[Instance],
    configs: &[AlgorithmConfig],
    options: &Options,
    job: &mut Job<'_>,
) -> Result<AnswerKind, ApiError> {
    let mut rows = Vec::new();
    let n_searches = configs.len() * instances.len();
    for &config in configs {
        let heuristic =
            (config.heuristic != HeuristicChoice::Auto).then(|| config.heuristic.to_string());
        // A configuration must not profit from tables that another one has built.
        let mut tables = Tables::new();
        for (number, instance) in (1..).zip(instances) {
            let source = format!("board {number}");
            let search = json!({
                "number": rows.len() + 1,
                "of": n_searches,
                "source": source,
                "algorithm": config.algorithm.to_string(),
                "heuristic": heuristic,
            });
            job.watch.send_event("search", &search);
            let outcome = config.run(instance, options, &mut tables, &mut *job.watch);
            if job.watch.is_cancelled() {
                return Err(ApiError::closing());
            }
            let row = json!(CompareRecord::new(&source, instance, config, &outcome));
            job.watch.send_event("row", &row);
            rows.push(row);
        }
    }
    job.answer(&json!({ "rows": rows }))
}

fn parse_all<T>(field: &'static str, names: &[impl AsRef<str>]) -> Result<Vec<T>, ApiError>
where
    T: std::str::FromStr<Err: std::fmt::Display> + Default,
{
    names.iter().map(|name| parse_or_default(field, Some(name.as_ref()))).collect()
}
