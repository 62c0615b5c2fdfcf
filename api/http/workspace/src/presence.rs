//! Which members of staff have a lead's page open, and who of them writes: what an open page of the desk is told of (decision 0030). One
//! server keeps it in memory; where several nodes serve, it is kept at the shared desk and each change rings the others.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::id::{LeadId, UserId};
use parking_lot::Mutex;
use platform::clock;
use platform::desk::Desk;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// How long a word of writing counts: a page that writes says so again before it is over.
const WRITES_FOR: TimeDelta = TimeDelta::seconds(20);
/// How often a shared desk is told that a page is still open.
pub(crate) const SEEN_EVERY: Duration = Duration::from_secs(15);
/// A page that was not written down for so long is closed: its node has died.
const SEEN_FOR: TimeDelta = TimeDelta::seconds(45);
const CHANNEL: &str = "latchkey_lead_presence";

/// Everybody at every lead; cheap to clone.
#[derive(Clone)]
pub struct Presence {
    here: Arc<Mutex<HashMap<Uuid, Look>>>,
    changed: Arc<watch::Sender<()>>,
    desk: Desk,
    node: Arc<str>,
}

/// One open page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    lead_id: LeadId,
    user_id: UserId,
    /// Milliseconds since 1970.
    writes_until: i64,
}

/// An open page of a lead; it is closed when this is dropped.
pub(crate) struct Open {
    presence: Presence,
    stream_id: Uuid,
    /// The task that writes the page down, until it has. It runs to its end even where the stream ends before, so that the row is
    /// taken away after it came, never before.
    writing: Option<JoinHandle<()>>,
}

impl Presence {
    /// Listens to the other nodes of the desk.
    pub fn at(desk: Desk) -> Self {
        let node = clock::new_id().to_string();
        let presence = Self {
            here: Arc::default(),
            changed: Arc::new(watch::Sender::new(())),
            node: node.as_str().into(),
            desk,
        };
        if presence.desk.is_shared() {
            let mut heard = presence.desk.hear(CHANNEL, &node);
            let changed = presence.changed.clone();
            tokio::spawn(async move {
                while heard.changed().await.is_ok() {
                    changed.send_replace(());
                }
            });
        }
        presence
    }

    /// The desk that its nodes share.
    pub(crate) fn desk(&self) -> &Desk {
        &self.desk
    }

    /// Changes whenever a page is opened or closed, or begins or ends to write.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// A page of the lead is open until the answer is dropped.
    pub(crate) async fn open(&self, lead_id: LeadId, user_id: UserId) -> Open {
        let stream_id = clock::new_id();
        let look = Look {
            lead_id,
            user_id,
            writes_until: 0,
        };
        self.here.lock().insert(stream_id, look);
        let mut open = Open {
            presence: self.clone(),
            stream_id,
            writing: None,
        };
        open.write_down().await;
        open
    }

    /// Notes that a person writes at a lead, or has stopped.
    pub(crate) async fn write(&self, lead_id: LeadId, user_id: UserId, writes: bool) {
        let until = if writes {
            (clock::now() + WRITES_FOR).timestamp_millis()
        } else {
            0
        };
        for look in self.here.lock().values_mut() {
            if (look.lead_id, look.user_id) == (lead_id, user_id) {
                look.writes_until = until;
            }
        }
        if self.desk.is_shared() {
            // At whichever node its stream is open.
            let noted =
                sqlx::query("update lead_presence set writes_until = $1 where lead_id = $2 and user_id = $3")
                    .bind(until)
                    .bind(lead_id.to_string())
                    .bind(user_id.to_string())
                    .execute(self.desk.pool());
            if let Err(error) = noted.await {
                tracing::warn!(%error, "other nodes are not told who writes");
            }
        }
        self.call().await;
    }

