//! Links that switch reminders off without a login (RFC 8058): made for one lead, good for its person's reminders alone.

use chrono::{DateTime, TimeDelta, Utc};
use domain::id::LeadId;
use eventlog::HandleHasher;

use crate::dated_link::Purpose;

const LINKS: Purpose = Purpose {
    name: "unsubscribe",
    good_for: TimeDelta::days(90),
};

/// The last part of a link in a message about this lead, written at `now`.
pub fn token(handles: &HandleHasher, lead_id: LeadId, now: DateTime<Utc>) -> String {
    LINKS.token(handles, lead_id.0, now)
}

/// The lead of a link that this server made and that is not at its end; `None` for every other text.
pub fn lead_of(handles: &HandleHasher, token: &str, now: DateTime<Utc>) -> Option<LeadId> {
    LINKS.opened(handles, token, now).map(LeadId)
}
