//! `npuzzle cluster census`.

use npuzzle_cluster::{Member, census};

use super::{census_job, census_progress, failure, open_output, write_answer};
use crate::args::{ClusterCensusArgs, ProcessArgs};
use crate::commands::census::census_text;
use crate::exit::{Exit, Failure};
use crate::io::units;
use crate::messages;

pub(super) fn run(
    member: &Member,
    processes: &ProcessArgs,
    args: &ClusterCensusArgs,
) -> Result<Exit, Failure> {
    let mut job = census_job(&args.space, &args.work)?;
    job.census.depth = args.scope.depth;
    job.census.antipodes = args.scope.antipodes;
    let output = open_output(member, args.output.file.path())?;
    let mut progress = census_progress(member, processes, &job);
    let (format, quiet) = (args.output.format(), processes.quiet.quiet);
    let counting = job.clone();
    let counted = member.run(&job.about(), move |exchange| {
        let (result, traffic) = census(exchange, &counting, &mut progress)?;
        drop(progress);
        let write = output.map(|output| {
            || {
                output.write_all(census_text(format, &counting.census, &result)?.as_bytes())?;
                if !quiet {
                    let sent = units::size(traffic.n_bytes());
                    messages::note(format!("process 0 sent {sent} to the other processes"));
                }
                Ok(())
            }
        });
        Ok(write_answer(exchange, write)?.map(|()| result.is_complete))
    });
    let is_whole = counted.map_err(failure)??;
    if is_whole && !args.work.keep {
        job.remove(member.process);
    }
    Ok(Exit::Yes)
}
