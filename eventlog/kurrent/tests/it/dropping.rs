//! A server that drops subscriptions, cuts connections and is started anew: nothing is lost, doubled or out of order.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use eventlog::{Actor, Context, EventLog, commit};
use eventlog_conformance::{Account, AccountCommand, AccountId, places};
use futures::future::join_all;
use kurrent_standin::Server;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{log_at, open, standin};

const WRITERS: u128 = 8;
const EACH: usize = 160;
/// R5: twenty subscriptions dropped, twenty connections cut, twenty starts anew.
const MISFORTUNES: usize = 60;
/// The promise: until what is written is kept again.
const RECOVERS: Duration = Duration::from_secs(5);

fn context() -> Context {
    Context::new(chrono::DateTime::UNIX_EPOCH, Actor::SYSTEM)
}

/// Deposits with command ids, each repeated until it is answered; says which events they led to.
async fn write(log: EventLog, writer: u128) -> Vec<Uuid> {
    let mut events = Vec::new();
    for _ in 0..EACH {
        let context = context().command(Uuid::now_v7(), b"deposit");
        let done = loop {
            let account = AccountId(Uuid::from_u128(writer % 5));
            match commit::<Account>(&log, account, AccountCommand::Deposit(1), &context).await {
                Ok(done) => break done,
                Err(_) => tokio::task::yield_now().await,
            }
        };
        events.extend(done.event_ids);
    }
    events
}

/// Waits until the server has so many more records; false when everybody had ended before that.
async fn more(server: &Server, count: usize, writers: &[JoinHandle<Vec<Uuid>>]) -> bool {
    let wanted = server.records() + count;
    while server.records() < wanted {
        if writers.iter().all(JoinHandle::is_finished) {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    true
}

async fn follow(log: EventLog, all: usize) -> Vec<Uuid> {
    let mut news = log.watch();
    let (mut seen, mut after) = (Vec::new(), 0);
    while seen.len() < all {
        let events = log.read_all(after, 10).await.expect("readable");
        if events.is_empty() {
            news.changed().await.expect("the log lives");
        }
        after = events.last().map_or(after, |event| event.position);
        seen.extend(events.iter().map(|event| event.event_id));
    }
    seen
}

/// Subscriptions dropped and connections cut while eight write lose nothing and double nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kurrentdb_drops_and_cuts_lose_and_double_nothing() {
    let server = standin();
    let mut door = server.open().await.expect("a port");
    let keys = TempDir::new().expect("a directory");
    let log = log_at(&door.url(), &keys, "").await;
    let all = usize::try_from(WRITERS).expect("few") * EACH;
    let reader = tokio::spawn(follow(log.clone(), all));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| tokio::spawn(write(log.clone(), writer)))
        .collect();
    let mut slowest = Duration::ZERO;
    for round in 0..MISFORTUNES {
        more(&server, 20, &writers).await;
        match round % 3 {
            0 => door.drop_subscriptions(),
            1 => door.cut_connections(),
            _ => door = door.restart().await.expect("the same port"),
        }
        let since = Instant::now();
        assert!(
            more(&server, 1, &writers).await,
            "everything was written before round {round}"
        );
        slowest = slowest.max(since.elapsed());
    }
    println!("{MISFORTUNES} misfortunes, written again within {slowest:?}");
    assert!(slowest < RECOVERS, "after {slowest:?}");
    let written: Vec<Uuid> = join_all(writers)
        .await
        .into_iter()
        .flat_map(|events| events.expect("the writer finishes"))
        .collect();
    let seen = reader.await.expect("the reader finishes");
    assert_eq!(written.len(), all);
    assert_eq!(
        seen.iter().collect::<HashSet<_>>(),
        written.iter().collect(),
        "all, and nothing else"
    );
    assert_eq!(seen.len(), all, "each once");
    assert_eq!(places(&log).await.len(), all);
    let fresh = log_at(&door.url(), &keys, "").await;
    assert_eq!(
        follow(fresh, all).await,
        seen,
        "in the same order from what is kept"
    );
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_with_a_sentence() {
    let keys = TempDir::new().expect("a directory");
    let refused = open("kurrentdb:///nowhere", keys.path(), "").await.err();
    let said = refused.expect("no such place").to_string();
    assert!(
        said.starts_with("the address of the KurrentDB server is not one"),
        "{said}"
    );
    for with_password in [
        "kurrentdb://ada:secret@[bad",
        "kurrentdb://ada:secret@127.0.0.1:99999",
    ] {
        let refused = open(with_password, keys.path(), "").await.err();
        let said = refused.expect("no address").to_string();
        assert!(!said.contains("secret"), "{said}");
    }
    assert!(kurrent::is_address(
        "esdb+discover://cluster.example:2113?tls=true"
    ));
    assert!(!kurrent::is_address("postgres://db.example/latchkey"));
}
