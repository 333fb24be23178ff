//! `npuzzle cluster`: long jobs over processes on several machines.

mod boards;
mod launch;
mod patterns;

use std::path::Path;
use std::time::Duration;

use npuzzle::tables::{Store, StoreWarning, TableSpec};
use npuzzle::teaching::Census;
use npuzzle::{Instance, Limit, Limits, Options, Report, Watch};
use npuzzle_cluster::{
    Batch, CensusJob, ClusterError, Member, Mesh, SolveJob, TableJob, batch, census, read_hosts,
    solve, table,
};

use crate::args::{
    ClusterArgs, ClusterBatchArgs, ClusterCensusArgs, ClusterJob, ClusterSolveArgs,
    ClusterTablesArgs, RunArgs, SpaceArgs, WorkArgs,
};
use crate::commands::census::{self as counts, new_taker};
use crate::exit::{self, Exit, Failure};
use crate::io::input::{Input, MAX_BYTES};
use crate::io::output::{self, Output};
use crate::io::units;
use crate::report::progress::{BuildProgress, CountProgress, Progress};
use crate::report::{Form, Item, Place, Shown};

pub(crate) fn run(args: &ClusterArgs) -> Result<Exit, Failure> {
    let RunArgs { local, hosts, process, .. } = &args.run;
    output::keep_inputs(args.job.inputs(), &[args.job.out()])?;
    if let Some(n) = *local {
        if hosts.is_some() || process.is_some() {
            return Err(Failure::usage("--local starts all processes: no --hosts, no --process"));
        }
        if args.job.inputs().iter().any(|input| input == "-") {
            return Err(Failure::usage("one process alone can read standard input: name a file"));
        }
        check(&args.job)?;
        if let Some(out) = args.job.out() {
            // The first process opens it for itself.
            Output::check(out)?;
        }
        return launch::run(usize::from(n));
    }
    let member = member(&args.run)?;
    match &args.job {
        ClusterJob::Census(job) => run_census(&member, &args.run, job),
        ClusterJob::Tables(job) => run_table(&member, &args.run, job),
        ClusterJob::Batch(job) => run_batch(&member, &args.run, job),
        ClusterJob::Solve(job) => run_solve(&member, &args.run, job),
    }
}

/// What is wrong with the words of a job is told once, and not by every process.
fn check(job: &ClusterJob) -> Result<(), Failure> {
    match job {
        ClusterJob::Census(job) => counting(&job.space, &job.work).map(drop),
        ClusterJob::Tables(job) if patterns::are_meant(job) => patterns::job(job, 1).map(drop),
        ClusterJob::Tables(job) => tabulating(job).map(drop),
        ClusterJob::Batch(job) => {
            boards::read(&job.inputs, job.format, job.goal.as_ref()).map(drop)
        }
        ClusterJob::Solve(job) => one_board(job).map(drop),
    }
}

/// The longest that processes wait for each other, if nobody says how long.
const DAYS: Duration = Duration::from_secs(30 * 86_400);

fn member(args: &RunArgs) -> Result<Member, Failure> {
    let (Some(path), Some(process)) = (&args.hosts, args.process) else {
        return Err(Failure::usage("either --local N, or --hosts FILE and --process I"));
    };
    let input = Input::from_file(path, MAX_BYTES)?;
    let bad = |error| Failure::usage(format!("{}: {error}", path.display()));
    let addresses = read_hosts(&input.text).map_err(bad)?;
    if process >= addresses.len() {
        let n = addresses.len();
        return Err(Failure::usage(format!(
            "--process {process}: {n} addresses are from 0 to {}",
            n - 1
        )));
    }
    let wait = args.wait.at().unwrap_or(DAYS);
    let cancel = crate::io::signals::cancel()?;
    if args.launched {
        launch::cancel_with_launcher(&cancel)?;
    }
    Ok(Member { addresses, process, wait, cancel })
}

