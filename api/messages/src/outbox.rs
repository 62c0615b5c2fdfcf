//! Messages to people: rendered from the catalogues, each key once (row F1). They wait for the mail server of the settings,
//! or stay in the embedded outbox.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::TimeDelta;
use domain::contact::Email;
use domain::language::Language;
use domain::user::Reach;
use eventlog::HandleHasher;
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;
use platform::sites::Sites;
use platform::texts::text;
use sqlx::AnyConnection;
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};
use tokio::sync::watch;

use crate::brand_face::wear_brand;
use crate::carrier::Carrier;
use crate::delivery::{self, Bells, Delivery};
use crate::mail_page::{self, MailPicture};

/// How long a one-time code is good for, in seconds: an older message of one is of no use to anybody.
pub const CODE_LIFE_S: i64 = 600;
/// Messages hold names and addresses: the outbox forgets them after a while.
const KEPT_DAYS: i64 = 30;

/// How a message travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    Email,
    Sms,
    /// Through the provider of text messages, which is told the channel.
    WhatsApp,
}

impl Channel {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Sms => "sms",
            Self::WhatsApp => "whatsapp",
        }
    }

    pub(crate) fn of(key: &str) -> Self {
        [Self::Sms, Self::WhatsApp]
            .into_iter()
            .find(|channel| channel.key() == key)
            .unwrap_or(Self::Email)
    }
}

/// A message as the catalogues know it: `mail.<kind>.subject` and `mail.<kind>.body`.
#[derive(Debug, Clone)]
pub struct Message<'m> {
    /// The same key is the same message: sent again after a kill, it goes out once.
    pub key: String,
    /// Such as `otp`, `receipt`, `form_left`.
    pub kind: &'static str,
    pub channel: Channel,
    /// E-mail address or E.164 number.
    pub recipient: &'m str,
    pub lang: Language,
    /// What the texts name in braces; `brand` is filled in here.
    pub values: &'m [(&'m str, &'m str)],
    /// A one-time code in it, shown apart in the developers' outbox.
    pub code: Option<&'m str>,
    /// Shown above the text.
    pub picture: Option<&'m MailPicture>,
    /// The link of a mail that its reader can end with one press (RFC 8058).
    pub unsubscribe: Option<&'m str>,
    /// The further site whose face it wears, as leads keep it; the house's first one when unset.
    pub site: Option<&'m str>,
    /// The effect that sends it, at each attempt after another look at what it tells; `None`: what it tells stays true, and the
    /// outbox sends it by itself.
    pub effect: Option<&'m str>,
}

const MESSAGES: Table = Table {
    name: "message",
    columns: &[
        Number("id"),
        Text("message_key"),
        Text("recipient"),
        Text("recipient_hash"),
        Text("channel"),
        Text("kind"),
        Text("subject"),
        Text("body"),
        Text("html"),
        Text("unsubscribe"),
        Text("code"),
        Text("sent_at"),
        Text("state"),
        Text("effect"),
    ],
    key: 1,
};

/// What takes messages out; where there is none, those of its channel stay in the outbox.
#[derive(Clone, Default)]
pub struct Carriers {
    pub mail: Option<Arc<dyn Carrier>>,
    /// Text messages, and what other channels its provider has.
    pub texts: Option<Arc<dyn Carrier>>,
}

/// Messages on their way out, and those that went. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    pub(crate) desk: Desk,
    pub(crate) handles: HandleHasher,
    pub(crate) settings: Arc<Settings>,
    /// What our own addresses in a mail begin with.
    sites: Sites,
    carriers: Carriers,
    pub(crate) bells: Arc<Bells>,
    /// Says when the server stops, to those who wait for a message to go out.
    stopping: watch::Receiver<bool>,
}

impl Outbox {
    /// The outbox at the desk; messages go out by `carriers`.
    pub fn new(
        desk: Desk,
        handles: HandleHasher,
        (settings, sites): (Arc<Settings>, Sites),
        carriers: Carriers,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        let bells = Arc::default();
        Self {
            desk,
            handles,
            settings,
            sites,
            carriers,
            bells,
            stopping,
        }
    }

