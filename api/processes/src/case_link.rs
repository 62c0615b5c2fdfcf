//! Links in mails of a case: a reader with the link reads the case and answers, without a login. Once the enquiry that the case is about
//! was handed to another person, the links of before are over.

use chrono::{DateTime, TimeDelta, Utc};
use domain::case::Case;
use domain::id::CaseId;
use domain::lead::Lead;
use eventlog::{EventLog, HandleHasher, LogError};
use uuid::Uuid;

use crate::dated_link::Purpose;

const LINKS: Purpose = Purpose {
    name: "case",
    good_for: TimeDelta::days(30),
};

/// For whom links of a case are made; `None` while its enquiry has named one person alone.
///
/// # Errors
/// When the log cannot be read.
pub async fn find_holder(log: &EventLog, case: &Case) -> Result<Option<Uuid>, LogError> {
    let Some(lead_id) = case.lead_id else {
        return Ok(None);
    };
    let lead = log.load::<Lead>(lead_id).await?.state;
    Ok(lead.corrected_to.map(|to| to.person.0))
}

/// The last part of a link in a mail of this case, written at `now`.
pub fn token(
    handles: &HandleHasher,
    (case_id, holder): (CaseId, Option<Uuid>),
    now: DateTime<Utc>,
) -> String {
    LINKS.token_for(handles, (case_id.0, holder), now)
}

/// The case that a link names, whether or not it opens it.
pub fn named_by(token: &str) -> Option<CaseId> {
    Purpose::named_by(token).map(CaseId)
}

/// Whether this server made the link for this holder, and it is not at its end.
pub fn opens(handles: &HandleHasher, (token, holder): (&str, Option<Uuid>), now: DateTime<Utc>) -> bool {
    LINKS.opened_for(handles, (token, holder), now).is_some()
}
