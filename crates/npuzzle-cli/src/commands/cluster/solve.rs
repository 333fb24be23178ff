//! `npuzzle cluster solve`.

use npuzzle::{Instance, Limits, Notation, Options, Report};
use npuzzle_cluster::{Member, SolveJob, solve};

use super::batch::read_boards;
use super::{failure, open_output, remove_work};
use crate::args::{BoardArgs, ClusterSolveArgs, OutputFormat, ProcessArgs};
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::report::progress::SearchProgress;
use crate::report::{BoardResult, BoardSource, ReportStyle, ReportWriter};

pub(super) fn run(
    member: &Member,
    processes: &ProcessArgs,
    args: &ClusterSolveArgs,
) -> Result<Exit, Failure> {
    let board = read_board(args)?;
    let output = open_output(member, args.output.file.path())?;
    let format = args.output.format();
    if !board.instance.is_solvable() {
        let report = Options::default().solve(&board.instance).map_err(Failure::usage)?;
        write_report(board, report, format, output)?;
        return Ok(Exit::No);
    }
    let journal = args.work.folder.join("journal");
    let job = SolveJob {
        instance: board.instance.clone(),
        options: Options {
            tables: args.tables.tables.unwrap_or_default(),
            threads: processes.threads.threads,
            limits: Limits::NONE,
            ..Options::default()
        },
        threads: processes.threads.count(),
        store: args.cache.store(),
        journal: journal.clone(),
    };
    let quiet = processes.quiet.quiet || member.process > 0;
    let mut progress = SearchProgress::new(member.cancel.clone(), quiet, 1);
    let about = job.about();
    let report = member.run(&about, move |exchange| solve(exchange, &job, &mut progress));
    write_report(board, report.map_err(failure)?, format, output)?;
    if member.process == 0 {
        remove_work(&journal, &args.work);
    }
    Ok(Exit::Yes)
}

/// The board to solve, and where it was read.
pub(super) struct SourcedBoard {
    instance: Instance,
    source: BoardSource,
    line: usize,
}

pub(super) fn read_board(args: &ClusterSolveArgs) -> Result<SourcedBoard, Failure> {
    let read = BoardArgs { format: None, goal: args.goal.clone() };
    let mut boards = read_boards(std::slice::from_ref(&args.input), &read)?;
    let (Some(board), true) = (boards.pop(), boards.is_empty()) else {
        return Err(Failure::usage("exactly one board is required"));
    };
    let instance = board.board.map_err(Failure::usage)?;
    let source = BoardSource { number: 1, name: board.source };
    Ok(SourcedBoard { instance, source, line: board.line })
}

/// Writes the report, in process 0.
fn write_report(
    board: SourcedBoard,
    report: Report,
    format: OutputFormat,
    output: Option<Output>,
) -> Result<(), Failure> {
    let Some(mut output) = output else { return Ok(()) };
    let style =
        ReportStyle { notation: Notation::Tile, quiet: false, is_batch: false, counts_all: false };
    let SourcedBoard { source, line, .. } = board;
    let result =
        BoardResult::Report { source, line, report: Box::new(report), limits: Limits::NONE };
    ReportWriter::new(format, style).write(&result, &mut output)?;
    output.finish()
}
