//! What a person did about each property (row F7) and which they keep an eye on (row F6): what decides their buttons.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
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
use tables::table::Column::{Bytes, Text};
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

const JOURNEYS: Table = Table {
    name: "journey",
    columns: &[Text("person"), Text("property"), Bytes("document")],
    key: 2,
};
const SHORTLISTS: Table = Table {
    name: "shortlist",
    columns: &[Text("person"), Text("property"), Text("entry")],
    key: 2,
};

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
            let mut sheet = Sheet::of(events, connection).await?;
            for record in events {
                match record.stream.kind {
                    Shortlist::KIND => sheet.list(record)?,
                    User::KIND => {
                        if let UserEvent::Forgotten { user_id, .. } = record.decode_sealed::<User>()? {
                            sheet.write(connection).await?;
                            forget(connection, user_id).await?;
                        }
                    }
                    _ => sheet.note(record, connection).await?,
                }
            }
            sheet.write(connection).await
        })
    }
}

/// What a batch of events has changed so far.
#[derive(Default)]
struct Sheet {
    histories: BTreeMap<(UserId, InventoryId), PropertyHistory>,
    noted: BTreeSet<(UserId, InventoryId)>,
    /// Entries of shortlists; nothing for one that was taken off.
    entries: BTreeMap<(UserId, InventoryId), Option<ShortlistEntryId>>,
}

impl Sheet {
    /// Reads at once what people whom these events are about did before.
    async fn of(events: &[RecordedEvent], connection: &mut AnyConnection) -> Result<Self, ProjectionError> {
        let noted = events
            .iter()
            .filter(|record| record.stream.kind == UserHistory::KIND);
        let people: BTreeSet<String> = noted.map(|record| record.stream.id.to_string()).collect();
        let people = people.iter().map(String::as_str).collect();
        let rows: Vec<(String, String, Vec<u8>)> = JOURNEYS.read(connection, &[("person", people)]).await?;
        let mut sheet = Self::default();
        for (person, property, document) in rows {
            if let (Ok(person), Ok(property)) = (person.parse(), property.parse()) {
                sheet.histories.insert((person, property), parsed(&document)?);
            }
        }
        Ok(sheet)
    }

    async fn note(
        &mut self,
        record: &RecordedEvent,
        connection: &mut AnyConnection,
    ) -> Result<(), ProjectionError> {
        let event = record.decode::<UserHistory>()?;
        let UserHistoryEvent::Noted { property_id, .. } = &event else {
            return Ok(());
        };
        let place = (UserId(record.stream.id), *property_id);
        let history = match self.histories.entry(place) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(read(connection, place.0, place.1).await?),
        };
        history.evolve(&event);
        self.noted.insert(place);
        Ok(())
    }

    fn list(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        let person = UserId(record.stream.id);
        let (inventory_id, entry) = match record.decode::<Shortlist>()? {
            ShortlistEvent::Added {
                entry_id,
                inventory_id,
                ..
            } => (inventory_id, Some(entry_id)),
            ShortlistEvent::Removed { inventory_id, .. } => (inventory_id, None),
        };
        self.entries.insert((person, inventory_id), entry);
        Ok(())
    }

    /// Writes all of it, and knows nothing afterwards.
    async fn write(&mut self, connection: &mut AnyConnection) -> Result<(), ProjectionError> {
        let done = std::mem::take(self);
        let mut journeys = Vec::new();
        for place in done.noted {
            let history = done.histories.get(&place);
            let document = serde_json::to_vec(&history).map_err(|error| sqlx::Error::Encode(error.into()))?;
            journeys.push(row![place.0.to_string(), place.1.to_string(), document]);
        }
        JOURNEYS.put(connection, &journeys).await?;
        let mut entries = Vec::new();
        for ((person, property), entry) in done.entries {
            if let Some(entry) = entry {
                entries.push(row![person.to_string(), property.to_string(), entry.to_string()]);
                continue;
            }
            sqlx::query("delete from shortlist where person = $1 and property = $2")
                .bind(person.to_string())
                .bind(property.to_string())
                .execute(&mut *connection)
                .await?;
        }
        Ok(SHORTLISTS.put(connection, &entries).await?)
    }
}

/// A forgotten person's ways are nobody's.
async fn forget(connection: &mut AnyConnection, person: UserId) -> Result<(), ProjectionError> {
    for table in [
        "delete from journey where person = $1",
        "delete from shortlist where person = $1",
    ] {
        sqlx::query(table)
            .bind(person.to_string())
            .execute(&mut *connection)
            .await?;
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
    let history = document.map(|json| parsed(&json)).transpose()?;
    Ok(history.unwrap_or_default())
}

fn parsed(document: &[u8]) -> Result<PropertyHistory, sqlx::Error> {
    serde_json::from_slice(document).map_err(|error| sqlx::Error::Decode(error.into()))
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
