//! Command ids that have expired. No index names them: every command would pay for it, and nobody waits for this.

use domain::moment::Moment;
use rusqlite::{Connection, params};

use crate::error::Error;

/// Command ids looked at in one go, in the order of their names.
const LOOKED: i64 = 4_000;
/// Command ids forgotten at once.
const FORGOTTEN: usize = 500;

/// Forgets some of those after the one that was `looked` at last, and notes how far it came. Says whether there may be more.
pub(super) fn expired(
    connection: &Connection,
    looked: &mut Option<Vec<u8>>,
    now: Moment,
) -> Result<bool, Error> {
    let from = looked.take().unwrap_or_default();
    let mut statement =
        connection.prepare_cached("select id, expires_at from command where id > ?1 order by id limit ?2")?;
    let mut rows = statement.query(params![from, LOOKED])?;
    let (mut seen, mut gone, mut reached) = (0, Vec::new(), None);
    while gone.len() < FORGOTTEN
        && let Some(row) = rows.next()?
    {
        let id: Vec<u8> = row.get(0)?;
        if row.get::<_, i64>(1)? < now.timestamp_micros() {
            gone.push(id.clone());
        }
        seen += 1;
        reached = Some(id);
    }
    drop(rows);
    let left = gone.len() == FORGOTTEN;
    if left || seen == LOOKED {
        *looked = reached;
    }
    if !gone.is_empty() {
        connection.prepare_cached("begin immediate")?.execute([])?;
        let forgotten = forget(connection, &gone);
        // A disk that fails or is full ends the transaction by itself.
        if forgotten.is_err() && !connection.is_autocommit() {
            connection.prepare_cached("rollback")?.execute([])?;
        }
        forgotten?;
    }
    Ok(left)
}

fn forget(connection: &Connection, ids: &[Vec<u8>]) -> Result<(), Error> {
    let mut delete = connection.prepare_cached("delete from command where id = ?1")?;
    for id in ids {
        delete.execute([id])?;
    }
    connection.prepare_cached("commit")?.execute([])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What ended the forgetting is told and not that there is nothing to give up.
    #[test]
    fn cleanup_reports_its_error_instead_of_nothing_to_do() {
        let connection = Connection::open_in_memory().expect("a database");
        let set_up = "create table command (id blob primary key, expires_at integer);
            insert into command values (x'01', 0);
            create trigger struck before delete on command begin select raise(rollback, 'the disk is struck'); end";
        connection.execute_batch(set_up).expect("made");
        let now = "2026-11-20T10:00:00Z".parse().expect("a time");
        let told = expired(&connection, &mut None, now).expect_err("struck");
        assert!(told.to_string().contains("the disk is struck"), "{told}");
    }
}
