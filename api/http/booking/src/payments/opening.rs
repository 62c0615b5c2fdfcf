//! The terms that a payment is opened with: the stay, what is due of it now or by the price that the enquiry froze, and its number among the lead's
//! payments for the room.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::id::{BookingFormId, InventoryId, LeadId, PaymentId};
use domain::inventory::Inventory;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::price_lock::QuoteLock;
use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::lead::Lead;
use domain::lease::Stay;
use domain::moment::Moment;
use domain::payment::fee::FeeRate;
use domain::payment::price::{self, PaymentConfig, PaymentType, PriceRejection, Quote, Stage};
use domain::payment::terms::{Rent, Terms};
use domain::payment::{Payment, PaymentCommand, PaymentStatus};
use eventlog::{Context, EventLog, commit};
use gateway::PaymentGateway;
use http_kit::error::{ApiError, ApiResult};
use http_kit::price_lock::frozen_home;
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use processes::payment_room::{self, Room};
use processes::{accepted_terms, payment_token};
use sha2::{Digest, Sha256};

use crate::payments::Payments;

/// D100: a link is good for fourteen days.
const LINK_DAYS: i64 = 14;
/// Payments one lead may open for one room before a person should look at it.
const ATTEMPTS: u32 = 50;

/// Everything a payment is opened from.
pub(super) struct Opening {
    pub(super) lead_id: LeadId,
    pub(super) lead: Lead,
    pub(super) room: Room,
    pub(super) home_id: InventoryId,
    pub(super) room_id: InventoryId,
    pub(super) form_id: Option<BookingFormId>,
    pub(super) wished: Vec<PaymentType>,
    /// The home as the enquiry froze it, while its deadline is not over (decision 0025).
    pub(super) frozen: Option<(QuoteLock, Inventory)>,
    /// The answer to the payer.
    pub(super) language: Language,
    pub(super) fee_rate: FeeRate,
    pub(super) gateway: Arc<dyn PaymentGateway>,
}

