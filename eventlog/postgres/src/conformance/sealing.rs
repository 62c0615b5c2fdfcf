//! Where databases keep what is sealed.

use std::time::Duration;

use eventlog::EventLog;
use eventlog_conformance::sealing::{SECRET, add, note, notes, person};
use uuid::Uuid;

use super::{Databases, connected, ground, server};

eventlog_conformance::sealing!(ground());

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
