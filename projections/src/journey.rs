//! What a person did about each property (row F7) and which they keep an eye on (row F6): what decides their buttons.

use std::str::FromStr;

use domain::aggregate::Decide;
use domain::id::{InventoryId, ShortlistEntryId, UserId};
use domain::shortlist::{Shortlist, ShortlistEvent};
use domain::user::{User, UserEvent};
use domain::user_history::{PropertyHistory, UserHistory, UserHistoryEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::any::AnyExecutor;
use sqlx::{AnyConnection, AnyPool};

use crate::run::{Projection, ProjectionError};

/// Person and property to flags, and to an entry of the shortlist.
pub struct Journeys;

impl Projection for Journeys {
    fn name(&self) -> &'static str {
        "journey"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["journey", "shortlist"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[UserHistory::KIND, Shortlist::KIND, User::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                match record.stream.kind {
                    Shortlist::KIND => listed(connection, record).await?,
                    User::KIND => forget(connection, record).await?,
                    _ => noted(connection, record).await?,
                }
            }
            Ok(())
        })
    }
}

async fn noted(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let event = record.decode::<UserHistory>()?;
    let UserHistoryEvent::Noted { property_id, .. } = &event;
    let person = UserId(record.stream.id);
    let mut history = read(&mut *connection, person, *property_id).await?;
    history.evolve(&event);
    let document = serde_json::to_vec(&history).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "insert into journey (person, property, document) values ($1, $2, $3)
         on conflict (person, property) do update set document = excluded.document",
    )
    .bind(person.to_string())
    .bind(property_id.to_string())
    .bind(document)
    .execute(connection)
    .await?;
    Ok(())
}

/// A forgotten person's ways are nobody's.
async fn forget(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let UserEvent::Forgotten { user_id, .. } = record.decode_sealed::<User>()? else {
        return Ok(());
    };
    for table in [
        "delete from journey where person = $1",
        "delete from shortlist where person = $1",
    ] {
        sqlx::query(table)
            .bind(user_id.to_string())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn listed(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let person = UserId(record.stream.id).to_string();
    match record.decode::<Shortlist>()? {
        ShortlistEvent::Added {
            entry_id,
            inventory_id,
            ..
        } => {
            sqlx::query(
                "insert into shortlist (person, property, entry) values ($1, $2, $3)
             on conflict (person, property) do update set entry = excluded.entry",
            )
            .bind(person)
            .bind(inventory_id.to_string())
            .bind(entry_id.to_string())
            .execute(connection)
            .await?;
        }
        ShortlistEvent::Removed { inventory_id, .. } => {
            sqlx::query("delete from shortlist where person = $1 and property = $2")
                .bind(person)
                .bind(inventory_id.to_string())
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}

async fn read<'e>(
    executor: impl AnyExecutor<'e>,
    person: UserId,
    property: InventoryId,
) -> Result<PropertyHistory, sqlx::Error> {
    let document: Option<Vec<u8>> =
        sqlx::query_scalar("select document from journey where person = $1 and property = $2")
            .bind(person.to_string())
            .bind(property.to_string())
            .fetch_optional(executor)
            .await?;
    let history = document.map(|json| serde_json::from_slice(&json)).transpose();
    Ok(history
        .map_err(|error| sqlx::Error::Decode(error.into()))?
        .unwrap_or_default())
}

/// What somebody did about a property.
///
/// # Errors
/// When the read models cannot be read.
pub async fn history(
    pool: &AnyPool,
    person: UserId,
    property: InventoryId,
) -> Result<PropertyHistory, sqlx::Error> {
    read(pool, person, property).await
}

/// The properties on somebody's shortlist, newest entry first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn shortlist(pool: &AnyPool, person: UserId) -> Result<Vec<InventoryId>, sqlx::Error> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("select property, entry from shortlist where person = $1")
            .bind(person.to_string())
            .fetch_all(pool)
            .await?;
    let entry = |(property, entry): (String, String)| {
        let entry = ShortlistEntryId::from_str(&entry).ok()?;
        Some((std::cmp::Reverse(entry), InventoryId::from_str(&property).ok()?))
    };
    let mut entries: Vec<_> = rows.into_iter().filter_map(entry).collect();
    entries.sort_unstable();
    Ok(entries.into_iter().map(|(_, property)| property).collect())
}

/// Whether a property is on somebody's shortlist.
///
/// # Errors
/// When the read models cannot be read.
pub async fn is_shortlisted(
    pool: &AnyPool,
    person: UserId,
    property: InventoryId,
) -> Result<bool, sqlx::Error> {
    let found: Option<i64> =
        sqlx::query_scalar("select 1 from shortlist where person = $1 and property = $2")
            .bind(person.to_string())
            .bind(property.to_string())
            .fetch_optional(pool)
            .await?;
    Ok(found.is_some())
}
