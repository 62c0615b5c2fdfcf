//! Whatever is done to a stored log behind its back, verifying names the first event that is not what it was.

use eventlog::{Anchor, EventLog, Expected, Problem, Verdict};
use eventlog_conformance::tampering::fill;
use eventlog_conformance::{AccountEvent, account, direct};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tests::sample;
use tokio_postgres::Client;
use uuid::Uuid;

use super::{Databases, connected, server};

const EVENTS: u64 = 120;
/// How often each kind of change is tried.
const EACH: usize = 6;
/// Every column of an event but its position, with other values for it. `position` is tried by moving rows.
const CHANGES: [(&str, &[&str]); 21] = [
    ("stream", &["stream % 17 + 1", "9999"]),
    ("kind", &["kind || 'x'", "''"]),
    ("revision", &["revision + 1000", "-revision"]),
    ("event_id", &["gen_random_uuid()"]),
    ("event_type", &["event_type || 'x'", "''"]),
    ("schema_version", &["schema_version + 1", "-1", "4294967296"]),
    ("recorded_at", &["recorded_at + 1", "9223372036854775807"]),
    ("occurred_at", &["occurred_at - 1", "-9223372036854775808"]),
    ("actor_kind", &["actor_kind % 6 + 1", "99"]),
    (
        "actor_id",
        &[
            "gen_random_uuid()",
            "case when actor_id is null then gen_random_uuid() end",
        ],
    ),
    (
        "command_id",
        &[
            "gen_random_uuid()",
            "case when command_id is null then gen_random_uuid() end",
        ],
    ),
    ("correlation_id", &["gen_random_uuid()"]),
    (
        "causation_id",
        &[
            "gen_random_uuid()",
            "case when causation_id is null then gen_random_uuid() end",
        ],
    ),
    ("subject_id", &["gen_random_uuid()", "null"]),
    ("codec", &["'cbor'"]),
    (
        "payload",
        &[
            "set_byte(payload, 3, get_byte(payload, 3) # 1)",
            "payload || '\\x00'",
            "''",
        ],
    ),
    (
        "sealed",
        &["set_byte(sealed, 3, get_byte(sealed, 3) # 1)", "null"],
    ),
    (
        "payload_digest",
        &[
            "set_byte(payload_digest, 31, get_byte(payload_digest, 31) # 128)",
            "''",
        ],
    ),
    (
        "sealed_digest",
        &[
            "set_byte(sealed_digest, 0, get_byte(sealed_digest, 0) # 1)",
            "null",
            "''",
        ],
    ),
    (
        "leaf",
        &["set_byte(leaf, 9, get_byte(leaf, 9) # 2)", "leaf || leaf"],
    ),
    ("chain", &["set_byte(chain, 9, get_byte(chain, 9) # 2)", "''"]),
];

/// A filled log, and somebody who may write to its tables.
struct Scene {
    log: EventLog,
    meddler: Client,
}

impl Scene {
    async fn set() -> Self {
        let databases = Databases::of(server());
        let log = databases.open().await;
        fill(&log, 0..EVENTS).await;
        let meddler = connected(&databases.log).await;
        // Whoever can change rows can do away with what stands against it.
        meddler
            .batch_execute("alter table event drop constraint event_stream_revision_key")
            .await
            .expect("dropped");
        meddler
            .batch_execute("set synchronous_commit = off; create temp table clean as select * from event")
            .await
            .expect("a copy");
        Self { log, meddler }
    }

    async fn run(&self, statements: &str) {
        let done = self.meddler.batch_execute(statements).await;
        done.unwrap_or_else(|error| panic!("{statements}: {error}"));
    }

    async fn verdict(&self) -> Verdict {
        self.log.verify(Anchor::GENESIS).await.expect("readable")
    }

    /// Meddles, and demands that `first` is named; then puts everything right.
    async fn notices(&self, statements: &str, first: u64) {
        self.run(statements).await;
        let verdict = self.verdict().await;
        assert!(
            matches!(verdict, Verdict::Broken { position, .. } if position == first),
            "{statements}: {verdict:?}"
        );
        self.run("delete from event; insert into event select * from clean")
            .await;
    }
}

