//! A new link to a receipt for a reader whose own is over. It goes by mail to the address of the booking, never into the answer.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use http_kit::body::Body;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use messages::{Channel, Message, Outbox};
use platform::clock;
use processes::message_language::find_lead_language;
use processes::receipt_link::{self, Document, Pass};
use projections::payment_audit::reference;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

use super::{Booked, ReceiptOffice};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(renew_link))
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "pass": "20800-0123456789abcdef0123456789abcdef" }))]
pub struct RenewLinkBody {
    /// Of the link that is over.
    pub pass: String,
}

/// A new link is on its way, where the booking has an address.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkRenewed {
    pub number: String,
}

/// `POST /api/v0/receipts/{number}/link`: mails a new link to the address of the booking, once a day.
///
/// # Errors
/// 404 for a pass that this server has not made for this number, which counts as a guess (T14).
#[utoipa::path(post, path = "/api/v0/receipts/{number}/link", tag = "payments", request_body = RenewLinkBody,
    params(("number" = String, Path)),
    responses((status = 202, body = Success<LinkRenewed>), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub async fn renew_link(
    State(office): State<ReceiptOffice>,
    State(outbox): State<Outbox>,
    context: RequestContext,
    Path(number): Path<String>,
    Body(body): Body<RenewLinkBody>,
) -> ApiResult<Response> {
    let (log, now) = (office.log(), clock::now());
    let absent = || ApiError::not_found(say("refusal.no_receipt"));
    let found = office.find(&number).await?;
    let document = Document {
        number: &number,
        handed_over_at: found.as_ref().and_then(|found| found.lead.handed_over_at),
    };
    if receipt_link::look_at(log.handles(), document, &body.pass, now) == Pass::Wrong {
        office.payments.limits.count_guess(context.ip).await?;
        return Err(absent());
    }
    let Booked { facts, terms, lead } = found.ok_or_else(absent)?;
    let page = terms.language.or(Some(context.lang));
    let lang = find_lead_language(log, &lead, page).await?;
    // A forgotten payer has no address left to write to; the answer is the same.
    if let Some(person) = lead.personal {
        let url = receipt_link::address(log.handles(), &context.site.origin, document, now);
        let message = Message {
            key: format!("receipt_link:{number}:{}", now.date_naive()),
            kind: "receipt_link",
            channel: Channel::Email,
            recipient: person.email.as_str(),
            lang,
            values: &[
                ("name", person.name.as_str()),
                ("number", &number),
                ("reference", &reference(facts.payment_id)),
                ("receipt_url", &url),
            ],
            code: None,
            picture: None,
            unsubscribe: None,
            site: context.site.kept_name(),
            effect: None,
        };
        outbox.hand_in(std::slice::from_ref(&message)).await?;
    }
    Ok((StatusCode::ACCEPTED, Success::new(LinkRenewed { number })).into_response())
}
