//! Runs that fail on their way, and what a run says of the places that it opens.

use domain::import_run::MissingRule;

use super::*;

/// Takes so many lines down, then fails.
struct Failing(u32);

impl ReportLines for Failing {
    fn tell(&mut self, _line: &ReportLine) -> Result<(), String> {
        self.0 = self.0.checked_sub(1).ok_or("the disk is full")?;
        Ok(())
    }
}

/// Stops the run once a home was told to be added.
#[derive(Default)]
struct Halting(u64);

impl ReportLines for Halting {
    fn tell(&mut self, line: &ReportLine) -> Result<(), String> {
        self.0 += u64::from(line.outcome == "added");
        Ok(())
    }

    fn may_go_on(&self) -> Result<(), String> {
        if self.0 == 0 {
            Ok(())
        } else {
            Err("somebody stopped it".to_owned())
        }
    }
}

fn order_of(map: &FeedMap) -> Order {
    Order {
        source: RunSource {
            feed: map.feed.clone(),
            by: RunBy::Operator,
            file: "sample.csv".to_owned(),
            digest: String::new(),
            map_digest: None,
            missing: MissingRule::Report,
        },
        limit: None,
        can_ask: false,
        dry_run: false,
    }
}

#[tokio::test]
async fn run_that_fails_on_its_way_ends_with_its_reason() {
    let log = log_with_regions().await;
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sample.csv");
    let file = fetch::open_feed(&Settings::default(), sample.to_str().unwrap())
        .await
        .unwrap();
    let (map, mut report) = (listings_map(), Failing(2));
    let watched = Watched::new(file, ProgressBar::hidden());
    let mut passes = FilePasses::new(&log, watched, &map, run_of(false).today, &mut report);
    let ended = run::carry_out(&log, &order_of(&map), &mut passes).await.unwrap();
    let RunOutcome::Stopped { reason } = &ended.outcome else {
        panic!("{:?}", ended.outcome);
    };
    assert!(reason.contains("the disk is full"), "{reason}");
    assert_eq!(ended.counts.added, 0, "nothing was written: {:?}", ended.counts);
    let events = log.read_all(0, 100_000).await.unwrap();
    let last = events.last().unwrap();
    assert_eq!(last.event_type, "ImportRunEnded");
}

#[tokio::test]
async fn run_that_is_stopped_has_written_what_it_told() {
    let log = log_with_regions().await;
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sample.csv");
    let file = fetch::open_feed(&Settings::default(), sample.to_str().unwrap())
        .await
        .unwrap();
    let (map, mut report) = (listings_map(), Halting::default());
    let watched = Watched::new(file, ProgressBar::hidden());
    let mut passes = FilePasses::new(&log, watched, &map, run_of(false).today, &mut report);
    let ended = run::carry_out(&log, &order_of(&map), &mut passes).await.unwrap();
    let stopped = RunOutcome::Stopped {
        reason: "somebody stopped it".to_owned(),
    };
    assert_eq!((&ended.outcome, ended.counts.added), (&stopped, 1));
    let events = log.read_all(0, 100_000).await.unwrap();
    let listed = events.iter().filter(|event| event.event_type == "PropertyListed");
    assert_eq!((listed.count(), report.0), (1, 1));
}

#[tokio::test]
async fn cities_that_a_run_opens_are_noted() {
    let log = EventLog::memory();
    let feed = homes_in(&[
        ["GB", "Leeds", "53.80", "-1.55"],
        ["GB", "Little Hamlet", "53.80", "-1.60"],
        ["GB", "Little Hamlet", "53.81", "-1.61"],
    ]);
    let notes = async || {
        let mut lines: Vec<ReportLine> = Vec::new();
        let source = feed.as_bytes().to_vec();
        take(&log, source, &listings_map(), run_of(false), &mut lines)
            .await
            .unwrap();
        lines.retain(|line| line.outcome == "note" && line.path == "city");
        lines
    };
    let told = notes().await;
    let cities: Vec<&str> = told.iter().map(|line| line.value.as_str()).collect();
    assert_eq!(cities, ["Leeds", "Little Hamlet"]);
    assert!(
        told[1].reason.contains("no city of this name is known"),
        "{told:?}"
    );
    assert!(notes().await.is_empty(), "they are there");
}

/// A run of a feed that has read its homes and has not written them yet.
async fn begin_run_of<'l>(log: &'l EventLog, map: &'l FeedMap, feed: &str) -> Importer<'l> {
    let mut importer = Importer::new(log, &map.feed, (run_of(false), RunMark::new()))
        .await
        .unwrap();
    let towns = Towns::new(importer.gazetteer.list_cities());
    let mut entries = Vec::new();
    let mut keep = |entry: Entry| -> Result<(), Stopped> {
        entries.push(entry);
        Ok(())
    };
    let source = feed.as_bytes().to_vec();
    feeds::read_feed(&source, map, &towns, run_of(false).today, &mut keep).unwrap();
    for entry in entries {
        let mut lines: Vec<ReportLine> = Vec::new();
        importer.take_entry(entry, &mut lines).await.unwrap();
    }
    importer.gazetteer.settle();
    importer
}

fn maps_of_feeds() -> [FeedMap; 2] {
    ["north", "south"].map(|name| {
        let mut map = listings_map();
        name.clone_into(&mut map.feed);
        map
    })
}

/// Both feeds call their home alike, and both runs choose its address before one of them has written it.
#[tokio::test]
async fn runs_that_choose_one_address_at_a_moment_get_two() {
    // Both also open the city of the home.
    let log = EventLog::memory();
    let maps = maps_of_feeds();
    let feed = homes_in(&[["GB", "Leeds", "53.80", "-1.55"]]);
    let [one, other] = &maps;
    let mut runs = [
        begin_run_of(&log, one, feed).await,
        begin_run_of(&log, other, feed).await,
    ];
    for run in &mut runs {
        run.flush().await.unwrap();
    }
    let mut addresses = Vec::new();
    for map in &maps {
        let id = InventoryId(places::named_id(&["inventory", &map.feed, "h-0"]));
        let home = log.load::<Inventory>(id).await.unwrap().state;
        let address = home.property.unwrap().canonical_name;
        for room in &home.rooms {
            let own = &room.details.canonical_name;
            assert!(own.starts_with(&format!("{address}-room")), "{own} of {address}");
        }
        addresses.push(address);
    }
    let [first, second] = &addresses[..] else {
        panic!("{addresses:?}");
    };
    assert_eq!(first, "loft-h-0");
    assert!(second.starts_with("loft-h-0-"), "{second}");
    let head = log.head().await.unwrap();
    for map in &maps {
        import(&log, feed, map).await;
    }
    assert_eq!(log.head().await.unwrap(), head, "each keeps its address");
}
