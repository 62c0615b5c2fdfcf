//! What leads and their readers call a property or a room: name, city, address, picture, lowest price.

use std::collections::BTreeMap;
use std::str::FromStr;

use domain::aggregate::Decide;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::money::Currency;
use domain::region::Region;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool, FromRow as _, Row as _};

use self::sheet::Sheet;
pub(crate) use self::sheet::address_line;
use crate::run::{Projection, ProjectionError};

mod sheet;
#[cfg(test)]
mod tests;

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
    /// Names in other languages than the fallback, by tag.
    pub wordings: BTreeMap<String, ListingWording>,
}

/// Names of a listing and its city in one language, where they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListingWording {
    pub property: Option<String>,
    pub room: Option<String>,
    pub city: Option<String>,
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
    period
} default { wordings });

impl ListingName {
    /// The home's name in the reader's language, where it has one there.
    pub fn property_in(&self, lang: &str) -> &str {
        let own = self.wordings.get(lang).and_then(|own| own.property.as_deref());
        own.unwrap_or(&self.property)
    }

    /// The room's name in the reader's language, else in English, else in whichever it has (D132).
    pub fn room_in(&self, lang: &str) -> Option<&str> {
        let own = self.wordings.get(lang).and_then(|own| own.room.as_deref());
        own.or(self.room.as_deref())
    }

    /// The city's name in the reader's language.
    pub fn city_in(&self, lang: &str) -> &str {
        let own = self.wordings.get(lang).and_then(|own| own.city.as_deref());
        own.unwrap_or(&self.city)
    }

    /// A home and its city that are called otherwise now.
    fn rename_home(&mut self, named: &Self) {
        self.property.clone_from(&named.property);
        self.city.clone_from(&named.city);
        for own in self.wordings.values_mut() {
            (own.property, own.city) = (None, None);
        }
        for (tag, wording) in &named.wordings {
            let own = self.wordings.entry(tag.clone()).or_default();
            own.property.clone_from(&wording.property);
            own.city.clone_from(&wording.city);
        }
        self.wordings
            .retain(|_, own| own.property.is_some() || own.room.is_some() || own.city.is_some());
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
        4
    }

    fn tables(&self) -> &'static [&'static str] {
        &[
            "listing_name",
            "listing_wording",
            "listing_source",
            "listing_region",
            "listing_region_wording",
        ]
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

/// Finds a property or room by id, canonical name, or the id it was imported under. Feeds choose their ids: one that is written as the id
/// or the name of another home does not stand for it.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find(pool: &AnyPool, text: &str) -> Result<Option<ListingName>, sqlx::Error> {
    let by_name = sqlx::query(
        "select n.*, w.language, w.property as own_property, w.room as own_room, w.city as own_city
         from (
           select * from listing_name
           where inventory_id = $1
              or canonical_name = $1
              or inventory_id = (select inventory_id from listing_source where source_id = $1)
           order by case when inventory_id = $1 then 0 when canonical_name = $1 then 1 else 2 end
           limit 1
         ) n
         left join listing_wording w on w.inventory_id = n.inventory_id",
    );
    let rows = by_name.bind(text).fetch_all(pool).await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let mut found = ListingName::from_row(first)?;
    for row in &rows {
        let tag: Option<String> = row.try_get("language")?;
        if let Some(tag) = tag {
            let own = ListingWording {
                property: row.try_get("own_property")?,
                room: row.try_get("own_room")?,
                city: row.try_get("own_city")?,
            };
            found.wordings.insert(tag, own);
        }
    }
    Ok(Some(found))
}

/// The currency of a listing's price.
pub fn currency(listing: &ListingName) -> Option<Currency> {
    Currency::from_code(&listing.currency)
}
