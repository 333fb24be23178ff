//! Tests of the binary: output, messages, files and exit codes.

// Helpers may panic, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod all_optimal;
mod audit;
mod batch;
mod census;
mod check;
mod checkpoint;
mod cluster;
mod compare;
mod convert;
mod courses;
mod dataset;
mod faults;
mod files;
mod generate;
mod grade;
#[cfg(target_os = "linux")]
mod grade_matrix;
mod interrupt;
mod malformed;
mod play;
mod program;
mod random_signals;
mod render;
mod sandbox;
mod serve;
#[cfg(target_os = "linux")]
mod slurm;
mod solve;
mod tables;
mod trace;
mod variants;
