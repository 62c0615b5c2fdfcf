//! Group commit: one thread takes all that waits, writes it in one transaction, and only then answers. The batch forms
//! while the one before it becomes durable; there is no timer.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::id::UserId;
use domain::moment::Moment;
use tokio::sync::{oneshot, watch};

use crate::append::{Append, Appended};
use crate::condition::{Condition, HealthReport};
use crate::engine::Engine;
use crate::error::{AppendError, LogError};
use crate::key_store::Pair;
use crate::measure::{self, Looks};
use crate::plan::{Answers, Head, Plan, plan};
use crate::planted::Fault;
use crate::port::{Pending, Refused};
use crate::ring::Ring;
use crate::seal::Keyring;
use crate::shapes::Noted;
use crate::stream::Position;
use threads::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use threads::{Slip, thread};

/// How many requests may wait before the log says that it is busy.
const WAITING: usize = 8_192;
/// How many requests go into one transaction.
const BATCH: usize = 1_024;
/// How long the writer waits for work before it looks after small things.
const QUIET: Duration = Duration::from_millis(250);
// The promise is a second until every node knows, and half of it is for whoever follows.
const _: () = assert!(
    QUIET.as_millis() <= 500,
    "a node that is not called looks twice a second"
);
/// How long it writes without a pause before it looks after them all the same.
const BUSY: Duration = Duration::from_secs(1);
/// How often it does small work that can wait.
const TIDY: Duration = Duration::from_mins(1);
/// Pause between two looks for the outcome of a commit whose answer was lost.
const SETTLING_PAUSE: Duration = Duration::from_millis(100);

mod ahead;
#[cfg(any(debug_assertions, feature = "simulation"))]
mod by_hand;
#[cfg(any(debug_assertions, feature = "simulation"))]
pub(crate) use by_hand::ByHand;
mod pace;
mod wake;
use pace::{Look, Pace};
pub use wake::Wake;

type Answer = Result<Appended, AppendError>;

struct Request {
    append: Append,
    offered: Instant,
    reply: oneshot::Sender<Answer>,
}

/// A request, or nothing but the news that another node has written.
type Message = Option<Request>;

/// The way to the writer thread. The thread ends when the last of these is gone.
#[derive(Clone)]
pub(crate) struct Mailbox {
    line: Arc<SyncSender<Message>>,
    condition: watch::Receiver<Condition>,
    pace: Pace,
}

impl Mailbox {
    /// Puts a request in line, or gives it back. Requests are decided in the order of these calls.
    pub(crate) fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        let (reply, pending) = oneshot::channel();
        let request = Request {
            append,
            offered: Instant::now(),
            reply,
        };
        // Counted before the writer can take it.
        measure::offered();
        self.pace.offered();
        let (message, error) = match self.line.try_send(Some(request)) {
            Ok(()) => return Ok(pending),
            Err(TrySendError::Full(message)) => (message, AppendError::Busy),
            Err(TrySendError::Disconnected(message)) => (message, AppendError::Log(LogError::Closed)),
        };
        measure::refused();
        self.pace.answered(1);
        match message {
            Some(Request { append, .. }) => Err(Box::new(Refused { append, error })),
            // Nothing else was offered; who waits for this is told that the log is closed.
            None => Ok(pending),
        }
    }

    /// How long the answer to the only request under way may take, when it is hardly worth sleeping.
    pub(crate) fn soon(&self) -> Option<Duration> {
        self.pace.soon()
    }

    /// A bell for whoever hears of other nodes; it does not keep the writer alive.
    pub(crate) fn wake(&self) -> Wake {
        Wake::of(Arc::downgrade(&self.line))
    }

    /// What the last writes met with.
    pub(crate) fn condition(&self) -> Condition {
        self.condition.borrow().clone()
    }
}

/// What the writer tells the world about.
pub(crate) struct Announce {
    pub(crate) ring: Arc<Ring>,
    pub(crate) head: watch::Sender<Position>,
    /// The end that the world was told of, with its chain: a database that was put back may end at the same number.
    pub(crate) known: Head,
}

