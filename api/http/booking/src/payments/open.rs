//! Opening a payment: what is due comes from the catalogue, never from the request (T15); asked twice, there is one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::TimeDelta;
use domain::id::{BookingFormId, InventoryId, LeadId, PaymentId};
use domain::inventory::Inventory;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::price_lock::QuoteLock;
use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::payment::fee::FeeRate;
use domain::payment::price::{self, PaymentConfig, PaymentType, PriceRejection, Quote, Stage};
use domain::payment::terms::{Rent, Terms};
use domain::payment::{Payment, PaymentCommand, PaymentStatus};
use eventlog::{Context, EventLog, commit};
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::{Capability, Reader};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure, FieldError};
use http_kit::permissions::Access;
use http_kit::price_lock::frozen_home;
use http_kit::request::RequestContext;
use http_kit::said::{say, unknown_value};
use platform::config::Settings;
use platform::{clock, terms_of_use};
use processes::payment_room::{self, Room};
use processes::payment_token;
use projections::{lead_board, listing_name};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::private;
use super::view::{self, PaymentView};
use crate::Services;
use crate::leads::access;
use crate::payments::Payments;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Capability(Capability::LeadUuid), routes!(open_payment))
}

/// D100: a link is good for fourteen days.
const LINK_DAYS: i64 = 14;
/// Payments one lead may open for one room before a person should look at it.
const ATTEMPTS: u32 = 50;

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
}

/// `POST /api/v0/payments`.
///
/// # Errors
/// 404 for an unknown lead or room, 409 where the room cannot be booked, 422 for a type that is not due.
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
    let lead_id = find_lead(&payments, body.payment.lead_uuid).await?;
    // To go on with an enquiry that somebody has claimed takes their login (decision 0026).
    let enquiry = access::open(&payments.records, &caller, &body.payment.lead_uuid.to_string()).await?;
    enquiry.changeable(&caller)?;
    let lead = enquiry.lead;
    let (home_id, room_id) = find_room(&payments, &body.payment.inventory_id).await?;
    let room = payment_room::find(&payments.records.log, home_id, room_id)
        .await?
        .ok_or_else(|| ApiError::not_found(say("refusal.no_room")))?;
    let fee_rate = settings.fee_rate(room.property.country);
    of_the_enquiry(&lead, home_id)?;
    if lead.booked_inventory_id.is_some_and(|booked| booked != room_id) {
        return Err(other_room_booked());
    }
    let form_id = find_form(&payments, lead_id, body.payment.form_uuid).await?;
    let frozen = frozen(&payments, &lead, home_id).await?;
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

/// Everything a payment is opened from.
struct Opening {
    lead_id: LeadId,
    lead: Lead,
    room: Room,
    home_id: InventoryId,
    room_id: InventoryId,
    form_id: Option<BookingFormId>,
    wished: Vec<PaymentType>,
    /// The home as the enquiry froze it, while its deadline is not over (decision 0025).
    frozen: Option<(QuoteLock, Inventory)>,
    /// What the payer reads.
    language: Language,
    fee_rate: FeeRate,
}

impl Opening {
    /// Walks this lead's payments for this room, oldest first, to the one that can still be paid; opens the next when all are
    /// over. Two requests at once walk the same way and end at the same payment (E8).
    async fn open(&self, log: &EventLog, context: &Context) -> ApiResult<(PaymentId, u64)> {
        let mut stage = Stage::First;
        let mut continues = None;
        for attempt in 0..ATTEMPTS {
            let payment_id = nth(self.lead_id, self.room_id, attempt);
            let loaded = log.load::<Payment>(payment_id).await?;
            let Some(terms) = loaded.state.terms.clone() else {
                let quote = self.quote(stage)?;
                let opened = self.command(stage, continues, context)?;
                let committed =
                    commit::<Payment>(log, payment_id, opened, &context.step(&attempt.to_string())).await?;
                // Somebody opened it in this very moment: theirs is what counts, if it is for the same.
                let same = committed
                    .state
                    .terms
                    .is_some_and(|terms| same_lines(&terms.quote, &quote));
                if same {
                    return Ok((payment_id, committed.position));
                }
                continue;
            };
            match self.standing(&loaded.state, &terms, stage, context)? {
                Standing::Use => return Ok((payment_id, log.head().await?)),
                Standing::Over => {}
                Standing::HoldingFeePaid => {
                    stage = Stage::AfterHoldingFee;
                    continues = Some(payment_id);
                }
                Standing::Replace => {
                    let cancel = PaymentCommand::Cancel { at: context.at };
                    let context = context.step(&format!("replace {attempt}"));
                    commit::<Payment>(log, payment_id, cancel, &context).await?;
                }
            }
        }
        Err(ApiError::conflict(
            "too_many_payments",
            say("refusal.too_many_payments"),
        ))
    }

