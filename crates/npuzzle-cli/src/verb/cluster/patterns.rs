//! Large pattern databases, whose patterns are dealt out.

use npuzzle_cluster::{Member, Patterning, patterns};

use super::{answer, failure, keep, share_progress, store, threads};
use crate::args::{ClusterTablesArgs, RunArgs};
use crate::exit::{Exit, Failure};

pub(super) fn run(
    member: &Member,
    run: &RunArgs,
    args: &ClusterTablesArgs,
) -> Result<Exit, Failure> {
    let size = args.space.size;
    let goal = args.space.goal.board(size);
    let goal =
        goal.ok_or_else(|| Failure::usage(format!("the goal is of another size than {size}")))?;
    let folder = args.work.folder.clone();
    let job = Patterning::new(&goal, folder, threads(run));
    let Some(job) = job.filter(|_| args.space.metric == npuzzle::Metric::Stm) else {
        return Err(Failure::usage(
            "there are tables of all distances for boards of up to 12 cells, and large pattern \
             databases (--metric stm) for boards of 13 to 25",
        ));
    };
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
