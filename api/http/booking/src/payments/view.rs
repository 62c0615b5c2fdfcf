//! A payment as its page reads it (the contract's `Payment`).

use chrono::SecondsFormat;
use domain::id::{InventoryId, PaymentId};
use domain::inventory::Inventory;
use domain::inventory::let_room::LetRoom;
use domain::language::Language;
use domain::lead::Lead;
use domain::lease::Stay;
use domain::moment::Moment;
use domain::money::{Currency, Money, Period};
use domain::payment::decline::DeclineCode;
use domain::payment::link_state::LinkState;
use domain::payment::price::{Line, PaymentType, Returned};
use domain::payment::refund::RefundStatus;
use domain::payment::terms::{Rent, Terms};
use domain::payment::{Payment, PaymentStatus, SoldOutReason};
use domain::room_stock::RoomNow;
use eventlog::Loaded;
use gateway::PaymentGateway;
use http_kit::capability::Reader;
use http_kit::contract::price::Price;
use http_kit::contract::words::{
    BookingNowWord, DeclineCodeWord, GatewayWord, LeaseUnitWord, NextStepWord, PaymentStatusWord,
    PaymentTypeWord, RefundStatusWord, RoomNowWord, SoldOutReasonWord, WithdrawnByWord,
};
use http_kit::error::{ApiError, ApiResult};
use http_kit::price_lock::{PriceLockView, price_lock};
use http_kit::said::say;
use platform::{clock, texts};
use processes::bank_money::describe_bank_money;
use processes::payment_room;
use projections::lead_board::form_uuid;
use projections::listing_name;
use projections::payment_audit::reference;
use projections::photo;
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use crate::payments::Payments;
use crate::payments::standing::{self, WithdrawnBy};

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Payment)]
pub struct PaymentView {
    pub token: String,
    pub reference: String,
    #[schema(value_type = PaymentStatusWord)]
    pub status: PaymentStatus,
    /// How the booking stands that it is for, whatever became of the money.
    #[schema(value_type = BookingNowWord)]
    pub booking: &'static str,
    pub version: u64,
    /// For the lead's owner, and for who shows the link of the unclaimed lead; null for everybody else who holds the token.
    pub lead_uuid: Option<String>,
    /// As `lead_uuid`.
    pub form_uuid: Option<String>,
    pub inventory_id: String,
    pub inventory_root_id: String,
    pub inventory_root: HomeView,
    pub fetch_payment_info: PaymentInfoView,
    pub room: RoomView,
    pub lines: Vec<LineView>,
    pub subtotal_minor: u64,
    pub processing_fee_minor: u64,
    pub processing_fee_percent: String,
    pub total_minor: u64,
    pub refunded_minor: u64,
    /// Amount that banks took back, or keep until they have decided a dispute.
    pub disputed_minor: u64,
    /// Says so in the reader's language; null where no bank has any of it.
    pub bank_has: Option<String>,
    pub refunds: Vec<RefundView>,
    pub currency: &'static str,
    pub symbol: &'static str,
    pub decimals: u32,
    pub hold_expires_at: Option<String>,
    /// Standing of the room of a payment that found none: `sold`, `held` for others, or `free` again.
    #[schema(value_type = Option<RoomNowWord>)]
    pub room_now: Option<&'static str>,
    /// Until when the last of these rooms is held for others; null also where a hold has no end yet.
    pub held_until: Option<String>,
    pub decline: Option<DeclineView>,
    /// Why the room is gone: `no_room`, `hold_lost` or `too_many_holds`.
    #[schema(value_type = Option<SoldOutReasonWord>)]
    pub sold_out_reason: Option<SoldOutReason>,
    pub next_action: Option<ActionView>,
    pub card: Option<CardView>,
    pub gateway: GatewayView,
    pub succeeded_at: Option<String>,
    pub cancelled_at: Option<String>,
    /// Where it was cancelled: whether another payment took its place, since the dates or the price changed.
    #[schema(value_type = Option<WithdrawnByWord>)]
    pub withdrawn_by: Option<&'static str>,
    pub expires_at: String,
    /// The booking can be rated, or was (D105); null where there is none.
    pub is_rated: Option<bool>,
    /// Where a member of staff made this payment as a link for a booking.
    pub link: Option<LinkView>,
    /// Price that the enquiry froze, while nothing is booked.
    pub price_lock: Option<PriceLockView>,
}

