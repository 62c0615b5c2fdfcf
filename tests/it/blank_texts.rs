//! Where words are needed, a text that shows nothing is none: spaces without width, fillers, marks of direction, tags.

use serde_json::{Value, json};
use tests::Server;

use crate::visitor::{Visitor, enquiry, hold_refused};

const WORKSPACE: &str = "/api/v0/workspace";
const UNKNOWN_ID: &str = "01923456-789a-7bcd-8ef0-123456789abc";

/// Texts of three characters and more, none of which is seen.
const BLANK: [&str; 7] = [
    "\u{200B}\u{200B}\u{200B}",
    "\u{FEFF}\u{2060}\u{AD}",
    "\u{3164}\u{115F}\u{1160}",
    "\u{202E}\u{2066}\u{200F}",
    "\u{E0067}\u{E0062}\u{E007F}",
    "\u{200D}\u{FE0F}\u{200C}",
    " \u{2800}\u{2800}\u{2800} ",
];

/// A question without words and a message without words are refused by their field.
#[tokio::test]
async fn students_text_that_shows_nothing_is_refused() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    for blank in BLANK {
        let what = blank.escape_unicode().to_string();
        let mut question = enquiry("Mei Lin", "mei@example.com");
        question["lead"]["meta"] = json!({ "variant": "ask_question_faq_cta" });
        question["lead"]["data"]["user_query"] = json!(blank);
        let asked = mei.post("/api/v0/leads", question).await;
        hold_refused(&asked, "data/user_query", &what);
        for field in ["subject", "words"] {
            let mut case =
                json!({ "topic": "booking", "subject": "The key", "words": "I arrive on a Sunday." });
            case[field] = json!(blank);
            let opened = mei.post("/api/v0/support/cases", case).await;
            hold_refused(&opened, field, &what);
        }
    }
    assert_eq!(mei.get("/api/v0/support/cases").await.data(), &json!([]));
}

/// Reasons, notes and names of staff are words that colleagues can read.
#[tokio::test]
async fn staffs_text_that_shows_nothing_is_refused() {
    let server = Server::start();
    let (mei, admin) = (Visitor::new(&server), Visitor::new(&server));
    let lead = mei
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead = format!("{WORKSPACE}/leads/{}", lead.data()["id"].as_str().unwrap());
    admin.log_in_as("admin").await;
    let payment = format!("{WORKSPACE}/payments/{UNKNOWN_ID}");
    let doors: [(String, Value, &str); 10] = [
        (format!("{lead}/reveal"), json!({}), "reason"),
        (format!("{lead}/notes"), json!({}), "note"),
        (format!("{lead}/acts"), json!({ "act": "send_enquiry" }), "reason"),
        (format!("{lead}/export"), json!({ "format": "json" }), "reason"),
        (
            format!("{WORKSPACE}/leads/views"),
            json!({ "filters": { "city": "Leeds" } }),
            "name",
        ),
        (
            format!("{payment}/refunds"),
            json!({ "booking": "keep", "amount_minor": 100 }),
            "reason",
        ),
        (format!("{payment}/cancel_booking"), json!({}), "reason"),
        (
            format!("{WORKSPACE}/approvals/{UNKNOWN_ID}/decline"),
            json!({}),
            "reason",
        ),
        (
            format!("{WORKSPACE}/payments/refund_requests/{UNKNOWN_ID}/decline"),
            json!({}),
            "reason",
        ),
        (
            format!("{WORKSPACE}/reconciliation/proposals"),
            json!({ "item": "fee_differs:txn_1" }),
            "reason",
        ),
    ];
    for blank in BLANK {
        for (path, body, field) in &doors {
            let mut body = body.clone();
            body[field] = json!(blank);
            let what = format!("{path} {}", blank.escape_unicode());
            hold_refused(&admin.post(path, body).await, field, &what);
        }
    }
    let history = admin.get(&format!("{lead}/timeline")).await.data().clone();
    let kinds = history["events"].as_array().unwrap().iter();
    let kinds: Vec<&Value> = kinds.map(|event| &event["type"]).collect();
    assert!(!kinds.contains(&&json!("LeadNoteAdded")), "{kinds:?}");
}
