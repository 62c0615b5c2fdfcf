//! What leads and their readers call a property or a room: name, city, address, picture, lowest price.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use domain::aggregate::Decide;
use domain::id::InventoryId;
use domain::inventory::let_room::RoomDetails;
use domain::inventory::picture_path::picture_path;
use domain::inventory::property::PropertyDetails;
use domain::inventory::{Inventory, InventoryEvent};
use domain::money::{Currency, Period};
use domain::place::{Address, PlaceName};
use domain::region::{Region, RegionEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

/// Names of listings by id, canonical name and source id.
pub struct ListingNames;

/// One property or room, as people call it.
#[derive(Debug, Clone, PartialEq, Eq)]
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

tables::from_row!(ListingName {
    inventory_id,
    root_id,
    canonical_name,
    property,
    room,
    city,
    address,
    picture,
    price_minor,
    currency,
    period,
    room_zh,
    city_zh
});

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
            let mut sheet = Sheet::of(events, connection).await?;
            for record in events {
                if record.stream.kind == Region::KIND {
                    sheet.take_region(record)?;
                } else {
                    sheet.take_inventory(record)?;
                }
            }
            Ok(sheet.write(connection).await?)
        })
    }
}

const LISTINGS: Table = Table {
    name: "listing_name",
    columns: &[
        Text("inventory_id"),
        Text("root_id"),
        Text("canonical_name"),
        Text("property"),
        Text("room"),
        Text("city"),
        Text("address"),
        Text("picture"),
        Number("price_minor"),
        Text("currency"),
        Text("period"),
        Text("room_zh"),
        Text("city_zh"),
    ],
    key: 1,
};
const CITIES: Table = Table {
    name: "listing_region",
    columns: &[Text("region_id"), Text("name"), Text("name_zh")],
    key: 1,
};
const SOURCES: Table = Table {
    name: "listing_source",
    columns: &[Text("source_id"), Text("inventory_id")],
    key: 1,
};

/// A city's name in English and, where known, in Chinese.
type City = (String, Option<String>);

/// The names a batch of events touches, read once, changed in memory and written together (decision 0017).
#[derive(Default)]
struct Sheet {
    rows: BTreeMap<String, ListingName>,
    changed: BTreeSet<String>,
    cities: BTreeMap<String, City>,
    renamed: BTreeSet<String>,
    sources: BTreeMap<String, String>,
}

/// Reviews, offers and price histories are most of the catalogue's bytes and nothing here: not worth decoding.
fn names_something(record: &RecordedEvent) -> bool {
    matches!(
        record.event_type.as_str(),
        "PropertyListed" | "PropertyDetailsChanged" | "RoomListed" | "RoomDetailsChanged" | "RoomPriced"
    )
}

impl Sheet {
    /// Reads what the properties of these events are called, and all cities' names where one may be asked for.
    async fn of(events: &[RecordedEvent], connection: &mut AnyConnection) -> Result<Self, sqlx::Error> {
        let mut sheet = Self::default();
        let told = events
            .iter()
            .filter(|record| record.stream.kind == Inventory::KIND && names_something(record));
        let mut opened = BTreeSet::new();
        let mut roots = BTreeSet::new();
        for record in told {
            if record.revision == 1 {
                opened.insert(record.stream.id);
            }
            if !opened.contains(&record.stream.id) {
                roots.insert(record.stream.id.to_string());
            }
        }
        if !(opened.is_empty() && roots.is_empty()) {
            let cities: Vec<(String, String, Option<String>)> =
                sqlx::query_as("select region_id, name, name_zh from listing_region")
                    .fetch_all(&mut *connection)
                    .await?;
            sheet
                .cities
                .extend(cities.into_iter().map(|(id, name, zh)| (id, (name, zh))));
        }
        let roots = roots.iter().map(String::as_str).collect();
        let rows: Vec<ListingName> = LISTINGS.read(connection, &[("root_id", roots)]).await?;
        let rows = rows.into_iter().map(|row| (row.inventory_id.clone(), row));
        sheet.rows.extend(rows);
        Ok(sheet)
    }

