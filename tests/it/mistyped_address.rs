//! An enquiry that a mistyped address gave to a stranger goes to its student, once staff say that it was a slip (decision 0026).

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Buyer, Market, until};
use crate::visitor::{Answer, Visitor, enquiry};

const TYPED: &str = "mei@exmple.com";
const TRUE: &str = "mei@example.com";

/// Enquires with a question and the wrong address, whose owner logs in: that claims the enquiry.
async fn claimed_by_a_stranger(guest: &Visitor<'_>, stranger: &Visitor<'_>) -> Value {
    let mut body = enquiry("Mei Lin", TYPED);
    body["lead"]["data"]["user_query"] = json!("Is the gym included?");
    let lead = guest.post("/api/v0/leads", body).await.data().clone();
    stranger.log_in(TYPED).await;
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    until(async || (stranger.get(&own).await.status == StatusCode::OK).then_some(())).await;
    lead
}

async fn correct(desk: &Visitor<'_>, lead: &Value, email: &str, meaning: Option<&str>) -> Answer {
    let mut act = json!({ "act": "correct_contact", "email": email, "reason": "She called" });
    if let Some(meaning) = meaning {
        act["meaning"] = json!(meaning);
    }
    let id = lead["id"].as_str().unwrap();
    desk.post(&format!("/api/v0/workspace/leads/{id}/acts"), act)
        .await
}

/// Answers the question of an enquiry; gives the words.
async fn answer(desk: &Visitor<'_>, lead: &Value, words: &str) -> String {
    let id = lead["id"].as_str().unwrap();
    let cases = desk.get(&format!("/api/v0/workspace/cases?lead_id={id}")).await;
    let case = cases.data()["result"][0]["case_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v0/workspace/cases/{case}/messages");
    let sent = desk
        .post(&path, json!({ "words": words, "channel": "email" }))
        .await;
    sent.data();
    words.to_owned()
}

/// The call behind the link of the mail with these words, once it went to this address.
async fn link_in_mail(visitor: &Visitor<'_>, to: &str, words: &str) -> String {
    until(async || {
        let outbox = visitor.get(&format!("/dev/outbox?to={to}")).await;
        let mails = outbox.data().as_array()?.clone();
        let mail = mails
            .iter()
            .find_map(|mail| mail["body"].as_str().filter(|body| body.contains(words)));
        let token = mail?
            .split("/support/")
            .nth(1)?
            .split_whitespace()
            .next()?
            .to_owned();
        Some(format!("/api/v0/support/links/{token}"))
    })
    .await
}

/// The stranger loses lead, link and conversation; the student has them with the question as it was asked.
#[tokio::test]
async fn slip_moves_the_enquiry_from_the_stranger() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, stranger, mei, desk] = [(); 4].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let lead = claimed_by_a_stranger(&guest, &stranger).await;
    let answered = answer(&desk, &lead, "The gym is included.").await;
    let old = link_in_mail(&desk, TYPED, &answered).await;
    assert_eq!(guest.get(&old).await.status, StatusCode::OK);
    let unasked = correct(&desk, &lead, TRUE, None).await;
    assert_eq!(unasked.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(unasked.fields(), ["meaning"], "staff say what they mean");
    let moved = correct(&desk, &lead, TRUE, Some("slip")).await;
    assert_eq!(moved.status, StatusCode::OK, "{}", moved.body);
    assert_eq!(moved.data()["lead_id"], lead["id"]);
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    assert_eq!(stranger.get(&own).await.status, StatusCode::NOT_FOUND);
    for device in [&stranger, &guest] {
        assert_eq!(
            device.get(&link).await.code(),
            "log_in_first",
            "the link is another"
        );
    }
    let can = moved.data()["can"].as_array().unwrap();
    assert!(!can.contains(&json!("undo_contact")), "{}", moved.body);
    let undo = json!({ "act": "undo_contact", "reason": "Wrong lead" });
    let path = format!("/api/v0/workspace/leads/{}/acts", lead["id"].as_str().unwrap());
    assert_eq!(desk.post(&path, undo).await.code(), "contact_undo_over");
    assert_eq!(stranger.get("/api/v0/support/cases").await.data(), &json!([]));
    assert_eq!(
        guest.get(&old).await.status,
        StatusCode::NOT_FOUND,
        "the mailed link too"
    );
    let answered = answer(&desk, &lead, "From seven in the morning.").await;
    let new = link_in_mail(&desk, TRUE, &answered).await;
    assert_eq!(guest.get(&new).await.status, StatusCode::OK);
    mei.log_in(TRUE).await;
    let hers = until(async || {
        let answer = mei.get(&own).await;
        (answer.status == StatusCode::OK).then(|| answer.data().clone())
    })
    .await;
    assert_eq!(hers["data"]["user_query"], "Is the gym included?");
    assert_eq!(hers["user_details"]["email"], TRUE);
    assert_eq!(
        mei.get("/api/v0/support/cases")
            .await
            .data()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // The stranger's next login does not claim it back.
    stranger.wait(31).await;
    stranger.log_in(TYPED).await;
    assert_eq!(stranger.get(&own).await.status, StatusCode::NOT_FOUND);
    assert_eq!(mei.get(&own).await.status, StatusCode::OK);
}

/// A student who is logged in already has the enquiry at once, and a second slip takes it from the account that the first one reached.
#[tokio::test]
async fn slip_reaches_a_student_who_is_logged_in() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, stranger, other, mei, desk] = [(); 5].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    other.log_in("mei@examples.com").await;
    mei.log_in(TRUE).await;
    let lead = claimed_by_a_stranger(&guest, &stranger).await;
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    for (email, receiver, loser) in [("mei@examples.com", &other, &stranger), (TRUE, &mei, &other)] {
        let moved = correct(&desk, &lead, email, Some("slip")).await;
        assert_eq!(moved.status, StatusCode::OK, "{}", moved.body);
        until(async || {
            let listed = receiver.get("/api/v0/users/activity?tab=enquired").await;
            (listed.data()["counts"]["enquired"] == 1).then_some(())
        })
        .await;
        assert_eq!(receiver.get(&own).await.status, StatusCode::OK, "{email}");
        assert_eq!(loser.get(&own).await.status, StatusCode::NOT_FOUND, "{email}");
    }
}

