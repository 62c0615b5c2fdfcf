//! The same words again (D83): within ten minutes they are the same lead, shown to their sender as far as the sender knows it.

use axum::http::StatusCode;
use axum::response::Response;
use domain::id::LeadId;
use domain::lead::{Lead, LeadPersonal};
use eventlog::{EventLog, Loaded};
use http_kit::caller::Caller;
use http_kit::capability;
use http_kit::error::{ApiError, ApiResult};
use platform::clock;

use super::answer::{View, answer_of};
use super::payload::{Checked, LeadPayload};

/// The same again within this time, in seconds, is the same lead.
const SAME_LEAD_SECONDS: i64 = 600;

/// The link of an earlier lead is no word of this one: the same words again are the same lead, with it and without.
pub(super) fn words_of(payload: &LeadPayload) -> LeadPayload {
    LeadPayload {
        lead_uuid: None,
        ..payload.clone()
    }
}

/// Words that had made a lead before.
pub(super) struct SentAgain {
    pub lead_id: LeadId,
    pub checked: Checked,
    pub personal: LeadPersonal,
}

/// The answer to words that had made a lead before. They prove nothing about their sender: the lead is shown whole, with its
/// link, to its owner, to who sends its link along, and to others while it says no more than those words (decision 0026).
pub(super) async fn answer_again(
    log: &EventLog,
    caller: &Caller,
    payload: &LeadPayload,
    again: &SentAgain,
) -> ApiResult<Response> {
    let position = log.head().await?;
    let lead = log.load::<Lead>(again.lead_id).await?.state;
    let link = payload.lead_uuid.as_deref().and_then(|link| link.parse().ok());
    let is_whole = capability::is_owner(caller, &lead)
        || capability::holds_link(link, &lead)
        || says_no_more(&lead, &again.checked, &again.personal);
    let view = if is_whole { View::Own } else { View::Masked };
    answer_of(&lead, view, position, StatusCode::OK)
}

/// Whether an unclaimed lead holds these words and nothing else.
fn says_no_more(lead: &Lead, checked: &Checked, words: &LeadPersonal) -> bool {
    let is_as_sent = lead.personal.as_ref().is_some_and(|held| {
        *words
            == LeadPersonal {
                lead_uuid: words.lead_uuid,
                ..held.clone()
            }
    });
    lead.is_unclaimed()
        && is_as_sent
        && lead.wish.says_same(&checked.wish)
        && lead.viewing == checked.viewing
        && lead.form.is_none()
        && lead.payment.is_none()
}

/// What an equal body is known by. Words of two people are two enquiries: nobody is shown what another's words came to (decision 0008).
pub(super) fn digest_of(log: &EventLog, caller: &Caller, words: &LeadPayload) -> ApiResult<String> {
    let body = serde_json::to_string(words).map_err(ApiError::broken)?;
    let said = match &caller.person {
        Some(person) => format!("{} {body}", person.user_id),
        None => body,
    };
    Ok(hex::encode(log.handles().hash("lead_body", &said)))
}

/// What an equal body comes to now.
pub(super) enum Enquiry {
    /// It was sent a moment ago.
    Known(LeadId),
    /// It makes this lead, which nobody has made yet.
    New(LeadId, Box<Loaded<Lead>>),
}

/// What an equal body comes to now, whatever other processes have forgotten by now.
pub(super) async fn same_lead(log: &EventLog, digest: &str) -> ApiResult<Enquiry> {
    match lead_of(log, digest).await? {
        Enquiry::Known(_) => {
            log.let_go_of_forgotten().await?;
            lead_of(log, digest).await
        }
        new @ Enquiry::New(..) => Ok(new),
    }
}

/// The lead that an equal body makes now: its id comes from the body and the ten minutes it falls in, so that two at once
/// meet in one stream.
async fn lead_of(log: &EventLog, digest: &str) -> ApiResult<Enquiry> {
    let now = clock::now();
    let slice = now.timestamp() / SAME_LEAD_SECONDS;
    let within = async |slice: i64| -> ApiResult<(LeadId, Loaded<Lead>)> {
        let mut words = format!("{digest}:{slice}");
        loop {
            let id = LeadId(log.handles().id("lead_id", &words));
            let lead = log.load::<Lead>(id).await?;
            if !lead.state.is_forgotten() {
                return Ok((id, lead));
            }
            // Whoever sends the words of somebody who was forgotten is somebody new.
            words.push_str(":anew");
        }
    };
    let ((this, lead), (before, earlier)) = tokio::try_join!(within(slice), within(slice - 1))?;
    let recent = |lead: &Lead| {
        lead.created_at
            .is_some_and(|at| (now - at).num_seconds() < SAME_LEAD_SECONDS)
    };
    Ok(if recent(&lead.state) {
        Enquiry::Known(this)
    } else if recent(&earlier.state) {
        Enquiry::Known(before)
    } else {
        Enquiry::New(this, Box::new(lead))
    })
}
