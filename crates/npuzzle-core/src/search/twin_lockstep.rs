//! Two searches in turn, a step each, until one of them ends.
//!
//! Of a board and its twin (two tiles exchanged) exactly one can reach the goal. Searching both in
//! lockstep therefore always ends and tells which, with no notion of parity. It is how the
//! Princeton assignment detects boards without a solution.

use super::{BestFirst, Cost, Heuristic, Limit, Observer, OpenNode, Problem, Step, Watch};
use crate::queue::MinQueue;

/// Which search came to its end first.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Lockstep, Settings, lockstep};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 6/8 7 0".parse()?;
/// let h = Manhattan::new(puzzle.goal());
/// let [one, other] = [&puzzle, &puzzle.twin()].map(|p| Sliding::<Packed>::new(p).expect("nine cells fit"));
/// let mut first = BestFirst::<_, _, BucketQueue<_>>::new(&one, &h, Settings::ASTAR);
/// let mut second = BestFirst::<_, _, BucketQueue<_>>::new(&other, &h, Settings::ASTAR);
/// assert_eq!(lockstep(&mut first, &mut second, &mut (), &mut ()), Lockstep::Second);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lockstep {
    /// The first reached its goal.
    First,
    /// The second reached its goal, or the first ran out of states.
    Second,
    /// A limit was reached before either did.
    Stopped(Limit),
}

/// Runs two searches in turn. The observer sees both.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Lockstep, Settings, lockstep};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let h = Manhattan::new(puzzle.goal());
/// let [one, other] = [&puzzle, &puzzle.twin()].map(|p| Sliding::<Packed>::new(p).expect("nine cells fit"));
/// let mut first = BestFirst::<_, _, BucketQueue<_>>::new(&one, &h, Settings::ASTAR);
/// let mut second = BestFirst::<_, _, BucketQueue<_>>::new(&other, &h, Settings::ASTAR);
/// assert_eq!(lockstep(&mut first, &mut second, &mut (), &mut ()), Lockstep::First);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lockstep<P, H, Q>(
    first: &mut BestFirst<'_, P, H, Q>,
    second: &mut BestFirst<'_, P, H, Q>,
    watch: &mut impl Watch,
    observer: &mut impl Observer<P>,
) -> Lockstep
where
    P: Problem,
    H: Heuristic<P>,
    Q: MinQueue<Cost, OpenNode<P::Action>>,
{
    for round in 0u64.. {
        if round.is_multiple_of(first.poll_interval())
            && let Some(limit) = watch.poll(first.stats()).break_value()
        {
            return Lockstep::Stopped(limit);
        }
        match first.step(observer) {
            Step::Goal => return Lockstep::First,
            Step::Exhausted => return Lockstep::Second,
            Step::Stopped(limit) => return Lockstep::Stopped(limit),
            Step::Expanded | Step::Dropped => {}
        }
        match second.step(observer) {
            Step::Goal => return Lockstep::Second,
            Step::Exhausted => return Lockstep::First,
            Step::Stopped(limit) => return Lockstep::Stopped(limit),
            Step::Expanded | Step::Dropped => {}
        }
    }
    unreachable!("a search ends before 2^64 steps")
}
