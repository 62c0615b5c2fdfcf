//! A database that fails in the middle of a batch.

use std::sync::Arc;

use eventlog::LogError;
use eventlog_conformance::failing::{self, Faults, Faulty, Ill, Strikes};
use futures::future::BoxFuture;

use super::{Databases, server};
use crate::open::{opened, started};

fn ill(strikes: Strikes, says: LogError) -> BoxFuture<'static, Ill> {
    Box::pin(async move {
        let databases = Databases::of(server());
        let opened = opened(&databases.log, &databases.keys)
            .await
            .expect("the log opens");
        let faults = Arc::<Faults>::default();
        let shared = faults.clone();
        let log = started(opened, |engine| Faulty {
            engine,
            faults: shared,
            strikes,
            says,
        });
        Ill {
            log,
            faults,
            kept: None,
        }
    })
}

// How a lasting doubt ends is the writer's, which the tests of SQLite try: waiting for it takes long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_reported_failed_but_done_is_answered_as_done() {
    failing::commit_reported_failed_but_done_is_answered_as_done(ill).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_in_a_batch_that_failed_has_a_key_all_the_same() {
    failing::a_newcomer_in_a_batch_that_failed_has_a_key_all_the_same(ill).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_of_unknown_outcome_is_not_written_twice() {
    failing::commit_of_unknown_outcome_is_not_written_twice(ill).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_that_passes_is_hidden_one_that_stays_is_reported() {
    failing::fault_that_passes_is_hidden_one_that_stays_is_reported(ill).await;
}
