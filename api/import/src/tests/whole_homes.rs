//! Homes of several rooms and leases, and the states that a feed gives them.

use domain::inventory::InventoryCommand;
use domain::inventory::state::HomeState;
use uuid::Uuid;

use super::*;

/// A feed of one home with two rooms and three leases; the second room is called as given.
fn nested(key: &str, status: &str, free: u32) -> String {
    format!(
        r#"[{{"id": "n-1", "name": {{"en": "Aspen Hall", "zh": "白杨居"}}, "country": "GB", "city": "Leeds", "lat": 53.81, "lng": -1.57,
        "status": "{status}", "facilities": ["Gym", "LCD TV"], "no_visa_no_pay": true, "rooms": [
        {{"room_id": "A", "room_name": "Loft", "room_type": "ensuite", "size": 14, "rooms_total": 20, "leases": [
            {{"price": 165, "currency": "GBP", "price_per": "week", "move_in": "2027-09-04", "length": "44 weeks", "rooms_left": {free}, "deposit": 250}},
            {{"price": 155, "currency": "GBP", "price_per": "week", "move_in": "2027-09-04", "length": "51 weeks", "deposit": 250}}]}},
        {{"room_id": "{key}", "room_name": "Garden studio", "room_type": "studio", "leases": [
            {{"price": 210, "currency": "GBP", "price_per": "week", "deposit": 250}}]}}]}}]"#
    )
}

#[tokio::test]
async fn home_goes_into_the_log_whole_with_rooms_and_leases() {
    let log = log_with_regions().await;
    let map = FeedMap::from_toml("feed = \"listings\"\nlanguage = \"en\"").unwrap();
    let (tally, errors) = import(&log, &nested("B", "active", 5), &map).await;
    assert_eq!((tally.added, errors.len()), (1, 0));
    let home = listed(&log, "n-1").await;
    assert!(home.available());
    let property = home.property.as_deref().unwrap();
    assert_eq!(property.name, "Aspen Hall");
    assert_eq!(
        (property.name_in("zh"), property.name_in("fr")),
        ("白杨居", "Aspen Hall")
    );
    assert_eq!(
        (property.terms.deposit_minor, property.period),
        (25_000, Period::Weekly)
    );
    assert!(property.policy.no_visa_no_pay && property.guarantor.is_none());
    let keys: Vec<&str> = property
        .features
        .iter()
        .map(|feature| feature.key.as_str())
        .collect();
    assert_eq!(keys, ["gym"]);
    assert!(
        property
            .description
            .texts()
            .any(|(_, text)| text.contains("LCD TV"))
    );
    let [loft, studio] = &home.rooms[..] else {
        panic!("{:?}", home.rooms);
    };
    assert_eq!(
        loft.details.id,
        InventoryId(places::named_id(&["room", "listings", "n-1"]))
    );
    assert_eq!((loft.rooms, loft.is_count_said, loft.leases.len()), (20, true, 2));
    assert_eq!(
        (loft.leases[0].rooms_available, loft.leases[1].rooms_available),
        (5, 5)
    );
    assert_eq!(
        (studio.leases.len(), studio.details.asked_minor),
        (0, Some(21_000))
    );
    let ids = [loft.details.id, studio.details.id];
    // The next feed calls the second room otherwise, and pauses the home.
    let (tally, _) = import(&log, &nested("B2", "paused", 5), &map).await;
    assert_eq!(tally.changed, 1);
    let home = listed(&log, "n-1").await;
    assert_eq!([home.rooms[0].details.id, home.rooms[1].details.id], ids);
    assert!(matches!(home.state, HomeState::Paused { .. }));
    let (tally, _) = import(&log, &nested("B2", "paused", 5), &map).await;
    assert_eq!(tally.unchanged, 1);
}

