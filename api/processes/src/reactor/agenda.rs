//! What the reactor has still to do, in tables of their own (`reactor.db`): how far it has read, the outbox, the holds that end,
//! and the payments whose gateway is asked when it stays silent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use domain::id::{InventoryId, PaymentId};
use domain::moment::Moment;
use domain::policy::Effect;
use eventlog::Position;
use platform::clock;
use platform::duty::Duty;
use sqlx::{Any, Transaction};
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};
use tables::{Database, Durability, Place, Purpose, Statement};
use uuid::Uuid;

pub use super::hold_news::HoldNews;
use super::price_watch::{self, PriceWatch};
use super::{Left, ReactorError};

/// How soon after its last event a payment's gateway is asked, should nothing be heard.
pub const FIRST_LOOK_MS: i64 = 3_000;
/// Attempts after which an effect does not just wait for its turn.
const FAILING: i64 = 5;

const OUTBOX: Table = Table {
    name: "outbox",
    columns: &[
        Text("id"),
        Text("event_id"),
        Text("correlation_id"),
        Text("effect"),
        Text("lane"),
        Number("due_ms"),
    ],
    key: 1,
};
const HOLDS: Table = Table {
    name: "hold",
    columns: &[Text("room_id"), Text("payment_id"), Number("ends_ms")],
    key: 2,
};
const WATCHED: Table = Table {
    name: "watched",
    columns: &[Text("payment_id"), Number("due_ms"), Number("looks")],
    key: 1,
};

/// An effect on its way.
#[derive(Debug, Clone)]
pub struct Planned {
    /// Made from the causing event: the effect's name for ever, and its key at the gateway.
    pub id: String,
    pub event_id: Uuid,
    pub correlation_id: Uuid,
    pub effect: Effect,
    /// It is not begun before: a reminder waits. `None`: at once.
    pub not_before: Option<Moment>,
}

/// Effects of one lane wait for each other, those of two do not: a payer who waits for the gateway must not wait for mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Gateway,
    Messages,
    Erasures,
}

impl Lane {
    /// Where an effect waits.
    pub(super) const fn of(effect: &Effect) -> Self {
        match effect {
            Effect::EnsureIntent { .. }
            | Effect::CancelIntent { .. }
            | Effect::SendRefund { .. }
            | Effect::LayEvidence { .. } => Self::Gateway,
            Effect::SendMessage { .. }
            | Effect::SendRefundMessage { .. }
            | Effect::SendRefundReturned { .. }
            | Effect::SendDisputeAlert { .. }
            | Effect::SendLeadMessage { .. }
            | Effect::SendLetter { .. }
            | Effect::SendCaseMessage { .. }
            | Effect::SendMentions { .. }
            | Effect::SendCaseMentions { .. }
            | Effect::SendSecondFactorNotice { .. } => Self::Messages,
            Effect::Erase { .. } => Self::Erasures,
        }
    }

    /// Stored with the effect; never changes once released.
    const fn name(self) -> &'static str {
        match self {
            Self::Gateway => "gateway",
            Self::Messages => "messages",
            Self::Erasures => "erasures",
        }
    }
}

/// An outbox row that is due.
#[derive(Debug, Clone)]
pub struct Due {
    pub planned: Planned,
    /// Attempts begun before this one.
    pub attempts: i64,
}

#[derive(Debug, Clone)]
pub struct StoredAgenda {
    database: Database,
    duty: Duty,
}

const PURPOSE: Purpose = Purpose {
    name: "reactor",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../migrations/reactor/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../migrations/reactor/postgres"),
    // After a power cut it may be a little behind the log: its work is then done again, to the same end.
    durability: Durability::Ordered,
    connections: 1,
    // Both lanes, the timers, the events and the lease at once.
    shared_connections: 5,
};

impl StoredAgenda {
    /// `node` names this process among all there ever were.
    pub async fn open(place: &Place, node: &str) -> Result<Self, sqlx::Error> {
        let database = Database::open(place, &PURPOSE).await?;
        Ok(Self {
            duty: Duty::new(&database, "reactor", node),
            database,
        })
    }

