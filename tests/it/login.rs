//! One-time codes, sessions and roles.

use futures::future::join_all;
use reqwest::StatusCode;
use serde_json::json;
use tests::Server;

use crate::market::until;
use crate::stored::{self, Part};
use crate::visitor::{Answer, Visitor, enquiry};

#[tokio::test]
async fn a_code_logs_in_once() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.post(
        "/api/v0/users/generate_email_otp",
        json!({ "user": { "email": "Mei@example.com" } }),
    )
    .await
    .data();
    let otp = mei.code_for("Mei@example.com").await;
    let entered = json!({ "user": { "email": "Mei@example.com", "otp": otp } });
    let logged_in = mei.post("/api/v0/users/login_email_otp", entered).await;
    let user = logged_in.data();
    assert_eq!(
        (user["email"].as_str(), user["is_internal"].as_bool()),
        (Some("Mei@example.com"), Some(false))
    );
    assert_eq!(mei.get("/api/v0/users/details").await.data()["id"], user["id"]);
    let again = json!({ "user": { "email": "mei@example.com", "otp": otp } });
    let refused = Visitor::new(&server)
        .post("/api/v0/users/login_email_otp", again)
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn five_wrong_tries_kill_a_code_however_many_come_at_once() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let session = ask(&mei, "mei@example.com").await;
    let right = mei.code_for("mei@example.com").await;
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let guesses = join_all((0..20).map(|_| enter(&mei, "mei@example.com", wrong, Some(&session)))).await;
    assert!(
        guesses
            .iter()
            .all(|answer| answer.status == StatusCode::UNPROCESSABLE_ENTITY)
    );
    let late = enter(&mei, "mei@example.com", &right, Some(&session)).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// A stranger's wrong tries do not use up the code on somebody's screen.
#[tokio::test]
async fn strangers_wrong_tries_leave_the_owners_code_usable() {
    let server = Server::start();
    let (mei, stranger) = (Visitor::new(&server), Visitor::new(&server));
    let session = ask(&mei, "mei@example.com").await;
    let right = mei.code_for("mei@example.com").await;
    let wrong = if right == "000000" { "000001" } else { "000000" };
    for _ in 0..10 {
        let refused = enter(&stranger, "mei@example.com", wrong, None).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    // Not even the right code opens without its session by now, and with it still does.
    let guessed = enter(&stranger, "mei@example.com", &right, None).await;
    assert_eq!(guessed.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        enter(&mei, "mei@example.com", &right, Some(&session))
            .await
            .status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn a_code_is_good_for_ten_minutes_and_for_its_own_address() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let first = ask(&mei, "mei@example.com").await;
    let old = mei.code_for("mei@example.com").await;
    mei.wait(31).await;
    let second = ask(&mei, "mei@example.com").await;
    let code = mei.code_for("mei@example.com").await;
    let status =
        async |email: &str, code: &str, session: &str| enter(&mei, email, code, Some(session)).await.status;
    assert_eq!(
        status("mei@example.com", &old, &first).await,
        StatusCode::UNPROCESSABLE_ENTITY,
        "a new code ends the old one"
    );
    assert_eq!(
        status("li@example.com", &code, &second).await,
        StatusCode::UNPROCESSABLE_ENTITY,
        "somebody else's code"
    );
    mei.wait(601).await;
    let refused = mei
        .post(
            "/api/v0/users/login_email_otp?lang=zh",
            json!({ "user": { "email": "mei@example.com", "otp": code, "session_uuid": second } }),
        )
        .await;
    assert_eq!(refused.fields(), ["user/otp"]);
    assert_eq!(
        refused.body["errors"][0]["message"],
        "验证码不正确或已过期。请核对，或重新发送验证码"
    );
}

#[tokio::test]
async fn asking_for_a_code_tells_nothing_about_who_is_known() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    mei.wait(31).await;
    let shape = async |email: &str| {
        let body = json!({ "user": { "email": email } });
        let mut sent = mei.post("/api/v0/users/generate_email_otp", body).await;
        sent.body["data"]["session_uuid"] = json!("");
        let wrong = enter(&mei, email, "0000000", None).await;
        let mut refused = wrong.body;
        refused["request_id"] = json!("");
        (sent.status, sent.body, wrong.status, refused)
    };
    assert_eq!(shape("mei@example.com").await, shape("nobody@example.com").await);
}

/// Asks for a code; the session it belongs to.
async fn ask(visitor: &Visitor<'_>, email: &str) -> String {
    let sent = visitor
        .post(
            "/api/v0/users/generate_email_otp",
            json!({ "user": { "email": email } }),
        )
        .await;
    sent.data()["session_uuid"].as_str().unwrap().to_owned()
}

async fn enter(visitor: &Visitor<'_>, email: &str, otp: &str, session: Option<&str>) -> Answer {
    let user = json!({ "user": { "email": email, "otp": otp, "session_uuid": session } });
    visitor.post("/api/v0/users/login_email_otp", user).await
}

#[tokio::test]
async fn a_second_code_is_not_sent_at_once() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let ask = || {
        mei.post(
            "/api/v0/users/generate_email_otp",
            json!({ "user": { "email": "mei@example.com" } }),
        )
    };
    let answers = join_all((0..10).map(|_| ask())).await;
    let sent = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::OK)
        .count();
    assert_eq!(sent, 1);
    let refused = answers
        .iter()
        .find(|answer| answer.status != StatusCode::OK)
        .unwrap();
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::TOO_MANY_REQUESTS, "too_many_requests")
    );
}

