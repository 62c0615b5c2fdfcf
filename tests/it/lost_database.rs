//! R5: the database server crashes under two nodes, and the network to it is cut, while people book and pay. The seed fixes the
//! time between two crashes or cuts, and which way is cut first; what the nodes are at then the scheduler decides.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::json;
use tests::network::{Network, Way};
use tests::postgres::Cluster;
use tests::sample::Sample;
use tests::{Server, sample};
use tokio::task::JoinHandle;

use crate::market::{Address, Buyer, Market, until};
use crate::nodes::{PAYERS, balance, node_beside};
use crate::payment_kill::{
    Told, all_are_found_again, book_again_and_again, one_charge_each, receipts_once, sold,
};
use crate::visitor::enquiry;

const CRASHES: &str = "LATCHKEY_TEST_DATABASE_CRASHES";
const CUTS: &str = "LATCHKEY_TEST_DATABASE_CUTS";
/// How many of either: in the gate, and in all.
const USUALLY: (usize, usize) = (3, 20);
/// The control stops at the first batch that it finds lost.
const CUTS_OF_THE_CONTROL: usize = 20;
/// The promise: from the moment the server can be reached.
const RECOVERS: Duration = Duration::from_secs(5);
/// Connections of two nodes, which have forty each at most.
const CONNECTIONS: u32 = 80;
const NAME: &str = "database_0";

/// Two nodes, and people who book without a pause wherever they are sent.
struct Trade {
    market: Market,
    second: Server,
    over: Arc<AtomicBool>,
    settled: Arc<AtomicBool>,
    balancer: JoinHandle<()>,
    payers: Vec<JoinHandle<Vec<Told>>>,
}

impl Trade {
    async fn on(url: &str) -> Self {
        let market = Market::open(&[100_000], &[("LATCHKEY_DATABASE", url)]).await;
        let second = node_beside(&market.server);
        let urls = Arc::new(Mutex::new(vec![market.server.url(""), second.url("")]));
        let (over, settled) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let numbers = Arc::new(AtomicUsize::new(0));
        let people: Vec<Address> = (0..PAYERS)
            .map(|_| Arc::new(Mutex::new(market.server.url(""))))
            .collect();
        let balancer = tokio::spawn(balance(urls, people.clone(), settled.clone()));
        let payers = people.iter().map(|address| {
            let buyer = Buyer {
                address: address.clone(),
                ..market.person(0, 0)
            };
            tokio::spawn(book_again_and_again(buyer, numbers.clone(), over.clone()))
        });
        let payers = payers.collect();
        Self {
            market,
            second,
            over,
            settled,
            balancer,
            payers,
        }
    }

