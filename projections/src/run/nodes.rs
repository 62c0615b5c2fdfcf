//! One node folds, all follow: whoever holds the lease takes in what the log has got, the others see how far it has come.

use std::time::{Duration, Instant};

use eventlog::Position;
use threads::pause_unless_stopped;
use tokio::sync::watch;

use super::{AGAIN, BATCH, FOLDED, Progress, ProjectionError, Projector, next_position};

/// How often a node looks how far the read models have come, though it heard nothing.
const LOOKS: Duration = Duration::from_millis(200);
/// How long events come together after a fold that others follow at once. A lead is written to by its enquiry and by the mail that
/// follows: together they change each of its pages once.
const GATHERS: Duration = Duration::from_millis(50);
/// The same after a fold of [`MANY`] events: readers of a quiet server see what happened sooner, a busy one writes half as much.
const GATHERS_MANY: Duration = Duration::from_millis(200);
const MANY: Position = 64;
/// Where the database ends a transaction in which nothing happens for long, as on a slow machine between two statements of a
/// large batch, smaller ones are tried as far down as this.
const FEW: usize = 100;

/// What makes a process fold for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// Its own start.
    Process,
    /// The node that folded before is gone.
    Turn,
}

impl Projector {
    /// Folds everything the log holds now, or waits until the node that folds has done it.
    ///
    /// # Errors
    /// When the log or the database cannot be used at all. An event that one projection cannot take in is parked there
    /// with its stream; everything else goes on.
    pub async fn catch_up(&mut self) -> Result<Position, ProjectionError> {
        let goal = self.log.head().await?;
        self.stood = None;
        loop {
            if self.lease.take().await? {
                match self.fold(Begins::Process, None).await {
                    Ok(Some(reached)) => return Ok(reached),
                    // Lost to another node, or another process builds anew: both end.
                    Ok(None) | Err(ProjectionError::Busy) => {}
                    Err(error) => return Err(error),
                }
            } else {
                let reached = self.look().await?;
                if reached >= goal {
                    return Ok(reached);
                }
            }
            tokio::time::sleep(LOOKS).await;
        }
    }

    /// Follows the log until `stop` is set. Trouble with the database is logged and tried again.
    pub async fn follow(mut self, stop: watch::Receiver<bool>) {
        let held = watch::Sender::new(false);
        let holds = held.subscribe();
        let ended = watch::Sender::new(false);
        let keeping = tokio::spawn(self.lease.clone().keep(held, ended.subscribe()));
        self.follow_while(holds, stop).await;
        ended.send_replace(true);
        if let Err(error) = keeping.await {
            tracing::error!(%error, "the lease of the read models ended badly");
        }
    }

