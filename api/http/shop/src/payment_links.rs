//! Payment links that staff made for a booking, as its owner's profile shows them (D38).

use domain::id::LeadId;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::payment::link_state::LinkState;
use http_kit::contract::words::{PaymentLinkStateWord, PaymentTypeWord};
use http_kit::error::ApiResult;
use platform::clock;
use projections::payment_audit::instant;
use projections::payment_page;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

/// One link: to be paid, paid, or over.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ActivityLink)]
pub struct LinkLine {
    /// Its payment's secret half: the page is `/payments/{token}`.
    token: String,
    #[serde(rename = "type")]
    #[schema(value_type = PaymentTypeWord)]
    kind: &'static str,
    #[schema(value_type = PaymentLinkStateWord)]
    state: &'static str,
    total_minor: u64,
    currency: &'static str,
    symbol: &'static str,
    decimals: u32,
    due_on: Option<String>,
    expires_at: String,
}

/// The links of a booked lead; a lead that never was booked has none.
///
/// # Errors
/// When the log or the read models cannot be read.
pub async fn of_booking(records: &Records, lead_id: LeadId, lead: &Lead) -> ApiResult<Vec<LinkLine>> {
    let mut links = Vec::new();
    if lead.booked_by.is_none() {
        return Ok(links);
    }
    for id in payment_page::of_lead(records.read.readers(), lead_id).await? {
        let payment = records.log.load::<Payment>(id).await?.state;
        let state = LinkState::of(&payment, clock::now());
        links.extend(state.and_then(|state| line(&payment, state)));
    }
    Ok(links)
}

fn line(payment: &Payment, state: LinkState) -> Option<LinkLine> {
    let (terms, token) = (payment.terms.as_ref()?, payment.token.clone()?);
    let currency = terms.quote.currency;
    let is_shown = state != LinkState::Withdrawn;
    is_shown.then(|| LinkLine {
        token,
        kind: terms.quote.lines.first().map_or("rent", |line| line.kind.code()),
        state: state.name(),
        total_minor: terms.quote.total_minor,
        currency: currency.code(),
        symbol: currency.symbol(),
        decimals: currency.decimals(),
        due_on: terms.link.and_then(|link| link.due_on).map(|day| day.to_string()),
        expires_at: instant(terms.expires_at),
    })
}
