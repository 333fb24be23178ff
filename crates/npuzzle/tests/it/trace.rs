//! Traces of searches, and logs of expanded states.

use npuzzle::search::heuristic::Manhattan;
use npuzzle::search::queue::{BucketQueue, FifoHeap};
use npuzzle::search::{
    BestFirst, DuplicateCheck, Duplicates, Evaluation, Limit, Outcome, Settings, Sliding, Stats,
};
use npuzzle::teaching::{
    GoalTest, LogMatch, LogStep, MismatchReason, NodeOutcome, TieBreak, Trace, TraceAlgorithm,
    TraceEnd, TraceError, TraceNode, Tracer, parse_log,
};
use npuzzle::{
    Algorithm, Answer, Board, HeuristicChoice, HeuristicKind, Instance, Options, Random, Tables,
};
use npuzzle_testkit::{board, dims};

const PUZZLE: &str = "8 1 3/4 0 2/7 6 5";

fn trace(tracer: &Tracer, instance: &Instance) -> Trace {
    tracer.trace(instance, &mut Tables::new(), &mut ()).unwrap()
}

fn tracers() -> Vec<Tracer> {
    let mut tracers = Vec::new();
    use TraceAlgorithm::{Astar, Bfs, Greedy, Uniform, Wastar};
    for algorithm in [Astar, Wastar, Greedy, Uniform] {
        for tie_break in TieBreak::ALL {
            for duplicates in [Duplicates::Closed, Duplicates::Parent, Duplicates::None] {
                let tracer = Tracer::new(algorithm);
                tracers.push(Tracer { tie_break, duplicates, max_steps: 300, ..tracer });
            }
        }
    }
    tracers.push(Tracer { max_steps: 300, ..Tracer::new(Bfs) });
    tracers
}

#[test]
fn open_check_traces_the_search_of_the_engine() {
    let mut random = Random::new(11);
    for _ in 0..10 {
        let goal = board("1 2 3/4 5 0");
        let instance = random.instance(&goal, true);
        let problem = Sliding::<Board>::new(&instance).unwrap();
        let settings =
            |evaluation| Settings { evaluation, check: DuplicateCheck::Open, ..Settings::ASTAR };
        let h = Manhattan::new(&goal);
        let depth_first =
            BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings(Evaluation::Constant));
        let astar =
            BestFirst::<_, _, FifoHeap<_, _>>::new(&problem, &h, settings(Evaluation::AStar));
        let reports = [depth_first.run(&mut (), &mut ()), astar.run(&mut (), &mut ())];
        for (algorithm, report) in
            [TraceAlgorithm::Dfs, TraceAlgorithm::Astar].into_iter().zip(reports)
        {
            let tie_break =
                if algorithm == TraceAlgorithm::Dfs { TieBreak::Lifo } else { TieBreak::Fifo };
            let tracer = Tracer {
                check: DuplicateCheck::Open,
                depth_limit: None,
                max_steps: 10_000,
                tie_break,
                ..Tracer::new(algorithm)
            };
            let trace = trace(&tracer, &instance);
            let counts =
                |stats: Stats| (stats.expanded, stats.generated, stats.enqueued, stats.duplicates);
            assert_eq!(counts(trace.stats), counts(report.stats), "{algorithm} {instance:?}");
            let Outcome::Solved(path) = report.outcome else { panic!("unsolved") };
            assert_eq!(trace.solution().map(|nodes| nodes.len() - 1), Some(path.len()));
        }
    }
}

