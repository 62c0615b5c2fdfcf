//! How far a read model has come, as its own database says, and which events it leaves out.

use std::collections::HashSet;

use eventlog::{Position, RecordedEvent, StreamId};
use sqlx::AnyConnection;

use super::Projection;

/// A read model's row.
pub(super) struct Stored {
    pub(super) version: i64,
    pub(super) position: Position,
}

pub(super) async fn read(
    projection: &dyn Projection,
    connection: &mut AnyConnection,
) -> Result<Option<Stored>, sqlx::Error> {
    let row: Option<(i64, i64)> = sqlx::query_as("select version, position from projection where name = $1")
        .bind(projection.name())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|(version, position)| Stored {
        version,
        position: position.cast_unsigned(),
    }))
}

pub(super) async fn save(
    projection: &dyn Projection,
    position: Position,
    error: Option<&str>,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into projection (name, version, position, error) values ($1, $2, $3, $4)
         on conflict (name) do update
         set version = excluded.version, position = excluded.position, error = excluded.error",
    )
    .bind(projection.name())
    .bind(i64::from(projection.version()))
    .bind(position.cast_signed())
    .bind(error)
    .execute(connection)
    .await?;
    Ok(())
}

/// Empties a read model, what it left out included.
pub(super) async fn empty(
    projection: &dyn Projection,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    for table in projection.tables() {
        // Table names are constants of the projection's own file, never input.
        sqlx::query(sqlx::AssertSqlSafe(format!("delete from {table}")))
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("delete from parked where projection = $1")
        .bind(projection.name())
        .execute(connection)
        .await?;
    Ok(())
}

/// Leaves an event out until the read model is rebuilt.
pub(super) async fn park(
    projection: &dyn Projection,
    event: &RecordedEvent,
    error: &str,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into parked (projection, position, kind, stream, event_type, error) values ($1, $2, $3, $4, $5, $6)
         on conflict (projection, position) do update set error = excluded.error",
    )
    .bind(projection.name())
    .bind(event.position.cast_signed())
    .bind(event.stream.kind)
    .bind(event.stream.id.to_string())
    .bind(&event.event_type)
    .bind(error)
    .execute(connection)
    .await?;
    Ok(())
}

/// The streams of which a read model has left something out.
pub(super) async fn parked(
    projection: &dyn Projection,
    connection: &mut AnyConnection,
) -> Result<HashSet<StreamId>, sqlx::Error> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("select distinct kind, stream from parked where projection = $1")
            .bind(projection.name())
            .fetch_all(connection)
            .await?;
    let streams = rows
        .iter()
        .filter_map(|(kind, id)| Some(StreamId::stored(kind, id.parse().ok()?)));
    Ok(streams.collect())
}
