use std::path::Path;

use catalogue::NewStream;
use chrono::DateTime;
use domain::inventory::let_room::LetRoom;
use domain::lease::Lease;
use domain::money::Currency;
use domain::room::Configuration;
use eventlog::Expected;

use super::*;

const SAMPLE: &str = include_str!("sample.csv");

fn listings_map() -> Map {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/import/listings.toml");
    Map::read(file.to_str()).unwrap()
}

/// A log that knows the catalogue's regions, without its homes.
async fn log_with_regions() -> EventLog {
    let now = DateTime::from_timestamp(1_795_176_000, 0).unwrap();
    let mut appends = Vec::new();
    let catalogue = catalogue::Catalogue::new(catalogue::SEED, now.date_naive()).unwrap();
    let ended: Result<(), Enough> = catalogue.each(|stream| match stream {
        NewStream::Region { id, events } => {
            let context = Context::new(now, Actor::SYSTEM);
            let append = Append::new(&context).events::<Region>(id, Expected::Revision(0), &events);
            appends.push(append.unwrap());
            Ok(())
        }
        NewStream::Inventory { .. } => Err(Enough),
    });
    assert!(ended.is_err());
    let log = EventLog::memory();
    log.append_many(appends).await.unwrap();
    log
}

struct Enough;

impl From<catalogue::CatalogueError> for Enough {
    fn from(error: catalogue::CatalogueError) -> Self {
        panic!("{error}")
    }
}

async fn import(log: &EventLog, feed: &'static str, format: Format, map: &Map) -> (Tally, Vec<RowError>) {
    let mut errors = Vec::new();
    let (tally, _) = take(log, feed.as_bytes(), format, map, false, &mut errors)
        .await
        .unwrap();
    (tally, errors)
}

async fn listed(log: &EventLog, id: &str) -> Inventory {
    let id = InventoryId(places::named_id(&["inventory", "listings", id]));
    log.load::<Inventory>(id).await.unwrap().state
}

#[tokio::test]
async fn every_row_is_taken_in_or_named_with_line_column_and_reason() {
    let log = log_with_regions().await;
    let (tally, errors) = import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    assert_eq!(
        tally,
        Tally {
            rows: 9,
            added: 4,
            changed: 0,
            unchanged: 0,
            rejected: 5,
            cities: 1,
            closed: 0
        }
    );
    let named: Vec<String> = errors
        .iter()
        .map(|e| format!("{} {} {}", e.line, e.column, e.reason))
        .collect();
    assert_eq!(
        named,
        [
            "5 title the cell is empty",
            "6 lat `north` is no number of degrees",
            "6 price `5o` is no price",
            "6 room_type `Tent` is no kind of room",
            "7 id an earlier row already has this id",
            "8 country `FR` is not in the catalogue: no homes are let in France",
            "9  the row has 3 cells, the first line 16",
        ]
    );
}

#[tokio::test]
async fn a_second_import_of_the_same_file_changes_nothing() {
    let log = log_with_regions().await;
    import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    let head = log.head().await.unwrap();
    let (again, _) = import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    assert_eq!(
        (again.added, again.changed, again.unchanged, again.cities),
        (0, 0, 4, 0)
    );
    assert_eq!(log.head().await.unwrap(), head);
}

/// Prices are scaled to the country's period and rooms get their configuration.
#[tokio::test]
async fn import_scales_prices_to_the_country_and_configures_rooms() {
    let log = log_with_regions().await;
    import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    let room = |inventory: &Inventory| -> LetRoom { inventory.rooms[0].clone() };
    let leeds = listed(&log, "a-1").await;
    assert!(leeds.available());
    assert_eq!(
        room(&leeds).leases[0].price_minor,
        14_000,
        "50 a night, seven nights, two fifths"
    );
    let property = leeds.property.as_ref().unwrap();
    let attributes = room(&leeds).details.attributes;
    assert_eq!(
        Configuration::of(property.country, attributes, 1),
        Some(Configuration::EnsuiteRoom)
    );
    let berlin = listed(&log, "a-2").await;
    assert_eq!(room(&berlin).leases[0].price_minor, 90_050);
    assert_eq!(
        room(&berlin).leases[0].length,
        Lease::months(14),
        "the feed asks for 400 nights"
    );
    assert_eq!(
        listed(&log, "a-8").await.property.unwrap().currency,
        Currency::Gbp
    );
}

