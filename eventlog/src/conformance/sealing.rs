//! Personal data is readable while its subject's key exists, nowhere else, and never after.

use std::time::Duration;

use domain::id::UserId;
use domain::sealed::Sealed;
use uuid::Uuid;

use super::account::{Account, AccountEvent};
use super::{Databases, Ground, account, connected, direct, every_engine, server, stream};
use crate::append::Expected;
use crate::error::CodecError;
use crate::event::RecordedEvent;
use crate::log::EventLog;
use crate::verify::{Anchor, Verdict};

every_engine![
    personal_data_comes_back_with_its_event,
    a_forgotten_person_is_unreadable_and_everybody_else_is_not,
    nothing_personal_is_kept_of_somebody_forgotten_before,
    sealed_data_opens_at_its_own_place_only,
];

const SECRET: &str = "Zuleikha Okonkwo-Brandt";

fn person(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

fn note(about: UserId, text: &str) -> AccountEvent {
    AccountEvent::Noted {
        about,
        note: Sealed::new(text.to_owned()),
    }
}

async fn add(log: &EventLog, event: AccountEvent) {
    log.append(direct(account(1), Expected::Any, &[event]))
        .await
        .expect("appended");
}

async fn records(log: &EventLog) -> Vec<RecordedEvent> {
    log.read_stream(&stream(account(1)), 0, 100)
        .await
        .expect("readable")
}

async fn notes(log: &EventLog) -> Vec<Option<String>> {
    let text = |event: RecordedEvent| match event.decode::<Account>().expect("an event of this aggregate") {
        AccountEvent::Noted { note, .. } => note.0,
        other @ (AccountEvent::Deposited { .. } | AccountEvent::Withdrawn { .. }) => panic!("{other:?}"),
    };
    records(log).await.into_iter().map(text).collect()
}

async fn personal_data_comes_back_with_its_event(ground: Ground) {
    let log = ground.log().await;
    add(&log, note(person(1), SECRET)).await;
    drop(log);
    let log = ground.log().await;
    assert_eq!(notes(&log).await, [Some(SECRET.to_owned())]);
    let record = &records(&log).await[0];
    assert_eq!(record.subject_id, Some(person(1)));
    let readable = String::from_utf8_lossy(&record.payload);
    assert!(
        !readable.contains(SECRET),
        "the readable payload holds nothing personal: {readable}"
    );
}

async fn a_forgotten_person_is_unreadable_and_everybody_else_is_not(ground: Ground) {
    let log = ground.log().await;
    for number in 1..=3 {
        add(&log, note(person(number), SECRET)).await;
    }
    let read_before = records(&log).await;
    log.forget_subject(person(2)).await.expect("forgotten");
    let kept = [Some(SECRET.to_owned()), None, Some(SECRET.to_owned())];
    assert_eq!(notes(&log).await, kept);
    assert_eq!(
        read_before[1].personal().expect("whole"),
        None,
        "not even by those who read it before"
    );
    assert!(
        matches!(log.verify(Anchor::GENESIS).await, Ok(Verdict::Intact(_))),
        "every hash stays valid"
    );
    drop((read_before, log));
    assert_eq!(notes(&ground.log().await).await, kept, "and not after a restart");
}

async fn nothing_personal_is_kept_of_somebody_forgotten_before(ground: Ground) {
    let log = ground.log().await;
    log.forget_subject(person(1)).await.expect("forgotten");
    add(&log, note(person(1), SECRET)).await;
    assert_eq!(notes(&log).await, [None]);
    assert!(records(&log).await[0].sealed.is_none());
}

async fn sealed_data_opens_at_its_own_place_only(ground: Ground) {
    let log = ground.log().await;
    add(&log, note(person(1), "first")).await;
    add(&log, note(person(1), "second")).await;
    let events = records(&log).await;
    let moved = |change: fn(&mut RecordedEvent)| {
        let mut event = events[0].clone();
        change(&mut event);
        event.decode::<Account>()
    };
    assert!(moved(|_| {}).is_ok());
    assert!(matches!(moved(|it| it.revision = 2), Err(CodecError::Seal)));
    assert!(matches!(
        moved(|it| it.stream.id = Uuid::from_u128(9)),
        Err(CodecError::Seal)
    ));
    assert!(matches!(
        moved(|it| it.event_type = "AccountWithdrawn".to_owned()),
        Err(CodecError::Seal)
    ));
    let mut swapped = events[0].clone();
    swapped.sealed.clone_from(&events[1].sealed);
    assert!(matches!(swapped.decode::<Account>(), Err(CodecError::Seal)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_holds_personal_data_in_the_clear_and_a_destroyed_key_is_gone_from_all_of_them() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = super::open(dir.path()).await;
    for number in 1..=50 {
        add(&log, note(person(number), SECRET)).await;
    }
    let keys = rusqlite::Connection::open(dir.path().join("keys.db")).expect("the file of keys");
    for number in [25_u128, 1, 50] {
        let subject = Uuid::from_u128(number);
        let key: Vec<u8> = keys
            .query_row(
                "select key from subject_key where subject = ?1",
                [subject.as_bytes()],
                |row| row.get(0),
            )
            .expect("a key");
        assert!(found(dir.path(), &key), "the search itself works");
        log.forget_subject(person(number)).await.expect("forgotten");
        assert!(!found(dir.path(), &key), "the key of {number} is nowhere");
    }
    assert!(!found(dir.path(), SECRET.as_bytes()));
}

fn found(dir: &std::path::Path, needle: &[u8]) -> bool {
    let files = std::fs::read_dir(dir)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path());
    let mut contents = files.map(|path| std::fs::read(path).expect("a file"));
    contents.any(|bytes| bytes.windows(needle.len()).any(|window| window == needle))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_table_holds_personal_data_in_the_clear_and_a_destroyed_key_is_in_none_of_them() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    for number in 1..=5 {
        add(&log, note(person(number), SECRET)).await;
    }
    let kept = connected(&databases.keys).await;
    let key = async |number| -> Option<Vec<u8>> {
        let wanted = "select key from subject_key where subject = $1";
        let row = kept.query_one(wanted, &[&Uuid::from_u128(number)]).await;
        row.expect("the subject is known").get(0)
    };
    assert!(key(3).await.is_some(), "the search itself works");
    log.forget_subject(person(3)).await.expect("forgotten");
    assert!(key(3).await.is_none() && key(2).await.is_some());
    let file = connected(&databases.log).await;
    let secret = SECRET.as_bytes();
    for table in ["event", "stream", "command", "log_head"] {
        let rows = file
            .query(&format!("select row_to_json(it)::text from {table} it"), &[])
            .await;
        let rows: Vec<String> = rows.expect("rows").iter().map(|row| row.get(0)).collect();
        let text = rows.concat();
        assert!(
            !text.contains(SECRET) && !text.contains(&hex::encode(secret)),
            "{table}"
        );
        let found = text.contains(&hex::encode("about"));
        assert_eq!(found, table == "event", "the search itself works");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_forgotten_at_one_node_is_unreadable_at_the_other_within_a_second() {
    let databases = Databases::of(server());
    let (here, there) = (databases.open().await, databases.open().await);
    add(&here, note(person(1), SECRET)).await;
    let read = notes(&there).await;
    assert_eq!(read, [Some(SECRET.to_owned())], "the key is in memory there");
    here.forget_subject(person(1)).await.expect("forgotten");
    let forgotten = async {
        while notes(&there).await != [None] {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(1), forgotten)
        .await
        .expect("forgotten there too");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_nodes_look_people_up_by_the_same_secret() {
    let databases = Databases::of(server());
    let hash = |log: &EventLog| log.handles().hash("email", "ada@example.org");
    let (first, second) = futures::future::join(databases.open(), databases.open()).await;
    assert_eq!(hash(&first), hash(&second));
    drop((first, second));
    let other = Databases::of(server()).open().await;
    assert_ne!(
        hash(&databases.open().await),
        hash(&other),
        "another log, another secret"
    );
}

#[tokio::test]
async fn look_ups_by_handle_survive_a_restart_and_tell_kinds_apart() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let hash = |log: &EventLog| log.handles().hash("email", "ada@example.org");
    let first = super::open(dir.path()).await;
    let second = super::open(dir.path()).await;
    assert_eq!(hash(&first), hash(&second));
    assert_ne!(
        first.handles().hash("email", "x"),
        first.handles().hash("phone", "x")
    );
    assert_ne!(
        hash(&first),
        hash(&EventLog::memory()),
        "another server, another secret"
    );
    assert_eq!(
        first.handles().id("email", "x"),
        second.handles().id("email", "x")
    );
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_of_keys_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = super::open(dir.path()).await;
    add(&log, note(person(1), SECRET)).await;
    for name in ["keys.db", "keys.db-wal", "handles.key"] {
        let mode = std::fs::metadata(dir.path().join(name))
            .expect("the file is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