/// What an account sent stays with it: its student, or another person, gets a new enquiry, and both enquiries name each other.
#[tokio::test]
async fn enquiry_of_an_account_is_made_anew_for_others() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [owner, mei, bo, desk] = [(); 4].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    owner.log_in(TYPED).await;
    let mut body = enquiry("Mei Lin", TYPED);
    body["lead"]["data"]["user_query"] = json!("Is the gym included?");
    let lead = owner.post("/api/v0/leads", body).await.data().clone();
    let mut known: Vec<Value> = vec![lead["id"].clone()];
    for (who, email, meaning, question) in [
        (&mei, TRUE, "slip", json!("Is the gym included?")),
        (&bo, "bo@example.com", "other_person", Value::Null),
    ] {
        let done = correct(&desk, &lead, email, Some(meaning)).await;
        let related = done.data()["related"].as_array().unwrap().clone();
        let made = related.iter().find(|one| !known.contains(&one["lead_id"]));
        let made = made.unwrap()["lead_id"].clone();
        let path = format!("/api/v0/leads/{}", made.as_str().unwrap());
        who.log_in(email).await;
        let new = who.get(&path).await.data().clone();
        assert_eq!(new["data"]["user_query"], question, "{meaning}");
        assert_eq!(new["user_details"]["email"], email);
        assert_eq!(owner.get(&path).await.status, StatusCode::NOT_FOUND);
        let desk_of = format!("/api/v0/workspace/leads/{}/desk", made.as_str().unwrap());
        let back = desk.get(&desk_of).await.data()["related"][0]["lead_id"].clone();
        assert_eq!(back, lead["id"]);
        known.push(made);
    }
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    assert_eq!(owner.get(&own).await.data()["user_details"]["email"], TYPED);
}

const GOOD: &str = "4242424242424242";

/// An enquiry of a home with the wrong address, and what was begun in it.
struct Begun {
    lead: Value,
    form: Option<String>,
    token: String,
}

async fn start_form(who: &Visitor<'_>, lead: &Value, room: &str) -> String {
    let start =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": room, "flow": "book" } });
    let form = who.post("/api/v0/booking_forms", start).await;
    form.data()["form_uuid"].as_str().unwrap().to_owned()
}

/// Pays for the room of the lead; gives the token.
async fn pay(who: &Visitor<'_>, lead: &Value, room: &str) -> String {
    let asked = json!({ "payment": { "lead_uuid": lead["lead_uuid"], "inventory_id": room } });
    let token = who.post("/api/v0/payments", asked).await.data()["token"].clone();
    let token = token.as_str().unwrap().to_owned();
    let path = format!("/api/v0/payments/{token}");
    who.post(&format!("{path}/intent"), json!({})).await.data();
    until(async || (who.get(&path).await.data()["status"] == "initiated").then_some(())).await;
    let card = json!({ "card_number": GOOD });
    who.post(&format!("{path}/sandbox_confirm"), card).await.data();
    until(async || (who.get(&path).await.data()["status"] == "success").then_some(())).await;
    token
}

