//! What people are told about money and enquiries, in which language, and that pages hear of every change.

use domain::id::{LeadId, ReferralId};
use domain::referral::{Referral, ReferralStatus};
use futures::StreamExt as _;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk::Officer;
use crate::market::{AUTUMN, Buyer, House, Market, log_of, until};
use crate::visitor::{Visitor, in_days};

const GOOD: &str = "4242424242424242";
/// A bank that decides later, and then pays.
const DELAYED: &str = "4000000000010043";
const NOT_ALLOWED: &str = "4000000000010019";

async fn messages(market: &Market, to: &str) -> Vec<Value> {
    let url = market.server.url(&format!("/dev/outbox?to={to}"));
    let answer: Value = Client::new().get(url).send().await.unwrap().json().await.unwrap();
    answer["data"].as_array().unwrap().clone()
}

async fn message(market: &Market, to: &str, kind: &str) -> Value {
    until(|| async {
        let all = messages(market, to).await;
        all.into_iter().find(|message| message["kind"] == kind)
    })
    .await
}

/// Whoever enquires hears that it arrived once in their language even over a kill.
#[tokio::test]
async fn enquiry_is_confirmed_once_in_its_language_despite_a_kill() {
    let mut market = Market::open(&[3], &[]).await;
    let english = market.person(1, 0);
    english.enquire().await;
    market.kill_and_restart();
    english.enquire().await;
    let arrived = message(&market, &english.email, "lead_booking").await;
    assert!(
        arrived["subject"].as_str().unwrap().contains("booking at "),
        "{arrived}"
    );
    let chinese = market.person(2, 0);
    let (status, _) = chinese.post("/api/v0/leads?lang=zh", chinese.lead_body()).await;
    assert_eq!(status, StatusCode::CREATED);
    let arrived = message(&market, &chinese.email, "lead_booking").await;
    assert!(arrived["subject"].as_str().unwrap().contains("预订"), "{arrived}");
    market.caught_up().await;
    assert_eq!(
        messages(&market, &english.email).await.len(),
        1,
        "the same enquiry again is no news"
    );
}

#[tokio::test]
async fn a_receipt_is_written_in_the_language_the_payment_was_made_in() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let lead_uuid = buyer.enquire().await;
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room } });
    let (_, opened) = buyer.post("/api/v0/payments?lang=zh", asked).await;
    let token = opened["data"]["token"].as_str().unwrap();
    buyer.begin(token).await;
    buyer.pay(token, GOOD).await;
    let receipt = message(&market, &buyer.email, "receipt").await;
    assert!(
        receipt["subject"].as_str().unwrap().starts_with("您的收据"),
        "{receipt}"
    );
    let info = &buyer.read(token).await["fetch_payment_info"];
    assert_eq!(
        (&info["currency"], &info["max_deposit"]),
        (&json!("GBP"), &Value::Null)
    );
}

/// All that a payment's stream tells until both refunds are made; says the statuses that it told so far.
async fn listen(opened: Response, says: watch::Sender<Vec<Value>>) -> Vec<Value> {
    let mut stream = opened.bytes_stream();
    let (mut text, mut told) = (String::new(), Vec::<Value>::new());
    while let Some(Ok(piece)) = stream.next().await {
        text.push_str(&String::from_utf8_lossy(&piece));
        while let Some((event, rest)) = text.clone().split_once("\n\n") {
            rest.clone_into(&mut text);
            let said = event.lines().find_map(|line| line.strip_prefix("data: "));
            told.extend(said.map(|payment| serde_json::from_str::<Value>(payment).unwrap()));
        }
        says.send_replace(told.iter().map(|payment| payment["status"].clone()).collect());
        if told
            .last()
            .is_some_and(|payment| payment["refunded_minor"] == 25_907)
        {
            return told;
        }
    }
    told
}

