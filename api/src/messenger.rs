//! Messages to people: rendered from the catalogues, kept in the embedded outbox, each key once (row F1).

use crate::app::App;
use crate::clock;
use crate::desk::Desk;
use crate::error::ApiResult;
use crate::otp;
use crate::request::Lang;
use crate::texts::text;

/// Messages hold names and addresses: the outbox forgets them after a while.
const KEPT_DAYS: i64 = 30;

/// How a message travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    Email,
    Sms,
}

impl Channel {
    const fn key(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Sms => "sms",
        }
    }
}

/// A message as the catalogues know it: `mail.<kind>.subject` and `mail.<kind>.body`.
#[derive(Debug, Clone)]
pub struct Message<'m> {
    /// The same key is the same message: sent again after a kill, it goes out once.
    pub key: String,
    /// `otp`, `receipt`, `room_gone`, `refunded`.
    pub kind: &'static str,
    pub channel: Channel,
    /// E-mail address or E.164 number.
    pub recipient: &'m str,
    pub lang: Lang,
    /// What the texts name in braces; `brand` is filled in here.
    pub values: &'m [(&'m str, &'m str)],
    /// A one-time code in it, shown apart in the developers' outbox.
    pub code: Option<&'m str>,
}

/// Renders and sends a message. `false` when its key had gone out before.
///
/// # Errors
/// When the outbox cannot be written; the caller tries again with the same key.
pub async fn send(app: &App, message: Message<'_>) -> ApiResult<bool> {
    if !app.settings.dev_tools() {
        forget_codes(&app.desk).await?;
    }
    store(&app.desk, &app.settings.brand_name, &message).await
}

/// A one-time code that can no longer be used is nobody's business.
async fn forget_codes(desk: &Desk) -> ApiResult<()> {
    let dead = clock::now() - chrono::TimeDelta::seconds(otp::LIFE_S);
    sqlx::query("delete from message where code is not null and sent_at < ?")
        .bind(dead.to_rfc3339())
        .execute(desk.pool())
        .await?;
    Ok(())
}

async fn store(desk: &Desk, brand: &str, message: &Message<'_>) -> ApiResult<bool> {
    let mut values = message.values.to_vec();
    values.push(("brand", brand));
    let texts = format!("mail.{}", message.kind);
    let body_key = match message.channel {
        Channel::Sms => format!("{texts}.sms"),
        Channel::Email => format!("{texts}.body"),
    };
    // A name with a line break never starts a new header (T42).
    let subject = text(message.lang, &format!("{texts}.subject"), &values).replace(['\r', '\n'], " ");
    let now = clock::now();
    sqlx::query("delete from message where sent_at < ?")
        .bind((now - chrono::TimeDelta::days(KEPT_DAYS)).to_rfc3339())
        .execute(desk.pool())
        .await?;
    let stored = sqlx::query(
        "insert or ignore into message (message_key, recipient, channel, kind, subject, body, code, sent_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&message.key)
    .bind(message.recipient)
    .bind(message.channel.key())
    .bind(message.kind)
    .bind(subject)
    .bind(text(message.lang, &body_key, &values))
    .bind(message.code)
    .bind(now.to_rfc3339())
    .execute(desk.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// How many other messages about enquiries went to an address within a day.
///
/// # Errors
/// When the outbox cannot be read.
pub async fn sent_in_a_day(app: &App, key: &str, recipient: &str) -> ApiResult<u64> {
    let since = clock::now() - chrono::TimeDelta::days(1);
    let count: i64 = sqlx::query_scalar(
        "select count(*) from message
         where recipient = ? collate nocase and kind glob 'lead_*' and sent_at >= ? and message_key <> ?",
    )
    .bind(recipient)
    .bind(since.to_rfc3339())
    .bind(key)
    .fetch_one(app.desk.pool())
    .await?;
    Ok(count.cast_unsigned())
}

/// One message that went out.
#[derive(Debug, Clone, serde::Serialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct Sent {
    pub id: i64,
    pub recipient: String,
    pub channel: String,
    pub kind: String,
    pub subject: String,
    pub body: String,
    pub code: Option<String>,
    pub sent_at: String,
}

/// The newest messages first, of one recipient or of all.
///
/// # Errors
/// When the outbox cannot be read.
pub async fn sent(app: &App, to: Option<&str>) -> ApiResult<Vec<Sent>> {
    let messages = sqlx::query_as(
        "select id, recipient, channel, kind, subject, body, code, sent_at from message
         where ?1 is null or recipient = ?1 collate nocase
         order by id desc
         limit 100",
    )
    .bind(to.map(str::trim))
    .fetch_all(app.desk.pool())
    .await?;
    Ok(messages)
}
