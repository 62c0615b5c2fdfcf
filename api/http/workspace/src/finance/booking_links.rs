//! The payment links of a payment's lead, as finance reads them beside a refund: what is withdrawn with the booking, and what was paid
//! and stays until finance gives it back.

use domain::id::{LeadId, PaymentId};
use domain::payment::Payment;
use domain::payment::link_state::LinkState;
use http_kit::contract::words::{PaymentLinkStateWord, PaymentTypeWord};
use http_kit::error::ApiResult;
use platform::clock;
use projections::payment_audit::reference;
use projections::payment_page;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

/// A payment link of the same lead.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookingLink {
    pub payment_id: String,
    pub reference: String,
    #[serde(rename = "type")]
    #[schema(value_type = PaymentTypeWord)]
    pub kind: &'static str,
    /// Open ones are withdrawn when the booking ends; the money of paid ones goes back by a refund of each.
    #[schema(value_type = PaymentLinkStateWord)]
    pub state: &'static str,
    pub total_minor: u64,
    pub refundable_minor: u64,
}

/// The links of a lead beside one of its payments, oldest first.
///
/// # Errors
/// When log or read models cannot be read.
pub async fn beside(records: &Records, lead_id: LeadId, own: PaymentId) -> ApiResult<Vec<BookingLink>> {
    let mut links = Vec::new();
    for id in payment_page::of_lead(records.heard().await?, lead_id).await? {
        if id == own {
            continue;
        }
        let payment = records.log.load::<Payment>(id).await?.state;
        let (Some(terms), Some(state)) = (&payment.terms, LinkState::of(&payment, clock::now())) else {
            continue;
        };
        links.push(BookingLink {
            payment_id: id.to_string(),
            reference: reference(id),
            kind: terms.quote.lines.first().map_or("rent", |line| line.kind.code()),
            state: state.name(),
            total_minor: terms.quote.total_minor,
            refundable_minor: payment.refundable_minor(),
        });
    }
    Ok(links)
}