#[tokio::test]
async fn the_payment_stream_tells_each_change_once_and_in_order() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    let url = market.server.url(&format!("/api/v0/payments/{token}/stream"));
    let (says, mut statuses_told) = watch::channel(Vec::new());
    let opened = Client::new().get(url).send().await.unwrap();
    let heard = tokio::spawn(listen(opened, says));
    buyer.begin(&token).await;
    let declined = buyer.pay(&token, NOT_ALLOWED).await;
    assert_eq!(declined["decline"]["code"], "transaction_not_allowed");
    assert!(
        declined["decline"]["message"]
            .as_str()
            .unwrap()
            .starts_with("This card cannot be used")
    );
    // A stream tells the state that holds: what is over before it looks is not told.
    let failed =
        statuses_told.wait_for(|statuses: &Vec<Value>| statuses.iter().any(|status| status == "failed"));
    failed.await.unwrap();
    buyer.begin(&token).await;
    buyer.pay(&token, GOOD).await;
    let id = until(|| async {
        let found = officer.events("&kind=captured").await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let refunds = format!("/api/v0/workspace/payments/{id}/refunds");
    for amount in [10_000, 15_907] {
        let asked = json!({ "booking": "keep", "amount_minor": amount, "reason": "plans changed" });
        assert_eq!(officer.post(&refunds, asked).await.0, StatusCode::CREATED);
        let so_far = if amount == 10_000 { 10_000 } else { 25_907 };
        buyer
            .wait_for(&token, |payment| payment["refunded_minor"] == so_far)
            .await;
    }
    let told = heard.await.unwrap();
    let versions: Vec<u64> = told
        .iter()
        .map(|payment| payment["version"].as_u64().unwrap())
        .collect();
    assert!(versions.is_sorted_by(|one, next| one < next), "{versions:?}");
    let mut statuses: Vec<&str> = told
        .iter()
        .map(|payment| payment["status"].as_str().unwrap())
        .collect();
    statuses.dedup();
    assert_eq!(
        (statuses.first(), statuses.last()),
        (Some(&"init"), Some(&"success")),
        "{statuses:?}"
    );
    assert!(
        statuses.contains(&"initiated") && statuses.contains(&"failed"),
        "{statuses:?}"
    );
    assert!(told.iter().any(|payment| payment["refunded_minor"] == 10_000));
}

/// An address nobody proved gets at most three such messages a day and never the typed name.
#[tokio::test]
async fn unproved_address_gets_three_confirmations_a_day_unnamed() {
    let market = Market::open(&[3], &[]).await;
    let victim = market.person(1, 0);
    for n in 0..6 {
        if n == 3 {
            // The next hour's share: what keeps the fourth message back is not the work that a fifth enquiry costs.
            let (status, answer) = victim
                .post("/dev/clock", json!({ "forward_seconds": 3_700 }))
                .await;
            assert_eq!(status, StatusCode::OK, "{answer}");
        }
        let mut body = victim.lead_body();
        body["lead"]["user_details"]["name"] = json!("Win at evil.example");
        body["lead"]["data"] = json!({ "user_query": format!("question {n}") });
        let (status, answer) = victim.post("/api/v0/leads", body).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
    market.caught_up().await;
    let sent = messages(&market, &victim.email).await;
    assert_eq!(sent.len(), 3, "{sent:?}");
    assert!(!json!(sent).to_string().contains("evil.example"));
}

/// Enquires for a stay and asks to pay for a room; gives status and answer.
pub(crate) async fn ask(buyer: &Buyer, room: &str, day: &str, length: &str) -> (StatusCode, Value) {
    let mut body = buyer.lead_body();
    body["lead"]["data"] = json!({ "move_in_date": day, "lease_duration": length });
    let (_, lead) = buyer.post("/api/v0/leads", body).await;
    let asked = json!({ "payment": { "lead_uuid": lead["data"]["lead_uuid"], "inventory_id": room } });
    buyer.post("/api/v0/payments", asked).await
}

/// Leases that overlap share the rooms, each takes no more of them than it has, and is sold only as it was asked for.
#[tokio::test]
async fn leases_share_rooms_and_are_sold_as_asked_for() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (AUTUMN, 51, 3)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let mut ends = Vec::new();
    for (n, length) in [(1, "44 weeks"), (2, "44 weeks"), (3, "51 weeks")] {
        let buyer = market.person(n, 0);
        let (status, opened) = ask(&buyer, &buyer.room, AUTUMN, length).await;
        assert_eq!(status, StatusCode::CREATED, "{opened}");
        assert_eq!(
            opened["data"]["room"]["lease_duration"],
            length[..2].parse::<u64>().unwrap()
        );
        let token = opened["data"]["token"].as_str().unwrap();
        let end = match buyer.begin(token).await["status"].as_str() {
            Some("initiated") => buyer.pay(token, GOOD).await["status"].clone(),
            other => json!(other),
        };
        ends.push(end);
    }
    assert_eq!(json!(ends), json!(["success", "sold_out", "success"]));
    let buyer = market.person(4, 0);
    let (status, body) = ask(&buyer, &buyer.room, &in_days(1_000), "3 weeks").await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("not_bookable"))
    );
    let (status, body) = ask(&buyer, &market.elsewhere, AUTUMN, "44 weeks").await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("other_property"))
    );
    market.caught_up().await;
    let path = format!("/api/v0/inventories/{}/room_types", "bloomsbury-row-london");
    let (_, rooms) = buyer.try_call(Method::GET, &path, None, None).await.unwrap();
    let options = rooms["data"]["result"][0]["options"].as_array().unwrap();
    let left: Vec<_> = options
        .iter()
        .map(|option| option["rooms_left"].clone())
        .collect();
    assert_eq!(json!(left), json!([0, 1]), "{rooms}");
}

