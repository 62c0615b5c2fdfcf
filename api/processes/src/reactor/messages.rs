//! What people are written about their enquiries and payments, and the door the messages go out by.

use std::collections::BTreeSet;

use domain::correspondence::{LetterKind, LetterText};
use domain::id::{InventoryId, LeadId, PaymentId, RefundId};
use domain::inventory::Inventory;
use domain::inventory::picture_path::mail_picture_path;
use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::lead::{Lead, LeadVariant};
use domain::money::Money;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::receipt::{ReceiptFacts, ReceiptKind};
use domain::payment::refund::RefundStatus;
use domain::payment::{MessageKind, Payment, SoldOutReason};
use eventlog::EventLog;
use futures::future::BoxFuture;
use messages::delivery::Delivery;
use messages::mail_page::MailPicture;
use messages::{Channel, Message, Outbox};
use platform::texts::text;
use platform::{clock, days};
use projections::payment_audit::reference;
use uuid::Uuid;

use super::link_words::{of_link, of_place};
use super::{ReactorError, booking_end};
use crate::receipt_link;

/// A message by its name in the catalogues, in its reader's language, with what its texts name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// `mail.<kind>.subject` and `mail.<kind>.body`.
    pub kind: &'static str,
    pub language: Language,
    pub recipient: String,
    pub values: Vec<(&'static str, String)>,
    /// The home it is about.
    pub picture: Option<MailPicture>,
    /// Nobody has proved that the address is theirs: few such messages go out.
    pub unproved: bool,
    pub channel: Channel,
    /// The link that ends reminders, in those that have one.
    pub unsubscribe: Option<String>,
}

/// What became of a message for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posted {
    Sent,
    /// Its address is not proved and has reached the limit of a day.
    LeftOut,
    /// Nobody will get it: with the mail server's answer, or none where it was tried for too long.
    Refused(Option<u16>),
}

/// Sends messages; the same key is the same message, however often it is sent.
pub trait Messenger: Send + Sync {
    /// # Errors
    /// Says why it did not go out; it is tried again under the same key.
    fn send<'a>(&'a self, key: &'a str, letter: Letter) -> BoxFuture<'a, Result<Posted, String>>;

    /// What a letter says, to be kept for its reader's history; `None` where no texts are written.
    fn text_of(&self, _letter: &Letter) -> Option<LetterText> {
        None
    }

    /// Whether sending is no more than writing down.
    fn only_keeps(&self) -> bool {
        false
    }

    /// Sends letters that are only written down, all or none of them; gives the keys of those that were left out.
    ///
    /// # Errors
    /// As for [`Messenger::send`].
    fn keep(&self, letters: Vec<(String, Letter)>) -> BoxFuture<'_, Result<BTreeSet<String>, String>> {
        Box::pin(async move {
            let mut left_out = BTreeSet::new();
            for (key, letter) in letters {
                if self.send(&key, letter).await? == Posted::LeftOut {
                    left_out.insert(key);
                }
            }
            Ok(left_out)
        })
    }
}

