//! `npuzzle cluster`: long jobs on several processes, one file per job.

mod batch;
mod census;
mod launcher;
mod pattern_tables;
mod solve;
mod tables;

use std::path::Path;
use std::time::Duration;

use npuzzle::Watch;
use npuzzle_cluster::{CensusJob, ClusterError, Exchange, Member, read_hosts};

use crate::args::{ClusterArgs, ClusterJob, ClusterTablesArgs, ProcessArgs, SpaceArgs, WorkArgs};
use crate::exit::{Exit, Failure};
use crate::io::input::{Input, MAX_BYTES};
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::report::progress::{CensusProgress, ShareProgress};

pub(crate) fn run(args: &ClusterArgs) -> Result<Exit, Failure> {
    output::check_inputs(args.job.inputs(), &[args.job.out()])?;
    if let Some(n) = args.processes.local {
        check_local(args)?;
        return launcher::run(usize::from(n));
    }
    let processes = &args.processes;
    let member = member(processes)?;
    match &args.job {
        ClusterJob::Census(job) => census::run(&member, processes, job),
        ClusterJob::Tables(job) if is_pattern_job(job) => {
            pattern_tables::run(&member, processes, job)
        }
        ClusterJob::Tables(job) => tables::run(&member, processes, job),
        ClusterJob::Batch(job) => batch::run(&member, processes, job),
        ClusterJob::Solve(job) => solve::run(&member, processes, job),
    }
}

/// Checks the arguments before processes are started, so that an error is printed once and not by every
/// process.
fn check_local(args: &ClusterArgs) -> Result<(), Failure> {
    if args.processes.hosts.is_some() || args.processes.process.is_some() {
        let message = "--local starts all processes: omit --hosts and --process";
        return Err(Failure::usage(message));
    }
    if args.job.inputs().iter().any(|input| input == "-") {
        let message = "with --local, boards cannot come from standard input: name a file";
        return Err(Failure::usage(message));
    }
    match &args.job {
        ClusterJob::Census(job) => census_job(&job.space, &job.work).map(drop),
        ClusterJob::Tables(job) if is_pattern_job(job) => pattern_tables::job(job, 1).map(drop),
        ClusterJob::Tables(job) => tables::job(job).map(drop),
        ClusterJob::Batch(job) => batch::read_boards(&job.inputs, &job.board).map(drop),
        ClusterJob::Solve(job) => solve::read_board(job).map(drop),
    }?;
    // Process 0 opens the file itself.
    args.job.out().as_deref().map_or(Ok(()), Output::check)
}

/// Whether the tables are pattern databases; boards of fewer cells have a table of all distances.
fn is_pattern_job(args: &ClusterTablesArgs) -> bool {
    args.space.size.cells() > npuzzle::tables::FullTable::MAX_CELLS
}

/// This process as a member of the cluster.
fn member(args: &ProcessArgs) -> Result<Member, Failure> {
    /// How long processes wait for each other with `--wait none`.
    const MONTH: Duration = Duration::from_secs(30 * 86_400);
    let (Some(path), Some(process)) = (&args.hosts, args.process) else {
        return Err(Failure::usage("either --local N or --hosts FILE --process I is required"));
    };
    let input = Input::from_file(path, MAX_BYTES)?;
    let invalid = |error| Failure::usage(format!("{}: {error}", path.display()));
    let addresses = read_hosts(&input.text).map_err(invalid)?;
    let n = addresses.len();
    if process >= n {
        let message = format!("--process {process}: the processes are 0 to {}", n - 1);
        return Err(Failure::usage(message));
    }
    let wait = args.wait.unwrap_or(MONTH);
    let cancel = signals::cancel()?;
    if args.launched {
        launcher::cancel_with_launcher(&cancel)?;
    }
    Ok(Member { addresses, process, wait, cancel })
}

fn failure(error: ClusterError) -> Failure {
    let exit = match &error {
        ClusterError::Stopped(limit) => (*limit).into(),
        error if error.is_transient() => Exit::File,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// The job of counting a state space.
fn census_job(space: &SpaceArgs, work: &WorkArgs) -> Result<CensusJob, Failure> {
    /// The memory of a process with `--memory none`.
    const MEMORY: u64 = 4 << 30;
    let taker = super::census::new_census(space.size, &space.goal, space.metric.metric)?;
    let memory = space.memory.memory.unwrap_or(MEMORY);
    Ok(CensusJob { census: taker, folder: work.folder.clone(), memory, keeps_all: false })
}

/// The progress of a census, shown by process 0 only.
fn census_progress(member: &Member, args: &ProcessArgs, job: &CensusJob) -> CensusProgress {
    let quiet = args.quiet.quiet || member.process > 0;
    CensusProgress::new(member.cancel.clone(), quiet, job.census.n_boards(), job.census.depth)
}

/// The progress of a job with many items, shown by process 0 only.
fn share_progress(
    member: &Member,
    args: &ProcessArgs,
    name: impl ToString,
) -> Box<dyn Watch + Send> {
    let cancel = member.cancel.clone();
    if args.quiet.quiet || member.process > 0 {
        return Box::new(cancel);
    }
    Box::new(ShareProgress::new(cancel, name))
}

/// Opens the output of process 0 before the work starts, so that a bad path is reported immediately.
fn open_output(member: &Member, path: Option<&Path>) -> Result<Option<Output>, Failure> {
    (member.process == 0).then(|| Output::open(path)).transpose()
}

/// Lets process 0 write the answer while all processes still run. On failure, no process removes its
/// work.
fn write_answer(
    exchange: &mut Exchange,
    write: Option<impl FnOnce() -> Result<(), Failure>>,
) -> Result<Result<(), Failure>, ClusterError> {
    let written = write.map(|write| write());
    let is_written = match &written {
        Some(Err(failure)) => failure.is_closed_pipe(),
        _ => true,
    };
    if exchange.broadcast_flag(is_written)? {
        return Ok(Ok(()));
    }
    Ok(written.unwrap_or_else(|| Err(failure(ClusterError::AnswerNotWritten))))
}

/// Removes a work file, and the folder if it is empty, unless `--keep` is given.
fn remove_work(file: &Path, work: &WorkArgs) {
    if !work.keep {
        let _ = std::fs::remove_file(file);
        let _ = std::fs::remove_dir(&work.folder);
    }
}
