//! What every engine must do, said once and run on each: the laws. An engine of this crate gets a [`Ground`] of its own and
//! a line in [`every_engine!`]; one of another crate runs [`areas`] on its ground.
#![expect(clippy::expect_used, reason = "a law that does not hold ends its test")]

mod account;
mod appending;
#[cfg(test)]
mod at_once;
mod commands;
mod committing;
#[cfg(test)]
mod cutting;
#[cfg(test)]
mod failing;
mod following;
#[cfg(test)]
mod killing;
#[cfg(test)]
mod nodes;
#[cfg(test)]
mod power;
#[cfg(test)]
mod proving;
mod sealing;
mod shapes;
#[cfg(test)]
mod tampering;

#[cfg(test)]
mod grounds;

use std::sync::Arc;

use futures::future::BoxFuture;
use uuid::Uuid;

use crate::actor::Actor;
use crate::append::{Append, Expected, NewEvent, StreamAppend};
use crate::codec;
use crate::context::Context;
use crate::log::EventLog;
use crate::stream::{Position, StreamId};
pub use account::{Account, AccountCommand, AccountEvent, AccountId, TooLittle};
use domain::moment::Moment;

#[cfg(test)]
use grounds::{Databases, connected, server};
#[cfg(test)]
pub(crate) use grounds::{databases, open};

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

/// Runs each law on each engine of this crate, as a test of its own, and lists it for the engines of others.
macro_rules! every_engine {
    ($($law:ident),* $(,)?) => {
        pub(super) const LAWS: &[super::Law] =
            &[$((stringify!($law), |ground| Box::pin($law(ground)))),*];
        #[cfg(test)]
        mod memory {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $law() {
                super::$law(super::Ground::memory()).await;
            })*
        }
        #[cfg(test)]
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $law() {
                super::$law(super::Ground::sqlite()).await;
            })*
        }
        #[cfg(test)]
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $law() {
                super::$law(super::Ground::postgres()).await;
            })*
        }
    };
}
use every_engine;

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
    assert_eq!(log.head().await.expect("readable"), end);
    if log.capabilities().dense_positions {
        assert_eq!(end, places.len() as u64);
    }
    places
}

/// How many events there are.
async fn count(log: &EventLog) -> u64 {
    places(log).await.len() as u64
}

fn noon() -> Moment {
    Moment::from_timestamp(1_790_000_000, 0).expect("a time of our calendar")
}

fn somebody() -> Context {
    Context::new(noon(), Actor::VISITOR)
}

pub(crate) fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number))
}

fn stream(account: AccountId) -> StreamId {
    StreamId::of::<Account>(account)
}

/// An append as the writer gets it, outside of any commit.
pub(crate) fn direct(account: AccountId, expected: Expected, events: &[AccountEvent]) -> Append {
    Append::new(&somebody())
        .events::<Account>(account, expected, events)
        .expect("events have a stored form")
}

fn stored(event: &AccountEvent) -> NewEvent {
    codec::encode(event).expect("events have a stored form")
}

fn part(account: AccountId, expected: Expected, events: Vec<NewEvent>) -> StreamAppend {
    StreamAppend {
        stream: stream(account),
        expected,
        events,
    }
}
