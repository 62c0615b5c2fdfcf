//! Text messages through a provider's HTTP API (row F1): what it is sent, what is tried again, what is final, and that numbers and
//! codes stay out of the server's log.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{LOG_FILE, Server, refused_with};

use crate::market::until;
use crate::receiver::{Answer, Receiver};
use crate::stored::{self, Part};
use crate::visitor::Visitor;

const NUMBER: &str = "+447700900123";

fn url_of(provider: &Receiver) -> String {
    format!("http://s3cret-token@127.0.0.1:{}/v1/messages", provider.port)
}

async fn ask_for_code(visitor: &Visitor<'_>, lang: &str) -> Value {
    let asked = json!({ "user": { "phone": NUMBER } });
    let path = "/api/v0/users/generate_phone_otp";
    let answer = visitor
        .call(Method::POST, path, Some(asked), &[("accept-language", lang)])
        .await;
    answer.data().clone()
}

fn code_in(text: &str) -> String {
    let mut words = text.split(|letter: char| !letter.is_ascii_digit());
    words.find(|word| word.len() == 6).unwrap().to_owned()
}

/// State and refusal of the only message at the desk.
async fn ended(server: &Server, state: &str) -> Vec<Option<String>> {
    until(async || {
        let rows = stored::rows(
            server,
            Part::Desk,
            "select state, refusal, recipient, body from message",
        );
        let row = rows.into_iter().next()?;
        (row[0].as_deref() == Some(state)).then_some(row)
    })
    .await
}

/// A code is posted once to the provider, logs its owner in, and is kept nowhere.
#[tokio::test]
async fn phone_code_goes_through_the_provider_and_logs_in() {
    let provider = Receiver::start(|_, _| Answer::status(202));
    let (url, folder) = (url_of(&provider), tempfile::tempdir().unwrap());
    let output = folder.path().join("server.log");
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMS_URL", &url),
        (LOG_FILE, output.to_str().unwrap()),
    ]);
    let mei = Visitor::new(&server);
    let hidden = mei.get("/dev/outbox").await.status;
    assert_eq!(hidden, StatusCode::NOT_FOUND, "tools are off beside a provider");
    let sent = ask_for_code(&mei, "zh").await;
    let posted = until(async || provider.posted().into_iter().next()).await;
    assert_eq!(posted.path, "/v1/messages");
    assert_eq!(posted.header("authorization"), "Bearer s3cret-token");
    let body = posted.json();
    assert_eq!(posted.header("idempotency-key"), body["id"].as_str().unwrap());
    assert_eq!(body["to"], NUMBER);
    assert_eq!(body["kind"], "otp");
    assert_eq!(body["channel"], "sms");
    let text = body["text"].as_str().unwrap();
    assert!(text.contains("验证码"), "{text}");
    let kept = ended(&server, "sent").await;
    assert_eq!(kept[2..], [Some(String::new()), Some(String::new())]);
    let code = code_in(text);
    let login = json!({ "user": { "phone": NUMBER, "otp": code, "session_uuid": sent["session_uuid"] } });
    mei.post("/api/v0/users/login_phone_otp", login).await.data();
    assert_eq!(provider.posted().len(), 1);
    let looked = server.command(&["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&looked.stdout).into_owned();
    assert!(said.contains("the provider of text messages answers"), "{said}");
    let logged = server.logged();
    for secret in [NUMBER, "7700900123", code.as_str(), "s3cret-token"] {
        assert!(!logged.contains(secret), "{secret} stands in the log: {logged}");
    }
}

/// Errors of the provider are tried again under one key, and its Retry-After is kept.
#[tokio::test]
async fn provider_errors_are_retried_under_one_idempotency_key() {
    let provider = Receiver::start(|_, before| match before {
        0 => Answer::status(500),
        1 => Answer {
            headers: vec![("retry-after", "4".to_owned())],
            ..Answer::status(429)
        },
        _ => Answer::status(200),
    });
    let url = url_of(&provider);
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false"), ("LATCHKEY_SMS_URL", &url)]);
    ask_for_code(&Visitor::new(&server), "en").await;
    until(async || (provider.posted().len() == 2).then_some(())).await;
    let limited = Instant::now();
    until(async || (provider.posted().len() == 3).then_some(())).await;
    // The own wait after a second attempt is 2 s.
    assert!(
        limited.elapsed() > Duration::from_millis(3_500),
        "asked again after {:?}",
        limited.elapsed()
    );
    ended(&server, "sent").await;
    let posted = provider.posted();
    let keys: Vec<&str> = posted.iter().map(|one| one.header("idempotency-key")).collect();
    assert!(
        keys.iter().all(|key| *key == keys[0] && !key.is_empty()),
        "{keys:?}"
    );
}

/// A killed server sends what waited again as the same message.
#[tokio::test]
async fn text_message_survives_a_kill_under_the_same_key() {
    let provider = Receiver::start(|_, before| match before {
        // The first answer never comes.
        0 => Answer {
            pause: Duration::from_mins(2),
            ..Answer::status(200)
        },
        _ => Answer::status(200),
    });
    let url = url_of(&provider);
    let mut server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false"), ("LATCHKEY_SMS_URL", &url)]);
    ask_for_code(&Visitor::new(&server), "en").await;
    until(async || (provider.posted().len() == 1).then_some(())).await;
    server.restart();
    until(async || (provider.posted().len() == 2).then_some(())).await;
    let posted = provider.posted();
    assert_eq!(
        posted[0].header("idempotency-key"),
        posted[1].header("idempotency-key")
    );
    assert_eq!(posted[0].json(), posted[1].json());
}

/// What the provider refuses is not sent again.
#[tokio::test]
async fn refused_text_message_is_final() {
    let provider = Receiver::start(|_, _| Answer::status(422));
    let (url, folder) = (url_of(&provider), tempfile::tempdir().unwrap());
    let output = folder.path().join("server.log");
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMS_URL", &url),
        (LOG_FILE, output.to_str().unwrap()),
    ]);
    ask_for_code(&Visitor::new(&server), "en").await;
    let kept = ended(&server, "refused").await;
    assert_eq!(kept[1].as_deref(), Some("422"));
    assert_eq!(provider.posted().len(), 1);
    let logged = server.logged();
    assert!(logged.contains("422") && !logged.contains(NUMBER), "{logged}");
}

/// A wrong address stops the start, and a refused token is the doctor's to tell.
#[tokio::test]
async fn wrong_provider_is_named_without_its_token() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = [("LATCHKEY_SMS_URL", "http://s3cret@sms.example")];
    let said = refused_with(folder.path(), &wrong, &["serve"]);
    assert!(
        said.contains("`sms_url`") && said.contains("https://") && !said.contains("s3cret"),
        "{said}"
    );
    let provider = Receiver::start(|_, _| Answer::status(401));
    let url = url_of(&provider);
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false"), ("LATCHKEY_SMS_URL", &url)]);
    let looked = server.command(&["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&looked.stdout).into_owned();
    assert!(
        said.contains("it refuses the login: look at the token in `sms_url`") && !said.contains("s3cret"),
        "{said}"
    );
}