#[test]
fn every_trace_step_is_a_valid_queue_step() {
    let mut random = Random::new(5);
    let goal = board("1 2 3/4 5 6/7 8 0");
    for tracer in tracers() {
        let start = random.walk(&goal, 12);
        let instance = Instance::new(start, &npuzzle::Goal::Last).unwrap();
        let trace = trace(&tracer, &instance);
        let mut after: Option<Vec<usize>> = None;
        for state in trace.replay() {
            let step = state.step;
            if let Some(after) = after {
                assert_eq!(after, state.before);
            }
            // The node that leaves has the smallest key and is the first of the queue.
            assert_eq!(state.before[0], step.popped, "{tracer:?}");
            let f = trace.nodes[step.popped].f;
            assert!(state.before.iter().all(|&node| trace.nodes[node].f >= f));
            let mut expect: Vec<usize> =
                state.before[1..].iter().chain(&step.pushed).copied().collect();
            let mut found = state.after.clone();
            expect.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expect);
            // Children are one slide from their parent.
            for &child in step.pushed.iter().chain(&step.refused) {
                let (child, parent) = (&trace.nodes[child], &trace.nodes[step.popped]);
                assert_eq!(child.parent, Some(step.popped), "{tracer:?}");
                let mut board = parent.board.clone();
                assert!(board.slide(child.slide.unwrap()));
                assert_eq!((board, child.g), (child.board.clone(), parent.g + 1));
            }
            after = Some(state.after);
        }
        let n_expanded =
            trace.steps.iter().filter(|step| step.outcome == NodeOutcome::Expanded).count();
        assert_eq!(n_expanded as u64, trace.stats.expanded);
        assert_eq!(trace.steps.len() as u64, trace.stats.dequeued);
        if let Some(path) = trace.solution() {
            assert_eq!(trace.end, TraceEnd::Goal);
            let boards: Vec<&Board> = path.iter().map(|&node| &trace.nodes[node].board).collect();
            assert_eq!((boards[0], boards[boards.len() - 1]), (instance.start(), instance.goal()));
            assert!(boards.windows(2).all(|two| two[0].neighbors().any(|board| board == *two[1])));
        }
    }
}

#[test]
fn trace_and_solve_have_the_same_counts() {
    let instance: Instance = PUZZLE.parse().unwrap();
    for algorithm in [Algorithm::Astar, Algorithm::Greedy, Algorithm::Bfs, Algorithm::Uniform] {
        let estimate =
            if algorithm.uses_heuristic() { HeuristicKind::Manhattan } else { HeuristicKind::Zero };
        let heuristic = HeuristicChoice::One(estimate);
        let traced = algorithm.name().parse().unwrap();
        let tracer = Tracer { max_steps: 100_000, ..Tracer::new(traced) };
        let trace = trace(&tracer, &instance);
        let options = Options { algorithm, heuristic, ..Options::default() };
        let report = options.solve(&instance).unwrap();
        assert_eq!(
            (trace.stats.expanded, trace.stats.max_open),
            (report.stats.expanded, report.stats.max_open)
        );
        let Answer::Solved(moves) = &report.answer else { panic!("{algorithm}") };
        assert_eq!(trace.solution().map(|path| path.len()), Some(moves.stm() + 1));
    }
}

fn log_of(trace: &Trace) -> Vec<LogStep> {
    let expanded = trace.steps.iter().filter(|step| step.outcome != NodeOutcome::Duplicate);
    let boards = expanded.map(|step| trace.nodes[step.popped].board.clone());
    (1..).zip(boards).map(|(line, board)| LogStep { line, board }).collect()
}

#[test]
fn log_of_every_tie_break_matches_its_own_search() {
    for start in [PUZZLE, "1 2 3/4 0 5/7 8 6", "1 2 0/4 8 3/7 6 5"] {
        let instance: Instance = start.parse().unwrap();
        for tracer in tracers() {
            let trace = trace(&tracer, &instance);
            let log = log_of(&trace);
            let other = Tracer { tie_break: TieBreak::Fifo, ..tracer.clone() };
            let policy = Some(tracer.duplicates);
            let matched =
                other.match_log(&instance, &log, policy, &mut Tables::new(), &mut ()).unwrap();
            let reaches_goal = trace.end == TraceEnd::Goal;
            let expect = LogMatch { duplicates: tracer.duplicates, reaches_goal };
            assert_eq!(matched, Ok(expect), "{tracer:?}");
            // A log that matches with its policy matches without a given one, too.
            let matched = other.match_log(&instance, &log, None, &mut Tables::new(), &mut ());
            assert!(matched.unwrap().is_ok(), "{tracer:?}");
        }
    }
}

