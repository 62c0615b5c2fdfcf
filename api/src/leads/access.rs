//! Who may see and change a lead (D80, T12): the holder of its capability, its owner, and staff (masked). Everybody else
//! learns that there is no such lead.

use domain::id::LeadId;
use domain::lead::Lead;
use domain::user::Role;
use eventlog::Revision;
use projections::lead_board::query;
use uuid::Uuid;

use super::answer::View;
use crate::app::App;
use crate::caller::Caller;
use crate::clock;
use crate::error::{ApiError, ApiResult};

/// T12: a lead can be changed by its capability alone for this long; afterwards its owner logs in.
const CAPABILITY_DAYS: i64 = 30;

/// A lead that the caller may see.
#[derive(Debug, Clone)]
pub struct Seen {
    pub lead_id: LeadId,
    pub lead: Lead,
    pub version: Revision,
    pub view: View,
    /// Seen by ownership rather than by the capability.
    pub is_owner: bool,
}

/// Opens a lead by capability or id.
///
/// # Errors
/// 404, whether it is absent or somebody else's.
pub async fn open(app: &App, caller: &Caller, id: &str) -> ApiResult<Seen> {
    let uuid: Uuid = id.parse().map_err(|_| ApiError::not_found("Lead"))?;
    let hasher = app.log.handles();
    let by_capability = query::find_by_uuid(app.read.readers(), hasher, uuid).await?;
    let lead_id = by_capability.unwrap_or(LeadId(uuid));
    let loaded = app.log.load::<Lead>(lead_id).await?;
    let lead = loaded.state;
    let Some((submission, personal)) = lead.submission.as_deref().zip(lead.personal.as_ref()) else {
        return Err(ApiError::not_found("Lead"));
    };
    let is_owner = caller.person.as_ref().is_some_and(|person| {
        person.owns(
            submission.person_id,
            Some(&personal.email),
            Some(personal.phone.e164()),
        )
    });
    let is_support = caller
        .roles(app)
        .iter()
        .any(|role| matches!(role, Role::Support | Role::Admin));
    let view = if by_capability.is_some() || is_owner {
        View::Own
    } else if is_support {
        View::Masked
    } else {
        return Err(ApiError::not_found("Lead"));
    };
    Ok(Seen {
        lead_id,
        version: loaded.revision,
        view,
        is_owner,
        lead,
    })
}

impl Seen {
    /// # Errors
    /// 404 for staff, who act through the workspace; 403 where the capability is too old to change anything.
    pub fn changeable(&self) -> ApiResult<()> {
        if self.view == View::Masked {
            return Err(ApiError::not_found("Lead"));
        }
        let age = self
            .lead
            .created_at
            .map_or(chrono::TimeDelta::zero(), |at| clock::now() - at);
        if !self.is_owner && age.num_days() >= CAPABILITY_DAYS {
            let message = "This link can no longer change the enquiry. Log in to go on";
            return Err(ApiError::new(
                axum::http::StatusCode::FORBIDDEN,
                "link_too_old",
                message,
            ));
        }
        Ok(())
    }
}
