//! Short solutions of boards that are too large for search, shorter while time lasts.
//!
//! A pass goes over the board once: [`flow`] brings all tiles near their places, [`sweep`] finishes
//! line by line, both under beams of a given width. Passes get wider, and later ones differ by how
//! they decide between equals; the shortest solution counts. Before the first pass there is the
//! solution of [`construct`](crate::construct), and behind everything.

mod beam;
mod flow;
mod sweep;
#[cfg(test)]
mod tests;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Slide};

use crate::construct::{Rect, construct, finish};
use crate::field::Field;

/// The best solution that is found until the watch breaks or, about, so much time is over; without a
/// limit that of a fixed list of passes, the same on any number of threads. The instance must have a
/// solution. An error if there was not even time for a plain one.
pub(crate) fn roam(
    instance: &Instance,
    threads: usize,
    time: Option<Duration>,
    watch: &mut dyn Watch,
) -> Result<Vec<Slide>, Limit> {
    let plain = construct(instance, watch)?;
    watch.better(plain.len() as Cost);
    let field = Field::new(instance);
    // What has been looked up is shortest.
    if plain.is_empty() || Rect::of(&field).next_line(&field, usize::MAX).is_none() {
        return Ok(plain);
    }
    let race = Race {
        field,
        // What is too far away to be told is no end.
        end: time.and_then(|time| Instant::now().checked_add(time)),
        next: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        best: Mutex::new(Best { length: plain.len(), pass: 0, path: plain }),
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1))
            .map(|_| scope.spawn(|| race.run(&mut || race.is_over.load(Ordering::Relaxed))))
            .collect();
        let mut told = usize::MAX;
        let mut look = || {
            let length = race.best.lock().map_or(usize::MAX, |best| best.length);
            if length < told {
                watch.better(length as Cost);
                told = length;
            }
            if watch.poll(&Stats::default()).is_break() {
                race.is_over.store(true, Ordering::Relaxed);
            }
            race.is_over.load(Ordering::Relaxed)
        };
        race.run(&mut look);
        while others.iter().any(|other| !other.is_finished()) {
            look();
            std::thread::sleep(Duration::from_millis(1));
        }
        look();
    });
    match race.best.into_inner() {
        Ok(best) => Ok(best.path),
        Err(poisoned) => Ok(poisoned.into_inner().path),
    }
}

/// The widths of the first passes, for the flow and for the sweep; all that follow are as wide as the
/// last. A sweep needs wider beams and fewer slides.
const WIDTHS: [Widths; 6] = [
    Widths { flow: 12, sweep: 300 },
    Widths { flow: 48, sweep: 1000 },
    Widths { flow: 128, sweep: 1000 },
    Widths { flow: 256, sweep: 2000 },
    Widths { flow: 512, sweep: 3000 },
    Widths { flow: 1024, sweep: 4000 },
];

/// How wide the beams of a pass are.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Widths {
    flow: usize,
    sweep: usize,
}

impl Widths {
    /// So many times as wide.
    fn times(self, factor: f64) -> Widths {
        let times = |width: usize| ((width as f64 * factor) as usize).max(1);
        Widths { flow: times(self.flow), sweep: times(self.sweep) }
    }
}

/// How many passes there are at most.
const N_PASSES: usize = 64;

/// Without a limit of time there are fewer.
const N_UNTIMED: usize = 4;

/// What the threads share.
struct Race {
    field: Field,
    end: Option<Instant>,
    /// The number of the next pass.
    next: AtomicUsize,
    is_over: AtomicBool,
    best: Mutex<Best>,
}

struct Best {
    length: usize,
    /// Of equals the first counts, whoever is faster.
    pass: usize,
    path: Vec<Slide>,
}

impl Race {
    /// Goes over the board again and again.
    fn run(&self, stop: &mut dyn FnMut() -> bool) {
        let n_passes = if self.end.is_some() { N_PASSES } else { N_UNTIMED };
        // The widths of the last pass, and how long it took.
        let mut last = None;
        loop {
            let pass = self.next.fetch_add(1, Ordering::Relaxed);
            if pass >= n_passes || stop() {
                return;
            }
            let widths = WIDTHS[pass.min(WIDTHS.len() - 1)];
            let Some(widths) = self.affordable(widths, last) else { return };
            let begun = Instant::now();
            let Some(path) = go_over(self.field.clone(), widths, pass as u64, stop) else { return };
            last = Some((widths, begun.elapsed()));
            self.offer(pass + 1, path);
        }
    }

    /// The widths of a pass that will end in time, as far as the last one tells; none if they are too
    /// little to be of use.
    fn affordable(&self, widths: Widths, last: Option<(Widths, Duration)>) -> Option<Widths> {
        let (Some(end), Some((last, took))) = (self.end, last) else { return Some(widths) };
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64() * 0.9;
        let most = left / took.as_secs_f64().max(1e-6);
        let factor = widths.flow as f64 / last.flow as f64;
        match most {
            _ if most >= factor => Some(widths),
            _ if most >= 0.5 => Some(last.times(most)),
            _ => None,
        }
    }

    fn offer(&self, pass: usize, path: Vec<Slide>) {
        let Ok(mut best) = self.best.lock() else { return };
        if (path.len(), pass) < (best.length, best.pass) {
            *best = Best { length: path.len(), pass, path };
        }
    }
}

/// One pass; nothing if it was stopped.
fn go_over(
    mut field: Field,
    widths: Widths,
    pass: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Vec<Slide>> {
    let seed = pass.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    if !flow::flow(&mut field, widths.flow, seed, stop) {
        return None;
    }
    let left = sweep::sweep(&mut field, widths.sweep, seed, stop)?;
    finish(&mut field, left, &mut ()).ok()?;
    Some(field.into_path())
}
