//! `solve`: the same object as `npuzzle solve --json`.

use std::num::NonZeroUsize;

use npuzzle::record::SolveRecord;
use npuzzle::search::Weight;
use npuzzle::{Effort, Instance, Notation, Options};
use serde::Deserialize;

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields::{self, parse_optional, parse_or_default, search_limits};
use crate::job::Job;
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};

/// The maximum number of shortest solutions that are listed.
const MAX_LISTED: usize = 1000;

/// The maximum number of cells for the notation `boards`; larger boards would take gigabytes.
const MAX_CELLS_AS_BOARDS: usize = 100;

/// The maximum number of cells of boards whose shortest solutions are all counted within milliseconds.
const MAX_SHORT_COUNT_CELLS: usize = 9;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolveRequest {
    board: BoardField,
    goal: Option<BoardField>,
    metric: Option<String>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    order: Option<String>,
    effort: Option<String>,
    optimal: Option<bool>,
    all: Option<ListAll>,
    notation: Option<String>,
    time_ms: Option<u64>,
    nodes: Option<u64>,
    memory: Option<u64>,
    threads: Option<NonZeroUsize>,
    tables: Option<String>,
}

/// Whether all shortest solutions are counted: a boolean, or the number of solutions to list.
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged, expecting = "expected true, false or a number")]
enum ListAll {
    Enabled(bool),
    Count(usize),
}

impl ListAll {
    fn count(self) -> Option<usize> {
        match self {
            ListAll::Enabled(is_enabled) => is_enabled.then_some(Options::DEFAULT_LISTED),
            ListAll::Count(n) => Some(n.min(MAX_LISTED)),
        }
    }
}

/// A valid request.
struct ValidSolveRequest {
    instance: Instance,
    options: Options,
    line: usize,
    notation: Notation,
}

impl Request for SolveRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let request = self.validated(limits)?;
        let expected_time = request.expected_time();
        Ok(Operation::new(expected_time, move |job| {
            let record = request.solve(job)?;
            job.answer(&record)
        }))
    }
}

impl SolveRequest {
    fn validated(self, limits: &RequestLimits) -> Result<ValidSolveRequest, ApiError> {
        let (instance, line) = fields::instance(&self.board, self.goal.as_ref(), limits)?;
        let default_effort = self.time_ms.map(|_| Effort::Best);
        let time = fields::time(self.time_ms, limits.max_time, limits);
        let n_cores = npuzzle::tables::n_cores();
        let options = Options {
            algorithm: parse_or_default("algorithm", self.algorithm.as_deref())?,
            heuristic: parse_or_default("heuristic", self.heuristic.as_deref())?,
            metric: parse_or_default("metric", self.metric.as_deref())?,
            weight: self.weight.map(weight).transpose()?,
            order: parse_optional("order", self.order.as_deref())?,
            all: self.all.and_then(ListAll::count),
            limits: search_limits(time, self.nodes, self.memory, limits),
            effort: parse_optional("effort", self.effort.as_deref())?.or(default_effort),
            optimal: self.optimal.unwrap_or(false),
            tables: parse_or_default("tables", self.tables.as_deref())?,
            threads: self.threads.and_then(|n| NonZeroUsize::new(n.get().min(n_cores))),
            bound: None,
        };
        let notation = parse_or_default("notation", self.notation.as_deref())?;
        if notation == Notation::Boards && instance.dims().cells() > MAX_CELLS_AS_BOARDS {
            let message = format!("the notation boards is for up to {MAX_CELLS_AS_BOARDS} cells");
            return Err(ApiError::refused(message).with_field("notation"));
        }
        // Planning fails here rather than after waiting for a slot.
        if instance.is_solvable() {
            npuzzle::search::plan(&instance, &options)?;
        }
        Ok(ValidSolveRequest { instance, options, line, notation })
    }
}

impl ValidSolveRequest {
    fn expected_time(&self) -> ExpectedTime {
        let is_small = self.instance.dims().cells() <= MAX_SHORT_COUNT_CELLS;
        match self.options.all {
            Some(_) if !is_small => ExpectedTime::Long,
            _ => ExpectedTime::of_search(&self.instance, &self.options),
        }
    }

    fn solve(mut self, job: &mut Job<'_>) -> Result<SolveRecord, ApiError> {
        let default_threads = job.threads_for(self.options.algorithm);
        self.options.threads = self.options.threads.or(default_threads);
        let report = self.options.solve_with(&self.instance, job.tables, job.watch)?;
        let record =
            SolveRecord::new(&report, self.notation).with_source("<board>", Some(self.line));
        Ok(match self.options.all {
            Some(_) => record.with_optimal_solutions(Some(&report), self.notation),
            None => record,
        })
    }
}

pub(crate) fn weight(weight: f64) -> Result<Weight, ApiError> {
    let message = || format!("expected a number from 1 to {}", Weight::MAX);
    Weight::new(weight).ok_or_else(|| ApiError::value("weight", message()))
}
