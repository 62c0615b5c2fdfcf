//! A mail was true when it was queued. While no mail server takes it, what it tells may end: what is false by then is never delivered,
//! and what is still true is, to the address that counts now.

use serde_json::{Value, json};

use crate::mail::Heard;
use crate::market::{Market, until};
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry, some_property};

const A_DAY: u64 = 25 * 3_600;
const HOLD_HALF: u64 = 301;
/// Longer than an effect ever waits for another attempt.
const BACKOFF: u64 = 400;
const MEI: &str = "mei@example.com";
const BO: &str = "bo@example.com";
const BO_NOW: &str = "bo.li@example.com";
const ANA: &str = "ana@example.com";

async fn starts_a_form(visitor: &Visitor<'_>, home: &str, email: &str) -> Value {
    let mut body = enquiry("Mei Lin", email);
    body["lead"]["inventory_id"] = json!(home);
    let lead = visitor.post("/api/v0/leads/", body).await.data().clone();
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    visitor.post("/api/v0/booking_forms", form).await.data();
    lead
}

/// Waits until a message of this kind was tried in vain.
async fn is_put_off(market: &Market, kind: &str, count: u64) {
    let tried =
        format!("select count(*) from message where kind = '{kind}' and state = 'waiting' and attempts > 0");
    until(async || (stored::number(&market.server, Part::Desk, &tried) >= count).then_some(())).await;
}

/// Why the messages of a kind were dropped.
fn reasons(market: &Market, kind: &str) -> Vec<Option<String>> {
    let asked =
        format!("select dropped from message where kind = '{kind}' and state = 'dropped' order by id");
    stored::rows(&market.server, Part::Desk, &asked).concat()
}

/// Messages queued while no server took mail: an enquiry whose form was left, and one with a wrong address.
struct Queued {
    closed: Value,
    moved: Value,
}

/// A hold, forms, an enquiry and a code, each with its mail tried in vain.
async fn queue_all(market: &Market, visitor: &Visitor<'_>) -> Queued {
    let home = some_property(visitor).await;
    visitor.wait(HOLD_HALF).await;
    is_put_off(market, "payment_left", 1).await;
    let closed = starts_a_form(visitor, &home, MEI).await;
    starts_a_form(visitor, &home, ANA).await;
    let moved = visitor.post("/api/v0/leads", enquiry("Bo Li", BO)).await;
    let asked = json!({ "user": { "email": ANA } });
    visitor
        .post("/api/v0/users/generate_email_otp", asked)
        .await
        .data();
    visitor.wait(A_DAY).await;
    is_put_off(market, "form_left", 2).await;
    is_put_off(market, "lead_anywhere", 1).await;
    let moved = moved.data().clone();
    Queued { closed, moved }
}

/// Staff close one enquiry and correct the address of another; the hold and the code have ended by themselves.
async fn change_facts(market: &Market, queued: &Queued) {
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let act = async |lead: &Value, body: Value| {
        let path = format!("/api/v0/workspace/leads/{}/acts", lead["id"].as_str().unwrap());
        desk.post(&path, body).await.data();
    };
    act(
        &queued.closed,
        json!({ "act": "close", "cause": "booked_elsewhere" }),
    )
    .await;
    let why = "She gave the new one on the phone";
    let corrected = json!({ "act": "correct_contact", "email": BO_NOW, "reason": why });
    act(&queued.moved, corrected).await;
}

async fn nothing_waits(market: &Market) {
    let waiting = "select count(*) from message where state = 'waiting'";
    let undone = "select count(*) from outbox where done_ms is null";
    let server = &market.server;
    let left = || stored::number(server, Part::Desk, waiting) + stored::number(server, Part::Outbox, undone);
    until(async || (left() == 0).then_some(())).await;
}

/// Holds end, an enquiry is closed, a code runs out and an address is corrected while the mail server is away.
#[tokio::test]
async fn mail_that_became_false_while_it_waited_is_not_sent() {
    let (heard, folder) = (Heard::default(), tempfile::tempdir().unwrap());
    let away = folder.path().join("away");
    std::fs::write(&away, "").unwrap();
    let mails = heard.start(&["--away", away.to_str().unwrap()]);
    let url = mails.url();
    let settings = [
        ("LATCHKEY_DEV_TOOLS", "true"),
        ("LATCHKEY_SMTP_URL", url.as_str()),
        ("LATCHKEY_MAIL_FROM", "rooms@mail.example"),
    ];
    let market = Market::open(&[9], &settings).await;
    let visitor = Visitor::new(&market.server);
    let payer = market.person(1, 0);
    payer.begun().await;
    let queued = queue_all(&market, &visitor).await;
    change_facts(&market, &queued).await;
    // The next attempt looks again, before the server takes mail: an attempt that was under way when the facts changed ends in vain.
    visitor.wait(BACKOFF).await;
    // An attempt to send the code that is under way while the clock is put forward ends as refused; the next one would end it as over.
    let dropped =
        "select count(*) from message where state = 'dropped' or (kind = 'otp' and state = 'refused')";
    until(async || (stored::number(&market.server, Part::Desk, dropped) >= 4).then_some(())).await;
    std::fs::remove_file(&away).unwrap();
    visitor.wait(BACKOFF).await;
    nothing_waits(&market).await;

    let subjects = |to: &str| -> Vec<String> {
        let mails = heard.of("mail", to).into_iter();
        mails
            .map(|mail| mail["subject"].as_str().unwrap().to_owned())
            .collect()
    };
    let told: Vec<usize> = [&*payer.email, MEI, ANA, BO_NOW, BO]
        .iter()
        .map(|to| subjects(to).len())
        .collect();
    // The payer's enquiry; of Mei's nothing; confirmation and reminder; confirmation and what was corrected; only that it was.
    assert_eq!(told, [1, 0, 2, 2, 1], "{:?} {:?}", subjects(BO_NOW), subjects(BO));
    for (kind, reason) in [
        ("payment_left", "the hold has ended"),
        ("form_left", "the enquiry was closed"),
    ] {
        assert_eq!(reasons(&market, kind), [Some(reason.to_owned())], "{kind}");
    }
    let noted = "select count(*) from outbox where error = 'dropped: the hold has ended'";
    assert_eq!(stored::number(&market.server, Part::Outbox, noted), 1);
}