#[tokio::test]
async fn who_chooses_other_dates_before_paying_pays_for_those() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (AUTUMN, 51, 3)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let buyer = market.person(1, 0);
    let (_, first) = ask(&buyer, &buyer.room, AUTUMN, "44 weeks").await;
    let lead_uuid = first["data"]["lead_uuid"].as_str().unwrap();
    let change = json!({ "lead": { "data": { "lease_duration": "51 weeks" } } });
    let path = format!("/api/v0/leads/{lead_uuid}");
    let (status, changed) = buyer
        .try_call(Method::PUT, &path, Some(&change), None)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK, "{changed}");
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room } });
    let (_, second) = buyer.post("/api/v0/payments", asked).await;
    assert_eq!(second["data"]["room"]["lease_duration"], 51);
    assert_ne!(first["data"]["token"], second["data"]["token"]);
    let old = buyer.read(first["data"]["token"].as_str().unwrap()).await;
    assert!(old["cancelled_at"].is_string(), "{old}");
}

/// A lead that is changed while it is paid for says in the end what was paid.
#[tokio::test]
async fn lead_changed_during_payment_ends_with_what_was_paid() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (AUTUMN, 51, 3)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let buyer = market.person(1, 0);
    let (_, opened) = ask(&buyer, &buyer.room, AUTUMN, "44 weeks").await;
    let token = opened["data"]["token"].as_str().unwrap();
    let lead_uuid = opened["data"]["lead_uuid"].as_str().unwrap();
    buyer.begin(token).await;
    // The bank takes its time.
    market.plan(json!({ "settle_after_ms": 200 })).await;
    let paid = buyer.pay(token, DELAYED).await;
    assert_eq!(
        (&paid["status"], &paid["room"]["lease_duration"]),
        (&json!("pending"), &json!(44))
    );
    let path = format!("/api/v0/leads/{lead_uuid}");
    let change = json!({ "lead": { "data": { "lease_duration": "51 weeks" } } });
    let changed = buyer
        .try_call(Method::PUT, &path, Some(&change), None)
        .await
        .unwrap();
    assert_eq!(changed.0, StatusCode::OK, "{}", changed.1);
    let lead = until(|| async {
        let (_, lead) = buyer.try_call(Method::GET, &path, None, None).await.unwrap();
        (lead["data"]["state"] == "booked").then_some(lead)
    })
    .await;
    assert_eq!(
        (
            &lead["data"]["data"]["lease_duration"],
            &lead["data"]["data"]["move_in_date"]
        ),
        (&json!("44 weeks"), &json!(AUTUMN))
    );
}

