//! reCAPTCHA before codes and enquiries (D69, D70): score, visual challenge, stolen tokens, a verifier that is away, and
//! where it does not stand in the way at all.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;
use tests::{LOG_FILE, Server, refused_with};

use crate::limits::{proof, with_proof};
use crate::receiver::{Answer, Received, Receiver};
use crate::visitor::{Visitor, enquiry};

const EMAIL_CODE: &str = "/api/v0/users/generate_email_otp";
const HOST: &str = "127.0.0.1";

/// Says of a token what its text says: `good`, `low`, `stolen`, `other_action`, `human`.
fn verdict(request: &Received) -> Answer {
    let form = String::from_utf8(request.body.to_vec()).unwrap();
    let of = |name: &str| {
        let start = format!("{name}=");
        let found = form.split('&').find_map(|part| part.strip_prefix(&start));
        found.unwrap_or_default().to_owned()
    };
    let score = |score: f64, action: &str, hostname: &str| json!({ "success": true, "score": score, "action": action, "hostname": hostname });
    let told = match (of("secret").as_str(), of("response").as_str()) {
        ("secret-3", "good") => score(0.9, "email_login", HOST),
        ("secret-3", "good_lead") => score(0.7, "lead_submission", HOST),
        ("secret-3", "low") => score(0.1, "email_login", HOST),
        ("secret-3", "stolen") => score(0.9, "email_login", "evil.example"),
        ("secret-3", "other_action") => score(0.9, "newsletter", HOST),
        ("secret-2", "human") => json!({ "success": true, "hostname": HOST }),
        _ => json!({ "success": false, "error-codes": ["invalid-input-response"] }),
    };
    Answer {
        headers: vec![("content-type", "application/json".to_owned())],
        body: told.to_string(),
        ..Answer::status(200)
    }
}