/// View of a payer on a link that staff made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentLink)]
pub struct LinkView {
    /// The day by which it is to be paid, as `2027-01-01`; the link itself ends at the payment's `expires_at`.
    pub due_on: Option<String>,
    /// Words of its maker to the payer; empty where nothing was written.
    pub note: String,
    /// Past its end, by the server's clock: nothing can be begun with it.
    pub is_expired: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentHome)]
pub struct HomeView {
    pub provider_id: Option<String>,
    pub canonical_name: String,
    pub name: String,
    pub image: String,
}

/// Spec §3 "Payment config": what the property asks, as decimal numbers (X5).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentConfig)]
pub struct PaymentInfoView {
    /// The home's own; null where it names none.
    #[schema(value_type = Option<f64>)]
    pub deposit: Option<Number>,
    #[schema(value_type = f64)]
    pub refundable_token: Number,
    #[schema(value_type = f64)]
    pub platform_fee: Number,
    #[schema(value_type = Option<f64>)]
    pub max_deposit: Option<Number>,
    #[schema(value_type = Option<f64>)]
    pub deposit_multiplier: Option<Number>,
    pub currency: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentRoom)]
pub struct RoomView {
    pub name: String,
    pub lease_duration: u16,
    #[schema(value_type = LeaseUnitWord)]
    pub lease_duration_unit: &'static str,
    pub move_in_date: String,
    #[schema(value_type = Price)]
    pub rent: PriceView,
}

#[derive(Debug, Serialize)]
pub struct PriceView {
    pub amount_minor: u64,
    pub currency: &'static str,
    pub symbol: &'static str,
    pub decimals: u32,
    pub duration: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentLine)]
pub struct LineView {
    #[serde(rename = "type")]
    #[schema(value_type = PaymentTypeWord)]
    pub kind: &'static str,
    pub amount_minor: u64,
    /// Comes back in full when the payer cancels: always, or in time where `refundable_days` says until when (D40).
    pub refundable: bool,
    /// Days after booking in which it comes back, by the house's own rules; null where it always or never does.
    pub refundable_days: Option<u16>,
    /// The house's default deposit, which is no term of the home: it names none of its own.
    pub is_default: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentRefund)]
pub struct RefundView {
    pub id: String,
    pub amount_minor: u64,
    #[schema(value_type = RefundStatusWord)]
    pub status: RefundStatus,
    pub at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentDecline)]
pub struct DeclineView {
    #[schema(value_type = DeclineCodeWord)]
    pub code: &'static str,
    pub message: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentAction)]
pub struct ActionView {
    #[serde(rename = "type")]
    #[schema(value_type = NextStepWord)]
    pub kind: &'static str,
    pub url: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentCard)]
pub struct CardView {
    pub brand: String,
    pub last4: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentGateway)]
pub struct GatewayView {
    #[schema(value_type = GatewayWord)]
    pub kind: &'static str,
    pub client_secret: Option<String>,
    pub publishable_key: Option<String>,
}

/// RFC 3339 with microseconds (X5).
fn instant(at: Moment) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Sentence of a decline in the reader's language (D102).
pub fn decline_message(lang: Language, code: DeclineCode) -> String {
    let key = format!("payment_decline.{}", code.code());
    texts::find(lang, &key).unwrap_or_default().to_owned()
}