#[tokio::test]
async fn a_phone_code_belongs_to_its_session() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let ask = json!({ "user": { "phone": "+44 7700 900123" } });
    let sent = mei
        .post("/api/v0/users/generate_phone_otp", ask)
        .await
        .data()
        .clone();
    let otp = mei.code_for("+447700900123").await;
    let log_in = |session: String| {
        mei.post(
            "/api/v0/users/login_phone_otp",
            json!({ "user": { "phone": "+447700900123", "otp": otp, "session_uuid": session } }),
        )
    };
    let foreign = log_in("01923456-789a-4bcd-8ef0-123456789abc".to_owned()).await;
    assert_eq!(foreign.status, StatusCode::UNPROCESSABLE_ENTITY);
    let user = log_in(sent["session_uuid"].as_str().unwrap().to_owned()).await;
    assert_eq!(
        (user.data()["login_type"].as_str(), user.data()["phone"].as_str()),
        (Some("phone"), Some("+447700900123"))
    );
}

#[tokio::test]
async fn only_the_china_variant_takes_the_login_from_the_address() {
    let china = Server::with(&[
        ("LATCHKEY_VARIANT", "china"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let mei = Visitor::new(&china);
    let user = mei.log_in("mei@example.com").await;
    let token = user["user_auth_token"].as_str().unwrap();
    let without_cookies = Visitor::new(&china);
    let details = format!("/api/v0/users/details?cache=false&user_auth_token={token}");
    assert_eq!(without_cookies.get(&details).await.data()["id"], user["id"]);
    let search = format!("/api/v1/inventories?is_whitelabel=true&user_auth_token={token}");
    without_cookies.get(&search).await.data();
    let wrong = without_cookies
        .get("/api/v0/users/details?user_auth_token=0000")
        .await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    let guarded = format!("/_page?url=/places/%3Fuser_auth_token={token}");
    let page = without_cookies.get(&guarded).await;
    assert!(!page.body.to_string().contains(token), "{}", page.body);

    let standard = Server::start();
    let li = Visitor::new(&standard);
    let user = li.log_in("li@example.com").await;
    assert!(user["user_auth_token"].is_null());
    let anonymous = Visitor::new(&standard);
    let details = anonymous.get("/api/v0/users/details?user_auth_token=0000").await;
    assert!(details.data().is_null(), "{}", details.body);
}

#[tokio::test]
async fn logging_out_ends_the_session_on_the_server() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    let out = mei.post("/api/v0/users/logout", json!({})).await;
    assert_eq!(out.body["message"], "logged-out");
    assert_eq!(
        mei.get("/api/v0/users/activity").await.status,
        StatusCode::UNAUTHORIZED
    );
    assert!(mei.get("/api/v0/users/details").await.data().is_null());
}

#[tokio::test]
async fn roles_open_exactly_their_side_of_the_workspace() {
    let server = Server::start();
    let (support, finance, student) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    let me = support.log_in_as("support").await;
    assert_eq!(
        (me["is_internal"].as_bool(), me["roles"][0].as_str()),
        (Some(true), Some("support"))
    );
    finance.log_in_as("finance").await;
    student.log_in("mei@example.com").await;
    let leads = "/api/v0/workspace/leads";
    assert_eq!(support.get(leads).await.status, StatusCode::OK);
    assert_eq!(finance.get(leads).await.status, StatusCode::FORBIDDEN);
    assert_eq!(student.get(leads).await.status, StatusCode::FORBIDDEN);
    assert_eq!(
        Visitor::new(&server).get(leads).await.status,
        StatusCode::UNAUTHORIZED
    );
    let me = finance.get("/api/v0/workspace/me").await;
    assert_eq!(
        (
            me.data()["can"]["finance"].as_bool(),
            me.data()["can"]["leads"].as_bool()
        ),
        (Some(true), Some(false))
    );
}

#[tokio::test]
async fn a_role_counts_only_with_a_proved_company_address() {
    let server = Server::start();
    server.run(&["grant", "--email", "mei@staff.example.evil.io", "--role", "admin"]);
    let mei = Visitor::new(&server);
    let user = mei.log_in("mei@staff.example.evil.io").await;
    assert_eq!(user["roles"], json!([]));
    assert_eq!(
        mei.get("/api/v0/workspace/me").await.status,
        StatusCode::FORBIDDEN
    );
}

#[tokio::test]
async fn a_shortlist_holds_each_home_once() {
    let server = Server::with_catalogue();
    let mei = Visitor::new(&server);
    let home = crate::visitor::some_property(&mei).await;
    let add = || {
        mei.post(
            "/api/v0/auth/users/inventories_shortlists/",
            json!({ "inventories_shortlist": { "inventory_id": home } }),
        )
    };
    assert_eq!(add().await.status, StatusCode::UNAUTHORIZED);
    mei.log_in("mei@example.com").await;
    let entry = add().await.data()["id"].clone();
    assert_eq!(add().await.data()["id"], entry);
    let activity = mei.get("/api/v0/users/activity?tab=shortlisted").await;
    assert_eq!(
        (
            activity.data()["counts"]["shortlisted"].as_u64(),
            activity.data()["shortlisted"][0]["id"].as_str()
        ),
        (Some(1), Some(home.as_str()))
    );
    let remove = async |id: &str| {
        let path = format!("/api/v0/auth/users/inventories_shortlists/{id}");
        mei.delete(&path).await
    };
    assert_eq!(remove(&home).await.data()["id"], entry);
    // What was on the list, or could be, is gone; what nobody knows is no such thing.
    for id in [home.as_str(), entry.as_str().unwrap()] {
        assert_eq!(remove(id).await.data(), &json!(null), "{id}");
    }
    for id in ["0193a000-0000-7000-8000-000000000001", "no-such-home"] {
        let unknown = remove(id).await;
        assert_eq!(
            (unknown.status, unknown.code()),
            (StatusCode::NOT_FOUND, "not_found"),
            "{id}"
        );
    }
    assert_eq!(
        mei.get("/api/v0/users/activity?tab=shortlisted").await.data()["shortlisted"],
        json!([])
    );
}

/// The messages of the outbox as they are kept: to whom, what they say, and their code.
fn outbox_rows(server: &tests::Server) -> Vec<[Option<String>; 3]> {
    let asked = "select recipient, subject || body || coalesce(html, ''), code from message order by id";
    let rows = stored::rows(server, Part::Desk, asked).into_iter();
    rows.map(|row| row.try_into().unwrap()).collect()
}

/// Whether a message keeps nothing of a code.
fn is_blank([_, said, kept]: &[Option<String>; 3], code: &str) -> bool {
    kept.is_none() && said.as_ref().is_some_and(|said| !said.contains(code))
}

#[tokio::test]
async fn a_code_leaves_the_outbox_once_it_was_used_or_ran_out() {
    let server = tests::Server::start();
    let mei = Visitor::new(&server);
    let ask = json!({ "user": { "email": "mei@example.com" } });
    mei.post("/api/v0/users/generate_email_otp", ask.clone())
        .await
        .data();
    let used = mei.code_for("mei@example.com").await;
    let entered = json!({ "user": { "email": "mei@example.com", "otp": used } });
    mei.post("/api/v0/users/login_email_otp", entered).await.data();
    let rows = outbox_rows(&server);
    assert!(is_blank(&rows[0], &used), "{rows:?}");
    mei.wait(31).await;
    mei.post("/api/v0/users/generate_email_otp", ask).await.data();
    let unused = mei.code_for("mei@example.com").await;
    mei.wait(601).await;
    mei.get("/dev/outbox").await.data();
    let rows = outbox_rows(&server);
    assert!(is_blank(&rows[1], &unused), "{rows:?}");
}

/// Where nobody can read the outbox nothing of a message is kept.
#[tokio::test]
async fn message_texts_are_not_kept_without_developers_tools() {
    let server = tests::Server::with(&[
        ("LATCHKEY_DEV_TOOLS", "false"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let mei = Visitor::new(&server);
    let sent = enquiry("Mei Lin", "marked.person@example.com");
    mei.post("/api/v0/leads", sent).await.data();
    let rows = until(|| async {
        let rows = outbox_rows(&server);
        (!rows.is_empty()).then_some(rows)
    })
    .await;
    assert_eq!(rows, [[Some(String::new()), Some(String::new()), None]]);
    // Nobody would get a code, so nobody waits for one.
    let ask = json!({ "user": { "email": "marked.person@example.com" } });
    let refused = mei.post("/api/v0/users/generate_email_otp", ask).await;
    assert_eq!(
        (refused.status, refused.body["errors"][0]["code"].as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, Some("no_mails")),
        "{}",
        refused.body
    );
    // In PostgreSQL there is no such file.
    for file in ["desk.db", "desk.db-wal"] {
        let bytes = std::fs::read(server.folder().join(file)).unwrap_or_default();
        let marked = b"marked.person";
        assert!(!bytes.windows(marked.len()).any(|part| part == marked), "{file}");
    }
}
