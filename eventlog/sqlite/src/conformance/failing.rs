//! A file that fails in the middle of a batch.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use eventlog::{AppendError, Appended, Condition, LogError};
use eventlog_conformance::failing::{self, Faults, Faulty, Ill, Strikes, ten};
use futures::future::BoxFuture;

/// A log in `dir` whose engine fails as it is told to.
fn ill_in(dir: &Path, strikes: Strikes, says: LogError) -> Ill {
    let faults = Arc::<Faults>::default();
    let shared = faults.clone();
    let log = crate::open::open_with(dir, |engine| Faulty {
        engine,
        faults: shared,
        strikes,
        says,
    });
    Ill {
        log: log.expect("the log opens"),
        faults,
        kept: None,
    }
}

/// The same in a folder of its own.
fn ill(strikes: Strikes, says: LogError) -> BoxFuture<'static, Ill> {
    Box::pin(async move {
        let dir = tempfile::TempDir::new().expect("a directory");
        let mut ill = ill_in(dir.path(), strikes, says);
        ill.kept = Some(dir);
        ill
    })
}

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
async fn commit_of_lasting_unknown_outcome_is_never_called_failed() {
    failing::commit_of_lasting_unknown_outcome_is_never_called_failed(ill).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_that_passes_is_hidden_one_that_stays_is_reported() {
    failing::fault_that_passes_is_hidden_one_that_stays_is_reported(ill).await;
}

/// After a failed sync nothing is written everything is read and a start goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_sync_ends_writing_keeps_reading_until_restart() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let failed = LogError::DiskFailed("disk I/O error, code 1034".to_owned());
    let Ill { log, faults, .. } = ill_in(dir.path(), Strikes::Before, failed);
    ten(&log).await;
    assert_eq!(log.condition(), Condition::Well);

    faults.commits.store(1, Relaxed);
    let stopped =
        |it: &Result<Appended, AppendError>| matches!(it, Err(AppendError::Log(LogError::Stopped(_))));
    let answers = ten(&log).await;
    assert!(answers.iter().all(stopped), "{answers:?}");
    faults.commits.store(7, Relaxed);
    let answers = ten(&log).await;
    assert!(
        answers.iter().all(stopped),
        "the disk is well again, and is not asked: {answers:?}"
    );
    assert_eq!(faults.commits.load(Relaxed), 7);
    assert!(matches!(log.condition(), Condition::Stopped(why) if why.contains("1034")));
    assert_eq!(log.read_all(0, 100).await.expect("readable").len(), 10);
    drop(log);

    let again = super::open(dir.path()).await;
    assert_eq!(again.condition(), Condition::Well);
    assert!(ten(&again).await.iter().all(Result::is_ok));
}

/// A full disk is told to all and writing goes on by itself when there is room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_is_reported_and_writing_resumes_by_itself() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let full = LogError::Full("database or disk is full".to_owned());
    let Ill { log, faults, .. } = ill_in(dir.path(), Strikes::Before, full);
    faults.commits.store(1_000, Relaxed);
    let answers = ten(&log).await;
    let full = |it: &Result<Appended, AppendError>| matches!(it, Err(AppendError::Log(LogError::Full(_))));
    assert!(answers.iter().all(full), "{answers:?}");
    assert_eq!(log.condition(), Condition::Full);
    faults.commits.store(0, Relaxed);
    assert!(ten(&log).await.iter().all(Result::is_ok));
    assert_eq!(log.condition(), Condition::Well);
}

/// An opened log stands on no write-ahead file of a process that was cut off.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opened_log_is_not_built_on_a_dead_process_wal() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = super::open(dir.path()).await;
    ten(&log).await;
    let left = tempfile::TempDir::new().expect("a directory");
    for name in ["log.db", "log.db-wal", "keys.db", "handles.key"] {
        std::fs::copy(dir.path().join(name), left.path().join(name)).expect("copied");
    }
    let ahead = || {
        std::fs::metadata(left.path().join("log.db-wal"))
            .expect("a file")
            .len()
    };
    assert!(ahead() > 0);
    let opened = super::open(left.path()).await;
    assert_eq!(ahead(), 0);
    assert_eq!(opened.read_all(0, 100).await.expect("readable").len(), 10);
}

#[test]
fn what_puts_the_file_in_doubt_and_what_does_not() {
    use rusqlite::ffi;
    let of = |code| {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        crate::error::meant(&error)
    };
    for code in [
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_DIR_FSYNC,
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR,
        ffi::SQLITE_CORRUPT,
        ffi::SQLITE_NOTADB,
    ] {
        assert!(matches!(of(code), LogError::DiskFailed(_)), "{code}");
    }
    for code in [
        ffi::SQLITE_BUSY,
        ffi::SQLITE_LOCKED,
        ffi::SQLITE_READONLY,
        ffi::SQLITE_CANTOPEN,
        ffi::SQLITE_NOMEM,
        ffi::SQLITE_IOERR_READ,
        ffi::SQLITE_IOERR_SHMSIZE,
    ] {
        assert!(matches!(of(code), LogError::Unavailable(_)), "{code}");
    }
    assert!(matches!(of(ffi::SQLITE_FULL), LogError::Full(_)));
    assert!(matches!(of(ffi::SQLITE_CONSTRAINT), LogError::Storage(_)));
}
