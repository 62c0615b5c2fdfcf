//! Values of a history that are stored as ids and shown by name: members of staff, and the lead that goes on instead of a double.

use std::collections::HashMap;

use domain::id::LeadId;
use domain::lead::Lead;
use eventlog::EventLog;
use http_kit::error::ApiResult;
use platform::config::Settings;
use projections::lead_timeline::pages::Outline;
use serde_json::Value;

use crate::staff_names::staff_name;

/// What the id in a field is called; `None` where the field holds no id.
async fn name_of(
    (log, settings): (&EventLog, &Settings),
    field: &str,
    id: &str,
    names: &mut HashMap<String, String>,
) -> ApiResult<Option<String>> {
    match field {
        "owner" | "case_owner" | "refund_asked_by" => Ok(Some(staff_name(log, settings, id, names).await?)),
        "double_of" => Ok(Some(reference_of(log, id, names).await?)),
        _ => Ok(None),
    }
}

/// What people call a lead by; its id where it is not known.
async fn reference_of(log: &EventLog, id: &str, names: &mut HashMap<String, String>) -> ApiResult<String> {
    if let Some(reference) = names.get(id) {
        return Ok(reference.clone());
    }
    let reference = match id.parse::<LeadId>() {
        Ok(lead_id) => {
            let sent = log.load::<Lead>(lead_id).await?.state.submission;
            sent.map(|sent| sent.reference)
        }
        Err(_) => None,
    };
    let reference = reference.unwrap_or_else(|| id.to_owned());
    names.insert(id.to_owned(), reference.clone());
    Ok(reference)
}

/// Puts names in place of the ids in the changes of an event.
pub(crate) async fn name_changes(
    from: (&EventLog, &Settings),
    changes: &mut Value,
    names: &mut HashMap<String, String>,
) -> ApiResult<()> {
    for change in changes.as_array_mut().into_iter().flatten() {
        let field = change["field"].as_str().unwrap_or_default().to_owned();
        for end in ["from", "to"] {
            let Some(id) = change[end].as_str().map(str::to_owned) else {
                continue;
            };
            if let Some(name) = name_of(from, &field, &id, names).await? {
                change[end] = Value::String(name);
            }
        }
    }
    Ok(())
}

/// The same in a long history's outline.
pub(crate) async fn name_tracks(
    from: (&EventLog, &Settings),
    outline: &mut Outline,
    names: &mut HashMap<String, String>,
) -> ApiResult<()> {
    for track in &mut outline.tracks {
        for value in track.values.iter_mut().flatten() {
            if let Some(name) = name_of(from, &track.field, value, names).await? {
                *value = name;
            }
        }
    }
    Ok(())
}
