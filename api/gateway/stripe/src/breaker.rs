//! A circuit breaker: after several attempts in a row without an answer, calls fail at once until a probe is answered. Payers are
//! told within a moment that payment is away, and Stripe is not asked by everybody at once when it comes back.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Attempts in a row without an answer that open it.
const FAILURES: u32 = 6;
/// How long it stays open before one call tries again.
const OPEN_FOR: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// When the next probe may be sent; `None` while it is closed.
    probe_at: Option<Instant>,
}

impl Breaker {
    /// Whether a call may be sent. While it is open, one call in each interval is let through as a probe.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        let mut state = self.0.lock();
        match state.probe_at {
            None => true,
            Some(at) if now < at => false,
            Some(_) => {
                state.probe_at = Some(now + OPEN_FOR);
                true
            }
        }
    }

    /// Notes an answer, whatever it says; `true` when that closes it.
    pub(crate) fn answered(&self) -> bool {
        let mut state = self.0.lock();
        let was_open = state.probe_at.is_some();
        *state = State::default();
        was_open
    }

    /// Notes an attempt without an answer; `true` when that opens it.
    pub(crate) fn failed(&self, now: Instant) -> bool {
        let mut state = self.0.lock();
        state.failures = state.failures.saturating_add(1);
        let opens = state.failures >= FAILURES && state.probe_at.is_none();
        if opens {
            state.probe_at = Some(now + OPEN_FOR);
        }
        opens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaker_opens_after_failures_and_lets_one_probe_through() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        for attempt in 1..=FAILURES {
            assert!(breaker.allows(now));
            assert_eq!(breaker.failed(now), attempt == FAILURES, "attempt {attempt}");
        }
        assert!(!breaker.allows(now));
        let later = now + OPEN_FOR;
        assert!(breaker.allows(later), "a probe");
        assert!(!breaker.allows(later), "one at a time");
        assert!(!breaker.failed(later), "it is open already");
        let later = later + OPEN_FOR;
        assert!(breaker.allows(later));
        assert!(breaker.answered());
        assert!(breaker.allows(later) && breaker.allows(later));
    }

    #[test]
    fn breaker_counts_failures_in_a_row_alone() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        for _ in 0..10 {
            for _ in 1..FAILURES {
                assert!(!breaker.failed(now));
            }
            assert!(!breaker.answered());
        }
        assert!(breaker.allows(now));
    }
}
