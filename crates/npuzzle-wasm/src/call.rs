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
use serde_json::{Value, json};

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
    let send = |event: &str, record: &Value| output(event, record.to_string().as_bytes());
    let mut watch =
        CallWatch { events: SearchEvents::new(send), started: Instant::now(), time_limit: None };
    let mut job = Job { watch: &mut watch, tables, n_threads: NonZeroUsize::MIN, out: &mut bytes };
    let answer = operation.run(&mut job)?;
    Ok((answer, bytes))
}

/// The watch of a request: its events, and its time limit. It is never cancelled, because the host ends the worker instead.
struct CallWatch<S> {
    events: SearchEvents<S>,
    started: Instant,
    time_limit: Option<Duration>,
}

impl<S: FnMut(&str, &Value)> CallWatch<S> {
    fn check_time(&self) -> ControlFlow<Limit> {
        match self.time_limit.is_some_and(|limit| self.started.elapsed() >= limit) {
            true => ControlFlow::Break(Limit::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

impl<S: FnMut(&str, &Value)> JobWatch for CallWatch<S> {
    fn set_time_limit(&mut self, time: Duration) {
        self.time_limit = Some(time);
    }

    fn is_cancelled(&self) -> bool {
        false
    }

    fn send_event(&mut self, name: &str, record: &Value) {
        self.events.send_event(name, record);
    }
}

impl<S: FnMut(&str, &Value)> Watch for CallWatch<S> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The items of a request: their names, and the objects of those that are JSON.
    fn items(name: &str, body: &Value) -> Vec<(String, Value)> {
        let mut items = vec![];
        call(name, body.to_string().as_bytes(), &mut Tables::new(), &mut |name, bytes| {
            items.push((name.to_owned(), serde_json::from_slice(bytes).unwrap_or_default()));
        });
        items
    }

    fn last(name: &str, body: &Value) -> (String, Value) {
        items(name, body).pop().unwrap()
    }

    #[test]
    fn solve_ends_with_a_report() {
        let (name, report) = last("solve", &json!({ "board": "8 6 7/2 5 4/3 0 1" }));
        assert_eq!(
            (name.as_str(), &report["moves"], &report["optimal"]),
            ("json", &json!(31), &json!(true))
        );
    }

    #[test]
    fn long_search_sends_its_plan_and_progress_and_keeps_its_time_limit() {
        let board = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
        let body = json!({ "board": board, "goal": "first", "algorithm": "ida", "time_ms": 600 });
        let items = items("solve", &body);
        let names: Vec<&str> = items.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"plan") && names.contains(&"progress"), "{names:?}");
        let (_, report) = items.last().unwrap();
        assert_eq!((&report["status"], &report["limit_hit"]), (&json!("limit"), &json!("time")));
    }

    #[test]
    fn wrong_requests_are_errors_with_a_position() {
        let (name, record) = last("solve", &json!({ "board": "1 2 3/4 5 6/7 7 0" }));
        let error = &record["error"];
        assert_eq!(
            (name.as_str(), &error["kind"], &error["column"]),
            ("error", &json!("board"), &json!(15))
        );
        assert_eq!(last("nothing", &json!({})).1["error"]["kind"], "path");
        assert_eq!(last("solve", &json!(["1"])).1["error"]["kind"], "json");
    }

    #[test]
    fn files_follow_their_description() {
        let items = items("render", &json!({ "board": "1 2/3 0", "format": "svg" }));
        let names: Vec<&str> = items.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["file-info", "file"]);
        assert_eq!(items[0].1["content_type"], "image/svg+xml");
    }

    #[test]
    fn version_names_the_limits() {
        let (_, record) = last("version", &json!(null));
        assert_eq!(
            (&record["engine"], &record["limits"]["trace_cells"]),
            (&json!("wasm"), &json!(25))
        );
    }

    #[test]
    fn every_request_of_the_interface_is_answered() {
        for name in npuzzle_api::REQUESTS {
            assert_eq!(last(name, &json!({ "unknown": 1 })).1["error"]["kind"], "json", "{name}");
        }
    }
}