impl Opening {
    /// Walks this lead's payments for this room, oldest first, to the one that can still be paid; opens the next when all are
    /// over. Two requests at once walk the same way and end at the same payment (E8).
    pub(super) async fn open(&self, log: &EventLog, context: &Context) -> ApiResult<(PaymentId, u64)> {
        let mut stage = Stage::First;
        let mut continues = None;
        for attempt in 0..ATTEMPTS {
            let payment_id = nth(self.lead_id, self.room_id, attempt);
            let loaded = log.load::<Payment>(payment_id).await?;
            let Some(terms) = loaded.state.terms.clone() else {
                let quote = self.quote(stage)?;
                let accepted = accepted_terms::find_version(log, self.language).await?;
                let opened = self.command((stage, continues), accepted, context)?;
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
        let wished = self.lead.wish.fits(terms.stay());
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

    /// The amount due now: by the terms that the enquiry froze, unless those of today cost less.
    fn quote(&self, stage: Stage) -> ApiResult<Quote> {
        let lease = self.room.wanted_lease(&self.lead);
        let asked = lease.map_or((0, None), asked_of);
        let now = self.quoted(&self.room.property, asked, stage)?;
        let then = self.frozen.as_ref().zip(lease).and_then(|((_, home), lease)| {
            let property = home.property.as_ref()?;
            self.quoted(property, asked_of(self.frozen_lease(lease)?), stage)
                .ok()
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

    /// This lease as the home had it when its price was frozen.
    fn frozen_lease(&self, lease: &LeaseOption) -> Option<&LeaseOption> {
        let (_, home) = self.frozen.as_ref()?;
        let room = home.rooms.iter().find(|room| room.details.id == self.room_id)?;
        room.lease(lease.stay())
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
        let then = self
            .frozen_lease(lease)
            .map_or(lease.price_minor, |then| then.price_minor);
        let rent = lock.counts(then, lease.price_minor, at);
        let today = self.quoted(&self.room.property, asked_of(lease), stage)?;
        let is_kept = rent < lease.price_minor || quote.total_minor < today.total_minor;
        Ok((rent, if is_kept { ends.min(lock.until) } else { ends }))
    }

    fn quoted(
        &self,
        property: &PropertyDetails,
        (price, deposit): (u64, Option<u64>),
        stage: Stage,
    ) -> ApiResult<Quote> {
        let terms = &property.terms;
        let config = PaymentConfig {
            currency: property.currency,
            deposit_minor: terms.deposit_minor,
            asks_no_deposit: terms.asks_no_deposit,
            refundable_token_minor: terms.refundable_token_minor,
            platform_fee_minor: terms.platform_fee_minor,
            max_deposit_minor: terms.max_deposit_minor,
            deposit_multiplier_hundredths: u64::from(terms.deposit_multiplier_percent),
        };
        let config = config.with_lease_deposit(deposit);
        let due = price::due(&config, price, stage);
        price::quote(config.currency, &due, &self.wished, self.fee_rate).map_err(
            |rejection| match rejection {
                PriceRejection::NotDue(kind) => ApiError::invalid_field(
                    "payment/payment_types",
                    "not_due",
                    say("refusal.not_due").with("kind", kind),
                ),
                PriceRejection::NothingDue => ApiError::conflict("nothing_due", say("refusal.nothing_due")),
                PriceRejection::TooLarge => {
                    ApiError::conflict("amount_too_large", say("refusal.amount_too_large"))
                }
                PriceRejection::TooSmall | PriceRejection::Uneven { .. } => {
                    ApiError::conflict("amount_too_small", say("refusal.amount_too_small"))
                }
            },
        )
    }

    /// A payment that its provider would refuse is not opened.
    fn charged_here(&self, quote: &Quote) -> ApiResult<()> {
        if self.gateway.charges(quote.total()) {
            return Ok(());
        }
        let says = say("refusal.amount_not_charged").with_amount("amount", quote.total());
        Err(ApiError::conflict("amount_not_charged", says))
    }

    fn command(
        &self,
        (stage, continues): (Stage, Option<PaymentId>),
        accepted: String,
        context: &Context,
    ) -> ApiResult<PaymentCommand> {
        if !self.room.is_let_to(self.lead_id) {
            return Err(ApiError::conflict("not_bookable", say("refusal.not_bookable")));
        }
        let lease = self.room.wanted_lease(&self.lead);
        let lease =
            lease.ok_or_else(|| ApiError::conflict("not_bookable", say("refusal.not_let_for_dates")))?;
        // Whoever has paid the holding fee before the last day may go on.
        if continues.is_none() && !lease.is_open_on(self.room.day_at(context.at)) {
            return Err(ApiError::conflict("not_bookable", say("refusal.booking_over")));
        }
        let subject = self.lead.person();
        let subject = subject.ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
        let token = payment_token::fresh();
        let quote = self.quote(stage)?;
        self.charged_here(&quote)?;
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
            terms_of_use: Some(accepted),
            link: None,
        };
        Ok(PaymentCommand::Open {
            terms: Box::new(terms),
            token,
        })
    }
}

/// The rent of a lease and, where it has one of its own, its deposit.
const fn asked_of(lease: &LeaseOption) -> (u64, Option<u64>) {
    (lease.price_minor, lease.terms.deposit_minor)
}

/// The price that the enquiry froze of this home, while the deadline is not over and its amounts mean what those of today do: of a home
/// that asks in another currency or for another period by now, today's count.
pub(super) async fn frozen(
    payments: &Payments,
    lead: &Lead,
    (home_id, today): (InventoryId, &PropertyDetails),
) -> ApiResult<Option<(QuoteLock, Inventory)>> {
    let lock = lead.submission.as_ref().and_then(|sent| sent.quote);
    let Some(lock) = lock.filter(|lock| lock.home_id == home_id && clock::now() < lock.until) else {
        return Ok(None);
    };
    let home = frozen_home(&payments.records.log, &lock).await?;
    let is_same_money = home
        .property
        .as_deref()
        .is_some_and(|then| then.has_money_of(today));
    Ok(is_same_money.then_some((lock, home)))
}

/// How an earlier payment for the same room counts for a new request.
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

/// Opens the payment of a lead for exactly this stay, or finds the one that can be paid: for the place whose turn it is.
pub(super) async fn open_for_stay(
    payments: &Payments,
    settings: &Settings,
    (terms, stay): (&Terms, Stay),
    (context, language): (&Context, Language),
) -> ApiResult<(PaymentId, u64)> {
    let log = &payments.records.log;
    let (home_id, room_id) = (terms.inventory_root_id, terms.room_id);
    let room = payment_room::find(log, home_id, room_id).await?;
    let room = room.ok_or_else(|| ApiError::not_found(say("refusal.no_room")))?;
    let mut lead = log.load::<Lead>(terms.lead_id).await?.state;
    if lead.booked_inventory_id.is_some_and(|booked| booked != room_id) {
        return Err(other_room_booked());
    }
    lead.wish.move_in_date = Some(stay.move_in.to_string());
    lead.wish.lease_duration = Some(stay.length.to_string());
    let opening = Opening {
        frozen: frozen(payments, &lead, (home_id, &room.property)).await?,
        lead_id: terms.lead_id,
        lead,
        fee_rate: settings.fee_rate(room.property.country),
        room,
        home_id,
        room_id,
        form_id: terms.form_id,
        wished: Vec::new(),
        language,
        gateway: payments.gateway.clone(),
    };
    opening.open(log, context).await
}
