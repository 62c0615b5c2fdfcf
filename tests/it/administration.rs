//! Acts of administrators: exports with a reason, looks at personal data, settings and maintenance, health.

use chrono::Utc;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::{Visitor, enquiry};

async fn lead_of(person: &Visitor<'_>) -> (String, String) {
    let sent = person
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let id = sent.data()["id"].as_str().unwrap().to_owned();
    let base = format!("/api/v0/workspace/leads/{id}");
    (id, base)
}

async fn exported(server: &Server, desk: &Visitor<'_>, base: &str, format: &str) -> Vec<u8> {
    let asked = json!({ "reason": "The student asked for a copy", "format": format });
    let request = desk
        .client()
        .post(server.url(&format!("{base}/export")))
        .json(&asked);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let name = answer.headers()["content-disposition"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(name.contains(&format!("-history.{format}")), "{name}");
    answer.bytes().await.unwrap().to_vec()
}

/// The file is masked until its maker has revealed the contact data, and the export stands in the history.
#[tokio::test]
async fn export_asks_why_and_masks_what_was_not_revealed() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let (_, base) = lead_of(&mei).await;
    desk.log_in_as("support").await;
    let path = format!("{base}/export");
    let without = desk.post(&path, json!({ "reason": " ", "format": "json" })).await;
    assert_eq!(without.fields(), ["reason"]);
    let odd = desk
        .post(&path, json!({ "reason": "A copy", "format": "docx" }))
        .await;
    assert_eq!(odd.fields(), ["format"]);
    let masked = String::from_utf8(exported(&server, &desk, &base, "json").await).unwrap();
    assert!(
        masked.contains("m•••@•••.com") && !masked.contains("mei@example.com"),
        "{masked}"
    );
    let look = json!({ "reason": "Callback asked in chat" });
    desk.post(&format!("{base}/reveal"), look).await.data();
    let open = String::from_utf8(exported(&server, &desk, &base, "json").await).unwrap();
    let open: Value = serde_json::from_str(&open).unwrap();
    assert_eq!(open["contact"]["email"], "mei@example.com");
    let paper = exported(&server, &desk, &base, "pdf").await;
    let paper = lopdf::Document::load_mem(&paper).unwrap();
    let pages: Vec<u32> = paper.get_pages().into_keys().collect();
    let text = paper.extract_text(&pages).unwrap();
    assert!(
        text.contains("Sent an enquiry") && text.contains("The student asked for a copy"),
        "{text}"
    );
    let history = desk.get(&format!("{base}/timeline")).await.data().clone();
    let kinds = history["events"].as_array().unwrap().iter();
    let looks = kinds
        .filter(|event| event["type"] == "UserPersonalDataRevealed")
        .count();
    assert_eq!(looks, 4);
}

/// Administrators see who looked and why; the student sees that, with a role in place of a name.
#[tokio::test]
async fn looks_are_listed_for_admins_and_for_the_student() {
    let server = Server::start();
    let (mei, desk, admin) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    mei.log_in("mei@example.com").await;
    let (lead, base) = lead_of(&mei).await;
    desk.log_in_as("support").await;
    let look = json!({ "reason": "Callback asked in chat" });
    desk.post(&format!("{base}/reveal"), look).await.data();
    exported(&server, &desk, &base, "json").await;
    admin.log_in_as("admin").await;
    let all = admin.get("/api/v0/workspace/reads").await.data().clone();
    let reads = all["reads"].as_array().unwrap();
    let told: Vec<_> = reads
        .iter()
        .map(|read| (read["what"].as_str(), read["reason"].as_str()))
        .collect();
    let wanted = [
        (Some("export"), Some("The student asked for a copy")),
        (Some("contact"), Some("Callback asked in chat")),
    ];
    assert_eq!(told, wanted);
    assert_eq!(reads[0]["by"]["name"], "support");
    let reference = reads[0]["lead_reference"].as_str().unwrap();
    for filter in [
        format!("lead={lead}"),
        format!("lead={reference}"),
        format!("by={}", reads[0]["by"]["user_id"].as_str().unwrap()),
        "from=2020-01-01&to=2100-01-01".to_owned(),
    ] {
        let found = admin.get(&format!("/api/v0/workspace/reads?{filter}")).await;
        assert_eq!(found.data()["reads"].as_array().unwrap().len(), 2, "{filter}");
    }
    let first = admin.get("/api/v0/workspace/reads?limit=1").await.data().clone();
    let next = format!("/api/v0/workspace/reads?limit=1&before={}", first["next"]);
    let second = admin.get(&next).await.data().clone();
    assert_eq!(second["reads"][0]["what"], "contact");
    assert_eq!(second["next"], Value::Null);
    let bad = admin.get("/api/v0/workspace/reads?from=soon").await;
    assert_eq!(bad.fields(), ["from"]);
    assert_eq!(
        desk.get("/api/v0/workspace/reads").await.status,
        StatusCode::FORBIDDEN
    );
    let own = mei.get("/api/v0/users/data_reads").await.data().clone();
    let told: Vec<_> = own
        .as_array()
        .unwrap()
        .iter()
        .map(|read| read["what"].as_str())
        .collect();
    assert_eq!(told, [Some("export"), Some("contact")]);
    assert_eq!(own[0]["role"], "support");
    assert!(!own.to_string().contains("staff.example"), "{own}");
}

