//! Messages on their way to their carriers. Each waits in the desk's database until its carrier has taken it or refused it for
//! good; whoever is about to send one claims it first, so that of several nodes one does. A process may die at any instant: the
//! message is then sent again, under the same Message-ID (R11).

use std::convert::Infallible;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use eventlog::planted::Fault;
use futures::StreamExt as _;
use metrics::counter;
use platform::clock;
use platform::desk::Desk;
use tables::Place;
use tokio::sync::{Notify, watch};

use crate::carrier::{Failure, LONGEST, Outgoing};
use crate::mail_server::CONNECTIONS;
use crate::outbox::{CODE_LIFE_S, Channel, Outbox};

/// How long nobody else of one server sends a message that was claimed; its next start takes up what was under way.
const CLAIMED_MS: i64 = 90_000;
/// The same among several nodes, and how often whoever sends claims it anew: what a killed node was sending, another sends
/// within five seconds (decision 0020).
const CLAIMED_AMONG_MS: i64 = 3_000;
const CLAIMS_AGAIN: Duration = Duration::from_millis(750);
/// How often what waits is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a server that says "not now" is asked again, as mail servers do among themselves.
const TRIED_DAYS: i64 = 5;
/// Messages taken at once.
const BATCH: i64 = 32;

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    Sent,
    /// Nobody will get it: the server's answer, or none where it was tried for too long.
    Refused(Option<u16>),
    /// It is tried again.
    Waits(String),
}

/// What those who send and those who wait for it tell each other.
#[derive(Default)]
pub struct Bells {
    /// A mail is to be sent.
    pub due: Notify,
    /// This process has tried one.
    tried: Notify,
}

/// A message that this process sends now, and nobody else.
struct Claimed {
    channel: String,
    recipient: String,
    subject: String,
    body: String,
    html: Option<String>,
    unsubscribe: Option<String>,
    kind: String,
    code: Option<String>,
    attempts: i64,
    sent_at: String,
    /// The effect that asks for each attempt; without one the outbox does.
    effect: Option<String>,
}

tables::from_row!(Claimed {
    channel,
    recipient,
    subject,
    body,
    html,
    unsubscribe,
    kind,
    code,
    attempts,
    sent_at,
    effect
});

/// What a process that was killed had claimed waits no longer. Where several nodes send, theirs are not to be told from it.
/// Called before anybody sends.
///
/// # Errors
/// When the desk's database cannot be written.
pub async fn take_up(desk: &Desk) -> Result<(), sqlx::Error> {
    if !desk.is_shared() {
        sqlx::query("update message set due_ms = 0, sending = 0 where state = 'waiting'")
            .execute(desk.pool())
            .await?;
    }
    Ok(())
}

/// Tries to send one message, unless it went out already or was put off. Where somebody else is sending it, waits as long as
/// that may take and says what became of it.
///
/// # Errors
/// When the desk's database cannot be used.
pub async fn deliver(outbox: &Outbox, key: &str) -> Result<Delivery, sqlx::Error> {
    let patience = tokio::time::sleep(LONGEST);
    tokio::pin!(patience);
    loop {
        // Heard from here on: it may be tried between the look and the wait.
        let tried = outbox.bells.tried.notified();
        tokio::pin!(tried);
        tried.as_mut().enable();
        if let Some(delivery) = try_now(outbox, key).await? {
            return Ok(delivery);
        }
        tokio::select! {
            () = tried => {}
            // Another node rings no bell here.
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = &mut patience => return Ok(Delivery::Waits("somebody else is still sending the mail".to_owned())),
            () = outbox.stops() => return Ok(Delivery::Waits("the server stops".to_owned())),
        }
    }
}

/// The same without waiting: `None` where somebody else is sending it.
async fn try_now(outbox: &Outbox, key: &str) -> Result<Option<Delivery>, sqlx::Error> {
    if outbox.only_keeps() {
        return Ok(Some(Delivery::Sent));
    }
    match claim(outbox, key).await? {
        Some(claimed) => {
            let delivery = send_claimed(outbox, key, &claimed).await;
            outbox.bells.tried.notify_waiters();
            delivery.map(Some)
        }
        None => standing(outbox, key).await,
    }
}

