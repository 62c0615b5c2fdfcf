//! Payments found by a person's address (row I6): finance says why, and the look is recorded with the person before anything is shown. The
//! address travels in the body, so that no address and no log line of a request holds it.

use std::collections::BTreeSet;

use axum::extract::State;
use chrono::TimeDelta;
use domain::contact::{Email, FieldFault};
use domain::id::LeadId;
use domain::payment::Payment;
use domain::user::{Look, User, UserCommand};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{DisputeStateWord, PaymentStatusWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::field_errors::field_errors;
use http_kit::permissions::FINANCE;
use http_kit::request::RequestContext;
use projections::lead_board::query;
use projections::payment_audit::reference;
use projections::payment_page;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dossier::name_dispute_state;
use crate::Services;
use crate::acts::written;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(find_by_email))
}

/// Leads of one address that are looked through.
const LEADS: i64 = 50;
/// How long a look lasts.
const LOOK_MINUTES: i64 = 15;

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "mei@example.com", "reason": "She asks where her refund is" }))]
pub struct PersonSearch {
    pub email: String,
    /// Why, for the record of looks.
    pub reason: String,
}

/// A payment of a lead that names the address.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonPayment {
    pub payment_id: String,
    pub reference: String,
    pub lead_id: String,
    pub lead_reference: String,
    #[schema(value_type = PaymentStatusWord)]
    pub status: &'static str,
    /// Null where no bank disputes it.
    #[schema(value_type = Option<DisputeStateWord>)]
    pub dispute: Option<&'static str>,
    pub captured_minor: u64,
    pub refunded_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
}

/// `POST /api/v0/workspace/payments/by_email`: the payments of leads that name an address, the newest lead first.
///
/// # Errors
/// 422 for an address that is none, and without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/payments/by_email", tag = "finance", request_body = PersonSearch,
    responses((status = 200, body = Success<Vec<PersonPayment>>), (status = 422, body = Failure)))]
pub async fn find_by_email(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<PersonSearch>,
) -> ApiResult<Success<Vec<PersonPayment>>> {
    let reason = written(&body.reason, "reason", 300)?;
    let email = Email::parse(&body.email)
        .map_err(|code| ApiError::invalid(field_errors(&[FieldFault::new("email", code)])))?;
    let asked = context.command(staff.actor(), &body);
    let pool = records.heard().await?;
    let leads = query::naming(pool, records.log.handles(), &email, LEADS).await?;
    let mut seen = BTreeSet::new();
    for row in &leads {
        let (Some(person), Ok(lead_id)) = (row.person(), row.lead_id.parse::<LeadId>()) else {
            continue;
        };
        if !seen.insert(person) {
            continue;
        }
        let command = UserCommand::Reveal {
            lead_id: Some(lead_id),
            by: staff.person.user_id,
            what: Look::Payments,
            reason: reason.clone(),
            until: asked.at + TimeDelta::minutes(LOOK_MINUTES),
            at: asked.at,
        };
        let step = asked.step(&person.to_string());
        let recorded = commit::<User>(&records.log, person, command, &step).await?;
        records.answers_for(recorded.position);
    }
    let mut found = Vec::new();
    for row in leads {
        let Ok(lead_id) = row.lead_id.parse::<LeadId>() else {
            continue;
        };
        for payment_id in payment_page::of_lead(pool, lead_id).await? {
            let payment = records.log.load::<Payment>(payment_id).await?.state;
            let Some(terms) = &payment.terms else { continue };
            let currency = terms.quote.currency;
            found.push(PersonPayment {
                payment_id: payment_id.to_string(),
                reference: reference(payment_id),
                lead_id: row.lead_id.clone(),
                lead_reference: row.reference.clone(),
                status: payment.status.name(),
                dispute: name_dispute_state(&payment),
                captured_minor: payment.captured_minor(),
                refunded_minor: payment.refunded_minor(),
                currency: currency.code(),
                decimals: currency.decimals(),
            });
        }
    }
    Ok(Success::new(found))
}
