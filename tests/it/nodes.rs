//! One setting makes a server work on PostgreSQL, alone or as one of several. `LATCHKEY_TEST_NODE_KILLS=60` is the long run.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::limits::{needs_work, proof, question, with_proof};
use crate::market::{AUTUMN, Address, Buyer, House, Market, furnish, until};
use crate::payment_kill::{
    Told, all_are_found_again, book_again_and_again, dice, one_charge_each, rebuilt_equals_live,
    receipts_once, sold,
};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const KILLS: &str = "LATCHKEY_TEST_NODE_KILLS";
const KILLS_USUALLY: usize = 6;
const PAYERS: usize = 9;
/// The promise after a kill.
const TAKEN_OVER: Duration = Duration::from_secs(5);
/// How soon every node's search knows a listing is promised as one second; a machine that builds and tests is slower.
const FRESH: Duration = Duration::from_secs(5);

/// Another node on the database of `first`.
fn node_beside(first: &Server) -> Server {
    let (url, _keys) = first.database().unwrap();
    Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")])
}

async fn market_on_postgres(rooms: &[u32]) -> Market {
    let url = tests::cluster().database();
    Market::open(rooms, &[("LATCHKEY_DATABASE", &url)]).await
}

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
        (vec![("LATCHKEY_KEYS_DATABASE", &*url)], vec!["`keys_database`"]),
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

/// Three nodes, and where they are now.
struct Nodes {
    market: Market,
    others: Vec<Server>,
    urls: Arc<Mutex<Vec<String>>>,
}

impl Nodes {
    async fn open(rooms: u32) -> Self {
        let market = market_on_postgres(&[rooms]).await;
        let others = vec![node_beside(&market.server), node_beside(&market.server)];
        let nodes = Self {
            market,
            others,
            urls: Arc::default(),
        };
        nodes.note();
        nodes
    }

    fn database(&self) -> String {
        self.market.server.database_name().unwrap()
    }

    fn note(&self) {
        let all = std::iter::once(&self.market.server).chain(&self.others);
        *self.urls.lock().unwrap() = all.map(|node| node.url("")).collect();
    }

    fn kill(&mut self, node: usize) {
        match node {
            0 => self.market.server.kill(),
            other => self.others[other - 1].kill(),
        }
    }

    fn restart(&mut self, node: usize) {
        match node {
            0 => self.market.kill_and_restart(),
            other => self.others[other - 1].restart(),
        }
        self.note();
    }

    /// When the leases end that hold now: the reactor's, the courier's and the read models'.
    fn leases(&self) -> Vec<i64> {
        let ends = "select expires_at from latchkey_reactor.lease union all select expires_at from latchkey_sandbox.lease
                    union all select expires_at from latchkey_read.lease";
        let told = tests::cluster().run(&self.database(), ends);
        told.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Waits until every lease is somebody's who lives; gives how long that took.
    async fn taken_over(&self) -> Duration {
        let (began, left) = (
            Instant::now(),
            self.leases().into_iter().max().unwrap_or_default(),
        );
        loop {
            let now = self.leases();
            if now.len() >= 2 && now.iter().all(|end| *end > left) {
                return began.elapsed();
            }
            assert!(
                began.elapsed() < TAKEN_OVER,
                "nobody took over: {now:?}, before {left}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Sends everybody to another node every moment, as a balancer may.
async fn balance(urls: Arc<Mutex<Vec<String>>>, people: Vec<Address>, over: Arc<AtomicBool>) {
    let mut turn = 0;
    while !over.load(Ordering::SeqCst) {
        turn += 1;
        for (number, address) in people.iter().enumerate() {
            let urls = urls.lock().unwrap();
            urls[(turn + number) % urls.len()].clone_into(&mut address.lock().unwrap());
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

async fn finds(url: &str, home: &str) -> bool {
    let answer = Client::new()
        .get(format!("{url}/api/v1/inventories?limit=100"))
        .send()
        .await
        .unwrap();
    let found: Value = answer.json().await.unwrap();
    let homes = found["data"]["result"].as_array().unwrap().iter();
    homes
        .filter_map(|found| found["id"].as_str())
        .any(|id| id == home)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_that_are_killed_lose_nothing_and_do_nothing_twice() {
    let kills = std::env::var(KILLS).map_or(KILLS_USUALLY, |count| count.parse().unwrap());
    let mut nodes = Nodes::open(100_000).await;
    nodes
        .market
        .plan(json!({ "duplicate_percent": 60, "duplicates": 2, "delay_ms": 250, "reorder": true, "settle_after_ms": 300,
            "refund_after_ms": 100, "drop_percent": 10 }))
        .await;
    let over = Arc::new(AtomicBool::new(false));
    let numbers = Arc::new(AtomicUsize::new(0));
    let people: Vec<Address> = (0..PAYERS)
        .map(|_| Arc::new(Mutex::new(nodes.market.server.url(""))))
        .collect();
    let settled = Arc::new(AtomicBool::new(false));
    let balancer = tokio::spawn(balance(nodes.urls.clone(), people.clone(), settled.clone()));
    let payers: Vec<_> = people
        .iter()
        .map(|address| {
            let buyer = Buyer {
                address: address.clone(),
                ..nodes.market.person(0, 0)
            };
            tokio::spawn(book_again_and_again(buyer, numbers.clone(), over.clone()))
        })
        .collect();
    let mut slowest = Duration::ZERO;
    for kill in 0..kills {
        tokio::time::sleep(Duration::from_millis(300 + dice(900))).await;
        nodes.kill(kill % 3);
        slowest = slowest.max(nodes.taken_over().await);
        nodes.restart(kill % 3);
    }
    over.store(true, Ordering::SeqCst);
    let told: Vec<Told> = join_all(payers)
        .await
        .into_iter()
        .flat_map(Result::unwrap)
        .collect();
    nodes.market.plan(json!({})).await;
    assert!(told.len() >= PAYERS, "only {} payments were made", told.len());
    all_are_found_again(&told).await;
    settled.store(true, Ordering::SeqCst);
    balancer.await.unwrap();
    let charged = one_charge_each(&nodes.market).await;
    assert_eq!(charged, told.len(), "everybody paid in the end");
    receipts_once(&nodes.market, &told).await;

    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]],
        token_minor: 0,
    };
    furnish(&nodes.market.server, 700, &house).await;
    let listed = Instant::now();
    let urls: BTreeSet<String> = nodes.urls.lock().unwrap().iter().cloned().collect();
    for url in &urls {
        until(|| async {
            finds(url, "0193a000-0000-7000-8000-000000000701")
                .await
                .then_some(())
        })
        .await;
    }
    let fresh = listed.elapsed();
    assert!(fresh < FRESH, "a listing was found on every node after {fresh:?}");

    nodes.market.caught_up().await;
    for node in 0..3 {
        nodes.kill(node);
    }
    assert_eq!(sold(&nodes.market).await, told.len(), "one booking per payment");
    rebuilt_equals_live(&nodes.market.server);
    let verified = nodes.market.server.run(&["verify"]);
    assert!(verified.starts_with("intact"), "{verified}");
    println!(
        "{kills} kills of three nodes, {} payments, {charged} charges, none lost or doubled; taken over within {slowest:?}, \
         searched within {fresh:?}",
        told.len()
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
