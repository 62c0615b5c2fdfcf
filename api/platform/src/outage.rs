//! What a database's error says of the database: away for a while, or without a table.

/// SQLSTATE of a table that is not there.
const GONE: &str = "42P01";
/// Classes of SQLSTATE that speak of the server and not of what was asked.
const AWAY: [&str; 6] = ["08", "25", "40", "53", "57", "58"];

/// Whether a question was of a table that is not there: somebody dropped it, and what can be made again is asked for later.
pub fn is_without_its_table(error: &sqlx::Error) -> bool {
    let told = error.as_database_error();
    told.is_some_and(|told| {
        told.code().is_some_and(|code| code == GONE) || told.message().starts_with("no such table")
    })
}

/// Whether the database will answer the same again, later: it starts, stops, or its line is cut.
pub fn is_away(error: &sqlx::Error) -> bool {
    match error {
        // A line that is cut while it is being laid answers what no database says.
        sqlx::Error::Io(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::WorkerCrashed => true,
        // SQLite's codes are numbers of other lengths.
        sqlx::Error::Database(told) => told
            .code()
            .is_some_and(|code| code.len() == 5 && AWAY.iter().any(|class| code.starts_with(class))),
        // The enumeration is sqlx's and may grow; what it means by the rest is a mistake of ours.
        _ => false,
    }
}
