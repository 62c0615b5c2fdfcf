//! The one place that asks for the time and for random ids.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DurationRound, TimeDelta};
use domain::moment::Moment;
use eventlog::{EventLog, LogError, clock};
use tokio::sync::watch;
use uuid::Uuid;

/// How far a developer put the clock forward. One process has one clock; only [`put_forward`] moves it (decision 0016).
static AHEAD_S: AtomicI64 = AtomicI64::new(0);
/// The longest jump, in seconds: one of more than a year shows nothing that a year does not.
pub const JUMP_MAX_S: i64 = 366 * 86_400;
/// All jumps together: every expiry of the product lies within.
const AHEAD_MAX_S: i64 = 30 * JUMP_MAX_S;

tokio::task_local! {
    /// The moment that a view of the past is shown for.
    static SHOWN_AT: Moment;
}

/// Answers as if it were `moment`: for reads of the past alone (N1). What it spawns runs in the present.
pub async fn shown_at<F: Future>(moment: Moment, answering: F) -> F::Output {
    SHOWN_AT.scope(moment, answering).await
}

/// Now, to the microsecond (X5); in a view of the past, its moment.
pub fn now() -> Moment {
    SHOWN_AT.try_with(|moment| *moment).unwrap_or_else(|_| present())
}

/// Now, to the microsecond; in a view of the past, when that view is read.
pub fn present() -> Moment {
    let now = forward(clock::now());
    now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now)
}

/// What the machine's clock shows now, which somebody may have put right since the start (decision 0016).
pub fn wall() -> Moment {
    forward(clock::wall())
}

fn forward(shown: Moment) -> Moment {
    shown + TimeDelta::seconds(AHEAD_S.load(Ordering::Relaxed))
}

/// How far the wall may be off before it is told.
const OFF_TOLD: TimeDelta = TimeDelta::seconds(2);

/// Begins the server's time no earlier than the log ends.
///
/// # Errors
/// When the log cannot be read.
pub async fn begin(log: &EventLog) -> Result<(), String> {
    let unread = |error: LogError| format!("the event log cannot be read: {error}");
    let head = log.head().await.map_err(unread)?;
    let last = log.span(head, head).await.map_err(unread)?.into_iter().next();
    if let Some(behind) = last.and_then(|last| clock::not_before(last.recorded_at)) {
        tracing::error!(
            seconds = behind.num_seconds(),
            "the last event is of a day to come: this machine's clock is wrong, or was; what began then ends when it says"
        );
    }
    Ok(())
}

/// Looks at the wall until the server stops: comes back to it slowly, and tells when it is far off (decision 0016).
pub async fn keep_true(mut stop: watch::Receiver<bool>) {
    let mut tick = tokio::time::interval(clock::LOOK_EVERY);
    let (mut awake, mut on) = (Instant::now(), since_boot());
    let mut told = false;
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
        let passed = since_boot().saturating_sub(on);
        let slept = passed.saturating_sub(awake.elapsed());
        (awake, on) = (Instant::now(), since_boot());
        // Less is only what lay between two looks at two clocks.
        let off = clock::look(if slept > Duration::from_secs(1) {
            slept
        } else {
            Duration::ZERO
        });
        let far = off.abs() > OFF_TOLD;
        if far && !told {
            tracing::error!(
                seconds = off.num_seconds(),
                "this machine's clock was put forward or back: the server goes on at its own pace; when the clock is right, \
                 start it again"
            );
        }
        told = far;
    }
}

/// Counts on while the machine sleeps.
#[cfg(target_os = "linux")]
fn since_boot() -> Duration {
    let shown = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Duration::try_from(shown).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn since_boot() -> Duration {
    Duration::ZERO
}

/// A fresh time-ordered id.
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}

/// Puts the clock forward by so many seconds, never back, so that an expiry can be seen without waiting for it. Answers what it
/// shows then; `None` for a jump that is not one.
pub fn put_forward(seconds: i64) -> Option<Moment> {
    let moved = AHEAD_S.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |ahead| {
        let then = ahead.checked_add(seconds)?;
        ((1..=JUMP_MAX_S).contains(&seconds) && then <= AHEAD_MAX_S).then_some(then)
    });
    moved.is_ok().then(now)
}
