//! The second step of a staff login: it shuts the workspace until it is passed, its owner alone changes it, and a mail tells of each change.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;
use tests::words::longest_words;
use totp_rs::{Algorithm, Secret, TOTP};

use crate::administration::set;
use crate::letters::first;
use crate::market::until;
use crate::visitor::{Answer, Visitor};

const PATH: &str = "/api/v0/users/second_factor";
/// A code is sent half a minute after the last one of the same inbox.
const RESEND_S: u64 = 31;
/// After so long an inbox gets a fourth code.
const THREE_CODES_S: u64 = 601;
/// A login of longer ago changes nothing of what guards it.
const FRESH_LOGIN_S: u64 = 30 * 60;

/// The code that a device shows so many steps from now.
fn code_of(secret: &str, steps: u64) -> String {
    let bytes = Secret::Encoded(secret.to_owned()).to_bytes().unwrap();
    let device = TOTP::new(Algorithm::SHA1, 6, 0, 30, bytes).unwrap();
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    device.generate(now.as_secs() + steps * 30)
}

/// Asks for a code of the own mail half a minute after the last one; gives what a change is proved with.
pub(crate) async fn mail_code(staff: &Visitor<'_>, name: &str) -> Value {
    staff.wait(RESEND_S).await;
    let sent = staff.post(&format!("{PATH}/mail_code"), json!({})).await;
    let session = sent.data()["session_uuid"].clone();
    let otp = staff.code_for(&format!("{name}@staff.example")).await;
    json!({ "otp": otp, "session_uuid": session })
}

/// Enrols a device, where codes were waited for `waits` times before; gives the device's code and the recovery codes.
pub(crate) async fn enrol(staff: &Visitor<'_>, name: &str, waits: u64) -> (String, Value) {
    let offer = staff.post(PATH, json!({})).await.data().clone();
    let secret = offer["secret"].as_str().unwrap();
    assert!(offer["address"].as_str().unwrap().contains(secret));
    let mut asked = mail_code(staff, name).await;
    let code = code_of(secret, waits + 1);
    asked["code"] = json!(code);
    let confirm = format!("{PATH}/confirm");
    let mut wrong = asked.clone();
    wrong["code"] = json!("12345");
    assert_eq!(staff.post(&confirm, wrong).await.fields(), ["code"]);
    let mut wrong = asked.clone();
    wrong["session_uuid"] = json!("01890a5d-ac96-774b-bcce-b302099a8057");
    assert_eq!(staff.post(&confirm, wrong).await.fields(), ["otp"]);
    let codes = staff.post(&confirm, asked).await.data()["codes"].clone();
    assert_eq!(codes.as_array().unwrap().len(), 10);
    (code, codes)
}

/// Asks for the code of a login half a minute after the last one, as the owner does on another device.
async fn login_code(owner: &Visitor<'_>, name: &str) -> Value {
    owner.wait(RESEND_S).await;
    let email = format!("{name}@staff.example");
    let user = json!({ "user": { "email": email } });
    let sent = owner.post("/api/v0/users/generate_email_otp", user).await;
    let session = sent.data()["session_uuid"].clone();
    json!({ "otp": owner.code_for(&email).await, "session_uuid": session })
}

async fn log_in_by(visitor: &Visitor<'_>, name: &str, proof: &Value) -> Answer {
    let mut user = proof.clone();
    user["email"] = json!(format!("{name}@staff.example"));
    let entered = json!({ "user": user });
    visitor.post("/api/v0/users/login_email_otp", entered).await
}

/// The code logs in neither with its session nor without, and erases nothing.
async fn hold_no_login(server: &Server, staff: &Visitor<'_>, name: &str, proof: &Value) {
    let stranger = Visitor::new(server);
    let blind = json!({ "otp": proof["otp"] });
    for tried in [proof, &blind] {
        let refused = log_in_by(&stranger, name, tried).await;
        assert_eq!(refused.fields(), ["user/otp"], "{}", refused.body);
    }
    let mut erasure = proof.clone();
    erasure["by"] = json!("email");
    let refused = staff.post("/api/v0/users/forget", erasure).await;
    assert_eq!(refused.fields(), ["otp"], "{}", refused.body);
}

