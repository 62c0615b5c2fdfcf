//! Changes the draft of a brand, value by value: one that is not named stays, and null gives a value back to what ships.

use domain::aggregate::Decide as _;
use domain::brand::look::BrandLook;
use domain::brand::{Brand, BrandCommand};
use domain::id::{BrandId, UserId};
use eventlog::{Append, Appended, CommitError, Context, EventLog, Revision, commit_together};
use serde_json::{Map, Value, json};

use crate::error::BrandError;
use crate::questions::brand_state::is_changed_since;

/// Changes of a draft.
#[derive(Debug, Clone)]
pub struct ChangeDraft {
    pub brand_id: BrandId,
    /// The revision of the brand that the editor read; `None` where nothing was read before.
    pub revision: Option<Revision>,
    /// Values by their names, as a merge patch (RFC 7396).
    pub changes: Map<String, Value>,
    /// `None` for the command line.
    pub by: Option<UserId>,
}

/// Changes a draft.
///
/// # Errors
/// The reason as a [`BrandError`], and whatever else stands against an append.
pub async fn change_draft(
    log: &EventLog,
    change: &ChangeDraft,
    context: &Context,
) -> Result<Appended, CommitError<BrandError>> {
    commit_together(log, context, |append| compose(log, change, context, append)).await
}

async fn compose(
    log: &EventLog,
    change: &ChangeDraft,
    context: &Context,
    append: Append,
) -> Result<Append, CommitError<BrandError>> {
    let read = log.load::<Brand>(change.brand_id).await?;
    if let Some(revision) = change.revision
        && is_changed_since(log, change.brand_id, (revision, read.revision)).await?
    {
        return Err(CommitError::Rejected(BrandError::ChangedMeanwhile));
    }
    let look = merge_look(&read.state.draft, &change.changes).map_err(CommitError::Rejected)?;
    let command = BrandCommand::Draft {
        look: Box::new(look),
        by: change.by,
        at: context.at,
    };
    let decided = read.state.decide(command);
    let events = decided.map_err(|rejection| CommitError::Rejected(BrandError::from(rejection)))?;
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(change.brand_id, &read, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

/// The look with these changes in it.
///
/// # Errors
/// The first value that there is not, or that cannot be read.
pub fn merge_look(look: &BrandLook, changes: &Map<String, Value>) -> Result<BrandLook, BrandError> {
    let Ok(Value::Object(mut merged)) = serde_json::to_value(look) else {
        return Err(BrandError::NoValues);
    };
    for (name, change) in changes {
        let mut value = merged.remove(name).unwrap_or(Value::Null);
        merge(&mut value, change);
        if value.is_null() {
            check_name(name)?;
            continue;
        }
        let alone = json!({ name: value });
        if serde_json::from_value::<BrandLook>(alone).is_err() {
            check_name(name)?;
            return Err(BrandError::Unreadable(name.clone()));
        }
        merged.insert(name.clone(), value);
    }
    serde_json::from_value(Value::Object(merged)).map_err(|_| BrandError::NoValues)
}

/// RFC 7396: objects are merged, everything else takes the place of what was there.
fn merge(value: &mut Value, change: &Value) {
    let Value::Object(changes) = change else {
        *value = change.clone();
        return;
    };
    if !value.is_object() {
        *value = json!({});
    }
    if let Value::Object(members) = value {
        for (name, change) in changes {
            if change.is_null() {
                members.remove(name);
            } else {
                merge(members.entry(name.clone()).or_insert(Value::Null), change);
            }
        }
    }
}

/// Names of values are the fields of a look: one that a look refuses whatever it holds is none.
fn check_name(name: &str) -> Result<(), BrandError> {
    if VALUES.contains(&name) {
        Ok(())
    } else {
        Err(BrandError::UnknownValue(name.to_owned()))
    }
}

/// Every value of a look, in the order in which it is shown.
pub const VALUES: [&str; 21] = [
    "name",
    "tagline",
    "logo",
    "logo_dark",
    "favicon",
    "app_icon",
    "social_picture",
    "main_colour",
    "button_colour",
    "footer_colour",
    "font",
    "hero",
    "hero_lede",
    "sections",
    "mail_small_print",
    "letterhead",
    "support",
    "footer_links",
    "first_language",
    "currency",
    "region",
];

#[cfg(test)]
mod tests;
