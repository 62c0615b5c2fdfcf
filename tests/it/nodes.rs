//! Several nodes on one PostgreSQL database, which are killed, and whose server crashes. The seed fixes the time between two
//! kills and which node comes first.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::sample::Sample;
use tests::{Server, sample};

use crate::market::{AUTUMN, Address, Buyer, House, Market, furnish, until};
use crate::payment_kill::{
    Told, all_are_found_again, book_again_and_again, one_charge_each, rebuilt_equals_live, receipts_once,
    sold,
};
use crate::visitor::{Visitor, enquiry};

const KILLS: &str = "LATCHKEY_TEST_NODE_KILLS";
/// How many: in the gate, and in all.
const KILLS_USUALLY: (usize, usize) = (3, 6);
pub(crate) const PAYERS: usize = 9;
/// The promise after a kill.
const TAKEN_OVER: Duration = Duration::from_secs(5);
/// How soon every node's search knows a listing is promised as one second; a machine that builds and tests is slower.
const FRESH: Duration = Duration::from_secs(5);

/// Another node on the database of `first`.
pub(crate) fn node_beside(first: &Server) -> Server {
    let (url, _keys) = first.database().unwrap();
    Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")])
}

pub(crate) async fn market_on_postgres(rooms: &[u32]) -> Market {
    let url = tests::cluster().database();
    Market::open(rooms, &[("LATCHKEY_DATABASE", &url)]).await
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
            if now.len() >= 3 && now.iter().all(|end| *end > left) {
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
pub(crate) async fn balance(urls: Arc<Mutex<Vec<String>>>, people: Vec<Address>, over: Arc<AtomicBool>) {
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

pub(crate) async fn finds(url: &str, home: &str) -> bool {
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

/// Lists another house; gives how long it took until a search on every node found it.
async fn found_everywhere(nodes: &Nodes) -> Duration {
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
    fresh
}

/// Three nodes that are killed one after the other lose nothing and do nothing twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_killed_nodes_lose_and_double_nothing() {
    let Sample {
        rounds: [kills],
        mut dice,
    } = sample!(KILLS => KILLS_USUALLY);
    let first = dice.place(3);
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
        let node = (first + kill) % 3;
        tokio::time::sleep(Duration::from_millis(300 + dice.below(900))).await;
        nodes.kill(node);
        slowest = slowest.max(nodes.taken_over().await);
        nodes.restart(node);
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

    let fresh = found_everywhere(&nodes).await;
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

/// Who is on duty for effects, by the database's own word.
fn on_duty(database: &str) -> Option<String> {
    let asked = "select owner from latchkey_reactor.lease where name = 'reactor'";
    let told = tests::cluster().run(database, asked);
    told.lines().next().map(str::to_owned)
}

/// Two nodes, of which the second is on duty.
async fn two_nodes() -> (Server, Server, String) {
    let url = tests::cluster().database();
    let mut first = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let second = node_beside(&first);
    let database = first.database_name().unwrap();
    // The second one takes over from the first, if it has not been on duty all the time.
    stops(&mut first).await;
    until(async || on_duty(&database)).await;
    first.restart();
    (first, second, database)
}

/// A node that joins is told where the others' keys belong and not that the log is wrong.
#[tokio::test]
async fn joining_node_without_keys_is_told_where_they_belong() {
    let (mut first, _second, _) = two_nodes().await;
    let sent = Visitor::new(&first)
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    // The log's end is signed with it.
    stops(&mut first).await;
    let joins = first.beside("joins");
    let as_it = |command| first.command(&["--data-dir", joins.to_str().unwrap(), command]);
    let examined = as_it("doctor").output().unwrap();
    let examined = String::from_utf8(examined.stdout).unwrap();
    let log = examined.lines().find(|line| line.contains(" log  ")).unwrap();
    assert!(
        log.starts_with("look") && log.contains("copy `keys/` of the other nodes"),
        "{log:?} of {examined}"
    );
    let verified = as_it("verify").output().unwrap();
    let said = String::from_utf8(verified.stderr).unwrap();
    assert!(said.contains("this node has signed nothing yet"), "{said}");
}

/// A node that joined later and has signed finds nothing wrong with its own folder of heads.
#[tokio::test]
async fn late_joining_signer_accepts_its_own_folder_of_heads() {
    let url = tests::cluster().database();
    let mut first = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let signs = async |node: &mut Server, email: &str| {
        let sent = Visitor::new(node)
            .post("/api/v0/leads", enquiry("Mei Lin", email))
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
        stops(node).await;
    };
    signs(&mut first, "early@example.com").await;
    let mut later = node_beside(&first);
    signs(&mut later, "late@example.com").await;
    let looks_well = |node: &Server| {
        let examined = node.run(&["doctor"]);
        let log = examined.lines().find(|line| line.contains(" log  ")).unwrap();
        assert!(log.starts_with("ok") && !examined.contains("WRONG"), "{examined}");
        node.run(&["verify"])
    };
    for node in [&first, &later] {
        let verified = looks_well(node);
        assert!(
            verified.starts_with("intact") && verified.contains("by keys that are not in the folder"),
            "{verified}"
        );
    }
    let keys = |node: &Server| node.folder().join("heads/keys");
    for key in std::fs::read_dir(keys(&first)).unwrap() {
        let key = key.unwrap();
        std::fs::copy(key.path(), keys(&later).join(key.file_name())).unwrap();
    }
    let verified = looks_well(&later);
    assert!(
        verified.contains("1 heads, the first of them at event") && verified.contains("or it began later"),
        "{verified}"
    );
}

#[tokio::test]
async fn a_node_that_stops_hands_its_work_over_at_once() {
    let (_first, mut second, database) = two_nodes().await;
    let before = on_duty(&database);
    stops(&mut second).await;
    let stopped = Instant::now();
    until(async || on_duty(&database).filter(|now| before.as_ref() != Some(now))).await;
    let took = stopped.elapsed();
    assert!(took < Duration::from_secs(2), "after {took:?}");
}

/// A node that stood still finds its work done by another and does nothing again.
#[tokio::test]
async fn stalled_node_finds_its_work_done_and_repeats_nothing() {
    let (first, second, database) = two_nodes().await;
    let (here, there) = (Visitor::new(&first), Visitor::new(&second));
    let enquires = async |node: &Visitor<'_>, email: &str| {
        let sent = node.post("/api/v0/leads/", enquiry("Mei Lin", email)).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    };
    let told = async |email: &str| {
        let sent = here.get(&format!("/dev/outbox?to={email}")).await;
        sent.data().as_array().unwrap().len()
    };
    let before = on_duty(&database);
    for number in 0..3 {
        enquires(&there, &format!("early{number}@example.com")).await;
    }
    second.stand_still();
    let stood = Instant::now();
    for number in 0..3 {
        enquires(&here, &format!("late{number}@example.com")).await;
    }
    until(async || on_duty(&database).filter(|now| before.as_ref() != Some(now))).await;
    let took = stood.elapsed();
    for email in [
        "early0@example.com",
        "early2@example.com",
        "late0@example.com",
        "late2@example.com",
    ] {
        until(async || (told(email).await == 1).then_some(())).await;
    }
    assert!(took < TAKEN_OVER, "taken over after {took:?}");
    let now = on_duty(&database);
    second.go_on();
    enquires(&there, "after@example.com").await;
    until(async || (told("after@example.com").await == 1).then_some(())).await;
    assert_eq!(
        on_duty(&database),
        now,
        "the node that stood still took its work back"
    );
    for email in [
        "early0@example.com",
        "early1@example.com",
        "early2@example.com",
        "late1@example.com",
    ] {
        assert_eq!(told(email).await, 1, "{email}");
    }
}

async fn stops(server: &mut Server) {
    server.ask_to_stop();
    while server.ended().is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
