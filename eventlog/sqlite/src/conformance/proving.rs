//! What was signed tells what was done to a file since.

use eventlog::port::SEGMENT;
use eventlog::{Anchor, Problem, Proof, Verdict};
use eventlog_conformance::proving::{Notary, deposit, hour};
use rusqlite::Connection;
use tempfile::TempDir;
use tests::sample;

use super::{ground, open};

eventlog_conformance::proving!(ground());

/// A tail cut off with a head row that says so is noticed and not signed over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn truncated_tail_with_a_fitting_head_is_noticed_not_signed() {
    let (dir, notary) = (TempDir::new().expect("a directory"), Notary::new());
    let log = open(dir.path()).await;
    deposit(&log, 100).await;
    notary.sign(&log, hour(1)).await.expect("a new end");
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    file.execute_batch(
        "delete from event where position > 60; delete from signed_head; delete from segment;
         update log_head set position = 60, chain = (select chain from event where position = 60);",
    )
    .expect("cut");
    let log = open(dir.path()).await;
    // The chain alone is none the wiser.
    assert!(matches!(
        log.verify(Anchor::GENESIS).await,
        Ok(Verdict::Intact(_))
    ));
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    let cut = Verdict::Broken {
        position: 61,
        problem: Problem::Cut { signed: 100 },
    };
    assert_eq!(audit.verdict, cut);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_does_not_follow_from_its_last_head_is_not_signed() {
    let (dir, notary) = (TempDir::new().expect("a directory"), Notary::new());
    let log = open(dir.path()).await;
    deposit(&log, 20).await;
    notary.sign(&log, hour(1)).await.expect("a new end");
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    file.execute_batch("update log_head set position = 10")
        .expect("cut");
    let signer = notary.signer();
    let refused = log.sign_head(&signer, &notary.outside, hour(2)).await;
    let said = refused.expect_err("not this log").to_string();
    assert!(said.contains("it was cut off"), "{said}");
    file.execute_batch("update log_head set position = 20, chain = zeroblob(32)")
        .expect("changed");
    // Another end than the one that was signed, at the same event.
    let refused = log.sign_head(&signer, &notary.outside, hour(3)).await;
    let said = refused.expect_err("not this log").to_string();
    assert!(said.contains("it was changed"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_before_gets_its_tables_and_roots() {
    let (dir, notary) = (TempDir::new().expect("a directory"), Notary::new());
    let log = open(dir.path()).await;
    deposit(&log, SEGMENT + 1).await;
    drop(log);
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    file.execute_batch(
        "drop table segment; drop table signed_head; drop table signing_key; pragma user_version = 2",
    )
    .expect("as it was before");
    let log = open(dir.path()).await;
    assert_eq!(log.seal_segments().await.expect("made"), 1);
    assert!(notary.sign(&log, hour(1)).await.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_that_says_more_than_was_proved_is_none() {
    let (dir, notary) = (TempDir::new().expect("a directory"), Notary::new());
    let log = open(dir.path()).await;
    deposit(&log, 3).await;
    notary.sign(&log, hour(1)).await.expect("a new end");
    let written = serde_json::to_value(log.prove(2).await.expect("a proof")).expect("JSON");
    assert!(serde_json::from_value::<Proof>(written.clone()).is_ok());
    for part in ["", "/event", "/head"] {
        let mut more = written.clone();
        let fields = more.pointer_mut(part).and_then(|part| part.as_object_mut());
        fields.expect("a part").insert("paid".to_owned(), true.into());
        let read = serde_json::from_value::<Proof>(more);
        assert!(read.is_err(), "{part}: {read:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_changed_behind_the_logs_back_gets_no_proof() {
    let (dir, notary) = (TempDir::new().expect("a directory"), Notary::new());
    let log = open(dir.path()).await;
    deposit(&log, 9).await;
    notary.sign(&log, hour(1)).await.expect("a new end");
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    file.execute_batch("create temp table clean as select * from event; create temp table signed as select * from signed_head")
        .expect("copies");
    for change in [
        "update event set payload = x'7b7d' where position = 4",
        "update event set payload = x'ff' where position = 4",
        "update event set leaf = zeroblob(32) where position = 4",
        // Another event of the segment is part of the path of this one.
        "update event set leaf = zeroblob(32) where position = 5",
        "delete from event where position = 4",
        "update signed_head set signature = zeroblob(64)",
        "update signed_head set key_id = zeroblob(8)",
    ] {
        file.execute_batch(change).expect("changed");
        // Whoever wrote the events has them in memory as they were.
        let log = open(dir.path()).await;
        let said = log.prove(4).await.expect_err(change).to_string();
        assert!(said.contains("run `latchkey verify`"), "{change}: {said}");
        file.execute_batch(
            "delete from event; insert into event select * from clean;
             delete from signed_head; insert into signed_head select * from signed",
        )
        .expect("put right");
        assert!(log.prove(4).await.is_ok(), "{change}");
    }
}

/// How many events: in the gate, and in all.
const LOG_EVENTS: &str = "LATCHKEY_TEST_LOG_EVENTS";
const LOG_EVENTS_USUALLY: (usize, usize) = (100_000, 1_000_000);

/// The last day of a year of this many events, verified on the word of the head of a day ago.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_day_is_verified_without_the_days_before() {
    let days = 365;
    let [events] = sample!(LOG_EVENTS => LOG_EVENTS_USUALLY).rounds;
    let a_day = u64::try_from(events).expect("a number") / days;
    let (dir, notary) = (TempDir::new().expect("a directory"), Notary::new());
    let log = open(dir.path()).await;
    for day in 1..=days {
        deposit(&log, a_day).await;
        notary.sign(&log, hour(24 * day)).await.expect("a new end");
    }
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    let begun = std::time::Instant::now();
    let since = log
        .signed_before(&notary.outside, hour(24 * (days - 1)))
        .await
        .expect("heads");
    let audit = notary.audit(&log, since).await;
    let took = begun.elapsed();
    println!("the last {a_day} of {} events: {took:?}", days * a_day);
    assert_eq!(since.position, (days - 1) * a_day);
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(audit.signed_through, Some(days * a_day));
    let change = format!(
        "update event set payload = x'7b7d' where position = {}",
        5 * a_day
    );
    file.execute_batch(&change).expect("changed");
    let audit = notary.audit(&log, since).await;
    assert!(
        matches!(audit.verdict, Verdict::Intact(_)),
        "the days before are not looked at: {audit:?}"
    );
    let begun = std::time::Instant::now();
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    println!("all of them: {:?}", begun.elapsed());
    let broken = Verdict::Broken {
        position: 5 * a_day,
        problem: Problem::Payload,
    };
    assert_eq!(audit.verdict, broken);
}
