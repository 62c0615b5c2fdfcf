//! Old events of imported homes, read without the facts that no feed said: their shapes could leave none out, so the importer filled
//! in the same words for each home.

use serde_json::{Map, Value};

use super::let_room::RoomDetails;
use crate::room::{RoomAttributes, Sharing};

/// Facts of a property that the importer filled in.
const GUESSED: [&str; 4] = ["kind", "unit_type", "guarantor", "dual_occupancy"];
/// Bedrooms that it filled in; another number was said.
const GUESSED_BEDROOMS: u8 = 1;

/// Takes out of version 1 of a property's events what its importer filled in. A home without a source keeps its values.
pub(super) fn without_guesses(mut payload: Value) -> Value {
    // The payload names its event: `{"PropertyListed": {"property": …}}`.
    if let Value::Object(named) = &mut payload {
        for event in named.values_mut() {
            if let Some(Value::Object(property)) = event.get_mut("property") {
                drop_guesses(property);
            }
        }
    }
    payload
}

fn drop_guesses(property: &mut Map<String, Value>) {
    if property.get("source").is_none_or(Value::is_null) {
        return;
    }
    for guessed in GUESSED {
        property.remove(guessed);
    }
    if let Some(Value::Object(plain)) = property.get_mut("facts") {
        plain.remove("bills_included");
    }
    // Where a feed had no text the name stood in its place.
    let name = property.get("name").cloned().unwrap_or_default();
    if let Some(Value::Object(texts)) = property.get_mut("description") {
        texts.retain(|_, text| *text != name);
    }
}

/// A room as it was described: of an imported one that may hold guesses only what was said.
pub fn said_room(room: RoomDetails, is_said: bool, is_imported: bool) -> RoomDetails {
    if is_said || !is_imported {
        return room;
    }
    let bedrooms = room.bedrooms.filter(|count| *count != GUESSED_BEDROOMS);
    let own = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
    // A whole flat without a number of bedrooms was written as a studio.
    let attributes = if bedrooms.is_none() && room.attributes == own {
        RoomAttributes::default()
    } else {
        room.attributes
    };
    RoomDetails {
        attributes,
        bedrooms,
        bathrooms: None,
        bed: None,
        dual_occupancy: None,
        ..room
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::property::PropertyDetails;
    use super::super::tests::room;
    use super::super::{Inventory, InventoryEvent};
    use super::*;
    use crate::aggregate::fold;
    use crate::shape::Shapes;

    /// An event as a stored sample of it is read now.
    fn read(event_type: &str, version: u32, text: &str) -> InventoryEvent {
        let sample: Value = serde_json::from_str(text).expect("a sample is JSON");
        let steps = Shapes::of::<Inventory>()
            .steps(event_type, version)
            .expect("a path");
        let payload = steps
            .iter()
            .fold(sample["payload"].clone(), |payload, step| (step.change)(payload));
        serde_json::from_value(payload).expect("it reads")
    }

    fn imported() -> Vec<InventoryEvent> {
        vec![
            read(
                "PropertyListed",
                1,
                include_str!("../../events/inventory/PropertyListed.v1.imported.json"),
            ),
            read(
                "RoomListed",
                1,
                include_str!("../../events/inventory/RoomListed.v1.imported.json"),
            ),
            read(
                "RoomPriced",
                2,
                include_str!("../../events/inventory/RoomPriced.v2.imported.json"),
            ),
        ]
    }

    fn listed(event: &InventoryEvent) -> PropertyDetails {
        let InventoryEvent::PropertyListed { property } = event else {
            panic!("{event:?}");
        };
        (**property).clone()
    }

    #[test]
    fn old_imported_home_says_no_fact_that_was_filled_in() {
        let home = fold::<Inventory>(&imported());
        let property = home.property.as_deref().expect("it is listed");
        assert_eq!((property.kind, property.unit_type), (None, None));
        assert_eq!((property.guarantor, property.dual_occupancy), (None, None));
        assert_eq!(property.facts.bills_included, None);
        assert_eq!(property.description.in_language("en"), "");
        let known = &home.rooms[0];
        assert_eq!((known.details.bedrooms, known.details.bathrooms), (None, None));
        assert_eq!((known.details.bed, known.details.dual_occupancy), (None, None));
        assert_eq!(known.details.attributes, RoomAttributes::default());
        assert_eq!((known.rooms, known.is_count_said), (1, false));
    }

    #[test]
    fn old_home_without_a_source_keeps_its_values() {
        let text = include_str!("../../events/inventory/PropertyListed.v1.json");
        let property = listed(&read("PropertyListed", 1, text));
        assert!(property.kind.is_some() && property.guarantor.is_some());
        assert_eq!(property.facts.bills_included, Some(false));
        let text = include_str!("../../events/inventory/RoomListed.v1.json");
        let InventoryEvent::RoomListed { room, is_said, .. } = read("RoomListed", 1, text) else {
            panic!("the sample is a RoomListed");
        };
        assert_eq!(said_room(room.clone(), is_said, false), room);
        assert!(room.bed.is_some());
    }

    #[test]
    fn numbers_that_a_feed_said_are_kept() {
        let own = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
        let flat = RoomDetails {
            attributes: own,
            bedrooms: Some(2),
            ..room(2)
        };
        let said = said_room(flat.clone(), false, true);
        assert_eq!((said.bedrooms, said.attributes), (Some(2), own));
        assert_eq!(said_room(flat.clone(), true, true), flat, "said today");
        let ensuite = said_room(room(2), false, true);
        assert_eq!(ensuite.attributes, room(2).attributes, "its kind was said");
    }

    #[test]
    fn text_of_a_feed_is_kept_beside_a_name() {
        let payload = json!({ "PropertyListed": { "property": {
            "name": "Queen House", "source": { "feed": "f", "id": "1" },
            "description": { "en": "Student residence", "zh": "Queen House" },
        } } });
        let read = without_guesses(payload);
        let texts = &read["PropertyListed"]["property"]["description"];
        assert_eq!(*texts, json!({ "en": "Student residence" }));
    }
}