    /// Waits until both nodes take enquiries again; gives how long that took.
    async fn recovered(&self, round: usize) -> Duration {
        let began = Instant::now();
        for (number, node) in [&self.market.server, &self.second].into_iter().enumerate() {
            let email = format!("probe{round}at{number}@example.com");
            let mut asked = 0;
            loop {
                asked += 1;
                let sent = Client::new()
                    .post(node.url("/api/v0/leads/"))
                    .json(&enquiry("Probe", &email))
                    .send()
                    .await
                    .unwrap();
                if sent.status() == StatusCode::CREATED {
                    break;
                }
                assert!(sent.status().is_server_error(), "{}", sent.text().await.unwrap());
                assert!(
                    began.elapsed() < RECOVERS,
                    "node {number} answers {asked} times with an error"
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        let took = began.elapsed();
        assert!(took < RECOVERS, "after {took:?}");
        took
    }

    /// Everybody pays to the end; nothing is lost, doubled or stuck. Gives how many paid.
    async fn ends(self, cluster: &Cluster) -> usize {
        self.over.store(true, Ordering::SeqCst);
        let told: Vec<Told> = join_all(self.payers)
            .await
            .into_iter()
            .flat_map(Result::unwrap)
            .collect();
        assert!(told.len() >= PAYERS, "only {} payments were made", told.len());
        all_are_found_again(&told).await;
        self.settled.store(true, Ordering::SeqCst);
        self.balancer.await.unwrap();
        let market = &self.market;
        assert_eq!(
            one_charge_each(market).await,
            told.len(),
            "everybody paid in the end"
        );
        receipts_once(market, &told).await;
        market.caught_up().await;
        assert_eq!(sold(market).await, told.len(), "one booking per payment");
        let compared = market.server.run(&["rebuild", "--compare"]);
        assert!(compared.contains("the same: "), "{compared}");
        let open = cluster.run(
            "postgres",
            &format!(
                "select count(*), count(*) filter (where state like 'idle in transaction%' and state_change < now() - interval '3 s')
                 from pg_stat_activity where datname like '{NAME}%'"
            ),
        );
        let (open, stuck) = open.trim().split_once('|').unwrap();
        assert!(open.parse::<u32>().unwrap() <= CONNECTIONS, "{open} connections");
        assert_eq!(stuck, "0", "connections stand still in a transaction");
        told.len()
    }
}

/// Two nodes go on within five seconds after the database server crashed under them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_survive_crashes_of_the_database() {
    let Sample {
        rounds: [crashes],
        mut dice,
    } = sample!(CRASHES => USUALLY);
    let cluster = Cluster::start();
    let trade = Trade::on(&cluster.database()).await;
    let mut slowest = Duration::ZERO;
    for round in 0..crashes {
        tokio::time::sleep(Duration::from_millis(1_000 + dice.below(1_000))).await;
        cluster.crash();
        slowest = slowest.max(trade.recovered(round).await);
    }
    let paid = trade.ends(&cluster).await;
    println!(
        "{crashes} crashes of the database server, {paid} payments, none lost or doubled; recovered within {slowest:?}"
    );
}

/// Two nodes go on within five seconds after the network to the database was cut.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_survive_cuts_to_the_database() {
    let Sample {
        rounds: [cuts],
        mut dice,
    } = sample!(CUTS => USUALLY);
    let cluster = Cluster::start();
    let url = cluster.database();
    let network = Network::before(&url);
    let trade = Trade::on(&network.reaches(&url)).await;
    let mut slowest = Duration::ZERO;
    for round in 0..cuts {
        tokio::time::sleep(Duration::from_millis(1_000 + dice.below(1_000))).await;
        let first = if dice.below(2) == 0 { Way::There } else { Way::Back };
        network
            .cut(first, Duration::from_millis(5 + dice.below(15)))
            .await;
        slowest = slowest.max(trade.recovered(round).await);
    }
    let paid = trade.ends(&cluster).await;
    println!(
        "{cuts} cuts of the network, {paid} payments, none lost or doubled; recovered within {slowest:?}"
    );
}

/// What a supervisor waits at most, and rather less than a pool waits for a connection.
const SUPERVISOR: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_supervisor_is_answered_while_the_database_keeps_silent() {
    let cluster = Cluster::start();
    let url = cluster.database();
    let network = Network::before(&url);
    let server = Server::with(&[
        ("LATCHKEY_DATABASE", &network.reaches(&url)),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let asks = async || {
        let asked = Client::new().get(server.url("/readyz"));
        let answer = asked.timeout(SUPERVISOR).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    network.still(true);
    let (status, said) = asks().await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{said}");
    assert!(said.contains("the log does not answer"), "{said}");
    network.still(false);
    until(|| async { (asks().await.0 == StatusCode::OK).then_some(()) }).await;
}

/// How long the server is away: a pool's pauses have grown to their longest by then.
const AWAY: Duration = Duration::from_secs(20);
/// What anybody waits at most for an answer meanwhile.
const ANSWERED: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_answered_while_the_database_is_away() {
    let cluster = Cluster::listening();
    cluster.run("postgres", &format!("create database {NAME}"));
    let url = cluster.over_the_network(NAME, "");
    let trade = Trade::on(&url).await;
    let node = &trade.market.server;
    let refused = async |number: usize| {
        let email = format!("away{number}@example.com");
        let code = json!({ "user": { "email": email } });
        let asked = [
            ("/api/v0/leads/", enquiry("Probe", &email)),
            ("/api/v0/users/generate_email_otp", code),
        ];
        let sent = asked.map(|(path, body)| {
            Client::new()
                .post(node.url(path))
                .json(&body)
                .timeout(ANSWERED)
                .send()
        });
        for answer in join_all(sent).await {
            let answer = answer.unwrap();
            let status = answer.status();
            assert_eq!(
                status,
                StatusCode::SERVICE_UNAVAILABLE,
                "{}",
                answer.text().await.unwrap()
            );
        }
    };
    cluster.away();
    let away = Instant::now();
    for number in 0.. {
        refused(number).await;
        if away.elapsed() > AWAY {
            break;
        }
    }
    cluster.again();
    let took = trade.recovered(0).await;
    let paid = trade.ends(&cluster).await;
    println!("away for {AWAY:?}, {paid} payments, none lost or doubled; recovered within {took:?}");
}

/// Enquires again and again; notes the request of each enquiry that was answered as done.
async fn enquires(url: String, sender: usize, over: Arc<AtomicBool>, answered: Arc<Mutex<Vec<String>>>) {
    let client = Client::new();
    for number in 0.. {
        if over.load(Ordering::SeqCst) {
            return;
        }
        let email = format!("s{sender}n{number}@example.com");
        let sent = client
            .post(&url)
            .json(&enquiry("Ada Lovelace", &email))
            .send()
            .await;
        // Not only 201: a lead that the log took and does not have is answered as one that does not exist.
        if let Ok(answer) = sent
            && answer.status() != StatusCode::SERVICE_UNAVAILABLE
        {
            let request = answer.headers()["x-request-id"].to_str().unwrap();
            answered.lock().unwrap().push(request.to_owned());
        }
    }
}

/// A batch that is answered as done though the database's answer was lost with its connection is missing in the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_lost_answer_taken_as_done_is_noticed() {
    let mut dice = sample!().dice;
    let cluster = Cluster::start();
    let url = cluster.database();
    let network = Network::before(&url);
    let server = Server::with(&[
        ("LATCHKEY_DATABASE", &network.reaches(&url)),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_PLANTED_FAULT", "lost_answer_taken"),
    ]);
    let (over, answered) = (Arc::<AtomicBool>::default(), Arc::<Mutex<Vec<String>>>::default());
    let senders: Vec<_> = (0..PAYERS)
        .map(|sender| {
            let url = server.url("/api/v0/leads");
            tokio::spawn(enquires(url, sender, over.clone(), answered.clone()))
        })
        .collect();
    let count = || answered.lock().unwrap().len();
    let lost = || {
        // Those that were answered first: what is answered meanwhile may come after the look.
        let answered = answered.lock().unwrap().clone();
        let kept = cluster.run(NAME, "select distinct correlation_id from event");
        let kept: Vec<&str> = kept.lines().collect();
        answered
            .iter()
            .filter(|request| !kept.contains(&request.as_str()))
            .count()
    };
    let mut noticed = 0;
    for _ in 0..CUTS_OF_THE_CONTROL {
        let before = count();
        until(|| async { (count() >= before + PAYERS).then_some(()) }).await;
        network
            .cut(Way::There, Duration::from_millis(5 + dice.below(15)))
            .await;
        let cut = count();
        noticed = until(|| async {
            let lost = lost();
            (lost > 0 || count() >= cut + 2 * PAYERS).then_some(lost)
        })
        .await;
        if noticed > 0 {
            break;
        }
    }
    over.store(true, Ordering::SeqCst);
    for sender in senders {
        sender.await.unwrap();
    }
    assert!(noticed > 0, "the planted fault was not noticed");
}

/// Without the database the figures that are known are still told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_that_need_no_database_are_served_without_it() {
    let cluster = Cluster::start();
    let address = tests::free_address();
    let mut server = Server::with(&[
        ("LATCHKEY_DATABASE", &cluster.database()),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address.to_string()),
    ]);
    server.unlike_its_log("its database is gone");
    let told = async || {
        let answer = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        answer.text().await.unwrap()
    };
    let of_database = [
        "latchkey_log_position ",
        "latchkey_outbox_waiting ",
        "latchkey_mails_waiting ",
    ];
    let of_process = ["latchkey_disk_free_bytes ", "latchkey_log_refuses_writes{"];
    let whole = told().await;
    assert!(
        whole.contains("latchkey_metrics_missing{what=\"log\"} 0"),
        "{whole}"
    );
    drop(cluster);
    let rest = told().await;
    for missing in of_database {
        assert!(
            whole.contains(missing) && !rest.contains(missing),
            "{missing}: {rest}"
        );
    }
    for known in of_process {
        assert!(rest.contains(known), "{known}: {rest}");
    }
    for what in ["log", "outbox", "mails"] {
        let says_so = format!("latchkey_metrics_missing{{what=\"{what}\"}} 1");
        assert!(rest.contains(&says_so), "{what}: {rest}");
    }
}