/// A card form that is open for the old stay closes once another one is wished for: nobody pays for what they do not want any more.
#[tokio::test]
async fn open_card_form_of_another_stay_is_closed() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 2), (AUTUMN, 51, 3)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    for (n, by_support) in [(1, false), (2, true)] {
        let buyer = market.person(n, 0);
        let (_, opened) = ask(&buyer, &buyer.room, AUTUMN, "44 weeks").await;
        let token = opened["data"]["token"].as_str().unwrap();
        let lead_uuid = opened["data"]["lead_uuid"].as_str().unwrap();
        assert_eq!(buyer.begin(token).await["status"], "initiated");
        let path = format!("/api/v0/leads/{lead_uuid}");
        if by_support {
            let (_, lead) = buyer.try_call(Method::GET, &path, None, None).await.unwrap();
            let path = format!(
                "/api/v0/workspace/leads/{}/acts",
                lead["data"]["id"].as_str().unwrap()
            );
            let act = json!({ "act": "change_stay", "reason": "She rang", "lease_duration": "51 weeks" });
            let done = desk.post(&path, act).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.body);
        } else {
            let change = json!({ "lead": { "data": { "lease_duration": "51 weeks" } } });
            let changed = buyer.try_call(Method::PUT, &path, Some(&change), None).await;
            assert_eq!(changed.unwrap().0, StatusCode::OK);
        }
        until(async || buyer.read(token).await["cancelled_at"].is_string().then_some(())).await;
        let (refused, body) = buyer.press(token, json!({ "card_number": GOOD })).await;
        assert_eq!(refused, StatusCode::CONFLICT, "{body}");
        let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room } });
        let (_, again) = buyer.post("/api/v0/payments", asked).await;
        assert_eq!(again["data"]["room"]["lease_duration"], 51, "{again}");
        let token = again["data"]["token"].as_str().unwrap();
        assert_eq!(buyer.begin(token).await["status"], "initiated");
        assert_eq!(buyer.pay(token, GOOD).await["status"], "success");
    }
}

