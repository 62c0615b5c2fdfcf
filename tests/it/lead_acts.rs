//! What the desk does to a lead (row I4): each act with who and why in the lead's history.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::desk::Officer;
use crate::market::{AUTUMN, House, Market, until};
use crate::visitor::{Answer, Visitor, enquiry, in_days, some_property};

const MEI: &str = "mei@example.com";

async fn sent(visitor: &Visitor<'_>, home: Option<&str>) -> Value {
    let mut body = enquiry("Mei Lin", MEI);
    if let Some(home) = home {
        body["lead"]["inventory_id"] = json!(home);
    }
    visitor.post("/api/v0/leads/", body).await.data().clone()
}

fn base(lead: &Value) -> String {
    format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap())
}

async fn act(desk: &Visitor<'_>, lead: &Value, body: Value) -> Answer {
    desk.post(&format!("{}/acts", base(lead)), body).await
}

/// The sentences of a lead's history.
async fn told(desk: &Visitor<'_>, lead: &Value) -> Vec<String> {
    let history = desk.get(&format!("{}/timeline", base(lead))).await.data().clone();
    let events = history["events"].as_array().unwrap();
    events
        .iter()
        .map(|event| event["sentence"]["key"].as_str().unwrap().to_owned())
        .collect()
}

async fn mails(visitor: &Visitor<'_>, to: &str) -> Vec<String> {
    let sent = visitor.get(&format!("/dev/outbox?to={to}")).await;
    let mails = sent.data().as_array().unwrap().clone();
    mails
        .iter()
        .map(|mail| mail["kind"].as_str().unwrap().to_owned())
        .collect()
}

/// A lead is closed with a reason of the list, and stands as before when the close is taken back.
#[tokio::test]
async fn lead_is_closed_with_a_reason_and_opened_again() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = sent(&mei, None).await;
    desk.log_in_as("support").await;
    let bad = act(&desk, &lead, json!({ "act": "close", "cause": "boredom" })).await;
    assert_eq!(
        (bad.status, bad.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["cause"])
    );
    let bad = act(&desk, &lead, json!({ "act": "close", "cause": "other" })).await;
    assert_eq!(bad.fields(), ["reason"]);
    let close = json!({ "act": "close", "cause": "booked_elsewhere", "reason": "Found a flat" });
    let closed = act(&desk, &lead, close).await.data().clone();
    assert_eq!(closed["status"], "lost");
    let can = closed["can"].as_array().unwrap();
    assert!(
        can.contains(&json!("reopen")) && !can.contains(&json!("close")),
        "{can:?}"
    );
    let opened = act(&desk, &lead, json!({ "act": "reopen" })).await.data().clone();
    assert_eq!(opened["status"], "enquired");
    let again = act(&desk, &lead, json!({ "act": "reopen" })).await;
    assert_eq!(
        (again.status, again.code()),
        (StatusCode::CONFLICT, "not_closed_here")
    );
    let told = told(&desk, &lead).await;
    for key in [
        "timeline.lead_acted.closed.booked_elsewhere",
        "timeline.lead_acted.reopened",
    ] {
        assert!(told.contains(&key.to_owned()), "{told:?}");
    }
}

/// Dates are changed by the student's own rules, and the student is told.
#[tokio::test]
async fn dates_are_changed_for_the_student_who_is_told() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let lead = sent(&mei, Some(&home)).await;
    desk.log_in_as("support").await;
    let past = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": "1999-01-01" });
    let refused = act(&desk, &lead, past).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let change = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": AUTUMN });
    let changed = act(&desk, &lead, change).await.data().clone();
    assert_eq!(changed["stay"]["move_in_date"], AUTUMN);
    until(|| async {
        let kinds = mails(&mei, MEI).await;
        kinds.contains(&"changed_for_you".to_owned()).then_some(())
    })
    .await;
    let told = told(&desk, &lead).await;
    assert!(
        told.contains(&"timeline.lead_acted.stay_changed".to_owned()),
        "{told:?}"
    );
    assert!(
        told.contains(&"timeline.lead_wish_changed".to_owned()),
        "{told:?}"
    );
}

