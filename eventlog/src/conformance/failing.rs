//! Storage that fails in the middle of a batch: nobody is told a lie, nothing is written twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use domain::id::UserId;
use domain::moment::Moment;
use domain::sealed::Sealed;
use futures::future::join_all;
use uuid::Uuid;

use super::account::{
    Account, AccountCommand as Command,
    AccountEvent::{Deposited, Noted},
};
use super::{Databases, account, direct, server, somebody};
use crate::append::{Appended, Expected};
use crate::commit::{CommitError, commit};
use crate::condition::Condition;
use crate::engine::Engine;
use crate::error::{AppendError, LogError};
use crate::event::Hash;
use crate::log::{EventLog, settled};
use crate::plan::{Head, Plan, Standing};
use crate::stock::{KeyId, Pair};
use crate::stream::{Position, StreamId};

/// How long the outcome of a commit is looked for here: longer than the few looks of which some fail.
const SETTLES_WITHIN: Duration = Duration::from_secs(2);

/// Where in a commit the fault strikes.
#[derive(Clone, Copy)]
enum Strikes {
    Before,
    After,
}

/// An engine on a disk that reports errors for as many commits, and looks after them, as it is told to.
struct Faulty<E> {
    engine: E,
    faults: Arc<Faults>,
    strikes: Strikes,
    says: LogError,
}

#[derive(Default)]
struct Faults {
    commits: AtomicU32,
    looks: AtomicU32,
}

/// Takes one of what is left, if anything is.
fn strikes(left: &AtomicU32) -> bool {
    left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1))
        .is_ok()
}

fn says_no() -> LogError {
    LogError::Unavailable("the disk says no".to_owned())
}

impl<E: Engine> Engine for Faulty<E> {
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError> {
        self.engine.begin(streams, commands)
    }

    fn given(&mut self, subjects: &[UserId], keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        self.engine.given(subjects, keys)
    }

    fn commit(&mut self, plan: &Plan) -> Result<(), LogError> {
        if !strikes(&self.faults.commits) {
            return self.engine.commit(plan);
        }
        match self.strikes {
            Strikes::Before => {}
            Strikes::After => self.engine.commit(plan)?,
        }
        Err(self.says.clone())
    }

    fn rollback(&mut self) {
        self.engine.rollback();
    }

    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError> {
        if strikes(&self.faults.looks) {
            return Err(says_no());
        }
        self.engine.chain_at(position)
    }

    fn settles_within(&self) -> Duration {
        SETTLES_WITHIN
    }

    fn head(&mut self) -> Result<Head, LogError> {
        self.engine.head()
    }

    fn tidy(&mut self, now: Moment) -> Result<bool, LogError> {
        self.engine.tidy(now)
    }
}

/// A log on a faulty disk, and how often it is to fail.
struct Ill {
    log: EventLog,
    faults: Arc<Faults>,
    _kept: Option<tempfile::TempDir>,
}

async fn ill(strikes: Strikes) -> [Ill; 2] {
    let dir = tempfile::TempDir::new().expect("a directory");
    let faults = Arc::<Faults>::default();
    let shared = faults.clone();
    let log = EventLog::open_with(dir.path(), |engine| Faulty {
        engine,
        faults: shared,
        strikes,
        says: says_no(),
    });
    let sqlite = Ill {
        log: log.expect("the log opens"),
        faults,
        _kept: Some(dir),
    };
    let databases = Databases::of(server());
    let opened = crate::postgres::open(&databases.log, &databases.keys).await;
    let faults = Arc::<Faults>::default();
    let shared = faults.clone();
    let log = EventLog::start_postgres(opened.expect("the log opens"), |engine| Faulty {
        engine,
        faults: shared,
        strikes,
        says: says_no(),
    });
    [
        sqlite,
        Ill {
            log,
            faults,
            _kept: None,
        },
    ]
}

/// Ten deposits in one batch.
async fn ten(log: &EventLog) -> Vec<Result<Appended, AppendError>> {
    let send = |number| log.send(direct(account(number), Expected::Any, &[Deposited { amount: 1 }]));
    let pending: Vec<_> = (0..10).map(|it| send(it).expect("there is room")).collect();
    join_all(pending.into_iter().map(settled)).await
}

