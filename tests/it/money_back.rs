//! Money that goes back: refunds in full and in part, disputes, and the room that is free again.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{AUTUMN, Buyer, House, Market, until};

const GOOD: &str = "4242424242424242";
pub(crate) const DISPUTED: &str = "4000000000000259";
const WHOLE: u64 = 25_907;

/// A room paid for: the payer, the payment's token and its id.
async fn paid(officer: &Officer, buyer: Buyer, card: &str) -> (Buyer, String, String) {
    let token = buyer.begun().await;
    let payment = buyer.pay(&token, card).await;
    assert_eq!(payment["status"], "success", "{payment}");
    let reference = payment["reference"].as_str().unwrap();
    let id = until(|| async {
        let found = officer.events(&format!("&kind=captured&q={reference}")).await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    (buyer, token, id)
}

async fn refund(officer: &Officer, id: &str, (booking, amount): (&str, u64)) -> (StatusCode, Value) {
    let asked = json!({
        "booking": booking, "amount_minor": amount, "typed_minor": amount, "reason": "plans changed"
    });
    officer
        .post(&format!("/api/v0/workspace/payments/{id}/refunds"), asked)
        .await
}

async fn told(market: &Market, buyer: &Buyer, kind: &str, times: usize) {
    until(|| async {
        let kinds = market.messages(&buyer.email).await;
        (kinds.iter().filter(|it| *it == kind).count() == times).then_some(())
    })
    .await;
}

pub(crate) async fn lead_state(buyer: &Buyer, lead_uuid: &Value) -> String {
    let path = format!("/api/v0/leads/{}", lead_uuid.as_str().unwrap());
    let (_, lead) = buyer
        .try_call(reqwest::Method::GET, &path, None, None)
        .await
        .unwrap();
    lead["data"]["state"].as_str().unwrap_or_default().to_owned()
}

/// A full refund frees the last room ends the booking and says so once.
#[tokio::test]
async fn full_refund_frees_the_room_ends_the_booking_and_tells_once() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    let (buyer, token, id) = paid(&officer, market.person(1, 0), GOOD).await;
    let captured = officer.events("&kind=captured").await["result"][0].clone();
    assert!(
        captured["causation_position"].is_u64(),
        "what took the money has a cause: {captured}"
    );
    let lead_uuid = buyer.lead_of(&token);
    until(|| async { (lead_state(&buyer, &lead_uuid).await == "booked").then_some(()) }).await;
    let next = market.person(2, 0);
    let told_no = next.open().await;
    assert_eq!(next.begin(&told_no).await["status"], "sold_out");

    assert_eq!(
        refund(&officer, &id, ("cancel", WHOLE)).await.0,
        StatusCode::CREATED
    );
    told(&market, &buyer, "booking_cancelled", 1).await;
    told(&market, &buyer, "refunded", 1).await;
    until(|| async { (lead_state(&buyer, &lead_uuid).await == "cancelled").then_some(()) }).await;
    until(|| async {
        let given_back = officer.events("&kind=room_given_back").await;
        (given_back["meta"]["count"] == 1).then_some(())
    })
    .await;

    let (_, _, other) = paid(&officer, next, GOOD).await;
    assert_ne!(id, other, "the room is sold again");
    assert_eq!(
        buyer.read(&token).await["status"],
        "success",
        "nothing leaves success"
    );
}

/// Each of several partial refunds is told once and the room stays.
#[tokio::test]
async fn partial_refunds_are_each_told_once_and_keep_the_room() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    let (buyer, token, id) = paid(&officer, market.person(1, 0), GOOD).await;
    for (number, amount) in [(1, 1_000), (2, 2_000), (3, 1_000)] {
        assert_eq!(
            refund(&officer, &id, ("keep", amount)).await.0,
            StatusCode::CREATED
        );
        told(&market, &buyer, "refunded", number).await;
    }
    let payment = buyer.read(&token).await;
    assert_eq!(payment["refunded_minor"], 4_000);
    assert_eq!(payment["refunds"].as_array().unwrap().len(), 3);
    market.caught_up().await;
    told(&market, &buyer, "refunded", 3).await;
    told(&market, &buyer, "booking_cancelled", 0).await;
    let late = market.person(2, 0);
    let token = late.open().await;
    assert_eq!(late.begin(&token).await["status"], "sold_out");
    let dossier = officer.dossier(&id).await;
    assert_eq!(
        (&dossier["balance_minor"], &dossier["refundable_minor"]),
        (&json!(0), &json!(21_907))
    );
}