/// Support moves a stay to what the home lets, with its price, and to nothing else: what is sent can be paid. The mail names both stays.
#[tokio::test]
async fn stay_is_moved_to_what_the_home_lets_alone() {
    const WINTER: &str = "2028-01-08";
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 9), (WINTER, 26, 9)], vec![(WINTER, 51, 9)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let (mei, desk) = (Visitor::new(&market.server), Visitor::new(&market.server));
    let mut body = enquiry("Mei Lin", MEI);
    body["lead"]["inventory_id"] = json!(market.rooms[0]);
    body["lead"]["data"] = json!({ "move_in_date": AUTUMN, "lease_duration": "44 weeks" });
    let lead = mei.post("/api/v0/leads/", body).await.data().clone();
    desk.log_in_as("support").await;
    let shown = desk.get(&format!("{}/desk", base(&lead))).await.data().clone();
    let told = |stay: &Value| {
        let rent = stay["rent"]["amount_minor"].clone();
        (stay["move_in_date"].clone(), stay["lease_duration"].clone(), rent)
    };
    let autumn = (json!(AUTUMN), json!("44 weeks"), json!(28_900));
    let winter = (json!(WINTER), json!("26 weeks"), json!(30_900));
    let stays: Vec<_> = shown["stays"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(
        (told(&shown["stay"]), stays),
        (autumn.clone(), vec![autumn, winter.clone()])
    );
    assert!(shown["price_until"].is_string(), "{shown}");
    for (day, length) in [
        ("2027-12-01", "44 weeks"),
        (AUTUMN, "26 weeks"),
        (WINTER, "51 weeks"),
        (AUTUMN, "44 months"),
    ] {
        let change = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": day, "lease_duration": length });
        let refused = act(&desk, &lead, change).await;
        assert_eq!(
            refused.fields(),
            ["move_in_date"],
            "{day} {length}: {}",
            refused.body
        );
    }
    let change = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": WINTER, "lease_duration": "26 weeks" });
    let changed = act(&desk, &lead, change).await.data().clone();
    assert_eq!(told(&changed["stay"]), winter);
    let asked = json!({ "payment": { "lead_uuid": lead["lead_uuid"], "inventory_id": market.rooms[0] } });
    let opened = mei.post("/api/v0/payments", asked).await;
    assert_eq!(opened.data()["room"]["move_in_date"], WINTER, "{}", opened.body);
    let mail = until(|| async {
        let sent = mei.get(&format!("/dev/outbox?to={MEI}")).await;
        let mails = sent.data().as_array().unwrap().clone();
        mails.into_iter().find(|mail| mail["kind"] == "changed_for_you")
    })
    .await
    .to_string();
    for named in ["11 September 2027", "£289 ", "8 January 2028", "£309 "] {
        assert!(mail.contains(named), "{named}: {mail}");
    }
}

/// A room of the same home is chosen while the form is open.
#[tokio::test]
async fn room_is_changed_for_the_student_while_the_form_is_open() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let lead = sent(&mei, Some(&home)).await;
    desk.log_in_as("support").await;
    let rooms = desk.get(&format!("{}/desk", base(&lead))).await.data()["rooms"].clone();
    let room = rooms[0]["inventory_id"].clone();
    let change = json!({ "act": "change_room", "reason": "She rang", "inventory_id": room });
    let early = act(&desk, &lead, change).await;
    assert_eq!(
        (early.status, early.code()),
        (StatusCode::CONFLICT, "no_open_form")
    );
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    mei.post("/api/v0/booking_forms", form).await.data();
    let stay = desk.get(&format!("{}/desk", base(&lead))).await.data()["stays"][0].clone();
    let change = json!({ "act": "change_stay", "reason": "She rang", "inventory_id": stay["inventory_id"],
        "move_in_date": stay["move_in_date"], "lease_duration": stay["lease_duration"] });
    let changed = act(&desk, &lead, change).await.data().clone();
    assert_eq!(changed["room"], stay["inventory_id"]);
}

/// The confirmation and a login code go out again, under limits.
#[tokio::test]
async fn confirmation_and_code_are_sent_again_within_limits() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = sent(&mei, None).await;
    desk.log_in_as("support").await;
    let again = json!({ "act": "send_enquiry", "reason": "It was in her spam" });
    let shown = act(&desk, &lead, again.clone()).await.data().clone();
    assert!(!shown.to_string().contains(MEI), "{shown}");
    until(|| async {
        let arrived = mails(&mei, MEI).await;
        let confirmations = arrived.iter().filter(|kind| *kind == "lead_anywhere").count();
        (confirmations == 2).then_some(())
    })
    .await;
    let soon = act(&desk, &lead, again).await;
    assert_eq!(
        (soon.status, soon.code()),
        (StatusCode::CONFLICT, "sent_moments_ago")
    );
    let code = json!({ "act": "send_code", "reason": "She cannot log in" });
    let shown = act(&desk, &lead, code.clone()).await.data().clone();
    assert!(!shown.to_string().contains("otp"), "{shown}");
    assert!(mails(&mei, MEI).await.contains(&"otp".to_owned()));
    let soon = act(&desk, &lead, code).await;
    assert_eq!(soon.status, StatusCode::TOO_MANY_REQUESTS);
}

/// The lead of a market's only buyer.
async fn only_lead(desk: &Visitor<'_>) -> Value {
    let list = desk.get("/api/v0/workspace/leads").await.data().clone();
    json!({ "id": list["result"][0]["lead_id"] })
}

