//! One setting makes a server work on PostgreSQL, alone or beside another one, and two count as one.

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::Server;
use tests::postgres::Cluster;

use crate::limits::{needs_work, proof, question, with_proof};
use crate::market::until;
use crate::nodes::{market_on_postgres, node_beside};
use crate::payment_kill::rebuilt_equals_live;
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";

#[tokio::test]
async fn one_setting_is_all_that_a_deposit_on_postgresql_takes() {
    let mut market = market_on_postgres(&[2]).await;
    let mei = market.person(1, 0);
    let token = mei.begun().await;
    let paid = mei.pay(&token, GOOD).await;
    assert!(
        paid["status"] == "processing" || paid["status"] == "success",
        "{paid}"
    );
    mei.wait_for(&token, |payment| payment["status"] == "success")
        .await;
    until(|| async {
        let kinds = market.messages(&mei.email).await;
        (kinds.iter().filter(|kind| *kind == "receipt").count() == 1).then_some(())
    })
    .await;
    // Nothing but what is made again lies in the folder.
    for file in std::fs::read_dir(market.server.folder()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(
            !["log.db", "keys.db", "read.db", "desk.db"].contains(&name.as_str()),
            "{name}"
        );
    }
    let verified = market.server.run(&["verify"]);
    assert!(verified.starts_with("intact"), "{verified}");
    let doctor = market.server.run(&["doctor"]);
    assert!(
        !doctor.contains("WRONG") && doctor.contains("database"),
        "{doctor}"
    );
    let refused = market.server.refused(&["backup", "copy"]);
    assert!(
        refused.contains("`database`") && refused.contains("pg_dump"),
        "{refused}"
    );
    market.caught_up().await;
    market.server.kill();
    rebuilt_equals_live(&market.server);
}

