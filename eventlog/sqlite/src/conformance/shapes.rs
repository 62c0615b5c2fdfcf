//! Shapes in files of before they were noted.

use eventlog_conformance::AccountEvent::{Deposited, Withdrawn};
use eventlog_conformance::shapes::{append, shapes, these};
use eventlog_conformance::stored;

use super::{ground, open};
use crate::rewind;

eventlog_conformance::shapes!(ground());

#[tokio::test]
async fn a_file_of_before_shapes_were_noted_gets_them_from_its_events() {
    let dir = tempfile::TempDir::new().expect("a directory for the test");
    let log = open(dir.path()).await;
    append(&log, vec![stored(&Deposited { amount: 1 })]).await;
    append(&log, vec![stored(&Withdrawn { amount: 1 })]).await;
    drop(log);
    let file = rusqlite::Connection::open(dir.path().join("log.db")).expect("the file opens");
    let before = "drop table shape; drop table segment; drop table signed_head; drop table signing_key; pragma user_version = 1";
    file.execute_batch(before).expect("as it was before");
    let log = open(dir.path()).await;
    let both = these(&["AccountDeposited 2", "AccountWithdrawn 1"]);
    assert_eq!(shapes(&log).await, both);
    drop(log);
    // A backup of before is cut back before anybody opens it.
    file.execute_batch(before).expect("as it was before");
    rewind(dir.path(), 1).expect("cut back");
    assert_eq!(
        shapes(&open(dir.path()).await).await,
        these(&["AccountDeposited 2"])
    );
}
