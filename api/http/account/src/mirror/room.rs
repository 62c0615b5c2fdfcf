//! The mirrors of this house (row N11): codes that wait, mirrors that are open, and what was told last. They are kept at the desk, so that
//! person and staff may be at different nodes; each change rings the others. Only begin and end are recorded in the log.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::id::{SessionId, UserId};
use domain::moment::Moment;
use domain::user::User;
use domain::user_history::{MirrorEnd, MirrorPage, UserHistory, UserHistoryCommand};
use eventlog::{Actor, Context, EventLog, commit, done_before_on};
use http_kit::caller::Person;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::clock;
use platform::desk::Desk;
use rand::Rng;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use super::report::{Report, Told};

/// How long a code may be read out.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long a mirror lasts at most.
const LASTS: TimeDelta = TimeDelta::minutes(30);
/// A page that was not seen for so long was closed.
const SILENT: TimeDelta = TimeDelta::seconds(30);
/// How often an open page is noted as seen, and a login looked at.
pub const SEEN_EVERY: Duration = Duration::from_secs(2);
/// How long the row of a mirror that is over stays, so that a late call is told so.
const KEPT: TimeDelta = TimeDelta::days(1);
const CHANNEL: &str = "latchkey_mirror";

/// All mirrors; cheap to clone.
#[derive(Clone)]
pub struct Mirrors {
    log: EventLog,
    desk: Desk,
    changed: Arc<watch::Sender<()>>,
    node: Arc<str>,
}

/// One mirror as the desk keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub id: Uuid,
    pub user_id: UserId,
    pub session_id: SessionId,
    pub page: MirrorPage,
    pub staff_id: Option<UserId>,
    pub began_at: Option<Moment>,
    pub ends_at: Option<Moment>,
    pub ended_by: Option<MirrorEnd>,
    pub told: Option<Told>,
    pub nudge: Option<Nudge>,
}

/// A ready sentence beside a field.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Nudge {
    pub field: String,
    pub sentence: String,
    /// Milliseconds since 1970: the same sentence again is another nudge.
    pub at: i64,
}

/// A code that waits to be read out.
pub struct Offered {
    pub id: Uuid,
    pub code: String,
    pub until: Moment,
}

type Row = (
    String,
    String,
    String,
    String,
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<String>,
    Option<String>,
    Option<String>,
);

/// The mirrors of a condition.
macro_rules! mirrors_where {
    ($condition:literal) => {
        concat!(
            "select id, user_id, session_id, page, staff_id, began_at, ends_at, ended_by, report, nudge from mirror where ",
            $condition
        )
    };
}

impl Kept {
    fn of(row: Row) -> Option<Self> {
        let (id, user_id, session_id, page, staff_id, began_at, ends_at, ended_by, report, nudge) = row;
        Some(Self {
            id: id.parse().ok()?,
            user_id: user_id.parse().ok()?,
            session_id: session_id.parse().ok()?,
            page: MirrorPage::from_key(&page)?,
            staff_id: staff_id.and_then(|id| id.parse().ok()),
            began_at: began_at.and_then(Moment::from_timestamp_millis),
            ends_at: ends_at.and_then(Moment::from_timestamp_millis),
            ended_by: ended_by.as_deref().and_then(MirrorEnd::from_key),
            told: report.and_then(|told| serde_json::from_str(&told).ok()),
            nudge: nudge.and_then(|nudge| serde_json::from_str(&nudge).ok()),
        })
    }

    /// Support sees the steps now.
    pub fn is_open(&self) -> bool {
        self.began_at.is_some() && self.ended_by.is_none()
    }

    /// Whether this member of staff may see it now: the person read their code out to them, and it has not ended.
    ///
    /// # Errors
    /// 403.
    pub fn seen_by(self, staff: &Person) -> ApiResult<Self> {
        if self.is_open() && self.staff_id == Some(staff.user_id) {
            Ok(self)
        } else {
            Err(not_shown())
        }
    }
}

fn not_shown() -> ApiError {
    let code = "no_consent";
    ApiError::new(axum::http::StatusCode::FORBIDDEN, code, say("refusal.no_consent"))
}

/// What stands in JSON columns is made of names alone and always has a text.
fn written(value: &impl serde::Serialize) -> ApiResult<String> {
    serde_json::to_string(value).map_err(ApiError::broken)
}

mod begin;