    /// The one lease of everything that the agenda leads to.
    pub(super) fn duty(&self) -> &Duty {
        &self.duty
    }

    /// Takes up what somebody else began: what a kill interrupted did not fail, it goes on at once, not after the wait of
    /// a failure.
    pub(super) async fn take_over(&self) -> Result<(), ReactorError> {
        let mut transaction = self.duty.begin().await?;
        // What was never begun waits for its own time: a reminder is not early because of a restart.
        sqlx::query("update outbox set due_ms = 0 where done_ms is null and attempts > 0")
            .execute(&mut *transaction)
            .await?;
        sqlx::query("update watched set due_ms = case when due_ms < $1 then due_ms else $1 end, looks = 0")
            .bind(clock::now().timestamp_millis() + FIRST_LOOK_MS)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn checkpoint(&self) -> Result<Position, sqlx::Error> {
        let position: i64 = sqlx::query_scalar("select position from progress")
            .fetch_one(self.database.pool())
            .await?;
        Ok(position.cast_unsigned())
    }

    /// Moves the checkpoint and writes what the events left, in one transaction and a few statements, however many they are.
    pub(super) async fn advance(&self, position: Position, left: &Left) -> Result<(), ReactorError> {
        let mut transaction = self.duty.begin().await?;
        let now = clock::now().timestamp_millis();
        let planned = left.effects.iter().map(|planned| plan(planned, now));
        OUTBOX
            .add(&mut transaction, &planned.collect::<Result<Vec<_>, _>>()?)
            .await?;
        note_holds(&mut transaction, &left.holds).await?;
        price_watch::note(&mut transaction, &left.locks, now).await?;
        let watched: BTreeSet<PaymentId> = left.watched.iter().copied().collect();
        let watched = watched
            .iter()
            .map(|payment| row![payment.0.to_string(), now + FIRST_LOOK_MS, 0]);
        WATCHED
            .put(&mut transaction, &watched.collect::<Vec<_>>())
            .await?;
        sqlx::query("update progress set position = $1")
            .bind(position.cast_signed())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Effects that are due. Each attempt is counted before it is made, and the next one planned, so that a kill in the middle
    /// neither loses the effect nor tries it in a tight circle.
    pub(super) async fn take_due(&self, lane: Lane, limit: i64) -> Result<Vec<Due>, ReactorError> {
        let now = clock::now().timestamp_millis();
        let mut transaction = self.duty.begin().await?;
        let rows: Vec<(String, String, String, String, i64)> = sqlx::query_as(
            "select id, event_id, correlation_id, effect, attempts from outbox
             where done_ms is null and due_ms <= $1 and lane = $2 order by due_ms limit $3",
        )
        .bind(now)
        .bind(lane.name())
        .bind(limit)
        .fetch_all(&mut *transaction)
        .await?;
        let mut tried: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
        for (id, .., attempts) in &rows {
            tried.entry(*attempts).or_default().push(id);
        }
        for (attempts, ids) in tried {
            let mut counting = Statement::new("update outbox set attempts = attempts + 1, due_ms = ");
            counting.push_bind(now + backoff_ms(attempts)).push(" where ");
            counting.push_among("id", &ids, &transaction);
            counting.build()?.execute(&mut *transaction).await?;
        }
        let mut due = Vec::with_capacity(rows.len());
        for (id, event_id, correlation_id, effect, attempts) in rows {
            // One that this program does not know waits by itself: the others go on.
            let effect = match serde_json::from_str(&effect) {
                Ok(effect) => effect,
                Err(error) => {
                    tracing::error!(effect = %id, %error, "an effect cannot be read");
                    sqlx::query("update outbox set error = $1 where id = $2")
                        .bind(format!("it cannot be read: {error}"))
                        .bind(&id)
                        .execute(&mut *transaction)
                        .await?;
                    continue;
                }
            };
            let (event_id, correlation_id) = (uuid(&event_id), uuid(&correlation_id));
            due.push(Due {
                planned: Planned {
                    id,
                    event_id,
                    correlation_id,
                    effect,
                    not_before: None,
                },
                attempts,
            });
        }
        transaction.commit().await?;
        Ok(due)
    }

    pub(super) async fn done(&self, ids: &[String]) -> Result<(), sqlx::Error> {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut connection = self.database.pool().acquire().await?;
        let mut noting = Statement::new("update outbox set error = null, done_ms = ");
        noting
            .push_bind(clock::now().timestamp_millis())
            .push(" where ")
            .push_among("id", &ids, &connection);
        noting.build()?.execute(&mut *connection).await?;
        Ok(())
    }

    /// It is done with; its reason stays in the place of an error.
    pub(super) async fn dropped(&self, id: &str, reason: &str) -> Result<(), sqlx::Error> {
        sqlx::query("update outbox set error = $1, done_ms = $2 where id = $3")
            .bind(format!("dropped: {reason}"))
            .bind(clock::now().timestamp_millis())
            .bind(id)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    pub(super) async fn failed(&self, id: &str, error: &str) -> Result<(), sqlx::Error> {
        sqlx::query("update outbox set error = $1 where id = $2")
            .bind(error)
            .bind(id)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    /// When the next effect is due.
    pub(super) async fn next_due_ms(&self, lane: Lane) -> Result<Option<i64>, sqlx::Error> {
        sqlx::query_scalar("select min(due_ms) from outbox where done_ms is null and lane = $1")
            .bind(lane.name())
            .fetch_one(self.database.pool())
            .await
    }

    /// Effects not yet done, for health and tests.
    ///
    /// # Errors
    /// When the agenda cannot be read.
    pub async fn waiting(&self) -> Result<u64, sqlx::Error> {
        let count: i64 = sqlx::query_scalar("select count(*) from outbox where done_ms is null")
            .fetch_one(self.database.pool())
            .await?;
        Ok(count.cast_unsigned())
    }

    /// Rooms with a hold that has ended, or ends later than any that a right clock made.
    pub(super) async fn ended_holds(
        &self,
        now: Moment,
        latest: Moment,
    ) -> Result<Vec<InventoryId>, sqlx::Error> {
        let query = "select distinct room_id from hold where ends_ms <= $1 or ends_ms > $2";
        let rooms: Vec<String> = sqlx::query_scalar(query)
            .bind(now.timestamp_millis())
            .bind(latest.timestamp_millis())
            .fetch_all(self.database.pool())
            .await?;
        Ok(rooms.iter().map(|room| InventoryId(uuid(room))).collect())
    }

    /// Enquiries that keep the price of one of these homes beyond `now`.
    pub(super) async fn price_watches(
        &self,
        homes: &[InventoryId],
        now: Moment,
    ) -> Result<Vec<PriceWatch>, sqlx::Error> {
        price_watch::watches(self.database.pool(), homes, now).await
    }

    /// Payments whose gateway is to be asked now, with how often it was.
    pub(super) async fn silent(&self, now: Moment) -> Result<Vec<(PaymentId, i64)>, sqlx::Error> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("select payment_id, looks from watched where due_ms <= $1 limit 50")
                .bind(now.timestamp_millis())
                .fetch_all(self.database.pool())
                .await?;
        Ok(rows
            .into_iter()
            .map(|(id, looks)| (PaymentId(uuid(&id)), looks))
            .collect())
    }

    pub(super) async fn look_again(&self, payment_id: PaymentId, looks: i64) -> Result<(), sqlx::Error> {
        let due = clock::now().timestamp_millis() + FIRST_LOOK_MS + backoff_ms(looks);
        sqlx::query("update watched set looks = looks + 1, due_ms = $1 where payment_id = $2")
            .bind(due)
            .bind(payment_id.0.to_string())
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    /// Looks at a payment once more at `due`.
    pub(super) async fn look_at(&self, payment_id: PaymentId, due: Moment) -> Result<(), sqlx::Error> {
        sqlx::query("update watched set due_ms = $1 where payment_id = $2")
            .bind(due.timestamp_millis())
            .bind(payment_id.0.to_string())
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    pub(super) async fn look_away(&self, payment_id: PaymentId) -> Result<(), sqlx::Error> {
        sqlx::query("delete from watched where payment_id = $1")
            .bind(payment_id.0.to_string())
            .execute(self.database.pool())
            .await?;
        Ok(())
    }
}

/// What the outbox still holds.
#[derive(Debug)]
pub struct Outbox {
    /// Effects not yet done.
    pub waiting: i64,
    /// Those of them that failed again and again.
    pub failing: i64,
    /// The one of these that is due first, with its last error.
    pub first: Option<(String, String)>,
}

/// Looks at the outbox at `place`; nothing is changed.
pub async fn outbox(place: &Place) -> Result<Outbox, sqlx::Error> {
    let pool = Database::readers(place, &PURPOSE, 1).await?;
    let (waiting, failing) = sqlx::query_as(
        "select count(*), count(*) filter (where error is not null and attempts >= $1) from outbox where done_ms is null",
    )
    .bind(FAILING)
    .fetch_one(&pool)
    .await?;
    let first = sqlx::query_as(
        "select id, error from outbox where done_ms is null and error is not null and attempts >= $1 order by due_ms limit 1",
    )
    .bind(FAILING)
    .fetch_optional(&pool)
    .await?;
    pool.close().await;
    Ok(Outbox {
        waiting,
        failing,
        first,
    })
}

/// The last event that was reacted to.
pub async fn reached(place: &Place) -> Result<Position, sqlx::Error> {
    let agenda = StoredAgenda::open(place, "look").await?;
    let position = agenda.checkpoint().await;
    agenda.database.close().await;
    position
}

/// Fits the agenda in `dir` to the log beside it, which was cut back: forgets the effects of events that are gone, and lets
/// the reactor read the log from its beginning, which takes holds and payments down again and repeats no effect that it
/// knows.
pub async fn rewind(dir: &Path) -> Result<(), sqlx::Error> {
    let agenda = StoredAgenda::open(&Place::Folder(dir.to_owned()), "restore").await?;
    let mut connection = agenda.database.pool().acquire().await?;
    sqlx::query("attach database ? as log")
        .bind(dir.join("log.db").to_string_lossy().into_owned())
        .execute(&mut *connection)
        .await?;
    for fitting in [
        "delete from outbox where replace(event_id, '-', '') not in (select lower(hex(event_id)) from log.event)",
        "delete from hold",
        "delete from watched",
        "delete from price_lock",
        "update progress set position = 0",
        "detach database log",
    ] {
        sqlx::query(fitting).execute(&mut *connection).await?;
    }
    drop(connection);
    agenda.database.close().await;
    Ok(())
}

fn plan(planned: &Planned, now: i64) -> Result<Vec<Value>, serde_json::Error> {
    Ok(row![
        planned.id.as_str(),
        planned.event_id.to_string(),
        planned.correlation_id.to_string(),
        serde_json::to_string(&planned.effect)?,
        Lane::of(&planned.effect).name(),
        planned
            .not_before
            .map_or(now, |at| at.timestamp_millis().max(now)),
    ])
}

/// Of several news of a hold the last one counts.
async fn note_holds(
    transaction: &mut Transaction<'static, Any>,
    news: &[HoldNews],
) -> Result<(), sqlx::Error> {
    let last: BTreeMap<(Uuid, PaymentId), Option<Moment>> = news
        .iter()
        .map(|news| ((news.room_id, news.payment_id), news.ends))
        .collect();
    let mut holds = Vec::new();
    for ((room, payment), ends) in last {
        if let Some(ends) = ends {
            holds.push(row![
                room.to_string(),
                payment.0.to_string(),
                ends.timestamp_millis()
            ]);
            continue;
        }
        sqlx::query("delete from hold where room_id = $1 and payment_id = $2")
            .bind(room.to_string())
            .bind(payment.0.to_string())
            .execute(&mut **transaction)
            .await?;
    }
    HOLDS.put(transaction, &holds).await
}

/// The file is only ever written here, so an id that cannot be read stands for nothing.
fn uuid(text: &str) -> Uuid {
    text.parse().unwrap_or_default()
}

/// 0.3 s, 0.6 s, … up to five minutes.
pub fn backoff_ms(attempts: i64) -> i64 {
    let doubled = 300_i64.saturating_mul(1 << attempts.clamp(0, 10));
    doubled.min(300_000)
}
