//! Time limits: searches and audits that would take longer than a second, with a limit of one second.

use std::time::{Duration, Instant};

use npuzzle::teaching::Auditor;
use npuzzle::{
    Algorithm, Goal, HeuristicChoice, HeuristicKind, Instance, Limit, Limits, Metric, Options,
    Random, TableSize, Tables,
};
use npuzzle_testkit::dims;

use crate::table::{Row, Table};

const TIME: Duration = Duration::from_secs(1);

pub(crate) fn run(table: &mut Table) {
    table.part("time limits: time taken, relative to a limit of 1 s");
    for (name, size, options) in cases() {
        let goal = Goal::Last.board(dims(size)).expect("named goals fit every size");
        let instance: Instance = Random::new(4).instance(&goal, true);
        let options = Options { limits: Limits { time: Some(TIME), ..Limits::NONE }, ..options };
        let start = Instant::now();
        let report = options.solve_with(&instance, &mut Tables::new(), &mut ());
        let (took, report) = (start.elapsed(), report.expect("valid options"));
        let row = Row::ratio(format!("{name}, {size}"), took, TIME).at_most(1.1);
        table.add(row.nodes(report.stats.expanded));
    }
    for (name, size) in [("manhattan", "6x6"), ("max(linear-conflict,inversion)", "127x127")] {
        let goal = Goal::Last.board(dims(size)).expect("named goals fit every size");
        let options =
            Options { limits: Limits { time: Some(TIME), ..Limits::NONE }, ..Options::default() };
        let auditor = Auditor { samples: Some(u64::MAX), options, ..Auditor::new(goal) };
        let start = Instant::now();
        let audit = auditor.audit(name.parse().expect("a heuristic"), &mut Tables::new(), &mut ());
        let (took, audit) = (start.elapsed(), audit.expect("a heuristic for any size"));
        assert_eq!(audit.stopped, Some(Limit::Time), "{name} {size}");
        let row = Row::ratio(format!("audit of {name}, {size}"), took, TIME).at_most(1.1);
        table.add(row.nodes(audit.n_boards));
    }
}

/// The names, sizes and options of the searches.
fn cases() -> Vec<(&'static str, &'static str, Options)> {
    let by = |algorithm| Options { algorithm, optimal: true, ..Options::default() };
    let one = |estimate| HeuristicChoice::One(estimate);
    let large = TableSize::Large;
    vec![
        ("astar", "5x5", by(Algorithm::Astar)),
        ("astar", "127x127", by(Algorithm::Astar)),
        ("wastar", "127x127", Options { algorithm: Algorithm::Wastar, ..Options::default() }),
        ("greedy", "127x127", Options { algorithm: Algorithm::Greedy, ..Options::default() }),
        ("uniform", "127x127", by(Algorithm::Uniform)),
        ("bfs", "4x4", by(Algorithm::Bfs)),
        ("bfs", "127x127", by(Algorithm::Bfs)),
        ("bidirectional", "5x5", by(Algorithm::Bidirectional)),
        ("bidirectional", "127x127", by(Algorithm::Bidirectional)),
        (
            "ida with manhattan",
            "5x5",
            Options { heuristic: one(HeuristicKind::Manhattan), ..by(Algorithm::Ida) },
        ),
        ("ida with patterns", "5x5", by(Algorithm::Ida)),
        ("ida", "127x127", by(Algorithm::Ida)),
        (
            "ida, multi-tile metric",
            "127x127",
            Options { metric: Metric::Mtm, ..by(Algorithm::Ida) },
        ),
        ("ida, building large tables", "5x5", Options { tables: large, ..by(Algorithm::Ida) }),
        (
            "auto, multi-tile metric",
            "4x4",
            Options { metric: Metric::Mtm, tables: large, ..Options::default() },
        ),
        ("all solutions", "4x5", Options { all: Some(100), optimal: true, ..Options::default() }),
        ("beam", "9x9", Options { algorithm: Algorithm::Beam, ..Options::default() }),
        ("auto", "6x6", Options::default()),
        ("auto", "16x16", Options::default()),
        ("auto", "40x40", Options::default()),
        ("construct", "127x127", Options { algorithm: Algorithm::Construct, ..Options::default() }),
        ("auto", "127x127", Options::default()),
    ]
}
