//! Where the log under measurement lies.

use clap::{Args, ValueEnum};
use eventlog::EventLog;

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// An engine and where it keeps the log.
#[derive(Debug, Clone, Args)]
pub struct LogPlace {
    #[arg(long)]
    engine: Engine,
    /// A folder, or the address of an empty database.
    #[arg(long)]
    place: String,
    /// The address of the database of keys.
    #[arg(long, default_value = "")]
    keys: String,
}

impl LogPlace {
    /// The log, made when there is none, with everything the product opens it with.
    pub async fn open(&self) -> EventLog {
        let opened = match self.engine {
            Engine::Sqlite => eventlog_sqlite::open(self.place.as_ref()).await,
            Engine::Postgres => eventlog_postgres::open(&self.place, &self.keys).await,
        };
        opened.unwrap_or_else(|error| panic!("the log at {} cannot be opened: {error}", self.place))
    }
}
