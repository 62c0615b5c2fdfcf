//! T33: nothing that a person wrote stands in what the server logs, measures or answers with an error, and no error tells how
//! the server is built.

use serde_json::{Value, json};
use tests::{LOG_FILE, document, free_address};

use crate::finance_history::{MARKER, marked, written_at_the_desk};
use crate::market::Market;
use crate::stored::{self, Part};
use crate::visitor::{Answer, Visitor};

/// Words of a stack, a statement or a source file.
const INSIDES: [&str; 9] = [
    "backtrace",
    "panicked",
    "select ",
    "insert into",
    "no such table",
    "relation \"",
    "sqlx",
    ".rs:",
    "/tmp/",
];

/// Streams, and files that are cut off where their rows end in a fault.
const ENDLESS: [&str; 3] = ["/live", ".csv", ".xlsx"];

/// A refused answer has the marker nowhere, tells nothing of the insides, and names its request.
fn is_discreet(path: &str, answer: &Answer) {
    let text = answer.body.to_string().to_lowercase();
    assert!(!text.contains(MARKER), "{path}: {text}");
    for word in INSIDES {
        assert!(!text.contains(word), "{path} tells {word}: {text}");
    }
    assert!(answer.body["request_id"].is_string(), "{path}: {text}");
}

/// Bodies that are refused, the marker in a field each.
fn refused() -> Vec<(&'static str, Value)> {
    let enquiry = |field: &str| {
        let mut user = json!({ "name": "Ada", "email": "ada@example.com", "phone": "+44+7911123456" });
        user[field] = json!(format!("{MARKER}@@"));
        json!({ "lead": { "user_details": user, "data": { "move_in_date": MARKER } } })
    };
    let code = |user: Value| json!({ "user": user });
    vec![
        ("/api/v0/leads", enquiry("email")),
        ("/api/v0/leads", enquiry("phone")),
        ("/api/v0/leads", json!({ "lead": MARKER })),
        (
            "/api/v0/users/generate_email_otp",
            code(json!({ "email": MARKER })),
        ),
        (
            "/api/v0/users/login_email_otp",
            code(json!({ "email": format!("{MARKER}@example.com"), "otp": MARKER })),
        ),
        (
            "/api/v0/payments",
            json!({ "payment": { "lead_uuid": MARKER, "inventory_id": MARKER } }),
        ),
        (
            "/api/v0/booking_forms",
            json!({ "booking_form": { "lead_uuid": MARKER, "inventory_id": MARKER } }),
        ),
    ]
}

/// Every address of the workspace that reads without an id.
fn lists() -> Vec<String> {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let lists = paths.filter(|(path, item)| {
        item.get("get").is_some() && path.starts_with("/api/v0/workspace/") && !path.contains('{')
    });
    lists
        .map(|(path, _)| path.clone())
        .filter(|path| ENDLESS.iter().all(|end| !path.ends_with(end)))
        .collect()
}

/// A file whose rows fail under way ends with its connection, compressed or not: no client takes what arrived for the whole.
async fn assert_file_breaks_off(market: &Market, staff: &Visitor<'_>) {
    let url = market.server.url("/api/v0/workspace/payments/events.csv");
    for encoding in ["identity", "gzip"] {
        let asked = staff.client().get(&url).header("accept-encoding", encoding);
        let is_whole = match asked.send().await {
            Ok(answer) => answer.status().is_success() && answer.bytes().await.is_ok(),
            Err(_) => false,
        };
        assert!(!is_whole, "{encoding}");
    }
}

/// Tables that lists are read from are dropped: what the server cannot answer any more.
async fn broken(market: &Market, staff: &Visitor<'_>) -> usize {
    let cascade = if market.server.database_name().is_some() {
        " cascade"
    } else {
        ""
    };
    for table in ["lead_board", "payment_audit", "look", "case_board"] {
        stored::change(
            &market.server,
            Part::ReadModels,
            &format!("drop table {table}{cascade}"),
        );
    }
    assert_file_breaks_off(market, staff).await;
    let mut failed = 0;
    for path in lists() {
        let answer = staff.get(&path).await;
        if answer.status.is_server_error() {
            failed += 1;
            is_discreet(&path, &answer);
        }
    }
    failed
}

/// Marked values of a whole booking stand in no log, no figure and no error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marked_values_stand_in_no_log_figure_or_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("server.log");
    let figures = free_address().to_string();
    let settings = [
        ("LATCHKEY_LOG", "debug"),
        ("LATCHKEY_LOG_FORMAT", "json"),
        ("LATCHKEY_METRICS_LISTEN", &figures),
        (LOG_FILE, output.to_str().unwrap()),
    ];
    let mut market = Market::open(&[3], &settings).await;
    market.server.unlike_its_log("its tables are dropped");
    let (lead, _) = marked(&market).await;
    let [desk, stranger] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("admin").await;
    written_at_the_desk(&desk, &lead).await;
    let sought = json!({ "email": format!("{MARKER}@example.com"), "reason": MARKER });
    desk.post("/api/v0/workspace/payments/by_email", sought)
        .await
        .data();
    market.caught_up().await;
    for (path, body) in refused() {
        let answer = stranger.post(path, body).await;
        assert!(
            answer.status.is_client_error(),
            "{path}: {} {}",
            answer.status,
            answer.body
        );
        is_discreet(path, &answer);
    }
    for path in lists() {
        let asked = format!("{path}?q={MARKER}&as_of={MARKER}");
        let answer = desk.get(&asked).await;
        assert!(answer.status.is_client_error(), "{asked}: {}", answer.body);
        is_discreet(&asked, &answer);
    }
    let told = reqwest::get(format!("http://{figures}/metrics")).await.unwrap();
    assert!(!told.text().await.unwrap().to_lowercase().contains(MARKER));
    let failed = broken(&market, &desk).await;
    assert!(failed >= 4, "only {failed} lists failed");
    let logged = market.server.logged();
    assert!(
        logged.contains("\"answered\"") && logged.contains("a read model rests"),
        "{logged}"
    );
    let lines = logged.lines().filter(|line| line.to_lowercase().contains(MARKER));
    let lines: Vec<&str> = lines.collect();
    assert!(lines.is_empty(), "{lines:#?}");
}
