//! Links in mails of a case: a reader with the link reads the case and answers, without a login.

use chrono::{DateTime, TimeDelta, Utc};
use domain::id::CaseId;
use eventlog::HandleHasher;

use crate::dated_link::Purpose;

const LINKS: Purpose = Purpose {
    name: "case",
    good_for: TimeDelta::days(30),
};

/// The last part of a link in a mail of this case, written at `now`.
pub fn token(handles: &HandleHasher, case_id: CaseId, now: DateTime<Utc>) -> String {
    LINKS.token(handles, case_id.0, now)
}

/// The case of a link that this server made and that is not at its end; `None` for every other text.
pub fn case_of(handles: &HandleHasher, token: &str, now: DateTime<Utc>) -> Option<CaseId> {
    LINKS.opened(handles, token, now).map(CaseId)
}