async fn send_claimed(outbox: &Outbox, key: &str, claimed: &Claimed) -> Result<Delivery, sqlx::Error> {
    if claimed.is_spent() {
        outbox.drop_spent(key).await?;
        return Ok(Delivery::Refused(None));
    }
    if Fault::SentBeforeSend.is_planted() {
        finish(outbox, key, "sent", None).await?;
    }
    let (delivery, pause) = tokio::select! {
        tried = attempt(outbox, key, claimed) => tried,
        never = keep_claimed(outbox, key) => match never {},
    };
    match &delivery {
        Delivery::Sent => {
            counter!("latchkey_mails_total", "end" => "sent").increment(1);
            finish(outbox, key, "sent", None).await?;
        }
        Delivery::Refused(code) => {
            counter!("latchkey_mails_total", "end" => "refused").increment(1);
            // Neither the address nor the server's words, which repeat it.
            tracing::warn!(
                mail = key,
                kind = claimed.kind,
                ?code,
                "a mail was refused and is not tried again"
            );
            finish(outbox, key, "refused", *code).await?;
        }
        Delivery::Waits(why) => {
            counter!("latchkey_mails_total", "end" => "waits").increment(1);
            tracing::warn!(
                mail = key,
                kind = claimed.kind,
                attempts = claimed.attempts,
                why,
                "a mail waits for another attempt"
            );
            // An effect waits by itself, longer from time to time.
            let own = claimed.effect.is_none().then(|| wait_ms(claimed.attempts));
            put_off(outbox, key, own.unwrap_or_default(), pause).await?;
        }
    }
    Ok(delivery)
}

/// What became of it, and how long its carrier asks to be left alone.
async fn attempt(outbox: &Outbox, key: &str, claimed: &Claimed) -> (Delivery, Duration) {
    let id = outbox.handles.id("message_id", key).simple().to_string();
    let channel = Channel::of(&claimed.channel);
    let Some(carrier) = outbox.carrier(channel) else {
        let why = "nothing carries messages of its channel any more".to_owned();
        return (Delivery::Waits(why), Duration::ZERO);
    };
    let message = Outgoing {
        id: &id,
        recipient: &claimed.recipient,
        kind: &claimed.kind,
        channel,
        subject: &claimed.subject,
        body: &claimed.body,
        html: claimed.html.as_deref().unwrap_or_default(),
        unsubscribe: claimed.unsubscribe.as_deref(),
    };
    let (why, pause) = match carrier.send(message).await {
        Ok(()) => return (Delivery::Sent, Duration::ZERO),
        Err(Failure::Refused(code)) => return (Delivery::Refused(Some(code)), Duration::ZERO),
        Err(Failure::Unwritable) => return (Delivery::Refused(None), Duration::ZERO),
        Err(Failure::ForNow(why)) => (why, Duration::ZERO),
        Err(Failure::After(why, pause)) => (why, pause),
    };
    if claimed.is_given_up() {
        (Delivery::Refused(None), pause)
    } else {
        (Delivery::Waits(why), pause)
    }
}

impl Claimed {
    /// Whether it tells a code that has run out.
    fn is_spent(&self) -> bool {
        self.code.is_some() && self.is_given_up()
    }

    /// Whether it is not worth another attempt.
    fn is_given_up(&self) -> bool {
        let life = if self.code.is_some() {
            TimeDelta::seconds(CODE_LIFE_S)
        } else {
            TimeDelta::days(TRIED_DAYS)
        };
        let written: Option<DateTime<Utc>> = self.sent_at.parse().ok();
        written.is_some_and(|at| clock::now() - at >= life)
    }
}

/// Claims a message again and again, for as long as this is waited for, where other nodes might send it.
async fn keep_claimed(outbox: &Outbox, key: &str) -> Infallible {
    if !outbox.desk.is_shared() {
        return std::future::pending().await;
    }
    loop {
        tokio::time::sleep(CLAIMS_AGAIN).await;
        let claimed = sqlx::query(
            "update message set due_ms = $1 where message_key = $2 and state = 'waiting' and sending = 1",
        )
        .bind(clock::now().timestamp_millis() + CLAIMED_AMONG_MS)
        .bind(key)
        .execute(outbox.desk.pool())
        .await;
        if let Err(error) = claimed {
            tracing::warn!(mail = key, %error, "a mail under way could not be claimed anew: another node may send it too");
        }
    }
}

async fn claim(outbox: &Outbox, key: &str) -> Result<Option<Claimed>, sqlx::Error> {
    let now = clock::now().timestamp_millis();
    let lasts = if outbox.desk.is_shared() {
        CLAIMED_AMONG_MS
    } else {
        CLAIMED_MS
    };
    let claimed = sqlx::query_as(
        "update message set attempts = attempts + 1, due_ms = $1, sending = 1
         where message_key = $2 and state = 'waiting' and due_ms <= $3
         returning channel, recipient, subject, body, html, unsubscribe, kind, code, attempts, sent_at, effect",
    )
    .bind(now + lasts)
    .bind(key)
    .bind(now)
    .fetch_all(outbox.desk.pool())
    .await?;
    Ok(claimed.into_iter().next())
}

