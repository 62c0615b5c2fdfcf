//! The property or room that a lead, form or shortlist speaks of: its names from the read models, its facts from its own
//! stream.

use std::str::FromStr;

use chrono::NaiveDate;
use domain::booking_form::definition::FormDefinition;
use domain::country::{Country, Flow};
use domain::id::{InventoryId, RegionId};
use domain::inventory::Inventory;
use domain::inventory::property::Guarantor;
use projections::listing_name::{self, ListingName};

use crate::Records;
use crate::error::{RecordsError, RecordsResult};

/// A property, or one of its rooms.
#[derive(Debug, Clone)]
pub struct Listing {
    pub name: ListingName,
    /// What was asked for.
    pub inventory_id: InventoryId,
    /// Its property.
    pub root_id: InventoryId,
    pub country: Country,
    /// The city it lies in.
    pub region: RegionId,
    pub flow: Flow,
    /// Spec §4 "Availability".
    pub available: bool,
    /// D41: booking is on, and there is something to book.
    pub bookable: bool,
    /// `false` as a word, where the property asks for no guarantor (D42).
    pub guarantor_required: Option<&'static str>,
    pub payment_before_bookform: bool,
    /// The days from which its rooms are let.
    pub begins: Vec<NaiveDate>,
    /// The property's own booking form (D89).
    pub custom_form: Option<FormDefinition>,
}

/// Finds a property or room by id, canonical name or imported id.
///
/// # Errors
/// When the log or the read models cannot be read; an unknown one is `None`.
pub async fn find(records: &Records, text: &str) -> RecordsResult<Option<Listing>> {
    if text.is_empty() || text.len() > 300 {
        return Ok(None);
    }
    let Some(name) = name_of(records, text).await? else {
        return Ok(None);
    };
    let (Some(inventory_id), Some(root_id)) = (name.id(), name.root()) else {
        return Err(RecordsError::ListingWithoutId);
    };
    let inventory = records.log.load::<Inventory>(root_id).await?.state;
    let Some(property) = inventory.property.as_deref() else {
        return Ok(None);
    };
    let room_is_let = inventory_id == root_id
        || inventory
            .let_rooms()
            .filter(|room| room.details.id == inventory_id)
            .any(|room| room.rooms_available() > 0 || room.on_request_minor().is_some());
    let available = inventory.available() && room_is_let;
    // A room on request is asked about, since no lease says when and for how long; so is a lease that asks nothing.
    let takes_bookings = inventory
        .let_rooms()
        .filter(|room| inventory_id == root_id || room.details.id == inventory_id)
        .flat_map(|room| &room.leases)
        .any(|lease| property.terms.takes_bookings(&lease.terms));
    Ok(Some(Listing {
        inventory_id,
        root_id,
        country: property.country,
        region: property.region,
        flow: property.country.flow(),
        available,
        bookable: available && takes_bookings,
        guarantor_required: (property.guarantor == Some(Guarantor::NotRequired)).then_some("false"),
        payment_before_bookform: property.terms.payment_before_bookform,
        begins: inventory
            .let_rooms()
            .flat_map(|room| &room.leases)
            .map(|lease| lease.move_in)
            .collect(),
        custom_form: property.custom_form.clone(),
        name,
    }))
}

/// The name that the read models have for it. The search may offer a home that they have not heard of yet: before it is
/// called unknown, they catch up with the log.
async fn name_of(records: &Records, text: &str) -> RecordsResult<Option<ListingName>> {
    if let Some(name) = listing_name::find(records.read.readers(), text).await? {
        return Ok(Some(name));
    }
    records.wait_for(records.log.head().await?).await;
    Ok(listing_name::find(records.read.readers(), text).await?)
}

/// The same by id.
///
/// # Errors
/// As [`find`].
pub async fn find_id(records: &Records, id: &str) -> RecordsResult<Option<Listing>> {
    match InventoryId::from_str(id) {
        Ok(id) => find(records, &id.to_string()).await,
        Err(_) => find(records, id).await,
    }
}
