//! R12: whatever is done to events, segments, signed heads or the head's row, what was signed names the first event that
//! is not what it was, and nothing is named where nobody did anything.

use eventlog::port::{SEGMENT, first_of};
use eventlog::{Anchor, EventLog, Position, RecordedEvent, Verdict, chain, merkle};
use eventlog_conformance::proving::{Notary, hour};
use eventlog_conformance::tampering::fill;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use tests::sample;
use tests::sample::Sample;

use super::damage;
use crate::conformance::open;

/// Two full segments and a part of another.
const EVENTS: u64 = 2 * SEGMENT + 100;
/// Events between two signatures.
const SIGNED_EVERY: u64 = 377;
const TABLES: [&str; 4] = ["event", "segment", "signed_head", "log_head"];
const HEAD_COLUMNS: [&str; 7] = [
    "position",
    "previous",
    "chain",
    "root",
    "signed_at",
    "key_id",
    "signature",
];

/// What was done, and between which events the first broken one must be named.
struct Damage {
    first: Position,
    last: Position,
    what: String,
}

fn sql(number: u64) -> i64 {
    number.cast_signed()
}

fn exactly(position: Position, what: String) -> Damage {
    Damage {
        first: position,
        last: position,
        what,
    }
}

/// One bit of a value; text is left alone.
fn flipped(value: Value, random: &mut StdRng) -> Option<Value> {
    match value {
        Value::Integer(number) => Some(Value::Integer(number ^ (1 << random.random_range(0..40)))),
        Value::Blob(mut bytes) => {
            let place = random.random_range(0..bytes.len());
            bytes[place] ^= 1 << random.random_range(0..8);
            Some(Value::Blob(bytes))
        }
        Value::Null | Value::Real(_) | Value::Text(_) => None,
    }
}

fn numbers(file: &Connection, query: &str) -> Vec<u64> {
    let mut statement = file.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| row.get::<_, i64>(0)).expect("rows");
    rows.map(|row| row.expect("a number").cast_unsigned()).collect()
}

fn one_of(numbers: &[u64], random: &mut StdRng) -> u64 {
    numbers[random.random_range(0..numbers.len())]
}

fn of_segments(file: &Connection, random: &mut StdRng) -> Option<Damage> {
    let all = numbers(file, "select number from segment");
    let number = one_of(&all, random);
    let done = match random.random_range(0..4) {
        0 => {
            let root: Value = file
                .query_row(
                    "select root from segment where number = ?1",
                    [sql(number)],
                    |row| row.get(0),
                )
                .expect("there");
            file.execute(
                "update segment set root = ?1 where number = ?2",
                params![flipped(root, random)?, sql(number)],
            )
        }
        1 => file.execute("delete from segment where number = ?1", [sql(number)]),
        2 => {
            let beyond = EVENTS / SEGMENT + random.random_range(0..9);
            file.execute("insert into segment values (?1, zeroblob(32))", [sql(beyond)])
                .expect("room for it");
            let first = first_of(beyond).max(EVENTS + 1);
            return Some(exactly(first, format!("a segment {beyond} nobody made")));
        }
        _ => file.execute("update segment set root = x'00' where number = ?1", [sql(number)]),
    };
    done.ok()?;
    Some(exactly(first_of(number), format!("a change of segment {number}")))
}

fn of_signed_heads(file: &Connection, random: &mut StdRng) -> Option<Damage> {
    let all = numbers(file, "select position from signed_head order by position");
    let (one, other) = (one_of(&all, random), one_of(&all, random));
    let what = |did: &str| format!("{did} of the head signed at {one} ({other})");
    match random.random_range(0..6) {
        0..=2 => {
            let column = HEAD_COLUMNS[random.random_range(0..HEAD_COLUMNS.len())];
            let old: Value = file
                .query_row(
                    &format!("select {column} from signed_head where position = ?1"),
                    [sql(one)],
                    |row| row.get(0),
                )
                .expect("there");
            let new = flipped(old, random)?;
            let set = format!("update signed_head set {column} = ?1 where position = ?2");
            file.execute(&set, params![new, sql(one)]).ok()?;
            let moved = match (column, new) {
                ("position", Value::Integer(to)) => to.cast_unsigned(),
                _ => one,
            };
            Some(exactly(one.min(moved), what(column)))
        }
        3 => {
            file.execute("delete from signed_head where position = ?1", [sql(one)])
                .ok()?;
            Some(exactly(one, what("deletion")))
        }
        4 if one != other => {
            for (from, to) in [(one, 1_000_000), (other, one), (1_000_000, other)] {
                let set = "update signed_head set position = ?2 where position = ?1";
                file.execute(set, [sql(from), sql(to)]).expect("moved");
            }
            Some(exactly(one.min(other), what("exchange")))
        }
        _ => {
            let place = random.random_range(1..EVENTS);
            let copy = "insert into signed_head select ?2, 1000000, chain, root, signed_at, key_id, signature \
                from signed_head where position = ?1";
            file.execute(copy, [sql(one), sql(place)]).ok()?;
            Some(exactly(place, format!("a copy of {one} at {place}")))
        }
    }
}