/// Moves the dispute about this payment's charge.
pub(crate) async fn dispute(market: &Market, officer: &Officer, payment_id: &str, status: &str) {
    let gateway = market.gateway().await;
    let intents = gateway["intents"].as_array().unwrap();
    let intent = intents.iter().find(|intent| intent["payment_id"] == payment_id);
    let body = json!({ "intent": intent.unwrap()["id"], "status": status });
    let (answer, body) = officer.post("/dev/sandbox/disputes", body).await;
    assert_eq!(answer, StatusCode::OK, "{body}");
}

pub(crate) async fn listed(officer: &Officer, kind: &str) {
    until(|| async {
        let found = officer.events(&format!("&kind={kind}")).await;
        (found["meta"]["count"] == 1).then_some(())
    })
    .await;
}

fn sum_of(dossier: &Value, account: &str) -> i64 {
    let lines = dossier["ledger"].as_array().unwrap().iter();
    lines
        .filter(|line| line["account"] == account)
        .map(|line| line["debit_minor"].as_i64().unwrap() - line["credit_minor"].as_i64().unwrap())
        .sum()
}

/// A dispute is audited blocks refunds and is won or lost in the books.
#[tokio::test]
async fn dispute_is_audited_blocks_refunds_and_is_booked() {
    let finance = "finance@staff.example";
    let market = Market::open(&[5], &[("LATCHKEY_FINANCE_EMAIL", finance)]).await;
    market
        .plan(json!({ "duplicate_percent": 100, "duplicates": 2, "delay_ms": 200, "reorder": true }))
        .await;
    let officer = Officer::arrives(&market).await;
    let (buyer, token, id) = paid(&officer, market.person(1, 0), DISPUTED).await;
    listed(&officer, "dispute_opened").await;
    let totals = officer.totals().await;
    assert_eq!(
        (
            &totals["disputed_minor"],
            &totals["fees_minor"],
            &totals["net_minor"]
        ),
        (&json!(WHOLE), &json!(1_500), &json!(-1_500))
    );
    let (refused, why) = refund(&officer, &id, ("keep", 100)).await;
    assert_eq!(
        (refused, why["message"]["code"].as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, Some("refund_disputed"))
    );
    dispute(&market, &officer, &id, "won").await;
    listed(&officer, "dispute_won").await;
    let dossier = officer.dossier(&id).await;
    assert_eq!(sum_of(&dossier, "gateway_clearing"), 25_907);
    assert_eq!(
        (sum_of(&dossier, "disputes"), &dossier["balance_minor"]),
        (0, &json!(0))
    );
    assert_eq!(buyer.read(&token).await["status"], "success");
    let ours = dossier["events"].as_array().unwrap().iter();
    let is_decided = |pair: &&Value| {
        pair["webhook"]["type"] == "charge.dispute.closed" && pair["ours"]["kind"] == "dispute_won"
    };
    assert_eq!(ours.filter(is_decided).count(), 1);

    let (loser, lost_token, lost) = paid(&officer, market.person(2, 0), GOOD).await;
    let lead_uuid = loser.lead_of(&lost_token);
    dispute(&market, &officer, &lost, "needs_response").await;
    // Notices are shuffled: one that says lost before any says opened would leave nothing to tell of the opening.
    until(|| async { (sum_of(&officer.dossier(&lost).await, "disputes") != 0).then_some(()) }).await;
    dispute(&market, &officer, &lost, "lost").await;
    listed(&officer, "dispute_lost").await;
    let dossier = officer.dossier(&lost).await;
    assert_eq!(
        (
            sum_of(&dossier, "holding_fees") + sum_of(&dossier, "deposits"),
            sum_of(&dossier, "processing_fees"),
            sum_of(&dossier, "dispute_losses"),
            sum_of(&dossier, "gateway_clearing"),
            sum_of(&dossier, "dispute_fees"),
        ),
        (0, 0, 0, -1_500, 1_500),
        "nothing is owed and nothing was earned: {dossier}"
    );
    until(|| async { (lead_state(&loser, &lead_uuid).await == "cancelled").then_some(()) }).await;
    listed(&officer, "room_given_back").await;
    let alerts = until(|| async {
        let sent = market.messages(finance).await;
        let alerts: Vec<String> = sent
            .into_iter()
            .filter(|kind| kind.starts_with("dispute"))
            .collect();
        (alerts.len() >= 3).then_some(alerts)
    })
    .await;
    assert_eq!(alerts, ["dispute_opened", "dispute_opened", "dispute_lost"]);
    assert_eq!(officer.totals().await["net_minor"], WHOLE - 1_500);
    officer.every_ledger_balances().await;
}

