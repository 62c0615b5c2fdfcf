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