fn of_head_row(file: &Connection, random: &mut StdRng) -> Damage {
    if random.random_bool(0.5) {
        let chain: Value = file
            .query_row("select chain from log_head", [], |row| row.get(0))
            .expect("there");
        file.execute("update log_head set chain = ?1", [flipped(chain, random)])
            .expect("changed");
        return exactly(EVENTS, "the chain of the head's row".to_owned());
    }
    let end = random.random_range(1..2 * EVENTS);
    let position = if end == EVENTS { EVENTS + 1 } else { end };
    file.execute("update log_head set position = ?1", [sql(position)])
        .expect("changed");
    // Shorter, the head's chain is not that of its event; longer, events are missing.
    let first = position.min(EVENTS + 1);
    exactly(first, format!("the head's row moved to {position}"))
}

/// The tail is cut off, and the head's row says so; with `thorough` all that the database knows of it goes too.
fn cut(file: &Connection, events: &[RecordedEvent], random: &mut StdRng) -> Damage {
    let end = random.random_range(1..EVENTS);
    let thorough = random.random_bool(0.5);
    file.execute("delete from event where position > ?1", [sql(end)])
        .expect("cut");
    let chain = events[usize::try_from(end - 1).expect("small")].chain;
    file.execute(
        "update log_head set position = ?1, chain = ?2",
        params![sql(end), chain],
    )
    .expect("changed");
    if thorough {
        file.execute("delete from signed_head where position > ?1", [sql(end)])
            .expect("cut");
        file.execute("delete from segment where number >= ?1", [sql(end / SEGMENT)])
            .expect("cut");
    }
    exactly(
        end + 1,
        format!("everything after {end} cut off, thorough: {thorough}"),
    )
}

/// An event is changed and all hashes behind it are made to fit; with `thorough` the segments too, and the heads go.
fn rewrite(file: &Connection, events: &[RecordedEvent], random: &mut StdRng) -> Damage {
    let from = random.random_range(1..=EVENTS);
    let thorough = random.random_bool(0.5);
    let mut events = events.to_vec();
    let changed = usize::try_from(from - 1).expect("small");
    events[changed].recorded_at += chrono::TimeDelta::microseconds(1);
    let mut before = changed
        .checked_sub(1)
        .map_or(chain::GENESIS, |it| events[it].chain);
    for event in &mut events[changed..] {
        event.leaf = chain::leaf(event);
        event.chain = chain::link(&before, &event.leaf);
        before = event.chain;
        file.execute(
            "update event set recorded_at = ?2, leaf = ?3, chain = ?4 where position = ?1",
            params![
                sql(event.position),
                event.recorded_at.timestamp_micros(),
                event.leaf,
                event.chain
            ],
        )
        .expect("written anew");
    }
    file.execute("update log_head set chain = ?1", [before])
        .expect("changed");
    if thorough {
        file.execute("delete from signed_head where position >= ?1", [sql(from)])
            .expect("gone");
        let leaves: Vec<_> = events.iter().map(|event| event.leaf).collect();
        for (number, leaves) in leaves
            .chunks_exact(usize::try_from(SEGMENT).expect("small"))
            .enumerate()
        {
            file.execute(
                "update segment set root = ?2 where number = ?1",
                params![sql(number as u64), merkle::root(leaves)],
            )
            .expect("made to fit");
        }
    }
    // Which event of those between two signatures it was, the signatures alone cannot tell.
    Damage {
        first: (from - 1) / SIGNED_EVERY * SIGNED_EVERY + 1,
        last: from,
        what: format!("{from} changed and all behind it made to fit, thorough: {thorough}"),
    }
}