#[tokio::test]
async fn a_large_refund_in_small_steps_needs_an_administrator() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 3)]],
        token_minor: 150_000,
    };
    let market = Market::with(&house, &[]).await;
    let officer = Officer::arrives(&market).await;
    let (_, _, id) = paid(&officer, market.person(1, 0), GOOD).await;
    assert_eq!(
        refund(&officer, &id, ("keep", 90_000)).await.0,
        StatusCode::CREATED
    );
    let (refused, why) = refund(&officer, &id, ("keep", 10_001)).await;
    assert_eq!(
        (refused, why["message"]["code"].as_str()),
        (StatusCode::FORBIDDEN, Some("refund_above_limit"))
    );
    assert_eq!(
        refund(&officer, &id, ("keep", 10_000)).await.0,
        StatusCode::CREATED
    );
}

/// The deposit after the holding fee goes on with the same last room.
#[tokio::test]
async fn deposit_after_the_holding_fee_keeps_the_same_last_room() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]],
        token_minor: 10_000,
    };
    let market = Market::with(&house, &[]).await;
    let officer = Officer::arrives(&market).await;
    let (buyer, token, fee) = paid(&officer, market.person(1, 0), GOOD).await;
    let lead_uuid = buyer.lead_of(&token);
    let form =
        json!({ "booking_form": { "lead_uuid": lead_uuid, "inventory_id": buyer.room, "flow": "book" } });
    let (_, form) = buyer.post("/api/v0/booking_forms", form).await;
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room,
        "form_uuid": form["data"]["form_uuid"] } });
    let (_, opened) = buyer.post("/api/v0/payments", asked).await;
    let deposit = opened["data"]["token"].as_str().unwrap();
    assert_ne!(deposit, token);
    assert_eq!(buyer.begin(deposit).await["status"], "initiated");
    let payment = buyer.pay(deposit, GOOD).await;
    assert_eq!(
        (&payment["status"], &payment["lines"][0]["type"]),
        (&json!("success"), &json!("deposit"))
    );

    // The fee goes back; the deposit keeps the room.
    assert_eq!(
        refund(&officer, &fee, ("cancel", 10_363)).await.0,
        StatusCode::CREATED
    );
    told(&market, &buyer, "refunded", 1).await;
    listed(&officer, "room_given_back").await;
    assert_eq!(lead_state(&buyer, &lead_uuid).await, "booked");
    let late = market.person(2, 0);
    let token = late.open().await;
    assert_eq!(late.begin(&token).await["status"], "sold_out");
}

/// Two tabs, two rooms, one enquiry: one is booked, the other takes no money or gives it back by itself.
#[tokio::test]
async fn one_enquiry_books_one_of_two_rooms_paid() {
    let market = Market::open(&[5, 5], &[]).await;
    let officer = Officer::arrives(&market).await;
    for (n, both_at_once) in [(1, false), (2, true), (3, true), (4, true)] {
        let buyer = market.person(n, 0);
        let lead_uuid = buyer.enquire().await;
        let mut tokens = Vec::new();
        for room in &market.rooms[..2] {
            let token = buyer.open_for(&lead_uuid, room).await;
            assert_eq!(buyer.begin(&token).await["status"], "initiated");
            tokens.push(token);
        }
        let press = |token: &String| {
            let (buyer, token) = (buyer.clone(), token.clone());
            async move { buyer.press(&token, json!({ "card_number": GOOD })).await }
        };
        if both_at_once {
            futures::future::join(press(&tokens[0]), press(&tokens[1])).await;
        } else {
            press(&tokens[0]).await;
            press(&tokens[1]).await;
        }
        market.caught_up().await;
        let mut ends = Vec::new();
        for token in &tokens {
            let ended = buyer
                .wait_for(token, |payment| {
                    let back = payment["refunds"].as_array().is_some_and(Vec::is_empty)
                        || payment["refunded_minor"] == payment["total_minor"];
                    payment["status"] == "success" || payment["status"] == "sold_out" && back
                })
                .await;
            ends.push(ended);
        }
        let booked = ends.iter().filter(|end| end["status"] == "success").count();
        assert_eq!(booked, 1, "{ends:?}");
        let other = ends.iter().find(|end| end["status"] == "sold_out").unwrap();
        assert_eq!(other["sold_out_reason"], "other_room_booked", "{other}");
        told(&market, &buyer, "receipt", 1).await;
        told(&market, &buyer, "booking_cancelled", 0).await;
        let state = lead_state(&buyer, &json!(lead_uuid)).await;
        assert_eq!(state, "booked");
        let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": other["inventory_id"] } });
        let (status, refused) = buyer.post("/api/v0/payments", asked).await;
        assert_eq!(
            (status, refused["message"]["code"].as_str()),
            (StatusCode::CONFLICT, Some("other_room_booked"))
        );
    }
    officer.every_ledger_balances().await;
}