impl Announce {
    /// Takes in that the log ends where this writer did not leave it.
    fn moved(&mut self, head: Head) {
        if head != self.known {
            self.known = head;
            self.ring.clear();
            self.head.send_replace(head.position);
        }
    }

    fn wrote(&mut self, plan: &Plan) {
        if !plan.events.is_empty() {
            self.ring.push(self.known.position, &plan.events);
            self.known = plan.head;
            self.head.send_replace(plan.head.position);
        }
    }
}

/// Why a batch was not written, as far as can be seen.
enum Failure {
    /// Nothing of it is in the log.
    Undone(LogError),
    /// It may be in the log, so it must not be written again.
    Unknown(LogError),
    /// The disk failed: it may be in the log, and nothing may be written at all. A disk that loses a write says so once;
    /// asked again, it says that all is well.
    Fatal(String),
}

impl From<LogError> for Failure {
    fn from(error: LogError) -> Self {
        match error {
            LogError::DiskFailed(why) => Self::Fatal(why),
            LogError::Full(why) if Fault::FullStops.is_planted() => Self::Fatal(why),
            error => Self::Undone(error),
        }
    }
}

/// How many requests may wait, which a story shortens so that it need not send thousands.
#[cfg(debug_assertions)]
fn room() -> usize {
    let wished = std::env::var("LATCHKEY_TEST_QUEUE").ok();
    wished.and_then(|room| room.parse().ok()).unwrap_or(WAITING)
}

#[cfg(not(debug_assertions))]
const fn room() -> usize {
    WAITING
}

/// Starts the writer thread on an engine. Without a thread the log is closed from the beginning.
pub(crate) fn start(engine: impl Engine, keys: Keyring, announce: Announce) -> Mailbox {
    let (mailbox, writer, messages) = prepare(engine, keys, announce);
    let thread = thread::Builder::new().name("log-writer".to_owned());
    if let Err(error) = thread.spawn(move || writer.run(&messages)) {
        tracing::error!(%error, "the log's writer could not start");
    }
    mailbox
}

fn prepare<E: Engine>(
    engine: E,
    keys: Keyring,
    announce: Announce,
) -> (Mailbox, Writer<E>, Receiver<Message>) {
    let (sender, messages) = sync_channel(room());
    let (report, condition) = HealthReport::new();
    let pace = Pace::default();
    let writer = Writer {
        engine,
        keys,
        announce,
        report,
        pace: pace.clone(),
        noted: Noted::default(),
        looked: Instant::now(),
        tidied: Instant::now(),
        wary: 0,
        is_called: false,
    };
    let mailbox = Mailbox {
        line: Arc::new(sender),
        condition,
        pace,
    };
    (mailbox, writer, messages)
}

struct Writer<E> {
    engine: E,
    keys: Keyring,
    announce: Announce,
    report: HealthReport,
    pace: Pace,
    noted: Noted,
    looked: Instant,
    tidied: Instant,
    /// So many batches ask before they write.
    wary: u32,
    /// Another node called while batches were written.
    is_called: bool,
}

