//! What leads and their readers call a property or a room: name, city, address, picture, lowest price.

use std::str::FromStr;

use domain::aggregate::Decide;
use domain::id::InventoryId;
use domain::inventory::let_room::RoomDetails;
use domain::inventory::property::PropertyDetails;
use domain::inventory::{Inventory, InventoryEvent};
use domain::money::{Currency, Period};
use domain::place::{Address, PlaceName};
use domain::region::{Region, RegionEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{SqliteConnection, SqlitePool};

use crate::catalogue::item::picture_path;
use crate::run::{Projection, ProjectionError};

/// Names of listings by id, canonical name and source id.
pub struct ListingNames;

/// One property or room, as people call it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ListingName {
    pub inventory_id: String,
    pub root_id: String,
    pub canonical_name: String,
    pub property: String,
    pub room: Option<String>,
    pub city: String,
    pub address: String,
    pub picture: Option<String>,
    pub price_minor: Option<i64>,
    pub currency: String,
    pub period: String,
}

impl ListingName {
    pub fn id(&self) -> Option<InventoryId> {
        InventoryId::from_str(&self.inventory_id).ok()
    }

    pub fn root(&self) -> Option<InventoryId> {
        InventoryId::from_str(&self.root_id).ok()
    }
}

impl Projection for ListingNames {
    fn name(&self) -> &'static str {
        "listing_name"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["listing_name", "listing_source", "listing_region"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Inventory::KIND, Region::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut SqliteConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                if record.stream.kind == Region::KIND {
                    take_region(connection, record).await?;
                } else {
                    take_inventory(connection, record).await?;
                }
            }
            Ok(())
        })
    }
}

async fn take_region(
    connection: &mut SqliteConnection,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    if let RegionEvent::RegionOpened { region } | RegionEvent::RegionDescribed { region } =
        record.decode::<Region>()?
    {
        sqlx::query("insert or replace into listing_region (region_id, name) values (?, ?)")
            .bind(record.stream.id.to_string())
            .bind(&region.name)
            .execute(connection)
            .await?;
    }
    Ok(())
}

async fn take_inventory(
    connection: &mut SqliteConnection,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    // Reviews, offers and price histories are most of the catalogue's bytes and nothing here: not worth decoding.
    if !matches!(
        record.event_type.as_str(),
        "PropertyListed" | "PropertyDetailsChanged" | "RoomListed" | "RoomDetailsChanged" | "RoomPriced"
    ) {
        return Ok(());
    }
    let root = record.stream.id.to_string();
    match record.decode::<Inventory>()? {
        InventoryEvent::PropertyListed { property } | InventoryEvent::PropertyDetailsChanged { property } => {
            name_property(connection, &root, &property).await?;
        }
        InventoryEvent::RoomListed { room } | InventoryEvent::RoomDetailsChanged { room } => {
            name_room(connection, &root, &room).await?;
        }
        InventoryEvent::RoomPriced { room, leases } => {
            let lowest = leases.iter().map(|lease| lease.price_minor).min();
            sqlx::query("update listing_name set price_minor = ? where inventory_id = ?")
                .bind(lowest.map(u64::cast_signed))
                .bind(room.to_string())
                .execute(connection)
                .await?;
        }
        InventoryEvent::RoomWithdrawn { .. }
        | InventoryEvent::PriceHistoryRecorded { .. }
        | InventoryEvent::OfferPublished { .. }
        | InventoryEvent::OfferWithdrawn { .. }
        | InventoryEvent::ReviewsPublished { .. }
        | InventoryEvent::PropertySubmitted {}
        | InventoryEvent::PropertyActivated {}
        | InventoryEvent::PropertyDeactivated {}
        | InventoryEvent::PropertyDeleted {}
        | InventoryEvent::PropertyMarkedAvailable {}
        | InventoryEvent::PropertyMarkedUnavailable {} => {}
    }
    Ok(())
}

async fn name_property(
    connection: &mut SqliteConnection,
    root: &str,
    property: &PropertyDetails,
) -> Result<(), sqlx::Error> {
    let city: Option<(String,)> = sqlx::query_as("select name from listing_region where region_id = ?")
        .bind(property.region.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    let city = city.map_or_else(String::new, |(name,)| name);
    let period = match property.period {
        Period::Weekly => "weekly",
        Period::Monthly => "monthly",
    };
    sqlx::query(
        "insert or replace into listing_name
         (inventory_id, root_id, canonical_name, property, room, city, address, picture, price_minor, currency, period)
         values (?1, ?1, ?2, ?3, null, ?4, ?5, ?6, null, ?7, ?8)",
    )
    .bind(root)
    .bind(&property.canonical_name)
    .bind(&property.name)
    .bind(&city)
    .bind(address_line(&property.address))
    .bind(property.pictures.first().map(picture_path))
    .bind(property.currency.code())
    .bind(period)
    .execute(&mut *connection)
    .await?;
    sqlx::query("update listing_name set property = ?, city = ?, address = ? where root_id = ?")
        .bind(&property.name)
        .bind(&city)
        .bind(address_line(&property.address))
        .bind(root)
        .execute(&mut *connection)
        .await?;
    if let Some(source) = &property.source {
        sqlx::query("insert or replace into listing_source (source_id, inventory_id) values (?, ?)")
            .bind(&source.id)
            .bind(root)
            .execute(connection)
            .await?;
    }
    Ok(())
}

async fn name_room(
    connection: &mut SqliteConnection,
    property_id: &str,
    room: &RoomDetails,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert or replace into listing_name
         (inventory_id, root_id, canonical_name, property, room, city, address, picture, price_minor, currency, period)
         select ?1, ?2, ?3, property, ?4, city, address, coalesce(?5, picture),
                (select price_minor from listing_name where inventory_id = ?1), currency, period
         from listing_name where inventory_id = ?2",
    )
    .bind(room.id.to_string())
    .bind(property_id)
    .bind(&room.canonical_name)
    .bind(room.name.in_language("en"))
    .bind(room.pictures.first().map(picture_path))
    .execute(connection)
    .await?;
    Ok(())
}

/// `12 Park Lane, Leeds, LS1 1AA`
fn address_line(address: &Address) -> String {
    let long = |name: &Option<PlaceName>| name.as_ref().map(|name| name.long_name.clone());
    let street = [long(&address.street_number), long(&address.route)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    let rest = [long(&address.locality), long(&address.postal_code)]
        .into_iter()
        .flatten();
    let parts = std::iter::once(street)
        .chain(rest)
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

/// Finds a property or room by id, canonical name, or the id it was imported under.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find(pool: &SqlitePool, text: &str) -> Result<Option<ListingName>, sqlx::Error> {
    let by_name = sqlx::query_as(
        "select * from listing_name
         where inventory_id = ?1
            or canonical_name = ?1
            or inventory_id = (select inventory_id from listing_source where source_id = ?1)
         limit 1",
    );
    by_name.bind(text).fetch_optional(pool).await
}

/// The currency of a listing's price.
pub fn currency(listing: &ListingName) -> Option<Currency> {
    Currency::from_code(&listing.currency)
}
