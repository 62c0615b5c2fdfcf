//! Several nodes on one PostgreSQL database, and a server that fails them (RELIABILITY R5, on the log alone). The seed fixes when
//! the server crashes; what the nodes are at then the scheduler decides.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use eventlog::engine::Engine as _;
use eventlog::grouped::{Grouped, Wake};
use eventlog::plan::plan;
use eventlog::port::Keyring;
use eventlog::{Anchor, AppendError, CommitError, EventLog, Expected, LogError, Verdict, commit, load};
use eventlog_conformance::AccountEvent::Deposited;
use eventlog_conformance::{
    Account, AccountCommand as Command, AccountEvent, TooLittle, account, direct, noon, somebody, stream,
};
use futures::future::join_all;
use tests::postgres::Cluster;
use tests::sample;
use tests::sample::Sample;
use uuid::Uuid;

use super::{Databases, connected, server};
use crate::open::opened;

/// How often the server crashes: in the gate, and in all.
const CRASHES: &str = "EVENTLOG_CRASHES";
const CRASHES_USUALLY: (usize, usize) = (3, 20);
const WRITERS: u128 = 16;
/// What a caller waits before asking again.
const PAUSE: Duration = Duration::from_millis(20);

fn one() -> [AccountEvent; 1] {
    [Deposited { amount: 1 }]
}

pub(super) async fn intact(log: &EventLog, end: u64) {
    let verdict = log.verify(Anchor::GENESIS).await;
    assert!(
        matches!(verdict, Ok(Verdict::Intact(whole)) if whole.position == end),
        "{verdict:?}"
    );
}

