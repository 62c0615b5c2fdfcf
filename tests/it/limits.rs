//! How much one address, one person, one number may ask for (T1-T5, T20; D68, D70, D86).

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::{Server, sample};

use crate::visitor::{Answer, Visitor, enquiry};

/// A server as the world reaches it: no developers' tools, so nobody's address is spared, and a mail server, which is away.
fn open_to_the_world() -> Server {
    Server::with(&[
        ("LATCHKEY_DEV_TOOLS", "false"),
        ("LATCHKEY_SMTP_URL", "smtp://127.0.0.1:9"),
        ("LATCHKEY_MAIL_FROM", "rooms@mail.example"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ])
}

/// A question nobody asked before.
pub(crate) fn question(person: &str, number: usize) -> Value {
    let mut body = enquiry("Mei Lin", person);
    body["lead"]["data"]["user_query"] = json!(format!("Question {number}?"));
    body
}

pub(crate) async fn with_proof(visitor: &Visitor<'_>, path: &str, body: Value, proof: &str) -> Answer {
    visitor
        .call(Method::POST, path, Some(body), &[("x-latchkey-proof", proof)])
        .await
}

/// Does the work of a fresh challenge, as a browser does.
pub(crate) async fn proof(visitor: &Visitor<'_>) -> String {
    let asked = visitor.get("/api/v0/challenge").await;
    let (challenge, bits) = (
        asked.data()["challenge"].as_str().unwrap(),
        asked.data()["bits"].as_u64().unwrap(),
    );
    (0_u64..1 << 40)
        .map(|answer| format!("{challenge}:{answer}"))
        .find(|proof| {
            let hash = Sha256::digest(proof);
            let first = u64::from_be_bytes(hash[..8].try_into().unwrap());
            u64::from(first.leading_zeros()) >= bits
        })
        .unwrap()
}

pub(crate) fn needs_work(answer: &Answer) -> bool {
    (answer.status, answer.code()) == (StatusCode::TOO_MANY_REQUESTS, "proof_of_work_required")
}

/// How many junk enquiries: in the gate, and in all.
const JUNK: &str = "LATCHKEY_TEST_JUNK";
const JUNK_USUALLY: (usize, usize) = (1_000, 1_000);

/// Junk from fifty addresses leaves at most two hundred leads, and a real person gets through.
#[tokio::test]
async fn junk_from_fifty_addresses_keeps_nobody_out() {
    let [junk] = sample!(JUNK => JUNK_USUALLY).rounds;
    let server = open_to_the_world();
    let bots: Vec<_> = (1..=50)
        .map(|last| Visitor::from(&server, [127, 0, 7, last]))
        .collect();
    let sent = join_all(bots.iter().enumerate().map(async |(place, bot)| {
        let mut taken = 0;
        for number in 0..junk / bots.len() {
            let person = format!("bot{place}.{number}@example.com");
            let answer = bot.post("/api/v0/leads/", question(&person, number)).await;
            assert!(
                answer.status == StatusCode::CREATED || needs_work(&answer),
                "{}",
                answer.body
            );
            taken += usize::from(answer.status == StatusCode::CREATED);
        }
        taken
    }));
    let taken: usize = sent.await.into_iter().sum();
    println!("{taken} of {junk} junk leads were taken");
    assert!((1..=200).contains(&taken), "{taken}");
    let mei = Visitor::from(&server, [127, 0, 8, 1]);
    let real = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(real.status, StatusCode::CREATED);
}

/// The fifth enquiry of an hour costs work and the same work opens once.
#[tokio::test]
async fn fifth_enquiry_an_hour_costs_work_that_opens_once() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let send = |number| mei.post("/api/v0/leads/", question("mei@example.com", number));
    for number in 0..4 {
        assert_eq!(send(number).await.status, StatusCode::CREATED);
    }
    let refused = send(4).await;
    assert!(
        needs_work(&refused) && refused.retry_after.unwrap() <= 900,
        "{}",
        refused.body
    );
    let work = proof(&mei).await;
    let forged = work.replacen('.', ".0", 1);
    assert!(needs_work(
        &with_proof(&mei, "/api/v0/leads/", question("mei@example.com", 4), &forged).await
    ));
    let opened = with_proof(&mei, "/api/v0/leads/", question("mei@example.com", 4), &work).await;
    assert_eq!(opened.status, StatusCode::CREATED);
    assert!(needs_work(
        &with_proof(&mei, "/api/v0/leads/", question("mei@example.com", 5), &work).await
    ));
    // What was let in is let in: a double click on it needs no work again.
    assert_eq!(send(4).await.status, StatusCode::OK);
    let late = proof(&mei).await;
    mei.wait(601).await;
    assert!(needs_work(
        &with_proof(&mei, "/api/v0/leads/", question("mei@example.com", 6), &late).await
    ));
    mei.wait(3_600).await;
    assert_eq!(send(7).await.status, StatusCode::CREATED);
}