/// The student pays for the room, and begins the form where `has_form` says so, before the stranger's login claims the enquiry.
async fn begun_before_claim(
    (guest, stranger): (&Visitor<'_>, &Visitor<'_>),
    buyer: &Buyer,
    has_form: bool,
) -> Begun {
    let mut body = buyer.lead_body();
    body["lead"]["user_details"]["email"] = json!(TYPED);
    let lead = guest.post("/api/v0/leads", body).await.data().clone();
    let form = if has_form {
        Some(start_form(guest, &lead, &buyer.room).await)
    } else {
        None
    };
    let token = pay(guest, &lead, &buyer.room).await;
    stranger.log_in(TYPED).await;
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    until(async || (stranger.get(&own).await.data()["lead_uuid"] != "").then_some(())).await;
    Begun { lead, form, token }
}

/// The links of receipts that went to an address by mail: number and pass.
async fn receipt_links(visitor: &Visitor<'_>, to: &str) -> Vec<String> {
    let outbox = visitor.get(&format!("/dev/outbox?to={to}")).await;
    let mails = outbox.data().as_array().unwrap().clone();
    let bodies = mails.iter().filter_map(|mail| mail["body"].as_str());
    let links = bodies.flat_map(|body| body.split("/receipts/").skip(1));
    links
        .filter_map(|rest| rest.split_whitespace().next())
        .filter(|link| link.contains("?pass="))
        .map(str::to_owned)
        .collect()
}

