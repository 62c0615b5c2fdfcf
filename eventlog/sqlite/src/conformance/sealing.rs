//! Where files keep what is sealed.

use eventlog::EventLog;
use eventlog_conformance::sealing::{SECRET, add, note, person};
use uuid::Uuid;

use super::{ground, open};

eventlog_conformance::sealing!(ground());

/// No file holds personal data in the clear and a destroyed key is gone from all of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_hold_no_plain_personal_data_and_no_destroyed_key() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = open(dir.path()).await;
    for number in 1..=50 {
        add(&log, note(person(number), SECRET)).await;
    }
    let keys = rusqlite::Connection::open(dir.path().join("keys.db")).expect("the file of keys");
    keys.execute("attach ?1 as log", [dir.path().join("log.db").to_string_lossy()])
        .expect("the log");
    for number in [25_u128, 1, 50] {
        let subject = Uuid::from_u128(number);
        let key: Vec<u8> = keys
            .query_row(
                "select key from subject_key where subject = ?1 union all select key from stock_key
                 where id = (select key_id from log.key_given where subject = ?1)",
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

#[tokio::test]
async fn look_ups_by_handle_survive_a_restart_and_tell_kinds_apart() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let hash = |log: &EventLog| log.handles().hash("email", "ada@example.org");
    let first = open(dir.path()).await;
    let second = open(dir.path()).await;
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
    let log = open(dir.path()).await;
    add(&log, note(person(1), SECRET)).await;
    for name in ["keys.db", "keys.db-wal", "handles.key"] {
        let mode = std::fs::metadata(dir.path().join(name))
            .expect("the file is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