/// Who is logged in works for nothing but stops at twenty an hour.
#[tokio::test]
async fn logged_in_sender_needs_no_work_and_stops_at_twenty() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    for number in 0..20 {
        let sent = mei
            .post("/api/v0/leads/", question("mei@example.com", number))
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{number} {}", sent.body);
    }
    let refused = mei
        .post("/api/v0/leads/?lang=zh", question("mei@example.com", 20))
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::TOO_MANY_REQUESTS, "too_many_requests")
    );
    let wait = refused.retry_after.unwrap();
    let sentence = refused.body["message"]["user_friendly_message"].as_str().unwrap();
    assert!(
        sentence.starts_with("您发送的咨询过多") && sentence.contains(&wait.to_string()),
        "{sentence}"
    );
    mei.wait(wait).await;
    let again = mei.post("/api/v0/leads/", question("mei@example.com", 20)).await;
    assert_eq!(again.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_form_that_fills_in_what_no_person_sees_is_refused() {
    let server = Server::start();
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["website"] = json!("https://buy.example");
    let refused = Visitor::new(&server).post("/api/v0/leads/", body).await;
    assert_eq!(
        (refused.status, refused.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["website"])
    );
}

async fn ask_code(visitor: &Visitor<'_>, email: &str) -> Answer {
    visitor
        .post(
            "/api/v0/users/generate_email_otp",
            json!({ "user": { "email": email } }),
        )
        .await
}

async fn ask_text(visitor: &Visitor<'_>, phone: &str) -> Answer {
    visitor
        .post(
            "/api/v0/users/generate_phone_otp",
            json!({ "user": { "phone": phone } }),
        )
        .await
}

/// One address gets three codes in ten minutes and five in an hour.
#[tokio::test]
async fn address_gets_three_codes_in_ten_minutes_five_an_hour() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let mut codes = 0;
    let mut send = async |wait| {
        mei.wait(wait).await;
        let answer = ask_code(&mei, "mei@example.com").await;
        codes += u64::from(answer.status == StatusCode::OK);
        (codes, answer.retry_after)
    };
    assert_eq!(send(1).await, (1, None));
    assert_eq!(send(10).await.0, 1, "not within thirty seconds");
    assert_eq!(send(21).await.0, 2);
    assert_eq!(send(31).await.0, 3);
    let (fourth, wait) = send(31).await;
    assert!(
        fourth == 3 && (480..=520).contains(&wait.unwrap()),
        "{fourth} {wait:?}"
    );
    assert_eq!(send(wait.unwrap()).await.0, 4);
    assert_eq!(send(60).await.0, 5);
    let (sixth, wait) = send(600).await;
    assert!(sixth == 5 && wait.unwrap() <= 2_400, "{sixth} {wait:?}");
    assert_eq!(send(wait.unwrap()).await.0, 6);
    // The rest of the day costs work: fewer than a hundred guesses (T3).
    for _ in 0..40 {
        send(1_000).await;
    }
    assert_eq!(send(31).await.0, 6);
}

/// A stranger who asks for codes all day does not lock the owner out.
#[tokio::test]
async fn stranger_asking_for_codes_never_locks_the_owner_out() {
    let server = Server::start();
    let (stranger, mei) = (Visitor::new(&server), Visitor::new(&server));
    let path = "/api/v0/users/generate_email_otp";
    let user = || json!({ "user": { "email": "mei@example.com" } });
    for _ in 0..12 {
        stranger.wait(1_800).await;
        with_proof(&stranger, path, user(), &proof(&stranger).await).await;
    }
    mei.wait(1_800).await;
    assert!(needs_work(&ask_code(&mei, "mei@example.com").await));
    let sent = with_proof(&mei, path, user(), &proof(&mei).await).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
    let login = |otp: String| {
        let session = &sent.data()["session_uuid"];
        let user = json!({ "user": { "email": "mei@example.com", "otp": otp, "session_uuid": session } });
        mei.post("/api/v0/users/login_email_otp", user)
    };
    let right = mei.code_for("mei@example.com").await;
    assert_eq!(login(right).await.status, StatusCode::OK);
    // So late in the day a code is worth one try, so that guessing leads nowhere (T3).
    mei.wait(1_800).await;
    let sent = with_proof(&mei, path, user(), &proof(&mei).await).await;
    let session = sent.data()["session_uuid"].clone();
    let right = mei.code_for("mei@example.com").await;
    for otp in ["000000", right.as_str()] {
        let user = json!({ "user": { "email": "mei@example.com", "otp": otp, "session_uuid": session } });
        let refused = mei.post("/api/v0/users/login_email_otp", user).await;
        assert_eq!(refused.code(), "invalid_fields", "{otp}");
    }
}

#[tokio::test]
async fn a_thousand_numbers_in_one_range_get_twenty_text_messages() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let mut sent = 0;
    for last in 0..30 {
        let answer = ask_text(&mei, &format!("+447700900{last:03}")).await;
        sent += usize::from(answer.status == StatusCode::OK);
    }
    assert_eq!(sent, 20);
    let outbox = mei.get("/dev/outbox").await;
    assert_eq!(
        outbox.data().as_array().unwrap().len(),
        20,
        "the outbox is the proof"
    );
    assert_eq!(ask_text(&mei, "+447700901000").await.status, StatusCode::OK);
}

/// One network address gets ten codes for nothing and thirty with work.
#[tokio::test]
async fn network_gets_ten_codes_free_and_thirty_with_work() {
    let server = open_to_the_world();
    let bot = Visitor::from(&server, [127, 0, 9, 1]);
    for number in 0..10 {
        let sent = ask_code(&bot, &format!("victim{number}@example.com")).await;
        assert_eq!(sent.status, StatusCode::OK, "{number} {}", sent.body);
    }
    assert!(needs_work(&ask_code(&bot, "victim10@example.com").await));
    let with_work = async |number: usize| {
        let body = json!({ "user": { "email": format!("victim{number}@example.com") } });
        with_proof(&bot, "/api/v0/users/generate_email_otp", body, &proof(&bot).await).await
    };
    for number in 10..30 {
        let sent = with_work(number).await;
        assert_eq!(sent.status, StatusCode::OK, "{number} {}", sent.body);
    }
    let refused = with_work(30).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::TOO_MANY_REQUESTS, "too_many_requests")
    );
    let neighbour = Visitor::from(&server, [127, 0, 9, 2]);
    assert_eq!(
        ask_code(&neighbour, "mei@example.com").await.status,
        StatusCode::OK
    );
}
