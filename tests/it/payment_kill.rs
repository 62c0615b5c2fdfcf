//! The server is killed at random moments while 32 people book and pay, 32 others enquire, search and look, and the gateway's
//! notices arrive shuffled and repeated (RELIABILITY R1): no answer that was given is lost, no position is missing, one charge
//! and one booking per payment, rebuilt read models equal to the live ones, the chain intact. The seed fixes the time between
//! two kills and which notices are repeated; what the server is at then the scheduler decides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use domain::id::InventoryId;
use domain::inventory::on_offer::OnOffer;
use domain::lease::{Lease, Stay};
use domain::room_stock::RoomStock;
use futures::future::join_all;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::sample::{Dice, Sample};
use tests::{Server, sample};

use crate::market::{AUTUMN, Address, Buyer, House, Market, log_of, until};

/// How many kills: in the gate, and in all.
const KILLS: &str = "PAYMENT_KILLS";
const KILLS_USUALLY: (usize, usize) = (15, 100);
/// On PostgreSQL a node waits up to five seconds for what the killed one had leased, so kills come less often and are fewer:
/// a room that is held is held for ten minutes.
const KILLS_OF_NODES: (usize, usize) = (3, 20);
/// The longest time between two kills, in milliseconds; on PostgreSQL before and after a take-over.
const BETWEEN: u64 = 600;
const BETWEEN_NODES: u64 = 9_000;
/// More rooms than anybody could book meanwhile, of two leases that share their nights.
const ROOMS: u32 = 100_000;
const PAYERS: usize = 32;
const OTHERS: usize = 32;
const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000009995";
const DELAYED: &str = "4000000000010043";

/// What one person was told, and must find again.
pub(crate) struct Told {
    buyer: Buyer,
    token: String,
    paid: bool,
}

/// A house with two leases of one room type: what is booked of the one is taken from both.
async fn open_market() -> Market {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, ROOMS), (AUTUMN, 51, ROOMS)]],
        token_minor: 0,
    };
    Market::with(&house, &[]).await
}

/// Kills at random moments lose no payment and repeat no charge.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_loses_and_doubles_no_payment() {
    let mut market = open_market().await;
    let (usually, between) = match market.server.database() {
        Some(_) => (KILLS_OF_NODES, BETWEEN_NODES),
        None => (KILLS_USUALLY, BETWEEN),
    };
    let Sample {
        rounds: [kills],
        mut dice,
    } = sample!(KILLS => usually);
    market
        .plan(json!({ "duplicate_percent": 60, "duplicates": 2, "delay_ms": 250, "reorder": true, "settle_after_ms": 300,
            "refund_after_ms": 100, "drop_percent": 10 }))
        .await;
    let (over, numbers) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let template = market.person(0, 0);
    let payers: Vec<_> = (0..PAYERS)
        .map(|_| {
            tokio::spawn(book_lengths(
                template.clone(),
                numbers.clone(),
                over.clone(),
                &["44 weeks", "51 weeks"],
            ))
        })
        .collect();
    let storm = tokio::spawn(storm(market.address.clone(), over.clone(), dice.fork()));
    let answered = Arc::<AtomicU64>::default();
    let others: Vec<_> = (0..OTHERS)
        .map(|other| {
            let buyer = market.person(50_000_000 + other * 100_000, 0);
            tokio::spawn(enquire_and_look(buyer, other, answered.clone(), over.clone()))
        })
        .collect();
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(150 + dice.below(between))).await;
        killed_without_loss(&mut market, &answered).await;
    }
    over.store(true, Ordering::SeqCst);
    let told: Vec<Told> = join_all(payers)
        .await
        .into_iter()
        .flat_map(Result::unwrap)
        .collect();
    storm.await.unwrap();
    for other in others {
        other.await.unwrap();
    }
    market.plan(json!({})).await;
    assert!(told.len() >= PAYERS, "only {} payments were made", told.len());
    all_are_found_again(&told).await;
    let charged = one_charge_each(&market).await;
    assert_eq!(charged, told.len(), "everybody paid in the end");
    receipts_once(&market, &told).await;
    market.caught_up().await;
    market.server.kill();
    assert_eq!(sold(&market).await, told.len(), "one booking per payment");
    assert_eq!(free(&market).await, [ROOMS as usize - told.len(); 2]);
    rebuilt_equals_live(&market.server);
    no_position_is_missing(&market).await;
    let verified = market.server.run(&["verify"]);
    assert!(verified.starts_with("intact"), "{verified}");
    println!(
        "{kills} kills, {} payments, {charged} charges, none lost or doubled",
        told.len()
    );
}

