//! Links that switch reminders off without a login (RFC 8058). A link is a capability: made for one lead, good for its person's
//! reminders alone, and at an end after a while.

use chrono::{DateTime, TimeDelta, Utc};
use domain::id::LeadId;
use eventlog::HandleHasher;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

/// How long a link is good for.
const GOOD_FOR: TimeDelta = TimeDelta::days(90);
/// Days since the Unix epoch: an hour's repetition of a message names the same end.
const DAY_S: i64 = 86_400;

/// The last part of a link in a message about this lead, written at `now`.
pub fn token(handles: &HandleHasher, lead_id: LeadId, now: DateTime<Utc>) -> String {
    let last_day = (now + GOOD_FOR).timestamp() / DAY_S;
    let proof = proof(handles, lead_id, last_day);
    format!("{}-{last_day}-{}", lead_id.0.simple(), proof.simple())
}

/// The lead of a link that this server made and that is not at its end; `None` for every other text.
pub fn lead_of(handles: &HandleHasher, token: &str, now: DateTime<Utc>) -> Option<LeadId> {
    let mut parts = token.split('-');
    let (lead_id, last_day, given) = (parts.next()?, parts.next()?, parts.next()?);
    let lead_id = LeadId(Uuid::try_parse(lead_id).ok()?);
    let last_day: i64 = last_day.parse().ok()?;
    let given = Uuid::try_parse(given).ok()?;
    let right: bool = proof(handles, lead_id, last_day)
        .as_bytes()
        .ct_eq(given.as_bytes())
        .into();
    let is_over = now.timestamp() / DAY_S > last_day;
    (parts.next().is_none() && right && !is_over).then_some(lead_id)
}

fn proof(handles: &HandleHasher, lead_id: LeadId, last_day: i64) -> Uuid {
    handles.id("unsubscribe", &format!("{lead_id}:{last_day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_is_good_for_its_lead_until_its_end() {
        let handles = HandleHasher::random();
        let lead = LeadId(Uuid::from_u128(5));
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let link = token(&handles, lead, at);
        assert_eq!(lead_of(&handles, &link, at), Some(lead));
        assert_eq!(lead_of(&handles, &link, at + GOOD_FOR), Some(lead));
        assert_eq!(lead_of(&handles, &link, at + GOOD_FOR + TimeDelta::days(2)), None);
        let longer = link.replacen("-2", "-3", 1);
        assert_eq!(lead_of(&handles, &longer, at), None);
        for wrong in ["", "x-1-y", &link[1..], &format!("{link}-0")] {
            assert_eq!(lead_of(&handles, wrong, at), None, "{wrong}");
        }
    }
}
