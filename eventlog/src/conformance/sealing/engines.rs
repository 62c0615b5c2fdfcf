//! Where engines with files and tables of their own keep what is sealed.

use std::time::Duration;

use uuid::Uuid;

use super::super::{Databases, connected, open, server};
use super::{SECRET, add, note, notes, person};
use crate::log::EventLog;

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

/// No table holds personal data in the clear and a destroyed key is in none of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_hold_no_plain_personal_data_and_no_destroyed_key() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    for number in 1..=5 {
        add(&log, note(person(number), SECRET)).await;
    }
    let kept = connected(&databases.keys).await;
    let file = connected(&databases.log).await;
    let key = async |number| -> Option<Vec<u8>> {
        let subject = Uuid::from_u128(number);
        let given = "select key_id from key_given where subject = $1";
        let given = file.query_one(given, &[&subject]).await;
        let given: Uuid = given.expect("a key was given").get(0);
        let wanted = "select key from subject_key where subject = $1 union all select key from stock_key where id = $2";
        let row = kept.query_one(wanted, &[&subject, &given]).await;
        row.expect("the subject is known").get(0)
    };
    assert!(key(3).await.is_some(), "the search itself works");
    log.forget_subject(person(3)).await.expect("forgotten");
    assert!(key(3).await.is_none() && key(2).await.is_some());
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

/// Somebody forgotten at one node is unreadable at the other within a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn person_forgotten_at_one_node_is_unreadable_at_the_other() {
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
