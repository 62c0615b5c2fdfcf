//! The streams that a batch touches: where each stands after it, and the short key of each.

use std::collections::HashMap;

use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::row::signed;
use eventlog::plan::Plan;
use eventlog::stream::StreamId;

/// Adds streams; its parameters are [`New::params`].
pub(super) const NEW: &str = "insert into stream \
     select * from unnest($1::bigint[], $2::text[], $3::uuid[], $4::bigint[], $5::uuid[])";
/// Moves streams; its parameters are [`Old::params`].
pub(super) const OLD: &str = "update stream s set revision = moved.revision, last_event = moved.last_event \
     from unnest($1::bigint[], $2::bigint[], $3::uuid[]) as moved (id, revision, last_event) where s.id = moved.id";

#[derive(Default)]
pub(super) struct Touched {
    pub(super) keys: HashMap<StreamId, i64>,
    pub(super) new: New,
    pub(super) old: Old,
    /// The last stream's key, once this is written.
    pub(super) last_key: i64,
}

/// Streams with their first events, column by column.
#[derive(Default)]
pub(super) struct New {
    id: Vec<i64>,
    kind: Vec<&'static str>,
    uuid: Vec<Uuid>,
    revision: Vec<i64>,
    last_event: Vec<Uuid>,
}

/// Streams that had events before, column by column.
#[derive(Default)]
pub(super) struct Old {
    id: Vec<i64>,
    revision: Vec<i64>,
    last_event: Vec<Uuid>,
}

impl Touched {
    /// In the order of events, so that new streams get ascending keys, after `last_key`.
    pub(super) fn by(plan: &Plan, mut last_key: i64) -> Self {
        let mut touched = Self::default();
        for stream in plan.events.iter().map(|event| event.stream) {
            if touched.keys.contains_key(&stream) {
                continue;
            }
            let head = plan.streams.get(&stream).copied().unwrap_or_default();
            let (revision, last) = (signed(head.revision), head.last.unwrap_or_default());
            let key = if let Some(key) = head.key {
                touched.old.id.push(key);
                touched.old.revision.push(revision);
                touched.old.last_event.push(last);
                key
            } else {
                last_key += 1;
                touched.new.id.push(last_key);
                touched.new.kind.push(stream.kind);
                touched.new.uuid.push(stream.id);
                touched.new.revision.push(revision);
                touched.new.last_event.push(last);
                last_key
            };
            touched.keys.insert(stream, key);
        }
        touched.last_key = last_key;
        touched
    }
}

impl New {
    pub(super) fn params(&self) -> [&(dyn ToSql + Sync); 5] {
        [&self.id, &self.kind, &self.uuid, &self.revision, &self.last_event]
    }
}

impl Old {
    pub(super) fn params(&self) -> [&(dyn ToSql + Sync); 3] {
        [&self.id, &self.revision, &self.last_event]
    }
}
