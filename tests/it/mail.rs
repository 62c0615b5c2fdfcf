//! Mails through a real mail server (row F1): what arrives, what is asked again, what is refused, and who sees it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::mail::{MailServer, certificate};
use tests::{LOG_FILE, Server};

use crate::market::until;
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

/// More than are sent at the same time.
const ENQUIRIES: usize = 12;
/// The promise after a kill.
const TAKEN_OVER: Duration = Duration::from_secs(5);
const FROM: (&str, &str) = ("LATCHKEY_MAIL_FROM", "Amber <rooms@mail.example>");

/// What a mail server has heard, oldest first.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<Value>>>);

impl Heard {
    pub(crate) fn start(&self, options: &[&str]) -> MailServer {
        let heard = self.0.clone();
        MailServer::start(options, move |line| {
            heard.lock().unwrap().push(serde_json::from_str(line).unwrap());
        })
    }

    /// Everything of a kind that was heard about an address.
    pub(crate) fn of(&self, event: &str, to: &str) -> Vec<Value> {
        let heard = self.0.lock().unwrap();
        let of = |one: &&Value| one["event"] == event && one["to"] == to;
        heard.iter().filter(of).cloned().collect()
    }

    /// How often something of a kind was heard.
    pub(crate) fn count(&self, event: &str) -> usize {
        let heard = self.0.lock().unwrap();
        heard.iter().filter(|one| one["event"] == event).count()
    }

    /// Something that was heard elsewhere, in order with the rest.
    pub(crate) fn note(&self, event: &str, to: &str) {
        self.0.lock().unwrap().push(json!({ "event": event, "to": to }));
    }

    /// Waits for an address's first mail.
    async fn mail_to(&self, to: &str) -> Value {
        until(async || self.of("mail", to).into_iter().next()).await
    }
}

/// What lies at the desk of a message by its key's beginning: state, recipient, text. `None` before it lies there.
fn at_desk(server: &Server, key: &str) -> Option<[String; 3]> {
    let asked = format!("select state, recipient, body from message where message_key like '{key}%'");
    let row = stored::rows(server, Part::Desk, &asked).into_iter().next()?;
    let row: Option<Vec<String>> = row.into_iter().collect();
    row?.try_into().ok()
}

/// A code and a confirmation arrive by mail and nothing of them lies open.
#[tokio::test]
async fn code_and_confirmation_arrive_by_mail_and_are_not_kept() {
    let heard = Heard::default();
    let mails = heard.start(&[]);
    let url = mails.url();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMTP_URL", &url),
        FROM,
    ]);
    let mei = Visitor::new(&server);
    for hidden in ["/dev/outbox", "/dev/sandbox"] {
        assert_eq!(mei.get(hidden).await.status, StatusCode::NOT_FOUND, "{hidden}");
    }
    let asked = json!({ "user": { "email": "mei@example.com" } });
    let call = |path: &'static str, body: Value| {
        let mei = &mei;
        async move {
            mei.call(
                reqwest::Method::POST,
                path,
                Some(body),
                &[("accept-language", "zh")],
            )
            .await
        }
    };
    call("/api/v0/users/generate_email_otp", asked).await.data();
    let mail = heard.mail_to("mei@example.com").await;
    assert_eq!(mail["sender"], "Amber <rooms@mail.example>");
    let text = mail["text"].as_str().unwrap();
    assert!(text.contains("验证码"), "{text}");
    assert!(mail["html"].as_str().unwrap().contains("lang=\"zh\""), "{mail}");
    let code: String = text
        .split(|letter: char| !letter.is_ascii_digit())
        .find(|word| word.len() == 6)
        .unwrap()
        .to_owned();
    let sent = until(async || at_desk(&server, "otp:").filter(|[state, ..]| state == "sent")).await;
    assert_eq!(sent, ["sent", "", ""]);
    let login = json!({ "user": { "email": "mei@example.com", "otp": code } });
    call("/api/v0/users/login_email_otp", login).await.data();

    mei.post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data();
    let told = until(async || heard.of("mail", "mei@example.com").into_iter().nth(1)).await;
    let id = |mail: &Value| mail["id"].as_str().unwrap().to_owned();
    assert!(id(&told).ends_with("@mail.example>"), "{told}");
    assert_ne!(id(&told), id(&mail));
    for automatic in [&mail, &told] {
        assert_eq!(automatic["automatic"], "auto-generated", "{automatic}");
    }
    assert!(server.run(&["doctor"]).contains("the mail server answers"));
}

