//! Pools on both databases, as durable as the product's log, and the tables of the libraries as their makers write them.

use std::time::Duration;

use clap::ValueEnum;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// How long somebody waits for a connection or a lock before it counts as a failure.
const PATIENCE: Duration = Duration::from_mins(1);

/// `events` of sqlite-es 0.5 (its `migrations/`), and one view under the name that the replay uses.
pub const SQLITE_TABLES: &str = "
create table events (
  aggregate_type text not null,
  aggregate_id text not null,
  sequence integer check (sequence >= 0) not null,
  event_type text not null,
  event_version text not null,
  payload text not null,
  metadata text not null,
  primary key (aggregate_type, aggregate_id, sequence)
) strict;
create table lead_view (
  view_id text not null,
  version integer check (version >= 0) not null,
  payload text not null,
  primary key (view_id)
) strict;
create table lead (id text primary key, status text not null, said text not null, created_at integer not null);
";

/// The same of postgres-es 0.5 (its `db/init.sql`).
pub const POSTGRES_TABLES: &str = "
create table events (
  aggregate_type text not null,
  aggregate_id text not null,
  sequence bigint check (sequence >= 0) not null,
  event_type text not null,
  event_version text not null,
  payload json not null,
  metadata json not null,
  primary key (aggregate_type, aggregate_id, sequence)
);
create table lead_view (
  view_id text not null,
  version bigint check (version >= 0) not null,
  payload json not null,
  primary key (view_id)
);
create table lead (id uuid primary key, status text not null, said jsonb not null, created_at timestamptz not null);
";

/// A pool on a file: write-ahead log, a sync for each commit.
pub async fn sqlite(path: &str, connections: u32) -> SqlitePool {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(PATIENCE);
    let pool = SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE);
    pool.connect_with(options)
        .await
        .unwrap_or_else(|error| panic!("{path} cannot be opened: {error}"))
}

/// A pool on a server, whose own settings keep it durable.
pub async fn postgres(url: &str, connections: u32) -> PgPool {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE);
    pool.connect(url)
        .await
        .unwrap_or_else(|error| panic!("{url} cannot be reached: {error}"))
}

/// Makes the tables in an empty file.
pub async fn sqlite_with_tables(path: &str, connections: u32) -> SqlitePool {
    let pool = sqlite(path, connections).await;
    sqlx::raw_sql(SQLITE_TABLES)
        .execute(&pool)
        .await
        .expect("the tables can be made");
    pool
}

/// Makes the tables in an empty database.
pub async fn postgres_with_tables(url: &str, connections: u32) -> PgPool {
    let pool = postgres(url, connections).await;
    sqlx::raw_sql(POSTGRES_TABLES)
        .execute(&pool)
        .await
        .expect("the tables can be made");
    pool
}