/// Support extends a hold once, and the payer's page counts down to the new end.
#[tokio::test]
async fn hold_is_extended_by_staff_once() {
    let market = Market::open(&[1], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let lead = only_lead(&desk).await;
    let before = buyer.read(&token).await["hold_expires_at"].clone();
    let extend = json!({ "act": "extend_hold", "reason": "His bank rings him back" });
    let shown = act(&desk, &lead, extend.clone()).await.data().clone();
    let after = buyer.read(&token).await["hold_expires_at"].clone();
    assert!(after.as_str() > before.as_str(), "{before} {after}");
    assert!(shown["payment"]["hold_until"].is_string());
    let again = act(&desk, &lead, extend).await;
    assert_eq!(
        (again.status, again.code()),
        (StatusCode::CONFLICT, "hold_extended_already")
    );
}

/// Support asks, finance sees who and why, declines once and grants once by giving the money back.
#[tokio::test]
async fn refund_is_asked_by_support_and_answered_by_finance() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead_id, officer) = crate::payment_links::booked(&market).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let lead = json!({ "id": lead_id });
    let close = json!({ "act": "close", "cause": "no_answer" });
    assert_eq!(act(&desk, &lead, close).await.code(), "has_booking");
    let ask = json!({ "act": "ask_cancellation", "reason": "Her visa was refused" });
    let shown = act(&desk, &lead, ask.clone()).await.data().clone();
    assert_eq!(shown["asks"][0]["why"], "Her visa was refused");
    assert_eq!(
        act(&desk, &lead, ask.clone()).await.code(),
        "refund_asked_already"
    );
    let list = "/api/v0/workspace/payments/refund_requests";
    assert_eq!(desk.get(list).await.status, StatusCode::FORBIDDEN);
    let asked = officer.get(list).await["data"].clone();
    assert_eq!(
        (&asked[0]["why"], &asked[0]["ends_booking"], &asked[0]["by"]),
        (&json!("Her visa was refused"), &json!(true), &json!("support"))
    );
    let decline = format!("{list}/{}/decline", asked[0]["ask_id"].as_str().unwrap());
    let (status, body) = officer.post(&decline, json!({ "reason": "" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    let (status, body) = officer.post(&decline, json!({ "reason": "No letter yet" })).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(officer.get(list).await["data"], json!([]));
    act(&desk, &lead, ask).await.data();
    grant(&officer, asked[0]["payment_id"].as_str().unwrap(), &asked[0]).await;
    until(|| async { (officer.get(list).await["data"] == json!([])).then_some(()) }).await;
    let told = told(&desk, &lead).await;
    for kind in ["cancellation_asked", "refund_declined", "refund_closed_by_refund"] {
        assert!(told.contains(&format!("timeline.lead_acted.{kind}")), "{told:?}");
    }
}

async fn grant(officer: &Officer, payment_id: &str, asked: &Value) {
    let amount = &asked["refundable_minor"];
    let body = json!({ "booking": "cancel", "amount_minor": amount, "typed_minor": amount, "reason": "Visa refused" });
    let (status, body) = officer
        .post(&format!("/api/v0/workspace/payments/{payment_id}/refunds"), body)
        .await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
}

/// Two leads of one person: the double is closed, both link to each other, and the mark can be taken back.
#[tokio::test]
async fn double_points_to_the_kept_lead_and_back() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let (first, second) = (sent(&mei, None).await, sent(&mei, Some(&home)).await);
    let mut other = enquiry("Jo Doe", "jo@example.com");
    other["lead"]["user_details"]["phone"] = json!("+447700900456");
    let other = mei.post("/api/v0/leads/", other).await.data().clone();
    desk.log_in_as("support").await;
    let mark =
        |kept: &Value| json!({ "act": "mark_double", "reason": "Sent twice", "kept_lead_id": kept["id"] });
    assert_eq!(act(&desk, &first, mark(&other)).await.code(), "not_a_double");
    let marked = act(&desk, &first, mark(&second)).await.data().clone();
    assert_eq!(
        (&marked["status"], &marked["double_of"]["lead_id"]),
        (&json!("lost"), &second["id"])
    );
    let history = desk
        .get(&format!("{}/timeline", base(&first)))
        .await
        .data()
        .clone();
    let events = history["events"].as_array().unwrap().iter();
    let mut changes = events.flat_map(|event| event["changes"].as_array().unwrap());
    let double_of = changes.find(|change| change["field"] == "double_of").unwrap();
    assert_eq!(
        double_of["to"], marked["double_of"]["reference"],
        "people read a reference"
    );
    let kept = desk.get(&format!("{}/desk", base(&second))).await.data().clone();
    assert_eq!(kept["doubles"][0]["lead_id"], first["id"]);
    let parted = act(&desk, &first, json!({ "act": "unmark_double" }))
        .await
        .data()
        .clone();
    assert_eq!(
        (&parted["status"], &parted["double_of"]),
        (&json!("enquired"), &Value::Null)
    );
    act(&desk, &first, mark(&second)).await.data();
    let day = json!({ "lead": { "data": { "move_in_date": in_days(60) } } });
    let uuid = first["lead_uuid"].as_str().unwrap();
    assert_eq!(
        mei.put(&format!("/api/v0/leads/{uuid}"), day).await.code(),
        "lead_closed"
    );
    let told = told(&desk, &second).await;
    assert!(
        told.contains(&"timeline.lead_acted.double_joined".to_owned()),
        "{told:?}"
    );
}

/// A colleague who is mentioned gets a mail and finds the lead by a filter; teams are those of the settings.
#[tokio::test]
async fn note_mentions_a_colleague_and_a_team_owns_the_lead() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        (
            "LATCHKEY_TEAMS",
            "payments, moving in=ben@staff.example Admin@staff.example",
        ),
    ]);
    let (mei, desk, boss) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    let lead = sent(&mei, None).await;
    desk.log_in_as("support").await;
    boss.log_in_as("admin").await;
    let notes = format!("{}/notes", base(&lead));
    let unknown = desk.post(&notes, json!({ "note": "@nobody please look" })).await;
    assert_eq!(
        (unknown.status, unknown.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["note"])
    );
    desk.post(
        &notes,
        json!({ "note": "@admin please look, she rang mei@example.com" }),
    )
    .await
    .data();
    until(|| async {
        let kinds = mails(&boss, "admin@staff.example").await;
        kinds.contains(&"mentioned".to_owned()).then_some(())
    })
    .await;
    let mine = boss
        .get("/api/v0/workspace/leads?mentions=me")
        .await
        .data()
        .clone();
    assert_eq!(mine["meta"]["count"], 1);
    let none = desk
        .get("/api/v0/workspace/leads?mentions=me")
        .await
        .data()
        .clone();
    assert_eq!(none["meta"]["count"], 0);
    let wrong = act(&desk, &lead, json!({ "act": "set_team", "team": "kitchen" })).await;
    assert_eq!(wrong.fields(), ["team"]);
    let given = act(&desk, &lead, json!({ "act": "set_team", "team": "moving in" }))
        .await
        .data()
        .clone();
    assert_eq!(
        (&given["team"], &given["teams"]),
        (&json!("moving in"), &json!(["payments", "moving in"]))
    );
    let team = desk
        .get("/api/v0/workspace/leads?team=moving%20in")
        .await
        .data()
        .clone();
    assert_eq!(team["meta"]["count"], 1);
    // The view of one's own teams holds it for a member alone.
    for (reader, wanted) in [(&boss, 1), (&desk, 0)] {
        let views = reader.get("/api/v0/workspace/leads/views").await.data().clone();
        let mut views = views.as_array().unwrap().iter();
        let own = views.find(|view| view["id"] == "my_team").unwrap();
        assert_eq!(own["count"], wanted, "{own}");
        let found = reader.get("/api/v0/workspace/leads?team=mine").await;
        assert_eq!(found.data()["meta"]["count"], wanted);
    }
}