    /// What takes messages of this channel out; `None`: they stay in the outbox.
    pub fn carrier(&self, channel: Channel) -> Option<&dyn Carrier> {
        match channel {
            Channel::Email => self.carriers.mail.as_deref(),
            Channel::Sms | Channel::WhatsApp => self.carriers.texts.as_deref(),
        }
    }

    /// Whether nothing goes out: sending is no more than writing down.
    pub fn only_keeps(&self) -> bool {
        let channels = [Channel::Email, Channel::Sms, Channel::WhatsApp];
        channels
            .into_iter()
            .all(|channel| self.carrier(channel).is_none())
    }

    /// Comes when the server is asked to stop.
    pub(crate) async fn stops(&self) {
        // Without anybody left to tell, it is over too.
        drop(self.stopping.clone().wait_for(|stopped| *stopped).await);
    }

    /// Renders messages and keeps them durably, in one transaction; they go out by themselves. Each once, however often this is
    /// called with its key.
    ///
    /// # Errors
    /// When the outbox cannot be written; the caller tries again with the same keys.
    pub async fn hand_in(&self, messages: &[Message<'_>]) -> Result<(), sqlx::Error> {
        if messages.is_empty() {
            return Ok(());
        }
        let written: Vec<Written> = messages.iter().map(|message| self.written(message)).collect();
        let mut turn = self.desk.turn().await?;
        let last: i64 = sqlx::query_scalar("select coalesce(max(id), 0) from message")
            .fetch_one(&mut *turn)
            .await?;
        let rows = (last + 1..).zip(messages.iter().zip(&written));
        let rows: Vec<Vec<Value>> = rows
            .map(|(id, (message, written))| self.row_of(id, message, written))
            .collect();
        MESSAGES.add(&mut turn, &rows).await?;
        turn.commit().await?;
        self.bells.due.notify_one();
        Ok(())
    }

    fn row_of(&self, id: i64, message: &Message<'_>, written: &Written) -> Vec<Value> {
        let waits = self.carrier(message.channel).is_some();
        // Who cannot read the outbox has no use for what stands in it (decision 0021).
        let kept = (waits || self.settings.dev_tools()).then_some(written);
        row![
            id,
            message.key.as_str(),
            kept.map_or("", |_| message.recipient),
            hash_of(&self.handles, message.recipient),
            message.channel.key(),
            message.kind,
            kept.map_or("", |written| written.subject.as_str()),
            kept.map_or("", |written| written.body.as_str()),
            kept.and_then(|written| written.html.as_deref()),
            kept.and(message.unsubscribe),
            kept.and(message.code),
            clock::now().to_rfc3339(),
            if waits { "waiting" } else { "sent" },
            message.effect,
        ]
    }

    /// Keeps a message as [`Outbox::hand_in`] does, and says what became of it.
    ///
    /// # Errors
    /// When the outbox cannot be used; the caller tries again with the same key.
    pub async fn send(&self, message: Message<'_>) -> Result<Delivery, sqlx::Error> {
        let key = message.key.clone();
        self.hand_in(std::slice::from_ref(&message)).await?;
        if message.effect.is_some() && !self.only_keeps() {
            self.write_anew(&message).await?;
        }
        delivery::deliver(self, &key).await
    }

    /// Writes a message that waits since an earlier attempt, or was dropped, as it reads now: to today's address, with today's facts.
    async fn write_anew(&self, message: &Message<'_>) -> Result<(), sqlx::Error> {
        let is_old = "message_key = $1 and ((state = 'waiting' and sending = 0 and attempts > 0) or state = 'dropped')";
        let found = format!("select count(*) from message where {is_old}");
        let found: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(found))
            .bind(&message.key)
            .fetch_one(self.desk.pool())
            .await?;
        if found == 0 {
            return Ok(());
        }
        let written = self.written(message);
        let query = format!(
            "update message set recipient = $2, recipient_hash = $3, channel = $4, kind = $5, subject = $6, body = $7, html = $8,
             unsubscribe = $9, effect = $10, sent_at = case state when 'dropped' then $11 else sent_at end, state = 'waiting',
             dropped = null where {is_old}"
        );
        sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(&message.key)
            .bind(message.recipient)
            .bind(hash_of(&self.handles, message.recipient))
            .bind(message.channel.key())
            .bind(message.kind)
            .bind(written.subject)
            .bind(written.body)
            .bind(written.html)
            .bind(message.unsubscribe)
            .bind(message.effect)
            .bind(clock::now().to_rfc3339())
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    /// Forgets what has had its time: codes that ran out, old messages, and everything without a readable key.
    ///
    /// # Errors
    /// When the outbox cannot be written.
    pub async fn forget(&self) -> Result<(), sqlx::Error> {
        let now = clock::now();
        let ran_out = (now - TimeDelta::seconds(CODE_LIFE_S)).to_rfc3339();
        // A code that no server took in time is of no use to anybody.
        sqlx::query(
            "update message set state = 'refused' where state = 'waiting' and code is not null and sent_at <= $1",
        )
        .bind(&ran_out)
        .execute(self.desk.pool())
        .await?;
        let query = format!("{BLANK_CODES} where code is not null and sent_at <= $1");
        sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(&ran_out)
            .execute(self.desk.pool())
            .await?;
        sqlx::query("delete from message where sent_at < $1")
            .bind((now - TimeDelta::days(KEPT_DAYS)).to_rfc3339())
            .execute(self.desk.pool())
            .await?;
        if !self.settings.dev_tools() {
            sqlx::query(
                "update message set recipient = '', subject = '', body = '', html = null, unsubscribe = null, code = null
                 where recipient <> '' and state <> 'waiting'",
            )
            .execute(self.desk.pool())
            .await?;
        }
        Ok(())
    }

    /// The names of the messages about enquiries that went to each of these addresses within a day, by [`Outbox::address_hash`].
    ///
    /// # Errors
    /// When the outbox cannot be read.
    pub async fn sent_in_a_day(
        &self,
        hashes: &[String],
    ) -> Result<HashMap<String, HashSet<String>>, sqlx::Error> {
        let mut sent: HashMap<String, HashSet<String>> = HashMap::new();
        if hashes.is_empty() {
            return Ok(sent);
        }
        let hashes: Vec<&str> = hashes.iter().map(String::as_str).collect();
        let since = clock::now() - TimeDelta::days(1);
        let mut connection = self.desk.pool().acquire().await?;
        let mut wanted = Statement::new("select recipient_hash, message_key from message where ");
        wanted.push_among("recipient_hash", &hashes, &connection);
        wanted.push(" and substr(kind, 1, 5) = 'lead_' and sent_at >= ");
        wanted.push_bind(since.to_rfc3339());
        let rows: Vec<(String, String)> = wanted.build_query_as()?.fetch_all(&mut *connection).await?;
        for (hash, key) in rows {
            sent.entry(hash).or_default().insert(key);
        }
        Ok(sent)
    }

    /// An address as the outbox finds it, however it is written.
    pub fn address_hash(&self, recipient: &str) -> String {
        hash_of(&self.handles, recipient)
    }

    /// The newest messages first, of one recipient or of all.
    ///
    /// # Errors
    /// When the outbox cannot be read.
    pub async fn sent(&self, to: Option<&str>) -> Result<Vec<Sent>, sqlx::Error> {
        self.forget().await?;
        let messages = sqlx::query_as(
            "select id, recipient, channel, kind, subject, body, html, code, sent_at, dropped from message
             where $1 is null or recipient_hash = $1
             order by id desc
             limit 100",
        )
        .bind(to.map(|to| self.address_hash(to)))
        .fetch_all(self.desk.pool())
        .await?;
        Ok(messages)
    }

    /// Subject and text of a message in its reader's language.
    pub fn texts_of(&self, message: &Message<'_>) -> (String, String) {
        let written = self.written(message);
        (written.subject, written.body)
    }

    /// The message in its reader's language.
    fn written(&self, message: &Message<'_>) -> Written {
        let site = self.sites.find_kept(message.site);
        let face = self.settings.face_of(site.brand.as_deref());
        let mut values = message.values.to_vec();
        values.push(("brand", &face.name));
        let texts = format!("mail.{}", message.kind);
        // A name with a line break never starts a new header (T42).
        let subject = text(message.lang, &format!("{texts}.subject"), &values).replace(['\r', '\n'], " ");
        let (body_key, is_mail) = match message.channel {
            Channel::Sms | Channel::WhatsApp => (format!("{texts}.sms"), false),
            Channel::Email => (format!("{texts}.body"), true),
        };
        let body = without_gaps(&text(message.lang, &body_key, &values));
        let own: Vec<&str> = self.sites.origins().collect();
        let html = is_mail.then(|| mail_page::page(message.lang, &subject, &body, message.picture, &own));
        let (body, html) = wear_brand(&site.origin, &face, (body, html));
        Written { subject, body, html }
    }
}

/// A body whose empty values leave no empty paragraphs.
fn without_gaps(body: &str) -> String {
    let paragraphs = body.split("\n\n").map(|part| part.trim_matches('\n'));
    let kept: Vec<&str> = paragraphs.filter(|part| !part.trim().is_empty()).collect();
    kept.join("\n\n")
}

/// A message in its reader's language.
struct Written {
    subject: String,
    body: String,
    /// Mails have a half that shows pictures; text messages have none.
    html: Option<String>,
}

/// An address or number as the limits know it.
fn hash_of(hasher: &HandleHasher, recipient: &str) -> String {
    let recipient =
        Email::parse(recipient).map_or_else(|_| recipient.trim().to_lowercase(), |email| email.canonical());
    hasher.id("recipient", &recipient).simple().to_string()
}

/// What messages stored before addresses had one canonical form are found by.
fn former_hash_of(hasher: &HandleHasher, recipient: &str) -> String {
    let recipient = recipient.to_lowercase();
    hasher.id("recipient", &recipient).simple().to_string()
}

/// Deletes what went to somebody who was forgotten; says how many there were.
///
/// # Errors
/// When the outbox cannot be written.
pub async fn erase(desk: &Desk, hasher: &HandleHasher, reach: &Reach) -> Result<u64, sqlx::Error> {
    let mut spellings = vec![match reach {
        Reach::Email(email) => email.as_str().to_owned(),
        Reach::Phone(phone) => phone.e164().to_owned(),
    }];
    if let Reach::Email(email) = reach {
        spellings.push(email.canonical());
        spellings.extend(email.former_forms());
    }
    let mut erased = 0;
    for spelling in spellings {
        let gone = sqlx::query("delete from message where recipient_hash in ($1, $2)")
            .bind(hash_of(hasher, &spelling))
            .bind(former_hash_of(hasher, &spelling))
            .execute(desk.pool())
            .await?;
        erased += gone.rows_affected();
    }
    Ok(erased)
}

/// Every address and number that messages are kept to.
///
/// # Errors
/// When the outbox cannot be read.
pub async fn recipients(desk: &Desk) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("select distinct recipient from message where recipient <> ''")
        .fetch_all(desk.pool())
        .await
}