/// Waits until one mail of this kind has gone to a member of staff.
pub(crate) async fn is_told(visitor: &Visitor<'_>, name: &str, kind: &str) {
    until(async || {
        let outbox = visitor.get(&format!("/dev/outbox?to={name}@staff.example")).await;
        let mails = outbox.data().as_array().unwrap().iter();
        let told = mails.filter(|mail| mail["kind"] == kind);
        (told.count() == 1).then_some(())
    })
    .await;
}

fn hold_forbidden(answer: &Answer, code: &str) {
    assert_eq!((answer.status, answer.code()), (StatusCode::FORBIDDEN, code));
}

/// A required second step shuts the workspace until it is passed; codes count once, and a lost device is reset.
#[tokio::test]
async fn second_factor_shuts_the_workspace_until_passed() {
    let server = Server::start();
    let (admin, desk) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    desk.log_in_as("support").await;
    let own = set(&admin, "second_factor_roles", json!("admin")).await;
    assert_eq!(own.code(), "own_second_factor");
    set(&admin, "second_factor_roles", json!("support")).await.data();
    let shut = desk.get("/api/v0/workspace/leads").await;
    hold_forbidden(&shut, "second_factor_needed");
    let (first, codes) = enrol(&desk, "support", 0).await;
    is_told(&admin, "support", "second_factor_enrolled").await;
    assert_eq!(desk.get("/api/v0/workspace/leads").await.status, StatusCode::OK);
    admin.wait(RESEND_S).await;
    let again = Visitor::new(&server);
    let account = again.log_in("support@staff.example").await;
    hold_forbidden(&again.get("/api/v0/workspace/me").await, "second_factor_needed");
    let pass = format!("{PATH}/pass");
    let used = again.post(&pass, json!({ "code": first })).await;
    assert_eq!(used.fields(), ["code"], "a code counts once");
    again.post(&pass, json!({ "code": codes[0] })).await.data();
    is_told(&admin, "support", "second_factor_recovery_used").await;
    assert_eq!(again.get("/api/v0/workspace/me").await.status, StatusCode::OK);
    admin.wait(THREE_CODES_S).await;
    let third = Visitor::new(&server);
    third.log_in("support@staff.example").await;
    let spent = third.post(&pass, json!({ "code": codes[0] })).await;
    assert_eq!(spent.fields(), ["code"]);
    let device = format!(
        "/api/v0/workspace/second_factors/{}",
        account["id"].as_str().unwrap()
    );
    let reset = async |proof: Value| admin.call(Method::DELETE, &device, Some(proof), &[]).await;
    let mut proof = mail_code(&admin, "admin").await;
    let stranger = json!({ "otp": "000000", "session_uuid": "01890a5d-ac96-774b-bcce-b302099a8057" });
    assert_eq!(reset(stranger).await.fields(), ["otp"]);
    admin.wait(FRESH_LOGIN_S).await;
    hold_forbidden(&reset(proof).await, "login_too_old");
    admin.log_in("admin@staff.example").await;
    proof = mail_code(&admin, "admin").await;
    reset(proof).await.data();
    hold_forbidden(&desk.get("/api/v0/workspace/me").await, "second_factor_needed");
    is_told(&admin, "support", "second_factor_reset").await;
}

/// The cookie of a login of longer ago, or one that has not passed, enrols nothing and changes nothing: T44 for what guards a login.
#[tokio::test]
async fn owner_alone_changes_what_guards_the_login() {
    let server = Server::start();
    let (desk, stolen) = (Visitor::new(&server), Visitor::new(&server));
    stolen.log_in_as("finance").await;
    desk.log_in_as("support").await;
    let (_, codes) = enrol(&desk, "support", 0).await;
    desk.wait(FRESH_LOGIN_S).await;
    let proof = json!({ "otp": "000000", "session_uuid": "01890a5d-ac96-774b-bcce-b302099a8057" });
    let (renew, remove) = (format!("{PATH}/recovery_codes"), format!("{PATH}/remove"));
    for path in [&format!("{PATH}/mail_code"), &renew, &remove] {
        let refused = desk.post(path, proof.clone()).await;
        hold_forbidden(&refused, "login_too_old");
    }
    let mut enrolment = proof.clone();
    enrolment["code"] = json!("123456");
    hold_forbidden(&stolen.post(PATH, json!({})).await, "login_too_old");
    let confirmed = stolen.post(&format!("{PATH}/confirm"), enrolment).await;
    hold_forbidden(&confirmed, "login_too_old");
    // A fresh login changes nothing before it has passed, and then with a code of the mail alone.
    desk.log_in("support@staff.example").await;
    for path in [&renew, &remove] {
        hold_forbidden(&desk.post(path, proof.clone()).await, "second_factor_needed");
    }
    let pass = format!("{PATH}/pass");
    desk.post(&pass, json!({ "code": codes[0] })).await.data();
    for path in [&renew, &remove] {
        assert_eq!(desk.post(path, proof.clone()).await.fields(), ["otp"]);
    }
    let made = desk.post(&renew, mail_code(&desk, "support").await).await;
    let fresh = made.data()["codes"].clone();
    is_told(&desk, "support", "second_factor_recovery_renewed").await;
    let before = desk.post(&pass, json!({ "code": codes[1] })).await;
    assert_eq!(before.fields(), ["code"], "codes of before count no more");
    desk.post(&pass, json!({ "code": fresh[0] })).await.data();
    let removed = desk.post(&remove, mail_code(&desk, "support").await).await;
    assert_eq!(removed.data()["enrolled"], false);
    is_told(&desk, "support", "second_factor_removed").await;
    assert_eq!(desk.get("/api/v0/workspace/me").await.status, StatusCode::OK);
}

