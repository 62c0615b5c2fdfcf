//! How long a file remembers commands.

use eventlog_conformance::commands::forgets_in_time;

use super::{ground, open};

eventlog_conformance::commands!(ground());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_id_is_forgotten_after_ninety_days_and_not_before() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = open(dir.path()).await;
    let file = crate::Sqlite::open(&dir.path().join("log.db")).expect("a second writer");
    forgets_in_time(&log, file).await;
}
