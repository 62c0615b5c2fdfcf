//! The log's end is signed, and what was signed tells what was done to the log since.

use domain::id::UserId;
use domain::moment::Moment;
use domain::sealed::Sealed;
use rusqlite::Connection;
use tempfile::TempDir;
use tests::sample;
use uuid::Uuid;

use super::grounds::{Databases, connected, open, server};
use super::{Ground, account, direct, every_engine};
use crate::append::Expected;
use crate::audit::Audit;
use crate::conformance::account::AccountEvent::{Deposited, Noted};
use crate::evidence::SEGMENT;
use crate::head_folder::HeadFolder;
use crate::log::EventLog;
use crate::proof::{Proof, ProofFault};
use crate::signed_head::{SignedHead, Signer};
use crate::verify::{Anchor, Problem, Verdict};

// The keys and folders of these laws are this crate's own: engines of others without a chain have nothing to prove.
const _: &[super::Law] = LAWS;

/// A key and a folder outside of any database.
pub(super) struct Notary {
    dir: TempDir,
    pub(super) outside: HeadFolder,
}

impl Notary {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let outside = HeadFolder::open(&dir.path().join("heads")).expect("a folder");
        Self { dir, outside }
    }

    pub(super) fn signer(&self) -> Signer {
        Signer::open(&self.dir.path().join("signing.key")).expect("a key")
    }

    pub(super) async fn sign(&self, log: &EventLog, at: Moment) -> Option<SignedHead> {
        log.sign_head(&self.signer(), &self.outside, at)
            .await
            .expect("it can be signed")
    }

    pub(super) async fn audit(&self, log: &EventLog, since: Anchor) -> Audit {
        log.audit(&self.outside, since).await.expect("readable")
    }
}

/// An hour of the test's calendar.
pub(super) fn hour(number: u64) -> Moment {
    super::noon() + chrono::TimeDelta::hours(number.cast_signed())
}

async fn deposit(log: &EventLog, times: u64) {
    let one = |it: u64| {
        direct(
            account(u128::from(it % 7)),
            Expected::Any,
            &[Deposited { amount: 1 }],
        )
    };
    log.append_many((0..times).map(one).collect())
        .await
        .expect("written");
}

every_engine![
    signed_end_is_proved_from_the_start_and_an_earlier_head,
    full_segment_roots_are_kept_without_delaying_writers,
    renewed_key_signs_on_and_old_signatures_stay_valid,
    event_proof_holds_offline_and_after_erasure,
];

/// The end is signed once and vouched for from the beginning and from an earlier head.
async fn signed_end_is_proved_from_the_start_and_an_earlier_head(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    assert_eq!(notary.sign(&log, hour(0)).await, None, "there is nothing to sign");
    deposit(&log, 100).await;
    let first = notary.sign(&log, hour(1)).await.expect("a new end");
    assert_eq!((first.position, first.previous), (100, 0));
    assert_eq!(
        notary.sign(&log, hour(2)).await,
        None,
        "the end is signed already"
    );
    deposit(&log, 50).await;
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(
        matches!(audit.verdict, Verdict::Intact(end) if end.position == 150),
        "{audit:?}"
    );
    assert_eq!(audit.signed_through, Some(100));
    let second = notary.sign(&log, hour(3)).await.expect("a new end");
    assert_eq!((second.position, second.previous), (150, 100));
    let since = log.signed_before(&notary.outside, hour(2)).await.expect("heads");
    assert_eq!(since, first.anchor());
    let audit = notary.audit(&log, since).await;
    assert!(
        matches!(audit.verdict, Verdict::Intact(end) if end.position == 150),
        "{audit:?}"
    );
    assert_eq!((audit.signed_through, audit.unknown_keys), (Some(150), 0));
    // Outside lies what the database has, also when it had been kept from there.
    let elsewhere = Notary::new();
    elsewhere
        .outside
        .trust(&notary.signer().public())
        .expect("trusted");
    assert_eq!(elsewhere.sign(&log, hour(4)).await, None);
    let both = elsewhere.outside.read(None).expect("readable").heads;
    assert_eq!(both, [first, second]);
}

/// The roots of full segments are kept and nobody waits for them.
async fn full_segment_roots_are_kept_without_delaying_writers(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    deposit(&log, 3 * SEGMENT + 5).await;
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(log.seal_segments().await.expect("made"), 3);
    assert_eq!(log.seal_segments().await.expect("there"), 0);
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(audit.signed_through, None);
}