/// What the dossier says will follow from each choice of a refund is what follows.
#[tokio::test]
async fn a_refund_does_what_its_choice_says() {
    let market = Market::open(&[1, 1], &[("LATCHKEY_REFUND_TYPED_ABOVE", "100")]).await;
    let officer = Officer::arrives(&market).await;
    let (keeper, kept_token, kept) = paid(&officer, market.person(1, 0), GOOD).await;
    let before = ["recorded", "money_back", "payer_told"];
    let after = |own: &[&str]| json!([&before[..], own].concat());
    let dossier = officer.dossier(&kept).await;
    assert_eq!(dossier["typed_above_minor"], 10_000);
    assert_eq!(
        dossier["choices"],
        json!([
            { "booking": "keep", "then": after(&["booking_stays"]) },
            { "booking": "cancel", "then": after(&["room_free", "booking_ends", "end_told"]) },
        ])
    );
    let path = format!("/api/v0/workspace/payments/{kept}/refunds");
    let unsaid = json!({ "amount_minor": 100, "reason": "plans changed" });
    assert_eq!(
        officer.post(&path, unsaid).await.0,
        StatusCode::UNPROCESSABLE_ENTITY,
        "what becomes of the booking is said"
    );
    let untyped = json!({ "booking": "keep", "amount_minor": WHOLE, "reason": "plans changed" });
    let (status, refused) = officer.post(&path, untyped).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    assert!(refused.to_string().contains("amount_not_typed"), "{refused}");

    let lead_uuid = keeper.lead_of(&kept_token);
    assert_eq!(
        refund(&officer, &kept, ("keep", WHOLE)).await.0,
        StatusCode::CREATED
    );
    told(&market, &keeper, "refunded", 1).await;
    market.caught_up().await;
    assert_eq!(lead_state(&keeper, &lead_uuid).await, "booked");
    told(&market, &keeper, "booking_cancelled", 0).await;
    let late = market.person(2, 0);
    let token = late.open().await;
    assert_eq!(late.begin(&token).await["status"], "sold_out", "the room is kept");

    let (canceller, ended_token, ended) = paid(&officer, market.person(3, 1), GOOD).await;
    let lead_uuid = canceller.lead_of(&ended_token);
    assert_eq!(
        refund(&officer, &ended, ("cancel", 10_000)).await.0,
        StatusCode::CREATED
    );
    told(&market, &canceller, "refunded", 1).await;
    told(&market, &canceller, "booking_cancelled", 1).await;
    until(|| async { (lead_state(&canceller, &lead_uuid).await == "cancelled").then_some(()) }).await;
    let next = market.person(4, 1);
    let token = next.open().await;
    assert_eq!(
        next.begin(&token).await["status"],
        "initiated",
        "the room is free"
    );
    assert_eq!(
        officer.dossier(&ended).await["choices"],
        json!([{ "booking": "keep", "then": after(&["no_booking"]) }])
    );
    let (status, refused) = refund(&officer, &ended, ("cancel", 100)).await;
    assert_eq!(
        (status, refused["message"]["code"].as_str()),
        (StatusCode::CONFLICT, Some("no_booking"))
    );
    officer.every_ledger_balances().await;
}