impl Mirrors {
    /// Listens to the other nodes of the desk.
    pub fn at(log: EventLog, desk: Desk) -> Self {
        let node = clock::new_id().to_string();
        let changed = Arc::new(watch::Sender::new(()));
        if desk.is_shared() {
            let mut heard = desk.hear(CHANNEL, &node);
            let changed = changed.clone();
            tokio::spawn(async move {
                while heard.changed().await.is_ok() {
                    changed.send_replace(());
                }
            });
        }
        Self {
            log,
            desk,
            changed,
            node: node.as_str().into(),
        }
    }

    /// Changes whenever a mirror does.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Makes a code for the person; an earlier one of theirs counts no more, and an open mirror of theirs ends.
    ///
    /// # Errors
    /// When the desk or the log cannot be written.
    pub async fn offer(&self, person: &Person, page: MirrorPage) -> ApiResult<Offered> {
        let now = clock::now();
        for open in self.open_of(person.user_id).await? {
            self.end(&open, MirrorEnd::Student, Actor::student(person.user_id.0))
                .await?;
        }
        sqlx::query("delete from mirror where (user_id = $1 and began_at is null) or seen_at < $2")
            .bind(person.user_id.to_string())
            .bind((now - KEPT).timestamp_millis())
            .execute(self.desk.pool())
            .await?;
        let (id, until) = (Uuid::new_v4(), now + CODE_LIFE);
        let code = self.free_code(now).await?;
        sqlx::query(
            "insert into mirror (id, user_id, session_id, code_hash, page, code_until, seen_at) values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id.to_string())
        .bind(person.user_id.to_string())
        .bind(person.session_id.to_string())
        .bind(self.hashed(&code))
        .bind(page.key())
        .bind(until.timestamp_millis())
        .bind(now.timestamp_millis())
        .execute(self.desk.pool())
        .await?;
        Ok(Offered { id, code, until })
    }

    /// Six digits that no other live code has.
    async fn free_code(&self, now: Moment) -> ApiResult<String> {
        loop {
            let code = format!("{:06}", rand::rng().random_range(0..1_000_000));
            let live: i64 =
                sqlx::query_scalar("select count(*) from mirror where code_hash = $1 and code_until > $2")
                    .bind(self.hashed(&code))
                    .bind(now.timestamp_millis())
                    .fetch_one(self.desk.pool())
                    .await?;
            if live == 0 {
                return Ok(code);
            }
        }
    }

    fn hashed(&self, code: &str) -> String {
        self.log.handles().id("mirror_code", code).to_string()
    }

    /// One mirror; `None` where there is none under this id.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub async fn kept(&self, id: Uuid) -> ApiResult<Option<Kept>> {
        let row: Option<Row> = sqlx::query_as(mirrors_where!("id = $1"))
            .bind(id.to_string())
            .fetch_optional(self.desk.pool())
            .await?;
        Ok(row.and_then(Kept::of))
    }