/// A friend's code opens a referral that the first payment completes and nobody refers themselves.
#[tokio::test]
async fn referral_completes_with_the_first_payment_never_ones_own() {
    let market = Market::open(&[5], &[]).await;
    let officer = Officer::arrives(&market).await;
    let me = officer.get("/api/v0/users/details").await["data"].clone();
    let code = me["referral_code"].as_str().unwrap().to_lowercase();
    let mut referrals = Vec::new();
    let alias = me["email"].as_str().unwrap().replace('@', "+friend@");
    for (n, code, email) in [
        (1, code.as_str(), None),
        (2, "NOBODY77", None),
        (4, code.as_str(), Some(&alias)),
    ] {
        let buyer = market.person(n, 0);
        let mut body = buyer.lead_body();
        if let Some(email) = email {
            body["lead"]["user_details"]["email"] = json!(email);
        }
        body["lead"]["referral_details"] = json!({ "name": "A friend", "code": code });
        let (_, lead) = buyer.post("/api/v0/leads", body).await;
        let asked =
            json!({ "payment": { "lead_uuid": lead["data"]["lead_uuid"], "inventory_id": buyer.room } });
        let (_, opened) = buyer.post("/api/v0/payments", asked).await;
        let token = opened["data"]["token"].as_str().unwrap();
        buyer.begin(token).await;
        buyer.pay(token, GOOD).await;
        referrals.push(LeadId(lead["data"]["id"].as_str().unwrap().parse().unwrap()));
    }
    let mut own = market.person(3, 0).lead_body();
    own["lead"]["user_details"]["email"] = me["email"].clone();
    own["lead"]["referral_details"] = json!({ "code": code });
    let (_, lead) = market.person(3, 0).post("/api/v0/leads", own).await;
    referrals.push(LeadId(lead["data"]["id"].as_str().unwrap().parse().unwrap()));
    market.caught_up().await;
    let log = log_of(&market.server).await;
    let mut found = Vec::new();
    for lead_id in referrals {
        found.push(
            log.load::<Referral>(ReferralId(lead_id.0))
                .await
                .unwrap()
                .state
                .status,
        );
    }
    let (completed, held) = (ReferralStatus::Completed, ReferralStatus::Held);
    assert_eq!(
        found,
        [Some(completed), None, Some(held), None],
        "an alias is held for review"
    );

    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let list = "/api/v0/workspace/leads?attention=referral_held";
    let waiting = desk.get(list).await.data().clone();
    assert_eq!(waiting["meta"]["count"], 1);
    let lead_id: LeadId = waiting["result"][0]["lead_id"].as_str().unwrap().parse().unwrap();
    let review = format!("/api/v0/workspace/leads/{lead_id}/referral");
    desk.post(&review, json!({ "accepted": true })).await.data();
    let again = desk.post(&review, json!({ "accepted": false })).await;
    assert_eq!(
        (again.status, again.code()),
        (StatusCode::CONFLICT, "referral_not_held")
    );
    assert_eq!(desk.get(list).await.data()["meta"]["count"], 0);
    let log = log_of(&market.server).await;
    let reviewed = log.load::<Referral>(ReferralId(lead_id.0)).await.unwrap();
    assert_eq!(
        reviewed.state.status,
        Some(completed),
        "it was paid before the review"
    );
}

/// A mail is text and a page with the picture of the home it is about.
#[tokio::test]
async fn mail_has_text_and_html_with_the_homes_picture() {
    let world = ("LATCHKEY_PUBLIC_URL", "https://rooms.example");
    let market = Market::open(&[3], &[world, ("LATCHKEY_DEV_TOOLS", "true")]).await;
    let buyer = market.person(1, 0);
    let mut body = buyer.lead_body();
    body["lead"]["user_details"]["name"] = json!("Mei O'Lin");
    let (_, lead) = buyer.post("/api/v0/leads?lang=zh", body).await;
    let asked = json!({ "payment": { "lead_uuid": lead["data"]["lead_uuid"], "inventory_id": buyer.room } });
    let (_, opened) = buyer.post("/api/v0/payments?lang=zh", asked).await;
    let token = opened["data"]["token"].as_str().unwrap();
    buyer.begin(token).await;
    buyer.pay(token, GOOD).await;
    for kind in ["lead_booking", "receipt"] {
        let mail = message(&market, &buyer.email, kind).await;
        let (text, html) = (mail["body"].as_str().unwrap(), mail["html"].as_str().unwrap());
        assert!(
            !text.contains('<') && html.contains("<html lang=\"zh\">"),
            "{mail}"
        );
        let first = text.lines().find(|line| line.contains("Bloomsbury")).unwrap();
        assert!(html.contains(first.split('。').next().unwrap()), "{mail}");
        assert!(
            html.contains("<a href=\"https://rooms.example/profile/leads"),
            "{html}"
        );
        let source = html
            .split("<img src=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let path = source.strip_prefix("https://rooms.example").unwrap();
        assert!(
            path.starts_with("/pictures/") && path.ends_with(".720.jpg"),
            "{source}"
        );
        let picture = Client::new().get(market.server.url(path)).send().await.unwrap();
        assert_eq!(picture.status(), StatusCode::OK);
        assert_eq!(picture.headers()["content-type"], "image/jpeg");
    }
    let page = Client::new().get(market.server.url("/dev/outbox"));
    let page = page
        .header("accept", "text/html")
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(page.contains("<iframe sandbox title="), "{page}");
}