/// What is put off is asked again and what is refused is not but seen by support.
#[tokio::test]
async fn deferred_mail_is_retried_and_refused_mail_shown_to_support() {
    let heard = Heard::default();
    let mails = heard.start(&[]);
    let (url, folder) = (mails.url(), tempfile::tempdir().unwrap());
    let output = folder.path().join("server.log");
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMTP_URL", &url),
        FROM,
        ("LATCHKEY_DEV_TOOLS", "true"),
        (LOG_FILE, output.to_str().unwrap()),
    ]);
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    mei.post("/api/v0/leads", enquiry("Mei Lin", "later@example.com"))
        .await
        .data();
    let lead = mei
        .post("/api/v0/leads", enquiry("Bo", "gone@example.com"))
        .await
        .data()
        .clone();
    heard.mail_to("later@example.com").await;
    assert_eq!(heard.of("recipient", "later@example.com").len(), 3);
    desk.log_in_as("support").await;
    let refused = refusal_of(&desk, lead["id"].as_str().unwrap()).await;
    assert_eq!(refused["sentence"]["key"], "timeline.lead_message_refused");
    assert_eq!(heard.of("recipient", "gone@example.com").len(), 1);
    let logged = server.logged();
    assert!(
        logged.contains("a mail was refused") && logged.contains("550"),
        "{logged}"
    );
    assert!(
        !logged.contains("gone@") && !logged.contains("later@"),
        "{logged}"
    );
    // One mistyped address is nobody's fault here; mails that are refused one after the other are seen.
    let finance = Visitor::new(&server);
    finance.log_in_as("finance").await;
    let alerts = async || finance.get("/api/v0/workspace/alerts").await.data().clone();
    assert_eq!(alerts().await, json!([]));
    for n in 0..3 {
        mei.post("/api/v0/leads", enquiry("Bo", &format!("gone{n}@example.com")))
            .await
            .data();
    }
    let refused = json!([{ "kind": "mails_refused", "count": 3 }]);
    until(async || (alerts().await == refused).then_some(())).await;
    // A text message that was written since is no mail.
    let asked = json!({ "user": { "phone": "+447911123456" } });
    mei.post("/api/v0/users/generate_phone_otp", asked).await.data();
    assert_eq!(alerts().await, refused);
    // Until its turn comes again, the effect behind what was put off fails.
    until(async || {
        let looked = server.command(&["doctor"]).output().unwrap();
        let said = String::from_utf8_lossy(&looked.stdout).into_owned();
        assert!(said.contains("4 were refused"), "{said}");
        looked.status.success().then_some(())
    })
    .await;
}

/// A server that knows no letters of other alphabets takes such an address never: the mail is refused at once, and support sees it.
#[tokio::test]
async fn address_that_the_server_cannot_write_is_given_up() {
    let heard = Heard::default();
    let mails = heard.start(&["--ascii"]);
    let url = mails.url();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMTP_URL", &url),
        FROM,
        ("LATCHKEY_DEV_TOOLS", "true"),
    ]);
    let (jose, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = jose
        .post("/api/v0/leads", enquiry("José", "josé@example.com"))
        .await
        .data()
        .clone();
    desk.log_in_as("support").await;
    let refused = refusal_of(&desk, lead["id"].as_str().unwrap()).await;
    assert_eq!(refused["sentence"]["key"], "timeline.lead_message_refused");
    assert!(heard.of("recipient", "josé@example.com").is_empty());
}

/// The event by which a lead's history says that its mail was refused, once it is there.
async fn refusal_of(desk: &Visitor<'_>, lead_id: &str) -> Value {
    let path = format!("/api/v0/workspace/leads/{lead_id}/timeline");
    until(async || {
        let history = desk.get(&path).await.data().clone();
        let mut events = history["events"].as_array().unwrap().iter();
        events
            .find(|event| event["type"] == "LeadMessageRefused")
            .cloned()
    })
    .await
}

/// A database that several servers of a story work on, one after the other; none where it lies in their folder.
fn database() -> Option<String> {
    let on_postgres = std::env::var_os("LATCHKEY_TEST_DATABASE").is_some_and(|wanted| wanted == "postgres");
    on_postgres.then(|| tests::cluster().database())
}