    async fn follow_while(&mut self, mut holds: watch::Receiver<bool>, mut stop: watch::Receiver<bool>) {
        let mut head = self.log.watch();
        let mut folded = self.store.writer().hear(FOLDED, &self.node);
        loop {
            let now = *holds.borrow_and_update();
            let before = *self.applied.borrow();
            let done = if now {
                self.fold(Begins::Turn, Some(&stop)).await.map(drop)
            } else {
                self.look().await.map(drop)
            };
            if let Err(error) = done {
                tracing::error!(%error, "read models could not catch up; trying again");
                self.tell_what_is_gone(&error);
                if pause_unless_stopped(AGAIN, &mut stop).await {
                    continue;
                }
                return;
            }
            if *stop.borrow() {
                return;
            }
            let (folded_to, known) = (*self.applied.borrow(), *head.borrow());
            let is_busy = folded_to >= before + MANY;
            let gathered = Instant::now() + if is_busy { GATHERS_MANY } else { GATHERS };
            if now && (before + 1..known).contains(&folded_to) {
                self.gather(gathered, &mut stop).await;
                continue;
            }
            let more = tokio::select! {
                changed = head.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    now
                }
                // The keeper ends after us.
                _ = holds.changed() => false,
                _ = folded.changed() => false,
                () = tokio::time::sleep(LOOKS) => false,
                _ = stop.wait_for(|stopped| *stopped) => return,
            };
            if more {
                self.gather(gathered, &mut stop).await;
            } else {
                self.stood = None;
            }
        }
    }

    /// Lets events come together while there are many, until that moment or until somebody waits for them: a batch costs
    /// hardly more than one event, and who answers needs the processor.
    async fn gather(&self, until: Instant, stop: &mut watch::Receiver<bool>) {
        let folded = *self.applied.borrow();
        let mut wanted = self.wanted.subscribe();
        tokio::select! {
            () = tokio::time::sleep_until(until.into()) => {}
            _ = wanted.wait_for(|wanted| *wanted > folded) => {}
            _ = stop.wait_for(|stopped| *stopped) => {}
        }
    }

    /// Gives the work back to other nodes, for whoever caught up and will not follow.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn leave(&self) -> Result<(), ProjectionError> {
        Ok(self.lease.release().await?)
    }

    /// Which process folds, of those that share the database; nobody where it is one server's own.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn owner(&self) -> Result<Option<String>, ProjectionError> {
        Ok(self.lease.owner().await?)
    }

    /// Folds what the log holds now, or one batch more once it is to stop: after an import the rest may take minutes, and is folded at
    /// the next start. `None` when the lease was lost over it.
    pub(super) async fn fold(
        &mut self,
        begins: Begins,
        stop: Option<&watch::Receiver<bool>>,
    ) -> Result<Option<Position>, ProjectionError> {
        if !self.has_begun {
            self.begin(begins).await?;
            self.has_begun = true;
        }
        let mut most = BATCH;
        loop {
            let standing = match self.stood.take() {
                Some((at, standing)) if at.elapsed() < LOOKS && all_follow(&standing) => standing,
                // Whatever rests may follow again at any moment.
                Some(_) | None => self.standing().await?,
            };
            // What is well again may fall ill of something else.
            self.unbuilt.retain(|name, _| {
                standing
                    .iter()
                    .any(|one| one.name == *name && one.error.is_some())
            });
            let Some(from) = next_position(&standing) else {
                let head = self.log.head().await?;
                return Ok(Some(self.tell(standing, head)));
            };
            let events = self.log.read_all(from, most).await?;
            let Some(last) = events.last().map(|event| event.position) else {
                self.stood = Some((Instant::now(), standing.clone()));
                return Ok(Some(self.tell(standing, from)));
            };
            match self.apply_batch((&events, from, last), &standing).await {
                Ok(Some(reached)) => self.stood = Some((Instant::now(), reached)),
                Ok(None) => return Ok(None),
                Err(error) if error.is_of_a_cut() && events.len() > FEW => {
                    most = events.len() / 4;
                    continue;
                }
                Err(error) => return Err(error),
            }
            if events.len() < most || stop.is_some_and(|stop| *stop.borrow()) {
                // All there was; what came meanwhile may gather.
                return Ok(Some(last));
            }
        }
    }

    /// Folds what the log held at an event: for read models of nobody else's, made to be looked at.
    ///
    /// # Errors
    /// When the log or the database cannot be used.
    pub async fn fold_until(&self, goal: Position) -> Result<Position, ProjectionError> {
        loop {
            let standing = self.standing().await?;
            let from = next_position(&standing).unwrap_or(goal);
            let mut events = self.log.read_all(from, BATCH).await?;
            events.retain(|event| event.position <= goal);
            let Some(last) = events.last().map(|event| event.position) else {
                return Ok(from);
            };
            self.apply_batch((&events, from, last), &standing).await?;
        }
    }

    /// Sees how far the node that folds has come.
    async fn look(&self) -> Result<Position, ProjectionError> {
        let standing = self.standing().await?;
        let head = self.log.head().await?;
        Ok(self.tell(standing, head))
    }

    /// When a process begins to fold: what an older program has built is built anew beside it, and what was left out is tried
    /// again, because this program may know it. Whoever takes over from another node tries nothing again: that may mean to
    /// build for minutes, and everybody waits for what is new.
    async fn begin(&mut self, begins: Begins) -> Result<(), ProjectionError> {
        self.store.forget_begun().await?;
        // Otherwise a database says it of itself, and not what to do.
        self.gone().await?;
        let mut transaction = self.store.writer().begin().await?;
        for projection in &self.projections {
            super::checkpoint::begin(projection.as_ref(), &mut transaction).await?;
        }
        transaction.commit().await?;
        for progress in self.standing().await? {
            let begun = if progress.error.is_some() {
                self.rebuild_one(progress.name, super::Ways::Switch)
                    .await
                    .map(drop)
            } else if progress.parked > 0 && begins == Begins::Process {
                self.retry(progress.name).await.map(drop)
            } else {
                Ok(())
            };
            match begun {
                Ok(()) => {}
                Err(error) if error.blames_its_tables() => {
                    tracing::error!(projection = progress.name, %error, "a read model could not be built anew; the others go on");
                    self.unbuilt.insert(progress.name, error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn all_follow(standing: &[Progress]) -> bool {
    standing.iter().all(|progress| progress.error.is_none())
}