/// The payment as it stands: what is needed to pay it, and for its owner the way back to lead and form.
///
/// # Errors
/// 404 where there is none.
#[expect(clippy::too_many_lines, reason = "one answer, field by field")]
pub async fn of(
    payments: &Payments,
    (lang, reader): (Language, &Reader),
    payment_id: PaymentId,
    token: &str,
    loaded: &Loaded<Payment>,
) -> ApiResult<PaymentView> {
    let payment = &loaded.state;
    let Some(terms) = &payment.terms else {
        return Err(ApiError::not_found(say("refusal.token_not_found")));
    };
    let lead = payments.records.log.load::<Lead>(terms.lead_id).await?.state;
    let sees_links = reader.sees_links_of(&lead);
    let quote = &terms.quote;
    let house = payments
        .records
        .log
        .load::<Inventory>(terms.inventory_root_id)
        .await?
        .state;
    let stay = (terms.room_id, Some(terms.stay()));
    let kept = price_lock(&payments.records.log, &lead, stay, clock::now()).await?;
    let room_now = payment_room::room_now(&payments.records.log, payment).await?;
    let booking = standing::booking_now(&payments.records.log, (payment_id, payment), &lead).await?;
    let withdrawn_by = standing::withdrawn_by(&payments.records.log, payment_id, payment).await?;
    Ok(PaymentView {
        token: token.to_owned(),
        reference: reference(payment_id),
        status: payment.status,
        booking: booking.name(),
        version: loaded.revision,
        is_rated: lead.booked_by.map(|_| lead.rated),
        lead_uuid: lead
            .personal
            .filter(|_| sees_links)
            .map(|person| person.lead_uuid.to_string()),
        form_uuid: terms
            .form_id
            .filter(|_| sees_links)
            .map(|form_id| form_uuid(payments.records.log.handles(), form_id).to_string()),
        inventory_id: terms.room_id.to_string(),
        inventory_root_id: terms.inventory_root_id.to_string(),
        inventory_root: home(payments, terms.inventory_root_id, &house).await?,
        fetch_payment_info: payment_info(quote.currency, &house),
        room: room(lang, terms, &house),
        lines: lines(terms, &house),
        subtotal_minor: quote.subtotal_minor,
        processing_fee_minor: quote.processing_fee_minor,
        processing_fee_percent: quote.fee_rate.to_string(),
        total_minor: quote.total_minor,
        refunded_minor: payment.refunded_minor(),
        disputed_minor: payment.disputed_minor(),
        bank_has: bank_has(payment, lang),
        refunds: refunds(payment),
        currency: quote.currency.code(),
        symbol: quote.currency.symbol(),
        decimals: quote.currency.decimals(),
        hold_expires_at: payment.hold.and_then(|hold| hold.expires_at).map(instant),
        room_now: room_now.map(RoomNow::name),
        held_until: room_now.and_then(RoomNow::held_until).map(instant),
        decline: payment.decline.map(|code| DeclineView {
            code: code.code(),
            message: decline_message(lang, code),
        }),
        sold_out_reason: payment.sold_out,
        next_action: payment.next_action.as_ref().map(|url| ActionView {
            kind: "three_d_secure",
            url: url.clone(),
        }),
        card: payment.card().map(|card| CardView {
            brand: card.brand.clone(),
            last4: card.last4.clone(),
        }),
        gateway: GatewayView {
            kind: payments.gateway.kind(),
            client_secret: client_secret(payment, &*payments.gateway),
            publishable_key: payments.gateway.publishable_key().map(str::to_owned),
        },
        succeeded_at: payment.succeeded_at.map(instant),
        cancelled_at: payment.cancelled_at.map(instant),
        withdrawn_by: withdrawn_by.map(WithdrawnBy::name),
        expires_at: instant(terms.expires_at),
        link: link(payment, terms),
        price_lock: kept,
    })
}

fn bank_has(payment: &Payment, lang: Language) -> Option<String> {
    let said = describe_bank_money(lang, payment);
    (!said.is_empty()).then(|| lang.join_sentences(&said))
}

fn link(payment: &Payment, terms: &Terms) -> Option<LinkView> {
    let made = terms.link?;
    let words = payment.link.as_ref().and_then(|link| link.words.as_ref());
    let is_open = LinkState::of(payment, clock::now()).is_some_and(LinkState::is_payable);
    Some(LinkView {
        due_on: made.due_on.map(|day| day.to_string()),
        // The words are about a person: they are told to the payer and to no later holder of the address.
        note: words
            .filter(|_| is_open)
            .map(|words| words.note.clone())
            .unwrap_or_default(),
        is_expired: clock::now() >= terms.expires_at,
    })
}

/// While the card is asked for; and with a provider's own form while the bank asks and after a decline: a page that was loaded again
/// goes on with the same intent.
fn client_secret(payment: &Payment, gateway: &dyn PaymentGateway) -> Option<String> {
    let asked = match payment.status {
        PaymentStatus::Initiated => payment.cancelled_at.is_none(),
        PaymentStatus::Processing => gateway.publishable_key().is_some(),
        PaymentStatus::Failed => payment.cancelled_at.is_none() && gateway.publishable_key().is_some(),
        _ => false,
    };
    payment
        .intent
        .as_ref()
        .filter(|_| asked)
        .and_then(|intent| intent.client_secret.clone())
}

fn lines(terms: &Terms, house: &Inventory) -> Vec<LineView> {
    let cooling_off_days = house
        .property
        .as_ref()
        .map_or(0, |property| property.policy.cooling_off_days);
    let names_deposit = house
        .property
        .as_ref()
        .is_some_and(|property| property.terms.names_deposit());
    let mut rooms = house.rooms.iter();
    let room = rooms.find(|room| room.details.id == terms.room_id);
    let own_deposit = room
        .and_then(|room| room.lease(terms.stay()))
        .and_then(|lease| lease.terms.deposit_minor);
    let is_house_default = !names_deposit && own_deposit.is_none();
    let line = |line: &Line| {
        let returned = line.kind.returned(cooling_off_days);
        LineView {
            kind: line.kind.code(),
            amount_minor: line.amount_minor,
            refundable: returned != Returned::Never,
            refundable_days: returned.days(),
            is_default: line.kind == PaymentType::Deposit && is_house_default,
        }
    };
    terms.quote.lines.iter().map(line).collect()
}