pub(crate) async fn set(admin: &Visitor<'_>, name: &str, value: Value) -> crate::visitor::Answer {
    let path = format!("/api/v0/workspace/settings/{name}");
    admin.put(&path, json!({ "value": value })).await
}

/// A value is checked, in force at once, told with its source and history, and given back.
#[tokio::test]
async fn settings_change_without_a_restart() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_REFUND_LIMIT", "700"),
    ]);
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let all = admin.get("/api/v0/workspace/settings").await.data().clone();
    let one = |all: &Value, name: &str| {
        let found = all.as_array().unwrap().iter().find(|one| one["name"] == name);
        found.unwrap().clone()
    };
    let limit = one(&all, "refund_limit");
    assert_eq!(
        (limit["value"].as_str(), limit["source"].as_str()),
        (Some("700"), Some("environment"))
    );
    assert_eq!(one(&all, "answer_hours")["source"], "default");
    for (name, value) in [
        ("refund_limit", "many"),
        ("refund_limit", "2,50"),
        ("refund_limit", "+700"),
        ("answer_hours", "0"),
        ("support_email", "nowhere"),
    ] {
        let refused = set(&admin, name, json!(value)).await;
        assert_eq!(
            (refused.status, refused.fields()),
            (StatusCode::UNPROCESSABLE_ENTITY, vec!["value"])
        );
    }
    let grouped = set(&admin, "refund_limit", json!(" 2 500 ")).await;
    assert_eq!(grouped.data()["value"], "2500");
    assert_eq!(
        set(&admin, "listen", json!("x")).await.status,
        StatusCode::NOT_FOUND
    );
    let changed = set(&admin, "support_email", json!("help@rooms.example"))
        .await
        .data()
        .clone();
    assert_eq!(
        (changed["source"].as_str(), changed["changes"][0]["by"].as_str()),
        (Some("here"), Some("admin"))
    );
    let page = admin.get("/_page?url=/").await;
    assert_eq!(page.body["data"]["chrome"]["support_email"], "help@rooms.example");
    let path = "/api/v0/workspace/settings/support_email";
    let late = json!({ "value": "late@rooms.example", "was": "support@amber.example" });
    assert_eq!(admin.put(path, late).await.code(), "setting_moved");
    let back = set(&admin, "support_email", Value::Null).await.data().clone();
    assert_eq!(
        (back["source"].as_str(), back["value"].as_str()),
        (Some("default"), Some("support@amber.example"))
    );
    assert_eq!(back["changes"].as_array().unwrap().len(), 2);
}

/// An amount that is read in two ways is refused with both, in the marks of every language, wherever it is set: an amount without this doubt
/// is taken there.
#[tokio::test]
async fn doubted_amount_of_a_setting_is_refused_with_both_readings() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let limits = ["refund_limit", "refund_limit_admin", "refund_typed_above"];
    for name in limits {
        for (typed, readings) in [
            ("1.250", vec!["1250", "1.25"]),
            ("1,250", vec!["1250", "1.25"]),
            ("50.000", vec!["50000", "50"]),
            ("１，２５０", vec!["1250", "1.25"]),
            ("2,505", vec!["2505"]),
        ] {
            let refused = set(&admin, name, json!(typed)).await;
            assert_eq!(
                (refused.status, &refused.body["errors"][0]["code"]),
                (StatusCode::UNPROCESSABLE_ENTITY, &json!("two_ways")),
                "{name} {typed}"
            );
            let said = refused.body["errors"][0]["message"].as_str().unwrap();
            for reading in readings {
                assert!(said.contains(reading) && said.contains(typed), "{said}");
            }
        }
        for (typed, taken) in [("1 250", "1250"), ("2.500,00", "2500")] {
            let answer = set(&admin, name, json!(typed)).await;
            assert_eq!(answer.data()["value"], taken, "{name} {typed}");
        }
    }
    let read = |output: std::process::Output| {
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    for name in limits {
        let by_command = read(server.command(&["set", name, "1.250"]).output().unwrap());
        assert!(
            by_command.contains("`1.250` could mean 1250 or 1.25"),
            "{by_command}"
        );
    }
    for name in limits.into_iter().chain(["referral_reward"]) {
        let mut command = server.command(&["doctor"]);
        let variable = format!("LATCHKEY_{}", name.to_uppercase());
        let by_variable = read(command.env(variable, "1,250").output().unwrap());
        assert!(
            by_variable.contains(name) && by_variable.contains("`1,250` could mean 1250 or 1.25"),
            "{by_variable}"
        );
    }
}

