//! `npuzzle cluster tables` for boards of up to 12 cells: the table of all distances.

use npuzzle::tables::{Store, StoreWarning, TableSpec};
use npuzzle_cluster::{Member, TableJob, table};

use super::{census_job, census_progress, failure, write_answer};
use crate::args::{ClusterTablesArgs, ProcessArgs};
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::io::units;
use crate::messages;

pub(super) fn run(
    member: &Member,
    processes: &ProcessArgs,
    args: &ClusterTablesArgs,
) -> Result<Exit, Failure> {
    let (job, spec) = job(args)?;
    let store = open_store(member, args)?;
    let counting = job.census.clone();
    let mut progress = census_progress(member, processes, &counting);
    let built = member.run(&job.about(), move |exchange| {
        let built = table(exchange, &job, &mut progress)?;
        drop(progress);
        let print = |line: String| Output::open(None)?.write(line.as_bytes());
        let write =
            built.map(|table| move || store_table(&store, &spec, table.bytes()).and_then(print));
        write_answer(exchange, write)
    });
    built.map_err(failure)??;
    if !args.work.keep {
        counting.remove(member.process);
    }
    Ok(Exit::Yes)
}

pub(super) fn job(args: &ClusterTablesArgs) -> Result<(TableJob, TableSpec), Failure> {
    let job = TableJob::new(census_job(&args.space, &args.work)?);
    let spec = job.as_ref().and_then(TableJob::table_spec);
    job.zip(spec).ok_or_else(|| Failure::usage("there is no such table"))
}

/// The store of process 0. If it cannot be written, that is reported before the work starts.
pub(super) fn open_store(member: &Member, args: &ClusterTablesArgs) -> Result<Store, Failure> {
    let store = args.cache.store();
    if member.process == 0 {
        if store.folder().is_none() {
            let message = "no folder for tables: name one with --cache";
            return Err(Failure::usage(message).with_exit(Exit::File));
        }
        store.prepare().map_err(|error| Failure::usage(error).with_exit(Exit::File))?;
    }
    Ok(store)
}

/// Stores a table. Returns a line with its name, size and path.
pub(super) fn store_table(
    store: &Store,
    spec: &TableSpec,
    bytes: &[u8],
) -> Result<String, Failure> {
    let name = spec.name();
    let stored = store.get_or_build(name, bytes.len(), &mut (), |_| Ok(bytes.to_vec()));
    let stored = stored.map_err(|limit| Failure::usage(limit).with_exit(Exit::Limit))?;
    for warning in stored.warnings {
        if let StoreWarning::NotKept(error) = &warning {
            return Err(Failure::io(name, error));
        }
        messages::warning(warning);
    }
    if *stored.bytes != *bytes {
        let message = format!("{name}: a different table with this name is already stored");
        return Err(Failure::usage(message));
    }
    let path = store.path(name).map(|path| path.display().to_string()).unwrap_or_default();
    Ok(format!("{name} {} {path}\n", units::size(bytes.len() as u64)))
}