/// Two nodes share an account and neither loses an update or breaks a rule.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_share_an_account_without_lost_updates() {
    let databases = Databases::of(server());
    let nodes = [databases.open().await, databases.open().await];
    commit::<Account>(&nodes[0], account(1), Command::Deposit(100), &somebody())
        .await
        .expect("committed");
    let withdrawers = (0..16).map(|number| {
        let log = nodes[number % 2].clone();
        tokio::spawn(async move {
            let mut done = 0;
            loop {
                match commit::<Account>(&log, account(1), Command::Withdraw(1), &somebody()).await {
                    Ok(_) => done += 1,
                    Err(CommitError::Conflict { .. }) => {}
                    Err(CommitError::Rejected(TooLittle(left))) => {
                        assert_eq!(left, 0, "somebody was told of a state that was not the last");
                        return done;
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        })
    });
    let done: Vec<u64> = join_all(withdrawers)
        .await
        .into_iter()
        .map(|it| it.expect("the withdrawer finishes"))
        .collect();
    assert_eq!(done.iter().sum::<u64>(), 100, "{done:?}");
    for log in &nodes {
        let loaded = load::<Account>(log, account(1)).await.expect("readable");
        assert_eq!((loaded.state.balance, loaded.revision), (0, 101));
        intact(log, 101).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_hears_of_the_others_events_within_a_second() {
    let databases = Databases::of(server());
    let (here, there) = (databases.open().await, databases.open().await);
    let mut news = there.watch();
    for position in 1..=20 {
        here.append(direct(account(1), Expected::Any, &one()))
            .await
            .expect("written");
        tokio::time::timeout(Duration::from_secs(1), news.wait_for(|end| *end >= position))
            .await
            .expect("heard within a second")
            .expect("the log lives");
        let read = there.read_all(position - 1, 10).await.expect("readable");
        assert_eq!(read.len(), 1);
    }
}

/// Who was answered by one node finds it through another at once, whether that one has heard of it or not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_node_wrote_is_read_unheard() {
    let databases = Databases::of(server());
    let opened = opened(&databases.log, &databases.keys)
        .await
        .expect("the log opens");
    let backend = Grouped::start(opened.engine, opened.readers, opened.keys.clone(), opened.head);
    let deaf = EventLog::on(backend, opened.keys, opened.handles);
    let log = databases.open().await;
    for round in 0..10 {
        for node in [&deaf, &log] {
            node.append(direct(account(1), Expected::Any, &one()))
                .await
                .expect("written");
        }
        let before = round * 2;
        let read = deaf.read_all(before, 10).await.expect("readable");
        let positions: Vec<u64> = read.iter().map(|event| event.position).collect();
        assert_eq!(positions, [before + 1, before + 2]);
        let some = deaf.read_all(before, 1).await.expect("readable");
        assert_eq!(some.len(), 1);
        let span = deaf.span(before + 1, before + 2).await.expect("readable");
        assert_eq!(span.len(), 2);
        let folded = deaf.fold_all((before, 10), Vec::new(), |seen, fact| {
            seen.push(fact.position);
            Ok(())
        });
        let folded = folded.await.expect("readable");
        assert_eq!((folded.state, folded.events), (positions, 2));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_nodes_are_called_when_a_batch_is_durable() {
    let databases = Databases::of(server());
    let opened = opened(&databases.log, &databases.keys)
        .await
        .expect("the log opens");
    let (bell, mut calls) = tokio::sync::mpsc::unbounded_channel();
    opened.ear.listen(Wake::new(move || bell.send(()).is_ok()));
    let mut heard = async || {
        let called = tokio::time::timeout(Duration::from_secs(10), calls.recv());
        called.await.is_ok_and(|call| call.is_some())
    };
    assert!(
        heard().await,
        "the first call says that somebody listens from now on"
    );
    let log = databases.open().await;
    log.append(direct(account(1), Expected::Any, &one()))
        .await
        .expect("written");
    assert!(heard().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_nobody_calls_looks_by_itself() {
    let databases = Databases::of(server());
    let opened = opened(&databases.log, &databases.keys)
        .await
        .expect("the log opens");
    // Its ear is thrown away: what it hears of, it has looked for.
    let backend = Grouped::start(opened.engine, opened.readers, opened.keys.clone(), opened.head);
    let deaf = EventLog::on(backend, opened.keys, opened.handles);
    let log = databases.open().await;
    let mut news = deaf.watch();
    for _ in 0..3 {
        let written = log
            .append(direct(account(1), Expected::Any, &one()))
            .await
            .expect("written");
        let looked = news.wait_for(|position| *position >= written.last);
        let looked = tokio::time::timeout(Duration::from_secs(30), looked).await;
        looked.expect("it looks").expect("the log lives");
    }
}

/// Crashes of the server under sixteen writers lose nothing and double nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_of_the_database_lose_and_double_nothing() {
    let Sample {
        rounds: [crashes],
        mut dice,
    } = sample!(CRASHES => CRASHES_USUALLY);
    let server = Arc::new(Cluster::start());
    let databases = Databases::of(&server);
    let nodes = [databases.open().await, databases.open().await];
    let over = Arc::new(AtomicBool::new(false));
    let writers = (0..WRITERS).map(|writer| {
        let log = nodes[usize::from(writer % 2 == 1)].clone();
        tokio::spawn(keep_writing(log, writer, over.clone()))
    });
    let writers: Vec<_> = writers.collect();
    for _ in 0..crashes {
        let before = nodes[0].head().await.expect("readable");
        let mut news = nodes[0].watch();
        news.wait_for(|end| *end >= before + 50)
            .await
            .expect("the log lives");
        // Anywhere in the work of either node.
        let moment = Duration::from_micros(dice.below(20_000));
        tokio::time::sleep(moment).await;
        let crashing = server.clone();
        tokio::task::spawn_blocking(move || crashing.crash())
            .await
            .expect("the server recovers");
        let back = Instant::now();
        let reached = *news.borrow_and_update();
        news.wait_for(|end| *end > reached).await.expect("the log lives");
        assert!(back.elapsed() < Duration::from_secs(5), "{:?}", back.elapsed());
    }
    over.store(true, Relaxed);
    let mut answered = HashMap::new();
    for writer in join_all(writers).await {
        answered.extend(writer.expect("the writer finishes"));
    }
    everything_once(&databases.open().await, &answered).await;
}

/// Every command that was answered is there as it was answered, nothing else is, and the chain is whole.
pub(super) async fn everything_once(log: &EventLog, answered: &HashMap<Uuid, (Uuid, u64)>) {
    let mut stored = HashMap::new();
    for event in log.read_all(0, usize::MAX).await.expect("readable") {
        let command = event.command_id.expect("every event here comes from a command");
        let twice = stored.insert(command, (event.event_id, event.position));
        assert!(twice.is_none(), "a command had two effects");
    }
    assert!(
        stored == *answered,
        "every command was asked until it was answered"
    );
    intact(log, stored.len() as u64).await;
}

/// Deposits one after the other, each asked again under its own name until it is answered.
pub(super) async fn keep_writing(
    log: EventLog,
    writer: u128,
    over: Arc<AtomicBool>,
) -> Vec<(Uuid, (Uuid, u64))> {
    let mut answered = Vec::new();
    while !over.load(Relaxed) {
        let command = Uuid::now_v7();
        let context = somebody().command(command, b"deposit");
        let done = loop {
            match commit::<Account>(&log, account(writer % 5), Command::Deposit(1), &context).await {
                Ok(done) => break done,
                Err(
                    CommitError::Log(LogError::Unavailable(_) | LogError::Unknown(_))
                    | CommitError::Conflict { .. },
                ) => tokio::time::sleep(PAUSE).await,
                Err(other) => panic!("{other}"),
            }
        };
        answered.push((command, (done.event_ids[0], done.position)));
    }
    answered
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_in_the_middle_of_a_batch_is_passed_by() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    let opened = opened(&databases.log, &databases.keys)
        .await
        .expect("the log opens");
    let mut stopped = opened.engine;
    let stopped = tokio::task::spawn_blocking(move || {
        let standing = stopped.begin(&[stream(account(1))], &[]).expect("the lock");
        (stopped, standing)
    });
    let (mut stopped, standing) = stopped.await.expect("nobody panics");
    let written = log
        .append(direct(account(1), Expected::Any, &one()))
        .await
        .expect("the lock was taken from the node that stopped");
    assert_eq!(written.last, 1);
    // The node goes on where it stopped: it has lost its place.
    let late = tokio::task::spawn_blocking(move || {
        let append = direct(account(1), Expected::Revision(0), &one());
        let keys = Keyring::memory();
        let (plan, _) = plan(&[&append], standing, &keys, noon());
        stopped.commit(&plan)
    });
    let late = late.await.expect("nobody panics");
    assert!(matches!(late, Err(LogError::Unavailable(_))), "{late:?}");
    intact(&log, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_who_keeps_the_lock_keeps_nobody_waiting_for_ever() {
    let databases = Databases::of(server());
    let soon = format!("{}&options=-c%20lock_timeout%3D500ms", databases.log);
    let log = crate::open(&soon, &databases.keys).await;
    let log = log.expect("the log opens");
    let stranger = connected(&databases.log).await;
    stranger
        .batch_execute("begin; select * from log_head for update")
        .await
        .expect("the lock");
    let asked = Instant::now();
    let refused = log.append(direct(account(1), Expected::Any, &one())).await;
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    assert!(
        matches!(refused, Err(AppendError::Log(LogError::Unavailable(_)))),
        "{refused:?}"
    );
    stranger.batch_execute("rollback").await.expect("let go");
    let written = log.append(direct(account(1), Expected::Any, &one())).await;
    assert_eq!(written.expect("written").last, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_whose_connection_the_server_ends_is_asked_again() {
    for connections in [0, 1] {
        is_asked_again(connections).await;
    }
}

/// A read that may take one of so many connections of a pool.
async fn is_asked_again(connections: usize) {
    let databases = Databases::of(server());
    let written = databases.open().await;
    written
        .append(direct(account(1), Expected::Any, &one()))
        .await
        .expect("written");
    let log = databases.open().await;
    for _ in 0..connections {
        assert_eq!(log.read_all(0, 10).await.expect("readable").len(), 1);
    }
    let stranger = connected(&databases.log).await;
    stranger
        .batch_execute("begin; lock table event in access exclusive mode")
        .await
        .expect("nobody reads");
    let reading = tokio::spawn(async move { log.read_all(0, 10).await });
    let watcher = connected(&databases.log).await;
    let ended = "select pg_terminate_backend(pid) from pg_stat_activity \
         where datname = current_database() and wait_event_type = 'Lock' and query like 'select e.position%'";
    let end = async { while watcher.query(ended, &[]).await.expect("ended").is_empty() {} };
    let soon = tokio::time::timeout(Duration::from_mins(1), end).await;
    soon.expect("the read waits for the table");
    stranger.batch_execute("rollback").await.expect("let go");
    let read = reading.await.expect("nobody panics");
    assert_eq!(read.expect("asked again").len(), 1);
}

/// The outcome of a commit is looked at only when it can no longer change.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_outcome_is_checked_only_once_it_is_final() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    log.append(direct(account(1), Expected::Any, &one()))
        .await
        .expect("written");
    let chain = log.read_all(0, 1).await.expect("readable")[0].chain;
    // The server still holds a transaction whose connection the writer has lost.
    let lost = connected(&databases.log).await;
    let uncommitted = "begin; select * from log_head for update; update event set position = 2; \
         update log_head set position = 2";
    lost.batch_execute(uncommitted).await.expect("not committed yet");
    let opened = opened(&databases.log, &databases.keys)
        .await
        .expect("the log opens");
    let mut engine = opened.engine;
    let looking = tokio::task::spawn_blocking(move || engine.chain_at(2));
    let waiting =
        "select count(*) from pg_locks where not granted and locktype in ('tuple', 'transactionid')";
    let watcher = connected(&databases.log).await;
    while !looking.is_finished() {
        let row = watcher.query_one(waiting, &[]).await.expect("readable");
        if row.get::<_, i64>(0) > 0 {
            break;
        }
    }
    lost.batch_execute("commit").await.expect("committed after all");
    let found = looking.await.expect("nobody panics").expect("readable");
    assert_eq!(found, Some(chain));
}

/// A server that may forget what it confirmed is refused with the way out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_with_durability_off_is_refused_with_advice() {
    let refused = async |databases: &Databases, wanted: &str| {
        let opened = crate::open(&databases.log, &databases.keys).await;
        let said = opened.err().expect("the start is refused").to_string();
        assert!(said.contains(wanted) && said.contains("set it to `on`"), "{said}");
    };
    for setting in ["fsync", "full_page_writes"] {
        let server = Cluster::with(&[&format!("{setting}=off")]);
        refused(&Databases::of(&server), &format!("`{setting} = off`")).await;
    }
    let shared = server();
    let forgetful = Databases::of(shared);
    let name = forgetful.log.trim_start_matches("postgres:///");
    let name = name.split('?').next().expect("a name");
    shared.run(
        name,
        &format!("alter database {name} set synchronous_commit = off"),
    );
    refused(&forgetful, "`synchronous_commit = off`").await;
    shared.run(name, &format!("alter database {name} reset synchronous_commit"));
    forgetful.open().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_and_its_keys_are_not_put_into_one_place() {
    let databases = Databases::of(server());
    let opened = crate::open(&databases.log, &databases.log).await;
    let said = opened.err().expect("the start is refused").to_string();
    assert!(said.contains("name two databases, or two schemas"), "{said}");
    let secret = "postgres://ada:hunter2@[nowhere/log";
    let opened = crate::open(secret, &databases.keys).await;
    let said = opened.err().expect("the start is refused").to_string();
    assert!(
        said.contains("postgres://user:password@host/name") && !said.contains("hunter2"),
        "{said}"
    );
}