    /// Whether the login in which the code was asked for still stands: consent ends with it.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn login_stands(&self, kept: &Kept) -> ApiResult<bool> {
        let user = self.log.load::<User>(kept.user_id).await?.state;
        let session = user.sessions.get(&kept.session_id);
        Ok(session.is_some_and(|session| session.expires_at > clock::now()))
    }

    /// One mirror by the id of an address.
    ///
    /// # Errors
    /// 404 where there is none.
    pub async fn named(&self, id: &str) -> ApiResult<Kept> {
        let id = id.parse().map_err(|_| unknown())?;
        self.kept(id).await?.ok_or_else(unknown)
    }

    /// The caller's own mirror.
    ///
    /// # Errors
    /// 404 where there is none under this id, or it is another person's.
    pub async fn own(&self, person: &Person, id: &str) -> ApiResult<Kept> {
        let kept = self.named(id).await?;
        if kept.user_id == person.user_id {
            Ok(kept)
        } else {
            Err(unknown())
        }
    }

    async fn open_of(&self, user_id: UserId) -> ApiResult<Vec<Kept>> {
        let rows: Vec<Row> = sqlx::query_as(mirrors_where!(
            "user_id = $1 and began_at is not null and ended_by is null"
        ))
        .bind(user_id.to_string())
        .fetch_all(self.desk.pool())
        .await?;
        Ok(rows.into_iter().filter_map(Kept::of).collect())
    }

    /// Keeps what the page told last.
    ///
    /// # Errors
    /// When the desk cannot be written.
    pub async fn tell(&self, kept: Kept, report: Report) -> ApiResult<()> {
        let told = Told::after(kept.told, report);
        sqlx::query("update mirror set report = $1, seen_at = $2 where id = $3 and ended_by is null")
            .bind(written(&told)?)
            .bind(clock::now().timestamp_millis())
            .bind(kept.id.to_string())
            .execute(self.desk.pool())
            .await?;
        self.call().await;
        Ok(())
    }

    /// Puts a ready sentence beside a field of the person's page.
    ///
    /// # Errors
    /// When the desk cannot be written.
    pub async fn nudge(&self, kept: &Kept, nudge: &Nudge) -> ApiResult<()> {
        sqlx::query("update mirror set nudge = $1 where id = $2 and ended_by is null")
            .bind(written(nudge)?)
            .bind(kept.id.to_string())
            .execute(self.desk.pool())
            .await?;
        self.call().await;
        Ok(())
    }

    /// Notes that the person's page is open.
    ///
    /// # Errors
    /// When the desk cannot be written.
    pub async fn seen(&self, id: Uuid) -> ApiResult<()> {
        sqlx::query("update mirror set seen_at = $1 where id = $2")
            .bind(clock::now().timestamp_millis())
            .bind(id.to_string())
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    /// Ends a mirror; one that is over stays as it ended, and an unused code is void.
    ///
    /// # Errors
    /// When the log or the desk cannot be written.
    pub async fn end(&self, kept: &Kept, ended_by: MirrorEnd, actor: Actor) -> ApiResult<()> {
        let context = Context::new(clock::now(), actor);
        self.end_by(kept, ended_by, &context).await
    }

    /// Ends a mirror by a command of staff.
    ///
    /// # Errors
    /// 403 for another colleague's mirror, and for one that is over unless this very command ended it.
    pub async fn end_of_staff(&self, kept: Kept, staff: &Person, context: &Context) -> ApiResult<()> {
        let before = done_before_on::<UserHistory>(&self.log, kept.user_id, context).await?;
        if before.is_some() && kept.ended_by.is_some() {
            return Ok(());
        }
        let kept = kept.seen_by(staff)?;
        self.end_by(&kept, MirrorEnd::Staff, context).await
    }

    async fn end_by(&self, kept: &Kept, ended_by: MirrorEnd, context: &Context) -> ApiResult<()> {
        if kept.is_open() {
            let command = UserHistoryCommand::EndMirror {
                mirror_id: kept.id,
                ended_by,
                at: context.at,
            };
            commit::<UserHistory>(&self.log, kept.user_id, command, context).await?;
        }
        sqlx::query("update mirror set ended_by = $1, code_hash = '' where id = $2 and ended_by is null")
            .bind(ended_by.key())
            .bind(kept.id.to_string())
            .execute(self.desk.pool())
            .await?;
        self.call().await;
        Ok(())
    }

    /// Ends what is over by its time, and what no page of its person shows any more, until the server stops.
    pub async fn keep_ending(self, mut stop: watch::Receiver<bool>) {
        let mut tick = tokio::time::interval(SEEN_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            if let Err(error) = self.end_overdue().await {
                tracing::warn!(?error, "mirrors that are over could not be ended; trying again");
            }
        }
    }

    async fn end_overdue(&self) -> ApiResult<()> {
        let now = clock::now();
        let rows: Vec<Row> = sqlx::query_as(mirrors_where!(
            "began_at is not null and ended_by is null and (ends_at <= $1 or seen_at < $2)"
        ))
        .bind(now.timestamp_millis())
        .bind((now - SILENT).timestamp_millis())
        .fetch_all(self.desk.pool())
        .await?;
        for kept in rows.into_iter().filter_map(Kept::of) {
            let is_over = kept.ends_at.is_some_and(|end| end <= now);
            let reason = if is_over { MirrorEnd::Time } else { MirrorEnd::Left };
            self.end(&kept, reason, Actor::SYSTEM).await?;
        }
        Ok(())
    }

    async fn call(&self) {
        self.changed.send_replace(());
        if self.desk.is_shared()
            && let Err(error) = self.desk.ring(CHANNEL, &self.node).await
        {
            tracing::warn!(%error, "other nodes hear later of a mirror");
        }
    }
}

fn unknown() -> ApiError {
    ApiError::not_found(say("refusal.no_mirror"))
}