#[test]
fn log_mismatch_reports_the_first_impossible_step() {
    let instance: Instance = PUZZLE.parse().unwrap();
    let tracer = Tracer::new(TraceAlgorithm::Astar);
    let log = log_of(&trace(&tracer, &instance));
    let why = |log: &[LogStep]| {
        let found = tracer.match_log(&instance, log, None, &mut Tables::new(), &mut ()).unwrap();
        found.map_err(|mismatch| (mismatch.step, mismatch.reason))
    };
    assert!(why(&log).is_ok());
    assert!(why(&[]).is_ok());
    let mut wrong = log.clone();
    wrong[0].board = instance.goal().clone();
    assert_eq!(why(&wrong), Err((1, MismatchReason::NotTheStart)));
    let mut wrong = log.clone();
    wrong[5].board = instance.goal().clone();
    assert_eq!(why(&wrong), Err((6, MismatchReason::NotGenerated)));
    // The start again, which only the policy without duplicate detection would expand, but later.
    let mut wrong = log.clone();
    wrong[1].board = instance.start().clone();
    assert_eq!(why(&wrong), Err((2, MismatchReason::AlreadyExpanded)));
    let mut wrong = log.clone();
    let end = wrong[wrong.len() - 1].clone();
    wrong.push(end);
    assert!(log.len() < Tracer::MAX_STEPS);
    assert_eq!(why(&wrong), Err((log.len() + 1, MismatchReason::AfterGoal)));
    // A child with a larger key.
    let trace = trace(&tracer, &instance);
    let min_key = trace.steps[0].pushed.iter().map(|&node| trace.nodes[node].f).min();
    let far = trace.steps[0].pushed.iter().find(|&&node| Some(trace.nodes[node].f) > min_key);
    let mut wrong = log;
    wrong[1].board = trace.nodes[*far.unwrap()].board.clone();
    assert!(matches!(why(&wrong), Err((2, MismatchReason::LargerKey { .. }))));
}

#[test]
fn log_of_bfs_does_not_match_astar() {
    let instance: Instance = PUZZLE.parse().unwrap();
    let log = log_of(&trace(&Tracer::new(TraceAlgorithm::Bfs), &instance));
    let astar = Tracer::new(TraceAlgorithm::Astar);
    let found = astar.match_log(&instance, &log, None, &mut Tables::new(), &mut ()).unwrap();
    let mismatch = found.unwrap_err();
    assert!(mismatch.step <= 10, "{mismatch:?}");
    // The states reported as legal are accepted.
    for (board, _) in &mismatch.legal {
        let mut log = log[..mismatch.step].to_vec();
        log[mismatch.step - 1].board = board.clone();
        let found = astar.match_log(
            &instance,
            &log,
            Some(mismatch.duplicates),
            &mut Tables::new(),
            &mut (),
        );
        assert!(found.unwrap().is_ok(), "{board:?}");
    }
}

#[test]
fn parse_log_finds_boards_in_any_text() {
    let text = "Expanding node 1:\n8 1 3\n4 0 2\n7 6 5\nf = 10\n\nthen\n8 1 3/4 2 0/7 6 5\n";
    let steps = parse_log(text, dims("3x3"));
    let expect = [(2, board(PUZZLE)), (8, board("8 1 3/4 2 0/7 6 5"))];
    assert_eq!(steps, expect.map(|(line, board)| LogStep { line, board }));
}

#[test]
fn trace_stops_at_its_memory_limit() {
    let instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
    for algorithm in [TraceAlgorithm::Astar, TraceAlgorithm::Bfs, TraceAlgorithm::Ida] {
        let max_bytes = 1 << 20;
        let tracer = Tracer { max_steps: usize::MAX, max_bytes, ..Tracer::new(algorithm) };
        let trace = trace(&tracer, &instance);
        assert_eq!(trace.end, TraceEnd::Stopped(Limit::Memory), "{algorithm}");
        let n_nodes = trace.nodes.len();
        assert!(n_nodes > 1_000 && n_nodes * size_of::<TraceNode>() < max_bytes as usize);
    }
}

#[test]
fn tracer_refuses_invalid_settings() {
    use TraceAlgorithm::{Astar, Bfs, Dfs, Ida, Iddfs};
    let instance = PUZZLE.parse().unwrap();
    let refused = |tracer: Tracer| tracer.trace(&instance, &mut Tables::new(), &mut ()).err();
    let tracer = Tracer { tie_break: TieBreak::Lifo, ..Tracer::new(Bfs) };
    assert_eq!(refused(tracer), Some(TraceError::BfsIsFifo));
    let tracer = Tracer { tie_break: TieBreak::Fifo, ..Tracer::new(Dfs) };
    assert_eq!(refused(tracer), Some(TraceError::DfsIsLifo));
    for algorithm in [Ida, Iddfs] {
        let tracer = Tracer { duplicates: Duplicates::Closed, ..Tracer::new(algorithm) };
        assert_eq!(refused(tracer), Some(TraceError::OnlyPath(algorithm)));
        let tracer = Tracer { goal_test: GoalTest::Generation, ..Tracer::new(algorithm) };
        assert_eq!(refused(tracer), Some(TraceError::GoalTest(algorithm)));
    }
    for algorithm in [Astar, Ida] {
        let tracer = Tracer { depth_limit: Some(9), ..Tracer::new(algorithm) };
        assert_eq!(refused(tracer), Some(TraceError::DepthLimit(algorithm)));
    }
    let weight = npuzzle::search::Weight::new(2.0);
    assert_eq!(refused(Tracer { weight, ..Tracer::new(Astar) }), Some(TraceError::Weight(Astar)));
    let dfs = Tracer::new(Dfs).match_log(&instance, &[], None, &mut Tables::new(), &mut ());
    assert_eq!(dfs.err(), Some(TraceError::NoQueue(Dfs)));
}