fn failure(error: ClusterError) -> Failure {
    let exit = match &error {
        ClusterError::Stopped(Limit::Interrupted) => Exit::Interrupted,
        ClusterError::Stopped(_) => Exit::Limit,
        error if error.may_pass() => Exit::File,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

fn threads(args: &RunArgs) -> usize {
    args.threads.map_or_else(npuzzle::tables::n_cores, usize::from)
}

fn counting(space: &SpaceArgs, work: &WorkArgs) -> Result<CensusJob, Failure> {
    let taker = new_taker(Some(space.size), &space.goal, space.metric)?;
    let memory = space.memory.at().unwrap_or(4 << 30);
    Ok(CensusJob { taker, folder: work.folder.clone(), memory, keeps_all: false })
}

/// Only the first process shows how it goes.
fn count_progress(member: &Member, args: &RunArgs, counting: &CensusJob) -> CountProgress {
    let quiet = args.quiet || member.process > 0;
    let Census { depth, .. } = counting.taker;
    CountProgress::new(member.cancel.clone(), quiet, counting.taker.n_boards(), depth)
}

/// The same for what is done item by item.
fn share_progress(member: &Member, run: &RunArgs, what: impl ToString) -> Box<dyn Watch + Send> {
    let cancel = member.cancel.clone();
    if run.quiet || member.process > 0 {
        return Box::new(cancel);
    }
    Box::new(BuildProgress::new(cancel, what))
}

/// Has the first process give the answer, while all are still there: nobody removes anything that
/// it was made from unless it was given.
fn answer(
    mesh: &mut Mesh,
    give: Option<impl FnOnce() -> Result<(), Failure>>,
) -> Result<Result<(), Failure>, ClusterError> {
    let given = give.map(|give| give());
    let is_given = match &given {
        Some(Err(failure)) => failure.is_closed_pipe(),
        _ => true,
    };
    if mesh.has_first_done(is_given)? {
        return Ok(Ok(()));
    }
    Ok(given.unwrap_or_else(|| Err(failure(ClusterError::Unwritten))))
}

/// The first process opens its output before any work: a bad path is told at once.
fn first_output(member: &Member, path: Option<&Path>) -> Result<Option<Output>, Failure> {
    (member.process == 0).then(|| Output::open(path)).transpose()
}

fn run_census(member: &Member, run: &RunArgs, args: &ClusterCensusArgs) -> Result<Exit, Failure> {
    let mut counting = counting(&args.space, &args.work)?;
    counting.taker.depth = args.depth;
    counting.taker.antipodes = args.antipodes;
    let output = first_output(member, args.out.as_deref())?;
    let mut progress = count_progress(member, run, &counting);
    let (about, job, form, quiet) = (counting.about(), counting.clone(), args.output(), run.quiet);
    let counted = member.run(&about, move |mesh| {
        let (census, traffic) = census(mesh, &job, &mut progress)?;
        drop(progress);
        let give = output.map(|output| {
            || {
                output.write_all(counts::text(form, &job.taker, &census)?.as_bytes())?;
                if !quiet {
                    let sent = units::size(traffic.n_bytes());
                    exit::tell(format!("process 0 has sent {sent} to others"));
                }
                Ok(())
            }
        });
        let given = answer(mesh, give)?;
        Ok(given.map(|()| census.is_complete))
    });
    let is_whole = counted.map_err(failure)??;
    if is_whole && !args.work.keep {
        counting.remove(member.process);
    }
    Ok(Exit::Yes)
}

fn run_table(member: &Member, run: &RunArgs, args: &ClusterTablesArgs) -> Result<Exit, Failure> {
    if patterns::are_meant(args) {
        return patterns::run(member, run, args);
    }
    let (tabulating, recipe) = tabulating(args)?;
    let store = store(member, args)?;
    let counting = tabulating.counting.clone();
    let mut progress = count_progress(member, run, &counting);
    let built = member.run(&tabulating.about(), move |mesh| {
        let built = table(mesh, &tabulating, &mut progress)?;
        drop(progress);
        answer(mesh, built.map(|table| move || keep(&store, &recipe, table.bytes())))
    });
    built.map_err(failure)??;
    if !args.work.keep {
        counting.remove(member.process);
    }
    Ok(Exit::Yes)
}

fn tabulating(args: &ClusterTablesArgs) -> Result<(TableJob, TableSpec), Failure> {
    let tabulating = TableJob::new(counting(&args.space, &args.work)?);
    let recipe = tabulating.as_ref().and_then(TableJob::recipe);
    tabulating.zip(recipe).ok_or_else(|| Failure::usage("no such table"))
}

/// Where the first process puts a table; that it cannot is told before any work.
fn store(member: &Member, args: &ClusterTablesArgs) -> Result<Store, Failure> {
    let store = args.cache.store();
    if member.process == 0 {
        if store.folder().is_none() {
            let words = "there is no folder for tables: name one by --cache";
            return Err(Failure::usage(words).with_exit(Exit::File));
        }
        store.prepare().map_err(|error| Failure::usage(error).with_exit(Exit::File))?;
    }
    Ok(store)
}

/// Puts a table into the store, and says so.
fn keep(store: &Store, recipe: &TableSpec, bytes: &[u8]) -> Result<(), Failure> {
    let name = recipe.name();
    let got = store.get_or_build(name, bytes.len(), &mut (), |_| Ok(bytes.to_vec()));
    let got = got.map_err(|limit| Failure::usage(limit).with_exit(Exit::Limit))?;
    for warning in got.warnings {
        if let StoreWarning::NotKept(error) = &warning {
            return Err(Failure::io(name, error));
        }
        exit::complain(format!("warning: {warning}"));
    }
    if *got.bytes != *bytes {
        return Err(Failure::usage(format!("{name}: the table that was there is another one")));
    }
    let path = store.path(name).map(|path| path.display().to_string()).unwrap_or_default();
    let text = format!("{name} {} {path}\n", units::size(bytes.len() as u64));
    Output::open(None)?.write(text.as_bytes())
}

fn run_batch(member: &Member, run: &RunArgs, args: &ClusterBatchArgs) -> Result<Exit, Failure> {
    let boards = boards::read(&args.inputs, args.format, args.goal.as_ref())?;
    let file = args.work.folder.join("answers");
    let output = first_output(member, args.out.as_deref())?;
    let job = Batch {
        boards,
        options: Options {
            metric: args.metric,
            tables: args.tables,
            threads: std::num::NonZeroUsize::new(1),
            limits: Limits { time: args.time.at(), memory: args.memory.at(), nodes: None },
            ..Options::default()
        },
        notation: npuzzle::Notation::Tile,
        threads: threads(run),
        store: args.cache.store(),
        file: file.clone(),
    };
    let (about, mut watch) = (job.about(), share_progress(member, run, "boards answered"));
    let answers = member.run(&about, move |mesh| batch(mesh, &job, &mut *watch));
    if let (Some(answers), Some(mut output)) = (answers.map_err(failure)?, output) {
        let mut exit = Exit::Yes;
        for answer in answers {
            exit = exit.worse(exit_of(&answer));
            output.write((answer + "\n").as_bytes())?;
        }
        output.finish()?;
        remove(&file, &args.work);
        return Ok(exit);
    }
    Ok(Exit::Yes)
}

/// How it went, from the record of a board.
fn exit_of(answer: &str) -> Exit {
    #[derive(serde::Deserialize)]
    struct Answer {
        status: String,
    }
    match serde_json::from_str::<Answer>(answer).as_ref().map(|answer| answer.status.as_str()) {
        Ok("solved") => Exit::Yes,
        Ok("unsolvable") => Exit::No,
        Ok("limit") => Exit::Limit,
        _ => Exit::Usage,
    }
}

fn remove(file: &Path, work: &WorkArgs) {
    if !work.keep {
        let _ = std::fs::remove_file(file);
        let _ = std::fs::remove_dir(&work.folder);
    }
}

/// The board to be solved, and where it was read.
fn one_board(args: &ClusterSolveArgs) -> Result<(Instance, Place, usize), Failure> {
    let boards = boards::read(std::slice::from_ref(&args.input), None, args.goal.as_ref())?;
    let [board] = &boards[..] else { return Err(Failure::usage("one board is needed")) };
    let instance = board.board.clone().map_err(Failure::usage)?;
    Ok((instance, Place { number: 1, source: board.source.clone() }, board.line))
}

fn run_solve(member: &Member, run: &RunArgs, args: &ClusterSolveArgs) -> Result<Exit, Failure> {
    let (instance, place, line) = one_board(args)?;
    let output = first_output(member, args.out.as_deref())?;
    let give = |report: Report| {
        let Some(mut output) = output else { return Ok(()) };
        let shown = Shown {
            notation: npuzzle::Notation::Tile,
            quiet: false,
            is_batch: false,
            counts_all: false,
        };
        let item = Item::Report { place, line, report: Box::new(report), limits: Limits::NONE };
        Form::new(args.output(), shown).write(&item, &mut output)?;
        output.finish()
    };
    if !instance.is_solvable() {
        give(Options::default().solve(&instance).map_err(Failure::usage)?)?;
        return Ok(Exit::No);
    }
    let (threads, journal) = (threads(run), args.work.folder.join("journal"));
    let options = Options {
        tables: args.tables,
        threads: run.threads,
        limits: Limits::NONE,
        ..Options::default()
    };
    let store = args.cache.store();
    let job = SolveJob { instance, options, threads, store, journal: journal.clone() };
    let quiet = run.quiet || member.process > 0;
    let mut progress = Progress::new(member.cancel.clone(), quiet, 1);
    let about = job.about();
    let report =
        member.run(&about, move |mesh| solve(mesh, &job, &mut progress)).map_err(failure)?;
    give(report)?;
    if member.process == 0 {
        remove(&journal, &args.work);
    }
    Ok(Exit::Yes)
}
