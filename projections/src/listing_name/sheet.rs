//! Names that a batch of events gives homes and cities, and the rows that this changes.

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::inventory::facts::{Shown as _, show_leases};
use domain::inventory::let_room::RoomDetails;
use domain::inventory::picture_path::picture_path;
use domain::inventory::property::PropertyDetails;
use domain::inventory::{Inventory, InventoryEvent};
use domain::language::Language;
use domain::money::Period;
use domain::place::{Address, PlaceName};
use domain::region::Region;
use domain::wording::Wording;
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use super::{ListingName, ListingWording};
use crate::run::ProjectionError;

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
    ],
    key: 1,
};
const WORDINGS: Table = Table {
    name: "listing_wording",
    columns: &[
        Text("inventory_id"),
        Text("language"),
        Text("root_id"),
        Text("property"),
        Text("room"),
        Text("city"),
    ],
    key: 2,
};
const CITIES: Table = Table {
    name: "listing_region",
    columns: &[Text("region_id"), Text("name")],
    key: 1,
};
const CITY_WORDINGS: Table = Table {
    name: "listing_region_wording",
    columns: &[Text("region_id"), Text("language"), Text("name")],
    key: 2,
};
const SOURCES: Table = Table {
    name: "listing_source",
    columns: &[Text("source_id"), Text("inventory_id")],
    key: 1,
};

/// A city's name, and what it is called in other languages, by tag.
#[derive(Debug, Clone, Default)]
struct City {
    name: String,
    wordings: BTreeMap<String, String>,
}

/// A row of [`WORDINGS`]: id of the listing, language, id of its property, name of that, room, city.
type WordingRow = (
    String,
    String,
    String,
    Option<String>,
    Option<String>,
    Option<String>,
);

