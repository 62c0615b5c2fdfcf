//! Storage that fails in the middle of a batch: its requests are told what is so, and nothing is written twice. Each of these
//! takes what makes a log on such a storage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use domain::id::UserId;
use domain::moment::Moment;
use domain::sealed::Sealed;
use eventlog::engine::Engine;
use eventlog::plan::{Head, Plan, Standing};
use eventlog::port::{KeyId, Pair};
use eventlog::{
    AppendError, Appended, CommitError, EventLog, Expected, Hash, LogError, Position, StreamId, commit,
};
use futures::future::{BoxFuture, join_all};
use tempfile::TempDir;
use uuid::Uuid;

use super::AccountEvent::{Deposited, Noted};
use super::{Account, AccountCommand as Command, account, direct, somebody};

/// How long the outcome of a commit is looked for here: longer than the few looks of which some fail.
const SETTLES_WITHIN: Duration = Duration::from_secs(2);

/// Where in a commit the fault strikes.
#[derive(Clone, Copy)]
pub enum Strikes {
    /// Nothing is written.
    Before,
    /// All is written.
    After,
}

/// An engine on a disk that reports errors for as many commits, and looks after them, as it is told to.
pub struct Faulty<E> {
    /// The engine.
    pub engine: E,
    /// How often it is to fail.
    pub faults: Arc<Faults>,
    /// Where.
    pub strikes: Strikes,
    /// What it says then.
    pub says: LogError,
}

/// How often an engine is still to fail.
#[derive(Default)]
pub struct Faults {
    /// Commits.
    pub commits: AtomicU32,
    /// Looks for the outcome of one.
    pub looks: AtomicU32,
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
pub struct Ill {
    /// The log.
    pub log: EventLog,
    /// How often its engine is to fail.
    pub faults: Arc<Faults>,
    /// The folder that goes with it.
    pub kept: Option<TempDir>,
}

/// Makes a new log whose engine fails there and says this.
pub trait Make: Fn(Strikes, LogError) -> BoxFuture<'static, Ill> {}

impl<M: Fn(Strikes, LogError) -> BoxFuture<'static, Ill>> Make for M {}

/// Ten deposits in one batch.
pub async fn ten(log: &EventLog) -> Vec<Result<Appended, AppendError>> {
    let send = |number| log.send(direct(account(number), Expected::Any, &[Deposited { amount: 1 }]));
    let pending: Vec<_> = (0..10).map(|it| send(it).expect("there is room")).collect();
    join_all(pending.into_iter().map(|it| log.settled(it))).await
}

/// A commit that went through though an error was reported is answered as done.
pub async fn commit_reported_failed_but_done_is_answered_as_done(make: impl Make) {
    let Ill {
        log,
        faults,
        kept: _kept,
    } = make(Strikes::After, says_no()).await;
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

/// A newcomer in a batch that failed has a key all the same.
pub async fn a_newcomer_in_a_batch_that_failed_has_a_key_all_the_same(make: impl Make) {
    for strikes in [Strikes::Before, Strikes::After] {
        let Ill {
            log,
            faults,
            kept: _kept,
        } = make(strikes, says_no()).await;
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

/// A commit whose outcome is hidden for a while is not written twice.
pub async fn commit_of_unknown_outcome_is_not_written_twice(make: impl Make) {
    let Ill {
        log,
        faults,
        kept: _kept,
    } = make(Strikes::After, says_no()).await;
    faults.commits.store(1, Relaxed);
    faults.looks.store(5, Relaxed);
    let answers = ten(&log).await;
    assert!(
        answers.iter().all(|it| matches!(it, Ok(done) if !done.repeated)),
        "{answers:?}"
    );
    assert_eq!(log.head().await.expect("readable"), 10);
}

/// A commit whose outcome stays hidden is not written again and nobody is told that it failed.
pub async fn commit_of_lasting_unknown_outcome_is_never_called_failed(make: impl Make) {
    let Ill {
        log,
        faults,
        kept: _kept,
    } = make(Strikes::After, says_no()).await;
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
pub async fn fault_that_passes_is_hidden_one_that_stays_is_reported(make: impl Make) {
    let Ill {
        log,
        faults,
        kept: _kept,
    } = make(Strikes::Before, says_no()).await;
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
