//! Runs of imports in the workspace: who read which file for which feed, what became of it, and which run changed a home last (N2).

use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tests::Server;

use crate::import_missing::{Feed, home_when, named_row, rows};
use crate::market::until;
use crate::visitor::Visitor;

async fn admin_of(server: &Server) -> Visitor<'_> {
    let admin = Visitor::new(server);
    admin.log_in_as("admin").await;
    admin
}

async fn runs(admin: &Visitor<'_>, query: &str) -> Value {
    let path = format!("/api/v0/workspace/imports{query}");
    admin.get(&path).await.data().clone()
}

/// The runs of all feeds, once there are so many and each has ended.
async fn ended_runs(admin: &Visitor<'_>, wanted: usize) -> Value {
    until(|| async {
        let page = runs(admin, "").await;
        let all = page["runs"].as_array().unwrap();
        let is_ended = all.iter().all(|run| run["outcome"].is_string());
        (is_ended && all.len() == wanted).then(|| page.clone())
    })
    .await
}

/// The counts of a run in the order of its page.
fn counts(run: &Value) -> [u64; 7] {
    let count = |name: &str| run[name].as_u64().unwrap();
    [
        count("added"),
        count("changed"),
        count("unchanged"),
        count("rejected"),
        count("left_out"),
        count("missing"),
        count("withdrawn"),
    ]
}

#[tokio::test]
async fn runs_say_file_asker_counts_and_refusal() {
    let server = Server::start();
    let admin = admin_of(&server).await;
    assert_eq!(runs(&admin, "").await["runs"], json!([]));
    let feed = Feed::new(&server, "north");
    let bad = named_row("h-11", "Loft").replace(",198,", ",cheap,");
    feed.import(&[rows(1..=10, "Loft"), vec![bad]].concat(), &[]);
    let digest: Vec<String> = Sha256::digest(feed.bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    feed.import(&rows(1..=10, "Barn"), &["--dry-run"]);
    feed.refused(&rows(1..=2, "Barn"), &["--missing", "withdraw"]);
    feed.import(&rows(2..=10, "Loft"), &["--missing", "withdraw"]);
    Feed::new(&server, "south").import(&rows([31], "Loft"), &[]);
    let page = ended_runs(&admin, 4).await;
    let all = page["runs"].as_array().unwrap();
    let told: Vec<_> = all
        .iter()
        .map(|run| (run["feed"].as_str().unwrap(), run["outcome"].as_str().unwrap()))
        .collect();
    let wanted = [
        ("south", "complete"),
        ("north", "complete"),
        ("north", "too_many_missing"),
        ("north", "complete"),
    ];
    assert_eq!(told, wanted, "a dry run is none");
    assert_eq!(counts(&all[3]), [10, 0, 0, 1, 0, 0, 0]);
    assert_eq!(counts(&all[2]), [0, 0, 0, 0, 0, 8, 0]);
    assert_eq!((&all[2]["homes"], &all[2]["allowed"]), (&json!(10), &Value::Null));
    assert_eq!(counts(&all[1]), [0, 0, 9, 0, 0, 0, 1]);
    let first = &all[3];
    assert_eq!(first["file"], "north.csv");
    assert_eq!(first["digest"], digest.concat());
    assert_eq!(first["map_digest"], Value::Null);
    assert_eq!(
        (&first["by"], &first["missing_rule"]),
        (&json!("operator"), &json!("report"))
    );
    assert!(
        first["begun_at"].as_str() <= first["ended_at"].as_str(),
        "{first}"
    );
    assert_eq!(page["feeds"], json!(["north", "south"]));
}

#[tokio::test]
async fn runs_are_paged_filtered_and_read_one_by_one() {
    let server = Server::start();
    let admin = admin_of(&server).await;
    let north = Feed::new(&server, "north");
    for name in ["Loft", "Barn", "Mill"] {
        north.import(&rows(1..=2, name), &[]);
    }
    Feed::new(&server, "south").import(&rows([31], "Loft"), &[]);
    ended_runs(&admin, 4).await;
    let first = runs(&admin, "?limit=2&feed=north").await;
    let next = runs(&admin, &format!("?limit=2&feed=north&before={}", first["next"])).await;
    let lengths = [&first, &next].map(|page| page["runs"].as_array().unwrap().len());
    assert_eq!((lengths, &next["next"]), ([2, 1], &Value::Null));
    let run = &next["runs"][0];
    let id = run["run_id"].as_str().unwrap();
    let path = format!("/api/v0/workspace/imports/{id}");
    assert_eq!(admin.get(&path).await.data(), run);
    for unknown in ["01923456-789a-7bcd-8ef0-123456789abc", "soon"] {
        let path = format!("/api/v0/workspace/imports/{unknown}");
        assert_eq!(admin.get(&path).await.status, StatusCode::NOT_FOUND, "{unknown}");
    }
    let desk = Visitor::new(&server);
    desk.log_in_as("finance").await;
    for path in ["/api/v0/workspace/imports", &path] {
        assert_eq!(desk.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[tokio::test]
async fn home_names_the_run_that_changed_it_last() {
    let server = Server::start();
    let admin = admin_of(&server).await;
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=6, "Loft"), &[]);
    feed.import(
        &[vec![named_row("h-1", "Barn")], rows(2..=6, "Loft")].concat(),
        &[],
    );
    feed.import(
        &[vec![named_row("h-1", "Barn")], rows(2..=5, "Loft")].concat(),
        &["--missing", "withdraw"],
    );
    let all = ended_runs(&admin, 3).await["runs"].clone();
    let mut last = Vec::new();
    for number in [2, 1, 6] {
        let home = home_when(&server, number, |home| !home.is_null()).await;
        let query = format!("?home={}", home["id"].as_str().unwrap());
        let found = runs(&admin, &query).await["runs"].clone();
        assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
        last.push(found[0]["run_id"].clone());
    }
    let ids = [2, 1, 0].map(|place: usize| all[place]["run_id"].clone());
    assert_eq!(last, ids, "the first run, the second, the one that closed it");
    let unknown = runs(&admin, "?home=01923456-789a-7bcd-8ef0-123456789abc").await;
    assert_eq!(unknown["runs"], json!([]));
}
