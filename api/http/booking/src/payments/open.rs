//! Opening a payment: what is due comes from the catalogue, never from the request (T15); asked twice, there is one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::id::{BookingFormId, InventoryId, LeadId};
use domain::lead::Lead;
use domain::money::Currency;
use domain::payment::Payment;
use domain::payment::price::PaymentType;
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::{Capability, Reader};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure, FieldError};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::{say, unknown_value};
use platform::config::Settings;
use processes::payment_room;
use projections::{lead_board, listing_name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::opening::{Opening, frozen, other_room_booked};
use super::private;
use super::second_home::{LINKS_MAX, ask_about_second_home};
use super::view::{self, PaymentView};
use crate::Services;
use crate::leads::access;
use crate::payments::Payments;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Capability(Capability::LeadUuid), routes!(open_payment))
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "payment": {
    "lead_uuid": "01923456-789a-7bcd-8ef0-123456789abc",
    "inventory_id": "01923456-789a-7bcd-8ef0-123456789abd",
    "payment_types": ["deposit"]
} }))]
pub struct OpenBody {
    pub payment: OpenFields,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenFields {
    #[schema(value_type = String, format = Uuid)]
    pub lead_uuid: Uuid,
    /// The room: a child inventory.
    pub inventory_id: String,
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Uuid)]
    pub form_uuid: Option<Uuid>,
    /// Empty: everything that is due.
    #[serde(default)]
    #[schema(value_type = Vec<http_kit::contract::words::PaymentTypeWord>)]
    pub payment_types: Vec<String>,
    /// The student wants this home beside another one that is booked for the same time: it is not asked again.
    #[serde(default)]
    pub second_home: bool,
    /// Links of the browser's other enquiries, by which bookings without a login are known to be the same student's.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub other_leads: Vec<Uuid>,
}

/// `POST /api/v0/payments`.
///
/// # Errors
/// 404 for an unknown lead or room, 409 where the room cannot be booked, where its currency or the amount is not charged
/// (`currency_not_charged`, `amount_not_charged`) and, `booked_already`, where the student has a home for the same time and has not said
/// that another one is meant, 422 for a type that is not due.
#[utoipa::path(post, path = "/api/v0/payments", tag = "payments", request_body = OpenBody,
    responses((status = 201, body = Success<PaymentView>), (status = 403, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn open_payment(
    State(payments): State<Payments>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    caller: Caller,
    Body(body): Body<OpenBody>,
) -> ApiResult<Response> {
    let wished = wished(&body.payment.payment_types)?;
    // To go on with an enquiry that somebody has claimed takes their login (decision 0026).
    let enquiry = access::open(&payments.records, &caller, &body.payment.lead_uuid.to_string()).await?;
    enquiry.changeable(&caller)?;
    let lead_id = find_lead(&payments, body.payment.lead_uuid).await?;
    let lead = enquiry.lead;
    let (home_id, room_id) = find_room(&payments, &body.payment.inventory_id).await?;
    let room = payment_room::find(&payments.records.log, home_id, room_id)
        .await?
        .ok_or_else(|| ApiError::not_found(say("refusal.no_room")))?;
    charged_here(&payments, room.property.currency)?;
    let fee_rate = settings.fee_rate(room.property.country);
    of_the_enquiry(&lead, home_id)?;
    if lead.booked_inventory_id.is_some_and(|booked| booked != room_id) {
        return Err(other_room_booked());
    }
    if let Some(lease) = room.wanted_lease(&lead).filter(|_| !body.payment.second_home) {
        let links = body.payment.other_leads.iter().take(LINKS_MAX);
        let links: Vec<Uuid> = links.copied().collect();
        ask_about_second_home(&payments.records, (lead_id, &lead), lease.stay(), &links).await?;
    }
    let form_id = find_form(&payments, lead_id, body.payment.form_uuid).await?;
    let frozen = frozen(&payments, &lead, (home_id, &room.property)).await?;
    let opening = Opening {
        frozen,
        lead_id,
        lead,
        room,
        home_id,
        room_id,
        form_id,
        wished,
        fee_rate,
        language: context.lang,
        gateway: payments.gateway.clone(),
    };
    let command_context = context.command(caller.actor(), &body);
    let (payment_id, position) = opening.open(&payments.records.log, &command_context).await?;
    payments.records.answers_for(position);
    let loaded = payments.records.log.load::<Payment>(payment_id).await?;
    let token = loaded.state.token.clone().unwrap_or_default();
    let reader = Reader {
        caller,
        lead_uuid: Some(body.payment.lead_uuid),
    };
    let view = view::of(&payments, (context.lang, &reader), payment_id, &token, &loaded).await?;
    Ok(private((StatusCode::CREATED, Success::at(view, position))))
}

fn wished(names: &[String]) -> ApiResult<Vec<PaymentType>> {
    let unknown = |name: &String| {
        ApiError::invalid_field(
            "payment/payment_types",
            "unknown",
            unknown_value("payment/payment_types", name),
        )
    };
    names
        .iter()
        .map(|name| PaymentType::from_code(name).ok_or_else(|| unknown(name)))
        .collect()
}

async fn find_lead(payments: &Payments, lead_uuid: Uuid) -> ApiResult<LeadId> {
    let (readers, hasher) = (payments.records.read.readers(), payments.records.log.handles());
    let found = payments
        .records
        .sought(|| lead_board::query::find_by_uuid(readers, hasher, lead_uuid));
    found
        .await?
        .ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))
}

async fn find_room(payments: &Payments, inventory_id: &str) -> ApiResult<(InventoryId, InventoryId)> {
    let listing = listing_name::find(payments.records.read.readers(), inventory_id).await?;
    let listing = listing.ok_or_else(|| ApiError::not_found(say("refusal.no_room")))?;
    let (Some(room_id), Some(home_id)) = (listing.id(), listing.root()) else {
        return Err(ApiError::not_found(say("refusal.no_room")));
    };
    if room_id == home_id {
        return Err(ApiError::invalid_field(
            "payment/inventory_id",
            "room_needed",
            say("refusal.room_needed"),
        ));
    }
    Ok((home_id, room_id))
}

/// A payment that its provider would refuse is not opened.
fn charged_here(payments: &Payments, currency: Currency) -> ApiResult<()> {
    if payments.gateway.charges_in(currency) {
        return Ok(());
    }
    let says = say("refusal.currency_not_charged").with("currency", currency.code());
    Err(ApiError::conflict("currency_not_charged", says))
}

/// T15: what one property asks is not paid for a room of another.
fn of_the_enquiry(lead: &Lead, home_id: InventoryId) -> ApiResult<()> {
    let asked = lead
        .submission
        .as_ref()
        .and_then(|submission| submission.inventory_root_id);
    if asked.is_some_and(|asked| asked != home_id) {
        return Err(ApiError::conflict(
            "other_property",
            say("refusal.other_property"),
        ));
    }
    Ok(())
}

async fn find_form(
    payments: &Payments,
    lead_id: LeadId,
    form_uuid: Option<Uuid>,
) -> ApiResult<Option<BookingFormId>> {
    let Some(form_uuid) = form_uuid else {
        return Ok(None);
    };
    let form = lead_board::query::find_form(payments.records.heard().await?, form_uuid).await?;
    match form {
        Some((form_id, of_lead)) if of_lead == lead_id => Ok(Some(form_id)),
        Some(_) | None => Err(ApiError::invalid(vec![FieldError::new(
            "payment/form_uuid",
            "unknown",
            say("refusal.other_form"),
        )])),
    }
}
