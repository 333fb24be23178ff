//! One way to solve boards, timed, with the answers compared to what is known.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use npuzzle::tables::Store;
use npuzzle::{Goal, Instance, Limits, Options, Report, TableSize, Tables};
use npuzzle_testkit::data::Known;

/// Options, and the tables that they let grow.
pub(crate) struct Solving {
    pub(crate) options: Options,
    pub(crate) tables: Tables,
}

/// What many boards took.
pub(crate) struct Solved {
    pub(crate) reports: Vec<Report>,
    pub(crate) time: Duration,
}

impl Solving {
    /// With the tables that are part of the program; 0 threads are as many as there are cores.
    pub(crate) fn embedded(threads: usize) -> Solving {
        Solving::new(TableSize::Small, threads, Tables::new())
    }

    /// With large tables, kept in a folder.
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

    /// The same tables on another number of threads.
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

    /// The fastest of three times [`all`](Solving::all).
    pub(crate) fn best_of_three(&mut self, boards: &[Known], goal: &Goal) -> Solved {
        let solved = [(); 3].map(|()| self.all(boards, goal));
        assert!(solved.iter().all(|one| one.generated() == solved[0].generated()));
        solved.into_iter().min_by_key(|one| one.time).expect("three")
    }

    /// Solves boards one after the other.
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

    /// The report of the board that half of the others took fewer nodes than; times would make it
    /// another board in every run.
    pub(crate) fn median(&self) -> &Report {
        let mut reports: Vec<&Report> = self.reports.iter().collect();
        reports.sort_by_key(|report| report.stats.generated);
        reports[reports.len() / 2]
    }

    /// The report that took longest.
    pub(crate) fn longest(&self) -> &Report {
        self.reports.iter().max_by_key(|report| report.time).expect("some boards")
    }
}

pub(crate) fn instance(known: &Known, goal: &Goal) -> Instance {
    Instance::new(known.board.clone(), goal).expect("goals by name fit")
}

/// `1 thread`, `2 threads`, `all cores`.
pub(crate) fn threads_name(threads: usize) -> String {
    match threads {
        0 => "all cores".to_owned(),
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}
