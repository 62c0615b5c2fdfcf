//! How far a read model has come, as its own database says, and which events it leaves out.

use std::collections::{HashMap, HashSet};

use eventlog::{Position, RecordedEvent, StreamId};
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use super::gone::UNBUILT;
use super::{Progress, Projection};

const CHECKPOINTS: Table = Table {
    name: "projection",
    columns: &[Text("name"), Number("version"), Number("position"), Text("error")],
    key: 1,
};

/// A read model's row.
pub(super) struct Stored {
    pub(super) version: i64,
    pub(super) position: Position,
}

/// What that tells of it; why it rests, where another program has built it or nobody.
pub(super) fn told(projection: &dyn Projection, stored: Option<Stored>, parked: usize) -> Progress {
    let ours = i64::from(projection.version());
    let error = match &stored {
        Some(stored) if stored.version == UNBUILT => {
            Some("a table of it was gone, and it is not built anew yet: `latchkey rebuild`")
        }
        Some(stored) if stored.version != ours => Some("another version of the program has built it"),
        Some(_) | None => None,
    };
    Progress {
        name: projection.name(),
        version: projection.version(),
        position: stored.map_or(0, |stored| stored.position),
        error: error.map(str::to_owned),
        parked,
    }
}

/// Reads the row; `locked` is what keeps it from changing until the transaction ends, or nothing.
pub(super) async fn read(
    projection: &dyn Projection,
    locked: &'static str,
    connection: &mut AnyConnection,
) -> Result<Option<Stored>, sqlx::Error> {
    let row: Option<(i64, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select version, position from projection where name = $1{locked}"
    )))
    .bind(projection.name())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(version, position)| Stored {
        version,
        position: position.cast_unsigned(),
    }))
}

/// Every row, by the name of its read model; `locked` as for [`read`].
pub(super) async fn all(
    locked: &'static str,
    connection: &mut AnyConnection,
) -> Result<HashMap<String, Stored>, sqlx::Error> {
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select name, version, position from projection order by name{locked}"
    )))
    .fetch_all(connection)
    .await?;
    let rows = rows.into_iter().map(|(name, version, position)| {
        let position = position.cast_unsigned();
        (name, Stored { version, position })
    });
    Ok(rows.collect())
}

/// The streams of which read models have left something out, by the name of the read model.
pub(super) async fn all_streams(
    connection: &mut AnyConnection,
) -> Result<HashMap<String, HashSet<StreamId>>, sqlx::Error> {
    let rows: Vec<(String, String, String)> =
        sqlx::query_as("select distinct projection, kind, stream from parked")
            .fetch_all(connection)
            .await?;
    let mut streams: HashMap<String, HashSet<StreamId>> = HashMap::new();
    for (name, kind, id) in rows {
        if let Ok(id) = id.parse() {
            streams
                .entry(name)
                .or_default()
                .insert(StreamId::stored(&kind, id));
        }
    }
    Ok(streams)
}

/// Notes that these have come to one position.
pub(super) async fn save(
    projections: &[&dyn Projection],
    position: Position,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    let no_error: Option<&str> = None;
    let rows = projections.iter().map(|projection| {
        let version = i64::from(projection.version());
        row![projection.name(), version, position.cast_signed(), no_error]
    });
    CHECKPOINTS.put(connection, &rows.collect::<Vec<_>>()).await
}

/// Makes the row of a read model that nobody has begun yet, so that there is something to lock.
pub(super) async fn begin(
    projection: &dyn Projection,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into projection (name, version, position) values ($1, $2, 0) on conflict (name) do nothing",
    )
    .bind(projection.name())
    .bind(i64::from(projection.version()))
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

/// An event that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    pub position: i64,
    pub kind: String,
    pub stream: String,
    pub event_type: String,
    pub error: String,
}

tables::from_row!(Parked {
    position,
    kind,
    stream,
    event_type,
    error
});

/// What a read model leaves out, oldest first.
pub(super) async fn left_out(
    projection: &dyn Projection,
    limit: u32,
    connection: &mut AnyConnection,
) -> Result<Vec<Parked>, sqlx::Error> {
    sqlx::query_as(
        "select position, kind, stream, event_type, error from parked where projection = $1 order by position limit $2",
    )
    .bind(projection.name())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await
}

/// An event was taken in after all.
pub(super) async fn unpark(
    projection: &dyn Projection,
    position: i64,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query("delete from parked where projection = $1 and position = $2")
        .bind(projection.name())
        .bind(position)
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
