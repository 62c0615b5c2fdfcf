//! What staff change of an enquiry as its student asked: under the rules of the student's own change (row I4).

use domain::id::LeadId;
use domain::lead::Lead;
use eventlog::{Context, Position};
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_errors;
use platform::clock;
use records::Records;
use serde_json::{Map, Value, json};

use super::{correction, merge, move_in, payload, viewing};

/// The stay that the student wishes for. What is not said stays as it is.
#[derive(Debug, Clone, Default)]
pub struct StayWish {
    /// A day (`2027-09-11`) or a month (`2027-09`).
    pub move_in_date: Option<String>,
    /// As rooms are let: `44 weeks`.
    pub lease_duration: Option<String>,
}

/// Changes the stay and says where the log then stood.
///
/// # Errors
/// 422 naming the field, 409 where the lead is closed or booked.
pub async fn change_stay(
    records: &Records,
    lead_id: LeadId,
    wish: &StayWish,
    asked: &Context,
) -> ApiResult<Position> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let mut said_anew = Map::new();
    for (name, said) in [
        ("move_in_date", &wish.move_in_date),
        ("lease_duration", &wish.lease_duration),
    ] {
        if let Some(said) = said {
            said_anew.insert(name.to_owned(), Value::from(said.trim()));
        }
    }
    let merged = merge::merged(&lead, &json!({ "lead": { "data": said_anew } }))?;
    let over = move_in::fault_of_change(records, &lead, merged.data.move_in_date.as_ref()).await?;
    let zone = viewing::zone_of_lead(records, &lead).await?;
    let checked = payload::with(payload::check(&merged, clock::now(), zone), [over])
        .map_err(|faults| ApiError::invalid(field_errors(&faults)))?;
    let change = correction::Change {
        edition: None,
        wish: checked.wish,
        personal: None,
        viewing: None,
    };
    correction::change(records, lead_id, &change, asked).await
}
