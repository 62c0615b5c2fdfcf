use std::path::Path;

use catalogue::NewStream;
use chrono::DateTime;
use domain::id::{InventoryId, UserId};
use domain::inventory::Inventory;
use domain::inventory::let_room::LetRoom;
use domain::lease::Lease;
use domain::money::{Currency, Period};
use domain::place::{Bounds, Coordinates};
use domain::region::{Region, RegionCommand, RegionDetails, RegionType};
use domain::room::Sharing;
use eventlog::{Actor, Append, Context, Expected, commit};

use super::report::ReportLine;
use super::*;

mod runs;
mod whole_homes;

const SAMPLE: &str = include_str!("sample.csv");
/// The centre of Leeds by the atlas.
const LEEDS: Coordinates = Coordinates::new(53_796_480, -1_547_850);
const COLUMNS: &str =
    "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365";

/// A feed with a home in each of these: country, city as it is written, latitude, longitude.
fn homes_in(cities: &[[&str; 4]]) -> &'static str {
    let mut rows = vec![COLUMNS.to_owned()];
    for (number, [country, city, lat, lng]) in cities.iter().enumerate() {
        let currency = match *country {
            "GB" => "GBP",
            "US" => "USD",
            _ => "EUR",
        };
        rows.push(format!(
            "h-{number},Loft,{country},\"{city}\",{lat},{lng},50,{currency},night,Private room,1,90"
        ));
    }
    rows.join("\n").leak()
}

/// The places of a log by their canonical names.
async fn places_of(log: &EventLog) -> search_index::places::Places {
    search_index::places::Places::read(log).await.unwrap()
}

fn listings_map() -> FeedMap {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/import/listings.toml");
    map_file::read_map(file.to_str()).unwrap()
}

