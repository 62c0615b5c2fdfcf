//! Answers that become late are told of once, by mail and to Prometheus.

use serde_json::json;
use tests::Server;

use crate::heard::{metrics, told};
use crate::market::until;
use crate::visitor::{Visitor, enquiry};

/// Mails of a kind that an address got.
async fn mails(desk: &Visitor<'_>, to: &str, kind: &str) -> usize {
    let outbox = desk.get(&format!("/dev/outbox?to={to}")).await.data().clone();
    let mails = outbox.as_array().unwrap().iter();
    mails.filter(|mail| mail["kind"] == kind).count()
}

/// An enquiry without an owner is told to the desk, a conversation to its owner; each once, and both are counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_answers_raise_one_mail_each_and_are_counted() {
    let address = tests::free_address().to_string();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
        ("LATCHKEY_DESK_EMAIL", "desk@rooms.example"),
        ("LATCHKEY_ANSWER_HOURS", "2"),
        ("LATCHKEY_REPLY_HOURS", "1"),
    ]);
    let (desk, mei) = (Visitor::new(&server), Visitor::new(&server));
    desk.log_in_as("support").await;
    mei.log_in("mei@example.com").await;
    mei.post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data();
    let asked = json!({ "topic": "booking", "subject": "Keys", "words": "When do I get the keys?" });
    let case = mei.post("/api/v0/support/cases", asked).await;
    let case = case.data()["case_id"].as_str().unwrap().to_owned();
    let act = format!("/api/v0/workspace/cases/{case}/acts");
    desk.post(&act, json!({ "act": "assign", "owner": "me" }))
        .await
        .data();
    let list = desk
        .get("/api/v0/workspace/leads?attention=late")
        .await
        .data()
        .clone();
    assert_eq!(list["meta"]["count"], 0);

    desk.post("/dev/clock", json!({ "forward_seconds": 3 * 3600 }))
        .await;
    desk.log_in_as("support").await;
    until(|| async { (mails(&desk, "desk@rooms.example", "late_lead").await == 1).then_some(()) }).await;
    until(|| async { (mails(&desk, "support@staff.example", "late_case").await == 1).then_some(()) }).await;
    let late = desk
        .get("/api/v0/workspace/leads?attention=late")
        .await
        .data()
        .clone();
    assert_eq!(late["result"][0]["attention"], json!(["late", "unanswered"]));
    let figures = metrics(&address).await;
    for of in ["lead", "case"] {
        let figure = told(&figures, &format!("latchkey_late_answers{{of=\"{of}\"}}"));
        assert!((figure - 1.0).abs() < f64::EPSILON, "{of}: {figure}");
    }
    // The clock is looked at again and again: nothing is told twice.
    desk.post("/dev/clock", json!({ "forward_seconds": 60 })).await;
    until(|| async {
        let figures = metrics(&address).await;
        (told(&figures, "latchkey_log_position") > 0.0).then_some(())
    })
    .await;
    assert_eq!(mails(&desk, "desk@rooms.example", "late_lead").await, 1);
}
