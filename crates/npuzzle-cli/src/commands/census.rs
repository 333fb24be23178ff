//! `npuzzle census`: how many boards there are at each distance from the goal.

mod chart;
mod table;

use npuzzle::search::Clock;
use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::{Census, CensusResult};
use npuzzle::{Board, Dims, Goal, Limit, Metric};

use crate::args::{CensusArgs, OutputArg};
use crate::exit::{self, Exit, Failure};
use crate::io::output::{self, Output};
use crate::io::units;
use crate::report::progress::CountProgress;

pub(crate) fn run(args: &CensusArgs) -> Result<Exit, Failure> {
    let mut folder = match &args.resume {
        Some(path) => Some(CensusFolder::open(path).map_err(failure)?),
        None => None,
    };
    let mut taker = match (&folder, args.size) {
        (Some(folder), _) => Census::from_folder(folder).ok_or_else(|| {
            Failure::usage(format!("what is counted there is not known: {}", folder.about()))
        })?,
        (None, size) => new_taker(size, &args.goal, args.metric)?,
    };
    taker.threads = args.threads;
    taker.memory = args.memory.at();
    taker.depth = args.depth;
    taker.antipodes = args.antipodes;
    let cancel = crate::io::signals::cancel()?;
    // Better now than after hours of counting.
    let [out, chart] = output::open_all([args.out.as_deref(), args.chart.as_deref()])?;
    let mut progress = CountProgress::new(cancel, args.quiet, taker.n_boards(), taker.depth);
    let mut clock = Clock::start(args.time.at(), &mut progress);
    let census = match (&mut folder, &args.on_disk) {
        (Some(folder), _) => taker.continue_in(folder, &mut clock),
        (None, Some(path)) => taker.count_in(path, &mut clock),
        (None, None) if taker.fits_in_memory() => Ok(taker.count(&mut clock)),
        (None, None) => return Err(too_large(&taker)),
    };
    drop(progress);
    let census = census.map_err(failure)?;
    let text = text(args.output(), &taker, &census)?;
    out.map_or_else(|| Output::open(None), Ok)?.write_all(text.as_bytes())?;
    if let Some(chart) = chart {
        chart.write_all(chart::draw(&taker, &census).as_bytes())?;
    }
    let is_left = args.keep || !census.is_complete;
    match (folder, &args.on_disk) {
        (Some(folder), _) if !is_left => folder.remove(),
        (None, Some(path)) if !is_left => CensusFolder::open(path).map_err(failure)?.remove(),
        _ => {}
    }
    if let (Some(limit), Some(path)) =
        (census.stopped, args.resume.as_ref().or(args.on_disk.as_ref()))
    {
        let path = path.display();
        exit::complain(format!(
            "stopped: {limit}; npuzzle census --resume {path} goes on from here"
        ));
    }
    Ok(match census.stopped {
        None => Exit::Yes,
        Some(Limit::Interrupted) => Exit::Interrupted,
        Some(_) => Exit::Limit,
    })
}

/// A census of boards of this size, if there can be one.
pub(crate) fn new_taker(
    size: Option<Dims>,
    goal: &Goal,
    metric: Metric,
) -> Result<Census, Failure> {
    let Some(size) = size else { return Err(Failure::usage("a size is needed")) };
    let goal: Board = goal
        .board(size)
        .ok_or_else(|| Failure::usage(format!("the goal is of another size than {size}")))?;
    Census::new(goal, metric).ok_or_else(|| {
        let most = Census::MAX_CELLS;
        Failure::usage(format!(
            "boards of more than {most} cells are too many to be counted: {size}"
        ))
    })
}

fn too_large(taker: &Census) -> Failure {
    let n_boards = taker.n_boards();
    let why = match taker.bytes_in_memory() {
        Some(n_bytes) => format!("take {} of memory, more than --memory", units::size(n_bytes)),
        None => "are counted in files".to_owned(),
    };
    Failure::usage(format!("{n_boards} boards {why}: name a folder with --on-disk"))
}

pub(crate) fn failure(error: CensusError) -> Failure {
    let exit = match &error {
        CensusError::Io { .. } => Exit::File,
        CensusError::Stopped(Limit::Interrupted) => Exit::Interrupted,
        CensusError::Stopped(_) => Exit::Limit,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// A census in some form.
pub(crate) fn text(
    form: OutputArg,
    taker: &Census,
    census: &CensusResult,
) -> Result<String, Failure> {
    match form {
        OutputArg::Text => Ok(table::text(taker, census)),
        OutputArg::Json => table::json(taker, census),
        OutputArg::Csv => Ok(table::csv(census)),
    }
}