/// A login is never sent in the clear and a wrong one loses no mail.
#[tokio::test]
async fn mail_login_needs_tls_and_a_wrong_one_loses_no_mail() {
    let (heard, folder) = (Heard::default(), tempfile::tempdir().unwrap());
    certificate(folder.path());
    let (certificate, key) = (
        folder.path().join("certificate.pem"),
        folder.path().join("key.pem"),
    );
    let certificate = certificate.to_str().unwrap();
    let mails = heard.start(&["--certificate", certificate, "--key", key.to_str().unwrap()]);
    let with = |password: &str| format!("smtp://rooms:{password}@localhost:{}?tls=required", mails.port);
    let database = database();
    let on = |url: &str, trusted: &str| {
        let data = folder.path().join("data");
        let mut settings = vec![("LATCHKEY_SMTP_URL", url), FROM, ("SSL_CERT_FILE", trusted)];
        settings.extend(database.as_deref().map(|url| ("LATCHKEY_DATABASE", url)));
        Server::on_with(&data, &settings)
    };
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let server = on(&with("wrong"), certificate);
    let body = enquiry("Mei Lin", "mei@example.com");
    Visitor::new(&server).post("/api/v0/leads", body).await.data();
    let said = server.refused(&["doctor"]);
    assert!(
        said.contains("it refuses the login") && !said.contains("wrong@"),
        "{said}"
    );
    until(async || at_desk(&server, "arrived:").filter(|[state, ..]| state == "waiting")).await;
    drop(server);
    let said = on(&with("s3cret"), "/dev/null").refused(&["doctor"]);
    assert!(said.contains("look at host, port and certificate"), "{said}");
    let server = on(&with("s3cret"), certificate);
    let mail = heard.mail_to("mei@example.com").await;
    assert_eq!(mail["encrypted"], true);
    // The effect behind what was put off may have failed often by now, which the doctor says as well.
    let looked = server.command(&["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&looked.stdout).into_owned();
    assert!(said.contains("the mail server answers"), "{said}");
}

/// Whoever waits for a mail that another is sending takes its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sender_waits_for_a_mail_that_another_is_sending() {
    let heard = Heard::default();
    let mails = heard.start(&["--pause", "0.5"]);
    let url = mails.url();
    let mut server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMTP_URL", &url),
        FROM,
        ("LATCHKEY_DEV_TOOLS", "true"),
    ]);
    {
        let mei = Visitor::new(&server);
        for number in 0..ENQUIRIES {
            let body = enquiry("Mei Lin", &format!("mei{number}@example.com"));
            mei.post("/api/v0/leads", body).await.data();
        }
    }
    // Everything is due at once then, for the effects and for whoever sends what waits.
    server.restart();
    let done = "select attempts from outbox where done_ms is not null";
    let done = async || {
        let rows = stored::rows(&server, Part::Outbox, done);
        (rows.len() == ENQUIRIES).then(|| rows.concat())
    };
    let attempts: Vec<String> = until(done).await.into_iter().flatten().collect();
    // At most once before the kill and once after it.
    assert!(
        attempts.iter().all(|count| count == "1" || count == "2"),
        "{attempts:?}"
    );
    assert!(heard.count("mail") >= ENQUIRIES);
}

/// What a killed node was sending another sends within five seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_nodes_mail_is_sent_by_another_within_5_seconds() {
    let heard = Heard::default();
    // Nobody hears the end of a mail while the story lasts.
    let mails = heard.start(&["--pause", "18"]);
    let (url, database) = (mails.url(), tests::cluster().database());
    let start = || {
        Server::with(&[
            ("LATCHKEY_DATABASE", &database),
            ("LATCHKEY_DEMO_CATALOGUE", "false"),
            ("LATCHKEY_SMTP_URL", &url),
            FROM,
        ])
    };
    let mut first = start();
    let body = enquiry("Mei Lin", "mei@example.com");
    Visitor::new(&first).post("/api/v0/leads", body).await.data();
    until(async || (heard.count("recipient") == 1).then_some(())).await;
    let _second = start();
    assert_eq!(heard.count("recipient"), 1, "two nodes send it at a time");
    first.kill();
    let killed = Instant::now();
    until(async || (heard.count("recipient") == 2).then_some(())).await;
    assert!(killed.elapsed() < TAKEN_OVER, "sent after {:?}", killed.elapsed());
}

/// A code for a phone that nobody would get is refused with the way out.
#[tokio::test]
async fn phone_code_without_a_provider_is_refused_with_advice() {
    let heard = Heard::default();
    let mails = heard.start(&[]);
    let (url, folder) = (mails.url(), tempfile::tempdir().unwrap());
    let output = folder.path().join("server.log");
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_SMTP_URL", &url),
        FROM,
        (LOG_FILE, output.to_str().unwrap()),
    ]);
    let asked = json!({ "user": { "phone": "+447700900123" } });
    let refused = Visitor::new(&server)
        .post("/api/v0/users/generate_phone_otp", asked)
        .await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        refused.body
    );
    let error = &refused.body["errors"][0];
    assert_eq!(error["field"], "user/phone");
    assert!(error.to_string().contains("e-mail address"), "{error}");
    assert!(server.logged().contains("text messages have no provider"));
    assert!(
        server
            .run(&["doctor"])
            .contains("nobody can log in with a phone number")
    );
    assert_eq!(
        stored::number(&server, Part::Desk, "select count(*) from message"),
        0
    );
}
