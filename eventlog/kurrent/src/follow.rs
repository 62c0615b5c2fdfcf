//! Follows `$all` and tells this process what counts, in the order of the log: an event of a transaction holds back all after
//! it until it is known whether it counts.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use eventlog::port::Ring;
use eventlog::{LogError, Position, RecordedEvent};
use kurrentdb::SubscriptionEvent;
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;
use tokio::time::Instant;
use uuid::Uuid;

use crate::commands::Commands;
use crate::record::{Content, Ending, Item, Part, Stored, item};
use crate::streams::Streams;

/// What was heard and not yet taken in.
const HEARD: usize = 1_024;
/// How long a transaction may hold back what lies behind it before it is asked for.
const PATIENCE: Duration = Duration::from_millis(300);
/// How often it is looked whether another process has destroyed keys.
const KEYS: Duration = Duration::from_millis(250);
/// How long to wait after something could not be read.
const AGAIN: Duration = Duration::from_secs(1);

pub(crate) struct Follower {
    ring: Ring,
    head: watch::Sender<Position>,
    waiting: Mutex<HashMap<Uuid, oneshot::Sender<Position>>>,
    tasks: Mutex<Vec<AbortHandle>>,
}

impl Follower {
    /// Finds the log's end and follows from there.
    pub(crate) async fn start(streams: Streams, commands: Arc<Commands>) -> Result<Arc<Self>, LogError> {
        let (head, seen) = streams.end().await?;
        let follower = Arc::new(Self {
            ring: Ring::default(),
            head: watch::Sender::new(head),
            waiting: Mutex::default(),
            tasks: Mutex::default(),
        });
        let (mouth, told) = mpsc::channel(HEARD);
        let ear = tokio::spawn(listen(streams.clone(), seen, mouth));
        let keys = tokio::spawn(watch_keys(streams));
        let queue = Queue {
            commands,
            follower: follower.clone(),
            held: VecDeque::new(),
        };
        let release = tokio::spawn(queue.run(told));
        *follower.tasks.lock() = vec![ear.abort_handle(), keys.abort_handle(), release.abort_handle()];
        Ok(follower)
    }

    pub(crate) fn stop(&self) {
        for task in self.tasks.lock().drain(..) {
            task.abort();
        }
    }

    pub(crate) fn recent(&self, after: Position, limit: usize) -> Option<Vec<RecordedEvent>> {
        self.ring.after(after, limit)
    }

    pub(crate) fn head(&self) -> Position {
        *self.head.borrow()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Position> {
        self.head.subscribe()
    }

    /// Asks to be told the position of an event that is about to be written.
    pub(crate) fn expect(self: &Arc<Self>, event: Uuid) -> Waiting {
        let (sender, told) = oneshot::channel();
        self.waiting.lock().insert(event, sender);
        Waiting {
            follower: self.clone(),
            event,
            told,
        }
    }

    fn publish(&self, event: &Stored) {
        let event = &event.event;
        self.ring.push(self.head(), std::slice::from_ref(event));
        self.head.send_replace(event.position);
        if let Some(waiting) = self.waiting.lock().remove(&event.event_id) {
            let _gone = waiting.send(event.position);
        }
    }
}

/// Somebody who waits for an event to be seen.
pub(crate) struct Waiting {
    follower: Arc<Follower>,
    event: Uuid,
    told: oneshot::Receiver<Position>,
}

impl Waiting {
    pub(crate) async fn position(&mut self) -> Option<Position> {
        (&mut self.told).await.ok()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.follower.waiting.lock().remove(&self.event);
    }
}

/// Hears what is added, again and again from where it was heard last.
async fn listen(streams: Streams, mut reached: Position, heard: mpsc::Sender<Item>) {
    loop {
        let mut subscription = streams.session.subscribe(&streams.names.filter(), reached).await;
        loop {
            let event = match subscription.next_subscription_event().await {
                Ok(SubscriptionEvent::EventAppeared(event)) => event.event,
                Ok(SubscriptionEvent::Checkpoint(position)) => {
                    reached = reached.max(position.commit);
                    continue;
                }
                Ok(_) => continue,
                Err(error) => {
                    tracing::warn!(%error, "the subscription to KurrentDB was lost; subscribing again");
                    streams.session.recover(&error).await;
                    break;
                }
            };
            let Some(event) = event.filter(|event| event.position.commit > reached) else {
                continue;
            };
            match item(&streams.names, &streams.keys, &event) {
                Ok(item) => {
                    reached = item.position;
                    if heard.send(item).await.is_err() {
                        return;
                    }
                }
                // Nothing is passed over: whoever reads on would never know what was here.
                Err(error) => {
                    tracing::error!(%error, "an event in KurrentDB cannot be read; the log stands still before it");
                    tokio::time::sleep(AGAIN).await;
                    break;
                }
            }
        }
    }
}

async fn watch_keys(streams: Streams) {
    let mut ticks = tokio::time::interval(KEYS);
    loop {
        ticks.tick().await;
        let keys = streams.keys.clone();
        let looked = tokio::task::spawn_blocking(move || keys.refresh()).await;
        if let Ok(Err(error)) = looked {
            tracing::warn!(%error, "the keys could not be looked at");
        }
    }
}

/// An event of which it is not known yet whether it counts, or which comes after one.
struct Held {
    event: Box<Stored>,
    /// When it was heard, or asked about.
    since: Instant,
}

/// What was heard and cannot be told yet.
struct Queue {
    commands: Arc<Commands>,
    follower: Arc<Follower>,
    held: VecDeque<Held>,
}

impl Queue {
    async fn run(mut self, mut heard: mpsc::Receiver<Item>) {
        loop {
            let first = self.held.front().map(|held| held.since);
            let overdue = first.unwrap_or_else(Instant::now) + PATIENCE;
            tokio::select! {
                item = heard.recv() => match item {
                    Some(item) => self.take_in(item),
                    None => return,
                },
                () = tokio::time::sleep_until(overdue), if first.is_some() => self.ask().await,
            }
            self.release();
        }
    }

    fn take_in(&mut self, item: Item) {
        match item.content {
            Content::Event(event) => {
                let since = Instant::now();
                self.held.push_back(Held { event, since });
            }
            Content::Ending(part, ending) => {
                if self.commands.known(part.transaction).is_none() {
                    self.commands.learn(part.transaction, ending);
                }
                if ending == Ending::Committed {
                    self.outrun(part);
                }
            }
            Content::Other => {}
        }
    }

    /// A command is done once: its other transactions will never be.
    fn outrun(&self, by: Part) {
        let parts = self.held.iter().filter_map(|held| held.event.part);
        for part in parts.filter(|part| part.command == by.command && part.transaction != by.transaction) {
            self.commands.learn(part.transaction, Ending::Aborted);
        }
    }

    /// Settles all that have been open for too long.
    async fn ask(&mut self) {
        let now = Instant::now();
        let mut overdue = HashSet::new();
        for held in self.held.iter_mut().filter(|held| held.since + PATIENCE <= now) {
            overdue.extend(held.event.part);
            held.since = now;
        }
        if let Err(error) = self.commands.all_settled(overdue).await {
            tracing::warn!(%error, "it cannot be seen how a transaction ended; asking again");
        }
    }

    fn release(&mut self) {
        while let Some(Held { event, .. }) = self.held.front() {
            let ending = match event.part {
                None => Some(Ending::Committed),
                Some(part) => self.commands.known(part.transaction),
            };
            match ending {
                None => return,
                Some(Ending::Aborted) => {}
                Some(Ending::Committed) => self.follower.publish(event),
            }
            self.held.pop_front();
        }
    }
}
