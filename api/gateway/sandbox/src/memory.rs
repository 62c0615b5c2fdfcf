//! What the provider remembers: intents, refunds, answers by idempotency key, notices and the fault plan.

use domain::moment::Moment;
use platform::clock;
use platform::desk::{lock_turn, take_turn};
use platform::duty::Duty;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::{Any, AnyConnection, Transaction};
use tables::{Database, Durability, Flag, Place, Purpose};

use crate::memory_error::MemoryError;
use crate::{GatewayError, Intent, Refund};

/// How the provider misbehaves on purpose (X6). Percentages fall on notices by a digest of their id: the same notices every
/// time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(example = json!({ "drop_percent": 10, "reorder": true }))]
pub struct FaultPlan {
    /// Share of notices that are never delivered.
    #[schema(maximum = 255)]
    pub drop_percent: u8,
    /// Share of notices that are delivered `1 + duplicates` times.
    #[schema(maximum = 255)]
    pub duplicate_percent: u8,
    #[schema(maximum = 255)]
    pub duplicates: u8,
    /// Notices wait up to this long, each for its own time.
    pub delay_ms: u32,
    /// Newest first instead of oldest first.
    pub reorder: bool,
    /// Calls are not answered at all.
    pub outage: bool,
    /// How long a delayed method takes to settle.
    pub settle_after_ms: u32,
    /// How long a refund takes to be acknowledged.
    pub refund_after_ms: u32,
    pub refunds_fail: bool,
    /// How often what is on the account goes to the bank.
    pub payout_every_ms: u32,
    /// How much later than promised a payout arrives.
    pub payout_delay_ms: u32,
    /// Of this charge the provider keeps more than agreed: so many minor units.
    pub fee_extra_of: String,
    pub fee_extra_minor: u32,
    /// How long the bank of a disputed charge waits for evidence.
    pub dispute_due_ms: u32,
}

impl Default for FaultPlan {
    fn default() -> Self {
        Self {
            drop_percent: 0,
            duplicate_percent: 0,
            duplicates: 1,
            delay_ms: 0,
            reorder: false,
            outage: false,
            settle_after_ms: 4_000,
            refund_after_ms: 300,
            refunds_fail: false,
            payout_every_ms: 86_400_000,
            payout_delay_ms: 0,
            fee_extra_of: String::new(),
            fee_extra_minor: 0,
            dispute_due_ms: 7 * 86_400_000,
        }
    }
}

/// A notice as the provider keeps it, for delivery and for the test page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredNotice {
    pub id: String,
    pub kind: String,
    pub body: String,
    pub due_ms: i64,
    /// Deliveries still to be made; 0 when dropped or done.
    pub remaining: i64,
    pub delivered: i64,
    pub dropped: Flag,
}

tables::from_row!(StoredNotice {
    id,
    kind,
    body,
    due_ms,
    remaining,
    delivered,
    dropped
});

/// The provider's tables.
#[derive(Debug, Clone)]
pub struct Memory {
    pub(crate) database: Database,
    duty: Duty,
}

const PURPOSE: Purpose = Purpose {
    name: "sandbox",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/sandbox/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/sandbox/postgres"),
    // It outlives a killed process; a power cut of the pretended world is not in the play.
    durability: Durability::Ordered,
    connections: 1,
    shared_connections: 3,
};

/// At a server that may crash under us, the pretended world must not forget what it answered.
const SHARED: Purpose = Purpose {
    durability: Durability::Full,
    ..PURPOSE
};

impl Memory {
    pub(crate) async fn open(place: &Place, node: &str) -> Result<Self, sqlx::Error> {
        let purpose = match place {
            Place::Folder(_) => PURPOSE,
            Place::Postgres(_) => SHARED,
        };
        let database = Database::open(place, &purpose).await?;
        Ok(Self {
            duty: Duty::new(&database, "courier", node),
            database,
        })
    }

    pub(crate) fn duty(&self) -> &Duty {
        &self.duty
    }

    /// That this node is the one on duty, before it does what no transaction can take back.
    pub(crate) async fn confirm_duty(&self) -> Result<(), MemoryError> {
        Ok(self.duty.confirm().await?)
    }

