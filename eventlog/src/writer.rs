//! Group commit: one thread takes all that waits, writes it in one transaction, and only then answers. The batch forms
//! while the one before it becomes durable; there is no timer.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use domain::moment::Moment;
use tokio::sync::{oneshot, watch};

use crate::append::{Append, Appended};
use crate::engine::Engine;
use crate::error::{AppendError, LogError};
use crate::plan::{Answers, plan};
use crate::ring::Ring;
use crate::seal::Keyring;
use crate::stream::Position;

/// How many requests may wait before the log says that it is busy.
const WAITING: usize = 8_192;
/// How many requests go into one transaction.
const BATCH: usize = 1_024;
/// How long the writer waits for work before it looks after small things.
const QUIET: Duration = Duration::from_millis(250);
/// How often it does small work that can wait.
const TIDY: Duration = Duration::from_mins(1);

type Answer = Result<Appended, AppendError>;

struct Request {
    append: Append,
    reply: oneshot::Sender<Answer>,
}

/// An answer on its way.
pub(crate) type Pending = oneshot::Receiver<Answer>;

/// The way to the writer thread. The thread ends when the last of these is gone.
#[derive(Debug, Clone)]
pub(crate) struct Mailbox(SyncSender<Request>);

impl Mailbox {
    /// Puts a request in line, or gives it back. Requests are decided in the order of these calls.
    pub(crate) fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        let (reply, pending) = oneshot::channel();
        let (request, error) = match self.0.try_send(Request { append, reply }) {
            Ok(()) => return Ok(pending),
            Err(TrySendError::Full(request)) => (request, AppendError::Busy),
            Err(TrySendError::Disconnected(request)) => (request, AppendError::Log(LogError::Closed)),
        };
        Err(Box::new(Refused {
            append: request.append,
            error,
        }))
    }
}

/// A request for which there was no room.
pub(crate) struct Refused {
    pub(crate) append: Append,
    pub(crate) error: AppendError,
}

/// What the writer tells the world about.
pub(crate) struct Announce {
    pub(crate) ring: Arc<Ring>,
    pub(crate) head: watch::Sender<Position>,
}

/// Starts the writer thread on an engine. Without a thread the log is closed from the beginning.
pub(crate) fn start(engine: impl Engine, keys: Keyring, announce: Announce) -> Mailbox {
    let (sender, receiver) = sync_channel(WAITING);
    let writer = Writer {
        engine,
        keys,
        announce,
        tidied: Instant::now(),
    };
    let thread = std::thread::Builder::new().name("log-writer".to_owned());
    if let Err(error) = thread.spawn(move || writer.run(&receiver)) {
        tracing::error!(%error, "the log's writer could not start");
    }
    Mailbox(sender)
}

struct Writer<E> {
    engine: E,
    keys: Keyring,
    announce: Announce,
    tidied: Instant,
}

impl<E: Engine> Writer<E> {
    fn run(mut self, requests: &Receiver<Request>) {
        loop {
            match requests.recv_timeout(QUIET) {
                Ok(first) => {
                    let mut batch = vec![first];
                    batch.extend(requests.try_iter().take(BATCH - 1));
                    self.batch(batch);
                }
                Err(RecvTimeoutError::Timeout) => self.quiet(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Looks after what another process may have done, and tidies up.
    fn quiet(&mut self) {
        match self.engine.head() {
            Ok(head) if head == *self.announce.head.borrow() => {}
            Ok(head) => {
                self.announce.ring.clear();
                self.announce.head.send_replace(head);
            }
            Err(error) => tracing::warn!(%error, "the log could not look for events of other processes"),
        }
        if let Err(error) = self.keys.refresh() {
            tracing::warn!(%error, "the keys could not be looked at");
        }
        if self.tidied.elapsed() >= TIDY {
            self.tidied = Instant::now();
            if let Err(error) = self.engine.tidy(now()) {
                tracing::warn!(%error, "the log could not tidy up");
            }
        }
    }

    fn batch(&mut self, batch: Vec<Request>) {
        let (appends, replies): (Vec<_>, Vec<_>) = batch.into_iter().map(|it| (it.append, it.reply)).unzip();
        let appends: Vec<&Append> = appends.iter().collect();
        let answers = self.write_patiently(&appends);
        for (reply, answer) in replies.into_iter().zip(answers) {
            // A caller who has gone away needs no answer; what it asked for is done all the same.
            drop(reply.send(answer));
        }
    }

    /// A storage error repeats the batch once, then every request alone, so that one bad request fails no neighbour.
    /// When the storage itself is not available, no request is to blame and all of them fail at once.
    fn write_patiently(&mut self, appends: &[&Append]) -> Answers {
        let mut failure = match self.write(appends) {
            Ok(answers) => return answers,
            Err(error) => error,
        };
        tracing::error!(error = %failure, requests = appends.len(), "a batch could not be written; trying again");
        failure = match self.write(appends) {
            Ok(answers) => return answers,
            Err(error) => error,
        };
        let mut answers = Vec::with_capacity(appends.len());
        for append in appends {
            if !matches!(failure, LogError::Unavailable(_)) {
                match self.write(&[append]) {
                    Ok(alone) => {
                        answers.extend(alone);
                        continue;
                    }
                    Err(error) => failure = error,
                }
            }
            tracing::error!(error = %failure, "a request could not be written");
            answers.push(Err(AppendError::Log(failure.clone())));
        }
        answers
    }

    fn write(&mut self, appends: &[&Append]) -> Result<Answers, LogError> {
        let subjects: HashSet<_> = appends
            .iter()
            .flat_map(|append| &append.streams)
            .flat_map(|part| &part.events)
            .filter_map(|it| it.subject)
            .collect();
        if !subjects.is_empty() {
            self.keys.prepare(&subjects.into_iter().collect::<Vec<_>>())?;
        }
        let answers = self.transact(appends);
        if answers.is_err() {
            self.engine.rollback();
        }
        answers
    }

    fn transact(&mut self, appends: &[&Append]) -> Result<Answers, LogError> {
        let streams: HashSet<_> = appends
            .iter()
            .flat_map(|it| {
                it.streams
                    .iter()
                    .map(|part| part.stream)
                    .chain(it.guards.iter().map(|guard| guard.stream))
            })
            .collect();
        let commands: Vec<_> = appends
            .iter()
            .filter_map(|append| append.context.command_id)
            .collect();
        let standing = self
            .engine
            .begin(&streams.into_iter().collect::<Vec<_>>(), &commands)?;
        let (plan, answers) = plan(appends, standing, &self.keys, now());
        if plan.is_empty() {
            self.engine.rollback();
            return Ok(answers);
        }
        if let Err(error) = self.engine.commit(&plan) {
            self.engine.rollback();
            // The error may hide a commit that went through: the chain's value at the plan's end tells.
            let written = self
                .engine
                .chain_at(plan.head.position)?
                .is_some_and(|chain| chain == plan.head.chain);
            if plan.events.is_empty() || !written {
                return Err(error);
            }
        }
        self.announce.ring.push(&plan.events);
        if !plan.events.is_empty() {
            self.announce.head.send_replace(plan.head.position);
        }
        Ok(answers)
    }
}

fn now() -> Moment {
    Moment::from(std::time::SystemTime::now())
}
