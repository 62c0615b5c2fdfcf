//! The line before the desk: requests that name the same stream or command go one after the other, in the order in which they
//! came; all others side by side.

use std::sync::Arc;

use eventlog::port::{Pending, Refused};
use eventlog::{Append, AppendError, LogError, StreamId};
use threads::turns::Turns;
use tokio::sync::{Semaphore, oneshot};

use crate::write::Desk;

/// How many requests may wait before the log says that it is busy.
const WAITING: usize = 8_192;

pub(crate) struct Line {
    room: Arc<Semaphore>,
    turns: Arc<Turns<StreamId>>,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self {
            room: Arc::new(Semaphore::new(WAITING)),
            turns: Arc::default(),
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
        let mut turn = self.turns.take(names(&append));
        let (reply, pending) = oneshot::channel();
        let desk = desk.clone();
        runtime.spawn(async move {
            turn.comes().await;
            let durable = desk.write(&append).await;
            drop(turn);
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
