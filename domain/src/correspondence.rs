//! Messages to the sender of a lead: which there are, how they travel, and what a person chose about them (D137).

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::contact::{Email, Phone};
use crate::language::Language;

/// What a message tells. Its name in the catalogues may say more, such as which room is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterKind {
    /// The enquiry, the waitlist's place or the request for a viewing arrived.
    Arrived,
    FormSubmitted,
    /// The form was begun and left.
    FormLeft,
    /// The payment was begun and left, while its room is still held.
    PaymentLeft,
    /// A delayed method settles.
    PaymentPending,
    /// The payment came to nothing, and no money moved.
    PaymentFailed,
    Receipt,
    RoomGone,
    Refunded,
    BookingCancelled,
    /// A link to pay that staff made.
    PaymentLink,
    /// A room is kept for the first of its waitlist.
    PlaceOffered,
    /// A link that staff made was taken back.
    LinkWithdrawn,
    /// The home that was waited for is let no longer.
    HomeClosed,
    /// A refund that was announced came back to the house.
    RefundReturned,
    /// A price that the enquiry froze has fallen, before its deadline.
    PriceDropped,
    /// The confirmation of the enquiry once more, because staff were asked for it.
    ArrivedAgain,
    /// Staff changed dates or room as the student asked.
    ChangedForYou,
    /// Staff corrected name, address or number: to the address that the enquiry names now.
    ContactCorrected,
    /// The same to the address that it named before.
    ContactLeft,
}

impl LetterKind {
    pub const ALL: [Self; 20] = [
        Self::Arrived,
        Self::FormSubmitted,
        Self::FormLeft,
        Self::PaymentLeft,
        Self::PaymentPending,
        Self::PaymentFailed,
        Self::Receipt,
        Self::RoomGone,
        Self::Refunded,
        Self::BookingCancelled,
        Self::PaymentLink,
        Self::PlaceOffered,
        Self::LinkWithdrawn,
        Self::HomeClosed,
        Self::RefundReturned,
        Self::PriceDropped,
        Self::ArrivedAgain,
        Self::ChangedForYou,
        Self::ContactCorrected,
        Self::ContactLeft,
    ];

    /// The word on the wire and in the catalogues.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::FormSubmitted => "form_submitted",
            Self::FormLeft => "form_left",
            Self::PaymentLeft => "payment_left",
            Self::PaymentPending => "payment_pending",
            Self::PaymentFailed => "payment_failed",
            Self::Receipt => "receipt",
            Self::RoomGone => "room_gone",
            Self::Refunded => "refunded",
            Self::BookingCancelled => "booking_cancelled",
            Self::PaymentLink => "payment_link",
            Self::PlaceOffered => "place_offered",
            Self::LinkWithdrawn => "link_withdrawn",
            Self::HomeClosed => "home_closed",
            Self::RefundReturned => "refund_returned",
            Self::PriceDropped => "price_dropped",
            Self::ArrivedAgain => "arrived_again",
            Self::ChangedForYou => "changed_for_you",
            Self::ContactCorrected => "contact_corrected",
            Self::ContactLeft => "contact_left",
        }
    }

    /// Reminders and news of a lower price go to people who did not say no; everything else tells of what its reader did or is owed, and always goes.
    pub const fn is_reminder(self) -> bool {
        matches!(self, Self::FormLeft | Self::PaymentLeft | Self::PriceDropped)
    }
}

/// The way to a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageChannel {
    #[default]
    Email,
    Sms,
    WhatsApp,
}

impl MessageChannel {
    pub const ALL: [Self; 3] = [Self::Email, Self::Sms, Self::WhatsApp];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Sms => "sms",
            Self::WhatsApp => "whatsapp",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.key() == key)
    }
}

/// What a person chose about the messages they get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageChoice {
    /// Whether reminders may be sent.
    pub reminders: bool,
    /// `None`: the language of what the message is about; of a mail to a member of staff, the site's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Of messages about enquiries and forms; receipts and codes have a way of their own.
    #[serde(default)]
    pub channel: MessageChannel,
}

impl MessageChoice {
    /// The language of a mail to a member of staff, which is about no matter of their own: the chosen one, else the site's default.
    pub fn staff_language(self) -> Language {
        self.language.unwrap_or_default()
    }
}

impl Default for MessageChoice {
    fn default() -> Self {
        Self {
            reminders: true,
            language: None,
            channel: MessageChannel::Email,
        }
    }
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterOutcome {
    /// The carrier took it.
    Delivered,
    /// It is not sent again: with the carrier's answer, or none where it was tried for too long.
    Refused { code: Option<u16> },
}

/// One message, without what is personal in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    pub letter: LetterKind,
    /// The form, payment or refund it is about, or the event by which a price fell; the lead itself where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Uuid>,
    pub channel: MessageChannel,
    pub outcome: LetterOutcome,
}

/// What was written, and to whom: personal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterText {
    /// E-mail address or E.164 number.
    pub to: String,
    pub subject: String,
    pub body: String,
}

impl LetterText {
    /// The address or number as the workspace may show it.
    pub fn masked_recipient(&self) -> String {
        let email = Email::parse(&self.to).map(|email| email.masked());
        email
            .or_else(|_| Phone::parse(&self.to).map(|phone| phone.masked()))
            .unwrap_or_else(|_| "•••".to_owned())
    }
}
