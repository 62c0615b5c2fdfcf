//! Every read of staff as it was (N1): at a position or an instant, the same bytes as were answered then.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::price_lock::reprice;
use crate::visitor::{Visitor, in_days};

const GOOD: &str = "4242424242424242";

/// What staff read of leads and money, without what moves by itself.
async fn read(staff: &Visitor<'_>, lead: &str, at: &str) -> Vec<Value> {
    let mut answers = Vec::new();
    for path in [
        "/api/v0/workspace/leads".to_owned(),
        "/api/v0/workspace/leads?q=mei".to_owned(),
        format!("/api/v0/workspace/leads/{lead}/timeline"),
        format!("/api/v0/workspace/leads/{lead}/timeline/events"),
        "/api/v0/workspace/payments/events".to_owned(),
        "/api/v0/workspace/cases".to_owned(),
        "/api/v0/workspace/awaited_rooms".to_owned(),
        format!("/api/v0/workspace/payment_links?lead_id={lead}"),
    ] {
        let and = if path.contains('?') { '&' } else { '?' };
        let asked = if at.is_empty() {
            path
        } else {
            format!("{path}{and}as_of={at}")
        };
        answers.push(staff.get(&asked).await.data().clone());
    }
    answers
}

async fn position(staff: &Visitor<'_>) -> u64 {
    let me = staff.get("/api/v0/workspace/me").await;
    me.data()["log_position"].as_u64().unwrap()
}

/// What staff read while nothing was written, and the position that it stood at.
async fn read_in_peace(staff: &Visitor<'_>, lead: &str) -> (u64, Vec<Value>) {
    until(async || {
        let before = position(staff).await;
        let answers = read(staff, lead, "").await;
        (position(staff).await == before).then_some((before, answers))
    })
    .await
}

#[tokio::test]
async fn every_read_at_a_position_is_what_was_answered_then() {
    let mut market = Market::open(&[9], &[]).await;
    let mei = market.person(1, 0);
    let lead_uuid = mei.enquire().await;
    market.caught_up().await;
    let (before, saved, lead) = {
        let admin = Visitor::new(&market.server);
        admin.log_in_as("admin").await;
        let list = admin.get("/api/v0/workspace/leads").await;
        let lead = list.data()["result"][0]["lead_id"].as_str().unwrap().to_owned();
        let (before, saved) = read_in_peace(&admin, &lead).await;
        let change = json!({ "lead": { "data": { "no_of_students": 2,
            "university": "University of York", "intake": "September 2027" } } });
        Visitor::new(&market.server)
            .put(&format!("/api/v0/leads/{lead_uuid}"), change)
            .await
            .data();
        (before, saved, lead)
    };
    let other = market.person(2, 0);
    other.enquire().await;
    let token = mei.open_for(&lead_uuid, &mei.room).await;
    mei.begin(&token).await;
    mei.pay(&token, GOOD).await;
    reprice(&mut market, 29_900).await;

    let admin = Visitor::new(&market.server);
    // By then the same address may ask for a code again.
    admin.wait(120).await;
    admin.log_in_as("admin").await;
    let now = read(&admin, &lead, "").await;
    assert!(
        now.iter().zip(&saved).filter(|(now, then)| now != then).count() >= 4,
        "{now:?}"
    );
    // Before the first event there is nothing. What comes after goes on from what was folded for this.
    let empty = admin.get("/api/v0/workspace/leads?as_of=0").await;
    assert_eq!(empty.data()["meta"]["count"], 0, "{}", empty.body);
    let half = format!("/api/v0/workspace/leads?as_of={}", before / 2);
    admin.get(&half).await.data();
    let then = read(&admin, &lead, &before.to_string()).await;
    for (then, saved) in then.iter().zip(&saved) {
        assert_eq!(then, saved);
    }
    // The moment of the event at that position is the same state.
    let event = admin.get(&format!("/api/v0/workspace/events/{before}")).await;
    let moment = event.data()["recorded_at"].as_str().unwrap().replace('+', "%2B");
    assert_eq!(read(&admin, &lead, &moment).await, then);
}