fn refunds(payment: &Payment) -> Vec<RefundView> {
    let mut refunds: Vec<_> = payment.refunds.iter().collect();
    refunds.sort_by_key(|(_, refund)| refund.at);
    let view = |(id, refund): (&domain::id::RefundId, &domain::payment::refund::Refund)| RefundView {
        id: id.to_string(),
        amount_minor: refund.amount_minor,
        status: refund.status,
        at: instant(refund.at),
    };
    refunds.into_iter().map(view).collect()
}

fn payment_info(currency: Currency, house: &Inventory) -> PaymentInfoView {
    let asked = house.property.as_ref().map(|property| property.terms.clone());
    let asked = asked.unwrap_or_default();
    let decimal = |amount_minor| number(&Money::new(amount_minor, currency).decimal());
    let named = |amount_minor: u64| (amount_minor > 0).then(|| decimal(amount_minor));
    let deposit = if asked.asks_no_deposit {
        Some(decimal(0))
    } else {
        named(asked.deposit_minor)
    };
    PaymentInfoView {
        deposit,
        refundable_token: decimal(asked.refundable_token_minor),
        platform_fee: decimal(asked.platform_fee_minor),
        max_deposit: named(asked.max_deposit_minor),
        deposit_multiplier: (asked.deposit_multiplier_percent > 0).then(|| {
            number(&format!(
                "{}.{:02}",
                asked.deposit_multiplier_percent / 100,
                asked.deposit_multiplier_percent % 100
            ))
        }),
        currency: currency.code(),
    }
}

fn number(decimal: &str) -> Number {
    serde_json::from_str(decimal).unwrap_or_else(|_| Number::from(0))
}

async fn home(payments: &Payments, root_id: InventoryId, house: &Inventory) -> ApiResult<HomeView> {
    let provider = house.property.as_ref().and_then(|property| property.provider);
    let provider_id = provider.map(|provider| provider.to_string());
    let pool = payments.records.read.readers();
    let listing = listing_name::find(pool, &root_id.to_string()).await?;
    let photo = photo::find_small_path(pool, house).await?;
    Ok(listing.map_or_else(
        || HomeView {
            provider_id: None,
            canonical_name: String::new(),
            name: String::new(),
            image: String::new(),
        },
        |listing| HomeView {
            provider_id: provider_id.clone(),
            canonical_name: listing.canonical_name,
            name: listing.property,
            image: photo.or(listing.picture).unwrap_or_default(),
        },
    ))
}

/// Writes a room's name in a language; empty where the room is not let any more.
pub(crate) fn room_name(lang: Language, room: Option<&LetRoom>) -> String {
    room.map(|room| room.details.name.in_language(lang.code()).to_owned())
        .unwrap_or_default()
}

/// Shows what a payment is for.
pub(crate) fn room(lang: Language, terms: &Terms, home: &Inventory) -> RoomView {
    let found = home.rooms.iter().find(|room| room.details.id == terms.room_id);
    let agreed = terms.rent.or_else(|| {
        let same = |lease: &&domain::inventory::let_room::LeaseOption| lease.stay() == terms.stay();
        let lease = found?.leases.iter().find(same)?;
        let period = home.property.as_ref().map(|property| property.period);
        Some(Rent {
            amount_minor: lease.price_minor,
            period: period.unwrap_or_else(|| terms.country.period()),
        })
    });
    let rent = agreed.unwrap_or_else(|| Rent {
        amount_minor: 0,
        period: terms.country.period(),
    });
    stay_view(room_name(lang, found), (terms.stay(), rent, terms.quote.currency))
}

/// Shows a stay in a room with its rent.
pub(crate) fn stay_view(name: String, (stay, rent, currency): (Stay, Rent, Currency)) -> RoomView {
    RoomView {
        name,
        lease_duration: stay.length.duration,
        lease_duration_unit: stay.length.unit.key(),
        move_in_date: stay.move_in.to_string(),
        rent: PriceView {
            amount_minor: rent.amount_minor,
            currency: currency.code(),
            symbol: currency.symbol(),
            decimals: currency.decimals(),
            duration: match rent.period {
                Period::Weekly => "weekly",
                Period::Monthly => "monthly",
            },
        },
    }
}
