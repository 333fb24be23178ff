//! `npuzzle cluster tables` for boards of 13 to 25 cells: large pattern databases, whose patterns are
//! distributed over the processes.

use npuzzle::Metric;
use npuzzle_cluster::{Member, PdbJob, patterns};

use super::tables::{open_store, store_table};
use super::{failure, share_progress, write_answer};
use crate::args::{ClusterTablesArgs, ProcessArgs};
use crate::exit::{Exit, Failure};

pub(super) fn run(
    member: &Member,
    processes: &ProcessArgs,
    args: &ClusterTablesArgs,
) -> Result<Exit, Failure> {
    let job = job(args, processes.threads.count())?;
    let store = open_store(member, args)?;
    let mut watch = share_progress(member, processes, job.table_spec().name());
    let (about, work) = (job.about(), job.clone());
    let built = member.run(&about, move |exchange| {
        let built = patterns(exchange, &job, &mut *watch)?;
        drop(watch);
        write_answer(
            exchange,
            built.map(|bytes| move || store_table(&store, job.table_spec(), &bytes)),
        )
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