    fn take_region(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        if let RegionEvent::RegionOpened { region } | RegionEvent::RegionDescribed { region } =
            record.decode::<Region>()?
        {
            let id = record.stream.id.to_string();
            let zh = region.local_name.as_ref();
            let zh = zh.and_then(|names| Some(names.written_in("zh")?.to_owned()));
            self.cities.insert(id.clone(), (region.name.clone(), zh));
            self.renamed.insert(id);
        }
        Ok(())
    }

    fn take_inventory(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        if !names_something(record) {
            return Ok(());
        }
        let property_id = record.stream.id.to_string();
        match record.decode::<Inventory>()? {
            InventoryEvent::PropertyListed { property } => self.name_property(property_id, &property),
            InventoryEvent::PropertyDetailsChanged { property } => {
                self.name_property(property_id.clone(), &property);
                self.rename_rooms(&property_id);
            }
            InventoryEvent::RoomListed { room } | InventoryEvent::RoomDetailsChanged { room } => {
                self.name_room(&property_id, &room);
            }
            InventoryEvent::RoomPriced { room, leases } => {
                let lowest = leases.iter().map(|lease| lease.price_minor).min();
                let id = room.to_string();
                // A room without a lease keeps the price it had.
                if let (Some(row), Some(lowest)) = (self.rows.get_mut(&id), lowest) {
                    row.price_minor = Some(lowest.cast_signed());
                    self.changed.insert(id);
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

    fn put(&mut self, row: ListingName) {
        self.changed.insert(row.inventory_id.clone());
        self.rows.insert(row.inventory_id.clone(), row);
    }

    fn name_property(&mut self, id: String, property: &PropertyDetails) {
        if let Some(source) = &property.source {
            self.sources.insert(source.id.clone(), id.clone());
        }
        let city = self.cities.get(&property.region.to_string()).cloned();
        let (city, city_zh) = city.unwrap_or_default();
        self.put(ListingName {
            inventory_id: id.clone(),
            root_id: id,
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
        });
    }

    /// A property's new name and address hold for its rooms too.
    fn rename_rooms(&mut self, property_id: &str) {
        let Some(named) = self.rows.get(property_id).cloned() else {
            return;
        };
        for row in self.rows.values_mut().filter(|row| row.root_id == property_id) {
            row.property.clone_from(&named.property);
            row.city.clone_from(&named.city);
            row.city_zh.clone_from(&named.city_zh);
            row.address.clone_from(&named.address);
            self.changed.insert(row.inventory_id.clone());
        }
    }

    fn name_room(&mut self, property_id: &str, room: &RoomDetails) {
        let Some(property) = self.rows.get(property_id).cloned() else {
            return;
        };
        let id = room.id.to_string();
        // Only a change of a known room has a price to keep; a first listing is priced by the next event.
        let price_minor = self.rows.get(&id).and_then(|known| known.price_minor);
        self.put(ListingName {
            inventory_id: id,
            canonical_name: room.canonical_name.clone(),
            room: Some(room.name.in_language("en").to_owned()),
            room_zh: room.name.written_in("zh").map(str::to_owned),
            picture: room
                .pictures
                .first()
                .map(picture_path)
                .or(property.picture.clone()),
            price_minor,
            ..property
        });
    }

    async fn write(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let cities = self.renamed.iter().filter_map(|id| {
            let (name, zh) = self.cities.get(id)?;
            Some(row![id.as_str(), name.as_str(), zh.as_deref()])
        });
        CITIES.put(connection, &cities.collect::<Vec<_>>()).await?;
        let rows = self.changed.iter().filter_map(|id| self.rows.get(id)).map(|row| {
            row![
                row.inventory_id.as_str(),
                row.root_id.as_str(),
                row.canonical_name.as_str(),
                row.property.as_str(),
                row.room.as_deref(),
                row.city.as_str(),
                row.address.as_str(),
                row.picture.as_deref(),
                row.price_minor,
                row.currency.as_str(),
                row.period.as_str(),
                row.room_zh.as_deref(),
                row.city_zh.as_deref(),
            ]
        });
        LISTINGS.put(connection, &rows.collect::<Vec<_>>()).await?;
        let sources = self
            .sources
            .iter()
            .map(|(source, id)| row![source.as_str(), id.as_str()]);
        SOURCES.put(connection, &sources.collect::<Vec<_>>()).await
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
