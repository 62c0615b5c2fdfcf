//! Searches of sequences: what happened to leads, in which order and how fast; saved as views with live counts.

use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry};

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

/// References of the leads to which these steps happened.
async fn found(desk: &Visitor<'_>, steps: &str) -> Vec<String> {
    let steps = steps.replace('<', "%3C");
    let found = desk
        .get(&format!("/api/v0/workspace/segments?steps={steps}"))
        .await;
    let rows = found.data()["result"].as_array().unwrap().iter();
    rows.map(|row| row["reference"].as_str().unwrap().to_owned())
        .collect()
}

/// One buyer is declined twice and pays, another is declined once: only the first is found; the one who waits is found without an answer.
#[tokio::test]
async fn segments_find_leads_by_the_order_of_their_steps() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let sent = Visitor::new(&market.server)
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let waiting = sent.data()["reference"].as_str().unwrap().to_owned();
    let (twice, once) = (market.person(1, 0), market.person(2, 0));
    for (buyer, declines) in [(&twice, 2), (&once, 1)] {
        let token = buyer.begun().await;
        for _ in 0..declines {
            assert_eq!(buyer.pay(&token, DECLINED).await["status"], "failed");
            buyer.begin(&token).await;
        }
        assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    }
    until(|| async { (found(&desk, "booked").await.len() == 2).then_some(()) }).await;
    let hits = found(&desk, "declined,declined,paid<60").await;
    assert_eq!(hits.len(), 1);
    assert_eq!(found(&desk, "declined:generic_decline,paid<60").await.len(), 2);
    assert!(found(&desk, "paid,declined").await.is_empty());
    assert_eq!(
        found(&desk, "enquired,!form_started,!payment_started").await,
        [waiting.as_str()]
    );
    assert!(
        found(&desk, "enquired,!answered<120").await.is_empty(),
        "two hours are not over"
    );
    for steps in ["sold", "!answered", "paid<0", "paid<soon", ""] {
        let refused = desk
            .get(&format!(
                "/api/v0/workspace/segments?steps={}",
                steps.replace('<', "%3C")
            ))
            .await;
        assert!(
            refused.status.is_client_error() || refused.data()["meta"]["count"] == 3,
            "{steps}"
        );
    }
    let refused = desk.get("/api/v0/workspace/segments?steps=sold").await;
    assert_eq!(refused.fields(), ["steps"]);

    let new =
        json!({ "name": "Declined twice, then paid", "filters": { "steps": "declined,declined,paid<60" } });
    let saved = desk.post("/api/v0/workspace/leads/views", new).await;
    assert_eq!(saved.data()["count"], 1);
    story_of(&desk, &hits[0]).await;
}

/// The story names the steps in order, and is the same each time.
async fn story_of(desk: &Visitor<'_>, reference: &str) {
    let list = desk.get(&format!("/api/v0/workspace/leads?q={reference}")).await;
    let lead = list.data()["result"][0]["lead_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v0/workspace/leads/{lead}/story");
    let story = desk.get(&path).await.data()["story"].clone();
    let told = story.as_str().unwrap();
    assert!(
        told.contains("declined 2 times") && told.contains("Paid"),
        "{told}"
    );
    assert_eq!(desk.get(&path).await.data()["story"], story);
    for (lang, declined) in [
        ("es", "El pago fue rechazado, 2 veces"),
        ("fr", "Paiement refusé, 2 fois"),
        ("de", "Zahlung abgelehnt, 2 Mal"),
        ("zh", "付款被拒"),
    ] {
        let other = desk.get(&format!("{path}?lang={lang}")).await.data()["story"].clone();
        assert!(other.as_str().unwrap().contains(declined), "{other}");
    }
}

/// A lead is in a segment as soon as its last step is recorded.
#[tokio::test]
async fn segment_counts_follow_the_log() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let steps = "enquired,answered<60";
    assert!(found(&desk, steps).await.is_empty());
    let sent = Visitor::new(&market.server)
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead = sent.data()["id"].as_str().unwrap();
    let lead = format!("/api/v0/workspace/leads/{lead}");
    desk.post(&format!("{lead}/assign"), json!({ "owner": "me" }))
        .await
        .data();
    assert!(
        found(&desk, steps).await.is_empty(),
        "a taken lead is not answered"
    );
    let acts = format!("{lead}/acts");
    for (reached, answered) in [(false, 0), (true, 1)] {
        let call = json!({ "act": "record_call", "reached": reached });
        desk.post(&acts, call).await.data();
        assert_eq!(found(&desk, steps).await.len(), answered, "{reached}");
    }
    let unsaid = desk.post(&acts, json!({ "act": "record_call" })).await;
    assert_eq!(unsaid.fields(), ["reached"]);
}