/// Tries every link that the stranger and the student's old device have: none shows, changes or pays anything.
async fn no_link_opens(others: &[&Visitor<'_>], begun: &Begun, passes: &[String]) {
    let (lead, token) = (&begun.lead, &begun.token);
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let payment = format!("/api/v0/payments/{token}");
    let mut reads = vec![
        link.clone(),
        payment.clone(),
        format!("{payment}/stream"),
        format!("{payment}/waitlist"),
    ];
    reads.extend(begun.form.iter().flat_map(|form| {
        let form = format!("/api/v0/booking_forms/{form}");
        [form.clone(), format!("{form}/stream")]
    }));
    let rated = json!({ "score": 1, "words": "" });
    let writes = [
        (format!("{payment}/intent"), json!({})),
        (format!("{payment}/cancel"), json!({})),
        (
            format!("{payment}/sandbox_confirm"),
            json!({ "card_number": GOOD }),
        ),
        (format!("{payment}/waitlist/leave"), json!({})),
        (format!("{payment}/waitlist/take"), json!({})),
        (format!("{payment}/rating"), rated),
    ];
    for other in others {
        for path in &reads {
            assert_eq!(other.get(path).await.code(), "log_in_first", "{path}");
        }
        for (path, body) in &writes {
            assert_eq!(
                other.post(path, body.clone()).await.code(),
                "log_in_first",
                "{path}"
            );
        }
        let renamed = json!({ "lead": { "user_details": { "name": "Eve" } } });
        assert_eq!(other.put(&link, renamed).await.code(), "log_in_first");
        for pass in passes {
            let receipt = other.get(&format!("/api/v0/receipts/{pass}")).await;
            assert_eq!(receipt.status, StatusCode::NOT_FOUND, "{pass}");
            let number = pass.split('?').next().unwrap();
            let by_token = format!("/api/v0/receipts/{number}?token={token}");
            assert_eq!(other.get(&by_token).await.status, StatusCode::NOT_FOUND);
        }
    }
}

/// A room paid and a form begun before the claim are the student's: they move, and every link of the stranger ends.
#[tokio::test]
async fn slip_moves_what_was_begun_before_the_claim() {
    let market = Market::open(&[2, 2], &[]).await;
    let server = &market.server;
    let [guest, stranger, mei, desk] = [(); 4].map(|()| Visitor::new(server));
    desk.log_in_as("support").await;
    let buyer = market.person(1, 0);
    let begun = begun_before_claim((&guest, &stranger), &buyer, true).await;
    let passes = until(async || {
        let links = receipt_links(&desk, TYPED).await;
        (!links.is_empty()).then_some(links)
    })
    .await;
    let opened = guest.get(&format!("/api/v0/receipts/{}", passes[0])).await;
    assert_eq!(opened.status, StatusCode::OK, "{}", opened.body);
    let path = format!(
        "/api/v0/workspace/leads/{}/desk",
        begun.lead["id"].as_str().unwrap()
    );
    assert_eq!(desk.get(&path).await.data()["can_move"], true);
    let moved = correct(&desk, &begun.lead, TRUE, Some("slip")).await;
    assert_eq!(moved.data()["related"], json!([]), "it moved: {}", moved.body);
    no_link_opens(&[&stranger, &guest], &begun, &passes).await;
    mei.log_in(TRUE).await;
    let own = format!("/api/v0/leads/{}", begun.lead["id"].as_str().unwrap());
    until(async || (mei.get(&own).await.status == StatusCode::OK).then_some(())).await;
    let form = format!("/api/v0/booking_forms/{}", begun.form.as_ref().unwrap());
    assert_eq!(mei.get(&form).await.status, StatusCode::OK);
    let paid = mei.get(&format!("/api/v0/payments/{}", begun.token)).await;
    assert_eq!(paid.data()["status"], "success");
    let number = passes[0].split('?').next().unwrap();
    let receipt = mei.get(&format!("/api/v0/receipts/{number}")).await;
    assert_eq!(receipt.status, StatusCode::OK, "{}", receipt.body);
    for (who, booked) in [(&mei, 1), (&stranger, 0)] {
        let bookings = who.get("/api/v0/users/activity?tab=booked").await;
        let listed = bookings.data()["leads"]["result"].as_array().unwrap().len();
        assert_eq!(listed, booked, "{}", bookings.body);
    }
    no_link_opens(&[&stranger, &guest], &begun, &passes).await;
}

/// A form that the stranger began does not keep the room that the student paid for; its words reach nobody else.
#[tokio::test]
async fn form_of_the_stranger_keeps_no_paid_room() {
    let market = Market::open(&[2], &[]).await;
    let server = &market.server;
    let [guest, stranger, mei, desk] = [(); 4].map(|()| Visitor::new(server));
    desk.log_in_as("support").await;
    let buyer = market.person(1, 0);
    let mut begun = begun_before_claim((&guest, &stranger), &buyer, false).await;
    let theirs = start_form(&stranger, &begun.lead, &buyer.room).await;
    begun.form = Some(theirs.clone());
    let moved = correct(&desk, &begun.lead, TRUE, Some("slip")).await;
    assert_eq!(moved.data()["related"], json!([]), "it moved: {}", moved.body);
    no_link_opens(&[&stranger, &guest], &begun, &[]).await;
    mei.log_in(TRUE).await;
    let own = format!("/api/v0/leads/{}", begun.lead["id"].as_str().unwrap());
    let hers = until(async || {
        let answer = mei.get(&own).await;
        (answer.status == StatusCode::OK).then(|| answer.data().clone())
    })
    .await;
    let left = mei.get(&format!("/api/v0/booking_forms/{theirs}")).await;
    assert_eq!(left.code(), "log_in_first", "{}", left.body);
    assert_ne!(start_form(&mei, &hers, &buyer.room).await, theirs);
}

/// Forms and payments that the stranger began after the claim stay with them: the student gets an enquiry of their own.
#[tokio::test]
async fn enquiry_is_made_anew_beside_what_the_stranger_began() {
    let market = Market::open(&[2, 2], &[]).await;
    let server = &market.server;
    let desk = Visitor::new(server);
    desk.log_in_as("support").await;
    for (room, pays) in [(0, false), (1, true)] {
        let [guest, stranger] = [(); 2].map(|()| Visitor::new(server));
        let (typed, right) = (format!("mei{room}@exmple.com"), format!("mei{room}@example.com"));
        let buyer = market.person(1, room);
        let mut body = buyer.lead_body();
        body["lead"]["user_details"]["email"] = json!(typed);
        let lead = guest.post("/api/v0/leads", body).await.data().clone();
        stranger.log_in(&typed).await;
        if pays {
            pay(&stranger, &lead, &buyer.room).await;
        } else {
            start_form(&stranger, &lead, &buyer.room).await;
        }
        let path = format!("/api/v0/workspace/leads/{}/desk", lead["id"].as_str().unwrap());
        assert_eq!(desk.get(&path).await.data()["can_move"], false);
        let done = correct(&desk, &lead, &right, Some("slip")).await;
        let related = done.data()["related"].as_array().unwrap();
        assert_eq!(related.len(), 1, "{}", done.body);
        let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
        assert_eq!(stranger.get(&own).await.status, StatusCode::OK);
    }
}