/// On the day on which the feeds of tests/feeds are judged.
fn run_of(dry_run: bool) -> Run {
    Run {
        today: "2026-11-27".parse().unwrap(),
        dry_run,
    }
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

/// Imports a feed; gives the counts, and the lines that say why homes were rejected.
async fn import(log: &EventLog, feed: &str, map: &FeedMap) -> (Tally, Vec<ReportLine>) {
    let mut lines: Vec<ReportLine> = Vec::new();
    let source = feed.as_bytes().to_vec();
    let taken = take(log, source, map, run_of(false), &mut lines).await.unwrap();
    lines.retain(|line| line.outcome == "rejected");
    (taken.tally, lines)
}

async fn listed(log: &EventLog, id: &str) -> Inventory {
    let id = InventoryId(places::named_id(&["inventory", "listings", id]));
    log.load::<Inventory>(id).await.unwrap().state
}

#[tokio::test]
async fn every_row_is_taken_in_or_named_with_line_and_reason() {
    let log = log_with_regions().await;
    let (tally, errors) = import(&log, SAMPLE, &listings_map()).await;
    assert_eq!(
        tally,
        Tally {
            rows: 9,
            homes: 9,
            added: 4,
            rejected: 5,
            cities: 1,
            ..Tally::default()
        }
    );
    for (line, path, reason) in [
        (5, "title", "no name is said"),
        (6, "lat", "it is no number of degrees"),
        (7, "property_id", "the id stands in line 2 already"),
        (8, "country", "it is no country"),
        (9, "", "the row has 3 cells"),
    ] {
        let is_said =
            |error: &ReportLine| error.line == line && error.path == path && error.reason.starts_with(reason);
        assert!(errors.iter().any(is_said), "{line} {path}: {errors:?}");
    }
}

#[tokio::test]
async fn a_second_import_of_the_same_file_changes_nothing() {
    let log = log_with_regions().await;
    import(&log, SAMPLE, &listings_map()).await;
    let head = log.head().await.unwrap();
    let (again, _) = import(&log, SAMPLE, &listings_map()).await;
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
    import(&log, SAMPLE, &listings_map()).await;
    let room = |inventory: &Inventory| -> LetRoom { inventory.rooms[0].clone() };
    let leeds = listed(&log, "a-1").await;
    assert!(leeds.available());
    assert_eq!(
        room(&leeds).leases[0].price_minor,
        35_000,
        "50 a night, seven nights"
    );
    let attributes = room(&leeds).details.attributes;
    // A private room with a bathroom of its own; nothing is said of its kitchen, so it has no kind's name.
    assert_eq!(
        (attributes.room, attributes.bathroom, attributes.kitchen),
        (Some(Sharing::Private), Some(Sharing::Private), None)
    );
    let berlin = listed(&log, "a-2").await;
    assert_eq!(room(&berlin).leases[0].price_minor, 90_050);
    assert_eq!(berlin.property.as_ref().unwrap().period, Period::Monthly);
    assert_eq!(room(&berlin).leases[0].length, Lease::weeks(44), "the map's");
    let sold_out = listed(&log, "a-3").await;
    assert_eq!(room(&sold_out).leases[0].rooms_available, 0);
    assert_eq!(
        listed(&log, "a-8").await.property.unwrap().currency,
        Currency::Gbp
    );
}

#[tokio::test]
async fn a_changed_row_changes_its_listing_alone() {
    let log = log_with_regions().await;
    import(&log, SAMPLE, &listings_map()).await;
    let dearer: &'static str = SAMPLE
        .replace(
            "-1.5790,50,GBP,night,Private room,Private",
            "-1.5790,60,GBP,night,Private room,Private",
        )
        .leak();
    let (tally, _) = import(&log, dearer, &listings_map()).await;
    assert_eq!((tally.added, tally.changed, tally.unchanged), (0, 1, 3));
    assert_eq!(listed(&log, "a-1").await.rooms[0].leases[0].price_minor, 42_000);
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let log = log_with_regions().await;
    let head = log.head().await.unwrap();
    let mut lines: Vec<ReportLine> = Vec::new();
    let source = SAMPLE.as_bytes().to_vec();
    let taken = take(&log, source, &listings_map(), run_of(true), &mut lines)
        .await
        .unwrap();
    let counts = (taken.tally.added, taken.tally.rejected, taken.named.count());
    assert_eq!(counts, (4, 5, 7), "rejected homes are named too");
    assert_eq!(log.head().await.unwrap(), head);
    let added = lines.iter().filter(|line| line.outcome == "added");
    assert_eq!(
        added.map(|line| line.home.as_str()).collect::<Vec<_>>(),
        ["a-1", "a-2", "a-3", "a-8"]
    );
}

#[tokio::test]
async fn an_array_of_objects_and_an_object_a_line_read_the_same() {
    const ROW: &str = r#"{"id":"j-1","title":"Loft","country":"GB","city":"Leeds","lat":53.81,"lng":-1.57,"price":50,"currency":"GBP","price_per":"night","room_type":"Private room"}"#;
    let log = log_with_regions().await;
    let (tally, _) = import(&log, &format!("[{ROW}, 7]"), &listings_map()).await;
    assert_eq!((tally.added, tally.rejected), (1, 1));
    let (tally, _) = import(&log, &format!("{ROW}\n{ROW}\n"), &listings_map()).await;
    assert_eq!((tally.unchanged, tally.rejected), (1, 1));
}

#[tokio::test]
async fn a_feed_opens_the_countries_of_an_empty_installation() {
    let log = EventLog::memory();
    let (tally, _) = import(&log, SAMPLE, &listings_map()).await;
    assert_eq!((tally.added, tally.rejected), (4, 5));
    let mut follower = search_index::IndexFollower::new(log.clone());
    follower.catch_up().await.unwrap();
    let places = follower.search_index().places();
    let leeds = places.by_canonical_name("leeds").unwrap();
    let line = places.with_ancestors(leeds.id).into_iter();
    let above: Vec<&str> = line
        .skip(1)
        .map(|id| places.get(id).unwrap().canonical_name())
        .collect();
    assert_eq!(above, ["england", "united-kingdom"]);
    assert_eq!(leeds.center(), LEEDS, "not where its first home stands");
    assert_eq!(leeds.name_in("zh"), "利兹");
    for inside in ["university-of-leeds", "headingley-leeds"] {
        let place = places.by_canonical_name(inside).unwrap();
        assert_eq!(place.details.parent, Some(leeds.id), "{inside}");
    }
    let (again, _) = import(&log, SAMPLE, &listings_map()).await;
    assert_eq!((again.unchanged, again.cities), (4, 0));
}

/// The large table beside the checkout is accounted for to the last row.
#[tokio::test]
async fn import_accounts_for_every_row_of_the_large_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/listings.csv");
    if !file.exists() {
        println!("not run: there is no {}", file.display());
        return;
    }
    let log = log_with_regions().await;
    let mut lines: Vec<ReportLine> = Vec::new();
    let first = take(&log, file.clone(), &listings_map(), run_of(false), &mut lines)
        .await
        .unwrap()
        .tally;
    assert_eq!((first.rows, first.homes), (37_415, 37_415));
    assert_eq!(first.added + first.rejected, first.rows);
    assert!(lines.len() as u64 >= first.rows);
    let head = log.head().await.unwrap();
    let second = take(&log, file, &listings_map(), run_of(false), &mut lines)
        .await
        .unwrap()
        .tally;
    assert_eq!(
        (second.added, second.changed, second.unchanged),
        (0, 0, first.added)
    );
    assert_eq!(log.head().await.unwrap(), head);
}