#[test]
fn unsolvable_board_is_not_searched() {
    let instance = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    for algorithm in TraceAlgorithm::ALL {
        let trace = trace(&Tracer::new(algorithm), &instance);
        assert_eq!((trace.end, trace.steps.len()), (TraceEnd::Unsolvable, 0), "{algorithm}");
    }
}

#[test]
fn dfs_takes_the_newest_node_and_respects_the_depth_limit() {
    let instance: Instance = PUZZLE.parse().unwrap();
    for duplicates in [Duplicates::Closed, Duplicates::Parent, Duplicates::None] {
        for limit in [0, 1, 5, 13, 14] {
            let depth_limit = Some(limit);
            let dfs = Tracer::new(TraceAlgorithm::Dfs);
            let tracer = Tracer { depth_limit, duplicates, max_steps: 20_000, ..dfs };
            let trace = trace(&tracer, &instance);
            for state in trace.replay() {
                // The stack is listed from its top.
                let newest = state.before.iter().max().copied();
                assert!(state.before[0] == state.step.popped && newest == Some(state.step.popped));
                let g = trace.nodes[state.step.popped].g;
                let is_pruned = state.step.outcome == NodeOutcome::Pruned;
                assert!(g <= limit && (!is_pruned || g == limit), "{limit}");
            }
            // The shortest solution has 14 moves, so a smaller limit excludes the goal. Without a
            // closed list, 20,000 steps are too few for the larger limits.
            let expect = match (duplicates, limit) {
                (_, 0 | 1 | 5) | (Duplicates::Closed, 13) => TraceEnd::Exhausted,
                (Duplicates::Closed, 14) => TraceEnd::Goal,
                _ => continue,
            };
            assert_eq!(trace.end, expect, "{duplicates:?} {limit}");
        }
    }
}

#[test]
fn iddfs_is_idastar_without_a_heuristic() {
    let mut random = Random::new(3);
    let goal = npuzzle::Goal::Last.board(dims("3x3")).unwrap();
    for n_slides in [0, 1, 6, 10] {
        let start = random.walk(&goal, n_slides);
        let instance = Instance::new(start, &npuzzle::Goal::Last).unwrap();
        let tracer = Tracer { max_steps: 100_000, ..Tracer::new(TraceAlgorithm::Iddfs) };
        let iddfs = trace(&tracer, &instance);
        let heuristic = "zero".parse().unwrap();
        let ida = Tracer { heuristic, max_steps: 100_000, ..Tracer::new(TraceAlgorithm::Ida) };
        let ida = trace(&ida, &instance);
        assert_eq!((iddfs.end, &iddfs.rounds), (TraceEnd::Goal, &ida.rounds));
        assert_eq!(iddfs.solution(), ida.solution());
        assert!((0..).zip(&iddfs.rounds).all(|(depth, round)| round.bound == depth));
        // A limit below the distance ends the search after the round with that bound.
        let distance = iddfs.rounds.len() as u32 - 1;
        if let Some(limit) = distance.checked_sub(1) {
            let limited = trace(&Tracer { depth_limit: Some(limit), ..tracer }, &instance);
            assert_eq!((limited.end, limited.rounds.len() as u32), (TraceEnd::Exhausted, distance));
        }
    }
}

