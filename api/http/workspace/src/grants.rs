//! The grants page: which account holds which role, since when, given by whom, and taking a role back (row F4, D106).

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use domain::id::UserId;
use domain::second_factor::SecondFactor;
use domain::user::{Reach, Role, User, UserCommand};
use eventlog::{commit, done_before_on};
use http_kit::caller::Staff;
use http_kit::contract::words::RoleWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::ADMIN;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use projections::role_grant;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ADMIN, routes!(list_grants))
        .endpoint(ADMIN, routes!(revoke_grant))
}

/// One role of one account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RoleGrant)]
pub struct GrantView {
    user_id: String,
    /// The name, else the address before the company's domain; empty where no code has proved the address yet.
    name: String,
    /// The address or number that the role was given to.
    address: String,
    #[schema(value_type = RoleWord)]
    role: Role,
    /// RFC 3339.
    since: String,
    /// The administrator who gave it; null for the command line.
    by: Option<String>,
    /// True where it counts: for addresses of the company's domain that a code has proved.
    counts: bool,
    /// True where a device is enrolled for its second login step.
    second_factor: bool,
    /// True for the reader's own.
    own: bool,
}

/// Every role that is held, the newest first.
///
/// # Errors
/// 401 or 403 for everybody but administrators.
#[utoipa::path(get, path = "/api/v0/workspace/grants", responses((status = 200, body = Success<Vec<GrantView>>)))]
pub async fn list_grants(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    staff: Staff,
) -> ApiResult<Success<Vec<GrantView>>> {
    let mut names = HashMap::new();
    let mut shown = Vec::new();
    for grant in role_grant::all(records.heard().await?).await? {
        let (Ok(user_id), Some(role)) = (grant.user_id.parse::<UserId>(), Role::from_key(&grant.role)) else {
            continue;
        };
        let user = records.log.load::<User>(user_id).await?.state;
        let by = match &grant.granted_by {
            Some(by) => Some(staff_name(&records.log, &settings, by, &mut names).await?),
            None => None,
        };
        shown.push(GrantView {
            name: staff_name(&records.log, &settings, &grant.user_id, &mut names).await?,
            address: address_of(&user),
            role,
            since: grant.granted_at,
            by,
            counts: user.is_internal(Some(&settings.staff_email_domain)),
            second_factor: records.log.load::<SecondFactor>(user_id).await?.state.is_enrolled,
            own: user_id == staff.person.user_id,
            user_id: grant.user_id,
        });
    }
    Ok(Success::new(shown))
}

fn address_of(user: &User) -> String {
    let met = match &user.met_as {
        Some(Reach::Email(email)) => Some(email),
        Some(Reach::Phone(_)) | None => None,
    };
    let email = user.email.as_ref().or(met);
    email.map(|email| email.as_str().to_owned()).unwrap_or_default()
}

/// Takes a role back. The account's open logins have lost it with the answer, on every node: rights are read at each request.
///
/// # Errors
/// 404 for an account or role that does not exist, 409 for one's own role.
#[utoipa::path(delete, path = "/api/v0/workspace/grants/{id}/{role}",
    params(("id" = String, Path), ("role" = RoleWord, Path)),
    responses((status = 200, body = Success<bool>), (status = 404), (status = 409)))]
pub async fn revoke_grant(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path((id, role)): Path<(String, String)>,
) -> ApiResult<Success<bool>> {
    let unknown = || ApiError::not_found(say("refusal.no_grant"));
    let user_id: UserId = id.parse().map_err(|_| unknown())?;
    let role = Role::from_key(&role).ok_or_else(unknown)?;
    if user_id == staff.person.user_id {
        // An administrator stays, who can give roles back.
        return Err(ApiError::conflict("own_role", say("refusal.own_role")));
    }
    let asked = context.command(staff.actor(), &("revoke", &id, role));
    let before = done_before_on::<User>(&records.log, user_id, &asked).await?;
    let held = records
        .log
        .load::<User>(user_id)
        .await?
        .state
        .roles
        .contains(&role);
    // The repeated request finds no role: it was taken back by the first.
    if !held && before.is_none() {
        return Err(unknown());
    }
    let command = UserCommand::Revoke {
        role,
        by: Some(staff.person.user_id),
        at: asked.at,
    };
    let revoked = commit::<User>(&records.log, user_id, command, &asked).await?;
    records.answers_for(revoked.position);
    Ok(Success::at(true, revoked.position))
}
