//! Homes that a feed's file no longer names: reported, kept, closed within a limit, and let again (HOMES.md "Missing from the feed", U7).

use domain::inventory::state::ClosedBy;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{log_of, until};

const COLUMNS: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type";

/// A feed whose file is written anew for each run.
pub(crate) struct Feed<'s> {
    server: &'s Server,
    name: &'static str,
}

impl<'s> Feed<'s> {
    pub(crate) fn new(server: &'s Server, name: &'static str) -> Self {
        Self { server, name }
    }

    fn write(&self, rows: &[String]) -> [String; 2] {
        let lines = [&[COLUMNS.to_owned()][..], rows].concat().join("\n");
        let [file, report] =
            ["csv", "errors.csv"].map(|end| self.server.beside(&format!("{}.{end}", self.name)));
        std::fs::write(&file, lines).unwrap();
        [file, report].map(|path| path.to_str().unwrap().to_owned())
    }

    /// Imports rows by these options more; gives what is said and what is reported.
    pub(crate) fn import(&self, rows: &[String], options: &[&str]) -> (String, String) {
        let [file, report] = self.write(rows);
        let told = self.server.run(&self.arguments(&file, &report, options));
        (told, std::fs::read_to_string(report).unwrap())
    }

    /// The same, of an import that is refused.
    pub(crate) fn refused(&self, rows: &[String], options: &[&str]) -> String {
        let [file, report] = self.write(rows);
        self.server.refused(&self.arguments(&file, &report, options))
    }

    fn arguments<'a>(&'a self, file: &'a str, report: &'a str, options: &[&'a str]) -> Vec<&'a str> {
        let usual = ["import", file, "--feed", self.name, "--report", report];
        [&usual[..], options].concat()
    }

    /// The file of the last run, as it was read.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.server.beside(&format!("{}.csv", self.name))).unwrap()
    }
}

/// Whether an import said of no home that its file lacks it.
fn is_whole(told: &str) -> bool {
    !told.contains("missing from the file") && !told.contains("no longer names")
}

/// A row of a home that is called so.
pub(crate) fn named_row(id: &str, name: &str) -> String {
    format!("{id},{name},GB,Leeds,53.8,-1.5,198,GBP,week,Private room")
}

/// Rows of the homes with these numbers, all called the same.
pub(crate) fn rows(numbers: impl IntoIterator<Item = u32>, name: &str) -> Vec<String> {
    let row = |number: u32| named_row(&format!("h-{number}"), name);
    numbers.into_iter().map(row).collect()
}

/// The home as the wire says it, once it is as wanted.
pub(crate) async fn home_when(server: &Server, number: u32, wanted: impl Fn(&Value) -> bool) -> Value {
    let path = server.url(&format!("/api/v0/inventories/h-{number}"));
    until(|| async {
        let answer = reqwest::get(&path).await.unwrap();
        let home = answer.json::<Value>().await.unwrap()["data"].clone();
        wanted(&home).then_some(home)
    })
    .await
}

async fn becomes(server: &Server, number: u32, status: &str) {
    home_when(server, number, |home| home["status"] == status).await;
}

async fn status_of(server: &Server, number: u32) -> Value {
    home_when(server, number, |home| !home.is_null()).await["status"].clone()
}

#[tokio::test]
async fn missing_homes_are_named_in_the_report_and_stay() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=8, "Loft"), &[]);
    let (told, report) = feed.import(&rows(1..=6, "Loft"), &[]);
    assert!(told.contains("0 changed, 6 unchanged"), "{told}");
    assert!(
        told.contains("missing from the file, and left as they are: 2"),
        "{told}"
    );
    for missing in ["\"h-7\",\"missing\"", "\"h-8\",\"missing\""] {
        assert!(report.contains(missing), "{missing}: {report}");
    }
    assert!(report.contains("\"h-6\",\"unchanged\""), "{report}");
    let (told, report) = feed.import(&rows(1..=6, "Loft"), &["--missing", "keep"]);
    assert!(
        told.contains("missing from the file, and left as they are: 2"),
        "{told}"
    );
    assert!(!report.contains("h-7"), "{report}");
    // Another feed's file says nothing of them.
    let (told, report) = Feed::new(&server, "south").import(&rows([31], "Loft"), &["--missing", "withdraw"]);
    assert!(told.contains("1 added") && is_whole(&told), "{told}");
    assert!(!report.contains("h-7"), "{report}");
    for number in [7, 8] {
        assert_eq!(status_of(&server, number).await, json!("active"));
    }
}

