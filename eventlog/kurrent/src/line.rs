//! The line before the desk: requests that name the same stream or command go one after the other, in the order in which they
//! came; all others side by side.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use eventlog::port::{Pending, Refused};
use eventlog::{Append, AppendError, LogError, StreamId};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot, watch};

use crate::write::Desk;

/// How many requests may wait before the log says that it is busy.
const WAITING: usize = 8_192;

pub(crate) struct Line {
    room: Arc<Semaphore>,
    /// Who came last for each name.
    last: Arc<Mutex<HashMap<StreamId, Ticket>>>,
    numbers: AtomicU64,
}

struct Ticket {
    number: u64,
    /// Closed once its holder is done.
    done: watch::Receiver<()>,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self {
            room: Arc::new(Semaphore::new(WAITING)),
            last: Arc::default(),
            numbers: AtomicU64::new(0),
        }
    }

    pub(crate) fn offer(&self, desk: &Arc<Desk>, append: Append) -> Result<Pending, Box<Refused>> {
        let refused = |append, error| Err(Box::new(Refused { append, error }));
        let Ok(room) = self.room.clone().try_acquire_owned() else {
            return refused(append, AppendError::Busy);
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return refused(append, AppendError::Log(LogError::Closed));
        };
        let number = self.numbers.fetch_add(1, Relaxed);
        let (done, mine) = watch::channel(());
        let names = names(&append);
        let before: Vec<watch::Receiver<()>> = {
            let mut last = self.last.lock();
            let ticket = || Ticket {
                number,
                done: mine.clone(),
            };
            let before = names.iter().map(|name| last.insert(*name, ticket()));
            before.flatten().map(|ticket| ticket.done).collect()
        };
        let (reply, pending) = oneshot::channel();
        let (desk, last) = (desk.clone(), self.last.clone());
        runtime.spawn(async move {
            for mut earlier in before {
                // An error means that its holder is done.
                while earlier.changed().await.is_ok() {}
            }
            let durable = desk.write(&append).await;
            {
                let mut last = last.lock();
                for name in names {
                    if last.get(&name).is_some_and(|ticket| ticket.number == number) {
                        last.remove(&name);
                    }
                }
            }
            drop(done);
            drop(room);
            let answer = match durable {
                Ok(durable) => desk.answer(durable).await,
                Err(error) => Err(error),
            };
            let _gone = reply.send(answer);
        });
        Ok(pending)
    }
}

/// The streams and the command a request names, each once.
fn names(append: &Append) -> Vec<StreamId> {
    let written = append.streams.iter().map(|part| part.stream);
    let guarded = append.guards.iter().map(|guard| guard.stream);
    let command = append
        .context
        .command_id
        .map(|id| StreamId { kind: "command", id });
    let mut names: Vec<StreamId> = written.chain(guarded).chain(command).collect();
    names.sort_unstable();
    names.dedup();
    names
}