/// A commit that went through though an error was reported is answered as done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_reported_failed_but_done_is_answered_as_done() {
    for Ill { log, faults, _kept } in ill(Strikes::After).await {
        for round in 1..=20 {
            faults.commits.store(round % 4, Relaxed);
            let answers = ten(&log).await;
            assert!(
                answers.iter().all(|it| matches!(it, Ok(done) if !done.repeated)),
                "{answers:?}"
            );
            assert_eq!(log.head().await.expect("readable"), u64::from(round) * 10);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_in_a_batch_that_failed_has_a_key_all_the_same() {
    for strikes in [Strikes::Before, Strikes::After] {
        for Ill { log, faults, _kept } in ill(strikes).await {
            for round in 0..8_u32 {
                faults.commits.store(round % 4, Relaxed);
                let noted = Noted {
                    about: UserId(Uuid::from_u128(round.into())),
                    note: Sealed::new("personal".to_owned()),
                };
                // With three faults the request itself may fail, and then is asked again.
                while let Err(error) = log
                    .append(direct(
                        account(1),
                        Expected::Revision(round.into()),
                        std::slice::from_ref(&noted),
                    ))
                    .await
                {
                    assert!(
                        matches!(error, AppendError::Log(LogError::Unavailable(_))),
                        "{error:?}"
                    );
                }
            }
            for event in log.read_all(0, 100).await.expect("readable") {
                assert!(event.personal().expect("it opens").is_some());
            }
        }
    }
}

/// A commit whose outcome is hidden for a while is not written twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_of_unknown_outcome_is_not_written_twice() {
    for Ill { log, faults, _kept } in ill(Strikes::After).await {
        faults.commits.store(1, Relaxed);
        faults.looks.store(5, Relaxed);
        let answers = ten(&log).await;
        assert!(
            answers.iter().all(|it| matches!(it, Ok(done) if !done.repeated)),
            "{answers:?}"
        );
        assert_eq!(log.head().await.expect("readable"), 10);
    }
}

/// A commit whose outcome stays hidden is not written again and nobody is told that it failed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_of_lasting_unknown_outcome_is_never_called_failed() {
    // The engines do not matter here, and waiting takes long.
    let [Ill { log, faults, _kept }, _] = ill(Strikes::After).await;
    faults.commits.store(1, Relaxed);
    faults.looks.store(u32::MAX, Relaxed);
    let deposit = || log.append(direct(account(1), Expected::Any, &[Deposited { amount: 1 }]));
    let answer = deposit().await;
    assert!(
        matches!(answer, Err(AppendError::Log(LogError::Unknown(_)))),
        "{answer:?}"
    );
    faults.looks.store(0, Relaxed);
    let next = deposit().await.expect("the disk is well again");
    assert_eq!(
        next.last, 2,
        "the first is there once, and the second stands on it"
    );
}

/// A fault that passes is not noticed and one that stays is told to all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_that_passes_is_hidden_one_that_stays_is_reported() {
    for Ill { log, faults, _kept } in ill(Strikes::Before).await {
        let context = somebody().command(Uuid::from_u128(7), b"1");
        let deposit = || commit::<Account>(&log, account(1), Command::Deposit(1), &context);

        faults.commits.store(1, Relaxed);
        commit::<Account>(&log, account(1), Command::Deposit(1), &somebody())
            .await
            .expect("the second try goes through");
        faults.commits.store(1_000, Relaxed);
        let refused = deposit().await;
        assert!(
            matches!(refused, Err(CommitError::Log(LogError::Unavailable(_)))),
            "{refused:?}"
        );
        assert_eq!(
            faults.commits.swap(0, Relaxed),
            998,
            "a batch is tried twice, and nobody is tried alone"
        );
        let done = deposit().await.expect("the disk is well again");
        assert_eq!((done.revision, done.repeated, done.state.balance), (2, false, 2));
        assert!(deposit().await.expect("answered").repeated);
    }
}

/// A log in `dir` whose engine says `says` for as many commits as it is told to.
fn ill_file(dir: &std::path::Path, says: LogError) -> (EventLog, Arc<Faults>) {
    let faults = Arc::<Faults>::default();
    let shared = faults.clone();
    let log = EventLog::open_with(dir, |engine| Faulty {
        engine,
        faults: shared,
        strikes: Strikes::Before,
        says,
    });
    (log.expect("the log opens"), faults)
}

/// After a failed sync nothing is written everything is read and a start goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_sync_ends_writing_keeps_reading_until_restart() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let failed = LogError::DiskFailed("disk I/O error, code 1034".to_owned());
    let (log, faults) = ill_file(dir.path(), failed);
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
    let (log, faults) = ill_file(dir.path(), LogError::Full("database or disk is full".to_owned()));
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
        LogError::from(error)
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