#[tokio::test]
async fn withdrawn_home_closes_and_its_feed_reopens_it() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=10, "Loft"), &[]);
    becomes(&server, 10, "active").await;
    let dry = ["--missing", "withdraw", "--dry-run"];
    let (told, _) = feed.import(&rows(1..=9, "Loft"), &dry);
    assert!(
        told.contains("closed, since the file no longer names them: 1"),
        "{told}"
    );
    assert_eq!(
        status_of(&server, 10).await,
        json!("active"),
        "a dry run closes none"
    );
    let (told, report) = feed.import(&rows(1..=9, "Loft"), &["--missing", "withdraw"]);
    assert!(
        told.contains("closed, since the file no longer names them: 1"),
        "{told}"
    );
    assert!(report.contains("\"h-10\",\"withdrawn\""), "{report}");
    becomes(&server, 10, "inactive").await;
    let page = server.url("/places/loft-h-10");
    until(|| async {
        let status = reqwest::get(&page).await.unwrap().status();
        (status == StatusCode::GONE).then_some(())
    })
    .await;
    let (told, _) = feed.import(&rows(1..=9, "Loft"), &["--missing", "withdraw"]);
    assert!(is_whole(&told), "it is closed already: {told}");
    let (told, _) = feed.import(&rows(1..=10, "Loft"), &[]);
    assert!(told.contains("1 changed, 9 unchanged"), "{told}");
    becomes(&server, 10, "active").await;
}

#[tokio::test]
async fn home_that_staff_closed_is_not_reopened_by_its_feed() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=3, "Loft"), &[]);
    becomes(&server, 1, "active").await;
    let id = home_when(&server, 1, |_| true).await["id"].clone();
    let id = id.as_str().unwrap().parse().unwrap();
    let context = Context::new("2026-11-20T10:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let close = InventoryCommand::Close { by: ClosedBy::Staff };
    commit::<Inventory>(
        &log_of(&server).await,
        domain::id::InventoryId(id),
        close,
        &context,
    )
    .await
    .unwrap();
    becomes(&server, 1, "inactive").await;
    feed.import(&rows(1..=3, "Barn"), &[]);
    home_when(&server, 1, |home| home["name"] == "Barn").await;
    assert_eq!(status_of(&server, 1).await, json!("inactive"));
    // A closed home is not counted among those that are missing.
    let (told, _) = feed.import(&rows(2..=3, "Barn"), &["--missing", "withdraw"]);
    assert!(is_whole(&told), "{told}");
}

#[tokio::test]
async fn feed_that_shrinks_by_more_than_a_fifth_changes_nothing() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=30, "Loft"), &[]);
    let fewer = [rows(1..=20, "Barn"), rows([99], "Barn")].concat();
    let told = feed.refused(&fewer, &["--missing", "withdraw"]);
    assert!(
        told.contains("nothing was changed: the file lacks or closes 10 of the 30 homes"),
        "{told}"
    );
    assert!(told.contains("--missing-limit 10"), "{told}");
    let below = ["--missing", "withdraw", "--missing-limit", "9"];
    let told = feed.refused(&fewer, &below);
    assert!(told.contains("--missing-limit allows 9"), "{told}");
    let kept = home_when(&server, 1, |home| !home.is_null()).await;
    assert_eq!(kept["name"], "Loft", "the other rows stay out too");
    let new = reqwest::get(server.url("/api/v0/inventories/h-99"))
        .await
        .unwrap();
    assert_eq!(new.status(), StatusCode::NOT_FOUND);
    let enough = ["--missing", "withdraw", "--missing-limit", "10"];
    let (told, _) = feed.import(&fewer, &enough);
    assert!(told.contains("1 added, 20 changed"), "{told}");
    assert!(
        told.contains("closed, since the file no longer names them: 10"),
        "{told}"
    );
    becomes(&server, 30, "inactive").await;
    home_when(&server, 1, |home| home["name"] == "Barn").await;
    // With the default the other rows of such a file go in.
    let (told, _) = feed.import(&rows(1..=4, "Mill"), &[]);
    assert!(told.contains("4 changed"), "{told}");
    assert!(
        told.contains("missing from the file, and left as they are: 17"),
        "{told}"
    );
}

#[tokio::test]
async fn few_homes_of_a_small_feed_need_their_number() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=3, "Loft"), &[]);
    for limit in [vec![], vec!["--missing-limit", "2"]] {
        let options = [vec!["--missing", "withdraw"], limit].concat();
        let told = feed.refused(&rows(1..=2, "Barn"), &options);
        assert!(
            told.contains("nothing was changed: the file lacks 1 of the 3 homes"),
            "{told}"
        );
    }
    let kept = home_when(&server, 1, |home| !home.is_null()).await;
    assert_eq!(kept["name"], "Loft");
    let number = ["--missing", "withdraw", "--missing-limit", "1"];
    feed.import(&rows(1..=2, "Barn"), &number);
    becomes(&server, 3, "inactive").await;
}

#[tokio::test]
async fn home_with_a_bad_row_is_not_missing() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=10, "Loft"), &[]);
    let bad = named_row("h-10", "Loft").replace(",198,", ",cheap,");
    let (told, _) = feed.import(
        &[rows(1..=9, "Loft"), vec![bad]].concat(),
        &["--missing", "withdraw"],
    );
    assert!(told.contains("1 rejected") && is_whole(&told), "{told}");
    // A row without an id may be the one of any home.
    let unnamed = named_row("", "Loft");
    let (told, _) = feed.import(
        &[rows(1..=9, "Loft"), vec![unnamed]].concat(),
        &["--missing", "withdraw"],
    );
    assert!(
        told.contains("missing from the file, and left as they are: 1"),
        "{told}"
    );
    assert_eq!(status_of(&server, 10).await, json!("active"));
}

