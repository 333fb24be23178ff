//! A trace as JSON: a line for the search, one for each step, one for the end.

use npuzzle::record::{NodeRecord, TraceEndRecord, TraceSearchRecord, TraceStepRecord};
use npuzzle::teaching::{Trace, Tracer};

use super::sink::Sink;
use crate::exit::Failure;
use crate::report::json_line;

pub(super) fn write(sink: &mut Sink, tracer: &Tracer, trace: &Trace) -> Result<(), Failure> {
    sink.put(&json_line(&TraceSearchRecord::new(tracer, trace))?)?;
    for state in trace.replay() {
        let node = |number| NodeRecord::new(trace, number);
        sink.put(&json_line(&TraceStepRecord::new(trace, &state, node))?)?;
    }
    sink.put(&json_line(&TraceEndRecord::new(trace))?)
}
