//! Tools for courses and research: check, trace, compare, audit and generate.
//!
//! - [`Options::check`](crate::Options::check) checks a solution in the form in which a person or a
//!   program has written it, and finds its wasted moves.
//! - [`Options::analyze`](crate::Options::analyze) and
//!   [`Options::analyze_game`](crate::Options::analyze_game) find the value of each move.
//! - [`Tracer`] records a search step by step, and compares a log with it.
//! - [`AlgorithmConfig::run`] measures an algorithm; [`RunSummary`] summarizes the results.
//! - [`Auditor`] tests whether a heuristic is admissible and consistent.
//! - [`Generator`] generates boards of a given difficulty.
//! - [`Dataset`] makes tasks for models that reason; [`Judge`] judges their answers.
//! - [`Census`] counts the boards at each distance from a goal.
//! - [`BoardSet`] has the public sets of boards, with the published results.

pub(crate) mod analysis;
pub(crate) mod audit;
pub(crate) mod board_sets;
pub(crate) mod buggy_heuristics;
pub(crate) mod census;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod dataset;
mod exact_distance;
pub(crate) mod generate;
pub(crate) mod heuristic_error;
pub(crate) mod judge;
pub(crate) mod move_text;
pub(crate) mod named_heuristic;
mod same_size;
pub(crate) mod trace;

pub use analysis::{Analysis, GameAnalysis, MoveAnalysis};
pub use audit::{Audit, AuditError, AuditScope, Auditor, HeuristicFn, Inconsistency, Overestimate};
pub use board_sets::{BoardSet, PublishedBoard, korf100};
pub use buggy_heuristics::{BuggyEstimator, BuggyHeuristic};
pub use census::{Census, CensusResult};
pub use check::{
    CheckError, CheckResult, Loss, Sense, SolutionError, SolutionForm, SolutionQuality,
    find_boards, find_moves, first_unknown_token,
};
pub use compare::{AlgorithmConfig, RunEnd, RunResult, RunSummary, StatsSummary, branching_factor};
pub use dataset::{
    Dataset, DatasetError, DatasetSpec, DatasetTask, PromptTemplate, SplitSpec, TemplateError,
};
pub use generate::{GenerateError, GenerateSpec, Generated, Generator};
pub use heuristic_error::HeuristicError;
pub use judge::{
    AnswerError, AnswerMark, AnswerStatus, IllegalMove, Judge, JudgeRules, JudgeTask, Judgment,
    MAX_ANSWER_MOVES, Scoring, judge_many,
};
pub use move_text::{MoveTextError, read_moves};
pub use named_heuristic::NamedHeuristic;
pub use trace::{
    GoalTest, LogMatch, LogMismatch, LogStep, MismatchReason, NodeOutcome, ReplayState, Replayer,
    TieBreak, Trace, TraceAlgorithm, TraceEnd, TraceError, TraceNode, TraceRound, TraceStep,
    Tracer, parse_log,
};