fn guarded(url: &str, more: &[(&'static str, String)]) -> Vec<(&'static str, String)> {
    let mut settings = vec![
        ("LATCHKEY_DEMO_CATALOGUE", "false".to_owned()),
        ("LATCHKEY_RECAPTCHA_SITE_KEY", "site-3".to_owned()),
        ("LATCHKEY_RECAPTCHA_SECRET_KEY", "secret-3".to_owned()),
        ("LATCHKEY_RECAPTCHA_V2_SITE_KEY", "site-2".to_owned()),
        ("LATCHKEY_RECAPTCHA_V2_SECRET_KEY", "secret-2".to_owned()),
        ("LATCHKEY_RECAPTCHA_VERIFY_URL", url.to_owned()),
    ];
    settings.extend(more.iter().cloned());
    settings
}

fn start(settings: &[(&'static str, String)]) -> Server {
    let settings: Vec<(&str, &str)> = settings
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    Server::with(&settings)
}

async fn code(visitor: &Visitor<'_>, email: &str, query: &str) -> (StatusCode, String) {
    let path = format!("{EMAIL_CODE}{query}");
    let answer = visitor.post(&path, json!({ "user": { "email": email } })).await;
    (answer.status, answer.code().to_owned())
}

fn challenged() -> (StatusCode, String) {
    (StatusCode::FORBIDDEN, "visual_challenge_required".to_owned())
}

/// A good score passes, everything else leads to the visual challenge, which opens the way.
#[tokio::test]
async fn low_score_is_asked_for_the_visual_challenge() {
    let verifier = Receiver::start(|request, _| verdict(request));
    let server = start(&guarded(
        &format!("http://{HOST}:{}/siteverify", verifier.port),
        &[],
    ));
    let mei = Visitor::new(&server);
    let with = |token: &str| format!("?recaptcha_token={token}&recaptcha_action=email_login");
    for (number, token) in ["low", "stolen", "other_action", "nonsense"]
        .into_iter()
        .enumerate()
    {
        let email = format!("mei{number}@example.com");
        assert_eq!(code(&mei, &email, &with(token)).await, challenged(), "{token}");
    }
    assert_eq!(code(&mei, "none@example.com", "").await, challenged());
    let wrong_action = "?recaptcha_token=good&recaptcha_action=phone_login";
    assert_eq!(code(&mei, "action@example.com", wrong_action).await, challenged());
    let visual = |token: &str| format!("{}&with_visual_challenge=true", with(token));
    assert_eq!(
        code(&mei, "low@example.com", &visual("robot")).await,
        challenged()
    );
    assert_eq!(
        code(&mei, "low@example.com", &visual("human")).await.0,
        StatusCode::OK
    );
    assert_eq!(
        code(&mei, "good@example.com", &with("good")).await.0,
        StatusCode::OK
    );
    let asked = verifier.posted().len();
    // A token opens one thing: a repetition of the same passes unasked, another address is none.
    mei.wait(31).await;
    assert_eq!(
        code(&mei, "good@example.com", &with("good")).await.0,
        StatusCode::OK
    );
    assert_eq!(code(&mei, "again@example.com", &with("good")).await, challenged());
    assert_eq!(
        code(&mei, "again@example.com", &visual("human")).await,
        challenged()
    );
    assert_eq!(verifier.posted().len(), asked);

    let lead = enquiry("Mei Lin", "lead@example.com");
    let refused = mei.post("/api/v0/leads", lead.clone()).await;
    assert_eq!((refused.status, refused.code().to_owned()), challenged());
    let path = "/api/v0/leads?recaptcha_token=good_lead&recaptcha_action=lead_submission";
    assert_eq!(mei.post(path, lead).await.status, StatusCode::CREATED);
}

/// Nodes of one database know which tokens were shown: one opens one thing on all of them, whatever the verifier says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn token_is_spent_on_every_node() {
    let verifier = Receiver::start(|request, _| verdict(request));
    let database = ("LATCHKEY_DATABASE", tests::cluster().database());
    let settings = guarded(&format!("http://{HOST}:{}/", verifier.port), &[database]);
    let (first, second) = (start(&settings), start(&settings));
    let (here, there) = (Visitor::new(&first), Visitor::new(&second));
    let query = "?recaptcha_token=good&recaptcha_action=email_login";
    assert_eq!(code(&here, "mei@example.com", query).await.0, StatusCode::OK);
    assert_eq!(code(&there, "bo@example.com", query).await, challenged());
    // A second code goes out after half a minute.
    there.wait(31).await;
    assert_eq!(
        code(&there, "mei@example.com", query).await.0,
        StatusCode::OK,
        "a repetition"
    );
    assert_eq!(verifier.posted().len(), 1);
}

/// A silent verifier lets people in to the other guards, and the log says it once.
#[tokio::test]
async fn silent_verifier_leaves_the_other_guards_alone() {
    let verifier = Receiver::start(|_, before| match before {
        0 => Answer {
            pause: Duration::from_secs(30),
            ..Answer::status(200)
        },
        _ => Answer::status(500),
    });
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("server.log");
    let log = [(LOG_FILE, output.to_str().unwrap().to_owned())];
    let server = start(&guarded(&format!("http://{HOST}:{}/", verifier.port), &log));
    let mei = Visitor::new(&server);
    let with = |token: &str| format!("?recaptcha_token={token}&recaptcha_action=email_login");
    for (number, token) in ["a", "b", "c"].into_iter().enumerate() {
        let email = format!("mei{number}@example.com");
        assert_eq!(
            code(&mei, &email, &with(token)).await.0,
            StatusCode::OK,
            "{token}"
        );
    }
    // Who brings no token at all does not ride on the outage.
    assert_eq!(code(&mei, "none@example.com", "").await, challenged());
    let logged = server.logged();
    assert_eq!(
        logged
            .matches("the verifier of reCAPTCHA does not answer")
            .count(),
        1,
        "{logged}"
    );
    assert!(!logged.contains("secret-3"), "{logged}");
}

/// A browser that cannot reach reCAPTCHA works instead: one piece of work for one request, at the limits too.
#[tokio::test]
async fn work_stands_for_a_token_that_cannot_be_had() {
    let verifier = Receiver::start(|request, _| verdict(request));
    let server = start(&guarded(&format!("http://{HOST}:{}/", verifier.port), &[]));
    let mei = Visitor::new(&server);
    let ask = async |email: &str, work: &str| {
        let body = json!({ "user": { "email": email } });
        let answer = with_proof(&mei, EMAIL_CODE, body, work).await;
        (answer.status, answer.code().to_owned())
    };
    let work = proof(&mei).await;
    assert_eq!(
        ask("forged@example.com", &work.replacen('.', ".0", 1)).await,
        challenged()
    );
    assert_eq!(ask("mei@example.com", &work).await.0, StatusCode::OK);
    assert_eq!(ask("again@example.com", &work).await, challenged(), "it is spent");
    let work = proof(&mei).await;
    let lead = enquiry("Mei Lin", "lead@example.com");
    let sent = with_proof(&mei, "/api/v0/leads", lead, &work).await;
    assert_eq!(sent.status, StatusCode::CREATED);
    assert!(verifier.posted().is_empty());
}

/// Pages where people log in may bring the script, payment pages may not, and the China variant has no gate.
#[tokio::test]
async fn script_is_named_only_where_people_log_in() {
    let verifier = Receiver::start(|request, _| verdict(request));
    let url = format!("http://{HOST}:{}/", verifier.port);
    let page = async |server: &Server, path: &str| {
        let answer = reqwest::get(server.url(path)).await.unwrap();
        let policy = answer.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        (policy, answer.text().await.unwrap())
    };
    let meta = "<meta name=\"recaptcha\" content=\"site-3 site-2\">";
    let server = start(&guarded(&url, &[]));
    let (policy, html) = page(&server, "/").await;
    assert!(policy.contains("https://www.google.com/recaptcha/") && html.contains(meta));
    assert!(
        !html.contains("secret-3") && !html.contains("www.google.com"),
        "{html}"
    );
    let (policy, html) = page(&server, "/workspace").await;
    assert!(!policy.contains("google") && !html.contains(meta));

    let china = start(&guarded(&url, &[("LATCHKEY_VARIANT", "china".to_owned())]));
    let (policy, html) = page(&china, "/").await;
    assert!(!policy.contains("google") && !html.contains("recaptcha\""));
    let mei = Visitor::new(&china);
    assert_eq!(code(&mei, "mei@example.com", "").await.0, StatusCode::OK);
    assert!(verifier.posted().is_empty());
}

#[test]
fn half_a_set_of_recaptcha_keys_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let half = [("LATCHKEY_RECAPTCHA_SITE_KEY", "site-3")];
    let said = refused_with(folder.path(), &half, &["serve"]);
    assert!(said.contains("`recaptcha_secret_key`"), "{said}");
}