    /// A change that only the node on duty makes.
    pub(crate) async fn begin_on_duty(&self) -> Result<Work, MemoryError> {
        let mut transaction = self.duty.begin().await?;
        lock_turn(&self.database, &mut transaction).await?;
        Ok(Work {
            transaction,
            plan: None,
        })
    }

    /// The secret that notices are signed with, made on first use.
    pub(crate) async fn secret(&self) -> Result<String, sqlx::Error> {
        let fresh = format!(
            "whsec_{}{}",
            uuid::Uuid::new_v4().simple(),
            uuid::Uuid::new_v4().simple()
        );
        self.setting("webhook_secret", &fresh).await
    }

    async fn setting(&self, name: &str, default: &str) -> Result<String, sqlx::Error> {
        sqlx::query("insert into setting (name, value) values ($1, $2) on conflict do nothing")
            .bind(name)
            .bind(default)
            .execute(self.database.pool())
            .await?;
        sqlx::query_scalar("select value from setting where name = $1")
            .bind(name)
            .fetch_one(self.database.pool())
            .await
    }

    /// How the provider misbehaves at present.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub async fn plan(&self) -> Result<FaultPlan, MemoryError> {
        let stored: Option<String> = sqlx::query_scalar("select value from setting where name = 'plan'")
            .fetch_optional(self.database.pool())
            .await?;
        Ok(stored
            .and_then(|plan| serde_json::from_str(&plan).ok())
            .unwrap_or_default())
    }

    pub(crate) async fn set_plan(&self, plan: &FaultPlan) -> Result<(), sqlx::Error> {
        let plan = serde_json::to_string(plan).map_err(|error| sqlx::Error::Encode(error.into()))?;
        sqlx::query("insert into setting (name, value) values ('plan', $1) on conflict (name) do update set value = excluded.value")
            .bind(plan)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    pub(crate) async fn begin(&self) -> Result<Work, MemoryError> {
        Ok(Work {
            transaction: take_turn(&self.database).await?,
            plan: None,
        })
    }

    /// The newest notices, for the test page.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub async fn notices(&self, limit: i64) -> Result<Vec<StoredNotice>, sqlx::Error> {
        sqlx::query_as("select id, kind, body, due_ms, remaining, delivered, dropped from notice order by seq desc limit $1")
            .bind(limit)
            .fetch_all(self.database.pool())
            .await
    }

    /// Every intent the provider knows, newest first.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub async fn intents(&self, limit: i64) -> Result<Vec<Intent>, MemoryError> {
        let rows: Vec<String> = sqlx::query_scalar("select state from intent order by seq desc limit $1")
            .bind(limit)
            .fetch_all(self.database.pool())
            .await?;
        rows.iter().map(|row| Ok(serde_json::from_str(row)?)).collect()
    }

    /// Every refund the provider knows, newest first.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub async fn refunds(&self, limit: i64) -> Result<Vec<Refund>, MemoryError> {
        let rows: Vec<String> = sqlx::query_scalar("select state from refund order by seq desc limit $1")
            .bind(limit)
            .fetch_all(self.database.pool())
            .await?;
        rows.iter().map(|row| Ok(serde_json::from_str(row)?)).collect()
    }

    /// Notices that are due, in the order the plan wants.
    pub(crate) async fn due(&self, now: Moment, reorder: bool) -> Result<Vec<StoredNotice>, MemoryError> {
        let sql = if reorder {
            "select id, kind, body, due_ms, remaining, delivered, dropped from notice where remaining > 0 and due_ms <= $1 order by seq desc limit 50"
        } else {
            "select id, kind, body, due_ms, remaining, delivered, dropped from notice where remaining > 0 and due_ms <= $1 order by due_ms, seq limit 50"
        };
        Ok(sqlx::query_as(sql)
            .bind(now.timestamp_millis())
            .fetch_all(self.database.pool())
            .await?)
    }

    /// When something is to be done next: a notice delivered, a method settled, a refund acknowledged.
    pub(crate) async fn next_due_ms(&self) -> Result<Option<i64>, MemoryError> {
        Ok(sqlx::query_scalar(
            "select min(due) from (
               select min(due_ms) as due from notice where remaining > 0
               union all select min(settles_ms) from intent where settles_ms is not null
               union all select min(settles_ms) from refund where settles_ms is not null) as dues",
        )
        .fetch_one(self.database.pool())
        .await?)
    }

    pub(crate) async fn delivered(&self, id: &str) -> Result<(), MemoryError> {
        sqlx::query("update notice set remaining = remaining - 1, delivered = delivered + 1 where id = $1")
            .bind(id)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    pub(crate) async fn postpone(&self, id: &str, due_ms: i64) -> Result<(), MemoryError> {
        sqlx::query("update notice set due_ms = $1 where id = $2")
            .bind(due_ms)
            .bind(id)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    /// Tells a notice again, whatever became of it (X6).
    ///
    /// # Errors
    /// When the memory cannot be written.
    pub async fn repeat(&self, id: &str) -> Result<bool, sqlx::Error> {
        let due = clock::now().timestamp_millis();
        let changed = sqlx::query(
            "update notice set remaining = remaining + 1, dropped = 0, due_ms = $1 where id = $2",
        )
        .bind(due)
        .bind(id)
        .execute(self.database.pool())
        .await?;
        Ok(changed.rows_affected() > 0)
    }
}

/// One indivisible change of the provider's memory; undone when dropped.
pub(crate) struct Work {
    transaction: Transaction<'static, Any>,
    plan: Option<FaultPlan>,
}

impl Work {
    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }

    pub(crate) async fn commit(self) -> Result<(), MemoryError> {
        Ok(self.transaction.commit().await?)
    }

    pub(crate) async fn plan(&mut self) -> Result<FaultPlan, MemoryError> {
        if let Some(plan) = &self.plan {
            return Ok(plan.clone());
        }
        let stored: Option<String> = sqlx::query_scalar("select value from setting where name = 'plan'")
            .fetch_optional(&mut *self.transaction)
            .await?;
        let plan: FaultPlan = stored
            .and_then(|plan| serde_json::from_str(&plan).ok())
            .unwrap_or_default();
        self.plan = Some(plan.clone());
        Ok(plan)
    }

    /// The first answer to this key, if there was one.
    pub(crate) async fn answered<T: DeserializeOwned>(
        &mut self,
        key: &str,
        request: &impl Serialize,
    ) -> Result<Option<T>, MemoryError> {
        let row: Option<(Vec<u8>, String)> =
            sqlx::query_as("select digest, reply from answer where key = $1")
                .bind(key)
                .fetch_optional(&mut *self.transaction)
                .await?;
        let Some((digest, reply)) = row else {
            return Ok(None);
        };
        if digest != digest_of(request)? {
            return Err(GatewayError::KeyReused.into());
        }
        Ok(Some(serde_json::from_str(&reply)?))
    }

    pub(crate) async fn answer(
        &mut self,
        key: &str,
        request: &impl Serialize,
        reply: &impl Serialize,
    ) -> Result<(), MemoryError> {
        sqlx::query("insert into answer (key, digest, reply) values ($1, $2, $3) on conflict do nothing")
            .bind(key)
            .bind(digest_of(request)?)
            .bind(serde_json::to_string(reply)?)
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }

    pub(crate) async fn intent(&mut self, id: &str) -> Result<Option<Intent>, MemoryError> {
        let row: Option<String> = sqlx::query_scalar("select state from intent where id = $1")
            .bind(id)
            .fetch_optional(&mut *self.transaction)
            .await?;
        Ok(row.map(|row| serde_json::from_str(&row)).transpose()?)
    }

    pub(crate) async fn known_intent(&mut self, id: &str) -> Result<Intent, MemoryError> {
        let intent = self.intent(id).await?;
        Ok(intent.ok_or_else(|| GatewayError::Refused("no such intent".to_owned()))?)
    }

    pub(crate) async fn put_intent(&mut self, intent: &Intent) -> Result<(), MemoryError> {
        sqlx::query(
            "insert into intent (id, settles_ms, state, seq)
             values ($1, $2, $3, (select coalesce(max(seq), 0) + 1 from intent))
             on conflict (id) do update set settles_ms = excluded.settles_ms, state = excluded.state",
        )
        .bind(&intent.id)
        .bind(intent.settles.map(|(at, _)| at.timestamp_millis()))
        .bind(serde_json::to_string(intent)?)
        .execute(&mut *self.transaction)
        .await?;
        Ok(())
    }

    pub(crate) async fn refund(&mut self, id: &str) -> Result<Option<Refund>, MemoryError> {
        let row: Option<String> = sqlx::query_scalar("select state from refund where id = $1")
            .bind(id)
            .fetch_optional(&mut *self.transaction)
            .await?;
        Ok(row.map(|row| serde_json::from_str(&row)).transpose()?)
    }

    pub(crate) async fn put_refund(&mut self, refund: &Refund) -> Result<(), MemoryError> {
        sqlx::query(
            "insert into refund (id, settles_ms, state, seq)
             values ($1, $2, $3, (select coalesce(max(seq), 0) + 1 from refund))
             on conflict (id) do update set settles_ms = excluded.settles_ms, state = excluded.state",
        )
        .bind(&refund.id)
        .bind(refund.settles_at.map(|at| at.timestamp_millis()))
        .bind(serde_json::to_string(refund)?)
        .execute(&mut *self.transaction)
        .await?;
        Ok(())
    }

    /// What settles by now.
    pub(crate) async fn settling(&mut self, now: Moment) -> Result<(Vec<Intent>, Vec<Refund>), MemoryError> {
        let now = now.timestamp_millis();
        let intents: Vec<String> = sqlx::query_scalar("select state from intent where settles_ms <= $1")
            .bind(now)
            .fetch_all(&mut *self.transaction)
            .await?;
        let refunds: Vec<String> = sqlx::query_scalar("select state from refund where settles_ms <= $1")
            .bind(now)
            .fetch_all(&mut *self.transaction)
            .await?;
        Ok((
            intents
                .iter()
                .map(|row| serde_json::from_str(row))
                .collect::<Result<_, _>>()?,
            refunds
                .iter()
                .map(|row| serde_json::from_str(row))
                .collect::<Result<_, _>>()?,
        ))
    }

    /// Puts a notice in line, with the faults the plan has for it.
    pub(crate) async fn tell(&mut self, kind: &str, object: &serde_json::Value) -> Result<(), MemoryError> {
        let plan = self.plan().await?;
        let now = clock::now();
        let seq: i64 = sqlx::query_scalar("select coalesce(max(seq), 0) + 1 from notice")
            .fetch_one(&mut *self.transaction)
            .await?;
        let id = name("evt", &format!("{seq} {kind}"));
        let body = serde_json::json!({
            "id": id, "object": "event", "type": kind, "created": now.timestamp(), "livemode": false,
            "data": { "object": object },
        });
        let luck = digest_number(&id);
        let dropped = luck % 100 < u64::from(plan.drop_percent);
        let repeated = luck / 100 % 100 < u64::from(plan.duplicate_percent);
        let deliveries = 1 + if repeated { i64::from(plan.duplicates) } else { 0 };
        let delay = (luck / 10_000 % (u64::from(plan.delay_ms) + 1)).cast_signed();
        sqlx::query("insert into notice (seq, id, kind, body, due_ms, remaining, dropped) values ($1, $2, $3, $4, $5, $6, $7)")
            .bind(seq)
            .bind(&id)
            .bind(kind)
            .bind(body.to_string())
            .bind(now.timestamp_millis() + delay)
            .bind(if dropped { 0 } else { deliveries })
            .bind(i64::from(dropped))
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }
}

/// A provider's id: the same key makes the same name.
pub(crate) fn name(prefix: &str, key: &str) -> String {
    let digest = Sha256::new_with_prefix(prefix)
        .chain_update([0])
        .chain_update(key)
        .finalize();
    format!("{prefix}_{}", &hex::encode(digest)[..24])
}

fn digest_of(request: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    Ok(Sha256::digest(serde_json::to_vec(request)?).to_vec())
}

fn digest_number(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    digest
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
