//! Messages that staff begin with: in the reader's language, with what is known of their lead filled in.

use axum::extract::State;
use domain::inventory::Inventory;
use domain::lead::Lead;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Query, RequestContext};
use platform::texts::text;
use processes::message_language::find_lead_language;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(message_templates))
}

/// Each has a subject and words in the catalogues: `template.<name>.subject`, `template.<name>.words`.
const NAMES: [&str; 5] = ["documents", "payment", "move_in", "viewing", "more"];

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct TemplatesQuery {
    lead_id: String,
}

/// A message to begin with.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageTemplate {
    name: &'static str,
    subject: String,
    words: String,
}

/// The templates for one lead, in the language that its sender chose for messages, else the enquiry's.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/message_templates", tag = "support", params(TemplatesQuery),
    responses((status = 200, body = Success<Vec<MessageTemplate>>), (status = 404, body = Failure)))]
pub async fn message_templates(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Query(asked): Query<TemplatesQuery>,
) -> ApiResult<Success<Vec<MessageTemplate>>> {
    let (lead_id, row) = board_row(&records, &asked.lead_id).await?;
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let submission = lead.submission.as_ref();
    let language = find_lead_language(&records.log, &lead, None).await?;
    let home = match submission.and_then(|sent| sent.inventory_root_id) {
        Some(home) => records.log.load::<Inventory>(home).await?.state.property,
        None => None,
    };
    let home = home.map_or_else(
        || text(language, "template.a_home", &[]),
        |home| home.name.clone(),
    );
    let values = [("property", home.as_str()), ("reference", row.reference.as_str())];
    let filled = |name: &str, part: &str| text(language, &format!("template.{name}.{part}"), &values);
    let templates = NAMES.map(|name| MessageTemplate {
        name,
        subject: filled(name, "subject"),
        words: filled(name, "words"),
    });
    Ok(Success::new(templates.into()))
}
