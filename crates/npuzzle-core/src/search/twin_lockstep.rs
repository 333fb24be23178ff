//! Two searches that take turns, one step each, until one of them ends.
//!
//! Exactly one of a board and its twin (the board with two tiles exchanged) can reach the goal.
//! Searching both in lockstep therefore always terminates and decides solvability without a parity
//! argument. The Princeton assignment detects unsolvable boards this way.

use super::{BestFirst, Cost, Heuristic, Limit, Observer, OpenNode, Problem, Step, Watch};
use crate::queue::MinQueue;

/// Which of two searches in lockstep found a solution.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, LockstepOutcome, Settings, twin_lockstep};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 6/8 7 0".parse()?;
/// let h = Manhattan::new(puzzle.goal());
/// let [board, twin] = [&puzzle, &puzzle.twin()].map(|p| Sliding::<Packed>::new(p).expect("nine cells fit"));
/// let mut first = BestFirst::<_, _, BucketQueue<_>>::new(&board, &h, Settings::ASTAR);
/// let mut second = BestFirst::<_, _, BucketQueue<_>>::new(&twin, &h, Settings::ASTAR);
/// let outcome = twin_lockstep(&mut first, &mut second, &mut (), &mut ());
/// assert_eq!(outcome, LockstepOutcome::Second);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockstepOutcome {
    /// The first reached its goal, or the second ran out of states.
    First,
    /// The second reached its goal, or the first ran out of states.
    Second,
    /// A limit was reached before either search ended.
    Stopped(Limit),
}

/// Runs two searches in lockstep, the first search first. The observer receives the events of both;
/// the watch is polled with the counters of the first.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, LockstepOutcome, Settings, twin_lockstep};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let h = Manhattan::new(puzzle.goal());
/// let [board, twin] = [&puzzle, &puzzle.twin()].map(|p| Sliding::<Packed>::new(p).expect("nine cells fit"));
/// let mut first = BestFirst::<_, _, BucketQueue<_>>::new(&board, &h, Settings::ASTAR);
/// let mut second = BestFirst::<_, _, BucketQueue<_>>::new(&twin, &h, Settings::ASTAR);
/// let outcome = twin_lockstep(&mut first, &mut second, &mut (), &mut ());
/// assert_eq!(outcome, LockstepOutcome::First);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn twin_lockstep<'a, P, H, Q>(
    first: &mut BestFirst<'a, P, H, Q>,
    second: &mut BestFirst<'a, P, H, Q>,
    watch: &mut impl Watch,
    observer: &mut impl Observer<P>,
) -> LockstepOutcome
where
    P: Problem,
    H: Heuristic<P>,
    Q: MinQueue<Cost, OpenNode<P::Action>>,
{
    for turn in 0u64.. {
        if turn.is_multiple_of(first.poll_interval())
            && let Some(limit) = watch.poll(first.stats()).break_value()
        {
            return LockstepOutcome::Stopped(limit);
        }
        let (this, other) = (LockstepOutcome::First, LockstepOutcome::Second);
        for (search, this, other) in [(&mut *first, this, other), (&mut *second, other, this)] {
            match search.step(observer) {
                Step::Goal => return this,
                Step::Exhausted => return other,
                Step::Stopped(limit) => return LockstepOutcome::Stopped(limit),
                Step::Expanded | Step::Dropped => {}
            }
        }
    }
    unreachable!("a search ends before 2^64 steps")
}
