//! Feeds that the server fetches by itself (`LATCHKEY_FEEDS`): once by all nodes, again after a kill, and not at all where nothing changed.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{Server, refused_with};

use crate::feed_host::{FeedHost, SECRET};
use crate::heard::metrics;
use crate::market::until;
use crate::stored::{self, Part};
use crate::visitor::Visitor;

const SIX_HOURS: u64 = 6 * 60 * 60 + 1;
const DAY: u64 = 24 * 60 * 60;

/// Seconds until one o'clock of the day after tomorrow: what is six hours later is on the same day.
fn until_a_morning() -> u64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    2 * DAY - since % DAY + DAY / 24
}

/// The file of the setting, and where it lies.
struct FeedsFile {
    _folder: TempDir,
    path: String,
    socket: String,
}

impl FeedsFile {
    fn of(host: &FeedHost) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feeds.toml");
        std::fs::write(&path, host.feeds_file()).unwrap();
        Self {
            path: path.to_str().unwrap().to_owned(),
            socket: host.socket(),
            _folder: folder,
        }
    }

    /// A server that fetches them.
    fn serve(&self, more: &[(&str, &str)]) -> Server {
        let own = [
            ("LATCHKEY_DEMO_CATALOGUE", "false"),
            ("LATCHKEY_FEEDS", &*self.path),
            ("LATCHKEY_OUTBOUND_PERMITTED", &*self.socket),
        ];
        Server::with(&[&own[..], more].concat())
    }
}

/// How many homes the log holds; one that was written twice would count twice.
fn listed(server: &Server) -> u64 {
    let question = "select count(*) from event where event_type = 'PropertyListed'";
    stored::number(server, Part::Log, question)
}

async fn administrator(server: &Server) -> Visitor<'_> {
    let desk = Visitor::new(server);
    desk.log_in_as("admin").await;
    desk
}

async fn health(desk: &Visitor<'_>) -> Value {
    let health = desk.get("/api/v0/workspace/health").await.data().clone();
    assert!(!health.to_string().contains(SECRET), "{health}");
    health
}

/// The health page's line about the feed, once its last run ended so.
async fn ended(desk: &Visitor<'_>, end: &str) -> Value {
    until(|| async {
        let feed = health(desk).await["feeds"][0].clone();
        (feed["ended"] == end && feed["is_running"] == false).then_some(feed)
    })
    .await
}

/// The report of the newest run, as the page Imports downloads it.
async fn last_report(desk: &Visitor<'_>, server: &Server) -> String {
    let run = desk.get("/api/v0/workspace/imports").await.data()["runs"][0].clone();
    assert_eq!(run["has_report"], true, "{run}");
    let path = format!(
        "/api/v0/workspace/imports/{}/report",
        run["run_id"].as_str().unwrap()
    );
    let answer = desk.client().get(server.url(&path)).send().await.unwrap();
    answer.text().await.unwrap()
}

/// Runs whose file could not be had.
async fn unread_runs(desk: &Visitor<'_>) -> Vec<Value> {
    let listed = desk.get("/api/v0/workspace/imports").await;
    let mut runs = listed.data()["runs"].as_array().unwrap().clone();
    runs.retain(|run| run["digest"] == "");
    runs
}

/// A file is taken in, left alone while the host says that it is the same, and taken in again once it has changed.
#[tokio::test(flavor = "multi_thread")]
async fn feed_is_fetched_when_due_and_taken_in_when_changed() {
    let host = FeedHost::start(2);
    let file = FeedsFile::of(&host);
    let server = file.serve(&[]);
    let desk = administrator(&server).await;
    let first = ended(&desk, "imported").await;
    assert_eq!(
        (&first["name"], &first["failure"]),
        (&json!("leeds"), &Value::Null)
    );
    let counts = |feed: &Value| {
        let last = &feed["last_import"];
        json!([last["rows"], last["added"], last["unchanged"], last["rejected"]])
    };
    assert_eq!((counts(&first), listed(&server)), (json!([2, 2, 0, 0]), 2));
    let report = last_report(&desk, &server).await;
    assert_eq!(report.matches("\"added\"").count(), 2, "{report}");

    // On another day the same file is judged anew.
    desk.wait(until_a_morning()).await;
    until(|| async { (host.asked() == 2).then_some(()) }).await;
    let desk = administrator(&server).await;
    let first = until(|| async {
        let again = ended(&desk, "imported").await;
        (counts(&again) == json!([2, 0, 2, 0])).then_some(again)
    })
    .await;

    desk.wait(SIX_HOURS).await;
    until(|| async { (host.asked() == 3).then_some(()) }).await;
    let desk = administrator(&server).await;
    let second = ended(&desk, "unchanged").await;
    assert_eq!(host.marks(), ["", "", "\"2\""]);
    assert_eq!(
        second["last_import"], first["last_import"],
        "an unchanged file makes no run"
    );
    assert!(second["due_at"].as_str() > first["due_at"].as_str(), "{second}");

    host.change(|weather| weather.homes = 3);
    desk.wait(SIX_HOURS).await;
    until(|| async { (host.asked() == 4).then_some(()) }).await;
    let desk = administrator(&server).await;
    let third = ended(&desk, "imported").await;
    assert_eq!((counts(&third), listed(&server)), (json!([3, 1, 2, 0]), 3));
}

/// How many runs ended so, by the figures.
async fn runs(address: &str, end: &str) -> String {
    let figures = metrics(address).await;
    let of_end = |line: &&str| {
        line.starts_with("latchkey_feed_runs_total{") && line.contains(&format!("end=\"{end}\""))
    };
    let line = figures.lines().find(of_end).unwrap_or_default();
    assert!(line.is_empty() || line.contains("feed=\"leeds\""), "{line}");
    line.rsplit(' ').next().unwrap_or_default().to_owned()
}