/// Writes wait, reads and notices go on, and an administrator who logs in meanwhile ends it. A restart changes nothing.
#[tokio::test]
async fn maintenance_refuses_writes_and_keeps_reads() {
    let server = Server::start();
    let (mei, admin) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    set(&admin, "maintenance", json!("true")).await.data();
    let headers = [("accept-language", "zh-CN")];
    let body = enquiry("Mei Lin", "mei@example.com");
    let refused = mei
        .call(Method::POST, "/api/v0/leads/", Some(body.clone()), &headers)
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::SERVICE_UNAVAILABLE, "maintenance")
    );
    assert_eq!(refused.retry_after, Some(60));
    let said = refused.body["message"]["user_friendly_message"].as_str().unwrap();
    assert!(said.contains("维护"), "{said}");
    assert_eq!(
        mei.get("/_page?url=/").await.body["data"]["chrome"]["maintenance"],
        true
    );
    let notice = mei.post("/api/webhooks/stripe", json!({})).await;
    assert_ne!(notice.status, StatusCode::SERVICE_UNAVAILABLE);
    admin.wait(31).await;
    let second = Visitor::new(&server);
    second.log_in_as("admin").await;
    let health = second.get("/api/v0/workspace/health").await.data().clone();
    assert_eq!(health["maintenance"], true);
    set(&second, "maintenance", json!("false")).await.data();
    mei.post("/api/v0/leads/", body).await.data();
}

/// A what-if run and a check of a proof are sent by POST and write nothing: they go on. A look at personal data is recorded, so it waits.
#[tokio::test]
async fn maintenance_keeps_reads_that_are_sent_by_post() {
    let server = Server::start();
    let (mei, admin) = (Visitor::new(&server), Visitor::new(&server));
    let (_, base) = lead_of(&mei).await;
    admin.log_in_as("admin").await;
    set(&admin, "maintenance", json!("true")).await.data();
    let steps = json!({ "steps": [{ "act": "close", "cause": "no_answer" }] });
    admin.post(&format!("{base}/what-if"), steps).await.data();
    let unproved = mei
        .post("/api/v0/place_tokens/verify", json!({ "token": "none" }))
        .await;
    assert_eq!(unproved.fields(), ["token"]);
    for (path, body) in [
        ("reveal", json!({ "reason": "She asked for a call" })),
        ("notes", json!({ "note": "She called" })),
    ] {
        let refused = admin.post(&format!("{base}/{path}"), body).await;
        assert_eq!(
            (refused.status, refused.code()),
            (StatusCode::SERVICE_UNAVAILABLE, "maintenance")
        );
    }
}

/// An operator changes what administrators may change, by command line while the server runs; what a setting does not take is refused by
/// its name.
#[tokio::test]
async fn command_line_changes_a_running_server() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let is_in_maintenance =
        async || mei.get("/_page?url=/").await.body["data"]["chrome"]["maintenance"] == true;
    let told = server.run(&["set", "maintenance", "true"]);
    assert!(told.contains("maintenance = true"), "{told}");
    until(|| async { is_in_maintenance().await.then_some(()) }).await;
    let told = server.run(&["set", "maintenance", "--give-back"]);
    assert!(told.contains("maintenance = false, its default"), "{told}");
    until(|| async { (!is_in_maintenance().await).then_some(()) }).await;
    for (arguments, way_out) in [
        (["set", "answer_hours", "soon"], "a whole number from 1 to 720"),
        (["set", "maintenance", "maybe"], "`true` or `false`"),
        (["set", "log_level", "3"], "these are: maintenance,"),
    ] {
        let refused = server.command(&arguments).output().unwrap();
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && told.contains(way_out), "{told}");
    }
}

/// Staff see the state of the server's parts; what needs finance is for those with rights to payments.
#[tokio::test]
async fn health_names_the_parts_of_the_server() {
    let began = Utc::now().date_naive();
    let server = Server::start();
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let health = desk.get("/api/v0/workspace/health").await.data().clone();
    assert_eq!(health["writes"], "taken");
    assert_eq!(
        health["payment_provider"],
        json!({ "kind": "sandbox", "state": "reachable" })
    );
    assert!(health["read_models"].as_array().unwrap().len() > 10, "{health}");
    assert!(
        health["outbox"]["waiting"].is_u64() && health["mails"]["failing"].is_u64(),
        "{health}"
    );
    assert!(health["disk_free_bytes"].as_u64().unwrap() > 0);
    if began == Utc::now().date_naive() {
        assert_eq!(health["events_today"], health["head"], "the log began today");
    }
    assert_eq!(health["last_backup_at"], Value::Null);
    let visitor = Visitor::new(&server);
    let shut = visitor.get("/api/v0/workspace/health").await;
    assert_eq!(shut.status, StatusCode::UNAUTHORIZED);
}
