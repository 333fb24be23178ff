//! The limits as a JSON object.

use serde_json::{Value, json};

use crate::limits::RequestLimits;
use crate::{analyse, boards, trace};

/// The limits as clients see them, in the answer to `version`.
pub fn limits_record(limits: &RequestLimits) -> Value {
    json!({
        "cells": limits.max_cells,
        "time_ms": limits.max_time.as_millis() as u64,
        "memory_bytes": limits.max_memory,
        "analyse_cells": analyse::MAX_CELLS,
        "trace_cells": trace::MAX_CELLS,
        "trace_steps": trace::MAX_STEPS,
        "moves": analyse::MAX_MOVES,
        "boards": boards::MAX_BOARDS,
    })
}