#[tokio::test]
async fn a_changed_row_changes_its_listing_alone() {
    let log = log_with_regions().await;
    import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    let dearer: &'static str = SAMPLE
        .replace(
            "-1.5790,50,GBP,night,Private room,Private",
            "-1.5790,60,GBP,night,Private room,Private",
        )
        .leak();
    let (tally, _) = import(&log, dearer, Format::Csv, &listings_map()).await;
    assert_eq!((tally.added, tally.changed, tally.unchanged), (0, 1, 3));
    assert_eq!(listed(&log, "a-1").await.rooms[0].leases[0].price_minor, 16_800);
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let log = log_with_regions().await;
    let head = log.head().await.unwrap();
    let mut errors: Vec<RowError> = Vec::new();
    let (tally, _) = take(
        &log,
        SAMPLE.as_bytes(),
        Format::Csv,
        &listings_map(),
        true,
        &mut errors,
    )
    .await
    .unwrap();
    assert_eq!(
        (tally.added, tally.rejected, log.head().await.unwrap()),
        (4, 5, head)
    );
}

#[tokio::test]
async fn an_array_of_objects_and_an_object_a_line_read_the_same() {
    const ROW: &str = r#"{"id":"j-1","title":"Loft","country":"GB","city":"Leeds","lat":53.81,"lng":-1.57,"price":50,"currency":"GBP","price_per":"night","room_type":"Private room"}"#;
    let log = log_with_regions().await;
    let array: &'static str = format!("[{ROW}, 7]").leak();
    let (tally, errors) = import(&log, array, Format::Json, &listings_map()).await;
    assert_eq!((tally.added, tally.rejected), (1, 1));
    assert_eq!(errors[0].reason, "the row is not an object");
    let lines: &'static str = format!("{ROW}\n{ROW}\n").leak();
    let (tally, _) = import(&log, lines, Format::Json, &listings_map()).await;
    assert_eq!((tally.unchanged, tally.rejected), (1, 1));
}

#[tokio::test]
async fn a_feed_opens_the_countries_of_an_empty_installation() {
    let log = EventLog::memory();
    let (tally, _) = import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    assert_eq!((tally.added, tally.rejected), (4, 5));
    let mut follower = search_index::IndexFollower::new(log.clone());
    follower.catch_up().await.unwrap();
    let places = follower.search_index().places();
    let leeds = places.by_canonical_name("leeds").unwrap();
    let above = places.get(leeds.details.parent.unwrap()).unwrap();
    assert_eq!(above.canonical_name(), "united-kingdom");
    let (again, _) = import(&log, SAMPLE, Format::Csv, &listings_map()).await;
    assert_eq!((again.unchanged, again.cities), (4, 0));
}

#[tokio::test]
async fn an_unknown_city_is_reported_when_the_map_says_so() {
    let log = log_with_regions().await;
    let map = Map {
        unknown_city: map::UnknownCity::Report,
        ..listings_map()
    };
    let (tally, errors) = import(&log, SAMPLE, Format::Csv, &map).await;
    assert_eq!((tally.added, tally.cities), (3, 0));
    assert!(
        errors
            .iter()
            .any(|error| error.reason == "`Nowhere-on-Sea` is not in the catalogue")
    );
}

/// The large table beside the checkout is accounted for to the last row.
#[tokio::test]
async fn import_accounts_for_every_row_of_the_large_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/listings.csv");
    let Ok(feed) = std::fs::File::open(&file) else {
        println!("not run: there is no {}", file.display());
        return;
    };
    let log = log_with_regions().await;
    let mut errors: Vec<RowError> = Vec::new();
    let (first, _) = take(&log, feed, Format::Csv, &listings_map(), false, &mut errors)
        .await
        .unwrap();
    assert_eq!(first.rows, 37_415);
    assert_eq!(first.added + first.rejected, first.rows);
    assert!(errors.len() as u64 >= first.rejected);
    let head = log.head().await.unwrap();
    let feed = std::fs::File::open(&file).unwrap();
    let (second, _) = take(&log, feed, Format::Csv, &listings_map(), false, &mut errors)
        .await
        .unwrap();
    assert_eq!(
        (second.added, second.changed, second.unchanged),
        (0, 0, first.added)
    );
    assert_eq!(log.head().await.unwrap(), head);
}

#[tokio::test]
async fn a_home_on_the_other_side_of_the_world_is_turned_down() {
    const ROWS: &str = "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365\n\
        f-1,Loft,GB,Leeds,-33.8,151.2,50,GBP,night,Private room,1,90\n\
        f-2,Loft,GB,<b>City</b>,53.8,-1.5,50,GBP,night,Private room,1,90\n";
    let log = log_with_regions().await;
    let (tally, errors) = import(&log, ROWS, Format::Csv, &listings_map()).await;
    assert_eq!((tally.rejected, tally.cities), (2, 0));
    let reasons: Vec<&str> = errors.iter().map(|error| error.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "the point is more than 100 km from Leeds",
            "`<b>City</b>` is no name of a city"
        ]
    );
}