#[tokio::test]
async fn a_home_on_the_other_side_of_the_world_is_turned_down() {
    let log = log_with_regions().await;
    let rows = homes_in(&[
        ["GB", "Leeds", "-33.8", "151.2"],
        ["GB", "Leeds", "51.5", "-0.12"],
    ]);
    let (tally, errors) = import(&log, rows, &listings_map()).await;
    assert_eq!((tally.rejected, tally.cities), (2, 0));
    let [first, second] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(first.reason.contains("not in United Kingdom"), "{first:?}");
    assert!(second.reason.contains("km away from Leeds"), "{second:?}");
}

#[tokio::test]
async fn one_city_is_opened_for_all_its_spellings() {
    for (rows, canonical_name) in [
        (
            [
                ["DE", "München", "48.15", "11.58"],
                ["DE", "Munich, Germany", "48.14", "11.55"],
                ["DE", "慕尼黑", "48.13", "11.60"],
                ["DE", "MUENCHEN", "48.13", "11.60"],
            ],
            "munich",
        ),
        (
            [
                ["ES", "Sevilla", "37.39", "-5.98"],
                ["ES", "Seville", "37.38", "-5.99"],
                ["ES", "Sevilla, España", "37.38", "-5.99"],
                ["ES", "sevilla\u{200b}", "37.38", "-5.99"],
            ],
            "sevilla",
        ),
        (
            [
                ["GB", "Oxford", "51.75", "-1.25"],
                ["GB", "Oxford City", "51.76", "-1.25"],
                ["GB", "Oxford, UK", "51.76", "-1.25"],
                ["GB", "Oxford, England", "51.76", "-1.25"],
            ],
            "oxford",
        ),
    ] {
        let log = EventLog::memory();
        let (tally, errors) = import(&log, homes_in(&rows), &listings_map()).await;
        assert_eq!(
            (tally.added, tally.cities),
            (4, 1),
            "{canonical_name}: {errors:?}"
        );
        let places = places_of(&log).await;
        let cities: Vec<&str> = places
            .all()
            .filter(|place| place.details.region_type == RegionType::Locality)
            .map(|place| place.canonical_name())
            .collect();
        assert_eq!(cities, [canonical_name]);
    }
}

#[tokio::test]
async fn namesakes_are_told_apart_by_the_point() {
    let rows = [
        ["US", "Oxford", "39.51", "-84.74"],
        ["US", "Oxford", "34.37", "-89.52"],
        ["US", "Oxford", "45.00", "-100.00"],
    ];
    let log = EventLog::memory();
    let (tally, errors) = import(&log, homes_in(&rows), &listings_map()).await;
    assert_eq!((tally.added, tally.cities, tally.rejected), (2, 2, 1));
    assert!(errors[0].reason.contains("km away from Oxford"), "{errors:?}");
    let places = places_of(&log).await;
    for (canonical_name, state) in [("oxford-ohio", "Ohio"), ("oxford-mississippi", "Mississippi")] {
        let city = places.by_canonical_name(canonical_name).unwrap();
        let above = places.get(city.details.parent.unwrap()).unwrap();
        assert_eq!(above.name(), state);
    }
}