#[tokio::test]
async fn moment_to_come_or_none_at_all_is_refused_by_name() {
    let market = Market::open(&[1], &[]).await;
    let support = Visitor::new(&market.server);
    support.log_in_as("support").await;
    let head = position(&support).await;
    for (asked, code) in [
        (format!("{}", head + 1_000), "in_the_future"),
        ("2999-01-01T00:00:00Z".into(), "in_the_future"),
        ("-1".into(), "invalid"),
        ("yesterday".into(), "invalid"),
        (String::new(), "invalid"),
        ("1&as_of=2".into(), "invalid"),
        ("99999999999999999999999".into(), "invalid"),
    ] {
        let answer = support
            .get(&format!("/api/v0/workspace/leads?as_of={asked}"))
            .await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::BAD_REQUEST, code),
            "{asked}: {}",
            answer.body
        );
        assert_eq!(answer.fields(), ["as_of"], "{asked}");
    }
    // Who may read is judged by today's roles: support reads no money, then or now.
    let money = support.get("/api/v0/workspace/payments/events?as_of=1").await;
    assert_eq!(money.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn forgotten_person_is_in_no_view_of_the_past() {
    let market = Market::open(&[1], &[]).await;
    let mei = market.person(1, 0);
    mei.enquire().await;
    market.caught_up().await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    let list = admin.get("/api/v0/workspace/leads").await;
    let row = &list.data()["result"][0];
    let (lead, reference) = (row["lead_id"].as_str().unwrap(), row["reference"].clone());
    let before = position(&admin).await;
    let path = format!("/api/v0/workspace/leads?q=mei&as_of={before}");
    assert_eq!(admin.get(&path).await.data()["meta"]["count"], 1);
    let reason = json!({ "reason": "asked", "confirm": reference });
    admin
        .post(&format!("/api/v0/workspace/leads/{lead}/forget"), reason)
        .await
        .data();
    let shown = until(async || {
        let answer = admin
            .get(&format!("/api/v0/workspace/leads?as_of={before}"))
            .await;
        let row = answer.data()["result"][0].clone();
        (row["name_masked"] != "M••• L•••").then_some(row)
    })
    .await;
    assert!(!shown.to_string().contains("M•••"), "{shown}");
}

#[tokio::test]
async fn why_lists_the_causes_of_a_value_in_order() {
    let market = Market::open(&[1], &[]).await;
    let mei = market.person(1, 0);
    let lead_uuid = mei.enquire().await;
    let visitor = Visitor::new(&market.server);
    let wishes = [in_days(80), in_days(90)];
    for day in &wishes {
        let change = json!({ "lead": { "data": { "move_in_date": day } } });
        visitor
            .put(&format!("/api/v0/leads/{lead_uuid}"), change)
            .await
            .data();
    }
    let support = Visitor::new(&market.server);
    support.log_in_as("support").await;
    let list = support.get("/api/v0/workspace/leads").await;
    let lead = list.data()["result"][0]["lead_id"].as_str().unwrap().to_owned();
    let why = |path: &str| format!("/api/v0/workspace/why?aggregate={lead}&path={path}");
    let answer = support.get(&why("/data/move_in_date")).await;
    let causes = answer.data()["causes"].as_array().unwrap().clone();
    let told: Vec<_> = causes.iter().map(|cause| cause["to"].as_str().unwrap()).collect();
    assert_eq!(told[told.len() - 2..], wishes, "{}", answer.body);
    for cause in &causes {
        let position = cause["position"].as_u64().unwrap();
        let raw = support.get(&format!("/api/v0/workspace/events/{position}")).await;
        assert_eq!(cause["correlation_id"], raw.data()["correlation_id"]);
        assert_eq!(cause["actor"]["kind"], "student");
    }
    assert!(
        causes.windows(2).all(|pair| pair[0]["to"] == pair[1]["from"]),
        "{causes:?}"
    );
    let never = support.get(&why("/counsellor/counsellor_name")).await;
    assert_eq!((never.status, never.code()), (StatusCode::NOT_FOUND, "not_found"));
    let unknown = support.get(&why("/data/colour")).await;
    assert_eq!(
        (unknown.status, unknown.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["path"])
    );
    let unknown_lead = support
        .get("/api/v0/workspace/why?aggregate=none&path=/data/budget")
        .await;
    assert_eq!(unknown_lead.status, StatusCode::NOT_FOUND);
}