    /// Who else has the lead's page open, each once, with whether they write.
    ///
    /// # Errors
    /// When the shared desk cannot be read.
    pub(crate) async fn others(
        &self,
        lead_id: LeadId,
        user_id: UserId,
    ) -> Result<Vec<(UserId, bool)>, sqlx::Error> {
        let now = clock::now();
        let mut looks: Vec<(UserId, i64)> = {
            let here = self.here.lock();
            let at_lead = here.values().filter(|look| look.lead_id == lead_id);
            at_lead.map(|look| (look.user_id, look.writes_until)).collect()
        };
        if self.desk.is_shared() {
            let rows: Vec<(String, i64)> = sqlx::query_as(
                "select user_id, writes_until from lead_presence where lead_id = $1 and seen_at > $2",
            )
            .bind(lead_id.to_string())
            .bind((now - SEEN_FOR).timestamp_millis())
            .fetch_all(self.desk.pool())
            .await?;
            looks.extend(
                rows.into_iter()
                    .filter_map(|(user, until)| Some((user.parse().ok()?, until))),
            );
        }
        let mut people: HashMap<UserId, i64> = HashMap::new();
        for (person, until) in looks.into_iter().filter(|(person, _)| *person != user_id) {
            let known = people.entry(person).or_default();
            *known = until.max(*known);
        }
        let writes = |until: i64| until > now.timestamp_millis();
        let mut people: Vec<(UserId, bool)> = people
            .into_iter()
            .map(|(person, until)| (person, writes(until)))
            .collect();
        people.sort_unstable_by_key(|(person, _)| person.to_string());
        Ok(people)
    }

    async fn tell(&self, stream_id: Uuid, look: Option<Look>) {
        if self.desk.is_shared()
            && let Err(error) = self.write_down(stream_id, look).await
        {
            tracing::warn!(%error, "other nodes are not told who looks at a lead");
        }
        self.call().await;
    }

    async fn call(&self) {
        self.changed.send_replace(());
        if self.desk.is_shared()
            && let Err(error) = self.desk.ring(CHANNEL, &self.node).await
        {
            tracing::warn!(%error, "other nodes hear later who looks at a lead");
        }
    }

    async fn write_down(&self, stream_id: Uuid, look: Option<Look>) -> Result<(), sqlx::Error> {
        let Some(look) = look else {
            sqlx::query("delete from lead_presence where stream_id = $1 or seen_at < $2")
                .bind(stream_id.to_string())
                .bind((clock::now() - SEEN_FOR).timestamp_millis())
                .execute(self.desk.pool())
                .await?;
            return Ok(());
        };
        sqlx::query(
            "insert into lead_presence (stream_id, lead_id, user_id, seen_at, writes_until) values ($1, $2, $3, $4, $5)",
        )
        .bind(stream_id.to_string())
        .bind(look.lead_id.to_string())
        .bind(look.user_id.to_string())
        .bind(clock::now().timestamp_millis())
        .bind(look.writes_until)
        .execute(self.desk.pool())
        .await?;
        Ok(())
    }

    /// Moves the moment of a row that is there, and says whether it is. Where a stream ends in the middle of this, its row may be
    /// gone before the database runs the statement, which must not bring it back.
    async fn note_seen(&self, stream_id: Uuid) -> Result<bool, sqlx::Error> {
        let noted = sqlx::query("update lead_presence set seen_at = $1 where stream_id = $2")
            .bind(clock::now().timestamp_millis())
            .bind(stream_id.to_string())
            .execute(self.desk.pool())
            .await?;
        Ok(noted.rows_affected() > 0)
    }
}

impl Open {
    /// Notes at a shared desk that the page is still open, also where another node took it for closed meanwhile.
    pub(crate) async fn note_seen(&mut self) {
        if !self.presence.desk.is_shared() {
            return;
        }
        match self.presence.note_seen(self.stream_id).await {
            Ok(true) => {}
            Ok(false) => self.write_down().await,
            Err(error) => tracing::warn!(%error, "other nodes are not told who looks at a lead"),
        }
    }

    async fn write_down(&mut self) {
        let (presence, stream_id) = (self.presence.clone(), self.stream_id);
        let look = presence.here.lock().get(&stream_id).copied();
        let task = tokio::spawn(async move { presence.tell(stream_id, look).await });
        // It writes one row and logs what fails.
        let _ended = self.writing.insert(task).await;
        self.writing = None;
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.presence.here.lock().remove(&self.stream_id);
        let (presence, stream_id) = (self.presence.clone(), self.stream_id);
        let writing = self.writing.take();
        tokio::spawn(async move {
            if let Some(writing) = writing {
                let _ended = writing.await;
            }
            presence.tell(stream_id, None).await;
        });
    }
}
