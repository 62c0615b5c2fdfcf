use search_index::places::{Place, Places};

use super::*;

const PLACES: &str = "canonical_name,kind,country,city,name,lat,lng,time_zone\n";
const NAMES: &str = "canonical_name,kind,lang,name,form\n";

async fn import(log: &EventLog, file: &str) -> (Tally, Vec<RowError>) {
    let mut errors = Vec::new();
    let tally = take_places(log, file.as_bytes(), false, &mut errors)
        .await
        .unwrap();
    (tally, errors)
}

/// Added, changed, unchanged, rejected.
const fn counts(tally: &Tally) -> [u64; 4] {
    [tally.added, tally.changed, tally.unchanged, tally.rejected]
}

async fn place(log: &EventLog, canonical_name: &str) -> Place {
    let places = Places::read(log).await.unwrap();
    Place::clone(places.by_canonical_name(canonical_name).unwrap())
}

#[tokio::test]
async fn places_are_corrected_and_added_once() {
    let rows = "oxford,,,,,51.7500,-1.2600,\n\
        university-of-oxford,university,GB,oxford,University of Oxford,51.7548,-1.2544,\n\
        jericho-oxford,area,GB,oxford,Jericho,51.7597,-1.2653,\n\
        stoke-row,city,GB,,Stoke Row,51.5500,-1.0200,Europe/London\n";
    let file = format!("{PLACES}{rows}");
    let log = EventLog::memory();
    let (tally, errors) = import(&log, &file).await;
    // The university is opened with its city, and moved.
    assert_eq!(counts(&tally), [3, 1, 0, 0], "{errors:?}");
    let oxford = place(&log, "oxford").await;
    assert_eq!(oxford.center(), Coordinates::new(51_750_000, -1_260_000));
    assert_eq!(oxford.details.time_zone, "Europe/London");
    let university = place(&log, "university-of-oxford").await;
    assert_eq!(university.center(), Coordinates::new(51_754_800, -1_254_400));
    for inside in ["university-of-oxford", "jericho-oxford"] {
        assert_eq!(
            place(&log, inside).await.details.parent,
            Some(oxford.id),
            "{inside}"
        );
    }
    assert_eq!(
        place(&log, "stoke-row").await.details.region_type,
        RegionType::Locality
    );
    let head = log.head().await.unwrap();
    let (again, _) = import(&log, &file).await;
    assert_eq!(counts(&again), [0, 0, 4, 0]);
    assert_eq!(log.head().await.unwrap(), head);
}

#[tokio::test]
async fn names_are_given_and_taken_away() {
    let log = EventLog::memory();
    let file = format!(
        "{NAMES}oxford,city,zh-Hans,牛津,official\noxford,city,en,Oxon,abbreviation\noxford,city,und,OX1,postcode\n\
         oxford,city,fr,Oxforde,common\n"
    );
    let (tally, errors) = import(&log, &file).await;
    assert_eq!(counts(&tally), [1, 3, 0, 0], "{errors:?}");
    let oxford = place(&log, "oxford").await;
    assert_eq!(oxford.name_in("zh"), "牛津");
    assert_eq!(oxford.details.aliases, ["Oxon", "OX1", "Oxforde"]);
    let wrong =
        format!("{NAMES}oxford,,fr,Oxforde,wrong\noxford,,zh-Hans,牛津,wrong\noxford,,en,Oxford,wrong\n");
    let (tally, errors) = import(&log, &wrong).await;
    assert_eq!(counts(&tally), [0, 2, 0, 1]);
    assert_eq!((errors[0].line, errors[0].column.as_str()), (4, "name"));
    let oxford = place(&log, "oxford").await;
    assert_eq!(
        (oxford.name_in("zh"), oxford.details.local_name.is_none()),
        ("Oxford", true)
    );
    assert_eq!(oxford.details.aliases, ["Oxon", "OX1"]);
}

