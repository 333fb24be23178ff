//! One request, from its text to the items that it yields.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle::clock::Instant;
use npuzzle::search::Cost;
use npuzzle::{Limit, Stats, Tables, Watch};
use npuzzle_api::{
    AnswerKind, ApiError, Job, JobWatch, RequestLimits, SearchEvents, limits_record, read_request,
};
use serde_json::json;

/// Receives the items that a request yields: a name and its bytes.
pub type Output<'a> = &'a mut dyn FnMut(&str, &[u8]);

/// The memory that a search may use: a module has at most 4 GiB, and a phone less.
const MAX_MEMORY: u64 = 512 << 20;

/// Answers a request. The last item is `json`, an object; `file`, the bytes of a file, after `file-info`, an object with its
/// type and name; or `error`, an object.
pub fn call(name: &str, body: &[u8], tables: &mut Tables, output: Output<'_>) {
    let limits = RequestLimits { max_memory: MAX_MEMORY, ..RequestLimits::default() };
    if name == "version" {
        let record = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "schema": npuzzle::record::SCHEMA,
            "limits": limits_record(&limits),
            "engine": "wasm",
        });
        return output("json", record.to_string().as_bytes());
    }
    match run(name, body, &limits, tables, output) {
        Ok((AnswerKind::Json, bytes)) => output("json", &bytes),
        Ok((AnswerKind::File { content_type, name }, bytes)) => {
            let info = json!({ "content_type": content_type, "name": name });
            output("file-info", info.to_string().as_bytes());
            output("file", &bytes);
        }
        Err(error) => output("error", &serde_json::to_vec(&error.record()).unwrap_or_default()),
    }
}

fn run(
    name: &str,
    body: &[u8],
    limits: &RequestLimits,
    tables: &mut Tables,
    output: Output<'_>,
) -> Result<(AnswerKind, Vec<u8>), ApiError> {
    let operation = read_request(name, body, limits)?;
    let mut bytes = Vec::new();
    let send =
        |event: &str, record: &serde_json::Value| output(event, record.to_string().as_bytes());
    let mut watch =
        CallWatch { events: SearchEvents::new(send), started: Instant::now(), time_limit: None };
    let mut job = Job { watch: &mut watch, tables, n_threads: NonZeroUsize::MIN, out: &mut bytes };
    let answer = operation.run(&mut job)?;
    Ok((answer, bytes))
}

/// The watch of a request: its events, and its time limit. It is never cancelled, because the host ends the worker instead.
struct CallWatch<W> {
    events: W,
    started: Instant,
    time_limit: Option<Duration>,
}

impl<W: Watch> CallWatch<W> {
    fn check_time(&self) -> ControlFlow<Limit> {
        match self.time_limit.is_some_and(|limit| self.started.elapsed() >= limit) {
            true => ControlFlow::Break(Limit::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

impl<W: Watch> JobWatch for CallWatch<W> {
    fn set_time_limit(&mut self, time: Duration) {
        self.time_limit = Some(time);
    }

    fn is_cancelled(&self) -> bool {
        false
    }
}

impl<W: Watch> Watch for CallWatch<W> {
    fn planned(
        &mut self,
        algorithm: &dyn std::fmt::Display,
        heuristic: Option<&dyn std::fmt::Display>,
        reason: &str,
    ) {
        self.events.planned(algorithm, heuristic, reason);
    }

    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.events.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.check_time()?;
        self.events.poll(stats)
    }

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        self.events.improved(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.check_time()?;
        self.events.building(share)
    }
}