fn any_damage(file: &Connection, events: &[RecordedEvent], random: &mut StdRng) -> Option<Damage> {
    match random.random_range(0..10) {
        0..=3 => damage(file, random).map(|(position, what)| exactly(position, what)),
        4 | 5 => of_signed_heads(file, random),
        6 => of_segments(file, random),
        7 => Some(of_head_row(file, random)),
        8 => Some(cut(file, events, random)),
        _ => Some(rewrite(file, events, random)),
    }
}

async fn signed_all_along(log: &EventLog, notary: &Notary) {
    let mut written = 0;
    while written < EVENTS {
        let more = SIGNED_EVERY.min(EVENTS - written);
        fill(log, written..written + more).await;
        written += more;
        notary.sign(log, hour(written)).await.expect("a new end");
    }
}

/// How many changes: in the gate, and in all.
const TAMPERINGS: &str = "LATCHKEY_TEST_TAMPERINGS";
const TAMPERINGS_USUALLY: (usize, usize) = (200, 1_000);

/// Random changes are each named by their first event.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_changes_are_named_by_their_first_event() {
    let Sample {
        rounds: [changes],
        mut dice,
    } = sample!(TAMPERINGS => TAMPERINGS_USUALLY);
    let dir = tempfile::tempdir().expect("a directory");
    let log = open(dir.path()).await;
    let notary = Notary::new();
    signed_all_along(&log, &notary).await;
    let events = log.read_all(0, usize::MAX).await.expect("all of them");
    let file = Connection::open(dir.path().join("log.db")).expect("the file opens");
    let copies = TABLES.map(|table| format!("create temp table clean_{table} as select * from {table};"));
    file.execute_batch(&format!("{} pragma synchronous = off", copies.concat()))
        .expect("copies");
    let put_right =
        TABLES.map(|table| format!("delete from {table}; insert into {table} select * from clean_{table};"));
    let put_right = format!("begin; {} commit", put_right.concat());
    let mut random = StdRng::seed_from_u64(dice.number());
    let mut tried = 0;
    while tried < changes {
        file.execute_batch("begin").expect("a transaction");
        let done = any_damage(&file, &events, &mut random);
        file.execute_batch(if done.is_some() { "commit" } else { "rollback" })
            .expect("ended");
        let Some(Damage { first, last, what }) = done else {
            continue;
        };
        tried += 1;
        let audit = notary.audit(&log, Anchor::GENESIS).await;
        assert!(
            matches!(audit.verdict, Verdict::Broken { position, .. } if (first..=last).contains(&position)),
            "{what}: {first} to {last}: {audit:?}"
        );
        file.execute_batch(&put_right).expect("put right");
    }
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(
        matches!(audit.verdict, Verdict::Intact(_)),
        "put right, it verifies again: {audit:?}"
    );
}

/// How many logs: in the gate, and in all.
const CLEAN_LOGS: &str = "LATCHKEY_TEST_CLEAN_LOGS";
const CLEAN_LOGS_USUALLY: (usize, usize) = (20, 100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clean_logs_raise_no_alarm() {
    let Sample {
        rounds: [logs],
        mut dice,
    } = sample!(CLEAN_LOGS => CLEAN_LOGS_USUALLY);
    let mut random = StdRng::seed_from_u64(dice.number());
    for round in 0..logs {
        let dir = tempfile::tempdir().expect("a directory");
        let log = open(dir.path()).await;
        let notary = Notary::new();
        let mut written = 0;
        for turn in 0..random.random_range(0..5) {
            let more = random.random_range(0..90);
            fill(&log, written..written + more).await;
            written += more;
            if random.random_bool(0.7) {
                notary.sign(&log, hour(turn)).await;
            }
        }
        let audit = notary.audit(&log, Anchor::GENESIS).await;
        assert!(
            matches!(audit.verdict, Verdict::Intact(end) if end.position == written),
            "round {round}: {audit:?}"
        );
    }
}