/// The names that ship are known already: nothing changes but that their places become regions.
#[tokio::test]
async fn names_that_ship_are_read_without_a_refusal() {
    let shipped = include_str!("../../../../atlas/facts/place-names.csv");
    let of_leeds = shipped.lines().filter(|line| line.starts_with("leeds,"));
    let file = format!("{NAMES}{}\n", of_leeds.collect::<Vec<_>>().join("\n"));
    let log = EventLog::memory();
    let (tally, errors) = import(&log, &file).await;
    assert_eq!((tally.rejected, tally.changed), (0, 0), "{errors:?}");
    assert_eq!((tally.added, tally.unchanged), (1, tally.rows - 1));
}

#[tokio::test]
async fn bad_rows_are_named_with_line_field_and_reason() {
    let log = EventLog::memory();
    let rows = [
        ("leeds,city,GB,,,53.8,,", "2 lng the row has a latitude alone"),
        (
            "leeds,city,GB,,,north,-1.5,",
            "3 lat `north` is no number of degrees",
        ),
        (
            "leeds,city,GB,,,-53.8,-1.5,",
            "4 lat the point lies outside United Kingdom",
        ),
        ("leeds,area,,,,,,", "5 kind `leeds` is a locality"),
        ("leeds,,DE,,,,,", "6 country `leeds` is in United Kingdom"),
        (
            "leeds,,Atlantis,,,,,",
            "7 country `Atlantis` is no country of the marketplace",
        ),
        ("leeds,,,,,,,Mars/Base", "8 time_zone `Mars/Base` is no time zone"),
        ("leeds,,,,<b>,,,", "9 name `<b>` is no name of a place"),
        (
            ",city,GB,,Nowhere,53.8,-1.5,",
            "10 canonical_name the cell is empty",
        ),
        (
            "new-town,,GB,,New Town,53.8,-1.5,",
            "11 kind a new place needs its kind",
        ),
        (
            "new-town,city,GB,,,53.8,-1.5,",
            "12 name a new place needs its name",
        ),
        (
            "new-park,area,GB,,New Park,53.8,-1.5,",
            "13 city a new place needs its city",
        ),
        (
            "new-park,area,GB,atlantis-bay,New Park,53.8,-1.5,",
            "14 city no city is called `atlantis-bay`",
        ),
        (
            "New Town,city,GB,,New Town,53.8,-1.5,",
            "15 canonical_name `New Town` is not lower-case words joined by hyphens",
        ),
        ("leeds,,", "16  the row has 3 cells, the first line 8"),
    ];
    let lines: Vec<&str> = rows.iter().map(|(line, _)| *line).collect();
    let (tally, errors) = import(&log, &format!("{PLACES}{}\n", lines.join("\n"))).await;
    assert_eq!(tally.rejected, rows.len() as u64);
    let named = errors
        .iter()
        .map(|error| format!("{} {} {}", error.line, error.column, error.reason));
    let wanted: Vec<&str> = rows.iter().map(|(_, reason)| *reason).collect();
    assert_eq!(named.collect::<Vec<_>>(), wanted);
}

#[tokio::test]
async fn names_of_columns_that_no_field_has_stop_the_file() {
    let log = EventLog::memory();
    for (head, said) in [
        (
            "canonical_name,lattitude\n",
            "the first line names `lattitude`, which is no field",
        ),
        ("kind,name\n", "the first line has no column `canonical_name`"),
        (
            "canonical_name,name,form\n",
            "the first line has no column `lang`",
        ),
    ] {
        let mut errors: Vec<RowError> = Vec::new();
        let stopped = take_places(&log, head.as_bytes(), false, &mut errors).await;
        let stopped = stopped.unwrap_err();
        assert!(stopped.starts_with(said), "{stopped}");
    }
}

#[tokio::test]
async fn a_dry_run_of_places_writes_nothing() {
    let log = EventLog::memory();
    let mut errors: Vec<RowError> = Vec::new();
    let file = format!("{PLACES}oxford,,,,,51.75,-1.26,\n");
    let tally = take_places(&log, file.as_bytes(), true, &mut errors)
        .await
        .unwrap();
    assert_eq!(counts(&tally), [1, 0, 0, 0]);
    assert_eq!(
        log.head().await.unwrap(),
        EventLog::memory().head().await.unwrap()
    );
}
