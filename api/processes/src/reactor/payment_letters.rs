//! What people are written about their payments, and finance about disputes.

use domain::correspondence::LetterKind;
use domain::id::{PaymentId, RefundId};
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lead::Lead;
use domain::money::Money;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::receipt::{ReceiptFacts, ReceiptKind};
use domain::payment::refund::RefundStatus;
use domain::payment::{MessageKind, Payment, SoldOutReason};
use eventlog::EventLog;
use messages::Channel;
use platform::clock;
use platform::forms::forms_of;
use platform::sites::Sites;
use projections::payment_audit::reference;
use uuid::Uuid;

use super::link_words::{of_link, of_place};
use super::messages::{find_picture, property};
use super::messenger::Letter;
use super::{ReactorError, booking_end};
use crate::home_clock::find_home_clock;
use crate::message_language::{find_address_language, find_lead_language};
use crate::receipt_link;

/// What a message about a payment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    Kind(MessageKind),
    Refund(RefundId),
    /// A refund that was announced came back.
    Returned(RefundId),
}

impl Topic {
    /// Under which name it is noted.
    pub(super) fn noted(self) -> (MessageKind, Option<RefundId>) {
        match self {
            Self::Kind(kind) => (kind, None),
            Self::Refund(refund_id) | Self::Returned(refund_id) => (MessageKind::Refunded, Some(refund_id)),
        }
    }

    /// As the lead's history names it, with the payment or refund it is about.
    pub(super) fn letter(self, payment_id: PaymentId) -> (LetterKind, Uuid) {
        match self {
            Self::Kind(MessageKind::Receipt) => (LetterKind::Receipt, payment_id.0),
            Self::Kind(MessageKind::RoomGone) => (LetterKind::RoomGone, payment_id.0),
            Self::Kind(MessageKind::Refunded) => (LetterKind::Refunded, payment_id.0),
            Self::Kind(MessageKind::BookingCancelled) => (LetterKind::BookingCancelled, payment_id.0),
            Self::Kind(MessageKind::PaymentLink) => (LetterKind::PaymentLink, payment_id.0),
            Self::Kind(MessageKind::PlaceOffered) => (LetterKind::PlaceOffered, payment_id.0),
            Self::Kind(MessageKind::LinkWithdrawn) => (LetterKind::LinkWithdrawn, payment_id.0),
            Self::Kind(MessageKind::HomeClosed) => (LetterKind::HomeClosed, payment_id.0),
            Self::Refund(refund_id) => (LetterKind::Refunded, refund_id.0),
            Self::Returned(refund_id) => (LetterKind::RefundReturned, refund_id.0),
        }
    }

    /// The message's name, and the amount it is about.
    fn of(self, payment: &Payment) -> (&'static str, u64) {
        match self {
            Self::Kind(MessageKind::PaymentLink) => ("payment_link", due(payment)),
            Self::Kind(MessageKind::LinkWithdrawn) => ("link_withdrawn", due(payment)),
            Self::Kind(MessageKind::PlaceOffered) => ("place_offered", 0),
            Self::Kind(MessageKind::HomeClosed) => ("home_closed", 0),
            Self::Kind(MessageKind::Receipt) if payment.link.is_some() => {
                ("receipt_of_link", payment.captured_minor())
            }
            Self::Kind(MessageKind::RoomGone) if payment.link.is_some() => {
                ("link_without_booking", payment.captured_minor())
            }
            Self::Kind(MessageKind::Receipt) if payment.gives_room_back() => {
                ("receipt_of_ended_booking", payment.captured_minor())
            }
            Self::Kind(MessageKind::Receipt) => ("receipt", payment.captured_minor()),
            Self::Kind(MessageKind::RoomGone) if payment.sold_out == Some(SoldOutReason::OtherRoomBooked) => {
                ("other_room_booked", payment.captured_minor())
            }
            Self::Kind(MessageKind::RoomGone) if payment.cancelled_at.is_some() => {
                ("paid_after_cancel", payment.captured_minor())
            }
            Self::Kind(MessageKind::RoomGone) => ("room_gone", payment.captured_minor()),
            Self::Kind(MessageKind::Refunded) => ("refunded", payment.refunded_minor()),
            Self::Kind(MessageKind::BookingCancelled) => ("booking_cancelled", payment.refunded_minor()),
            Self::Refund(refund_id) if was_paid_elsewhere(payment, refund_id) => {
                ("refund_paid_elsewhere", sent_back(payment, refund_id))
            }
            Self::Refund(refund_id) => ("refunded", sent_back(payment, refund_id)),
            Self::Returned(refund_id) => ("refund_returned", sent_back(payment, refund_id)),
        }
    }
}

/// What a payment asks for, in minor units.
fn due(payment: &Payment) -> u64 {
    payment.terms.as_ref().map_or(0, |terms| terms.quote.total_minor)
}

/// The amount of a refund, in minor units.
fn sent_back(payment: &Payment, refund_id: RefundId) -> u64 {
    payment
        .refunds
        .get(&refund_id)
        .map_or(0, |refund| refund.amount_minor)
}

