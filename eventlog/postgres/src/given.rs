//! Who was given which key of the stock, in the log itself.

use domain::id::UserId;
use tokio_postgres::Row;
use uuid::Uuid;

use super::connect::Session;
use super::read::Readers;
use super::row::column;
use eventlog::LogError;
use eventlog::port::{Given, KeyId, Pair};

const GIVEN: &str = "select subject, key_id from key_given where subject = any($1) \
     union select subject, key_id from key_given where key_id = any($2)";
const GIVE: &str = "insert into key_given select * from unnest($1::uuid[], $2::uuid[]) \
     on conflict (subject) do update set key_id = excluded.key_id";

impl Given for Readers {
    fn given(&self, subjects: &[UserId], keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        let (readers, subjects, keys) = (self.clone(), uuids(subjects), keys.to_vec());
        self.wait(async move { pairs(&readers.rows(GIVEN, &[&subjects, &keys]).await?) })
    }
}

/// The same on the writer's connection, with the head's lock in hand.
pub(super) async fn given(
    session: &Session,
    subjects: &[UserId],
    keys: &[KeyId],
) -> Result<Vec<Pair>, LogError> {
    pairs(&session.query(GIVEN, &[&uuids(subjects), &keys]).await?)
}

pub(super) async fn give(session: &Session, pairs: &[Pair]) -> Result<(), LogError> {
    if pairs.is_empty() {
        return Ok(());
    }
    let (subjects, keys): (Vec<Uuid>, Vec<KeyId>) = pairs.iter().map(|(it, key)| (it.0, *key)).unzip();
    session.query(GIVE, &[&subjects, &keys]).await.map(drop)
}

fn uuids(subjects: &[UserId]) -> Vec<Uuid> {
    subjects.iter().map(|subject| subject.0).collect()
}

fn pairs(rows: &[Row]) -> Result<Vec<Pair>, LogError> {
    rows.iter()
        .map(|row| Ok((UserId(column(row, 0)?), column(row, 1)?)))
        .collect()
}