/// A note's words are read in the history by those who may write notes, and are gone with the person.
#[tokio::test]
async fn note_is_read_in_the_history_by_the_desk_alone() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let (mei, desk, boss, finance) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    let lead = sent(&mei, None).await;
    desk.log_in_as("support").await;
    boss.log_in_as("admin").await;
    finance.log_in_as("finance").await;
    let words = json!("Prefers to be called after six");
    desk.post(&format!("{}/notes", base(&lead)), json!({ "note": words }))
        .await
        .data();
    let read = async |reader: &Visitor<'_>| {
        let timeline = reader
            .get(&format!("{}/timeline", base(&lead)))
            .await
            .data()
            .clone();
        let mut events = timeline["events"].as_array().unwrap().iter();
        let note = events.find(|event| event["type"] == "LeadNoteAdded");
        note.map(|note| note["sentence"]["params"]["note"].clone())
    };
    until(async || (read(&desk).await.as_ref() == Some(&words)).then_some(())).await;
    assert_eq!(read(&boss).await, Some(words));
    let told = read(&finance).await.unwrap();
    assert_eq!(told, Value::Null, "finance reads no words about a person");
    let row = boss.get("/api/v0/workspace/leads").await.data()["result"][0].clone();
    let asked = json!({ "reason": "asked", "confirm": row["reference"] });
    boss.post(&format!("{}/forget", base(&lead)), asked).await.data();
    until(async || (read(&desk).await == Some(json!(""))).then_some(())).await;
}
