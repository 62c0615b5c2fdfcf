//! What a letter is, and the door that letters go out by: the outbox, with a limit for addresses that are not proved.

use std::collections::BTreeSet;

use domain::correspondence::LetterText;
use domain::language::Language;
use futures::future::BoxFuture;
use messages::delivery::Delivery;
use messages::mail_page::MailPicture;
use messages::{Channel, Message, Outbox};

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
    /// The further site that it leads to, whose face it wears; the house's first one when unset.
    pub site: Option<String>,
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
    /// Sends a letter for its effect, which alone sends it again.
    ///
    /// # Errors
    /// Says why it did not go out; it is tried again under the same key.
    fn send<'a>(
        &'a self,
        effect: &'a str,
        key: &'a str,
        letter: Letter,
    ) -> BoxFuture<'a, Result<Posted, String>>;

    /// Drops what waits for an effect: what it tells is no longer so.
    ///
    /// # Errors
    /// As for [`Messenger::send`].
    fn drop_waiting<'a>(&'a self, _effect: &'a str, _reason: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }

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
                if self.send(&key, &key, letter).await? == Posted::LeftOut {
                    left_out.insert(key);
                }
            }
            Ok(left_out)
        })
    }
}

/// The house's own messenger.
pub(super) struct Post {
    outbox: Outbox,
}

impl Post {
    pub(super) fn new(outbox: Outbox) -> Self {
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
fn message<'l>(
    (effect, key): (Option<&'l str>, &str),
    letter: &'l Letter,
    values: &'l [(&'static str, &'l str)],
) -> Message<'l> {
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
        site: letter.site.as_deref(),
        effect,
    }
}

fn values(letter: &Letter) -> Vec<(&'static str, &str)> {
    let values = letter.values.iter();
    values.map(|(name, value)| (*name, value.as_str())).collect()
}

impl Messenger for Post {
    fn send<'a>(
        &'a self,
        effect: &'a str,
        key: &'a str,
        letter: Letter,
    ) -> BoxFuture<'a, Result<Posted, String>> {
        Box::pin(async move {
            let going = not_too_many(&self.outbox, vec![(key.to_owned(), letter)])
                .await
                .map_err(|error| outbox_away(&error))?;
            let Some((key, letter)) = going.first() else {
                return Ok(Posted::LeftOut);
            };
            let values = values(letter);
            let sent = self
                .outbox
                .send(message((Some(effect), key), letter, &values))
                .await;
            match sent.map_err(|error| outbox_away(&error))? {
                Delivery::Sent => Ok(Posted::Sent),
                Delivery::Refused(code) => Ok(Posted::Refused(code)),
                Delivery::Waits(why) => Err(why),
            }
        })
    }

    fn drop_waiting<'a>(&'a self, effect: &'a str, reason: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let dropped = self.outbox.drop_of_effect(effect, reason).await;
            dropped.map_err(|error| outbox_away(&error))
        })
    }

    fn text_of(&self, letter: &Letter) -> Option<LetterText> {
        let values = values(letter);
        let (subject, body) = self.outbox.texts_of(&message((None, ""), letter, &values));
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
                .map(|((key, letter), values)| message((None, key), letter, values))
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
