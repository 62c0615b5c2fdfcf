//! What every engine of the log must do, said once and run on each: the laws. The tests of an engine make a [`Ground`] and run
//! each area on it, `eventlog_conformance::appending!(ground())`, a test for each law; or they take them from [`areas`]. Besides
//! the laws stands here what the tests of several engines share. A dev-dependency of engines alone.
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a law that does not hold ends its test"
)]

pub mod account;
pub mod appending;
pub mod commands;
mod committing;
pub mod failing;
pub mod following;
pub mod killing;
pub mod newcomers;
pub mod proving;
pub mod sealing;
pub mod shapes;
pub mod tampering;

use std::sync::Arc;
use std::time::Duration;

use domain::moment::Moment;
use eventlog::port::encode;
use eventlog::{Actor, Append, Context, EventLog, Expected, NewEvent, Position, StreamAppend, StreamId};
use futures::future::BoxFuture;
use uuid::Uuid;

pub use account::{Account, AccountCommand, AccountEvent, AccountId, TooLittle};

/// A law by its name, tried on a ground.
pub type Law = (&'static str, fn(Ground) -> BoxFuture<'static, ()>);

/// All laws, by what they are about.
pub const fn areas() -> [(&'static str, &'static [Law]); 6] {
    [
        ("appending", appending::LAWS),
        ("commands", commands::LAWS),
        ("committing", committing::LAWS),
        ("following", following::LAWS),
        ("sealing", sealing::LAWS),
        ("shapes", shapes::LAWS),
    ]
}

/// Where a law is tried: a log that holds nothing yet, and how to come back to what it keeps.
#[derive(Clone)]
pub struct Ground(Arc<dyn Fn() -> BoxFuture<'static, EventLog> + Send + Sync>);

impl Ground {
    /// `open` opens the same log anew each time, or gives its handle where it is nowhere but in memory.
    pub fn new<O>(open: impl Fn() -> O + Send + Sync + 'static) -> Self
    where
        O: Future<Output = EventLog> + Send + 'static,
    {
        Self(Arc::new(move || Box::pin(open())))
    }

    /// The log.
    pub async fn log(&self) -> EventLog {
        (self.0)().await
    }
}

/// Tries one law of an area.
pub async fn hold(area: &str, law: &str, ground: Ground) {
    let areas = areas().into_iter().chain([("proving", proving::LAWS)]);
    let (_, law) = areas
        .filter(|(name, _)| *name == area)
        .flat_map(|(_, laws)| laws)
        .find(|(name, _)| *name == law)
        .expect("a law of this area");
    law(ground).await;
}

/// Lists the laws of an area, and makes a macro of its name that runs each of them as a test, on the ground that it is given.
macro_rules! every_engine {
    (($dollar:tt) $area:ident; $($law:ident),* $(,)?) => {
        pub(super) const LAWS: &[super::Law] =
            &[$((stringify!($law), |ground| Box::pin($law(ground)))),*];

        /// A test for each law of this area, on the ground that the expression makes.
        #[macro_export]
        macro_rules! $area {
            ($dollar ground:expr) => {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $law() {
                    $crate::hold(stringify!($area), stringify!($law), $dollar ground).await;
                })*
            };
        }
    };
}
use every_engine;

/// How long the head of one process may stand behind what another has written.
const HEAD_FOLLOWS: Duration = Duration::from_secs(30);

/// The positions of all events, as a reader from the beginning meets them.
///
/// # Panics
/// When they are not in order, or the log's head is not the last of them.
pub async fn places(log: &EventLog) -> Vec<Position> {
    let mut places = Vec::new();
    loop {
        let after = places.last().copied().unwrap_or(0);
        let page = log.read_all(after, 1_000).await.expect("readable");
        if page.is_empty() {
            break;
        }
        places.extend(page.iter().map(|event| event.position));
    }
    assert!(places.is_sorted_by(|one, next| one < next), "{places:?}");
    let end = places.last().copied().unwrap_or(0);
    // Where another process wrote last, this one's head follows.
    let mut news = log.watch();
    while log.head().await.expect("readable") < end {
        let heard = tokio::time::timeout(HEAD_FOLLOWS, news.changed()).await;
        heard.expect("the head follows").expect("the log lives");
    }
    assert_eq!(log.head().await.expect("readable"), end);
    if log.capabilities().dense_positions {
        assert_eq!(end, places.len() as u64);
    }
    places
}

/// How many events there are.
pub async fn count(log: &EventLog) -> u64 {
    places(log).await.len() as u64
}

/// A moment of the laws' calendar.
pub fn noon() -> Moment {
    Moment::from_timestamp(1_790_000_000, 0).expect("a time of our calendar")
}

/// A command of a visitor at noon.
pub fn somebody() -> Context {
    Context::new(noon(), Actor::VISITOR)
}

/// The account with a number.
pub fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number))
}

/// An account's stream.
pub fn stream(account: AccountId) -> StreamId {
    StreamId::of::<Account>(account)
}

/// An append as the writer gets it, outside of any commit.
pub fn direct(account: AccountId, expected: Expected, events: &[AccountEvent]) -> Append {
    Append::new(&somebody())
        .events::<Account>(account, expected, events)
        .expect("events have a stored form")
}

/// The stored form of an event, as the writer gets it.
pub fn stored(event: &AccountEvent) -> NewEvent {
    encode(event).expect("events have a stored form")
}

/// Events for one account, as the writer gets them.
pub fn part(account: AccountId, expected: Expected, events: Vec<NewEvent>) -> StreamAppend {
    StreamAppend {
        stream: stream(account),
        expected,
        events,
    }
}