/// A host that is away for a moment is tried again; one that stays away is an alert with its reason, until it answers.
#[tokio::test(flavor = "multi_thread")]
async fn failing_feed_is_on_health_until_its_host_answers() {
    let host = FeedHost::start(2);
    host.change(|weather| weather.status = 503);
    let file = FeedsFile::of(&host);
    let address = tests::free_address().to_string();
    let server = file.serve(&[("LATCHKEY_METRICS_LISTEN", &*address)]);
    let desk = administrator(&server).await;
    let once = ended(&desk, "failed").await;
    assert_eq!(once["is_failing"], false, "it may pass by itself: {once}");
    assert_eq!(once["last_import"], Value::Null);
    assert!(
        once["failure"].as_str().unwrap().contains("answered 503"),
        "{once}"
    );
    assert!(!health(&desk).await["alerts"].to_string().contains("feeds_failed"));
    let run = unread_runs(&desk).await[0].clone();
    assert_eq!(
        (&run["outcome"], &run["by"]),
        (&json!("stopped"), &json!("schedule"))
    );
    assert!(run["reason"].as_str().unwrap().contains("answered 503"), "{run}");

    desk.wait(5 * 60 + 1).await;
    let alerts = until(|| async {
        let health = health(&desk).await;
        (health["feeds"][0]["is_failing"] == true).then(|| health["alerts"].clone())
    })
    .await;
    let alert = json!({ "kind": "feeds_failed", "count": 1 });
    assert!(alerts.as_array().unwrap().contains(&alert), "{alerts}");
    until(|| async { (runs(&address, "failed").await == "2").then_some(()) }).await;
    assert_eq!(listed(&server), 0);
    assert_eq!(unread_runs(&desk).await.len(), 1, "one that repeats is one run");

    host.change(|weather| weather.status = 200);
    desk.wait(10 * 60 + 1).await;
    let well = ended(&desk, "imported").await;
    assert_eq!(
        (&well["is_failing"], &well["failure"]),
        (&json!(false), &Value::Null)
    );
    assert!(!health(&desk).await["alerts"].to_string().contains("feeds_failed"));
    until(|| async { (runs(&address, "imported").await == "1").then_some(()) }).await;
    assert_eq!(listed(&server), 2);
}

/// Killed while the host answers, and killed while rows are written: the run is begun again, and each home is there once.
#[tokio::test(flavor = "multi_thread")]
async fn run_that_a_kill_cut_off_is_begun_again() {
    const HOMES: usize = 1_200;
    let host = FeedHost::start(HOMES);
    host.change(|weather| weather.pause = Duration::from_mins(10));
    let file = FeedsFile::of(&host);
    let mut server = file.serve(&[]);
    until(|| async { (host.asked() == 1).then_some(()) }).await;
    assert_eq!(listed(&server), 0);
    server.kill();
    host.change(|weather| weather.pause = Duration::ZERO);
    server.restart();
    until(|| async { (listed(&server) > 0).then_some(()) }).await;
    assert!(host.asked() > 1);
    server.restart();
    let desk = administrator(&server).await;
    let feed = ended(&desk, "imported").await;
    assert_eq!(feed["last_import"]["rows"], HOMES);
    assert_eq!(listed(&server), HOMES as u64);
}

/// One of two nodes fetches, and the other goes on when it is killed.
#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_fetch_a_feed_once() {
    let host = FeedHost::start(2);
    let file = FeedsFile::of(&host);
    let database = tests::cluster().database();
    let on_it = [("LATCHKEY_DATABASE", &*database)];
    let (mut one, other) = (file.serve(&on_it), file.serve(&on_it));
    let desk = administrator(&other).await;
    ended(&desk, "imported").await;
    assert_eq!((host.asked(), listed(&other)), (1, 2));

    // Due on both nodes at the same time, and on another day.
    let morning = until_a_morning();
    Visitor::new(&one).wait(morning).await;
    desk.wait(morning).await;
    let desk = administrator(&other).await;
    until(|| async {
        let feed = ended(&desk, "imported").await;
        (feed["last_import"]["unchanged"] == 2).then_some(())
    })
    .await;
    assert_eq!((host.asked(), listed(&other)), (2, 2));

    one.kill();
    host.change(|weather| weather.homes = 3);
    desk.wait(SIX_HOURS).await;
    until(|| async { (listed(&other) == 3).then_some(()) }).await;
    assert_eq!(host.asked(), 3);
}

/// The sentence names the file and the feed, and never the address.
#[tokio::test]
async fn wrong_file_of_feeds_stops_the_start() {
    let host = FeedHost::start(1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("feeds.toml");
    let socket = host.socket();
    let settings = [
        ("LATCHKEY_FEEDS", file.to_str().unwrap()),
        ("LATCHKEY_OUTBOUND_PERMITTED", &*socket),
    ];
    let right = host.feeds_file();
    for (text, says) in [
        (right.replace("6h", "5m"), "`every` is `5m`"),
        (
            right.replace("listings.toml", "no-such.toml"),
            "no-such.toml` is not there",
        ),
        (right.replace("http://", "ftp://"), "begins with https://"),
        (right.replace("every", "each"), "each"),
        (format!("{right}{right}"), "two feeds are called `leeds`"),
        (String::new(), "names no feed"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        for command in [&serve[..], &["doctor"]] {
            let said = refused_with(&folder.path().join("data"), &settings, command);
            assert!(said.contains("feeds.toml") && said.contains(says), "{said}");
            assert!(!said.contains(SECRET), "{said}");
        }
    }
    assert_eq!(host.asked(), 0);
}
