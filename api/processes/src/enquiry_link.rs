//! The link of a mail to the enquiries of its reader. For one that was sent without a login it proves that the mail arrived: with a login
//! that has proved the enquiry's address it claims it. By itself it opens nothing (decision 0026).

use chrono::{DateTime, TimeDelta, Utc};
use domain::id::LeadId;
use domain::lead::Lead;
use eventlog::HandleHasher;

use crate::dated_link::Purpose;

const LINKS: Purpose = Purpose {
    name: "enquiry",
    good_for: TimeDelta::days(30),
};

/// Writes the address of the list, in a mail about this lead.
pub fn write_address(
    public_url: &str,
    handles: &HandleHasher,
    (lead_id, lead): (LeadId, &Lead),
    now: DateTime<Utc>,
) -> String {
    let list = format!("{public_url}/profile/leads?tab=enquired");
    if !lead.is_unclaimed() {
        return list;
    }
    format!("{list}&enquiry={}", LINKS.token(handles, lead_id.0, now))
}

/// Finds the lead of a link that this server made and that is not at its end.
pub fn find_lead(handles: &HandleHasher, token: &str, now: DateTime<Utc>) -> Option<LeadId> {
    LINKS.opened(handles, token, now).map(LeadId)
}
