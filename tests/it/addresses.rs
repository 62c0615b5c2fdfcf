//! One canonical form of an e-mail address, and what people paste into the fields beside it.

use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::visitor::{Answer, Visitor, enquiry};

const KELVIN: &str = "mi\u{212A}e@uni.example";

/// A look-alike spelling is another account; spellings of one mailbox are one account, and codes go to its address.
#[tokio::test]
async fn spellings_of_one_mailbox_are_one_account() {
    let server = Server::start();
    let (mike, other) = (Visitor::new(&server), Visitor::new(&server));
    let owner = mike.log_in("Mike@uni.example").await;
    mike.wait(31).await;
    let stranger = other.log_in(KELVIN).await;
    assert_ne!(
        stranger["id"], owner["id"],
        "a look-alike letter is another address"
    );
    mike.wait(31).await;
    ask(&mike, "mIKE＠ｕｎｉ．example", &[]).await.data();
    let outbox = mike.get("/dev/outbox").await;
    assert_eq!(
        outbox.data()[0]["recipient"],
        "Mike@uni.example",
        "the account's own spelling"
    );
    let code = mike.code_for("mike@uni.example").await;
    let pasted = format!("Your code: {} {}", &code[..3], &code[3..]);
    let again = json!({ "user": { "email": "mike@UNI.example", "otp": pasted } });
    let again = mike.post("/api/v0/users/login_email_otp", again).await;
    assert_eq!(again.data()["id"], owner["id"]);
    mike.wait(31).await;
    for (address, status) in [
        ("mei@उदाहरण.भारत", StatusCode::OK),
        ("mei@ตัวอย่าง.ไทย", StatusCode::OK),
        ("me\u{202E}i@uni.example", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        assert_eq!(ask(&mike, address, &[]).await.status, status, "{address}");
    }
    let refused = ask(&mike, "me\u{202E}i@uni.example", &[]).await;
    assert_eq!(refused.body["errors"][0]["code"], "email_unseen");
}

/// A visitor behind a proxy is counted by their own network, in every form in which proxies write an address.
#[tokio::test]
async fn limits_count_networks_and_inboxes() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_TRUSTED_PROXY", "::ffff:127.0.0.1, 198.51.100.0/24"),
    ]);
    let visitor = Visitor::new(&server);
    let from = async |n: usize, address: &str| {
        let email = format!("student{n}@uni.example");
        ask(&visitor, &email, &[("x-forwarded-for", address)])
            .await
            .status
    };
    for n in 0..10 {
        assert_eq!(
            from(n, &format!("[2001:db8:1:2::{n}]:4711")).await,
            StatusCode::OK
        );
        let port = 50_000 + n;
        assert_eq!(
            from(100 + n, &format!("203.0.113.7:{port}")).await,
            StatusCode::OK
        );
    }
    let many = StatusCode::TOO_MANY_REQUESTS;
    assert_eq!(
        from(10, "2001:db8:1:2:ffff::1").await,
        many,
        "one /64 is one network"
    );
    assert_eq!(from(110, "203.0.113.7").await, many);
    // A proxy of ours before another: the client is whom the first of them saw, and not what the client wrote.
    assert_eq!(
        from(112, "192.0.2.1, 203.0.113.7, 198.51.100.20").await,
        many,
        "behind two proxies"
    );
    assert_eq!(
        from(113, "203.0.113.7, 192.0.2.2, 198.51.100.20").await,
        StatusCode::OK
    );
    assert_eq!(from(11, "2001:db8:1:3::1").await, StatusCode::OK);
    assert_eq!(from(111, "203.0.113.8:80").await, StatusCode::OK);
    let inbox = async |email: &str| ask(&visitor, email, &[]).await.status;
    assert_eq!(inbox("m.e.i@gmail.com").await, StatusCode::OK);
    assert_eq!(
        inbox("mei+a@googlemail.com").await,
        many,
        "one inbox, a moment later"
    );
}

/// Of two cookies of one name, the one that stands counts wherever it is written, and nothing deletes it.
#[tokio::test]
async fn a_stale_cookie_does_not_end_a_valid_login() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    ask(&mei, "mei@example.com", &[]).await.data();
    let otp = mei.code_for("mei@example.com").await;
    let browser = reqwest::Client::new();
    let entered = json!({ "user": { "email": "mei@example.com", "otp": otp } });
    let login = browser
        .post(server.url("/api/v0/users/login_email_otp"))
        .json(&entered);
    let login = login.send().await.unwrap();
    let cookie = login.headers()[SET_COOKIE].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let details = async |cookies: &str| {
        let request = browser.get(server.url("/api/v0/users/details"));
        let answer = request.header(COOKIE, cookies).send().await.unwrap();
        let deletes = answer.headers().contains_key(SET_COOKIE);
        let body: Value = answer.json().await.unwrap();
        (body["data"]["email"].clone(), deletes)
    };
    let known = (json!("mei@example.com"), false);
    assert_eq!(details(&format!("user_auth_token=stale; {cookie}")).await, known);
    assert_eq!(details(&format!("{cookie}; user_auth_token=stale")).await, known);
    assert_eq!(details("user_auth_token=stale").await, (Value::Null, true));
}

/// Names as passports write them and pasted phones are taken; a sign that no name has is named.
#[tokio::test]
async fn pasted_names_and_phones_are_taken() {
    let server = Server::start();
    let visitor = Visitor::new(&server);
    let send = async |name: &str, email: &str, phone: &str| {
        let mut body = enquiry(name, email);
        body["lead"]["user_details"]["phone"] = json!(phone);
        visitor.post("/api/v0/leads", body).await
    };
    for (n, name, phone, kept) in [
        (1, "Siva a/l Kumar", "0044 7700 900123", "+447700900123"),
        (2, "Raj S/O Mohan", "447700900124", "+447700900124"),
        (
            3,
            "Tan @ Lim",
            "\u{202A}+44\u{A0}7700\u{2011}900125\u{202C}",
            "+447700900125",
        ),
        (4, "\u{200E}Kofi", "+225 07 07 12 34 56", "+2250707123456"),
    ] {
        let lead = send(name, &format!("s{n}@uni.example"), phone).await;
        let details = &lead.data()["user_details"];
        let phone = details["phone_details"]["international"].as_str().unwrap();
        assert_eq!(phone.replace(' ', ""), kept, "{}", lead.body);
        assert_eq!(details["name"], name.trim_start_matches('\u{200E}'));
    }
    let refused = send("Mei <b>", "mei@uni.example", "+447700900123").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let said = refused.body["errors"][0]["message"].as_str().unwrap();
    assert!(said.contains('<'), "{said}");
}

async fn ask(visitor: &Visitor<'_>, email: &str, headers: &[(&str, &str)]) -> Answer {
    let body = json!({ "user": { "email": email } });
    visitor
        .call(
            Method::POST,
            "/api/v0/users/generate_email_otp",
            Some(body),
            headers,
        )
        .await
}