#[tokio::test]
async fn pause_of_a_person_is_not_lifted_by_a_feed() {
    let log = log_with_regions().await;
    let map = FeedMap::from_toml("feed = \"listings\"").unwrap();
    for status in ["paused", "active"] {
        import(&log, &nested("B", status, 5), &map).await;
    }
    assert!(
        listed(&log, "n-1").await.available(),
        "the feed's own pause is over"
    );
    let id = InventoryId(places::named_id(&["inventory", "listings", "n-1"]));
    let context = Context::new(clock::now(), Actor::staff(Uuid::from_u128(7)));
    let pause = InventoryCommand::Pause { reopens_on: None };
    commit::<Inventory>(&log, id, pause, &context).await.unwrap();
    import(&log, &nested("B", "active", 4), &map).await;
    let home = listed(&log, "n-1").await;
    assert!(matches!(home.state, HomeState::Paused { .. }));
    assert_eq!(
        home.rooms[0].leases[0].rooms_available, 4,
        "its other facts follow the feed"
    );
}

#[tokio::test]
async fn home_that_is_let_for_now_is_shown_and_not_to_be_had() {
    let log = log_with_regions().await;
    let map = FeedMap::from_toml("feed = \"listings\"").unwrap();
    import(&log, &nested("B", "let agreed", 5), &map).await;
    let home = listed(&log, "n-1").await;
    assert!(!home.available() && home.state == HomeState::Active);
    assert_eq!(home.rooms[0].leases[0].rooms_available, 0);
    assert_eq!(
        home.rooms[1].on_request_minor(),
        Some(21_000),
        "its rent is shown"
    );
    let (tally, _) = import(&log, &nested("B", "let agreed", 5), &map).await;
    assert_eq!(tally.unchanged, 1);
    import(&log, &nested("B", "active", 5), &map).await;
    let home = listed(&log, "n-1").await;
    assert!(home.available());
    assert_eq!(home.rooms[0].leases[0].rooms_available, 5);
}

#[tokio::test]
async fn homes_have_addresses_of_their_own_whatever_feeds_call_them() {
    let log = log_with_regions().await;
    let home = |id: &str, name: &str| {
        format!(
            r#"{{"id": "{id}", "name": "{name}", "country": "GB", "city": "Leeds", "lat": 53.81, "lng": -1.57, "room_type": "studio",
            "price": 165, "currency": "GBP", "price_per": "week"}}"#
        )
    };
    let north = FeedMap::from_toml("feed = \"listings\"").unwrap();
    let south = FeedMap::from_toml("feed = \"south\"").unwrap();
    let both = format!("[{}, {}]", home("c-1", "Aspen B"), home("b-c-1", "Aspen"));
    import(&log, &both, &north).await;
    import(&log, &format!("[{}]", home("c-1", "Aspen B")), &south).await;
    let address = async |feed: &str, id: &str| {
        let id = InventoryId(places::named_id(&["inventory", feed, id]));
        let home = log.load::<Inventory>(id).await.unwrap().state;
        let rooms = home.rooms.iter().map(|room| room.details.canonical_name.clone());
        let rooms: Vec<String> = rooms.collect();
        let address = home.property.unwrap().canonical_name.clone();
        assert!(rooms.iter().all(|room| room.starts_with(&address)), "{rooms:?}");
        address
    };
    let first = address("listings", "c-1").await;
    assert_eq!(first, "aspen-b-c-1");
    let others = [address("listings", "b-c-1").await, address("south", "c-1").await];
    assert!(
        others.iter().all(|other| other.starts_with("aspen-b-c-1-")),
        "{others:?}"
    );
    assert_ne!(others[0], others[1]);
    // A new name changes no address, and the same feed changes nothing.
    import(&log, &format!("[{}]", home("c-1", "Birch")), &south).await;
    assert_eq!(address("south", "c-1").await, others[1]);
    let (tally, _) = import(&log, &both, &north).await;
    assert_eq!(tally.unchanged, 2);
}