    fn standing(
        &self,
        payment: &Payment,
        terms: &Terms,
        stage: Stage,
        context: &Context,
    ) -> ApiResult<Standing> {
        let over = payment.cancelled_at.is_some() || context.at >= terms.expires_at;
        let wished = payment_room::fits(&self.lead.wish, terms.stay());
        Ok(match payment.status {
            PaymentStatus::Success => {
                let holding = terms
                    .quote
                    .lines
                    .iter()
                    .any(|line| line.kind == PaymentType::RefundableToken);
                let given_back =
                    payment.refunded_minor() + payment.refund_pending_minor() >= payment.captured_minor();
                match (
                    holding && self.form_id.is_some() && stage == Stage::First,
                    given_back,
                ) {
                    (_, true) => Standing::Over,
                    (true, false) if wished => Standing::HoldingFeePaid,
                    (true, false) => return Err(other_dates()),
                    (false, false) => Standing::Use,
                }
            }
            PaymentStatus::SoldOut => Standing::Over,
            PaymentStatus::Processing | PaymentStatus::Pending | PaymentStatus::InitLoading => Standing::Use,
            PaymentStatus::Init
            | PaymentStatus::InitFailure
            | PaymentStatus::Initiated
            | PaymentStatus::Failed => match over {
                true => Standing::Over,
                false if wished && same_lines(&terms.quote, &self.quote(stage)?) => Standing::Use,
                false => Standing::Replace,
            },
        })
    }

    /// What is due now: by the terms that the enquiry froze, unless those of today cost less.
    fn quote(&self, stage: Stage) -> ApiResult<Quote> {
        let lease = self.room.lease(&self.lead.wish);
        let price = lease.map_or(0, |lease| lease.price_minor);
        let now = self.quoted(&self.room.property, price, stage)?;
        let then = self.frozen.as_ref().zip(lease).and_then(|((_, home), lease)| {
            let property = home.property.as_ref()?;
            self.quoted(property, self.frozen_price(lease)?, stage).ok()
        });
        // A holding fee of then and a deposit of today are not the same thing at two prices.
        let same_kinds = |then: &Quote| {
            let kinds = then.lines.iter().map(|line| line.kind);
            kinds.eq(now.lines.iter().map(|line| line.kind))
        };
        let keeps = |then: &Quote| {
            then.currency == now.currency && then.total_minor < now.total_minor && same_kinds(then)
        };
        Ok(then.filter(keeps).unwrap_or(now))
    }

    /// What the enquiry's home asked for this lease when its price was frozen.
    fn frozen_price(&self, lease: &LeaseOption) -> Option<u64> {
        let (_, home) = self.frozen.as_ref()?;
        let room = home.rooms.iter().find(|room| room.details.id == self.room_id)?;
        room.lease(lease.stay()).map(|then| then.price_minor)
    }

    /// The rent of the stay that counts, and until when the payment can be begun: a price that only the enquiry keeps is not kept
    /// longer than its deadline.
    fn agreed(
        &self,
        lease: &LeaseOption,
        (quote, stage): (&Quote, Stage),
        at: Moment,
    ) -> ApiResult<(u64, Moment)> {
        let ends = at + TimeDelta::days(LINK_DAYS);
        let Some((lock, _)) = &self.frozen else {
            return Ok((lease.price_minor, ends));
        };
        let then = self.frozen_price(lease).unwrap_or(lease.price_minor);
        let rent = lock.counts(then, lease.price_minor, at);
        let today = self.quoted(&self.room.property, lease.price_minor, stage)?;
        let is_kept = rent < lease.price_minor || quote.total_minor < today.total_minor;
        Ok((rent, if is_kept { ends.min(lock.until) } else { ends }))
    }

