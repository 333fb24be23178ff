//! The command line as clap parses it: one file per command, shared flags in `groups`.

mod audit;
mod board_sets;
mod census;
mod check;
mod cluster;
mod compare;
mod completions;
mod convert;
mod course;
mod course_choice;
mod dataset;
mod deferred;
mod generate;
mod grade;
mod groups;
mod judge;
mod play;
mod render;
mod serve;
mod solve;
mod tables;
mod trace;
mod values;
mod variant;

use clap::{Parser, Subcommand};

pub(crate) use audit::AuditArgs;
pub(crate) use board_sets::BoardSetArgs;
pub(crate) use census::CensusArgs;
pub(crate) use check::CheckArgs;
pub(crate) use cluster::{
    ClusterArgs, ClusterBatchArgs, ClusterCensusArgs, ClusterJob, ClusterSolveArgs,
    ClusterTablesArgs, ProcessArgs, SpaceArgs, WorkArgs,
};
pub(crate) use compare::{CompareArgs, CountersArg, Figure};
pub(crate) use completions::{CompletionsArgs, ManArgs};
pub(crate) use convert::{ConvertArgs, ConvertTarget};
pub(crate) use course::{AnyCourseCommand, CourseArgs, CourseCommand, CourseInput, apply_choice};
pub(crate) use course_choice::CourseChoice;
pub(crate) use dataset::DatasetArgs;
pub(crate) use deferred::Deferred;
pub(crate) use generate::GenerateArgs;
pub(crate) use grade::GradeArgs;
pub(crate) use groups::{BoardArgs, OutputFormat, SandboxArgs, SizedGoalArg, goal_board};
pub(crate) use judge::JudgeArgs;
pub(crate) use play::{Arrows, Letters, PlayArgs};
pub(crate) use render::RenderArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use solve::SolveArgs;
pub(crate) use tables::{TablesArgs, TablesCommand};
pub(crate) use trace::{
    DiffArgs, DuplicatesArg, TraceArgs, TraceCommand, TraceFormat, TraceSearchArgs,
};
pub(crate) use variant::VariantCommand;

const EXIT_CODES: &str = "\
Exit codes: 0 solved · 1 unsolvable · 2 bad usage or bad input · 3 a limit was reached · 4 file or \
I/O error · 130 interrupted. A batch returns the first of 130, 4, 2, 3, 1, 0 that occurs.";

/// Solves sliding-tile puzzles: any rectangle, any goal, shortest solutions.
#[derive(Parser, Debug)]
#[command(name = "npuzzle", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Solve one or many boards
    Solve(Deferred<SolveArgs>),
    /// Run the program of a university course
    Course(Deferred<CourseArgs>),
    /// Check a solution: whether it is valid and shortest, and which moves are wasted
    Check(Deferred<CheckArgs>),
    /// Generate boards: random, of an exact length, with a unique solution, one per student
    Generate(Deferred<GenerateArgs>),
    /// Show a search step by step: the queue, the states, the tree
    Trace(Deferred<TraceArgs>),
    /// Compare algorithms and heuristics on a set of boards
    Compare(Deferred<CompareArgs>),
    /// Test whether a heuristic is admissible and consistent
    Audit(Deferred<AuditArgs>),
    /// Count the boards of a size at each distance from the goal
    Census(Deferred<CensusArgs>),
    /// Run a long job on several machines
    Cluster(Deferred<ClusterArgs>),
    /// Run a student's program on a set of boards, judge its answers, name the likely bug
    Grade(Deferred<GradeArgs>),
    /// Make tasks for models that reason: prompts, exact distances, optimal moves, disjoint splits
    Dataset(Deferred<DatasetArgs>),
    /// Judge answers of models: find the moves in free text, score them, say why
    Judge(Deferred<JudgeArgs>),
    /// Convert boards between formats and moves between notations
    Convert(Deferred<ConvertArgs>),
    /// Draw a board or a solution: SVG, PNG, animated GIF or an HTML page
    Render(Deferred<RenderArgs>),
    /// Play in the terminal, with hints, solutions and the cost of every move
    Play(Deferred<PlayArgs>),
    /// Serve the web page and its HTTP API
    Serve(Deferred<ServeArgs>),
    /// List, build, verify and remove stored tables
    Tables(Deferred<TablesArgs>),
    /// Print a shell completion script
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual page, or write the pages of all commands to a folder
    Man(Deferred<ManArgs>),
}
