//! Who was given which key of the stock, in the log itself.

use domain::id::UserId;
use rusqlite::{Connection, Transaction, params};

use super::error::Error;
use super::read::Readers;
use super::row::uuid;
use eventlog::LogError;
use eventlog::port::{Given, KeyId, Pair};

const BY_SUBJECT: &str = "select subject, key_id from key_given where subject = ?1";
const BY_KEY: &str = "select subject, key_id from key_given where key_id = ?1";
const GIVE: &str =
    "insert into key_given values (?1, ?2) on conflict (subject) do update set key_id = excluded.key_id";

impl Given for Readers {
    fn given(&self, subjects: &[UserId], keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        Ok(self.blocking(|connection, _| given(connection, subjects, keys))?)
    }
}

pub(super) fn given(
    connection: &Connection,
    subjects: &[UserId],
    keys: &[KeyId],
) -> Result<Vec<Pair>, Error> {
    let _at_once = one_look(connection, subjects.len() + keys.len())?;
    let subjects = subjects.iter().map(|it| it.0);
    let mut pairs = Vec::new();
    for (wanted, names) in [
        (BY_SUBJECT, subjects.collect::<Vec<_>>()),
        (BY_KEY, keys.to_vec()),
    ] {
        let mut statement = connection.prepare_cached(wanted)?;
        for name in names {
            let mut rows = statement.query([name.as_bytes()])?;
            while let Some(row) = rows.next()? {
                pairs.push((UserId(uuid(row.get(0)?)), uuid(row.get(1)?)));
            }
        }
    }
    Ok(pairs)
}

/// Many questions in one transaction, unless there is one: each on its own would take and give back the file's locks.
pub(crate) fn one_look(connection: &Connection, questions: usize) -> Result<Option<Transaction<'_>>, Error> {
    let alone = questions < 2 || !connection.is_autocommit();
    Ok(if alone {
        None
    } else {
        Some(connection.unchecked_transaction()?)
    })
}

pub(super) fn give(connection: &Connection, pairs: &[Pair]) -> Result<(), Error> {
    if pairs.is_empty() {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(GIVE)?;
    for (subject, key) in pairs {
        statement.execute(params![subject.0.as_bytes(), key.as_bytes()])?;
    }
    Ok(())
}
