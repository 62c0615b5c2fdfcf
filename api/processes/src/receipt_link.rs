//! Links in mails that open one receipt or credit note without a login: a capability for that number alone, at an end after a while.

use chrono::{DateTime, TimeDelta, Utc};
use eventlog::HandleHasher;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

/// How long a link is good for.
const GOOD_FOR: TimeDelta = TimeDelta::days(90);
/// Days since the Unix epoch: an hour's repetition of a message names the same end.
const DAY_S: i64 = 86_400;

/// What a pass is worth at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    Good,
    /// This server made it, and its time is over.
    Over,
    /// None of ours, or of another number.
    Wrong,
}

/// The address of a document for a reader without a login, written at `now`.
pub fn address(handles: &HandleHasher, public_url: &str, number: &str, now: DateTime<Utc>) -> String {
    format!(
        "{public_url}/receipts/{number}?pass={}",
        pass(handles, number, now)
    )
}

/// The pass of a document's number.
pub fn pass(handles: &HandleHasher, number: &str, now: DateTime<Utc>) -> String {
    let last_day = (now + GOOD_FOR).timestamp() / DAY_S;
    format!("{last_day}-{}", proof(handles, number, last_day).simple())
}

/// Looks at a pass for the document of this number.
pub fn look_at(handles: &HandleHasher, number: &str, pass: &str, now: DateTime<Utc>) -> Pass {
    let parts = pass.split_once('-').and_then(|(last_day, given)| {
        let last_day: i64 = last_day.parse().ok()?;
        Some((last_day, Uuid::try_parse(given).ok()?))
    });
    let Some((last_day, given)) = parts else {
        return Pass::Wrong;
    };
    let right: bool = proof(handles, number, last_day)
        .as_bytes()
        .ct_eq(given.as_bytes())
        .into();
    match (right, now.timestamp() / DAY_S > last_day) {
        (true, false) => Pass::Good,
        (true, true) => Pass::Over,
        (false, _) => Pass::Wrong,
    }
}

fn proof(handles: &HandleHasher, number: &str, last_day: i64) -> Uuid {
    handles.id("receipt", &format!("{number}:{last_day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_opens_one_number_until_its_end() {
        let handles = HandleHasher::random();
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let number = "R-2026-0000042";
        let made = pass(&handles, number, at);
        assert_eq!(look_at(&handles, number, &made, at), Pass::Good);
        assert_eq!(look_at(&handles, number, &made, at + GOOD_FOR), Pass::Good);
        let late = at + GOOD_FOR + TimeDelta::days(2);
        assert_eq!(look_at(&handles, number, &made, late), Pass::Over);
        assert_eq!(look_at(&handles, "R-2026-0000043", &made, at), Pass::Wrong);
        let longer = format!("9{made}");
        for wrong in ["", "x-1", &made[1..], &longer] {
            assert_eq!(look_at(&handles, number, wrong, at), Pass::Wrong, "{wrong}");
        }
    }
}
