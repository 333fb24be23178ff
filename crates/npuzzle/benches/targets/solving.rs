//! Solves boards, measures the time, and compares the results with the known ones.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use npuzzle::tables::Store;
use npuzzle::{Goal, Instance, Limits, Options, Report, TableSize, Tables};
use npuzzle_testkit::data::Known;

/// Options together with the tables built so far.
pub(crate) struct Solving {
    pub(crate) options: Options,
    pub(crate) tables: Tables,
}

/// The results of several boards.
pub(crate) struct Solved {
    pub(crate) reports: Vec<Report>,
    pub(crate) time: Duration,
}

impl Solving {
    /// Uses the embedded tables. 0 threads stand for all cores.
    pub(crate) fn embedded(threads: usize) -> Solving {
        Solving::new(TableSize::Small, threads, Tables::new())
    }

    /// Uses large tables, stored in a folder.
    pub(crate) fn large(folder: &Path, threads: usize) -> Solving {
        Solving::new(TableSize::Large, threads, Tables::with_store(Store::at(folder)))
    }

    fn new(size: TableSize, threads: usize, tables: Tables) -> Solving {
        let options = Options {
            limits: Limits::NONE,
            tables: size,
            optimal: true,
            threads: NonZeroUsize::new(threads),
            ..Options::default()
        };
        Solving { options, tables }
    }

    /// Returns the same tables with another number of threads.
    pub(crate) fn on(&self, threads: usize) -> Solving {
        let threads = NonZeroUsize::new(threads);
        Solving {
            options: Options { threads, ..self.options.clone() },
            tables: self.tables.clone(),
        }
    }

    pub(crate) fn solve(&mut self, instance: &Instance) -> Report {
        let report = self.options.solve_with(instance, &mut self.tables, &mut ());
        report.expect("the options suit the board")
    }

    /// Returns the fastest of three runs of [`all`](Solving::all).
    pub(crate) fn best_of_three(&mut self, boards: &[Known], goal: &Goal) -> Solved {
        let solved = [(); 3].map(|()| self.all(boards, goal));
        assert!(solved.iter().all(|one| one.generated() == solved[0].generated()));
        solved.into_iter().min_by_key(|one| one.time).expect("three")
    }

    /// Solves boards one by one.
    pub(crate) fn all(&mut self, boards: &[Known], goal: &Goal) -> Solved {
        let start = Instant::now();
        let reports = boards.iter().map(|known| {
            let report = self.solve(&instance(known, goal));
            assert_eq!(report.upper_bound(), known.optimal, "{}", known.name);
            assert!(report.is_optimal(), "{}", known.name);
            report
        });
        Solved { reports: reports.collect(), time: start.elapsed() }
    }
}

impl Solved {
    pub(crate) fn generated(&self) -> u64 {
        self.reports.iter().map(|report| report.stats.generated).sum()
    }

    /// Returns the report of the board with the median node count. The median time would be that of
    /// another board in every run.
    pub(crate) fn median(&self) -> &Report {
        let mut reports: Vec<&Report> = self.reports.iter().collect();
        reports.sort_by_key(|report| report.stats.generated);
        reports[reports.len() / 2]
    }

    /// Returns the report with the longest time.
    pub(crate) fn longest(&self) -> &Report {
        self.reports.iter().max_by_key(|report| report.time).expect("some boards")
    }
}

pub(crate) fn instance(known: &Known, goal: &Goal) -> Instance {
    Instance::new(known.board.clone(), goal).expect("goals by name fit")
}

/// Returns `1 thread`, `2 threads` or `all cores`.
pub(crate) fn threads_name(threads: usize) -> String {
    match threads {
        0 => "all cores".to_owned(),
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}
