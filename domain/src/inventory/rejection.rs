//! Why a command to a property is turned down.

use thiserror::Error;

use super::home_state::HomeState;
use super::market::Review;
use super::property::{PaymentTerms, PropertyDetails};
use crate::contact::is_blank;
use crate::id::{InventoryId, PaymentId};
use crate::lease::Stay;
use crate::money::Currency;
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
    #[error("room {room} is not let for {}", stay.key())]
    UnknownLease { room: InventoryId, stay: Stay },
    #[error("`{0}` was set by no person")]
    NotSet(String),
    #[error("offer `{0}` is not published")]
    UnknownOffer(String),
    #[error("review `{0}` has a rating outside one to five")]
    BadRating(String),
    #[error("{field} of {amount_minor} is less than can be charged in {}: {least} at least, in minor units, or 0 for none", currency.code(), least = currency.least_charge_minor())]
    TooSmallToCharge {
        field: &'static str,
        amount_minor: u64,
        currency: Currency,
    },
    #[error("a property without rooms cannot be activated")]
    NoRooms,
    #[error("a home that is {} does not allow this", state.key())]
    WrongState { state: HomeState },
    #[error(
        "more rooms of {room} are booked or held for some night: {}",
        list(taken_above)
    )]
    BelowBooked {
        room: InventoryId,
        taken_above: Vec<PaymentId>,
    },
}

fn list(payments: &[PaymentId]) -> String {
    let names: Vec<String> = payments.iter().map(PaymentId::to_string).collect();
    names.join(", ")
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
            Self::UnknownLease { .. } => "inventory_unknown_lease",
            Self::NotSet(_) => "inventory_not_set",
            Self::UnknownOffer(_) => "inventory_unknown_offer",
            Self::BadRating(_) => "inventory_rating",
            Self::TooSmallToCharge { .. } => "inventory_too_small_to_charge",
            Self::NoRooms => "inventory_no_rooms",
            Self::WrongState { .. } => "inventory_wrong_state",
            Self::BelowBooked { .. } => "inventory_below_booked",
        }
    }
}

pub(super) fn check_property(property: &PropertyDetails) -> Result<(), InventoryRejection> {
    if is_blank(&property.name) {
        return Err(InventoryRejection::Empty("name"));
    }
    if property.local_names.texts().any(|(_, name)| is_blank(name)) {
        return Err(InventoryRejection::Empty("name"));
    }
    if !is_canonical(&property.canonical_name) {
        return Err(InventoryRejection::BadCanonicalName(
            property.canonical_name.clone(),
        ));
    }
    if property.coordinates.is_some_and(|point| !point.on_earth()) {
        return Err(InventoryRejection::OffEarth);
    }
    check_terms(&property.terms, property.currency)
}

/// A deposit or fee that no payment provider charges would stop every booking of the house.
pub(super) fn check_terms(terms: &PaymentTerms, currency: Currency) -> Result<(), InventoryRejection> {
    let amounts = [
        ("deposit", terms.deposit_minor),
        ("refundable_token", terms.refundable_token_minor),
        ("max_deposit", terms.max_deposit_minor),
    ];
    let too_small = |amount: u64| (1..currency.least_charge_minor()).contains(&amount);
    match amounts.into_iter().find(|(_, amount)| too_small(*amount)) {
        None => Ok(()),
        Some((field, amount_minor)) => Err(InventoryRejection::TooSmallToCharge {
            field,
            amount_minor,
            currency,
        }),
    }
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
