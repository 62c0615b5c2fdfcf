//! What became of commands. Each has a stream of its own, `latchkey_command-<id>`: the first `committed` in it is the command,
//! with everything that a repetition needs, and says at the same time that all steps of its transaction count. Whoever wants
//! to know how an open transaction ends may end it: by the server's expected revision one of both is first.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use eventlog::{Append, LogError, Revision};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use kurrentdb::StreamState;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use uuid::Uuid;

use crate::names::Names;
use crate::record::{ABORTED, COMMITTED, Ending, Outgoing, Part};
use crate::session::{Session, Wrote};

/// How long somebody else's transaction may stay open before it is ended for them.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long to wait for news of it before looking.
const LOOK: Duration = Duration::from_millis(20);
/// Transactions of others that are waited for side by side.
const AT_ONCE: usize = 64;
/// Endings kept in memory, in each of two generations.
const KEPT: usize = 32_768;

/// A command that was done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) transaction: Uuid,
    pub(crate) digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    pub(crate) written: Vec<Written>,
}

/// Which events of a stream a command led to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) kind: String,
    pub(crate) id: Uuid,
    pub(crate) first: Revision,
    pub(crate) last: Revision,
}

#[derive(Serialize)]
struct Given {
    transaction: Uuid,
}

/// A command's stream.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// How many events it has.
    length: u64,
    endings: Vec<(Uuid, Ending)>,
    pub(crate) done: Option<Done>,
}

impl History {
    fn ending(&self, transaction: Uuid) -> Option<Ending> {
        match &self.done {
            Some(done) if done.transaction == transaction => Some(Ending::Committed),
            Some(_) => Some(Ending::Aborted),
            None => self
                .endings
                .iter()
                .find_map(|(of, ending)| (*of == transaction).then_some(*ending)),
        }
    }

    fn expected(&self) -> StreamState {
        match self.length.checked_sub(1) {
            None => StreamState::NoStream,
            Some(last) => StreamState::StreamRevision(last),
        }
    }
}

/// What a commit came to.
pub(crate) enum Commit {
    Done,
    /// Somebody was faster: the same command, or whoever took the transaction back.
    Lost(History),
}

pub(crate) struct Commands {
    session: Session,
    names: Names,
    known: Mutex<[HashMap<Uuid, Ending>; 2]>,
    news: watch::Sender<u64>,
}

impl Commands {
    pub(crate) fn new(session: Session, names: Names) -> Self {
        Self {
            session,
            names,
            known: Mutex::default(),
            news: watch::Sender::new(0),
        }
    }

    /// Takes in how a transaction ended.
    pub(crate) fn learn(&self, transaction: Uuid, ending: Ending) {
        let mut known = self.known.lock();
        if known[0].len() >= KEPT {
            known.swap(0, 1);
            known[0].clear();
        }
        known[0].insert(transaction, ending);
        drop(known);
        self.news.send_modify(|news| *news += 1);
    }

    pub(crate) fn known(&self, transaction: Uuid) -> Option<Ending> {
        let known = self.known.lock();
        known.iter().find_map(|ended| ended.get(&transaction).copied())
    }

    /// Everything that is told of a command.
    pub(crate) async fn history(&self, command: Uuid) -> Result<History, LogError> {
        let mut history = History::default();
        let name = self.names.command(command);
        for event in self.session.forwards(&name, 0, usize::MAX).await? {
            history.length = event.revision + 1;
            let unreadable = |error: serde_json::Error| {
                LogError::Storage(format!("{name} event {}: {error}", event.revision))
            };
            match Ending::of(&event.event_type) {
                Some(Ending::Committed) if history.done.is_none() => {
                    history.done = Some(serde_json::from_slice(&event.data).map_err(unreadable)?);
                }
                Some(ending) => {
                    #[derive(Deserialize)]
                    struct Ended {
                        transaction: Uuid,
                    }
                    let Ended { transaction } = serde_json::from_slice(&event.data).map_err(unreadable)?;
                    history.endings.push((transaction, ending));
                }
                None => {}
            }
        }
        Ok(history)
    }

