//! Whatever is done to a stored log behind its back, verifying names the first event that is not what it was.

mod signed;

use std::path::Path;

use eventlog::{Anchor, EventLog, Expected, Problem, Verdict};
use eventlog_conformance::tampering::fill;
use eventlog_conformance::{AccountEvent, account, direct};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, rngs::StdRng};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use uuid::Uuid;

use super::open;
use crate::{damaged_pages, empty_wal};

const EVENTS: u64 = 400;
/// Every column of an event but its position, which is tried by moving rows.
const COLUMNS: [&str; 21] = [
    "kind",
    "revision",
    "event_id",
    "event_type",
    "schema_version",
    "recorded_at",
    "occurred_at",
    "actor_kind",
    "actor_id",
    "command_id",
    "correlation_id",
    "causation_id",
    "subject_id",
    "payload",
    "sealed",
    "payload_digest",
    "sealed_digest",
    "stream",
    "codec",
    "leaf",
    "chain",
];

async fn filled(dir: &Path) -> EventLog {
    let log = open(dir).await;
    fill(&log, 0..EVENTS).await;
    log
}

fn row(file: &Connection, position: u64) -> Vec<Value> {
    file.query_row(
        "select * from event where position = ?1",
        [position.cast_signed()],
        |row| (0..22).map(|column| row.get(column)).collect(),
    )
    .expect("the row is there")
}

fn put(file: &Connection, row: &[Value]) {
    let marks = vec!["?"; row.len()].join(", ");
    file.execute(
        &format!("insert into event values ({marks})"),
        params_from_iter(row),
    )
    .expect("the row fits");
}

fn remove(file: &Connection, position: u64) {
    file.execute("delete from event where position = ?1", [position.cast_signed()])
        .expect("the row goes");
}

/// Changes one bit of one column; gives up where the column is empty or a
/// unique index stands against it.
fn flip(file: &Connection, random: &mut StdRng, position: u64) -> Option<String> {
    let column = *COLUMNS.choose(random).expect("there are columns");
    let old: Value = file
        .query_row(
            &format!("select {column} from event where position = ?1"),
            [position.cast_signed()],
            |row| row.get(0),
        )
        .expect("the row is there");
    let bytes_flipped = |mut bytes: Vec<u8>, random: &mut StdRng, bits: u8| {
        let place = random.random_range(0..bytes.len());
        bytes[place] ^= 1 << random.random_range(0..bits);
        bytes
    };
    let new = match old {
        Value::Null => return None,
        Value::Real(_) => unreachable!("the log stores no floats"),
        Value::Integer(number) => Value::Integer(number ^ (1 << random.random_range(0..40))),
        // The low bits of ASCII stay ASCII.
        Value::Text(text) => {
            Value::Text(String::from_utf8(bytes_flipped(text.into_bytes(), random, 4)).expect("still text"))
        }
        Value::Blob(bytes) => Value::Blob(bytes_flipped(bytes, random, 8)),
    };
    let statement = format!("update event set {column} = ?1 where position = ?2");
    file.execute(&statement, params![new, position.cast_signed()])
        .ok()?;
    Some(column.to_owned())
}

/// One kind of damage; says which event is the first broken one, and what was done.
fn damage(file: &Connection, random: &mut StdRng) -> Option<(u64, String)> {
    let position = random.random_range(1..EVENTS);
    let other = random.random_range(position + 1..=EVENTS);
    match random.random_range(0..6) {
        0..=2 => {
            flip(file, random, position).map(|column| (position, format!("flip {column} of {position}")))
        }
        3 => {
            remove(file, position);
            Some((position, format!("delete {position}")))
        }
        4 => {
            let (mut first, mut second) = (row(file, position), row(file, other));
            std::mem::swap(&mut first[0], &mut second[0]);
            remove(file, position);
            remove(file, other);
            put(file, &first);
            put(file, &second);
            Some((position, format!("swap {position} and {other}")))
        }
        _ => {
            // An event of the past is taken for another: everything but its place is copied from there.
            let (mut forged, replaced) = (row(file, other), row(file, position));
            forged[0].clone_from(&replaced[0]);
            remove(file, other);
            remove(file, position);
            put(file, &forged);
            Some((position, format!("put {other} in the place of {position}")))
        }
    }
}

