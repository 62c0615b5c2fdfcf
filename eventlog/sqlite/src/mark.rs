//! Which secret of look-ups the log was made with. Its mark tells whether another one lies there now, and nothing of it.

use rusqlite::{Connection, OptionalExtension as _};

use crate::error::Error;
use eventlog::LogError;
use eventlog::event::Hash;

const TABLE: &str = "create table if not exists handles_mark (
    \"only\" integer primary key check (\"only\" = 1),
    mark   blob not null
) strict;";
const ANOTHER: &str = "`handles.key` is not the one that this log was made with, so nobody in it would be found by their address or \
     number: take it from the backup";

/// Refuses a secret other than the one that was there when this was called first.
pub(super) fn fits(connection: &Connection, mark: &Hash) -> Result<(), Error> {
    connection.execute_batch(TABLE)?;
    let known: Option<Hash> = connection
        .query_row("select mark from handles_mark", [], |row| row.get(0))
        .optional()?;
    match known {
        Some(known) if known == *mark => Ok(()),
        Some(_) => Err(Error(LogError::Refused(ANOTHER.to_owned()))),
        None => {
            connection.execute("insert or ignore into handles_mark values (1, ?1)", [mark])?;
            Ok(())
        }
    }
}
