//! The clock of the libraries: the system's, or that of a host that runs them without a system.
//!
//! `std::time::Instant::now` traps in WebAssembly modules for browsers. There, [`Instant`] reads a clock that the front end
//! supplies with `set_host_clock`. Without one, time stands still: time limits are not reached, and nothing traps.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set_host_clock};

/// A clock that a host supplies. Compiled in tests, too, so that they run on every system.
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
// In tests on other systems the items are not reachable.
#[allow(unreachable_pub)]
mod host {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    /// The time since some fixed point, which never decreases.
    type HostClock = fn() -> Duration;

    static HOST_CLOCK: OnceLock<HostClock> = OnceLock::new();

    /// Sets the clock. Later calls have no effect.
    pub fn set_host_clock(clock: HostClock) {
        let _ = HOST_CLOCK.set(clock);
    }

    /// A point in time, with the operations of `std::time::Instant` that the libraries use.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The current time.
        pub fn now() -> Instant {
            Instant(HOST_CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since this point.
        pub fn elapsed(&self) -> Duration {
            Instant::now() - *self
        }

        /// The time from an earlier point to this one; zero if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// This point plus a duration, if it can be represented.
        pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }

        /// This point minus a duration, if it can be represented.
        pub fn checked_sub(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_sub(duration).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0.saturating_add(duration))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::atomic::{AtomicU64, Ordering};

        static SECONDS: AtomicU64 = AtomicU64::new(5);

        #[test]
        fn host_clock_measures_time_and_never_panics() {
            let stopped = Instant::now();
            assert_eq!(stopped.elapsed(), Duration::ZERO);
            set_host_clock(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
            let started = Instant::now();
            SECONDS.store(8, Ordering::Relaxed);
            assert_eq!(started.elapsed(), Duration::from_secs(3));
            assert_eq!(stopped.saturating_duration_since(started), Duration::ZERO);
            assert_eq!(stopped - started, Duration::ZERO);
            assert!(started < Instant::now());
            assert_eq!(started.checked_sub(Duration::from_secs(6)), None);
            assert_eq!(started.checked_add(Duration::MAX), None);
            assert_eq!(started + Duration::from_secs(3), Instant::now());
        }
    }
}