#[tokio::test]
async fn file_that_breaks_off_closes_no_home() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=10, "Loft"), &[]);
    let home = json!({ "id": "h-1", "name": "Barn", "country": "GB", "city": "Leeds", "lat": 53.8, "lng": -1.5, "price": 198,
        "currency": "GBP", "price_per": "week", "room_type": "Private room" });
    let file = server.beside("cut.json");
    std::fs::write(&file, format!("[{home},{{\"id\":")).unwrap();
    let report = server.beside("cut.errors.csv");
    server.refused(&[
        "import",
        file.to_str().unwrap(),
        "--feed",
        "north",
        "--missing",
        "withdraw",
        "--report",
        report.to_str().unwrap(),
    ]);
    home_when(&server, 1, |home| home["name"] == "Barn").await;
    for number in [2, 10] {
        assert_eq!(status_of(&server, number).await, json!("active"));
    }
}

/// A feed that says of all its homes that they are closed is held to the limit too; the rest of its file is in.
#[tokio::test]
async fn feed_that_closes_most_of_its_homes_needs_its_limit() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=10, "Loft"), &[]);
    let with_status = |name: &str, status: &str| {
        let row = |row: String| format!("{row},{status}");
        let rows: Vec<String> = rows(1..=10, name).into_iter().map(row).collect();
        format!(
            "{COLUMNS},status\n{}\n{},",
            rows.join("\n"),
            named_row("h-11", name)
        )
    };
    let file = server.beside("closed.csv");
    std::fs::write(&file, with_status("Barn", "closed")).unwrap();
    let report = server.beside("closed.errors.csv");
    let [file, path] = [&file, &report].map(|path| path.to_str().unwrap());
    let usual = ["import", file, "--feed", "north", "--report", path];
    let told = server.refused(&usual);
    assert!(
        told.contains("closes 10 of the 11 homes") && told.contains("--missing-limit 10"),
        "{told}"
    );
    home_when(&server, 11, |home| home["name"] == "Barn").await;
    for number in [1, 10] {
        assert_eq!(status_of(&server, number).await, json!("active"));
    }
    let told = server.refused(&[&usual[..], &["--missing", "withdraw"]].concat());
    assert!(told.contains("nothing was changed"), "{told}");
    server.run(&[&usual[..], &["--missing-limit", "10"]].concat());
    becomes(&server, 10, "inactive").await;
    assert_eq!(status_of(&server, 11).await, json!("active"));
}

/// A landlord's file that calls one of three homes closed says itself which: no number is asked for, as a schedule could not give one.
#[tokio::test]
async fn few_homes_that_a_file_closes_need_no_number() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=3, "Loft"), &[]);
    let states = ["", "", "closed"];
    let lines: Vec<String> = rows(1..=3, "Barn")
        .into_iter()
        .zip(states)
        .map(|(row, status)| format!("{row},{status}"))
        .collect();
    let file = server.beside("few.csv");
    std::fs::write(&file, format!("{COLUMNS},status\n{}", lines.join("\n"))).unwrap();
    let report = server.beside("few.errors.csv");
    let [file, report] = [&file, &report].map(|path| path.to_str().unwrap());
    let usual = ["import", file, "--feed", "north", "--report", report];
    server.run(&[&usual[..], &["--missing", "withdraw"]].concat());
    becomes(&server, 3, "inactive").await;
    home_when(&server, 1, |home| home["name"] == "Barn").await;
    assert_eq!(status_of(&server, 1).await, json!("active"));
    // Homes that the file lacks are another thing.
    let told = feed.refused(&rows(1..=1, "Barn"), &["--missing", "withdraw"]);
    assert!(told.contains("lacks 1 of the 2 homes"), "{told}");
}

/// Files without a feed's name may be unrelated: none says which homes of another are missing.
#[tokio::test]
async fn file_without_a_name_misses_no_home() {
    let server = Server::start();
    let [first, second] = ["first.csv", "second.csv"].map(|name| server.beside(name));
    let text = |number: u32| format!("{COLUMNS}\n{}", rows([number], "Loft").concat());
    std::fs::write(&first, text(1)).unwrap();
    std::fs::write(&second, text(2)).unwrap();
    let report = server.beside("unnamed.errors.csv");
    let [first, second, report] = [&first, &second, &report].map(|path| path.to_str().unwrap());
    server.run(&["import", first, "--report", report]);
    let told = server.run(&["import", second, "--report", report]);
    assert!(told.contains("write --feed NAME") && is_whole(&told), "{told}");
    let told = server.refused(&["import", second, "--report", report, "--missing", "withdraw"]);
    assert!(told.contains("needs a feed's name"), "{told}");
    let told = server.refused(&["import", second, "--report", report, "--feed", "a\u{7}"]);
    assert!(told.contains("1 to 64 letters"), "{told}");
}
