//! `solve`: what `npuzzle solve --json` answers.

use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle::record::SolveRecord;
use npuzzle::search::Weight;
use npuzzle::{Effort, Instance, Limits as SolveLimits, Notation, Options};
use serde::Deserialize;

use super::{Answer, Question, Task};
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request::{self, maybe_named, named};

/// The most shortest solutions that are listed.
const MAX_LISTED: usize = 1000;

/// Boards whose solutions are written as boards; those of larger ones would take gigabytes.
const MAX_WRITTEN_CELLS: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolveQuestion {
    board: String,
    goal: Option<String>,
    metric: Option<String>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    effort: Option<String>,
    optimal: Option<bool>,
    all: Option<All>,
    notation: Option<String>,
    time_ms: Option<u64>,
    nodes: Option<u64>,
    memory: Option<u64>,
    threads: Option<NonZeroUsize>,
    tables: Option<String>,
}

/// `true`, or how many to list.
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged)]
enum All {
    Whether(bool),
    Listed(usize),
}

impl All {
    fn listed(self) -> Option<usize> {
        /// As the command line has it.
        const LISTED: usize = 100;
        match self {
            All::Whether(all) => all.then_some(LISTED),
            All::Listed(n) => Some(n.min(MAX_LISTED)),
        }
    }
}

pub(crate) struct SolveTask {
    pub(crate) instance: Instance,
    pub(crate) options: Options,
    line: usize,
    notation: Notation,
}

impl Question for SolveQuestion {
    type Task = SolveTask;

    fn understand(self, limits: &Limits) -> Result<SolveTask, ApiError> {
        let (instance, line) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        let effort = self.time_ms.map(|_| Effort::Best);
        let memory = self.memory.map_or(limits.memory, |asked| asked.min(limits.memory));
        let n_cores = npuzzle::tables::n_cores();
        let options = Options {
            algorithm: named("algorithm", self.algorithm.as_deref())?,
            heuristic: named("heuristic", self.heuristic.as_deref())?,
            metric: named("metric", self.metric.as_deref())?,
            weight: self.weight.map(weight).transpose()?,
            all: self.all.and_then(All::listed),
            limits: SolveLimits {
                time: Some(request::time(self.time_ms, limits.time, limits)),
                nodes: self.nodes,
                memory: Some(memory),
            },
            effort: maybe_named("effort", self.effort.as_deref())?.or(effort),
            optimal: self.optimal.unwrap_or(false),
            tables: named("tables", self.tables.as_deref())?,
            threads: self.threads.and_then(|n| NonZeroUsize::new(n.get().min(n_cores))),
            bound: None,
        };
        let notation = request::named("notation", self.notation.as_deref())?;
        if notation == Notation::Boards && instance.dims().cells() > MAX_WRITTEN_CELLS {
            let message =
                format!("solutions are written as boards up to {MAX_WRITTEN_CELLS} cells");
            return Err(ApiError::refused(message).of("notation"));
        }
        // What is refused is refused at once.
        if instance.is_solvable() {
            npuzzle::search::plan(&instance, &options)?;
        }
        Ok(SolveTask { instance, options, line, notation })
    }
}

impl SolveTask {
    pub(crate) fn record(mut self, job: &mut Job) -> Result<SolveRecord, ApiError> {
        self.options.threads = self.options.threads.or(Some(job.n_threads));
        let report = self.options.solve_with(&self.instance, &mut job.tables, &mut job.watch)?;
        let record =
            SolveRecord::new(&report, self.notation).with_source("<board>", Some(self.line));
        Ok(match self.options.all {
            Some(_) => record.with_optimal_solutions(Some(&report), self.notation),
            None => record,
        })
    }
}

impl Task for SolveTask {
    fn is_quick(&self) -> bool {
        false
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        let record = self.record(job)?;
        Answer::json(&record, job.buffer())
    }
}

pub(super) fn weight(weight: f64) -> Result<Weight, ApiError> {
    let message = || format!("expected a number from 1 to {}", Weight::MAX);
    Weight::new(weight).ok_or_else(|| ApiError::value("weight", message()))
}

/// Options for boards of which shortest solutions are known: as a job grants them.
pub(super) fn proving(metric: npuzzle::Metric, time: Duration, limits: &Limits) -> Options {
    Options {
        metric,
        limits: SolveLimits { time: Some(time), memory: Some(limits.memory), nodes: None },
        ..Options::default()
    }
}
