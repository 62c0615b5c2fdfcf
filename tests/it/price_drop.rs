//! A price that falls while an enquiry keeps its own is offered by itself, and its sender is told once (MOONSHOTS M8, N8; decision 0025).

use chrono::{DateTime, TimeDelta, Utc};
use domain::id::{InventoryId, LeadId};
use domain::inventory::Inventory;
use domain::lead::{Lead, LeadCommand, LeadPersonal, Submission};
use eventlog::{Actor, Context, EventLog, commit};
use reqwest::Method;
use serde_json::{Value, json};

use crate::letters::{first, sent, timeline};
use crate::market::{Market, log_of};
use crate::price_lock::{HOME, ask};
use crate::visitor::{Visitor, enquiry};

const CREATED: &str = include_str!("../../domain/events/lead/LeadCreated.v4.json");
const GOOD_CARD: &str = "4242424242424242";

/// The lead of an enquiry for a room.
async fn enquire(visitor: &Visitor<'_>, room: &str, email: &str, notified: bool) -> Value {
    let mut body = enquiry("Mei Lin", email);
    body["lead"]["inventory_id"] = json!(room);
    body["lead"]["event_options"] = json!({ "user_notification": notified.to_string() });
    let sent = visitor.post("/api/v0/leads/", body).await;
    sent.data().clone()
}

/// An enquiry of eight days ago, whose price is not kept any more.
async fn enquire_long_ago(log: &EventLog, room: &str, email: &str) {
    let sample: Value = serde_json::from_str(CREATED).unwrap();
    let mut submission = sample["payload"]["Created"]["submission"].clone();
    let revision = log
        .load::<Inventory>(InventoryId(HOME.parse().unwrap()))
        .await
        .unwrap()
        .revision;
    let now: DateTime<Utc> = Utc::now();
    submission["inventory_id"] = json!(room);
    submission["inventory_root_id"] = json!(HOME);
    submission["quote"] = json!({ "home_id": HOME, "revision": revision, "until": now - TimeDelta::days(1) });
    let mut personal = sample["personal"].clone();
    personal["email"] = json!(email);
    let submission: Box<Submission> = serde_json::from_value(submission).unwrap();
    let personal: LeadPersonal = serde_json::from_value(personal).unwrap();
    let (lead_id, viewing) = (submission.lead_id, None);
    let at = now - TimeDelta::days(8);
    let submit = LeadCommand::Submit {
        submission,
        personal,
        viewing,
        at,
    };
    commit::<Lead>(log, lead_id, submit, &Context::new(at, Actor::SYSTEM))
        .await
        .unwrap();
}

/// Writes prices into the log, one after the other, and starts the server again.
async fn ask_for(market: &mut Market, prices: &[(u64, &str)]) {
    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    for (price, at) in prices {
        ask(&log, market, (*price, 100), at).await;
    }
    drop(log);
    market.kill_and_restart();
    market.caught_up().await;
}

