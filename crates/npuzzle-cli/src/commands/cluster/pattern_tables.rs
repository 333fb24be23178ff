//! `npuzzle cluster tables` for boards of 13 to 25 cells: large pattern databases, whose patterns are
//! distributed over the processes.

use npuzzle::Metric;
use npuzzle_cluster::{Member, PdbJob, PdbTable, patterns};

use super::tables::{open_store, store_table};
use super::{failure, share_progress, write_answer};
use crate::args::{ClusterTablesArgs, ProcessArgs};
use crate::exit::{Exit, Failure};
use crate::io::output::Output;

pub(super) fn run(
    member: &Member,
    processes: &ProcessArgs,
    args: &ClusterTablesArgs,
) -> Result<Exit, Failure> {
    let job = job(args, processes.threads.count())?;
    let store = open_store(member, args)?;
    let name = format!("large tables of {}", args.space.size);
    let mut watch = share_progress(member, processes, name);
    let (about, work, mut cancel) = (job.about(), job.clone(), member.cancel.clone());
    let built = member.run(&about, move |exchange| {
        patterns(exchange, &job, &mut *watch)?;
        drop(watch);
        // One table after the other, because all of them may not fit into the memory. All are stored before the
        // first line is printed, because the reader of stdout may have ended.
        let store_all = || {
            let store_one = |table: &PdbTable| {
                let bytes = job.concatenate(table, &mut cancel).map_err(failure)?;
                store_table(&store, table.spec(), &bytes)
            };
            let lines = job.tables().iter().map(store_one).collect::<Result<String, Failure>>()?;
            Output::open(None)?.write(lines.as_bytes())
        };
        let is_first = exchange.process() == 0;
        write_answer(exchange, is_first.then_some(store_all))
    });
    built.map_err(failure)??;
    if !args.work.keep && member.process == 0 {
        work.remove();
    }
    Ok(Exit::Yes)
}

pub(super) fn job(args: &ClusterTablesArgs, threads: usize) -> Result<PdbJob, Failure> {
    let goal = args.space.goal.board(args.space.size)?;
    let job = PdbJob::new(&goal, args.work.folder.clone(), threads);
    job.filter(|_| args.space.metric.metric == Metric::Stm).ok_or_else(|| {
        Failure::usage(
            "there are tables of all distances for boards of up to 12 cells, and large pattern \
             databases (--metric stm) for boards of 13 to 25",
        )
    })
}
