//! Settings that administrators change while the server runs (row K13): value, unit, bounds, source, who changed it when, and undo.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use domain::second_factor::SecondFactor;
use domain::site_settings::{SITE_SETTINGS, SettingChange, SiteSettings, SiteSettingsCommand};
use domain::typed_number::spell_readings;
use domain::user::Role;
use eventlog::{commit, done_before_on};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{SettingSourceWord, SettingUnitWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::ADMIN;
use http_kit::request::{Path, RequestContext};
use http_kit::said::{Said, say};
use platform::config::Settings;
use platform::config::changeable::{CHANGEABLE, Changeable, ValueFault};
use projections::payment_audit::instant;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ADMIN, routes!(list_settings))
        .endpoint(ADMIN, routes!(change_setting))
}

/// One setting as administrators see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SiteSetting {
    /// As in `latchkey.toml`.
    name: &'static str,
    value: String,
    #[schema(value_type = SettingUnitWord)]
    unit: &'static str,
    /// The smallest number, or the fewest letters.
    least: u64,
    /// The largest number, or the most letters.
    most: u64,
    #[schema(value_type = SettingSourceWord)]
    source: &'static str,
    /// Value in force once it is given back.
    without_here: String,
    /// The latest changes, newest first.
    changes: Vec<SettingChangeView>,
}

/// One change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SiteSettingChange)]
pub struct SettingChangeView {
    /// Null: given back to file and environment.
    value: Option<String>,
    /// Null for the command line.
    by: Option<String>,
    /// RFC 3339.
    at: String,
}

/// A new value; null gives the setting back to file and environment.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "value": "800", "was": "1000" }))]
pub struct ChangeSetting {
    value: Option<String>,
    /// The value that the change was made from: a change that came too late is refused.
    was: Option<String>,
}

/// Every setting that can be changed here.
///
/// # Errors
/// 401 or 403 for everybody but administrators.
#[utoipa::path(get, path = "/api/v0/workspace/settings", responses((status = 200, body = Success<Vec<SiteSetting>>)))]
pub async fn list_settings(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<Vec<SiteSetting>>> {
    let set = records.log.load::<SiteSettings>(SITE_SETTINGS).await?.state;
    let mut names = HashMap::new();
    let mut all = Vec::with_capacity(CHANGEABLE.len());
    for setting in CHANGEABLE {
        all.push(shown(&records, &settings, setting, &set, &mut names).await?);
    }
    Ok(Success::new(all))
}

async fn shown(
    records: &Records,
    settings: &Settings,
    setting: &Changeable,
    set: &SiteSettings,
    names: &mut HashMap<String, String>,
) -> ApiResult<SiteSetting> {
    let (value, source) = settings.present(setting.name);
    let mut changes = Vec::new();
    for SettingChange { value, by, at } in set.changes.get(setting.name).into_iter().flatten().rev() {
        let by = match by {
            Some(by) => Some(staff_name(&records.log, settings, &by.to_string(), names).await?),
            None => None,
        };
        changes.push(SettingChangeView {
            value: value.clone(),
            by,
            at: instant(*at),
        });
    }
    Ok(SiteSetting {
        name: setting.name,
        value,
        unit: setting.unit.key(),
        least: setting.least,
        most: setting.most,
        source: source.key(),
        without_here: settings.without_here(setting.name),
        changes,
    })
}

/// Changes a setting. It is in force here with the answer, and on other nodes within two seconds.
///
/// # Errors
/// 404 for a setting that cannot be changed here, 409 where it was changed meanwhile or would lock its caller out, 422 for a value that it
/// does not take.
#[utoipa::path(put, path = "/api/v0/workspace/settings/{name}", params(("name" = String, Path)), request_body = ChangeSetting,
    responses((status = 200, body = Success<SiteSetting>), (status = 404, body = Failure), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn change_setting(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(name): Path<String>,
    Body(request): Body<ChangeSetting>,
) -> ApiResult<Success<SiteSetting>> {
    let setting = Changeable::find(&name).ok_or_else(|| ApiError::not_found(say("refusal.no_setting")))?;
    let value = match &request.value {
        Some(value) => Some(
            setting
                .read(value)
                .map_err(|fault| wrong(setting, value, fault))?,
        ),
        None => None,
    };
    let set = records.log.load::<SiteSettings>(SITE_SETTINGS).await?.state;
    settings.here.replace(set.values());
    let (present, _) = settings.present(setting.name);
    let asked = context.command(staff.actor(), &(&name, &request));
    let before = done_before_on::<SiteSettings>(&records.log, SITE_SETTINGS, &asked).await?;
    let is_done = before.is_some() || value.as_ref() == Some(&present);
    if request.was.as_ref().is_some_and(|was| *was != present) && !is_done {
        let now = shown(&records, &settings, setting, &set, &mut HashMap::new()).await?;
        return Err(ApiError::conflict("setting_moved", say("refusal.setting_moved")).with_current(&now));
    }
    if setting.name == "second_factor_roles" {
        stays_in(&records, &staff, value.as_deref().unwrap_or_default()).await?;
    }
    let command = SiteSettingsCommand::Change {
        name,
        value,
        by: Some(staff.person.user_id),
        at: asked.at,
    };
    let changed = commit::<SiteSettings>(&records.log, SITE_SETTINGS, command, &asked).await?;
    records.answers_for(changed.position);
    // A repeated request knows the state that followed from the first: what was changed since stays in force.
    let state = if changed.repeated { set } else { changed.state };
    settings.here.replace(state.values());
    let now = shown(&records, &settings, setting, &state, &mut HashMap::new()).await?;
    Ok(Success::at(now, changed.position))
}

/// An administrator who requires a second step of their own role has one.
async fn stays_in(records: &Records, staff: &Staff, roles: &str) -> ApiResult<()> {
    let is_mine = |role: &Role| roles.split(',').any(|word| word == role.key());
    if !staff.roles.iter().any(is_mine) {
        return Ok(());
    }
    let own = records
        .log
        .load::<SecondFactor>(staff.person.user_id)
        .await?
        .state;
    if own.is_enrolled {
        Ok(())
    } else {
        Err(ApiError::conflict(
            "own_second_factor",
            say("refusal.own_second_factor"),
        ))
    }
}

fn wrong(setting: &Changeable, value: &str, fault: ValueFault) -> ApiError {
    let bounded = |key| say(key).with("least", setting.least).with("most", setting.most);
    let message = match fault {
        ValueFault::NoNumber => bounded("refusal.setting_number"),
        ValueFault::TwoWays => say_both_readings(value).unwrap_or_else(|| bounded("refusal.setting_number")),
        ValueFault::OutOfBounds => bounded("refusal.setting_bounds"),
        ValueFault::NoSwitch => say("refusal.setting_switch"),
        ValueFault::NoRole => say("refusal.setting_role"),
        ValueFault::NoAddress => say("refusal.setting_address"),
        ValueFault::NoRating => say("refusal.setting_rating"),
        ValueFault::NoMember => say("refusal.setting_member"),
    };
    ApiError::invalid_field("value", fault.code(), message)
}

/// How a doubted amount can be read, and what to write; nothing for a text that is read in no way.
fn say_both_readings(value: &str) -> Option<Said> {
    let value = value.trim();
    match &*spell_readings(value) {
        [whole, part] => Some(
            say("refusal.setting_two_ways")
                .with("typed", value)
                .with("whole", whole)
                .with("part", part),
        ),
        [whole] => Some(
            say("refusal.setting_unclear")
                .with("typed", value)
                .with("whole", whole),
        ),
        _ => None,
    }
}
