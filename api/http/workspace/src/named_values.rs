//! Values of a history that are shown in another form than they are stored: ids of staff and of the lead that goes on instead of a double
//! by name, amounts in the reader's language.

use std::collections::HashMap;

use domain::id::LeadId;
use domain::language::Language;
use domain::lead::Lead;
use eventlog::EventLog;
use http_kit::error::ApiResult;
use platform::config::Settings;
use platform::forms::forms_of;
use projections::lead_timeline::AMOUNTS;
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

/// Writes the amounts in an event's changes and in its sentence as the reader's language does.
pub(crate) fn write_amounts(lang: Language, changes: &mut Value, params: &mut Value) {
    for change in changes.as_array_mut().into_iter().flatten() {
        if change["field"].as_str().is_some_and(is_amount) {
            for end in ["from", "to"] {
                if let Some(value) = change.get_mut(end) {
                    write_amount(lang, value);
                }
            }
        }
    }
    for (name, value) in params.as_object_mut().into_iter().flatten() {
        if is_amount(name) {
            write_amount(lang, value);
        }
    }
}

/// The same in a long history's outline.
pub(crate) fn write_track_amounts(lang: Language, outline: &mut Outline) {
    for track in &mut outline.tracks {
        if is_amount(&track.field) {
            for value in track.values.iter_mut().flatten() {
                *value = forms_of(lang).write_kept_money(value);
            }
        }
    }
}

fn is_amount(name: &str) -> bool {
    AMOUNTS.contains(&name)
}

fn write_amount(lang: Language, value: &mut Value) {
    if let Some(kept) = value.as_str() {
        *value = Value::String(forms_of(lang).write_kept_money(kept));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_of_a_history_are_in_the_readers_language() {
        let mut changes = json!([
            { "field": "due", "from": "£1259.07", "to": "£0.00" },
            { "field": "captured", "from": null, "to": "£1259.07" },
            { "field": "reference", "from": null, "to": "£1259.07" },
        ]);
        let mut params = json!({ "amount": "KWD1256.250", "reason": "£1259.07", "total": "•••" });
        write_amounts(Language::De, &mut changes, &mut params);
        assert_eq!(
            changes,
            json!([
                { "field": "due", "from": "1.259,07\u{a0}£", "to": "0,00\u{a0}£" },
                { "field": "captured", "from": null, "to": "1.259,07\u{a0}£" },
                { "field": "reference", "from": null, "to": "£1259.07" },
            ])
        );
        assert_eq!(
            params,
            json!({ "amount": "1.256,250\u{a0}KWD", "reason": "£1259.07", "total": "•••" })
        );
    }
}
