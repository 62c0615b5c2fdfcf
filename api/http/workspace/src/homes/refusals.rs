//! Refusals of what staff ask of homes, as answers.

use domain::id::InventoryId;
use domain::inventory::InventoryRejection;
use domain::inventory::facts::FactKey;
use http_kit::error::{ApiError, FieldError};
use http_kit::said::{Said, say};
use listings::error::{ListingsError, Misplaced};
use listings::questions::home_steps::WhyNot;

/// A refusal as an answer: what is not there, what stands against it, or the field that cannot be used.
pub(crate) fn refuse(error: ListingsError) -> ApiError {
    match error {
        ListingsError::UnknownHome => ApiError::not_found(say("refusal.no_property")),
        ListingsError::NoReason { .. } => {
            ApiError::invalid_field("reason", "required", say("refusal.say_why"))
        }
        ListingsError::TooLong { fact, max } => {
            let said = say("refusal.at_most_characters");
            let said = said.with("field", &fact).with("max", max);
            ApiError::invalid_field(fact, "too_long", said)
        }
        ListingsError::TooLarge { fact, max } => {
            let said = say("refusal.at_most").with("field", &fact).with("max", max);
            ApiError::invalid_field(fact, "too_large", said)
        }
        ListingsError::TooMany { max } => {
            let said = say("refusal.too_many_facts").with("max", max);
            ApiError::invalid_field("body", "too_many", said)
        }
        ListingsError::LetTwice(_) => {
            ApiError::invalid_field("rooms", "let_twice", say("refusal.lease_twice"))
        }
        ListingsError::PhotoMisplaced { index, why } => refuse_photo(index, why),
        ListingsError::NotSet(fact) => {
            let said = say("refusal.fact_not_set").with("fact", fact);
            ApiError::invalid_field("unset", "not_set", said)
        }
        ListingsError::ChangedMeanwhile(_) => {
            ApiError::conflict("changed_meanwhile", say("refusal.home_changed"))
        }
        ListingsError::Booked { room, bookings } => refuse_too_few(room, &bookings),
        ListingsError::OfFeed { feed } => {
            ApiError::conflict("home_of_feed", say("refusal.home_of_feed").with("feed", feed))
        }
        ListingsError::UnknownPlace => ApiError::invalid_field("place", "unknown", say("refusal.no_region")),
        ListingsError::OtherCountry => {
            ApiError::invalid_field("place", "other_country", say("refusal.place_abroad"))
        }
        ListingsError::NotADouble => ApiError::conflict("not_a_double", say("refusal.not_a_double")),
        ListingsError::KeptNotLet => ApiError::conflict("kept_not_let", say("refusal.kept_not_let")),
        ListingsError::UnknownStep => ApiError::invalid_field("step", "unknown", say("refusal.no_step")),
        ListingsError::NotUndone(why) => ApiError::conflict("undo_not_possible", say_why_not(why)),
        ListingsError::Rejected(rejection) => reject(&rejection),
    }
}

/// Names the photo of an arrangement that cannot stand there.
fn refuse_photo(index: usize, why: Misplaced) -> ApiError {
    let (part, code, key) = match why {
        Misplaced::Unknown => ("photo_id", "unknown", "refusal.no_picture"),
        Misplaced::Twice => ("photo_id", "twice", "refusal.photo_twice"),
        Misplaced::UnknownRoom => ("room_id", "unknown", "refusal.no_room"),
    };
    ApiError::invalid_field(format!("photos/{index}/{part}"), code, say(key))
}

/// Names a fact that ended after an editor read it.
pub(super) fn name_gone(fact: &FactKey) -> FieldError {
    FieldError::new(fact.to_string(), "gone", say("refusal.fact_gone"))
}

/// Names each booking in a line of its own.
fn refuse_too_few(room: InventoryId, bookings: &[String]) -> ApiError {
    let code = "inventory_below_booked";
    let said = say("refusal.inventory_below_booked").with("count", bookings.len());
    let mut refused = ApiError::conflict(code, said);
    let line = |reference: &String| {
        let said = say("refusal.room_taken_by").with("reference", reference);
        FieldError::new(format!("rooms.{room}.count"), code, said)
    };
    refused.errors = bookings.iter().map(line).collect();
    refused
}

fn reject(rejection: &InventoryRejection) -> ApiError {
    match rejection {
        InventoryRejection::NotListed => ApiError::not_found(say("refusal.no_property")),
        InventoryRejection::Deleted => {
            ApiError::conflict("inventory_deleted", say("refusal.inventory_deleted"))
        }
        InventoryRejection::Empty(field) => {
            ApiError::invalid_field(*field, "required", say("validation.required"))
        }
        InventoryRejection::UnknownRoom(_) => {
            ApiError::invalid_field("rooms", "unknown", say("refusal.no_room"))
        }
        InventoryRejection::NoPrice(_) => {
            ApiError::invalid_field("rooms", "no_price", say("refusal.lease_without_price"))
        }
        InventoryRejection::UnknownLease { stay, .. } => {
            let said = say("refusal.lease_not_let").with("stay", stay.key());
            ApiError::invalid_field("rooms", "unknown_lease", said)
        }
        InventoryRejection::WrongState { .. } => {
            ApiError::conflict("inventory_wrong_state", say("refusal.home_wrong_state"))
        }
        InventoryRejection::NoRooms => {
            ApiError::conflict("inventory_no_rooms", say("refusal.home_without_rooms"))
        }
        InventoryRejection::NoLength(_) => {
            ApiError::invalid_field("rooms", "no_length", say("refusal.lease_without_length"))
        }
        InventoryRejection::OffEarth => {
            ApiError::invalid_field("coordinates", "off_earth", say("refusal.point_off_earth"))
        }
        InventoryRejection::TooSmallToCharge { field, .. } => {
            let said = say("refusal.terms_too_small");
            ApiError::invalid_field(format!("terms/{field}"), "too_small", said)
        }
        // Nothing that staff ask is turned down otherwise.
        other => ApiError::broken(other),
    }
}

/// Why a step is not undone, in the reader's language.
pub(super) fn say_why_not(why: WhyNot) -> Said {
    say(match why {
        WhyNot::Listed => "refusal.undo_listed",
        WhyNot::WasLet => "refusal.undo_was_let",
        WhyNot::OpenByHand => "refusal.undo_open_by_hand",
        WhyNot::Final => "refusal.undo_final",
        WhyNot::RoomsChanged => "refusal.undo_rooms_changed",
        WhyNot::ChangedSince => "refusal.undo_changed_since",
        WhyNot::Booked => "refusal.undo_booked",
        WhyNot::NothingToUndo => "refusal.undo_nothing",
    })
}
