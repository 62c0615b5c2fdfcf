//! Who looked at my data: what staff looked at of the caller, when and in which role, never the colleague's own name (row I6).

use axum::extract::State;
use domain::id::UserId;
use domain::user::{Role, User};
use http_kit::caller::Person;
use http_kit::contract::words::{LookWord, RoleWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use projections::lead_board;
use projections::looks::{self, LookFilter};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::LoggedIn, routes!(own_data_reads))
}

/// Looks that are shown: the newest.
const SHOWN: u64 = 100;

/// One look at the caller's data.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnDataRead {
    /// RFC 3339.
    looked_at: String,
    /// Null for looks recorded before this was noted.
    #[schema(value_type = Option<LookWord>)]
    what: Option<String>,
    /// The role of who looked; null for an account that has none any more.
    #[schema(value_type = Option<RoleWord>)]
    role: Option<Role>,
    /// The enquiry it was about.
    reference: String,
}

/// Looks at the caller's data, the newest first.
///
/// # Errors
/// 401 for a visitor.
#[utoipa::path(get, path = "/api/v0/users/data_reads", responses((status = 200, body = Success<Vec<OwnDataRead>>)))]
pub async fn own_data_reads(
    State(records): State<Records>,
    _context: RequestContext,
    person: Person,
) -> ApiResult<Success<Vec<OwnDataRead>>> {
    let pool = records.heard().await?;
    let filter = LookFilter {
        person: Some(person.user_id),
        ..LookFilter::default()
    };
    let mut shown = Vec::new();
    for row in looks::list(pool, &filter, SHOWN).await? {
        let role = match row.by_id.parse::<UserId>() {
            Ok(by) => records.log.load::<User>(by).await?.state.roles.first().copied(),
            Err(_) => None,
        };
        let lead = match row.lead_id.parse() {
            Ok(id) => lead_board::query::row(pool, id).await?,
            Err(_) => None,
        };
        shown.push(OwnDataRead {
            looked_at: row.looked_at,
            what: row.what,
            role,
            reference: lead.map(|lead| lead.reference).unwrap_or_default(),
        });
    }
    Ok(Success::new(shown))
}
