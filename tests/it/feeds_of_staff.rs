//! Feeds that staff set on a schedule in the workspace, beside those of the setting (HOMES.md "Feeds").

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::Server;

use crate::feed_host::{FeedHost, SECRET};
use crate::market::until;
use crate::visitor::Visitor;

const FEEDS: &str = "/api/v0/workspace/feeds";
const LEEDS: &str = "/api/v0/workspace/feeds/leeds";

/// A server whose setting has the feed `york`, of a host that it may call.
fn serve(host: &FeedHost, folder: &TempDir) -> Server {
    let setting = folder.path().join("feeds.toml");
    std::fs::write(&setting, host.feeds_file().replace("\"leeds\"", "\"york\"")).unwrap();
    let socket = host.socket();
    Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_FEEDS", setting.to_str().unwrap()),
        ("LATCHKEY_OUTBOUND_PERMITTED", &*socket),
    ])
}

async fn support(server: &Server) -> Visitor<'_> {
    let staff = Visitor::new(server);
    staff.log_in_as("support").await;
    staff
}

fn address(host: &FeedHost) -> Value {
    json!(format!("http://{}/leeds.csv?key={SECRET}", host.socket()))
}

/// A feed that reads the rows of the host.
fn wanted(url: &Value, is_paused: bool, version: Option<i64>) -> Value {
    let map = json!({ "columns": { "name": "title", "move_in": { "value": "2028-09-01" }, "length": { "value": "44 weeks" } } });
    json!({ "url": url, "every": "6h", "missing": "report", "is_paused": is_paused, "map": map, "version": version })
}

#[tokio::test(flavor = "multi_thread")]
async fn feed_is_set_on_a_schedule_run_paused_and_taken_away() {
    let (host, folder) = (FeedHost::start(2), tempfile::tempdir().unwrap());
    let server = serve(&host, &folder);
    let staff = support(&server).await;
    let made = staff.put(LEEDS, wanted(&address(&host), false, None)).await;
    assert_eq!(made.data()["version"], 1);
    let feeds = until(|| async {
        let listed = staff.get(FEEDS).await;
        assert!(!listed.body.to_string().contains(SECRET), "{}", listed.body);
        let feeds = listed.data()["feeds"].as_array().unwrap().clone();
        let is_in = |feed: &Value| feed["state"]["ended"] == "imported" && feed["last_run"]["added"] == 2;
        (feeds.len() == 2 && feeds.iter().all(is_in)).then_some(feeds)
    })
    .await;
    let told = |feed: &Value| json!([feed["name"], feed["set_in"], feed["every"], feed["host"]]);
    let socket = host.socket();
    assert_eq!(told(&feeds[0]), json!(["leeds", "here", "6h", socket]));
    assert_eq!(told(&feeds[1]), json!(["york", "setting", "6h", socket]));

    // A file that is the same is taken in anew where somebody asks for it.
    let asked = host.asked();
    let ran = staff.post(&format!("{LEEDS}/run"), json!({})).await;
    assert_eq!(ran.status, StatusCode::ACCEPTED, "{}", ran.body);
    until(|| async { (host.asked() > asked).then_some(()) }).await;

    let paused = staff.put(LEEDS, wanted(&Value::Null, true, Some(1))).await;
    assert_eq!(paused.data()["is_paused"], true, "the address is kept");
    let refused = staff.post(&format!("{LEEDS}/run"), json!({})).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "feed_paused")
    );
    assert_eq!(staff.delete(LEEDS).await.status, StatusCode::OK);
    assert_eq!(staff.delete(LEEDS).await.status, StatusCode::NOT_FOUND);
    let feeds = staff.get(FEEDS).await;
    let leeds = &feeds.data()["feeds"][0];
    let left = json!([leeds["name"], leeds["set_in"], leeds["state"]]);
    assert_eq!(left, json!(["leeds", null, null]), "its homes and runs stay");
}

/// Once, as if its file had been uploaded.
#[tokio::test(flavor = "multi_thread")]
async fn feed_at_an_address_is_fetched_as_an_upload() {
    let (host, folder) = (FeedHost::start(2), tempfile::tempdir().unwrap());
    let server = serve(&host, &folder);
    let staff = support(&server).await;
    let path = "/api/v0/workspace/feed_uploads/address";
    let fetched = staff
        .post(path, json!({ "feed": "hull", "url": address(&host) }))
        .await;
    assert_eq!(fetched.status, StatusCode::CREATED, "{}", fetched.body);
    assert_eq!(fetched.data()["upload"]["file"], host.socket());
    assert!(!fetched.body.to_string().contains(SECRET), "{}", fetched.body);
    for url in [
        "ftp://feeds.example/a.csv",
        "https://127.0.0.1:9/a.csv?key=not-for-others",
    ] {
        let refused = staff.post(path, json!({ "feed": "hull", "url": url })).await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            refused.body
        );
        assert_eq!(refused.fields(), ["url"]);
        assert!(!refused.body.to_string().contains(SECRET), "{}", refused.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn change_that_cannot_be_made_is_refused() {
    let (host, folder) = (FeedHost::start(1), tempfile::tempdir().unwrap());
    let server = serve(&host, &folder);
    let staff = support(&server).await;
    staff.put(LEEDS, wanted(&address(&host), true, None)).await;
    let changed = staff.put(LEEDS, wanted(&Value::Null, false, Some(1))).await;
    assert_eq!(changed.data()["version"], 2);
    let other = json!("https://feeds.example/other.csv");
    let late = staff.put(LEEDS, wanted(&other, false, Some(1))).await;
    assert_eq!((late.status, late.code()), (StatusCode::CONFLICT, "feed_moved"));
    assert_eq!(late.body["current"]["version"], 2);

    let york = format!("{FEEDS}/york");
    let refused = staff.put(&york, wanted(&other, false, None)).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "set_in_settings")
    );
    assert_eq!(staff.delete(&york).await.status, StatusCode::CONFLICT);

    let hull = format!("{FEEDS}/hull");
    let with = |part: &str, value: Value| {
        let mut body = wanted(&other, false, None);
        body[part] = value;
        body
    };
    for (body, field) in [
        (with("url", json!("ftp://feeds.example/a")), "url"),
        (with("url", Value::Null), "url"),
        (with("every", json!("1m")), "every"),
        (with("map", json!({ "columns": { "colour": "x" } })), "map"),
    ] {
        let refused = staff.put(&hull, body).await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            refused.body
        );
        assert_eq!(refused.fields(), [field]);
    }
}