/// A tail cut off an event beyond the end and another head are noticed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_detects_cut_tail_extra_event_and_foreign_head() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = filled(dir.path()).await;
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    let verdict = async |statement: &str| {
        file.execute_batch(statement).expect("the file takes it");
        log.verify(Anchor::GENESIS).await.expect("readable")
    };
    let broken = |position, problem| Verdict::Broken { position, problem };

    let last = row(&file, EVENTS);
    let cut = format!("delete from event where position = {EVENTS}");
    assert_eq!(verdict(&cut).await, broken(EVENTS, Problem::Missing));
    put(&file, &last);
    let seventh = row(&file, 7);
    assert_eq!(
        verdict("delete from event where position = 7").await,
        broken(7, Problem::Missing)
    );
    put(&file, &seventh);
    let mut beyond = last.clone();
    beyond[0] = Value::Integer(EVENTS.cast_signed() + 1);
    beyond[3] = Value::Integer(9_999);
    beyond[4] = Value::Blob(Uuid::from_u128(1).as_bytes().to_vec());
    put(&file, &beyond);
    assert_eq!(verdict("select 1").await, broken(EVENTS + 1, Problem::Surplus));
    remove(&file, EVENTS + 1);
    let another = "update log_head set chain = zeroblob(32)";
    assert_eq!(verdict(another).await, broken(EVENTS, Problem::Head));
    assert_eq!(verdict("delete from log_head").await, broken(0, Problem::Head));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_took_another_name_is_noticed() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = filled(dir.path()).await;
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    file.execute(
        "update stream set uuid = ?1 where id = 3",
        [Uuid::from_u128(99).as_bytes()],
    )
    .expect("renamed");
    let verdict = log.verify(Anchor::GENESIS).await.expect("readable");
    assert_eq!(
        verdict,
        Verdict::Broken {
            position: 3,
            problem: Problem::Columns
        }
    );
}

/// Verifying what came since finds damage there and a head that went back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn incremental_verify_detects_damage_and_a_head_moved_back() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = filled(dir.path()).await;
    let Ok(Verdict::Intact(known)) = log.verify(Anchor::GENESIS).await else {
        panic!("nobody touched it")
    };
    let more = (0..10).map(|it| {
        direct(
            account(it),
            Expected::Any,
            &[AccountEvent::Deposited { amount: 1 }],
        )
    });
    log.append_many(more.collect()).await.expect("written");
    assert!(matches!(log.verify(known).await, Ok(Verdict::Intact(end)) if end.position == EVENTS + 10));

    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    file.execute(
        "update event set payload = x'7b7d' where position = ?1",
        [EVENTS.cast_signed() + 4],
    )
    .expect("changed");
    let verdict = log.verify(known).await.expect("readable");
    assert_eq!(
        verdict,
        Verdict::Broken {
            position: EVENTS + 4,
            problem: Problem::Payload
        }
    );
    file.execute("update log_head set position = 5", [])
        .expect("changed");
    let verdict = log.verify(known).await.expect("readable");
    assert_eq!(
        verdict,
        Verdict::Broken {
            position: 6,
            problem: Problem::Missing
        }
    );
}

/// The first of many breaks is named though ranges behind it cannot even be read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_names_the_first_break_before_unreadable_ranges() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = filled(dir.path()).await;
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    // In a table that is not strict a chain's value can be a word, of which no range can begin.
    file.execute_batch(
        "create table loose as select * from event; drop table event; alter table loose rename to event;",
    )
    .expect("made loose");
    // Wherever ranges begin and end, some of these are the last and some the first of one.
    for first in (1..=EVENTS).rev().step_by(3) {
        file.execute(
            "update event set chain = 'none' where position >= ?1",
            [first.cast_signed()],
        )
        .expect("changed");
        let verdict = log.verify(Anchor::GENESIS).await;
        assert!(
            matches!(verdict, Ok(Verdict::Broken { position, .. }) if position == first),
            "{first}: {verdict:?}"
        );
    }
}

/// Turns over the last bytes of the page where an index begins; they belong to one of its entries.
fn spoil(path: &Path, index: &str) {
    let file = Connection::open(path).expect("the file opens");
    let begins = "select rootpage * page_size from sqlite_master, pragma_page_size where name = ?1";
    let end: i64 = file
        .query_row(begins, [index], |row| row.get(0))
        .expect("the index is there");
    drop(file);
    let mut bytes = std::fs::read(path).expect("readable");
    let end = usize::try_from(end).expect("small");
    for byte in &mut bytes[end - 16..end] {
        *byte ^= 0xff;
    }
    std::fs::write(path, bytes).expect("written");
}

/// Damaged pages of an index are told though every event is whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_reports_damaged_index_pages_beside_whole_events() {
    let indexes = [
        "event_by_correlation",
        "sqlite_autoindex_event_1",
        "sqlite_autoindex_stream_1",
    ];
    for index in indexes {
        let dir = tempfile::TempDir::new().expect("a directory");
        drop(filled(dir.path()).await);
        let path = dir.path().join("log.db");
        empty_wal(&path).expect("all is in the file");
        let whole = damaged_pages(&path).await.expect("readable");
        assert!(whole.is_empty(), "{whole:?}");
        spoil(&path, index);
        let verdict = open(dir.path()).await.verify(Anchor::GENESIS).await;
        assert!(matches!(verdict, Ok(Verdict::Intact(_))), "{index}: {verdict:?}");
        let damage = damaged_pages(&path).await.expect("readable").concat();
        assert!(damage.contains(index), "{index}: {damage}");
    }
}
