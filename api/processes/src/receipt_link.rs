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

/// A document as links name it: by its number, and since when its booking is its present student's, where it was taken from another
/// account. The links of that account end with it.
#[derive(Debug, Clone, Copy)]
pub struct Document<'d> {
    pub number: &'d str,
    pub handed_over_at: Option<DateTime<Utc>>,
}

/// The address of a document for a reader without a login, written at `now`.
pub fn address(
    handles: &HandleHasher,
    public_url: &str,
    document: Document<'_>,
    now: DateTime<Utc>,
) -> String {
    format!(
        "{public_url}/receipts/{}?pass={}",
        document.number,
        pass(handles, document, now)
    )
}

/// The pass of a document.
pub fn pass(handles: &HandleHasher, document: Document<'_>, now: DateTime<Utc>) -> String {
    let last_day = (now + GOOD_FOR).timestamp() / DAY_S;
    format!("{last_day}-{}", proof(handles, document, last_day).simple())
}

/// Looks at a pass for this document.
pub fn look_at(handles: &HandleHasher, document: Document<'_>, pass: &str, now: DateTime<Utc>) -> Pass {
    let parts = pass.split_once('-').and_then(|(last_day, given)| {
        let last_day: i64 = last_day.parse().ok()?;
        Some((last_day, Uuid::try_parse(given).ok()?))
    });
    let Some((last_day, given)) = parts else {
        return Pass::Wrong;
    };
    let right: bool = proof(handles, document, last_day)
        .as_bytes()
        .ct_eq(given.as_bytes())
        .into();
    match (right, now.timestamp() / DAY_S > last_day) {
        (true, false) => Pass::Good,
        (true, true) => Pass::Over,
        (false, _) => Pass::Wrong,
    }
}

fn proof(handles: &HandleHasher, document: Document<'_>, last_day: i64) -> Uuid {
    let number = document.number;
    let said = match document.handed_over_at {
        None => format!("{number}:{last_day}"),
        Some(at) => format!("{number}:{last_day}:{}", at.timestamp_micros()),
    };
    handles.id("receipt", &said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_opens_one_number_until_its_end() {
        let handles = HandleHasher::random();
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let document = Document {
            number: "R-2026-0000042",
            handed_over_at: None,
        };
        let made = pass(&handles, document, at);
        assert_eq!(look_at(&handles, document, &made, at), Pass::Good);
        assert_eq!(look_at(&handles, document, &made, at + GOOD_FOR), Pass::Good);
        let late = at + GOOD_FOR + TimeDelta::days(2);
        assert_eq!(look_at(&handles, document, &made, late), Pass::Over);
        let other = Document {
            number: "R-2026-0000043",
            ..document
        };
        let moved = Document {
            handed_over_at: Some(at),
            ..document
        };
        for another in [other, moved] {
            assert_eq!(look_at(&handles, another, &made, at), Pass::Wrong, "{another:?}");
        }
        let longer = format!("9{made}");
        for wrong in ["", "x-1", &made[1..], &longer] {
            assert_eq!(look_at(&handles, document, wrong, at), Pass::Wrong, "{wrong}");
        }
    }
}
