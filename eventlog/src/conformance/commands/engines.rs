//! How long engines with a table of commands remember them.

use std::sync::Arc;

use parking_lot::Mutex;

use super::super::account::{Account, AccountCommand as Command};
use super::super::{Databases, account, open, server};
use super::named;
use crate::commit::commit;
use crate::engine::Engine;
use crate::log::EventLog;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_id_is_forgotten_after_ninety_days_and_not_before() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = open(dir.path()).await;
    let file = crate::sqlite::Sqlite::open(&dir.path().join("log.db")).expect("a second writer");
    forgets_in_time(&log, file).await;

    let databases = Databases::of(server());
    let log = databases.open().await;
    let opened = crate::postgres::open(&databases.log, &databases.keys)
        .await
        .expect("a second writer");
    forgets_in_time(&log, opened.engine).await;
}

async fn forgets_in_time(log: &EventLog, second: impl Engine) {
    let second = Arc::new(Mutex::new(second));
    let context = named(7, "5");
    let once = || commit::<Account>(log, account(1), Command::Deposit(5), &context);
    once().await.expect("committed");
    let now = domain::moment::Moment::from(std::time::SystemTime::now());
    let tidy = async |days| {
        let second = second.clone();
        let work = move || second.lock().tidy(now + chrono::TimeDelta::days(days));
        let tidied = tokio::task::spawn_blocking(work).await;
        tidied.expect("the second writer works").expect("tidied")
    };
    let many = (1_000..1_500).map(|number| async move {
        let context = named(number, "5");
        commit::<Account>(log, account(number), Command::Deposit(5), &context).await
    });
    futures::future::try_join_all(many).await.expect("committed");
    assert!(!tidy(89).await, "nothing has expired");
    assert!(once().await.expect("answered").repeated);
    assert!(tidy(91).await, "of 501, one is left");
    assert!(!tidy(91).await, "and none then");
    assert!(!once().await.expect("committed anew").repeated);
}
