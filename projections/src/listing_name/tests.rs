use domain::country::Country;
use domain::id::RegionId;
use domain::inventory::InventoryCommand;
use domain::inventory::let_room::RoomDetails;
use domain::inventory::property::{PropertyDetails, Source};
use domain::place::{Bounds, Coordinates};
use domain::region::{RegionCommand, RegionDetails, RegionType};
use domain::wording::Wording;
use eventlog::{EventLog, commit};
use uuid::Uuid;

use super::*;
use crate::inventory_page::tests::{at, property, room};
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

const HOME: InventoryId = InventoryId(Uuid::from_u128(5));
const CITY: RegionId = RegionId(Uuid::from_u128(1));

async fn describe_city(log: &EventLog, names: Wording) {
    let centre = Coordinates::new(51_524_600, -134_000);
    let region = Box::new(RegionDetails {
        name: "London".into(),
        canonical_name: "london".into(),
        region_type: RegionType::Locality,
        subtype: None,
        parent: Some(RegionId(Uuid::from_u128(7))),
        country: Country::Uk,
        locality: Some("London".into()),
        centre,
        bounds: Bounds::around(centre, 9_000, 14_000),
        time_zone: "Europe/London".into(),
        aliases: vec![],
        local_name: Some(names),
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
        is_mended: false,
    });
    commit::<Region>(log, CITY, RegionCommand::Describe { region }, &at(1))
        .await
        .unwrap();
}

async fn name_rooms(log: &EventLog, names: [Wording; 2]) {
    let [one, other] = names;
    let other = RoomDetails {
        id: InventoryId(Uuid::from_u128(10)),
        canonical_name: "bloomsbury-row-london-studio".into(),
        name: other,
        ..room()
    };
    let one = RoomDetails { name: one, ..room() };
    let called = Box::new(PropertyDetails {
        local_names: Wording::default().with("zh", "布卢姆斯伯里公寓"),
        ..*property("bloomsbury-row")
    });
    let command = InventoryCommand::Adopt {
        property: called,
        rooms: vec![(one, vec![].into()), (other, vec![].into())],
    };
    commit::<Inventory>(log, HOME, command, &at(1)).await.unwrap();
}

async fn named(store: &ReadStore, id: &str) -> ListingName {
    find(store.readers(), id).await.unwrap().unwrap()
}

/// A language that a room or city has no name in shows the English one, and where there is none, whichever there is; a tag that is not
/// served is kept. A name that is taken back leaves nothing.
#[tokio::test]
async fn homes_are_called_as_each_language_has_it() {
    for (place, _folder) in places() {
        let log = EventLog::memory();
        let city = Wording::english("London").with("zh", "伦敦");
        describe_city(&log, city.with("fr", "Londres")).await;
        let ensuite = Wording::english("Ensuite Room").with("zh", "独立卫浴房");
        let chambre = Wording::default().with("fr", "Chambre");
        name_rooms(&log, [ensuite.with("tlh", "pa'"), chambre]).await;
        let store = ReadStore::open(&place).await.unwrap();
        let mut projector = Projector::new(log.clone(), store.clone(), vec![Box::new(ListingNames)]);
        projector.catch_up().await.unwrap();
        let room_id = room().id.to_string();
        let one = named(&store, &room_id).await;
        for (lang, room, city) in [
            ("en", "Ensuite Room", "London"),
            ("zh", "独立卫浴房", "伦敦"),
            ("fr", "Ensuite Room", "Londres"),
            ("de", "Ensuite Room", "London"),
            ("tlh", "pa'", "London"),
        ] {
            assert_eq!(
                (one.room_in(lang), one.city_in(lang)),
                (Some(room), city),
                "{lang}"
            );
        }
        let home = named(&store, "bloomsbury-row").await;
        assert_eq!((home.room_in("zh"), home.city_in("zh")), (None, "伦敦"));
        for named in [&home, &one] {
            let names = ["zh", "en", "fr"].map(|lang| named.property_in(lang));
            assert_eq!(names, ["布卢姆斯伯里公寓", "Bloomsbury Row", "Bloomsbury Row"]);
        }
        let other = named(&store, "bloomsbury-row-london-studio").await;
        assert_eq!(
            [other.room_in("fr"), other.room_in("en"), other.room_in("zh")],
            [Some("Chambre"); 3]
        );

        let english = Wording::english("Ensuite Room");
        name_rooms(&log, [english, Wording::default().with("fr", "Chambre")]).await;
        projector.catch_up().await.unwrap();
        let one = named(&store, &room_id).await;
        assert_eq!(
            (one.room_in("zh"), one.city_in("zh")),
            (Some("Ensuite Room"), "伦敦")
        );
        assert_eq!(one.wordings.get("tlh"), None);
    }
}

/// An id of a feed that is written as another home's address leads to that home.
#[tokio::test]
async fn id_of_a_feed_names_no_other_home() {
    for (place, _folder) in places() {
        let log = EventLog::memory();
        describe_city(&log, Wording::english("London")).await;
        let other = InventoryId(Uuid::from_u128(6));
        for (id, name, feed_id) in [
            (other, "gower-mews", "bloomsbury-row"),
            (HOME, "bloomsbury-row", "b-1"),
        ] {
            let mut property = property(name);
            property.source = Some(Source {
                feed: "south".into(),
                id: feed_id.into(),
            });
            let command = InventoryCommand::Adopt {
                property,
                rooms: Vec::new(),
            };
            commit::<Inventory>(&log, id, command, &at(1)).await.unwrap();
        }
        let store = ReadStore::open(&place).await.unwrap();
        let mut projector = Projector::new(log.clone(), store.clone(), vec![Box::new(ListingNames)]);
        projector.catch_up().await.unwrap();
        for key in ["bloomsbury-row", "b-1"] {
            assert_eq!(named(&store, key).await.inventory_id, HOME.to_string(), "{key}");
        }
    }
}
