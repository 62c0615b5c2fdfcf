//! How long a database remembers commands.

use eventlog_conformance::commands::forgets_in_time;

use super::{Databases, ground, server};
use crate::open::opened;

eventlog_conformance::commands!(ground());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_id_is_forgotten_after_ninety_days_and_not_before() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    let second = opened(&databases.log, &databases.keys).await;
    forgets_in_time(&log, second.expect("a second writer").engine).await;
}