/// The name of the letter that tells of a lead.
pub(super) fn arrived(lead_id: LeadId) -> String {
    format!("arrived:{lead_id}")
}

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
            Self::Kind(MessageKind::Receipt) if payment.link.is_some() => {
                ("receipt_of_link", payment.captured_minor())
            }
            Self::Kind(MessageKind::RoomGone) if payment.link.is_some() => {
                ("link_without_booking", payment.captured_minor())
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
    public_url: &str,
    payment_id: PaymentId,
    payment: &Payment,
    topic: Topic,
) -> Result<Option<Letter>, ReactorError> {
    let Some(terms) = &payment.terms else {
        return Ok(None);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    let language = terms.language.unwrap_or_else(|| language_of(&lead));
    let Some(person) = lead.personal else {
        return Ok(None);
    };
    let home = log.load::<Inventory>(terms.inventory_root_id).await?.state;
    let room = home.rooms.iter().find(|room| room.details.id == terms.room_id);
    let room = room.map(|room| room.details.name.in_language(language.code()).to_owned());
    let currency = terms.quote.currency;
    let (kind, amount) = topic.of(payment);
    let picture = home
        .property
        .as_deref()
        .and_then(|home| picture_of(public_url, home));
    let (number, lines) = document_of(log, payment_id, topic, language).await?;
    let values = vec![
        ("name", person.name.as_str().to_owned()),
        ("reference", reference(payment_id)),
        (
            "receipt_url",
            receipt_link::address(log.handles(), public_url, &number, clock::now()),
        ),
        ("number", number),
        ("lines", lines),
        (
            "total",
            Money::new(payment.captured_minor(), currency).to_string(),
        ),
        ("amount", Money::new(amount, currency).to_string()),
        (
            "property",
            home.property.map(|property| property.name).unwrap_or_default(),
        ),
        ("room", room.unwrap_or_default()),
        ("booking_url", format!("{public_url}/profile/leads")),
    ]
    .into_iter()
    .chain(of_link(language, payment))
    .chain([("money_back", booking_end::money_back(language, payment, currency))])
    .chain(
        payment
            .token
            .iter()
            .map(|token| ("pay_url", format!("{public_url}/payments/{token}"))),
    )
    .chain(of_place(log, language, payment_id, terms).await?)
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
    let amount = |minor| Money::new(minor, currency).to_string();
    Ok(Some(Letter {
        kind: match outcome {
            Some(DisputeOutcome::Lost) => "dispute_lost",
            Some(DisputeOutcome::Won) | None => "dispute_opened",
        },
        language: Language::default(),
        recipient: recipient.to_owned(),
        values: vec![
            ("reference", reference(payment_id)),
            ("amount", amount(dispute.amount_minor)),
            ("fee", amount(dispute.fee_minor)),
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
    }))
}

/// Tells the sender that their lead arrived; `None` when they were forgotten.
pub(super) async fn about_lead(
    log: &EventLog,
    public_url: &str,
    lead: &Lead,
) -> Result<Option<Letter>, ReactorError> {
    let (Some(submission), Some(person)) = (&lead.submission, &lead.personal) else {
        return Ok(None);
    };
    let home = property(log, submission.inventory_root_id).await?;
    let picture = home.as_deref().and_then(|home| picture_of(public_url, home));
    let property = home.map(|home| home.name);
    let waits = submission.variant == LeadVariant::JoinWaitlist || !submission.available;
    let kind = match (&property, &lead.viewing) {
        (None, _) => "lead_anywhere",
        (Some(_), Some(_)) => "lead_viewing",
        (Some(_), None) if waits => "lead_waitlisted",
        (Some(_), None) => "lead_enquired",
    };
    let language = language_of(lead);
    let viewing = lead.viewing.as_ref();
    let values = vec![
        ("greeting", greeting(lead, language)),
        ("reference", submission.reference.clone()),
        ("property", property.unwrap_or_default()),
        (
            "date",
            viewing
                .map(|viewing| days::stored_day(language, &viewing.date))
                .unwrap_or_default(),
        ),
        (
            "slot",
            viewing.map(|viewing| viewing.slot.clone()).unwrap_or_default(),
        ),
        ("booking_url", format!("{public_url}/profile/leads?tab=enquired")),
    ];
    Ok(Some(Letter {
        kind,
        language,
        recipient: person.email.as_str().to_owned(),
        values,
        picture,
        unproved: !lead.is_verified(),
        channel: Channel::Email,
        unsubscribe: None,
    }))
}

/// Anybody may type anybody's address, and any name: what is not proved is neither repeated nor sent again and again (T42).
pub(super) fn greeting(lead: &Lead, language: Language) -> String {
    match &lead.personal {
        Some(person) if lead.is_verified() => {
            text(language, "mail.greeting_name", &[("name", person.name.as_str())])
        }
        Some(_) | None => text(language, "mail.greeting", &[]),
    }
}

pub(super) async fn property(
    log: &EventLog,
    home: Option<InventoryId>,
) -> Result<Option<Box<PropertyDetails>>, ReactorError> {
    let Some(home) = home else { return Ok(None) };
    Ok(log.load::<Inventory>(home).await?.state.property)
}

pub(super) fn picture_of(public_url: &str, home: &PropertyDetails) -> Option<MailPicture> {
    home.pictures.first().map(|picture| MailPicture {
        url: format!("{public_url}{}", mail_picture_path(picture)),
        alt: home.name.clone(),
    })
}

pub(super) fn language_of(lead: &Lead) -> Language {
    let submission = lead.submission.as_ref();
    submission
        .and_then(|submission| submission.language)
        .unwrap_or_default()
}

/// The house's own messenger.
pub struct Post {
    outbox: Outbox,
}

impl Post {
    pub fn new(outbox: Outbox) -> Self {
        Self { outbox }
    }
}

/// Messages a day to an address that nobody has proved.
const UNPROVED_A_DAY: usize = 3;

/// Those of these letters that are to go out: to an address that nobody has proved, only a few in a day.
async fn not_too_many(
    outbox: &Outbox,
    letters: Vec<(String, Letter)>,
) -> Result<Vec<(String, Letter)>, sqlx::Error> {
    let unproved = letters.iter().filter(|(_, letter)| letter.unproved);
    let hashes = unproved.map(|(_, letter)| outbox.address_hash(&letter.recipient));
    let mut sent = outbox.sent_in_a_day(&hashes.collect::<Vec<_>>()).await?;
    let mut going = Vec::with_capacity(letters.len());
    for (key, letter) in letters {
        if letter.unproved {
            let hash = outbox.address_hash(&letter.recipient);
            let others = sent.entry(hash).or_default();
            if others.iter().filter(|other| **other != key).count() >= UNPROVED_A_DAY {
                tracing::info!("an enquiry's confirmation is left out: that address had enough for a day");
                continue;
            }
            others.insert(key.clone());
        }
        going.push((key, letter));
    }
    Ok(going)
}

/// Why a letter waits: as the log of the server tells it.
fn outbox_away(error: &sqlx::Error) -> String {
    format!("the outbox cannot be used: {error}")
}

/// The letter as the outbox takes it.
fn message<'l>(key: &str, letter: &'l Letter, values: &'l [(&'static str, &'l str)]) -> Message<'l> {
    Message {
        key: key.to_owned(),
        kind: letter.kind,
        channel: letter.channel,
        recipient: &letter.recipient,
        lang: letter.language,
        values,
        code: None,
        picture: letter.picture.as_ref(),
        unsubscribe: letter.unsubscribe.as_deref(),
    }
}

fn values(letter: &Letter) -> Vec<(&'static str, &str)> {
    let values = letter.values.iter();
    values.map(|(name, value)| (*name, value.as_str())).collect()
}

impl Messenger for Post {
    fn send<'a>(&'a self, key: &'a str, letter: Letter) -> BoxFuture<'a, Result<Posted, String>> {
        Box::pin(async move {
            let going = not_too_many(&self.outbox, vec![(key.to_owned(), letter)])
                .await
                .map_err(|error| outbox_away(&error))?;
            let Some((key, letter)) = going.first() else {
                return Ok(Posted::LeftOut);
            };
            let values = values(letter);
            let sent = self.outbox.send(message(key, letter, &values)).await;
            match sent.map_err(|error| outbox_away(&error))? {
                Delivery::Sent => Ok(Posted::Sent),
                Delivery::Refused(code) => Ok(Posted::Refused(code)),
                Delivery::Waits(why) => Err(why),
            }
        })
    }

    fn text_of(&self, letter: &Letter) -> Option<LetterText> {
        let values = values(letter);
        let (subject, body) = self.outbox.texts_of(&message("", letter, &values));
        let to = letter.recipient.clone();
        Some(LetterText { to, subject, body })
    }

    fn only_keeps(&self) -> bool {
        self.outbox.only_keeps()
    }

    fn keep(&self, letters: Vec<(String, Letter)>) -> BoxFuture<'_, Result<BTreeSet<String>, String>> {
        Box::pin(async move {
            let mut left_out: BTreeSet<String> = letters.iter().map(|(key, _)| key.clone()).collect();
            let going = not_too_many(&self.outbox, letters)
                .await
                .map_err(|error| outbox_away(&error))?;
            let values: Vec<_> = going.iter().map(|(_, letter)| values(letter)).collect();
            let messages = going.iter().zip(&values);
            let messages: Vec<_> = messages
                .map(|((key, letter), values)| message(key, letter, values))
                .collect();
            self.outbox
                .hand_in(&messages)
                .await
                .map_err(|error| outbox_away(&error))?;
            left_out.retain(|key| !messages.iter().any(|message| message.key == *key));
            Ok(left_out)
        })
    }
}