/// Kills the server; the log of the next one reaches as far as what was answered.
async fn killed_without_loss(market: &mut Market, answered: &AtomicU64) {
    market.server.kill();
    // Read after its death: an answer that comes now was given before.
    let last = answered.load(Ordering::SeqCst);
    market.kill_and_restart();
    let head = head_of(market).await;
    assert!(
        head >= last,
        "position {last} was answered, and the log ends at {head}"
    );
}

/// How long a request may stay without an answer once the server lives on; while it is killed over and over, on a busy
/// machine, a request may be unlucky for longer.
const PATIENCE: Duration = Duration::from_secs(90);

/// Somebody who asks again, under one key, until there is an answer: what a good client does when the line breaks.
struct Insisting<'b> {
    buyer: &'b Buyer,
    over: &'b AtomicBool,
}

impl Insisting<'_> {
    async fn post(&self, path: &str, body: &Value, key: &str) -> (StatusCode, Value) {
        self.call(Method::POST, path, Some(body), Some(key)).await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> (StatusCode, Value) {
        let mut deadline = None;
        loop {
            let heard = match self.buyer.try_call(method.clone(), path, body, key).await {
                Ok((StatusCode::SERVICE_UNAVAILABLE, body)) => body.to_string(),
                Ok(answer) => return answer,
                Err(error) => error.to_string(),
            };
            if self.over.load(Ordering::SeqCst) {
                let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
                assert!(
                    Instant::now() < deadline,
                    "{path} had no answer for {PATIENCE:?} though nobody killed the server; last heard: {heard}"
                );
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }
}

/// Those who do not pay: every other request writes, the rest look. Notes the last position that was answered.
async fn enquire_and_look(buyer: Buyer, other: usize, answered: Arc<AtomicU64>, over: Arc<AtomicBool>) {
    let looks = [
        "/api/v0/inventories?region_id=london",
        "/api/v0/inventories/bloomsbury-row-london",
        "/readyz",
    ];
    for n in 0.. {
        if over.load(Ordering::SeqCst) {
            return;
        }
        let look = looks[n % looks.len()];
        drop(buyer.try_call(Method::GET, look, None, None).await);
        let asked = Buyer {
            email: format!("other{other}n{n}@example.com"),
            ..buyer.clone()
        };
        let (body, key) = (asked.lead_body(), format!("other{other}n{n}"));
        let sent = buyer.try_call(Method::POST, "/api/v0/leads", Some(&body), Some(&key));
        if let Ok((status, body)) = sent.await
            && status.is_success()
        {
            let position = body["position"].as_u64().unwrap();
            answered.fetch_max(position, Ordering::SeqCst);
        }
    }
}

async fn head_of(market: &Market) -> u64 {
    let answer = reqwest::get(market.server.url("/readyz")).await.unwrap();
    answer.json::<Value>().await.unwrap()["head"].as_u64().unwrap()
}

async fn no_position_is_missing(market: &Market) {
    let log = log_of(&market.server).await;
    let mut last = 0;
    loop {
        let events = log.read_all(last, 1_000).await.unwrap();
        if events.is_empty() {
            break;
        }
        for event in events {
            assert_eq!(event.position, last + 1);
            last = event.position;
        }
    }
    assert_eq!(last, log.head().await.unwrap());
}

pub(crate) async fn book_again_and_again(
    template: Buyer,
    numbers: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
) -> Vec<Told> {
    book_lengths(template, numbers, over, &[]).await
}

/// The same, with one of these lengths for each enquiry; none: what the home lets first.
async fn book_lengths(
    template: Buyer,
    numbers: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
    lengths: &'static [&'static str],
) -> Vec<Told> {
    let mut told = Vec::new();
    while !over.load(Ordering::SeqCst) {
        let n = numbers.fetch_add(1, Ordering::SeqCst) + 1;
        let buyer = Buyer {
            email: format!("payer{n}@example.com"),
            phone: format!("+44+79{n:08}"),
            ..template.clone()
        };
        let length = lengths.get(n % lengths.len().max(1)).copied();
        told.push(book(buyer, (n, length), &over).await);
    }
    told
}

async fn book(buyer: Buyer, (n, length): (usize, Option<&str>), over: &AtomicBool) -> Told {
    let insisting = Insisting { buyer: &buyer, over };
    let mut enquiry = buyer.lead_body();
    if let Some(length) = length {
        enquiry["lead"]["data"] = json!({ "move_in_date": AUTUMN, "lease_duration": length });
    }
    let (status, lead) = insisting
        .post("/api/v0/leads", &enquiry, &format!("lead-{n}"))
        .await;
    assert!(status.is_success(), "{status} {lead}");
    let asked = json!({ "payment": { "lead_uuid": lead["data"]["lead_uuid"], "inventory_id": buyer.room } });
    let (status, opened) = insisting
        .post("/api/v0/payments", &asked, &format!("payment-{n}"))
        .await;
    assert_eq!(status, StatusCode::CREATED, "{opened} of {lead}");
    let token = opened["data"]["token"].as_str().unwrap().to_owned();
    let mut cards = match n % 4 {
        0 => vec![DECLINED, GOOD],
        1 => vec![DELAYED],
        _ => vec![GOOD],
    }
    .into_iter();
    let mut card = cards.next().unwrap_or(GOOD);
    let mut attempt = 0;
    loop {
        attempt += 1;
        assert!(attempt < 2_000, "payment {n} never ends");
        let status = status_of(&insisting, &token).await;
        match status.as_str() {
            "success" => {
                return Told {
                    buyer,
                    token,
                    paid: true,
                };
            }
            "init" | "init_failure" | "failed" => {
                if status == "failed" {
                    card = cards.next().unwrap_or(GOOD);
                }
                let path = format!("/api/v0/payments/{token}/intent");
                insisting
                    .post(&path, &json!({}), &format!("intent-{n}-{attempt}"))
                    .await;
            }
            // Pressed again while under way: after a kill the first press may never have reached the gateway.
            "initiated" | "processing" => {
                let path = format!("/api/v0/payments/{token}/sandbox_confirm");
                let body = json!({ "card_number": card });
                insisting
                    .post(&path, &body, &format!("confirm-{n}-{attempt}"))
                    .await;
            }
            "sold_out" => panic!("payment {n} lost its room though there are plenty"),
            _under_way => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn status_of(insisting: &Insisting<'_>, token: &str) -> String {
    let path = format!("/api/v0/payments/{token}");
    let (status, body) = insisting.call(Method::GET, &path, None, None).await;
    assert_eq!(status, StatusCode::OK, "an acknowledged payment is gone: {body}");
    body["data"]["status"].as_str().unwrap().to_owned()
}

/// Somebody repeats the gateway's notices over HTTP, in no order, all the time.
async fn storm(address: Address, over: Arc<AtomicBool>, mut dice: Dice) {
    let client = Client::new();
    while !over.load(Ordering::SeqCst) {
        let url = address.lock().unwrap().clone();
        let Ok(answer) = client
            .get(format!("{url}/dev/sandbox"))
            .timeout(Duration::from_secs(5))
            .send()
            .await
        else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let known: Value = answer.json().await.unwrap_or_default();
        let notices = known["data"]["notices"].as_array().cloned().unwrap_or_default();
        for _ in 0..notices.len().min(20) {
            let notice = dice.one_of(&notices);
            let request = client
                .post(format!("{url}/api/webhooks/stripe"))
                .header(
                    "stripe-signature",
                    notice["signature"].as_str().unwrap_or_default(),
                )
                .body(notice["body"].as_str().unwrap_or_default().to_owned());
            if let Ok(answer) = request.send().await {
                assert_eq!(answer.status(), StatusCode::OK);
            }
        }
    }
}

pub(crate) async fn all_are_found_again(told: &[Told]) {
    for one in told {
        let payment = one.buyer.read(&one.token).await;
        assert_eq!(payment["status"] == "success", one.paid, "{payment}");
        assert_eq!(payment["refunded_minor"], 0, "{payment}");
    }
}

/// Counts charges at the gateway; no payment has two.
pub(crate) async fn one_charge_each(market: &Market) -> usize {
    let gateway = market.gateway().await;
    let mut charges: BTreeMap<String, usize> = BTreeMap::new();
    for intent in gateway["intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|intent| !intent["charge"].is_null())
    {
        *charges
            .entry(intent["payment_id"].as_str().unwrap().to_owned())
            .or_default() += 1;
    }
    assert!(charges.values().all(|count| *count == 1), "{charges:?}");
    charges.len()
}

pub(crate) async fn receipts_once(market: &Market, told: &[Told]) {
    for one in told {
        let receipts = until(|| async {
            let kinds = market.messages(&one.buyer.email).await;
            let receipts = kinds.iter().filter(|kind| *kind == "receipt").count();
            (receipts > 0).then_some(receipts)
        })
        .await;
        assert_eq!(receipts, 1, "{}", one.buyer.email);
        let kinds = market.messages(&one.buyer.email).await;
        let arrived = kinds.iter().filter(|kind| *kind == "lead_booking").count();
        assert_eq!(arrived, 1, "{kinds:?}");
    }
}

pub(crate) async fn sold(market: &Market) -> usize {
    let log = log_of(&market.server).await;
    let room = InventoryId(market.rooms[0].parse().unwrap());
    log.load::<RoomStock>(room).await.unwrap().state.sold.len()
}

/// Rooms that are left for each of the two leases, by the log.
async fn free(market: &Market) -> [usize; 2] {
    let log = log_of(&market.server).await;
    let room = InventoryId(market.rooms[0].parse().unwrap());
    let stock = log.load::<RoomStock>(room).await.unwrap().state;
    [44, 51].map(|weeks| {
        let stay = Stay {
            move_in: AUTUMN.parse().unwrap(),
            length: Lease::weeks(weeks),
        };
        let now = chrono::Utc::now();
        usize::try_from(stock.free(stay, &OnOffer::only(stay, ROOMS), now)).unwrap()
    })
}

/// Folds everything anew and compares every table of the read models.
pub(crate) fn rebuilt_equals_live(server: &Server) {
    let live = tables(server);
    assert!(live.values().any(|rows| !rows.is_empty()), "nothing was folded");
    server.run(&["rebuild"]);
    let rebuilt = tables(server);
    for (name, rows) in &live {
        let other = &rebuilt[name];
        let missing: Vec<_> = rows.difference(other).take(3).collect();
        let extra: Vec<_> = other.difference(rows).take(3).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{name}: only live {missing:?}, only rebuilt {extra:?}"
        );
    }
}

fn tables(server: &Server) -> BTreeMap<String, BTreeSet<String>> {
    if let Some(name) = server.database_name() {
        return tables_in_postgres(&name);
    }
    let connection = rusqlite::Connection::open(server.folder().join("read.db")).unwrap();
    let sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_sqlx%'
        and name <> 'projection'";
    let mut names = connection.prepare(sql).unwrap();
    let names: Vec<String> = names
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    names
        .into_iter()
        .map(|name| (name.clone(), rows(&connection, &name)))
        .collect()
}

fn tables_in_postgres(database: &str) -> BTreeMap<String, BTreeSet<String>> {
    let told = |sql: &str| {
        let lines = tests::cluster().run(database, sql);
        lines.lines().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let names = told(
        "select tablename from pg_tables where schemaname = 'latchkey_read' and tablename not like '\\_sqlx%'
         and tablename not in ('projection', 'lease')",
    );
    names
        .into_iter()
        .map(|name| {
            let rows = told(&format!("select to_json(it)::text from latchkey_read.{name} it"));
            (name, rows)
        })
        .collect()
}

fn rows(connection: &rusqlite::Connection, table: &str) -> BTreeSet<String> {
    let mut statement = connection.prepare(&format!("select * from \"{table}\"")).unwrap();
    let columns = statement.column_count();
    let mut found = statement.query([]).unwrap();
    let mut rows = BTreeSet::new();
    while let Some(row) = found.next().unwrap() {
        let cells: Vec<String> = (0..columns)
            .map(|column| format!("{:?}", row.get_ref(column).unwrap()))
            .collect();
        rows.insert(cells.join("|"));
    }
    rows
}
