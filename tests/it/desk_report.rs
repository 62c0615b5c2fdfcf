//! The desk's report: answer times, the way to a booking, and declined cards.

use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry, in_days};

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const REPORT: &str = "/api/v0/workspace/leads/report";

fn call(reached: bool) -> Value {
    json!({ "act": "record_call", "reached": reached })
}

/// One lead is answered and another one books after a declined card: both are counted, by week and by source, and as CSV.
#[tokio::test]
async fn report_counts_answers_steps_and_declines() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let sent = Visitor::new(&market.server)
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead = sent.data()["id"].as_str().unwrap();
    let acts = format!("/api/v0/workspace/leads/{lead}/acts");
    desk.post(&acts, call(true)).await.data();
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, DECLINED).await["status"], "failed");
    buyer.begin(&token).await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");

    let told = until(|| async {
        let told = desk.get(REPORT).await.data().clone();
        (told["whole"]["steps"][5]["count"] == 1).then_some(told)
    })
    .await;
    let (whole, weeks) = (&told["whole"], told["groups"].as_array().unwrap());
    assert_eq!(
        (&whole["leads"], &whole["answered"], weeks.len()),
        (&json!(2), &json!(1), 1)
    );
    assert!(whole["median_seconds"].as_i64().unwrap() <= whole["p90_seconds"].as_i64().unwrap());
    assert_eq!(
        (&told["declines"][0]["country"], &told["declines"][0]["count"]),
        (&json!("uk"), &json!(1))
    );
    let by_source = desk.get(&format!("{REPORT}?by=source")).await.data().clone();
    let names: Vec<&str> = by_source["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["", "newsletter"]);
    let sheet = desk
        .open(&format!("{REPORT}.csv?by=source"))
        .await
        .text()
        .await
        .unwrap();
    assert!(
        sheet.contains("\"all\",\"\",\"\",2,") && sheet.contains("\"newsletter\",\"\",1,"),
        "{sheet}"
    );
    assert!(
        sheet.contains("\"declined\",\"generic_decline\",\"uk\",1"),
        "{sheet}"
    );

    let tomorrow = desk
        .get(&format!("{REPORT}?from={0}&to={0}", in_days(1)))
        .await
        .data()
        .clone();
    assert_eq!(tomorrow["whole"]["leads"], 0);
    for (query, field) in [
        ("from=soon", "from"),
        ("from=2020-01-01&to=2026-01-01", "from"),
        ("by=city", "by"),
    ] {
        assert_eq!(
            desk.get(&format!("{REPORT}?{query}")).await.fields(),
            [field],
            "{query}"
        );
    }
}

/// Whoever was written to or spoken with is answered, in the list, in the report and in a segment; a taken lead, a call in vain, a note
/// and a booking alone are not.
#[tokio::test]
async fn answered_is_one_figure_everywhere() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let mut leads = Vec::new();
    for name in ["Mei", "Li", "Ana", "Bo", "Cleo"] {
        let address = format!("{}@example.com", name.to_lowercase());
        let sent = Visitor::new(&market.server)
            .post("/api/v0/leads/", enquiry(name, &address))
            .await;
        leads.push(sent.data()["id"].as_str().unwrap().to_owned());
    }
    let lead = |at: usize, act: &str| format!("/api/v0/workspace/leads/{}/{act}", leads[at]);
    let letter = json!({ "lead_id": leads[0], "topic": "booking", "subject": "Your room",
        "words": "It is free from October.", "channel": "email" });
    desk.post("/api/v0/workspace/cases", letter).await.data();
    for (at, act, body) in [
        (1, "assign", json!({ "owner": "me" })),
        (2, "acts", call(true)),
        (3, "acts", call(false)),
        (4, "notes", json!({ "note": "Asked twice already" })),
    ] {
        desk.post(&lead(at, act), body).await.data();
    }
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");

    let segment = "/api/v0/workspace/segments?steps=answered";
    until(|| async { (desk.get(segment).await.data()["meta"]["count"] == 2).then_some(()) }).await;
    let booked = "/api/v0/workspace/leads?status=booked";
    until(|| async { (desk.get(booked).await.data()["meta"]["count"] == 1).then_some(()) }).await;
    let report = desk.get(REPORT).await.data()["whole"].clone();
    let list = desk.get("/api/v0/workspace/leads?limit=50").await.data().clone();
    let rows = list["result"].as_array().unwrap().iter();
    let mut answered: Vec<&str> = rows
        .filter(|row| row["answered"] == true)
        .map(|row| row["lead_id"].as_str().unwrap())
        .collect();
    answered.sort_unstable();
    let mut reached = [leads[0].as_str(), leads[2].as_str()];
    reached.sort_unstable();
    assert_eq!(answered, reached);
    assert_eq!((&report["leads"], &report["answered"]), (&json!(6), &json!(2)));
    let waiting = "/api/v0/workspace/leads?attention=unanswered";
    assert_eq!(
        desk.get(waiting).await.data()["meta"]["count"],
        3,
        "the booked one waits for nothing"
    );
}