/// Takes a code out of its message; the digits stand in its texts too.
const BLANK_CODES: &str = "update message
    set subject = replace(subject, code, '••••••'), body = replace(body, code, '••••••'), html = replace(html, code, '••••••'),
        code = null, state = case state when 'waiting' then 'sent' else state end";

/// A code that was used is nobody's business any more.
///
/// # Errors
/// When the outbox cannot be written.
pub async fn blank_used(desk: &mut AnyConnection, session: &str) -> Result<(), sqlx::Error> {
    let query = format!("{BLANK_CODES} where code is not null and message_key = $1");
    sqlx::query(sqlx::AssertSqlSafe(query))
        .bind(otp_key(session))
        .execute(desk)
        .await?;
    Ok(())
}

/// The name of the message that a code goes out by.
pub fn otp_key(session: impl std::fmt::Display) -> String {
    format!("otp:{session}")
}

/// One message that went out.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Sent {
    pub id: i64,
    pub recipient: String,
    pub channel: String,
    pub kind: String,
    pub subject: String,
    pub body: String,
    /// The half of a mail that shows pictures; what a mail program without them shows is `body`.
    pub html: Option<String>,
    pub code: Option<String>,
    pub sent_at: String,
    /// Why it was not sent after all: what it tells was no longer so.
    pub dropped: Option<String>,
}

tables::from_row!(Sent {
    id,
    recipient,
    channel,
    kind,
    subject,
    body,
    html,
    code,
    sent_at,
    dropped
});
