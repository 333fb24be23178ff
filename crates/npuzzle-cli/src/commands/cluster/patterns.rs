//! Large pattern databases, whose patterns are dealt out.

use npuzzle::Metric;
use npuzzle::tables::FullTable;
use npuzzle_cluster::{Member, PdbJob, patterns};

use super::{answer, failure, keep, share_progress, store, threads};
use crate::args::{ClusterTablesArgs, RunArgs};
use crate::exit::{Exit, Failure};

/// Whether these are meant, or a table of all distances.
pub(super) fn are_meant(args: &ClusterTablesArgs) -> bool {
    args.space.size.cells() > FullTable::MAX_CELLS
}

/// What is asked for, if it can be.
pub(super) fn job(args: &ClusterTablesArgs, threads: usize) -> Result<PdbJob, Failure> {
    let size = args.space.size;
    let goal = args.space.goal.board(size);
    let goal =
        goal.ok_or_else(|| Failure::usage(format!("the goal is of another size than {size}")))?;
    let job = PdbJob::new(&goal, args.work.folder.clone(), threads);
    job.filter(|_| args.space.metric == Metric::Stm).ok_or_else(|| {
        Failure::usage(
            "there are tables of all distances for boards of up to 12 cells, and large pattern \
             databases (--metric stm) for boards of 13 to 25",
        )
    })
}

pub(super) fn run(
    member: &Member,
    run: &RunArgs,
    args: &ClusterTablesArgs,
) -> Result<Exit, Failure> {
    let job = job(args, threads(run))?;
    let store = store(member, args)?;
    let mut watch = share_progress(member, run, job.recipe().name());
    let (about, left) = (job.about(), job.clone());
    let built = member.run(&about, move |mesh| {
        let built = patterns(mesh, &job, &mut *watch)?;
        drop(watch);
        answer(mesh, built.map(|bytes| move || keep(&store, job.recipe(), &bytes)))
    });
    built.map_err(failure)??;
    if !args.work.keep && member.process == 0 {
        left.remove();
    }
    Ok(Exit::Yes)
}