/// A booking that was kept while all of its money went back is ended by an act of staff, which no refund can do any more.
#[tokio::test]
async fn kept_booking_without_money_can_be_cancelled() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    let (buyer, token, id) = paid(&officer, market.person(1, 0), GOOD).await;
    let cancel = format!("/api/v0/workspace/payments/{id}/cancel_booking");
    let why = || json!({ "reason": "the guest has left" });
    assert_eq!(officer.dossier(&id).await["can_cancel_booking"], false);
    let (status, refused) = officer.post(&cancel, why()).await;
    assert_eq!(
        (status, refused["message"]["code"].as_str()),
        (StatusCode::CONFLICT, Some("money_left"))
    );
    assert_eq!(
        refund(&officer, &id, ("keep", WHOLE)).await.0,
        StatusCode::CREATED
    );
    told(&market, &buyer, "refunded", 1).await;
    let lead_uuid = buyer.lead_of(&token);
    assert_eq!(lead_state(&buyer, &lead_uuid).await, "booked");
    assert_eq!(officer.dossier(&id).await["can_cancel_booking"], true);
    let unsaid = officer.post(&cancel, json!({ "reason": " " })).await;
    assert_eq!(unsaid.0, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, done) = officer.post(&cancel, why()).await;
    assert_eq!(status, StatusCode::OK, "{done}");
    told(&market, &buyer, "booking_cancelled", 1).await;
    until(|| async { (lead_state(&buyer, &lead_uuid).await == "cancelled").then_some(()) }).await;
    let next = market.person(2, 0);
    let token = next.open().await;
    assert_eq!(
        next.begin(&token).await["status"],
        "initiated",
        "the room is free"
    );
    let (again, _) = officer.post(&cancel, why()).await;
    assert_eq!(again, StatusCode::CONFLICT);
}

/// List, tiles and export add up to what the ledger says of the gateway's account: disputes' fees are rows of their own.
#[tokio::test]
async fn export_adds_up_to_the_ledger() {
    let market = Market::open(&[5], &[]).await;
    let officer = Officer::arrives(&market).await;
    let (_, _, won) = paid(&officer, market.person(1, 0), GOOD).await;
    let (_, _, lost) = paid(&officer, market.person(2, 0), GOOD).await;
    dispute(&market, &officer, &won, "needs_response").await;
    dispute(&market, &officer, &won, "won").await;
    dispute(&market, &officer, &lost, "needs_response").await;
    dispute(&market, &officer, &lost, "lost").await;
    listed(&officer, "dispute_won").await;
    listed(&officer, "dispute_lost").await;
    let (_, _, refunded) = paid(&officer, market.person(3, 0), GOOD).await;
    assert_eq!(
        refund(&officer, &refunded, ("keep", 10_000)).await.0,
        StatusCode::CREATED
    );
    listed(&officer, "refund_acknowledged").await;
    let mut ledger = 0;
    for id in [&won, &lost, &refunded] {
        ledger += sum_of(&officer.dossier(id).await, "gateway_clearing");
    }
    assert_eq!(ledger, 25_907 - 1_500 + 15_907);
    let csv = officer.export().await;
    // Only details hold commas, and they stand in quotes before the amounts.
    let amounts = csv.lines().skip(1).filter_map(|row| {
        let (before, _) = row.split_once(",\"GBP\",")?;
        let amount = before.rsplit(',').nth(1)?;
        // With two decimals, or empty.
        Some(amount.replace('.', "").parse::<i64>().unwrap_or_default())
    });
    assert_eq!(amounts.sum::<i64>(), ledger, "{csv}");
    let screen = officer.events("&money=true").await;
    assert_eq!(screen["totals"][0]["net_minor"], ledger, "{screen}");
    assert_eq!(screen["totals"][0]["fees_minor"], 1_500, "{screen}");
    let rows = screen["result"].as_array().unwrap().iter();
    let listed = rows.map(|row| row["sign"].as_i64().unwrap() * row["amount_minor"].as_i64().unwrap());
    assert_eq!(listed.sum::<i64>(), ledger, "{screen}");
    assert_eq!(
        screen["meta"]["count"].as_u64(),
        Some(screen["result"].as_array().unwrap().len() as u64)
    );
    assert_eq!(
        csv.matches("\"dispute_fee\"").count(),
        3,
        "charged twice, given back once: {csv}"
    );
}