fn was_paid_elsewhere(payment: &Payment, refund_id: RefundId) -> bool {
    let refund = payment.refunds.get(&refund_id);
    refund.is_some_and(|refund| refund.status == RefundStatus::PaidElsewhere)
}

/// The message about this payment; `None` when its payer was forgotten.
pub(super) async fn about_payment(
    log: &EventLog,
    sites: &Sites,
    payment_id: PaymentId,
    payment: &Payment,
    topic: Topic,
) -> Result<Option<Letter>, ReactorError> {
    let Some(terms) = &payment.terms else {
        return Ok(None);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    let language = find_lead_language(log, &lead, terms.language).await?;
    let site = lead.site().map(str::to_owned);
    let public_url = sites.find_kept(site.as_deref()).origin.as_str();
    let Some(person) = lead.personal else {
        return Ok(None);
    };
    let home = log.load::<Inventory>(terms.inventory_root_id).await?.state;
    let room = home.rooms.iter().find(|room| room.details.id == terms.room_id);
    let room = room.map(|room| room.details.name.in_language(language.code()).to_owned());
    let currency = terms.quote.currency;
    let write_price = |minor| forms_of(language).write_price(Money::new(minor, currency));
    let (kind, amount) = topic.of(payment);
    let picture = find_picture(log, public_url, home.property.as_deref(), language).await?;
    let clock = find_home_clock(log, language, home.property.as_deref()).await?;
    let (number, lines) = document_of(log, payment_id, topic, language).await?;
    let document = receipt_link::Document {
        number: &number,
        handed_over_at: lead.handed_over_at,
    };
    let receipt_url = receipt_link::address(log.handles(), public_url, document, clock::now());
    let values = vec![
        ("name", person.name.as_str().to_owned()),
        ("reference", reference(payment_id)),
        ("receipt_url", receipt_url),
        ("number", number),
        ("lines", lines),
        ("total", write_price(payment.captured_minor())),
        ("amount", write_price(amount)),
        (
            "property",
            home.property.map(|property| property.name).unwrap_or_default(),
        ),
        ("room", room.unwrap_or_default()),
        ("booking_url", format!("{public_url}/profile/leads")),
    ]
    .into_iter()
    .chain(of_link(language, payment, clock.as_ref()))
    .chain([("money_back", booking_end::money_back(language, payment, currency))])
    .chain(
        payment
            .token
            .iter()
            .map(|token| ("pay_url", format!("{public_url}/payments/{token}"))),
    )
    .chain(of_place(log, language, payment_id, terms, clock.as_ref()).await?)
    .collect();
    Ok(Some(Letter {
        kind,
        language,
        recipient: person.email.as_str().to_owned(),
        values,
        picture,
        unproved: false,
        channel: Channel::Email,
        unsubscribe: None,
        site,
    }))
}

/// The number and the lines of the receipt, or of the credit note, that a message is about.
async fn document_of(
    log: &EventLog,
    payment_id: PaymentId,
    topic: Topic,
    language: Language,
) -> Result<(String, String), ReactorError> {
    let (documents, _) = receipts::of_payment(log, payment_id).await?;
    let is_meant = |facts: &&ReceiptFacts| match topic {
        Topic::Refund(refund_id) | Topic::Returned(refund_id) => {
            facts.kind == ReceiptKind::CreditNote
                && facts.refunds.iter().any(|refund| refund.refund_id == refund_id)
        }
        Topic::Kind(_) => facts.kind == ReceiptKind::Receipt,
    };
    let meant = documents.iter().find(is_meant);
    Ok(meant.map_or_else(Default::default, |facts| {
        (facts.number.clone(), receipts::mail::lines(facts, language))
    }))
}

/// Tells finance of a dispute: nothing personal, and where to look.
pub(super) async fn about_dispute(
    log: &EventLog,
    (public_url, recipient): (&str, &str),
    (payment_id, payment): (PaymentId, &Payment),
    (dispute_id, outcome): (&str, Option<DisputeOutcome>),
) -> Result<Option<Letter>, ReactorError> {
    let (Some(terms), Some(dispute)) = (&payment.terms, payment.disputes.get(dispute_id)) else {
        return Ok(None);
    };
    let home = property(log, Some(terms.inventory_root_id)).await?;
    let currency = terms.quote.currency;
    let language = find_address_language(log, recipient).await?;
    let write_price = |minor| forms_of(language).write_price(Money::new(minor, currency));
    Ok(Some(Letter {
        kind: match outcome {
            Some(DisputeOutcome::Lost) => "dispute_lost",
            Some(DisputeOutcome::Won) | None => "dispute_opened",
        },
        language,
        recipient: recipient.to_owned(),
        values: vec![
            ("reference", reference(payment_id)),
            ("amount", write_price(dispute.amount_minor)),
            ("fee", write_price(dispute.fee_minor)),
            ("property", home.map(|home| home.name).unwrap_or_default()),
            (
                "payment_url",
                format!("{public_url}/workspace/finance?q={}", reference(payment_id)),
            ),
        ],
        picture: None,
        unproved: false,
        channel: Channel::Email,
        unsubscribe: None,
        site: None,
    }))
}