/// A lead that staff close is lost, with its cause; a detail that no step has is refused and named.
#[tokio::test]
async fn lost_leads_are_found_by_their_cause() {
    let server = tests::Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    for cause in ["booked_elsewhere", "no_answer"] {
        let sent = Visitor::new(&server)
            .post(
                "/api/v0/leads/",
                enquiry("Mei Lin", &format!("{cause}@example.com")),
            )
            .await;
        let acts = format!(
            "/api/v0/workspace/leads/{}/acts",
            sent.data()["id"].as_str().unwrap()
        );
        desk.post(&acts, json!({ "act": "close", "cause": cause }))
            .await
            .data();
    }
    for (steps, count) in [
        ("lost", 2),
        ("enquired,!answered,lost", 2),
        ("enquired,lost:booked_elsewhere", 1),
        ("lost:price_too_high", 0),
    ] {
        assert_eq!(found(&desk, steps).await.len(), count, "{steps}");
    }
    for (steps, wrong) in [
        ("lost:bored", "bored"),
        ("enquired:xyz", "xyz"),
        ("enquired,declined:expired", "expired"),
        ("answered:taken", "taken"),
        ("enquired:", ""),
    ] {
        let path = format!("/api/v0/workspace/segments?steps={steps}");
        let refused = desk.get(&path).await;
        assert_eq!(refused.fields(), ["steps"], "{steps}: {}", refused.body);
        assert!(
            refused.body.to_string().contains(wrong),
            "{steps}: {}",
            refused.body
        );
        let view = json!({ "name": "A", "filters": { "steps": steps } });
        let refused = desk.post("/api/v0/workspace/leads/views", view).await;
        assert_eq!(refused.fields(), ["steps"], "{steps}");
    }
}

/// A segment page that is open is told of the next hit, and its owner by mail; an alarm needs a sequence.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn segment_hits_arrive_by_push_and_by_mail() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let send = |name: &'static str| {
        let server = &market.server;
        async move {
            let mail = format!("{}@example.com", name.to_lowercase());
            let sent = Visitor::new(server)
                .post("/api/v0/leads/", enquiry(name, &mail))
                .await;
            sent.data()["id"].as_str().unwrap().to_owned()
        }
    };
    let call = |lead: String| {
        let desk = &desk;
        async move {
            let path = format!("/api/v0/workspace/leads/{lead}/acts");
            desk.post(&path, json!({ "act": "record_call", "reached": true }))
                .await
                .data();
        }
    };
    call(send("Mei").await).await;
    let waiting = send("Li").await;
    let view = |filters: Value| json!({ "name": "Taken at once", "filters": filters, "alarm": true });
    let refused = desk
        .post("/api/v0/workspace/leads/views", view(json!({ "city": "Leeds" })))
        .await;
    assert_eq!(refused.fields(), ["alarm"]);
    let filters = json!({ "steps": "enquired,answered<60" });
    let saved = desk.post("/api/v0/workspace/leads/views", view(filters)).await;
    assert_eq!(
        (&saved.data()["count"], &saved.data()["alarm"]),
        (&json!(1), &json!(true))
    );
    let id = saved.data()["id"].as_str().unwrap().to_owned();

    let mut page = desk.open("/api/v0/workspace/leads/live").await;
    call(waiting).await;
    let wanted = format!("\"{id}\":2");
    let mut told = String::new();
    while !told.contains(&wanted) {
        let piece = tokio::time::timeout(std::time::Duration::from_secs(10), page.chunk()).await;
        let piece = piece.unwrap_or_else(|_| panic!("no {wanted} in {told}")).unwrap();
        told.push_str(&String::from_utf8_lossy(&piece.unwrap()));
    }
    let mails = until(|| async {
        let outbox = desk.get("/dev/outbox?to=support@staff.example").await;
        let handed_in = outbox.data().as_array().unwrap().clone();
        let about = |mail: &&Value| mail.to_string().contains("Taken at once");
        let found: Vec<Value> = handed_in.iter().filter(about).cloned().collect();
        (!found.is_empty()).then_some(found)
    })
    .await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].to_string().contains("2 leads"), "{}", mails[0]);
}