fn broken(position: u64, problem: Problem) -> Verdict {
    Verdict::Broken { position, problem }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_any_column_is_named_by_its_event() {
    let scene = Scene::set().await;
    let known = "select count(*) from information_schema.columns where table_name = 'event'";
    let columns = scene.meddler.query_one(known, &[]).await.expect("readable");
    assert_eq!(columns.get::<_, i64>(0), 22, "a new column is tried too");
    let mut random = StdRng::seed_from_u64(sample!().dice.number());
    for (column, values) in CHANGES {
        for value in values {
            for _ in 0..EACH {
                let position = random.random_range(1..=EVENTS);
                let changed = format!("update event set {column} = {value} where position = {position}");
                scene.notices(&changed, position).await;
            }
        }
    }
    assert!(
        matches!(scene.verdict().await, Verdict::Intact(_)),
        "put right, it verifies again"
    );
}

/// Rows that are gone or have changed places are named by the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_names_the_first_of_deleted_or_swapped_rows() {
    let scene = Scene::set().await;
    let mut random = StdRng::seed_from_u64(sample!().dice.number());
    for _ in 0..5 * EACH {
        let first = random.random_range(1..EVENTS);
        let second = random.random_range(first + 1..=EVENTS);
        let gone = format!("delete from event where position = {first}");
        scene.notices(&gone, first).await;
        let swapped = format!(
            "update event set position = -1 where position = {first}; \
             update event set position = {first} where position = {second}; \
             update event set position = {second} where position = -1"
        );
        scene.notices(&swapped, first).await;
        let forged = format!("{gone}; update event set position = {first} where position = {second}");
        scene.notices(&forged, first).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_end_and_another_name_of_a_stream_are_noticed() {
    let scene = Scene::set().await;
    let last = EVENTS;
    scene
        .run(&format!("delete from event where position = {last}"))
        .await;
    assert_eq!(scene.verdict().await, broken(last, Problem::Missing));
    scene
        .run(&format!(
            "insert into event select * from clean where position = {last}"
        ))
        .await;
    scene
        .run(&format!(
            "create temp table beyond as select * from clean where position = {last}; \
             update beyond set position = position + 1, revision = 9999, event_id = gen_random_uuid(); \
             insert into event select * from beyond"
        ))
        .await;
    assert_eq!(scene.verdict().await, broken(last + 1, Problem::Surplus));
    scene
        .run(&format!("delete from event where position > {last}"))
        .await;
    scene
        .run(
            "create temp table name as select * from stream where id = 3; \
              update stream set uuid = gen_random_uuid() where id = 3",
        )
        .await;
    assert_eq!(scene.verdict().await, broken(3, Problem::Columns));
    scene
        .run("update stream s set uuid = name.uuid from name where s.id = name.id")
        .await;
    assert!(matches!(scene.verdict().await, Verdict::Intact(_)));
    scene.run("update log_head set chain = sha256('')").await;
    assert_eq!(scene.verdict().await, broken(last, Problem::Head));
    scene.run("update log_head set chain = ''").await;
    assert_eq!(scene.verdict().await, broken(0, Problem::Head));
    scene.run("delete from log_head").await;
    assert_eq!(scene.verdict().await, broken(0, Problem::Head));
}

/// Verifying what came since finds damage there and a head that went back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn incremental_verify_detects_damage_and_a_head_moved_back() {
    let scene = Scene::set().await;
    let Verdict::Intact(known) = scene.verdict().await else {
        panic!("nobody touched it")
    };
    let deposit = [AccountEvent::Deposited { amount: 1 }];
    let more = (0..10).map(|it| direct(account(it), Expected::Any, &deposit));
    scene.log.append_many(more.collect()).await.expect("written");
    let since = async || scene.log.verify(known).await.expect("readable");
    assert!(matches!(since().await, Verdict::Intact(end) if end.position == EVENTS + 10));
    let changed = format!(
        "update event set payload = '{{}}' where position = {}",
        EVENTS + 4
    );
    scene.run(&changed).await;
    assert_eq!(since().await, broken(EVENTS + 4, Problem::Payload));
    scene.run("update log_head set position = 5").await;
    assert_eq!(since().await, broken(6, Problem::Missing));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_log_is_verified_in_ranges() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    let deposit = [AccountEvent::Deposited { amount: 1 }];
    let appends = (0..21_000).map(|it| direct(account(it % 50), Expected::Any, &deposit));
    log.append_many(appends.collect()).await.expect("written");
    let verdict = log.verify(Anchor::GENESIS).await.expect("readable");
    assert!(
        matches!(verdict, Verdict::Intact(end) if end.position == 21_000),
        "{verdict:?}"
    );
    let meddler = connected(&databases.log).await;
    for position in [20_001, 15_000, 10_001, 10_000] {
        let changed = format!(
            "update event set actor_id = '{}' where position = {position}",
            Uuid::nil()
        );
        meddler.batch_execute(&changed).await.expect("changed");
        let verdict = log.verify(Anchor::GENESIS).await.expect("readable");
        assert_eq!(verdict, broken(position, Problem::Columns));
    }
}
