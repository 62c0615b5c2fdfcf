//! Why a command to a property is turned down.

use thiserror::Error;

use super::market::Review;
use super::property::PropertyDetails;
use crate::id::InventoryId;
use crate::place::is_canonical;

/// Why a command was turned down.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InventoryRejection {
    #[error("this property is not listed")]
    NotListed,
    #[error("this property was deleted")]
    Deleted,
    #[error("{0} is empty")]
    Empty(&'static str),
    #[error("canonical name `{0}` is not lower-case words joined by hyphens")]
    BadCanonicalName(String),
    #[error("the coordinates are not on the earth")]
    OffEarth,
    #[error("room {0} does not belong to this property")]
    UnknownRoom(InventoryId),
    #[error("a lease of room {0} has no price")]
    NoPrice(InventoryId),
    #[error("a lease of room {0} has no length")]
    NoLength(InventoryId),
    #[error("offer `{0}` is not published")]
    UnknownOffer(String),
    #[error("review `{0}` has a rating outside one to five")]
    BadRating(String),
    #[error("a property without rooms cannot be activated")]
    NoRooms,
}

impl InventoryRejection {
    /// The error code of the envelope (X4); never changes once released.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotListed => "inventory_not_listed",
            Self::Deleted => "inventory_deleted",
            Self::Empty(_) => "inventory_field_empty",
            Self::BadCanonicalName(_) => "inventory_canonical_name",
            Self::OffEarth => "inventory_coordinates",
            Self::UnknownRoom(_) => "inventory_unknown_room",
            Self::NoPrice(_) => "inventory_no_price",
            Self::NoLength(_) => "inventory_no_lease_length",
            Self::UnknownOffer(_) => "inventory_unknown_offer",
            Self::BadRating(_) => "inventory_rating",
            Self::NoRooms => "inventory_no_rooms",
        }
    }
}

pub(super) fn check_property(property: &PropertyDetails) -> Result<(), InventoryRejection> {
    if property.name.trim().is_empty() {
        return Err(InventoryRejection::Empty("name"));
    }
    if !is_canonical(&property.canonical_name) {
        return Err(InventoryRejection::BadCanonicalName(
            property.canonical_name.clone(),
        ));
    }
    if !property.coordinates.on_earth() {
        return Err(InventoryRejection::OffEarth);
    }
    Ok(())
}

pub(super) fn check_rating(review: &Review) -> Result<(), InventoryRejection> {
    let parts = review.parts;
    let all = [
        review.rating,
        parts.location,
        parts.staff,
        parts.room,
        parts.value,
    ];
    if all.iter().all(|rating| (1..=5).contains(rating)) {
        Ok(())
    } else {
        Err(InventoryRejection::BadRating(review.id.clone()))
    }
}