/// A login's code, which its owner may read out, changes no second step; a second step's logs in nowhere. Each works for its own.
#[tokio::test]
async fn mailed_code_is_good_for_its_own_purpose_alone() {
    let server = Server::start();
    let [admin, desk, elsewhere] = [0; 3].map(|_| Visitor::new(&server));
    let account = desk.log_in_as("support").await;
    let secret = desk.post(PATH, json!({})).await.data()["secret"].clone();
    let confirm = async |proof: &Value, waits: u64| {
        let mut asked = proof.clone();
        asked["code"] = json!(code_of(secret.as_str().unwrap(), waits));
        desk.post(&format!("{PATH}/confirm"), asked).await
    };
    let login = login_code(&elsewhere, "support").await;
    let refused = confirm(&login, 1).await;
    assert_eq!(refused.fields(), ["otp"], "{}", refused.body);
    log_in_by(&elsewhere, "support", &login).await.data();
    let change = mail_code(&desk, "support").await;
    hold_no_login(&server, &desk, "support", &change).await;
    confirm(&change, 2).await.data();
    let letter = first(&desk, "support@staff.example", "second_factor_code").await;
    let words = longest_words("mail.second_factor_code.body");
    assert!(letter["body"].as_str().unwrap().contains(&words), "{letter}");
    let spent = letter["subject"].as_str().unwrap();
    assert!(spent.starts_with("••••••"), "{letter}");

    desk.wait(THREE_CODES_S).await;
    let login = login_code(&elsewhere, "support").await;
    for change in ["recovery_codes", "remove"] {
        let refused = desk.post(&format!("{PATH}/{change}"), login.clone()).await;
        assert_eq!(refused.fields(), ["otp"], "{change} {}", refused.body);
    }
    let change = mail_code(&desk, "support").await;
    hold_no_login(&server, &desk, "support", &change).await;
    let renewed = desk.post(&format!("{PATH}/recovery_codes"), change).await;
    renewed.data();

    admin.log_in_as("admin").await;
    let id = account["id"].as_str().unwrap();
    let device = format!("/api/v0/workspace/second_factors/{id}");
    let reset = async |proof: Value| admin.call(Method::DELETE, &device, Some(proof), &[]).await;
    let login = login_code(&elsewhere, "admin").await;
    assert_eq!(reset(login).await.fields(), ["otp"]);
    let change = mail_code(&admin, "admin").await;
    hold_no_login(&server, &admin, "admin", &change).await;
    reset(change).await.data();
}

/// The last administrator lost the device: the command line resets it without a server, and the mail comes when one runs again.
#[tokio::test]
async fn reset_by_command_line_is_told_after_a_kill() {
    let mut server = Server::start();
    let reset = ["second-factor", "reset", "--email", "admin@staff.example"];
    {
        let admin = Visitor::new(&server);
        admin.log_in_as("admin").await;
        enrol(&admin, "admin", 0).await;
    }
    server.kill();
    let told = server.run(&reset);
    assert!(told.contains("is reset"), "{told}");
    let refused = server.refused(&reset);
    assert!(refused.contains("no second login step to reset"), "{refused}");
    server.restart();
    is_told(&Visitor::new(&server), "admin", "second_factor_reset").await;
}