/// A renewed key signs on and what the old one signed stays good.
async fn renewed_key_signs_on_and_old_signatures_stay_valid(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    deposit(&log, 10).await;
    let old = notary.sign(&log, hour(1)).await.expect("a new end");
    notary
        .outside
        .put_away(&notary.signer().public(), hour(2))
        .expect("put away");
    Signer::renew(&notary.dir.path().join("signing.key")).expect("another key");
    deposit(&log, 10).await;
    let new = notary.sign(&log, hour(3)).await.expect("a new end");
    assert_ne!(old.key, new.key);
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(audit.signed_through, Some(20));
    // Somebody who knows neither key is told so, and not that the log is broken.
    let stranger = Notary::new();
    let audit = stranger.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!((audit.signed_through, audit.unknown_keys), (None, 2));
}

/// An event's proof holds without the log and after its person was forgotten.
async fn event_proof_holds_offline_and_after_erasure(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    let somebody = UserId(Uuid::from_u128(77));
    let noted = Noted {
        about: somebody,
        note: Sealed::new("lives above the bakery".to_owned()),
    };
    deposit(&log, 2 * SEGMENT + 9).await;
    let at = log
        .append(direct(account(1), Expected::Any, &[noted]))
        .await
        .expect("written");
    let early = log.prove(at.last).await.expect_err("nothing is signed");
    assert!(early.to_string().contains("is not signed yet"), "{early}");
    notary.sign(&log, hour(1)).await.expect("a new end");
    let key = notary.signer().public();
    let (before, last) = (log.prove(1).await, log.prove(at.last).await);
    log.forget_subject(somebody).await.expect("forgotten");
    deposit(&log, 1).await;
    for position in [1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, 2 * SEGMENT + 1, at.last] {
        let proof = log.prove(position).await.expect("a proof");
        assert_eq!((proof.position(), proof.check(&key)), (position, Ok(())));
    }
    for proof in [before, last] {
        assert_eq!(proof.expect("a proof").check(&key), Ok(()), "of before");
    }
    // Through its written form, with each word of it changed in turn.
    let proof = log.prove(at.last).await.expect("a proof");
    let written = serde_json::to_string(&proof).expect("JSON");
    assert!(!written.contains("bakery"), "{written}");
    let stranger = Notary::new().signer().public();
    assert!(matches!(proof.check(&stranger), Err(ProofFault::Key { .. })));
    let mut tried = 0;
    for (place, letter) in written.char_indices().filter(|(_, it)| it.is_ascii_digit()) {
        let mut changed = written.clone();
        let other = if letter == '9' { "8" } else { "9" };
        changed.replace_range(place..=place, other);
        // What is no proof any more in form is none.
        let Ok(changed) = serde_json::from_str::<Proof>(&changed) else {
            continue;
        };
        tried += 1;
        assert!(changed.check(&key).is_err(), "{letter} at {place}: {changed:?}");
    }
    assert!(tried > 300, "{tried}");
}

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
async fn a_database_of_before_gets_its_tables_and_roots() {
    let (databases, notary) = (Databases::of(server()), Notary::new());
    let log = databases.open().await;
    deposit(&log, SEGMENT + 1).await;
    let stranger = connected(&databases.log).await;
    stranger
        .batch_execute(
            "drop function write_batch; drop type stream_move; alter table log_head drop column looks; \
             drop table segment, signed_head, signing_key; update latchkey set layout = 2 where part = 'log'",
        )
        .await
        .expect("as it was before");
    let log = databases.open().await;
    assert_eq!(log.seal_segments().await.expect("made"), 1);
    assert!(notary.sign(&log, hour(1)).await.is_some());
}

/// Two nodes that sign at once into one folder leave one row of heads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_signing_nodes_leave_one_row_of_heads() {
    let (databases, notary) = (Databases::of(server()), Notary::new());
    let nodes = [databases.open().await, databases.open().await];
    let mut made = 0;
    for round in 0..10 {
        deposit(&nodes[round % 2], 3).await;
        let at = hour(round as u64);
        let (one, two) = tokio::join!(notary.sign(&nodes[0], at), notary.sign(&nodes[1], at));
        made += usize::from(one.is_some()) + usize::from(two.is_some());
    }
    assert!(made >= 10, "each round's end is signed by one of them: {made}");
    for node in &nodes {
        let audit = notary.audit(node, Anchor::GENESIS).await;
        assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
        assert_eq!(audit.signed_through, Some(30));
    }
    assert_eq!(notary.outside.read(None).expect("readable").heads.len(), made);
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