    /// How a transaction ended, if it has.
    pub(crate) async fn ending(&self, part: Part) -> Result<Option<Ending>, LogError> {
        if let Some(known) = self.known(part.transaction) {
            return Ok(Some(known));
        }
        let ending = self.history(part.command).await?.ending(part.transaction);
        if let Some(ending) = ending {
            self.learn(part.transaction, ending);
        }
        Ok(ending)
    }

    /// How a transaction ends: waits for who began it, and takes it back when that takes too long.
    pub(crate) async fn settled(&self, part: Part) -> Result<Ending, LogError> {
        let begun = Instant::now();
        let mut news = self.news.subscribe();
        while begun.elapsed() < PATIENCE {
            news.mark_unchanged();
            if let Some(ending) = self.ending(part).await? {
                return Ok(ending);
            }
            let _looked_anyway = tokio::time::timeout(LOOK, news.changed()).await;
        }
        tracing::warn!(transaction = %part.transaction, "a transaction that nobody ended is taken back");
        self.abort(part).await
    }

    /// How several end. Those that nobody ends are waited for side by side: after a kill under load there are many.
    pub(crate) async fn all_settled(&self, parts: HashSet<Part>) -> Result<Vec<(Uuid, Ending)>, LogError> {
        let each = parts
            .into_iter()
            .map(async |part| Ok((part.transaction, self.settled(part).await?)));
        stream::iter(each).buffer_unordered(AT_ONCE).try_collect().await
    }

    /// Takes a transaction back, unless it was committed before.
    pub(crate) async fn abort(&self, part: Part) -> Result<Ending, LogError> {
        let note = Outgoing::note(
            Uuid::now_v7(),
            ABORTED,
            &Given {
                transaction: part.transaction,
            },
        )?;
        loop {
            let history = self.history(part.command).await?;
            let ended = if let Some(ending) = history.ending(part.transaction) {
                Some(ending)
            } else {
                let name = self.names.command(part.command);
                let wrote = self
                    .session
                    .append(&name, history.expected(), std::slice::from_ref(&note))
                    .await?;
                (wrote == Wrote::Done).then_some(Ending::Aborted)
            };
            if let Some(ending) = ended {
                self.learn(part.transaction, ending);
                return Ok(ending);
            }
        }
    }

    /// The one step by which everything of a transaction counts, and its command is done.
    pub(crate) async fn commit(
        &self,
        part: Part,
        append: &Append,
        written: Vec<Written>,
        mut history: History,
    ) -> Result<Commit, LogError> {
        let done = Done {
            transaction: part.transaction,
            digest: BASE64_STANDARD.encode(append.stands_for()),
            reply: append.reply.as_ref().map(|reply| BASE64_STANDARD.encode(reply)),
            written,
        };
        let note = Outgoing::note(part.transaction, COMMITTED, &done)?;
        let name = self.names.command(part.command);
        loop {
            match history.ending(part.transaction) {
                Some(Ending::Committed) => break,
                Some(Ending::Aborted) => {
                    self.learn(part.transaction, Ending::Aborted);
                    return Ok(Commit::Lost(history));
                }
                None => {}
            }
            let expected = history.expected();
            let wrote = self
                .session
                .append(&name, expected, std::slice::from_ref(&note))
                .await?;
            if wrote == Wrote::Done {
                break;
            }
            history = self.history(part.command).await?;
        }
        self.learn(part.transaction, Ending::Committed);
        Ok(Commit::Done)
    }
}

impl Done {
    /// Whether the command stood for the same then.
    pub(crate) fn is_of(&self, append: &Append) -> bool {
        self.digest == BASE64_STANDARD.encode(append.stands_for())
    }

    pub(crate) fn reply(&self) -> Option<Vec<u8>> {
        let reply = self.reply.as_ref()?;
        BASE64_STANDARD.decode(reply).ok()
    }
}
