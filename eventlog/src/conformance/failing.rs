//! Storage that fails in the middle of a batch: nobody is told a lie, nothing is written twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use domain::moment::Moment;
use futures::future::join_all;
use uuid::Uuid;

use super::account::{Account, AccountCommand as Command, AccountEvent::Deposited};
use super::{account, direct, somebody};
use crate::append::Expected;
use crate::commit::{CommitError, commit};
use crate::engine::Engine;
use crate::error::LogError;
use crate::event::Hash;
use crate::log::{EventLog, settled};
use crate::plan::{Plan, Standing};
use crate::sqlite::Sqlite;
use crate::stream::{Position, StreamId};

/// Where in a commit the fault strikes.
#[derive(Clone, Copy)]
enum Strikes {
    Before,
    After,
}

/// SQLite's engine on a disk that reports errors for as many commits as it is told to.
struct Faulty {
    engine: Sqlite,
    faults: Arc<AtomicU32>,
    strikes: Strikes,
}

impl Engine for Faulty {
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError> {
        self.engine.begin(streams, commands)
    }

    fn commit(&mut self, plan: &Plan) -> Result<(), LogError> {
        let left = self.faults.load(Relaxed);
        if left == 0 {
            return self.engine.commit(plan);
        }
        self.faults.store(left - 1, Relaxed);
        match self.strikes {
            Strikes::Before => {}
            Strikes::After => self.engine.commit(plan)?,
        }
        Err(LogError::Unavailable("the disk says no".to_owned()))
    }

    fn rollback(&mut self) {
        self.engine.rollback();
    }

    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError> {
        self.engine.chain_at(position)
    }

    fn head(&mut self) -> Result<Position, LogError> {
        self.engine.head()
    }

    fn tidy(&mut self, now: Moment) -> Result<(), LogError> {
        self.engine.tidy(now)
    }
}

fn faulty(dir: &std::path::Path, strikes: Strikes) -> (EventLog, Arc<AtomicU32>) {
    let faults = Arc::new(AtomicU32::new(0));
    let count = faults.clone();
    let log = EventLog::open_with(dir, |engine| Faulty {
        engine,
        faults: count,
        strikes,
    })
    .expect("the log opens");
    (log, faults)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_went_through_though_an_error_was_reported_is_answered_as_done() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let (log, faults) = faulty(dir.path(), Strikes::After);
    for round in 1..=20 {
        faults.store(round % 4, Relaxed);
        let pending: Vec<_> = (0..10)
            .map(|it| {
                log.send(direct(account(it), Expected::Any, &[Deposited { amount: 1 }]))
                    .expect("there is room")
            })
            .collect();
        let answers = join_all(pending.into_iter().map(settled)).await;
        assert!(
            answers.iter().all(|it| matches!(it, Ok(done) if !done.repeated)),
            "{answers:?}"
        );
        assert_eq!(log.head().await.expect("readable"), u64::from(round) * 10);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_that_passes_is_not_noticed_and_one_that_stays_is_told_to_all() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let (log, faults) = faulty(dir.path(), Strikes::Before);
    let context = somebody().command(Uuid::from_u128(7), b"1");
    let deposit = || commit::<Account>(&log, account(1), Command::Deposit(1), &context);

    faults.store(1, Relaxed);
    commit::<Account>(&log, account(1), Command::Deposit(1), &somebody())
        .await
        .expect("the second try goes through");
    faults.store(1_000, Relaxed);
    let refused = deposit().await;
    assert!(
        matches!(refused, Err(CommitError::Log(LogError::Unavailable(_)))),
        "{refused:?}"
    );
    assert_eq!(
        faults.swap(0, Relaxed),
        998,
        "a batch is tried twice, and nobody is tried alone"
    );
    let done = deposit().await.expect("the disk is well again");
    assert_eq!((done.revision, done.repeated, done.state.balance), (2, false, 2));
    assert!(deposit().await.expect("answered").repeated);
}