impl<E: Engine> Writer<E> {
    fn run(mut self, messages: &Receiver<Message>) {
        let mut look = Look::default();
        loop {
            let next = match look.soon(messages) {
                Some(message) => Ok(message),
                None => messages.recv_timeout(QUIET),
            };
            match next {
                Ok(first) => {
                    look.heard();
                    let more = messages.try_iter().take(BATCH - 1);
                    let batch = std::iter::once(first).chain(more).flatten();
                    let batch: Vec<Request> = batch.collect();
                    if batch.is_empty() {
                        self.quiet(Looks::Called);
                        continue;
                    }
                    let begun = Instant::now();
                    self.batches(batch, messages);
                    self.pace.wrote(begun);
                    if std::mem::take(&mut self.is_called) {
                        self.quiet(Looks::Called);
                    } else if self.looked.elapsed() >= BUSY {
                        self.quiet(Looks::ByItself);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.quiet(Looks::ByItself),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Looks after what another process may have done, and tidies up.
    fn quiet(&mut self, why: Looks) {
        self.looked = Instant::now();
        match self.engine.head() {
            Ok(head) => {
                if head != self.announce.known {
                    measure::news(why);
                }
                self.moved(head);
            }
            Err(LogError::DiskFailed(why)) if self.report.stopped().is_none() => self.report.stop(why),
            Err(error) => tracing::warn!(%error, "the log could not look for events of other processes"),
        }
        match self.keys.refresh() {
            Ok(()) => {}
            // Met by whoever fills the stock, in the background.
            Err(LogError::DiskFailed(why)) if self.report.stopped().is_none() => self.report.stop(why),
            Err(error) => tracing::warn!(%error, "the keys could not be looked at"),
        }
        self.keys.settle_up();
        if self.tidied.elapsed() >= TIDY && self.report.stopped().is_none() {
            match self.engine.tidy(now()) {
                // The rest comes with the next look.
                Ok(true) => {}
                Ok(false) => self.tidied = Instant::now(),
                Err(LogError::DiskFailed(why)) => self.report.stop(why),
                Err(error) => {
                    self.tidied = Instant::now();
                    tracing::warn!(%error, "the log could not tidy up");
                }
            }
        }
    }

    /// Takes in where the log ends.
    fn moved(&mut self, head: Head) {
        self.noted.moved(self.announce.known, head);
        self.announce.moved(head);
    }

    #[cfg(any(debug_assertions, feature = "simulation"))]
    fn batch(&mut self, batch: Vec<Request>) {
        measure::taken(batch.len());
        self.answer(batch);
    }

    /// Writes a batch, asking first how things stand, and answers it.
    fn answer(&mut self, batch: Vec<Request>) {
        let appends: Vec<&Append> = batch.iter().map(|it| &it.append).collect();
        let answers = self.write_patiently(&appends);
        self.reply(batch, answers);
    }

    /// A storage error repeats the batch once, then every request alone, so that one bad request fails no neighbour.
    /// When the storage itself is not available, no request is to blame and all of them fail at once; and what may have
    /// been written after all is never written again.
    fn write_patiently(&mut self, appends: &[&Append]) -> Answers {
        if let Some(why) = self.report.stopped() {
            return told(appends, &LogError::Stopped(why));
        }
        let mut failure = match self.write(appends) {
            Ok(answers) => return answers,
            Err(failure) => failure,
        };
        // A full disk is no fuller for one request than for another, and no less full at once.
        if let Failure::Undone(error) = &failure
            && !matches!(error, LogError::Full(_))
        {
            let requests = appends.len();
            tracing::warn!(%error, requests, "a batch could not be written; trying again");
            failure = match self.write(appends) {
                Ok(answers) => return answers,
                Err(failure) => failure,
            };
        }
        let (mut answer, mut hopeless) = self.took_in(failure);
        if hopeless {
            return told(appends, &answer);
        }
        let mut answers = Vec::with_capacity(appends.len());
        for append in appends {
            if !hopeless {
                match self.write(&[append]) {
                    Ok(alone) => {
                        answers.extend(alone);
                        continue;
                    }
                    Err(failure) => (answer, hopeless) = self.took_in(failure),
                }
            }
            tracing::error!(error = %answer, "a request could not be written");
            answers.push(Err(AppendError::Log(answer.clone())));
        }
        answers
    }

    /// Notes a failure for those who look after the log. Says what is answered, and whether no other request would fare better.
    fn took_in(&self, failure: Failure) -> (LogError, bool) {
        match failure {
            Failure::Fatal(why) => {
                self.report.stop(why.clone());
                (LogError::Stopped(why), true)
            }
            Failure::Unknown(error) => (error, true),
            Failure::Undone(error) => {
                if let LogError::Full(why) = &error {
                    self.report.full(why);
                }
                let hopeless = matches!(error, LogError::Unavailable(_) | LogError::Full(_));
                (error, hopeless)
            }
        }
    }

    /// Whom a batch names and who has no key yet.
    fn newcomers(&self, appends: &[&Append]) -> Result<Vec<UserId>, LogError> {
        let sealed = appends.iter().flat_map(|append| &append.streams);
        let sealed = sealed.flat_map(|part| &part.events).filter_map(|it| it.subject);
        let asked = appends.iter().flat_map(|append| &append.keys_for).copied();
        let subjects: HashSet<_> = sealed.chain(asked).collect();
        if subjects.is_empty() {
            return Ok(Vec::new());
        }
        self.keys.newcomers(&subjects.into_iter().collect::<Vec<_>>())
    }

    fn write(&mut self, appends: &[&Append]) -> Result<Answers, Failure> {
        self.keys.footing_holds()?;
        let newcomers = self.newcomers(appends)?;
        let mut given = Vec::new();
        let answers = self.transact(appends, newcomers, &mut given);
        if answers.is_err() {
            self.engine.rollback();
            self.keys.take_back(&given);
        }
        answers
    }

    fn transact(
        &mut self,
        appends: &[&Append],
        newcomers: Vec<UserId>,
        given: &mut Vec<Pair>,
    ) -> Result<Answers, Failure> {
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
        self.moved(standing.head);
        *given = self
            .keys
            .assign(newcomers, |people, keys| self.engine.given(people, keys))?;
        let (mut plan, answers) = plan(appends, standing, &self.keys, now());
        if plan.is_empty() && appends.iter().all(|append| append.keys_for.is_empty()) {
            self.engine.rollback();
            self.keys.take_back(given);
            return Ok(answers);
        }
        plan.given.clone_from(given);
        plan.shapes = self.noted.new_among(&plan.events);
        if Slip::BellBeforeEvents.is_made() {
            self.announce.head.send_replace(plan.head.position);
        }
        if let Err(error) = self.engine.commit(&plan) {
            self.engine.rollback();
            self.settle(&plan, error)?;
        }
        self.wrote(&plan);
        Ok(answers)
    }

    /// Takes in that a plan is durable.
    fn wrote(&mut self, plan: &Plan) {
        self.report.wrote();
        self.keys.gave(&plan.given);
        self.noted.learn(&plan.events, &plan.shapes);
        self.announce.wrote(plan);
    }

    /// The error may hide a commit that went through: the chain's value at the plan's end tells. While the storage does
    /// not answer nobody knows, and nothing is done on a guess.
    fn settle(&mut self, plan: &Plan, error: LogError) -> Result<(), Failure> {
        if matches!(error, LogError::DiskFailed(_)) {
            // What can be read back says nothing about what the disk holds.
            return if Fault::FailedWriteTaken.is_planted() {
                Ok(())
            } else {
                Err(error.into())
            };
        }
        if Fault::LostAnswerTaken.is_planted() {
            return Ok(());
        }
        let begun = Instant::now();
        loop {
            match self.engine.chain_at(plan.head.position) {
                Ok(chain) if chain == Some(plan.head.chain) && !plan.events.is_empty() => return Ok(()),
                Ok(_) => return Err(error.into()),
                Err(_) if begun.elapsed() < self.engine.settles_within() => {
                    thread::park_timeout(SETTLING_PAUSE);
                }
                Err(blind) => {
                    tracing::error!(%error, %blind, "it cannot be seen whether a batch was written");
                    return Err(Failure::Unknown(LogError::Unknown(blind.to_string())));
                }
            }
        }
    }
}

/// The same error for everybody.
fn told(appends: &[&Append], error: &LogError) -> Answers {
    let answer = |_: &&Append| Err(AppendError::Log(error.clone()));
    appends.iter().map(answer).collect()
}

fn now() -> Moment {
    crate::clock::now()
}
