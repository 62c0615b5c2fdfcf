//! The desk's report: answer times, the way to a booking, and declined cards.

use serde_json::json;

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry, in_days};

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const REPORT: &str = "/api/v0/workspace/leads/report";

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
    let assign = format!("/api/v0/workspace/leads/{lead}/assign");
    desk.post(&assign, json!({ "owner": "me" })).await.data();
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
