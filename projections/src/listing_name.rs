//! What leads and their readers call a property or a room: name, city, address, picture, lowest price.

use std::collections::HashMap;
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
use sqlx::{AnyConnection, AnyPool};

use crate::catalogue::item::picture_path;
use crate::database::Statement;
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
    pub room_zh: Option<String>,
    pub city_zh: Option<String>,
}

impl ListingName {
    /// The room's name in the reader's language, English where nobody wrote it (D132).
    pub fn room_in(&self, lang: &str) -> Option<&str> {
        let own = self.room_zh.as_deref().filter(|_| lang == "zh");
        own.or(self.room.as_deref())
    }

    /// The city's name in the reader's language.
    pub fn city_in(&self, lang: &str) -> &str {
        let own = self.city_zh.as_deref().filter(|_| lang == "zh");
        own.unwrap_or(&self.city)
    }

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

    fn version(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["listing_name", "listing_source", "listing_region"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Inventory::KIND, Region::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut sheet = Sheet {
                connection,
                rows: HashMap::new(),
                cities: HashMap::new(),
                sources: Vec::new(),
            };
            for record in events {
                if record.stream.kind == Region::KIND {
                    sheet.take_region(record).await?;
                } else {
                    sheet.take_inventory(record).await?;
                }
            }
            sheet.write().await
        })
    }
}

/// Rows per statement: a first start names tens of thousands of rooms. SQLite's work for a statement grows with the square of
/// its places (decision 315).
const CHUNK: usize = 16;

/// A city's name in English and, where known, in Chinese.
type City = (String, Option<String>);

/// The names a batch of events touches, read once, changed in memory and written together.
struct Sheet<'c> {
    connection: &'c mut AnyConnection,
    rows: HashMap<String, ListingName>,
    cities: HashMap<String, City>,
    sources: Vec<(String, String)>,
}

