//! Tools for courses and research: check, trace, compare, audit, generate.

pub(crate) mod analysis;
pub(crate) mod audit;
pub(crate) mod buggy_heuristics;
pub(crate) mod census;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod generate;
pub(crate) mod korf100;
pub(crate) mod move_text;
pub(crate) mod named_heuristic;
pub(crate) mod princeton;
pub(crate) mod trace;

pub use analysis::{Advice, Analysis, Losses};
pub use audit::{Audit, AuditError, Auditor, Estimates, Inconsistency, Overestimate, Scope};
pub use buggy_heuristics::{BuggyEstimator, BuggyHeuristic};
pub use census::{Census, CensusResult};
pub use check::{
    CheckError, Checked, Fault, Form, Loss, Quality, Sense, boards_in, first_unknown_token,
    moves_in,
};
pub use compare::{AlgorithmConfig, Counts, Ending, Summary, Trial, branching_factor};
pub use generate::{GenerateError, GenerateSpec, Generated, Generator};
pub use korf100::korf100;
pub use move_text::{MoveTextError, read_moves};
pub use named_heuristic::NamedHeuristic;
pub use princeton::Solver;
pub use trace::{
    Explained, LogStep, MismatchReason, NodeOutcome, Replay, ReplayState, Replayer, TieBreak,
    Trace, TraceEnd, TraceError, TraceNode, TraceRound, TraceStep, Tracer, Unexplained, parse_log,
};
