//! The binary from outside: arguments and files in, output, messages and exit codes out.

// Helpers of tests may stop a test where it is, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod all;
mod audit;
mod batch;
mod census;
mod check;
mod checkpoint;
mod cluster;
mod compare;
mod convert;
mod courses;
mod faults;
mod files;
mod generate;
mod grade;
mod interrupt;
mod malformed;
mod moments;
mod play;
mod program;
mod render;
mod serve;
#[cfg(target_os = "linux")]
mod slurm;
mod solve;
mod tables;
mod trace;