#[tokio::test]
async fn bad_row_leaves_what_stands_of_its_room_and_lease() {
    let log = log_with_regions().await;
    let map = FeedMap::from_toml("feed = \"listings\"").unwrap();
    let feed = |first: &str, second: &str, other: &str| {
        let row = |room: &str, length: &str, price: &str| {
            format!("r-1,Aspen,GB,Leeds,53.81,-1.57,{room},{room},2027-09-04,{length},{price},GBP,week")
        };
        let rows = [
            "property_id,name,country,city,lat,lng,room_id,room_name,move_in,length,price,currency,price_per"
                .to_owned(),
            row("A", "44 weeks", first),
            row("A", "51 weeks", second),
            row("B", "44 weeks", other),
        ];
        rows.join("\n")
    };
    let prices = async || {
        let home = listed(&log, "r-1").await;
        let rooms = home.let_rooms().map(|room| {
            let leases = room.leases.iter();
            leases.map(|lease| lease.price_minor).collect::<Vec<_>>()
        });
        rooms.collect::<Vec<_>>()
    };
    import(&log, &feed("165", "155", "150"), &map).await;
    assert_eq!(prices().await, [vec![16_500, 15_500], vec![15_000]]);
    import(&log, &feed("166", "cheap", "cheap"), &map).await;
    assert_eq!(prices().await, [vec![16_600, 15_500], vec![15_000]]);
    // A room whose rows are gone is let no longer, and so is such a lease.
    let without_other = |text: &str| text.rsplit_once('\n').unwrap().0.to_owned();
    import(&log, &without_other(&feed("166", "cheap", "")), &map).await;
    assert_eq!(prices().await, [vec![16_600, 15_500]]);
    let without_second = without_other(&without_other(&feed("166", "", "")));
    import(&log, &without_second, &map).await;
    assert_eq!(prices().await, [vec![16_600]]);
}

/// A lease without a deposit is not asked for the house's default because another lease of the home has one.
#[tokio::test]
async fn deposit_of_nought_beside_others_is_none() {
    let log = log_with_regions().await;
    let map = FeedMap::from_toml("feed = \"listings\"\nlanguage = \"en\"").unwrap();
    let without = nested("B", "active", 5).replace(
        r#""length": "51 weeks", "deposit": 250"#,
        r#""length": "51 weeks", "deposit": 0"#,
    );
    let (tally, errors) = import(&log, &without, &map).await;
    assert_eq!((tally.added, errors.len()), (1, 0));
    let home = listed(&log, "n-1").await;
    let leases = home.let_rooms().flat_map(|room| &room.leases);
    let mut deposits: Vec<_> = leases
        .map(|lease| (lease.length.duration, lease.terms.deposit_minor))
        .collect();
    deposits.sort_unstable();
    assert_eq!(deposits, [(44, Some(25_000)), (51, Some(0))]);
}

#[tokio::test]
async fn file_that_breaks_off_leaves_what_its_other_rows_said() {
    let log = log_with_regions().await;
    let map = FeedMap::from_toml("feed = \"listings\"").unwrap();
    let row = |room: &str, length: &str| {
        format!(
            r#"{{"property_id": "r-1", "name": "Aspen", "country": "GB", "city": "Leeds", "lat": 53.81, "lng": -1.57, "room_id": "{room}",
            "room_name": "{room}", "move_in": "2027-09-04", "length": "{length}", "price": 165, "currency": "GBP", "price_per": "week"}}"#
        )
    };
    let rows = [row("A", "44 weeks"), row("A", "51 weeks"), row("B", "44 weeks")];
    import(&log, &format!("[{}]", rows.join(",")), &map).await;
    let whole = listed(&log, "r-1").await.rooms;
    assert_eq!(whole.len(), 2);
    let broken = format!("[{}, {{\"property_id\"", rows[0]);
    let mut lines: Vec<ReportLine> = Vec::new();
    let ended = take(&log, broken.into_bytes(), &map, run_of(false), &mut lines).await;
    assert!(ended.is_err(), "{ended:?}");
    assert_eq!(listed(&log, "r-1").await.rooms, whole);
}
