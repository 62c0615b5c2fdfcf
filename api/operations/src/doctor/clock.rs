//! What `latchkey doctor` says of this machine's clock: it is held against whatever else tells the time.

use chrono::TimeDelta;
use domain::moment::Moment;
use eventlog::RecordedEvent;
use platform::clock::wall;

use super::finding::Finding;

/// How far it may be off.
const OFF_MOST: TimeDelta = TimeDelta::seconds(2);
const WHAT: &str = "clock";

/// Against the log: no event is of a time to come.
pub(super) fn of_log(last: &RecordedEvent) -> Finding {
    let (last, now) = (last.recorded_at, wall());
    let ahead = last - now;
    if ahead > OFF_MOST {
        let said = format!(
            "the last event was written {} s from now: this machine's clock went back, or was ahead then; set it (chrony, ntpd)",
            ahead.num_seconds()
        );
        return Finding::wrong(WHAT, said);
    }
    let said = format!(
        "it is {} here, and the last event is of {}",
        told(now),
        told(last)
    );
    Finding::fine(WHAT, said)
}

/// Against the database server's, which only the log cannot tell: a clock that is ahead. A server that does not answer was
/// spoken of before.
pub(super) async fn of_database(url: &str) -> Option<Finding> {
    let ahead = storage::clock_ahead(url).await.ok()?;
    let seconds = ahead.num_seconds().abs();
    if ahead.abs() <= OFF_MOST {
        return Some(Finding::fine(WHAT, "the database server's shows the same"));
    }
    let where_to = if ahead > TimeDelta::zero() {
        "ahead of"
    } else {
        "behind"
    };
    let said = format!(
        "it is {seconds} s {where_to} the database server's: let both machines be set by the network (chrony, ntpd)"
    );
    Some(Finding::wrong(WHAT, said))
}

fn told(moment: Moment) -> String {
    moment.to_rfc3339()
}
