//! What a payer is written, and the door the message goes out by.

use domain::id::PaymentId;
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::money::{Currency, Money};
use domain::payment::{MessageKind, Payment};
use eventlog::EventLog;
use futures::future::BoxFuture;
use projections::payment_audit::reference;

use super::ReactorError;
use crate::app::App;
use crate::messenger::{self, Channel};
use crate::request::Lang;

/// A message by its name in the catalogues, with what its texts name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayerMessage {
    /// `receipt`, `room_gone` or `refunded`.
    pub kind: &'static str,
    pub recipient: String,
    pub values: Vec<(&'static str, String)>,
}

/// Sends messages; the same key is the same message, however often it is sent.
pub trait Messenger: Send + Sync {
    /// # Errors
    /// Says why it did not go out; it is tried again under the same key.
    fn send<'a>(&'a self, key: &'a str, message: PayerMessage) -> BoxFuture<'a, Result<(), String>>;
}

/// The message of this kind about this payment; `None` when its payer was forgotten.
pub(super) async fn compose(
    log: &EventLog,
    public_url: &str,
    payment_id: PaymentId,
    payment: &Payment,
    kind: MessageKind,
) -> Result<Option<PayerMessage>, ReactorError> {
    let Some(terms) = &payment.terms else {
        return Ok(None);
    };
    let Some(person) = log.load::<Lead>(terms.lead_id).await?.state.personal else {
        return Ok(None);
    };
    let home = log.load::<Inventory>(terms.inventory_root_id).await?.state;
    let property = home
        .property
        .as_ref()
        .map(|property| property.name.clone())
        .unwrap_or_default();
    let room = home.rooms.iter().find(|room| room.details.id == terms.room_id);
    let room = room.map(|room| room.details.name.en.clone()).unwrap_or_default();
    let currency = terms.quote.currency;
    let kind = match kind {
        MessageKind::Receipt => "receipt",
        MessageKind::RoomGone => "room_gone",
        MessageKind::Refunded => "refunded",
    };
    let values = vec![
        ("name", person.name.as_str().to_owned()),
        ("reference", reference(payment_id)),
        ("total", shown(payment.captured_minor(), currency)),
        ("amount", shown(payment.refunded_minor(), currency)),
        ("property", property),
        ("room", room),
        ("booking_url", format!("{public_url}/profile/leads")),
    ];
    Ok(Some(PayerMessage {
        kind,
        recipient: person.email.as_str().to_owned(),
        values,
    }))
}

fn shown(amount_minor: u64, currency: Currency) -> String {
    format!(
        "{}{}",
        currency.symbol(),
        Money::new(amount_minor, currency).decimal()
    )
}

/// The house's own messenger.
pub struct Post {
    app: App,
}

impl Post {
    pub fn new(app: App) -> Self {
        Self { app }
    }
}

impl Messenger for Post {
    fn send<'a>(&'a self, key: &'a str, message: PayerMessage) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let values: Vec<(&str, &str)> = message
                .values
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let message = messenger::Message {
                key: key.to_owned(),
                kind: message.kind,
                channel: Channel::Email,
                recipient: &message.recipient,
                lang: Lang::En,
                values: &values,
                code: None,
            };
            let sent = messenger::send(&self.app, message).await;
            sent.map(|_first| ()).map_err(|error| error.message)
        })
    }
}
