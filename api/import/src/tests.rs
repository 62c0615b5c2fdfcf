use std::path::Path;

use catalogue::NewStream;
use chrono::DateTime;
use domain::inventory::let_room::LetRoom;
use domain::lease::Lease;
use domain::money::Currency;
use domain::place::{Bounds, Coordinates};
use domain::region::{RegionDetails, RegionType};
use domain::room::Configuration;
use eventlog::Expected;

use super::*;

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
            "8 country `Atlantis` is no country of the marketplace",
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
        Configuration::of(property.country, attributes, None),
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
        let (tally, errors) = import(&log, homes_in(&rows), Format::Csv, &listings_map()).await;
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
    let (tally, errors) = import(&log, homes_in(&rows), Format::Csv, &listings_map()).await;
    assert_eq!((tally.added, tally.cities, tally.rejected), (2, 2, 1));
    assert_eq!(errors[0].reason, "the point is more than 100 km from Oxford");
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
        let (tally, errors) = import(&log, homes_in(&rows), Format::Csv, &listings_map()).await;
        assert_eq!((tally.added, tally.rejected), (1, 1));
        assert_eq!(
            (errors[0].column.as_str(), errors[0].reason.as_str()),
            ("lat", "the point lies outside United Kingdom")
        );
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
        import(&log, homes_in(&rows), Format::Csv, &listings_map()).await;
        let places = places_of(&log).await;
        let hamlet = places.by_canonical_name("little-hamlet").unwrap();
        assert_eq!(hamlet.center(), Coordinates::new(53_800_000, -1_500_000));
        let head = log.head().await.unwrap();
        import(&log, homes_in(&rows), Format::Csv, &listings_map()).await;
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
    import(&log, feed, Format::Csv, &listings_map()).await;
    let places = places_of(&log).await;
    let leeds = places.get(ids[1]).unwrap();
    assert_eq!(leeds.center(), LEEDS);
    assert!(places.by_canonical_name("university-of-leeds").is_some());
    let head = log.head().await.unwrap();
    import(&log, feed, Format::Csv, &listings_map()).await;
    assert_eq!(log.head().await.unwrap(), head);
}
