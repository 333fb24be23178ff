//! A trace as JSON: a line for the search, one for each step, one for the end.

use std::io::{self, Write};

use npuzzle::record::{NodeRecord, TraceEndRecord, TraceSearchRecord, TraceStepRecord};
use npuzzle::teaching::{Trace, Tracer};
use serde::Serialize;

pub(super) fn write(out: &mut dyn Write, tracer: &Tracer, trace: &Trace) -> io::Result<()> {
    write_line(out, &TraceSearchRecord::new(tracer, trace))?;
    for state in trace.replay() {
        let node = |number| NodeRecord::new(trace, number);
        write_line(out, &TraceStepRecord::new(trace, &state, node))?;
    }
    write_line(out, &TraceEndRecord::new(trace))
}

fn write_line(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    writeln!(out)
}
