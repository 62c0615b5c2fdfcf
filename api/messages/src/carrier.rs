//! What takes a message out of the house.

use std::time::Duration;

use futures::future::BoxFuture;

use crate::outbox::Channel;

/// How long one message may take in all.
pub const LONGEST: Duration = Duration::from_mins(1);

/// Why a message did not go out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// For good: with what the server answered.
    #[error("it was refused with {0}")]
    Refused(u16),
    /// It cannot be written as its channel wants it.
    #[error("it cannot be written")]
    Unwritable,
    /// For now. Never in the server's words: they repeat the address.
    #[error("{0}")]
    ForNow(String),
    /// As [`Failure::ForNow`], with how long the carrier asks to be left alone.
    #[error("{0}")]
    After(String, Duration),
}

/// What goes out.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'m> {
    /// The same for every attempt, so that its readers see one message.
    pub id: &'m str,
    /// E-mail address or E.164 number.
    pub recipient: &'m str,
    /// What it is about, such as `otp`.
    pub kind: &'m str,
    pub channel: Channel,
    pub subject: &'m str,
    pub body: &'m str,
    /// Where one press ends messages of its kind (RFC 8058); for mails that carry such a link.
    pub unsubscribe: Option<&'m str>,
    /// The half that shows pictures; empty where the channel has none.
    pub html: &'m str,
}

/// A mail server, or a provider of text messages: one for each channel.
pub trait Carrier: Send + Sync {
    /// Hands a message over; done is what the carrier has taken. Ends within [`LONGEST`].
    fn send<'m>(&'m self, message: Outgoing<'m>) -> BoxFuture<'m, Result<(), Failure>>;
}