/// Told once, in a mail and a page of it, with what it was, what it is and until when; who does not want it, has booked, said no or
/// enquired too long ago is not told.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn lower_price_is_offered_and_told_once() {
    let mut market = Market::open(&[9], &[]).await;
    ask_for(&mut market, &[(20_000, "2026-11-20T12:00:00Z")]).await;
    let room = market.rooms[0].clone();
    let visitor = Visitor::new(&market.server);
    let mei = enquire(&visitor, &room, "mei@example.com", true).await;
    enquire(&visitor, &room, "silent@example.com", false).await;
    let gone = enquire(&visitor, &room, "gone@example.com", true).await;
    let mut chinese = enquiry("Lin Bo", "lin@example.com");
    chinese["lead"]["inventory_id"] = json!(room);
    let zh = [("accept-language", "zh")];
    visitor
        .call(Method::POST, "/api/v0/leads/", Some(chinese), &zh)
        .await
        .data();
    let buyer = market.person(7, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD_CARD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;

    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    enquire_long_ago(&log, &room, "late@example.com").await;
    let gone = LeadId(gone["id"].as_str().unwrap().parse().unwrap());
    let (reason, at) = ("found another".to_owned(), Utc::now());
    let cancel = LeadCommand::Cancel { reason, at };
    commit::<Lead>(&log, gone, cancel, &Context::new(at, Actor::SYSTEM))
        .await
        .unwrap();
    drop(log);
    market.kill_and_restart();
    ask_for(&mut market, &[(22_000, "2026-12-01T12:00:00Z")]).await;
    let visitor = Visitor::new(&market.server);
    assert!(
        sent(&visitor, "mei@example.com", "price_dropped")
            .await
            .is_empty(),
        "a rise is no news"
    );

    ask_for(&mut market, &[(19_000, "2026-12-02T12:00:00Z")]).await;
    let visitor = Visitor::new(&market.server);
    let mail = first(&visitor, "mei@example.com", "price_dropped").await;
    let (subject, body) = (mail["subject"].as_str().unwrap(), mail["body"].as_str().unwrap());
    assert!(subject.contains("£190 a week"), "{subject}");
    for part in [
        "£190 a week",
        "£200 a week",
        // The home of this story lies in no city with a clock of its own: its country has one alone.
        " (London time)",
        "/profile/leads?tab=enquired",
        "/unsubscribe/",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    let other = first(&visitor, "lin@example.com", "price_dropped").await;
    let subject = other["subject"].as_str().unwrap();
    assert!(subject.contains("降价至每周 £190"), "{subject}");
    let page = mail["html"].as_str().unwrap();
    assert!(page.contains("£190 a week"), "{page}");
    market.caught_up().await;
    for quiet in [
        "silent@example.com",
        "gone@example.com",
        "late@example.com",
        "buyer7@example.com",
    ] {
        assert!(sent(&visitor, quiet, "price_dropped").await.is_empty(), "{quiet}");
    }
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let told: Vec<Value> = timeline(&desk, &mei).await;
    let of_price = |event: &&Value| event["sentence"]["key"] == "timeline.lead_letter_sent.price_dropped";
    assert_eq!(told.iter().filter(of_price).count(), 1, "{told:?}");

    // Nothing is told again by a restart; the next drop is a change of its own, also below a rise that came first.
    ask_for(
        &mut market,
        &[(21_000, "2026-12-03T12:00:00Z"), (18_000, "2026-12-04T12:00:00Z")],
    )
    .await;
    market.kill_and_restart();
    market.caught_up().await;
    let visitor = Visitor::new(&market.server);
    let mails = sent(&visitor, "mei@example.com", "price_dropped").await;
    assert_eq!(mails.len(), 2, "{mails:?}");
    assert!(
        mails[0]["subject"].as_str().unwrap().contains("£180 "),
        "{mails:?}"
    );
}

/// The months of the trend are what the recorded price events say: the last price asked in each month.
#[tokio::test]
async fn trend_equals_the_recorded_price_events() {
    let mut market = Market::open(&[9], &[]).await;
    let asked: [(u32, &str); 3] = [
        (20_000, "2026-09-20T12:00:00Z"),
        (22_000, "2026-10-01T12:00:00Z"),
        (19_000, "2026-11-02T12:00:00Z"),
    ];
    ask_for(
        &mut market,
        &asked.map(|(price_minor, at)| (u64::from(price_minor), at)),
    )
    .await;
    let visitor = Visitor::new(&market.server);
    let months = visitor
        .get(&format!("/api/v0/inventories/{HOME}/price_trends"))
        .await;
    let months = months.data().as_array().unwrap().clone();
    for (price_minor, at) in asked {
        let asked = Some(f64::from(price_minor) / 100.0);
        let is_told = |month: &&Value| month["month"] == at[..7] && month["median"].as_f64() == asked;
        assert!(months.iter().any(|month| is_told(&month)), "{at}: {months:?}");
    }
    assert_eq!(months.len(), asked.len(), "{months:?}");
}