/// The names a batch of events touches, read once, changed in memory and written together (decision 0017).
#[derive(Default)]
pub(super) struct Sheet {
    rows: BTreeMap<String, ListingName>,
    changed: BTreeSet<String>,
    /// Those of them that may be called otherwise.
    reworded: BTreeSet<String>,
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
    pub(super) async fn of(
        events: &[RecordedEvent],
        connection: &mut AnyConnection,
    ) -> Result<Self, sqlx::Error> {
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
            sheet.read_cities(connection).await?;
        }
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        let rows: Vec<ListingName> = LISTINGS.read(connection, &[("root_id", roots.clone())]).await?;
        let rows = rows.into_iter().map(|row| (row.inventory_id.clone(), row));
        sheet.rows.extend(rows);
        let rows: Vec<WordingRow> = WORDINGS.read(connection, &[("root_id", roots)]).await?;
        for (id, tag, _, property, room, city) in rows {
            let own = ListingWording { property, room, city };
            if let Some(row) = sheet.rows.get_mut(&id) {
                row.wordings.insert(tag, own);
            }
        }
        Ok(sheet)
    }

    async fn read_cities(&mut self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let cities: Vec<(String, String)> = sqlx::query_as("select region_id, name from listing_region")
            .fetch_all(&mut *connection)
            .await?;
        for (id, name) in cities {
            self.cities.entry(id).or_default().name = name;
        }
        let wordings: Vec<(String, String, String)> =
            sqlx::query_as("select region_id, language, name from listing_region_wording")
                .fetch_all(&mut *connection)
                .await?;
        for (id, tag, name) in wordings {
            self.cities.entry(id).or_default().wordings.insert(tag, name);
        }
        Ok(())
    }

    pub(super) fn take_region(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        if let Some(region) = record.decode_sealed::<Region>()?.described() {
            let id = record.stream.id.to_string();
            let city = City {
                name: region.name.clone(),
                wordings: region.local_name.iter().flat_map(list_other_wordings).collect(),
            };
            self.cities.insert(id.clone(), city);
            self.renamed.insert(id);
        }
        Ok(())
    }

    pub(super) fn take_inventory(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        if !names_something(record) {
            return Ok(());
        }
        let property_id = record.stream.id.to_string();
        match record.decode_sealed::<Inventory>()? {
            InventoryEvent::PropertyListed { property } => self.name_property(property_id, &property),
            InventoryEvent::PropertyDetailsChanged { property, set } => {
                self.name_property(property_id.clone(), &property.with_facts(&set));
                self.rename_rooms(&property_id);
            }
            InventoryEvent::RoomListed { room, set, .. }
            | InventoryEvent::RoomDetailsChanged { room, set, .. } => {
                self.name_room(&property_id, &room.with_facts(&set));
            }
            InventoryEvent::RoomPriced {
                room, leases, set, ..
            } => {
                let leases = show_leases(room, leases, &set);
                let lowest = leases.iter().map(|lease| lease.price_minor).min();
                let id = room.to_string();
                // A room without a lease keeps the price it had.
                if let (Some(row), Some(lowest)) = (self.rows.get_mut(&id), lowest) {
                    row.price_minor = Some(lowest.cast_signed());
                    self.changed.insert(id);
                }
            }
            InventoryEvent::RoomWithdrawn { .. }
            | InventoryEvent::FactsSet { .. }
            | InventoryEvent::FactsUnset { .. }
            | InventoryEvent::PriceHistoryRecorded { .. }
            | InventoryEvent::OfferPublished { .. }
            | InventoryEvent::OfferWithdrawn { .. }
            | InventoryEvent::ReviewsPublished { .. }
            | InventoryEvent::PropertySubmitted {}
            | InventoryEvent::PropertyActivated {}
            | InventoryEvent::PropertyDeactivated {}
            | InventoryEvent::PropertyDeleted {}
            | InventoryEvent::PropertyMarkedAvailable {}
            | InventoryEvent::PropertyMarkedUnavailable {}
            | InventoryEvent::PropertyChangesAsked {}
            | InventoryEvent::PropertyPaused { .. }
            | InventoryEvent::PropertyReopened {}
            | InventoryEvent::PropertyClosed { .. }
            | InventoryEvent::PropertyMerged { .. }
            | InventoryEvent::ReasonGiven { .. } => {}
        }
        Ok(())
    }

    fn put(&mut self, row: ListingName) {
        self.changed.insert(row.inventory_id.clone());
        self.reworded.insert(row.inventory_id.clone());
        self.rows.insert(row.inventory_id.clone(), row);
    }

    fn name_property(&mut self, id: String, property: &PropertyDetails) {
        if let Some(source) = &property.source {
            self.sources.insert(source.id.clone(), id.clone());
        }
        let city = self.cities.get(&property.region.to_string()).cloned();
        let city = city.unwrap_or_default();
        let mut wordings: BTreeMap<String, ListingWording> = BTreeMap::new();
        for (tag, name) in city.wordings {
            wordings.entry(tag).or_default().city = Some(name);
        }
        for (tag, name) in list_other_wordings(&property.local_names) {
            wordings.entry(tag).or_default().property = Some(name);
        }
        self.put(ListingName {
            inventory_id: id.clone(),
            root_id: id,
            canonical_name: property.canonical_name.clone(),
            property: property.name.clone(),
            room: None,
            city: city.name,
            address: address_line(&property.address),
            picture: property.pictures.first().map(picture_path),
            price_minor: None,
            currency: property.currency.code().to_owned(),
            period: match property.period {
                Period::Weekly => "weekly",
                Period::Monthly => "monthly",
            }
            .to_owned(),
            wordings,
        });
    }

    /// A property's new name and address hold for its rooms too.
    fn rename_rooms(&mut self, property_id: &str) {
        let Some(named) = self.rows.get(property_id).cloned() else {
            return;
        };
        for row in self.rows.values_mut().filter(|row| row.root_id == property_id) {
            row.rename_home(&named);
            row.address.clone_from(&named.address);
            self.changed.insert(row.inventory_id.clone());
            self.reworded.insert(row.inventory_id.clone());
        }
    }

    fn name_room(&mut self, property_id: &str, room: &RoomDetails) {
        let Some(property) = self.rows.get(property_id).cloned() else {
            return;
        };
        let id = room.id.to_string();
        // Only a change of a known room has a price to keep; a first listing is priced by the next event.
        let price_minor = self.rows.get(&id).and_then(|known| known.price_minor);
        let mut wordings = property.wordings.clone();
        for (tag, name) in list_other_wordings(&room.name) {
            wordings.entry(tag).or_default().room = Some(name);
        }
        self.put(ListingName {
            inventory_id: id,
            canonical_name: room.canonical_name.clone(),
            room: Some(room.name.in_language(Language::default().code()).to_owned()),
            wordings,
            picture: room
                .pictures
                .first()
                .map(picture_path)
                .or(property.picture.clone()),
            price_minor,
            ..property
        });
    }

    pub(super) async fn write(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        self.write_cities(connection).await?;
        self.write_wordings(connection).await?;
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
            ]
        });
        LISTINGS.put(connection, &rows.collect::<Vec<_>>()).await?;
        let sources = self
            .sources
            .iter()
            .map(|(source, id)| row![source.as_str(), id.as_str()]);
        SOURCES.put(connection, &sources.collect::<Vec<_>>()).await
    }

    async fn write_cities(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let (mut cities, mut wordings) = (Vec::new(), Vec::new());
        for id in &self.renamed {
            let Some(city) = self.cities.get(id) else { continue };
            cities.push(row![id.as_str(), city.name.as_str()]);
            let called = city.wordings.iter();
            wordings.extend(called.map(|(tag, name)| row![id.as_str(), tag.as_str(), name.as_str()]));
        }
        CITIES.put(connection, &cities).await?;
        delete_among(connection, "listing_region_wording", "region_id", &self.renamed).await?;
        CITY_WORDINGS.put(connection, &wordings).await
    }

    /// A language that a listing has lost leaves no row.
    async fn write_wordings(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let mut wordings = Vec::new();
        for listing in self.reworded.iter().filter_map(|id| self.rows.get(id)) {
            let (id, root) = (listing.inventory_id.as_str(), listing.root_id.as_str());
            let called = listing.wordings.iter();
            wordings.extend(called.map(|(tag, own)| {
                row![
                    id,
                    tag.as_str(),
                    root,
                    own.property.as_deref(),
                    own.room.as_deref(),
                    own.city.as_deref()
                ]
            }));
        }
        delete_among(connection, "listing_wording", "inventory_id", &self.reworded).await?;
        WORDINGS.put(connection, &wordings).await
    }
}

/// A text in every language that it has but the fallback, which has a column of its own.
fn list_other_wordings(text: &Wording) -> impl Iterator<Item = (String, String)> {
    let others = text.texts().filter(|(tag, _)| *tag != Language::default().code());
    others.map(|(tag, text)| (tag.to_owned(), text.to_owned()))
}

async fn delete_among(
    connection: &mut AnyConnection,
    table: &str,
    column: &str,
    ids: &BTreeSet<String>,
) -> Result<(), sqlx::Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut gone = Statement::new(format!("delete from {table} where "));
    gone.push_among(column, &ids, connection);
    gone.build()?.execute(connection).await?;
    Ok(())
}

/// `12 Park Lane, Leeds, LS1 1AA`
pub(crate) fn address_line(address: &Address) -> String {
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