    fn quoted(&self, property: &PropertyDetails, price: u64, stage: Stage) -> ApiResult<Quote> {
        let terms = &property.terms;
        let config = PaymentConfig {
            currency: property.currency,
            deposit_minor: terms.deposit_minor,
            refundable_token_minor: terms.refundable_token_minor,
            platform_fee_minor: terms.platform_fee_minor,
            max_deposit_minor: terms.max_deposit_minor,
            deposit_multiplier_hundredths: u64::from(terms.deposit_multiplier_percent),
        };
        let due = price::due(&config, price, stage);
        price::quote(config.currency, &due, &self.wished, self.fee_rate).map_err(
            |rejection| match rejection {
                PriceRejection::NotDue(kind) => ApiError::invalid_field(
                    "payment/payment_types",
                    "not_due",
                    say("refusal.not_due").with("kind", kind),
                ),
                PriceRejection::NothingDue | PriceRejection::TooLarge => {
                    ApiError::conflict("nothing_due", say("refusal.nothing_due"))
                }
                PriceRejection::TooSmall => {
                    ApiError::conflict("amount_too_small", say("refusal.amount_too_small"))
                }
            },
        )
    }

    fn command(
        &self,
        stage: Stage,
        continues: Option<PaymentId>,
        context: &Context,
    ) -> ApiResult<PaymentCommand> {
        if !self.room.bookable() {
            return Err(ApiError::conflict("not_bookable", say("refusal.not_bookable")));
        }
        let lease = self.room.lease(&self.lead.wish);
        let lease =
            lease.ok_or_else(|| ApiError::conflict("not_bookable", say("refusal.not_let_for_dates")))?;
        let subject = self.lead.person();
        let subject = subject.ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
        let token = payment_token::fresh();
        let quote = self.quote(stage)?;
        let (rent_minor, expires_at) = self.agreed(lease, (&quote, stage), context.at)?;
        let terms = Terms {
            lead_id: self.lead_id,
            subject,
            sealed_by: self.lead.sealed_by().filter(|key| *key != subject),
            inventory_root_id: self.home_id,
            room_id: self.room_id,
            form_id: self.form_id,
            country: self.room.property.country,
            lease: lease.length,
            move_in_date: lease.move_in,
            quote,
            rent: Some(Rent {
                amount_minor: rent_minor,
                period: self.room.property.period,
            }),
            token_digest: payment_token::digest(&token),
            opened_at: context.at,
            expires_at,
            continues,
            language: Some(self.language),
            terms_of_use: Some(terms_of_use::current().to_owned()),
            link: None,
        };
        Ok(PaymentCommand::Open {
            terms: Box::new(terms),
            token,
        })
    }
}

/// What the enquiry froze of this home, while the deadline is not over.
async fn frozen(
    payments: &Payments,
    lead: &Lead,
    home_id: InventoryId,
) -> ApiResult<Option<(QuoteLock, Inventory)>> {
    let lock = lead.submission.as_ref().and_then(|sent| sent.quote);
    let Some(lock) = lock.filter(|lock| lock.home_id == home_id && clock::now() < lock.until) else {
        return Ok(None);
    };
    let home = frozen_home(&payments.records.log, &lock).await?;
    Ok(Some((lock, home)))
}

/// What an earlier payment for the same room means for a new request.
enum Standing {
    Use,
    Over,
    HoldingFeePaid,
    /// Something else is due by now: the old one is cancelled.
    Replace,
}

/// One enquiry books one room.
pub(super) fn other_room_booked() -> ApiError {
    ApiError::conflict("other_room_booked", say("refusal.other_room_booked"))
}

/// The room of a holding fee is kept for the dates it was paid for.
fn other_dates() -> ApiError {
    ApiError::conflict("other_dates", say("refusal.other_dates"))
}

fn same_lines(one: &Quote, other: &Quote) -> bool {
    one.lines == other.lines && one.currency == other.currency
}

/// The payment that a lead opens for a room after this one, once this one is over; `None` for one that was opened another way.
pub(super) fn after(payment_id: PaymentId, (lead_id, room_id): (LeadId, InventoryId)) -> Option<PaymentId> {
    let own = (0..ATTEMPTS).find(|attempt| nth(lead_id, room_id, *attempt) == payment_id);
    own.map(|attempt| nth(lead_id, room_id, attempt + 1))
}

/// The name of a lead's n-th payment for a room: the same for everybody who asks, so that none is opened twice.
fn nth(lead_id: LeadId, room_id: InventoryId, attempt: u32) -> PaymentId {
    let digest = Sha256::new_with_prefix("payment")
        .chain_update(lead_id.0)
        .chain_update(room_id.0)
        .chain_update(attempt.to_be_bytes())
        .finalize();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    PaymentId(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}
