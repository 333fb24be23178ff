//! A trace for programs: a line for the search, one for each step, one for the end.

use npuzzle::record::{NodeRecord, TraceEndRecord, TraceSearchRecord, TraceStepRecord};
use npuzzle::teaching::{Trace, Tracer};
use serde::Serialize;

use super::sink::Sink;
use crate::exit::Failure;

pub(super) fn write(sink: &mut Sink, tracer: &Tracer, trace: &Trace) -> Result<(), Failure> {
    sink.put(&line(&TraceSearchRecord::new(tracer, trace))?)?;
    for played in trace.replay() {
        let node = |number| NodeRecord::new(trace, number);
        sink.put(&line(&TraceStepRecord::new(trace, &played, node))?)?;
    }
    sink.put(&line(&TraceEndRecord::new(trace))?)
}

fn line(record: &impl Serialize) -> Result<String, Failure> {
    let line = serde_json::to_string(record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}
