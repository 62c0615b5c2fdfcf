//! Why a value is what it is (N2): every event that set it, with its actor and its request, oldest first.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axum::extract::State;
use http_kit::caller::{Sessions, Staff};
use http_kit::contract::words::StreamKindWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::history_reads::Reading;
use http_kit::permissions::SUPPORT;
use http_kit::request::{Query, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use projections::lead_timeline::pages::{outline, page, positions};
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::Services;
use crate::history::{ActorRef, FIELDS, Reader, Sentence, TimelineEvent, all_told};
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(why))
}

/// Answered at most, the newest; a value that moved more often is read in the replay.
const CAUSES: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct WhyQuery {
    /// The id of a lead, whose form, payments, conversations and person belong to it.
    aggregate: String,
    /// A JSON pointer whose last part is the field: `/user_details/phone`, `/payment/captured`.
    path: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Why {
    #[schema(value_type = StreamKindWord)]
    stream: &'static str,
    field: &'static str,
    /// Oldest first; the last one is why the value is what it is.
    causes: Vec<Cause>,
}

/// An event that set the value.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cause {
    /// Its place in the lead's history, from 1.
    n: u64,
    position: i64,
    #[serde(rename = "type")]
    event_type: String,
    recorded_at: String,
    actor: ActorRef,
    /// The request or flow that it belongs to.
    correlation_id: String,
    because_of: Option<u64>,
    sentence: Sentence,
    /// Masked as in the history.
    #[schema(value_type = Option<String>)]
    from: Value,
    #[schema(value_type = Option<String>)]
    to: Value,
}

/// Every event that set a value of a lead, oldest first, with its actor and its request.
///
/// # Errors
/// 404 for an unknown lead and for a value that was never set, 422 for a path that names no field.
#[utoipa::path(get, path = "/api/v0/workspace/why", params(WhyQuery),
    responses((status = 200, body = Success<Why>), (status = 404), (status = 422)))]
pub async fn why(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Query(asked): Query<WhyQuery>,
) -> ApiResult<Success<Why>> {
    let (stream, field) = field_of(&asked.path)
        .ok_or_else(|| ApiError::invalid_field("path", "unknown", say("refusal.unknown_field_path")))?;
    let (lead_id, _) = board_row(&records, &asked.aggregate).await?;
    Reading::by(&sessions, &context, &staff).lead(lead_id).await?;
    let pool = records.read.readers();
    let tracks = outline(pool, lead_id).await?.tracks;
    let of_field = tracks
        .iter()
        .filter(|track| track.kind == stream && track.field == field);
    let set_at: HashSet<u64> = of_field
        .flat_map(|track| track.changes.iter().map(|(n, _)| *n))
        .collect();
    let mut set_at: Vec<u64> = set_at.into_iter().collect();
    set_at.sort_unstable();
    if set_at.is_empty() {
        return Err(ApiError::not_found(say("refusal.value_never_set")));
    }
    let positions = positions(pool, lead_id).await?;
    let reader = Reader::new(&records, &settings, &staff.person);
    let (mut names, mut causes) = (HashMap::new(), Vec::new());
    for n in &set_at[set_at.len().saturating_sub(CAUSES)..] {
        let at = usize::try_from(*n).unwrap_or(usize::MAX);
        let placed = page(pool, lead_id, &positions, (at, 1)).await?;
        for event in all_told(&reader, placed, &mut names).await? {
            causes.push(cause(&records, event, field).await?);
        }
    }
    Ok(Success::new(Why {
        stream,
        field,
        causes,
    }))
}

async fn cause(records: &Records, event: TimelineEvent, field: &str) -> ApiResult<Cause> {
    let at = event.position.unsigned_abs();
    let record = records.log.span(at, at).await?.into_iter().next();
    let record = record.ok_or_else(|| ApiError::broken("an event of the history is not in the log"))?;
    let changes = event.changes.as_array().into_iter().flatten();
    let change = changes
        .into_iter()
        .find(|change| change["field"] == field)
        .cloned();
    let change = change.unwrap_or_default();
    Ok(Cause {
        n: event.n,
        position: event.position,
        event_type: event.event_type,
        recorded_at: event.recorded_at,
        actor: event.actor,
        correlation_id: record.correlation_id.to_string(),
        because_of: event.because_of,
        sentence: event.sentence,
        from: change["from"].clone(),
        to: change["to"].clone(),
    })
}

/// The stream and the field that a path names by its last part; its first part chooses between fields of one name.
fn field_of(path: &str) -> Option<(&'static str, &'static str)> {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let (first, last) = (parts.clone().next()?, parts.next_back()?);
    let named = || {
        FIELDS.iter().flat_map(|(stream, fields)| {
            let named = fields.iter().filter(|field| **field == last);
            named.map(move |field| (*stream, *field))
        })
    };
    let of_first = named().find(|(stream, _)| *stream == first);
    of_first.or_else(|| named().next())
}

#[cfg(test)]
mod tests {
    use super::field_of;

    #[test]
    fn path_names_a_field_by_its_last_part() {
        assert_eq!(field_of("/user_details/phone"), Some(("lead", "phone")));
        assert_eq!(field_of("/payment/captured"), Some(("payment", "captured")));
        assert_eq!(field_of("/data/colour"), None);
        assert_eq!(field_of("///"), None);
    }
}