/// What is known of a message that cannot be sent now; `None` while somebody is sending it.
async fn standing(outbox: &Outbox, key: &str) -> Result<Option<Delivery>, sqlx::Error> {
    let row: Option<(String, Option<i64>, i64)> =
        sqlx::query_as("select state, refusal, sending from message where message_key = $1")
            .bind(key)
            .fetch_optional(outbox.desk.pool())
            .await?;
    Ok(match row {
        Some((state, _, 1)) if state == "waiting" => None,
        Some((state, ..)) if state == "waiting" => Some(Delivery::Waits("the mail was put off".to_owned())),
        Some((state, ..)) if state == "dropped" => Some(Delivery::Refused(None)),
        Some((state, code, _)) if state == "refused" => {
            Some(Delivery::Refused(code.and_then(|code| u16::try_from(code).ok())))
        }
        // Old ones, and those of the forgotten, are deleted.
        Some(_) | None => Some(Delivery::Sent),
    })
}

/// It is over; its texts are kept for the developers' tools alone (decision 0021).
async fn finish(outbox: &Outbox, key: &str, state: &str, refusal: Option<u16>) -> Result<(), sqlx::Error> {
    let query = if outbox.settings.dev_tools() {
        "update message set state = $1, refusal = $2 where message_key = $3"
    } else {
        "update message set state = $1, refusal = $2, recipient = '', subject = '', body = '', html = null,
         unsubscribe = null, code = null where message_key = $3"
    };
    sqlx::query(query)
        .bind(state)
        .bind(refusal.map(i64::from))
        .bind(key)
        .execute(outbox.desk.pool())
        .await?;
    Ok(())
}

async fn put_off(outbox: &Outbox, key: &str, wait_ms: i64, pause: Duration) -> Result<(), sqlx::Error> {
    let pause = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
    sqlx::query("update message set due_ms = $1, sending = 0 where message_key = $2 and state = 'waiting'")
        .bind(clock::now().timestamp_millis() + wait_ms.max(pause))
        .bind(key)
        .execute(outbox.desk.pool())
        .await?;
    Ok(())
}

/// 1 s, 2 s, 4 s, … up to a quarter of an hour.
fn wait_ms(attempts: i64) -> i64 {
    let doubled = 1_000_i64 << (attempts - 1).clamp(0, 10);
    doubled.min(900_000)
}

/// Sends what is due of the messages that no effect sends, until the server stops.
pub async fn keep_delivering(outbox: Outbox, mut stop: watch::Receiver<bool>) {
    if outbox.only_keeps() {
        return;
    }
    while !*stop.borrow() {
        let due = match due(&outbox).await {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(%error, "mails that wait cannot be looked at; trying again");
                Vec::new()
            }
        };
        if due.is_empty() {
            tokio::select! {
                () = outbox.bells.due.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            continue;
        }
        futures::stream::iter(due)
            .for_each_concurrent(CONNECTIONS as usize, |key| {
                let outbox = &outbox;
                async move {
                    if let Err(error) = try_now(outbox, &key).await {
                        tracing::error!(%error, "what became of a mail cannot be written down; it is sent again");
                    }
                }
            })
            .await;
    }
}

async fn due(outbox: &Outbox) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select message_key from message where state = 'waiting' and effect is null and due_ms <= $1
         order by due_ms, id limit $2",
    )
    .bind(clock::now().timestamp_millis())
    .bind(BATCH)
    .fetch_all(outbox.desk.pool())
    .await
}

/// Mails that wait, and mails that were refused within the days that messages are kept.
///
/// # Errors
/// When the desk's database cannot be read.
pub async fn counts(place: &Place) -> Result<(i64, i64), sqlx::Error> {
    let pool = Desk::readers(place).await?;
    let counts = sqlx::query_as(
        "select count(*) filter (where state = 'waiting'), count(*) filter (where state = 'refused') from message",
    )
    .fetch_one(&pool)
    .await;
    pool.close().await;
    counts
}

/// How many mails that were written since then were refused, with none that went out written after them.
///
/// # Errors
/// When the desk's database cannot be read.
pub async fn count_refused_in_a_row(place: &Place, since: &str) -> Result<i64, sqlx::Error> {
    let pool = Desk::readers(place).await?;
    let refused = sqlx::query_scalar(
        "select count(*) from message where channel = 'email' and state = 'refused' and sent_at >= $1
         and sent_at > coalesce(
           (select max(sent_at) from message where channel = 'email' and state = 'sent'), '')",
    )
    .bind(since)
    .fetch_one(&pool)
    .await;
    pool.close().await;
    refused
}

// A claim lasts longer than any attempt.
const _: () = assert!(LONGEST.as_millis() < CLAIMED_MS.unsigned_abs() as u128);
const _: () = assert!(2 * CLAIMS_AGAIN.as_millis() < CLAIMED_AMONG_MS.unsigned_abs() as u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_quarter_of_an_hour() {
        let waits: Vec<i64> = (1..=12).map(wait_ms).collect();
        assert_eq!(waits[..4], [1_000, 2_000, 4_000, 8_000]);
        assert_eq!(waits[10..], [900_000, 900_000]);
    }
}