#[test]
fn a_database_that_cannot_be_used_is_named_with_its_setting() {
    let mut server = Server::start();
    server.kill();
    let cluster = tests::cluster();
    cluster.run("postgres", "create role poor login");
    cluster.run("postgres", "create database of_the_poor");
    let refused = |settings: &[(&str, &str)]| {
        let output = server
            .command(&["serve"])
            .envs(settings.iter().copied())
            .output()
            .unwrap();
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let url = cluster.url("of_the_poor");
    let poor = url.replace("user=latchkey", "user=poor");
    for (settings, said) in [
        (
            vec![("LATCHKEY_DATABASE", "postgres:///nothing?host=/nowhere")],
            vec!["`database`"],
        ),
        (
            vec![("LATCHKEY_DATABASE", "postgres://user:geheim@host")],
            vec!["`database`", "names no database"],
        ),
        (
            vec![("LATCHKEY_DATABASE", &*cluster.url("not_there"))],
            vec!["`database`", "not_there"],
        ),
        (
            vec![("LATCHKEY_DATABASE", &*poor)],
            vec!["`database`", "`poor`", "grant create"],
        ),
        (
            vec![("LATCHKEY_DATABASE", &*url), ("LATCHKEY_KEYS_DATABASE", &*url)],
            vec!["one place"],
        ),
        (
            vec![
                ("LATCHKEY_DATABASE", "sqlite:"),
                ("LATCHKEY_KEYS_DATABASE", &*url),
            ],
            vec!["`keys_database`"],
        ),
    ] {
        let heard = refused(&settings);
        assert!(
            said.iter().all(|word| heard.contains(word)),
            "{settings:?}: {heard}"
        );
        assert!(!heard.contains("geheim"), "{heard}");
    }
    cluster.run("postgres", "grant create on database of_the_poor to poor");
    cluster.run("of_the_poor", "grant all on schema public to poor");
    let keys = refused(&[("LATCHKEY_DATABASE", &poor)]);
    assert!(
        keys.contains("`of_the_poor_keys`") && keys.contains("`keys_database`"),
        "{keys}"
    );
    cluster.run("postgres", "alter role poor set synchronous_commit = off");
    let forgets = refused(&[("LATCHKEY_DATABASE", &poor)]);
    assert!(
        forgets.contains("`synchronous_commit`") && forgets.contains("`database`"),
        "{forgets}"
    );
    let careless = Cluster::with(&["fsync=off", "full_page_writes=off"]);
    let forgets = refused(&[("LATCHKEY_DATABASE", &careless.database())]);
    assert!(forgets.contains("`fsync`, `full_page_writes` off"), "{forgets}");
}

async fn asks_for_a_code(browser: &Visitor<'_>) -> (StatusCode, Value) {
    let user = json!({ "user": { "email": "mei@example.com" } });
    let answer = browser.post("/api/v0/users/generate_email_otp", user).await;
    (answer.status, answer.body)
}

#[tokio::test]
async fn two_nodes_count_codes_work_and_enquiries_as_one() {
    let url = tests::cluster().database();
    let first = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let second = node_beside(&first);
    let here = Visitor::new(&first);
    let there = here.moved(&second);
    for node in [&here, &there, &here] {
        let (status, body) = asks_for_a_code(node).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        let (status, _) = asks_for_a_code(&there).await;
        assert_eq!(
            status,
            StatusCode::TOO_MANY_REQUESTS,
            "a second code within thirty seconds"
        );
        here.wait(31).await;
        there.wait(31).await;
    }
    let (status, body) = asks_for_a_code(&there).await;
    assert_eq!(
        status,
        StatusCode::TOO_MANY_REQUESTS,
        "the fourth code in ten minutes: {body}"
    );
    let otp = here.code_for("mei@example.com").await;
    let user = json!({ "user": { "email": "mei@example.com", "otp": otp } });
    let path = "/api/v0/users/login_email_otp";
    let tries = [&here, &there, &here, &there].map(|node| node.post(path, user.clone()));
    let logins = join_all(tries).await;
    let let_in = logins.iter().filter(|answer| answer.status == StatusCode::OK);
    assert_eq!(let_in.count(), 1, "a code is used once");

    let (here, there) = (Visitor::new(&first), Visitor::new(&second));
    for number in 0..4 {
        let node = if number % 2 == 0 { &here } else { &there };
        let sent = node
            .post("/api/v0/leads/", question("jo@example.com", number))
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    }
    let fifth = question("jo@example.com", 4);
    assert!(needs_work(&here.post("/api/v0/leads/", fifth.clone()).await));
    let work = proof(&there).await;
    let opened = with_proof(&here, "/api/v0/leads/", fifth, &work).await;
    assert_eq!(opened.status, StatusCode::CREATED, "{}", opened.body);
    let again = with_proof(&there, "/api/v0/leads/", question("jo@example.com", 5), &work).await;
    assert!(needs_work(&again), "the same work opens once: {}", again.body);
}

#[tokio::test]
async fn a_logout_holds_on_every_node_at_once() {
    let url = tests::cluster().database();
    let first = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let second = node_beside(&first);
    let browser = Visitor::new(&first);
    let asked = json!({ "user": { "email": "li@example.com" } });
    browser
        .post("/api/v0/users/generate_email_otp", asked)
        .await
        .data();
    let otp = browser.code_for("li@example.com").await;
    let client = Client::new();
    let login = client
        .post(second.url("/api/v0/users/login_email_otp"))
        .json(&json!({ "user": { "email": "li@example.com", "otp": otp } }))
        .send()
        .await
        .unwrap();
    let cookies = login.headers().get_all("set-cookie").iter();
    let cookie = cookies
        .filter_map(|cookie| cookie.to_str().ok()?.split(';').next())
        .find(|cookie| cookie.starts_with("user_auth_token="))
        .unwrap()
        .to_owned();
    let seen_by = async |node: &Server| {
        let asked = client
            .get(node.url("/api/v0/users/activity"))
            .header("cookie", &cookie);
        asked.send().await.unwrap().status()
    };
    assert_eq!(
        [seen_by(&first).await, seen_by(&second).await],
        [StatusCode::OK; 2]
    );
    let out = client
        .post(first.url("/api/v0/users/logout"))
        .header("cookie", &cookie);
    assert_eq!(
        out.json(&json!({})).send().await.unwrap().status(),
        StatusCode::OK
    );
    assert_eq!(
        [seen_by(&second).await, seen_by(&first).await],
        [StatusCode::UNAUTHORIZED; 2]
    );
}

#[test]
fn two_nodes_that_start_at_once_make_one_catalogue() {
    let url = tests::cluster().database();
    let start = || Server::with(&[("LATCHKEY_DATABASE", &url)]);
    let (first, second) = std::thread::scope(|scope| {
        let (first, second) = (scope.spawn(start), scope.spawn(start));
        (first.join().unwrap(), second.join().unwrap())
    });
    let homes = "select count(*) || ' ' || count(distinct stream) from event where kind = 'inventory' and revision = 1";
    let told = tests::cluster().run(&first.database_name().unwrap(), homes);
    let (all, different) = told.trim().split_once(' ').unwrap();
    assert!(all == different && all.parse::<u32>().unwrap() > 5_000, "{told}");
    drop(second);
}
