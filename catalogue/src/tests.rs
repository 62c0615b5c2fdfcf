use std::collections::HashSet;

use domain::aggregate::fold;
use domain::inventory::Status;
use domain::region::RegionType;

use super::*;

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()
}

struct Stopped;

impl From<CatalogueError> for Stopped {
    fn from(error: CatalogueError) -> Self {
        panic!("{error}")
    }
}

fn streams() -> Vec<NewStream> {
    Catalogue::new(SEED, day()).unwrap().streams().unwrap()
}

fn properties(streams: &[NewStream]) -> Vec<Inventory> {
    let folded = streams.iter().filter_map(|stream| match stream {
        NewStream::Inventory { events, .. } => Some(fold::<Inventory>(events)),
        NewStream::Region { .. } => None,
    });
    folded.collect()
}

/// The catalogue is as large as promised and every property complete.
#[test]
fn demo_catalogue_is_complete_and_of_the_promised_size() {
    let streams = streams();
    let properties = properties(&streams);
    assert!(properties.len() >= 5_000);
    for inventory in &properties {
        let property = inventory.property.as_ref().unwrap();
        assert!((2..=6).contains(&inventory.rooms.len()), "{}", property.name);
        assert!((5..=8).contains(&property.pictures.len()), "{}", property.name);
        assert!(inventory.rooms.iter().all(|room| !room.leases.is_empty()));
        assert!(
            property
                .faqs
                .iter()
                .all(|faq| faq.question.written_in("zh").is_some() && faq.answer.written_in("zh").is_some())
        );
        assert!(
            property
                .description
                .written_in("zh")
                .is_some_and(|text| !text.contains('{')),
            "{}",
            property.name
        );
        assert!(!property.description.in_language("en").contains('{'));
        let said = |word: &str| {
            property
                .faqs
                .iter()
                .any(|faq| faq.answer.in_language("en").contains(word))
        };
        assert_eq!(
            said("visa is refused"),
            property.policy.no_visa_no_pay,
            "{}",
            property.name
        );
        assert!(
            !said("everything back"),
            "a deposit comes back by the rules only: {}",
            property.name
        );
    }
}

#[test]
fn canonical_names_and_ids_are_nobody_elses() {
    let mut names = HashSet::new();
    let mut ids = HashSet::new();
    for stream in &streams() {
        match stream {
            NewStream::Region { id, events } => {
                let region = fold::<Region>(events).details.unwrap();
                assert!(
                    names.insert(region.canonical_name.clone()),
                    "{}",
                    region.canonical_name
                );
                assert!(ids.insert(id.0));
            }
            NewStream::Inventory { id, events } => {
                let inventory = fold::<Inventory>(events);
                let property = inventory.property.unwrap();
                assert!(
                    names.insert(property.canonical_name.clone()),
                    "{}",
                    property.canonical_name
                );
                assert!(ids.insert(id.0));
                for room in inventory.rooms {
                    assert!(ids.insert(room.details.id.0));
                    assert!(
                        names.insert(room.details.canonical_name.clone()),
                        "{}",
                        room.details.canonical_name
                    );
                }
            }
        }
    }
}

#[test]
fn the_same_seed_and_day_make_the_same_catalogue() {
    let beginning = || {
        let mut kept = Vec::new();
        let ended: Result<(), Stopped> = Catalogue::new(SEED, day()).unwrap().each(|stream| {
            kept.push(stream);
            if kept.len() < 1_500 { Ok(()) } else { Err(Stopped) }
        });
        assert!(ended.is_err());
        kept
    };
    assert_eq!(beginning(), beginning());
}

#[test]
fn some_homes_are_sold_out_inactive_deleted_or_cannot_be_booked() {
    let properties = properties(&streams());
    let count = |rule: fn(&Inventory) -> bool| properties.iter().filter(|inventory| rule(inventory)).count();
    assert!(count(|inventory| inventory.status() == Status::Inactive) > 10);
    assert!(count(|inventory| inventory.status() == Status::Deleted) > 10);
    assert!(count(|inventory| inventory.rooms.iter().all(|room| room.rooms_available() == 0)) > 100);
    assert!(
        count(|inventory| inventory
            .property
            .as_ref()
            .is_some_and(|property| !property.terms.booking_allowed))
            > 100
    );
    let available = count(Inventory::available);
    assert!(
        available * 10 > properties.len() * 9,
        "{available} of {}",
        properties.len()
    );
}

#[test]
fn fifty_cities_are_active_and_popular() {
    let cities = streams()
        .iter()
        .filter_map(|stream| match stream {
            NewStream::Region { events, .. } => fold::<Region>(events).details,
            NewStream::Inventory { .. } => None,
        })
        .filter(|region| region.region_type == RegionType::Locality && region.popular_rank.is_some())
        .count();
    assert_eq!(cities, 50);
}
