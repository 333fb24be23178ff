//! `npuzzle census`: the number of boards at each distance from the goal.

mod chart;
mod table;

use npuzzle::search::Clock;
use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::{Census, CensusResult};
use npuzzle::{Dims, Metric};

use crate::args::{CensusArgs, OutputFormat, SizedGoalArg};
use crate::exit::{Exit, Failure};
use crate::io::output::{self, Output};
use crate::io::{signals, units};
use crate::messages;
use crate::report;
use crate::report::progress::CensusProgress;

pub(crate) fn run(args: &CensusArgs) -> Result<Exit, Failure> {
    let resume = args.resume.as_ref();
    let mut folder = resume.map(|path| CensusFolder::open(path)).transpose().map_err(failure)?;
    let census = configured(args, folder.as_ref())?;
    let cancel = signals::cancel()?;
    // A file that cannot be written is reported before hours of counting.
    let [out, chart] = output::open_all([args.output.file.path(), args.chart.chart.as_deref()])?;
    let result = count(args, &census, folder.as_mut(), cancel)?;
    let text = census_text(args.output.format(), &census, &result)?;
    out.map_or_else(|| Output::open(None), Ok)?.write_all(text.as_bytes())?;
    if let Some(chart) = chart {
        chart.write_all(chart::draw(&census, &result).as_bytes())?;
    }
    if result.is_complete && !args.keep {
        match (folder, &args.on_disk) {
            (Some(folder), _) => folder.remove(),
            (None, Some(path)) => CensusFolder::open(path).map_err(failure)?.remove(),
            (None, None) => {}
        }
    }
    let Some(limit) = result.stopped else { return Ok(Exit::Yes) };
    if let Some(path) = args.resume.as_ref().or(args.on_disk.as_ref()) {
        let (reason, path) = (report::limit_reached(limit), path.display());
        let command = format!("npuzzle census --resume {path}");
        messages::error(format!("{reason}; continue with {command}"));
    }
    Ok(limit.into())
}

/// The census that the flags or the folder describe.
fn configured(args: &CensusArgs, folder: Option<&CensusFolder>) -> Result<Census, Failure> {
    let mut census = match (folder, args.size) {
        (Some(folder), _) => Census::from_folder(folder).ok_or_else(|| {
            Failure::usage(format!("not a census that can be resumed: {}", folder.about()))
        })?,
        (None, Some(size)) => new_census(size, &args.goal, args.metric.metric)?,
        (None, None) => return Err(Failure::usage("a size is required")),
    };
    census.threads = args.threads.threads;
    census.memory = args.memory.memory;
    census.depth = args.scope.depth.or(census.depth);
    census.antipodes = args.scope.antipodes;
    Ok(census)
}

/// A census of the boards of a size.
pub(super) fn new_census(
    size: Dims,
    goal: &SizedGoalArg,
    metric: Metric,
) -> Result<Census, Failure> {
    Census::new(goal.board(size)?, metric).ok_or_else(|| {
        let max_cells = Census::MAX_CELLS;
        Failure::usage(format!("{size}: a census works up to {max_cells} cells"))
    })
}

fn count(
    args: &CensusArgs,
    census: &Census,
    folder: Option<&mut CensusFolder>,
    cancel: npuzzle::Cancel,
) -> Result<CensusResult, Failure> {
    let mut progress =
        CensusProgress::new(cancel, args.quiet.quiet, census.n_boards(), census.depth);
    let mut clock = Clock::start(args.time.time, &mut progress);
    let result = match (folder, &args.on_disk) {
        (Some(folder), _) => census.continue_in(folder, &mut clock),
        (None, Some(path)) => census.count_in(path, &mut clock),
        (None, None) if census.fits_in_memory() => Ok(census.count(&mut clock)),
        (None, None) => return Err(too_large(census)),
    };
    result.map_err(failure)
}

fn too_large(census: &Census) -> Failure {
    let reason = match census.bytes_in_memory() {
        Some(n_bytes) => format!("takes {} of memory, more than --memory", units::size(n_bytes)),
        None => "of boards of more than 12 cells is taken on disk".to_owned(),
    };
    Failure::usage(format!("a census {reason}: name a folder with --on-disk"))
}

fn failure(error: CensusError) -> Failure {
    let exit = match &error {
        CensusError::Io { .. } => Exit::File,
        CensusError::Stopped(limit) => (*limit).into(),
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// The result in an output format.
pub(super) fn census_text(
    format: OutputFormat,
    census: &Census,
    result: &CensusResult,
) -> Result<String, Failure> {
    match format {
        OutputFormat::Text => Ok(table::text(census, result)),
        OutputFormat::Json => table::json(census, result),
        OutputFormat::Csv => Ok(table::csv(result)),
    }
}