impl Sheet<'_> {
    async fn take_region(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        if let RegionEvent::RegionOpened { region } | RegionEvent::RegionDescribed { region } =
            record.decode::<Region>()?
        {
            let id = record.stream.id.to_string();
            let zh = region.local_name.as_ref().and_then(|names| names.zh.clone());
            sqlx::query(
                "insert into listing_region (region_id, name, name_zh) values ($1, $2, $3)
             on conflict (region_id) do update set name = excluded.name, name_zh = excluded.name_zh",
            )
            .bind(&id)
            .bind(&region.name)
            .bind(&zh)
            .execute(&mut *self.connection)
            .await?;
            self.cities.insert(id, (region.name.clone(), zh));
        }
        Ok(())
    }

    async fn take_inventory(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        // Reviews, offers and price histories are most of the catalogue's bytes and nothing here: not worth decoding.
        if !matches!(
            record.event_type.as_str(),
            "PropertyListed" | "PropertyDetailsChanged" | "RoomListed" | "RoomDetailsChanged" | "RoomPriced"
        ) {
            return Ok(());
        }
        let property_id = record.stream.id.to_string();
        match record.decode::<Inventory>()? {
            InventoryEvent::PropertyListed { property } => {
                self.name_property(property_id, &property).await?;
            }
            InventoryEvent::PropertyDetailsChanged { property } => {
                self.name_property(property_id.clone(), &property).await?;
                self.rename_rooms(&property_id).await?;
            }
            InventoryEvent::RoomListed { room } | InventoryEvent::RoomDetailsChanged { room } => {
                self.name_room(&property_id, &room).await?;
            }
            InventoryEvent::RoomPriced { room, leases } => {
                let lowest = leases.iter().map(|lease| lease.price_minor).min();
                if let Some(row) = self.row(&room.to_string()).await? {
                    row.price_minor = lowest.map(u64::cast_signed);
                }
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

    async fn row(&mut self, id: &str) -> Result<Option<&mut ListingName>, sqlx::Error> {
        if !self.rows.contains_key(id) {
            let stored: Option<ListingName> =
                sqlx::query_as("select * from listing_name where inventory_id = $1")
                    .bind(id)
                    .fetch_optional(&mut *self.connection)
                    .await?;
            if let Some(stored) = stored {
                self.rows.insert(id.to_owned(), stored);
            }
        }
        Ok(self.rows.get_mut(id))
    }

    async fn city(&mut self, region_id: &str) -> Result<City, sqlx::Error> {
        if let Some(names) = self.cities.get(region_id) {
            return Ok(names.clone());
        }
        let row: Option<City> =
            sqlx::query_as("select name, name_zh from listing_region where region_id = $1")
                .bind(region_id)
                .fetch_optional(&mut *self.connection)
                .await?;
        let names = row.unwrap_or_default();
        self.cities.insert(region_id.to_owned(), names.clone());
        Ok(names)
    }

    async fn name_property(&mut self, id: String, property: &PropertyDetails) -> Result<(), sqlx::Error> {
        if let Some(source) = &property.source {
            self.sources.push((source.id.clone(), id.clone()));
        }
        let (city, city_zh) = self.city(&property.region.to_string()).await?;
        let row = ListingName {
            inventory_id: id.clone(),
            root_id: id.clone(),
            canonical_name: property.canonical_name.clone(),
            property: property.name.clone(),
            room: None,
            city,
            address: address_line(&property.address),
            picture: property.pictures.first().map(picture_path),
            price_minor: None,
            currency: property.currency.code().to_owned(),
            period: match property.period {
                Period::Weekly => "weekly",
                Period::Monthly => "monthly",
            }
            .to_owned(),
            room_zh: None,
            city_zh,
        };
        self.rows.insert(id, row);
        Ok(())
    }

    /// A property's new name and address hold for its rooms too.
    async fn rename_rooms(&mut self, property_id: &str) -> Result<(), sqlx::Error> {
        let stored: Vec<ListingName> = sqlx::query_as("select * from listing_name where root_id = $1")
            .bind(property_id)
            .fetch_all(&mut *self.connection)
            .await?;
        for row in stored {
            self.rows.entry(row.inventory_id.clone()).or_insert(row);
        }
        let Some(named) = self.rows.get(property_id).cloned() else {
            return Ok(());
        };
        for row in self.rows.values_mut().filter(|row| row.root_id == property_id) {
            row.property.clone_from(&named.property);
            row.city.clone_from(&named.city);
            row.city_zh.clone_from(&named.city_zh);
            row.address.clone_from(&named.address);
        }
        Ok(())
    }

    async fn name_room(&mut self, property_id: &str, room: &RoomDetails) -> Result<(), sqlx::Error> {
        let Some(property) = self.row(property_id).await?.cloned() else {
            return Ok(());
        };
        let id = room.id.to_string();
        // Only a change of a known room has a price to keep; a first listing is priced by the next event.
        let price_minor = self.rows.get(&id).and_then(|known| known.price_minor);
        let row = ListingName {
            inventory_id: id.clone(),
            canonical_name: room.canonical_name.clone(),
            room: Some(room.name.en.clone()),
            room_zh: room.name.zh.clone(),
            picture: room
                .pictures
                .first()
                .map(picture_path)
                .or(property.picture.clone()),
            price_minor,
            ..property
        };
        self.rows.insert(id, row);
        Ok(())
    }

    async fn write(self) -> Result<(), ProjectionError> {
        let rows: Vec<ListingName> = self.rows.into_values().collect();
        for chunk in rows.chunks(CHUNK) {
            let mut query = Statement::new(
                "insert into listing_name (inventory_id, root_id, canonical_name, property, room, city, address,
                 picture, price_minor, currency, period, room_zh, city_zh) ",
            );
            for (place, row) in chunk.iter().enumerate() {
                query.push(if place == 0 { "values " } else { ", " });
                let mut values = query.push_row();
                values
                    .bind(row.inventory_id.as_str())
                    .bind(row.root_id.as_str())
                    .bind(row.canonical_name.as_str())
                    .bind(row.property.as_str())
                    .bind(row.room.as_deref())
                    .bind(row.city.as_str())
                    .bind(row.address.as_str())
                    .bind(row.picture.as_deref())
                    .bind(row.price_minor)
                    .bind(row.currency.as_str())
                    .bind(row.period.as_str())
                    .bind(row.room_zh.as_deref())
                    .bind(row.city_zh.as_deref());
                values.end();
            }
            query.push(
                " on conflict (inventory_id) do update set canonical_name = excluded.canonical_name,
                 property = excluded.property, room = excluded.room, city = excluded.city, address = excluded.address,
                 picture = excluded.picture, price_minor = coalesce(excluded.price_minor, listing_name.price_minor),
                 currency = excluded.currency, period = excluded.period, room_zh = excluded.room_zh,
                 city_zh = excluded.city_zh",
            );
            query.build()?.execute(&mut *self.connection).await?;
        }
        for (source_id, inventory_id) in self.sources {
            sqlx::query(
                "insert into listing_source (source_id, inventory_id) values ($1, $2)
             on conflict (source_id) do update set inventory_id = excluded.inventory_id",
            )
            .bind(source_id)
            .bind(inventory_id)
            .execute(&mut *self.connection)
            .await?;
        }
        Ok(())
    }
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
pub async fn find(pool: &AnyPool, text: &str) -> Result<Option<ListingName>, sqlx::Error> {
    let by_name = sqlx::query_as(
        "select * from listing_name
         where inventory_id = $1
            or canonical_name = $1
            or inventory_id = (select inventory_id from listing_source where source_id = $1)
         limit 1",
    );
    by_name.bind(text).fetch_optional(pool).await
}

/// The currency of a listing's price.
pub fn currency(listing: &ListingName) -> Option<Currency> {
    Currency::from_code(&listing.currency)
}