#[test]
fn goal_test_at_generation_ends_at_the_parent_of_the_goal() {
    use TraceAlgorithm::{Astar, Bfs, Dfs, Uniform};
    let instance: Instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
    for algorithm in [Astar, Uniform, Bfs, Dfs] {
        let late = Tracer { max_steps: 100_000, ..Tracer::new(algorithm) };
        let early = Tracer { goal_test: GoalTest::Generation, ..late.clone() };
        let (late, early) = (trace(&late, &instance), trace(&early, &instance));
        assert_eq!((late.end, early.end), (TraceEnd::Goal, TraceEnd::Goal), "{algorithm}");
        assert!(early.steps.len() < late.steps.len(), "{algorithm}");
        let path = early.solution().unwrap();
        let last = early.steps.last().unwrap();
        let boards = [path[0], path[path.len() - 1]].map(|node| &early.nodes[node].board);
        assert_eq!(boards, [instance.start(), instance.goal()]);
        assert_eq!((last.goal, last.popped), (Some(path[path.len() - 1]), path[path.len() - 2]));
        let queue = early.replay().last().unwrap().after;
        assert!(!queue.contains(&path[path.len() - 1]), "the goal does not enter the queue");
        assert_eq!(queue.len() as u64, early.stats.open);
    }
}

/// Runs `idastar`. Returns its report and its bounds.
fn idastar_report(
    instance: &Instance,
) -> (npuzzle::search::SearchReport<npuzzle::Slide>, Vec<npuzzle::search::Cost>) {
    struct Bounds(Vec<npuzzle::search::Cost>);
    impl npuzzle::Watch for Bounds {
        fn round(&mut self, bound: npuzzle::search::Cost, _: &npuzzle::Stats) {
            self.0.push(bound);
        }
    }
    let problem = npuzzle::search::Sliding::<Board>::new(instance).unwrap();
    let h = npuzzle::search::heuristic::Manhattan::new(instance.goal());
    let mut bounds = Bounds(Vec::new());
    let report = npuzzle::search::idastar(&problem, &h, npuzzle::search::Budget::NONE, &mut bounds);
    (report, bounds.0)
}

#[test]
fn ida_trace_and_idastar_have_the_same_counts() {
    let mut random = Random::new(11);
    for size in ["3x3", "2x4", "4x4"] {
        let goal = npuzzle::Goal::Last.board(dims(size)).unwrap();
        for n_slides in [0, 1, 6, 14, 20, 30] {
            let start = random.walk(&goal, n_slides);
            let instance = Instance::new(start, &npuzzle::Goal::Last).unwrap();
            let tracer = Tracer { max_steps: 1_000_000, ..Tracer::new(TraceAlgorithm::Ida) };
            let trace = trace(&tracer, &instance);
            let (report, bounds) = idastar_report(&instance);
            let npuzzle::search::Outcome::Solved(path) = report.outcome else { panic!() };
            assert_eq!(trace.end, TraceEnd::Goal);
            assert_eq!(trace.stats.expanded, report.stats.expanded, "{}", instance.start());
            assert_eq!(trace.stats.generated, report.stats.generated);
            let solution = trace.solution().unwrap();
            let slides = solution.iter().filter_map(|&node| trace.nodes[node].slide);
            assert!(slides.eq(path));
            let finished = &trace.rounds[..trace.rounds.len() - 1];
            assert!(finished.iter().map(|round| round.bound).eq(bounds));
            let next = finished.iter().map(|round| round.next.unwrap());
            assert!(next.eq(trace.rounds[1..].iter().map(|round| round.bound)));
            let sum: u64 = trace.rounds.iter().map(|round| round.expanded).sum();
            assert_eq!(sum, trace.stats.expanded);
        }
    }
}

#[test]
fn ida_trace_steps_follow_a_path() {
    let trace = trace(&Tracer::new(TraceAlgorithm::Ida), &PUZZLE.parse().unwrap());
    assert_eq!((trace.end, trace.steps.len()), (TraceEnd::StepLimit, Tracer::MAX_STEPS));
    for state in trace.replay() {
        let round = trace.rounds[state.round.unwrap() - 1];
        let node = &trace.nodes[state.step.popped];
        assert!(state.number >= round.first_step);
        assert_eq!(state.before.last().copied(), node.parent);
        assert_eq!(node.g as usize, state.before.len());
        assert_eq!(node.f, node.g + node.h);
        match state.step.outcome {
            NodeOutcome::Pruned => assert!(node.f > round.bound && state.after == state.before),
            _ => assert!(node.f <= round.bound && state.after.last() == Some(&state.step.popped)),
        }
        if let Some(parent) = node.parent {
            let mut board = trace.nodes[parent].board.clone();
            assert!(board.slide(node.slide.unwrap()));
            assert_eq!(board, node.board);
        }
    }
}