#[tokio::test]
async fn a_row_outside_its_country_is_rejected_in_any_order() {
    let good = ["GB", "Little Hamlet", "53.80", "-1.50"];
    let abroad = ["GB", "Other Hamlet", "48.85", "2.35"];
    for rows in [[good, abroad], [abroad, good]] {
        let log = EventLog::memory();
        let (tally, errors) = import(&log, homes_in(&rows), &listings_map()).await;
        assert_eq!((tally.added, tally.rejected), (1, 1));
        assert!(errors[0].reason.contains("United Kingdom"), "{errors:?}");
    }
}

#[tokio::test]
async fn a_city_unknown_to_the_atlas_lies_amid_its_homes() {
    let [south, middle, north] = [
        ["GB", "Little Hamlet", "53.70", "-1.40"],
        ["GB", "Little Hamlet", "53.80", "-1.60"],
        ["GB", "Little Hamlet", "53.81", "-1.50"],
    ];
    for rows in [
        [south, middle, north],
        [north, south, middle],
        [middle, north, south],
    ] {
        let log = EventLog::memory();
        import(&log, homes_in(&rows), &listings_map()).await;
        let places = places_of(&log).await;
        let hamlet = places.by_canonical_name("little-hamlet").unwrap();
        assert_eq!(hamlet.center(), Coordinates::new(53_800_000, -1_500_000));
        let head = log.head().await.unwrap();
        import(&log, homes_in(&rows), &listings_map()).await;
        assert_eq!(log.head().await.unwrap(), head);
    }
}

/// A city that an import opened where its first home stands, before the atlas was there.
#[tokio::test]
async fn a_city_of_an_earlier_import_moves_to_its_own_centre() {
    let log = EventLog::memory();
    let country = domain::country::Country::Uk;
    let first_home = Coordinates::new(53_600_000, -1_400_000);
    let ids = [&["region", "uk"][..], &["region", "uk", "leeds"]]
        .map(|names| domain::id::RegionId(places::named_id(names)));
    let region = |name: &str, region_type, parent| RegionDetails {
        name: name.to_owned(),
        canonical_name: domain::place::slug(name),
        region_type,
        subtype: None,
        parent,
        country,
        locality: None,
        centre: first_home,
        bounds: Bounds::around(first_home, 90_000, 130_000),
        time_zone: "Europe/London".to_owned(),
        aliases: Vec::new(),
        local_name: None,
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
        is_mended: false,
    };
    for (id, region) in [
        (ids[0], region("United Kingdom", RegionType::Country, None)),
        (ids[1], region("Leeds", RegionType::Locality, Some(ids[0]))),
    ] {
        let context = Context::new(clock::now(), Actor::SYSTEM);
        let region = Box::new(region);
        commit::<Region>(&log, id, RegionCommand::Describe { region }, &context)
            .await
            .unwrap();
    }
    let feed = homes_in(&[["GB", "Leeds", "53.61", "-1.41"]]);
    import(&log, feed, &listings_map()).await;
    let places = places_of(&log).await;
    let leeds = places.get(ids[1]).unwrap();
    assert_eq!(leeds.center(), LEEDS);
    assert!(places.by_canonical_name("university-of-leeds").is_some());
    let head = log.head().await.unwrap();
    import(&log, feed, &listings_map()).await;
    assert_eq!(log.head().await.unwrap(), head);
}

/// A report asks people to mend a city's mistyped name; the feed goes on with the old one.
#[tokio::test]
async fn a_city_that_was_renamed_stays_the_city_of_its_feed() {
    let log = EventLog::memory();
    let rows = [["GB", "Little Hamlett", "53.8", "-1.5"]];
    import(&log, homes_in(&rows), &listings_map()).await;
    let opened = places_of(&log).await;
    let opened = opened.by_canonical_name("little-hamlett").unwrap();
    let mend = RegionCommand::Mend {
        region: Box::new(RegionDetails {
            name: "Little Hamlet".to_owned(),
            ..opened.details.clone()
        }),
        by: UserId(uuid::Uuid::from_u128(5)),
        reason: "A letter too many".to_owned(),
    };
    let context = Context::new(clock::now(), Actor::SYSTEM);
    commit::<Region>(&log, opened.id, mend, &context).await.unwrap();
    let head = log.head().await.unwrap();
    let (tally, _) = import(&log, homes_in(&rows), &listings_map()).await;
    assert_eq!((tally.unchanged, tally.cities), (1, 0));
    assert_eq!(log.head().await.unwrap(), head);
}
