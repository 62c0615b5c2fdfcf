//! Whether every table of the log is there when it is opened. Without one of them most goes well until the first write.

use rusqlite::Connection;

use crate::error::Error;
use eventlog::LogError;

const TABLES: [&str; 9] = [
    "command",
    "event",
    "key_given",
    "log_head",
    "segment",
    "shape",
    "signed_head",
    "signing_key",
    "stream",
];

/// Refuses a log that lacks one, and names it.
pub(super) fn are_there(connection: &Connection) -> Result<(), Error> {
    let mut asked =
        connection.prepare("select count(*) from sqlite_schema where type = 'table' and name = ?1")?;
    for table in TABLES {
        let found: i64 = asked.query_row([table], |row| row.get(0))?;
        if found == 0 {
            return Err(Error(LogError::Refused(format!(
                "the table `{table}` of the log is gone: restore the newest backup (docs/operations.md, Back up and restore)"
            ))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{connect, establish};

    #[test]
    fn a_log_without_one_of_its_tables_is_not_opened() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut log = connect(&dir.path().join("log.db")).expect("opened");
        establish(&mut log).expect("made");
        establish(&mut log).expect("all of them are there");
        log.execute_batch("drop table command").expect("dropped");
        let refused = establish(&mut log).expect_err("one is gone");
        assert!(refused.to_string().contains("`command`"), "{refused}");
    }
}
