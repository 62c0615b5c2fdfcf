//! Leads and forms behind the links of students.

use std::str::FromStr;

use domain::id::{BookingFormId, LeadId};
use eventlog::HandleHasher;
use sqlx::AnyPool;
use uuid::Uuid;

use super::lead_uuid_hash;

/// The lead that a capability opens.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find_by_uuid(
    pool: &AnyPool,
    hasher: &HandleHasher,
    lead_uuid: Uuid,
) -> Result<Option<LeadId>, sqlx::Error> {
    let row: Option<(String,)> = sqlx::query_as("select lead_id from lead_board where lead_uuid_hash = $1")
        .bind(lead_uuid_hash(hasher, lead_uuid))
        .fetch_optional(pool)
        .await?;
    Ok(row.and_then(|(id,)| LeadId::from_str(&id).ok()))
}

/// The lead that a link opened until it was taken from the account that a mistyped address gave it to.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find_by_former_link(
    pool: &AnyPool,
    hasher: &HandleHasher,
    lead_uuid: Uuid,
) -> Result<Option<LeadId>, sqlx::Error> {
    let lead: Option<String> =
        sqlx::query_scalar("select lead_id from lead_former_link where lead_uuid_hash = $1")
            .bind(lead_uuid_hash(hasher, lead_uuid))
            .fetch_optional(pool)
            .await?;
    Ok(lead.and_then(|id| LeadId::from_str(&id).ok()))
}

/// The form behind its public name, with its lead.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find_form(
    pool: &AnyPool,
    form_uuid: Uuid,
) -> Result<Option<(BookingFormId, LeadId)>, sqlx::Error> {
    let row: Option<(String, String)> =
        sqlx::query_as("select form_id, lead_id from form_link where form_uuid = $1")
            .bind(form_uuid.to_string())
            .fetch_optional(pool)
            .await?;
    Ok(row.and_then(|(form, lead)| {
        Some((
            BookingFormId::from_str(&form).ok()?,
            LeadId::from_str(&lead).ok()?,
        ))
    }))
}
