//! Fetches the photos that are due, while this node is the one on duty: a few at a time for one host, each once. What is cut off left
//! nothing that is shown, and is begun again: the event that shows a photo is written after all its files are there.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use domain::id::PhotoId;
use domain::photo::{ContentHash, Photo, PhotoCommand, PhotoRefusal, Taken, read_kept_place};
use eventlog::{Actor, CommitError, Context, Position, commit};
use futures::StreamExt as _;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use outbound::{Outbound, Policy, SystemResolver};
use platform::clock;
use platform::config::Settings;
use platform::duty::{Duty, ours};
use projections::photo::{DuePhoto, is_taken_down, list_due, list_due_kept};
use records::Records;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::fetch::{Unfetched, fetch_photo, find_host};
use crate::making::{Qualities, keep_sizes, prepare_in_turn};
use crate::picture::Prepared;
use crate::store::PhotoStore;
use crate::sweeping::Sweeping;

/// Pause between two looks at the read model for photos that are due.
const TICK: Duration = Duration::from_secs(2);
/// Photos of one host that are fetched at once.
const PER_HOST: usize = 4;
/// Photos of all hosts that are under way at once.
const AT_ONCE: usize = 12;
/// Photos that one look takes from the read model. Where all of them are of hosts that are busy or rest, the next look goes on behind them.
const LOOKED_AT: u32 = 1_000;
/// Photos in the store that one look takes before all others.
const KEPT_FIRST: u32 = 50;
/// A host that did not answer is left alone for a while: its other photos hold up nobody.
const HOST_REST: Duration = Duration::from_mins(1);
/// After trouble with the store or the log.
const AFTER_TROUBLE: Duration = Duration::from_secs(15);
/// Patience of one look at how far the read models are.
const HEARING: Duration = Duration::from_secs(5);
/// Pause between two looks for originals that have been kept long enough, and for sizes that are missing.
const SWEEP: Duration = Duration::from_hours(24);

/// Fetches photos in the background.
pub struct PhotoKeeper {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub store: PhotoStore,
}

/// The end of the work on one photo.
struct Ended {
    photo_id: String,
    host: String,
    outcome: Outcome,
}

enum Outcome {
    /// The log holds what became of it.
    Written,
    /// Its host did not answer.
    HostSilent,
    /// Something of ours failed; it is tried again.
    Trouble,
}

impl PhotoKeeper {
    /// Fetches what is due until `stop` is set, while this node is on duty. Where nothing is to be fetched, uploads are made all the same.
    pub async fn keep_fetching(self, duty: Duty, mut stop: watch::Receiver<bool>) {
        let policy = Policy {
            permitted: self.settings.permitted_sockets(),
            // Many feeds name photos so, and a photo is looked at before it is shown.
            plain_http: true,
        };
        let outbound = match Outbound::open(policy, Arc::new(SystemResolver)) {
            Ok(outbound) => outbound,
            Err(error) => {
                tracing::error!(%error, "no photo is fetched");
                return;
            }
        };
        let work = Work {
            keeper: &self,
            outbound,
            duty: &duty,
        };
        work.keep_on(&mut stop).await;
    }
}

/// Something of a photo that the log holds now.
struct Told {
    position: Position,
    /// Its host did not answer.
    is_silent: bool,
    /// The bytes that an import had put there and that were read.
    kept: Option<ContentHash>,
    /// The picture that was made.
    content: Option<ContentHash>,
}

/// The work on all photos.
struct Work<'k> {
    keeper: &'k PhotoKeeper,
    outbound: Outbound,
    duty: &'k Duty,
}

/// Photos under way by their ids, with the host of each, and hosts that rest.
#[derive(Default)]
struct UnderWay {
    photos: HashMap<String, String>,
    resting: HashMap<String, Instant>,
    /// The last photo of a look that left room for more.
    passed: Option<DuePhoto>,
}

impl UnderWay {
    /// Takes a photo on, unless it is under way, its host rests, or enough of its host are.
    fn admit(&mut self, due: &DuePhoto) -> Option<String> {
        // The store itself has none.
        let host = find_host(&due.place).unwrap_or_default();
        let of_host = self.photos.values().filter(|other| **other == host).count();
        let is_full = self.is_full() || of_host >= PER_HOST;
        let rests = self
            .resting
            .get(&host)
            .is_some_and(|until| Instant::now() < *until);
        if is_full || rests || self.photos.contains_key(&due.photo_id) {
            return None;
        }
        self.photos.insert(due.photo_id.clone(), host.clone());
        Some(host)
    }

    fn is_full(&self) -> bool {
        self.photos.len() >= AT_ONCE
    }

    /// Notes where the next look begins: behind what this one saw while there is room for more, so that photos of a dead host hold up
    /// no other's; from the first one again at the end.
    fn pass(&mut self, mut seen: Vec<DuePhoto>) {
        let has_more = seen.len() >= LOOKED_AT as usize;
        self.passed = seen.pop().filter(|_| has_more && !self.is_full());
    }

    fn end(&mut self, ended: &Ended) {
        self.photos.remove(&ended.photo_id);
        if matches!(ended.outcome, Outcome::HostSilent) {
            self.resting
                .insert(ended.host.clone(), Instant::now() + HOST_REST);
        }
        self.resting.retain(|_, until| Instant::now() < *until);
    }
}

impl Work<'_> {
    async fn keep_on(&self, stop: &mut watch::Receiver<bool>) {
        let mut held = self.duty.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut sweep = tokio::time::interval(SWEEP);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut under_way = UnderWay::default();
        let mut running: FuturesUnordered<BoxFuture<'_, Ended>> = FuturesUnordered::new();
        while ours(&mut held, stop).await {
            // Nothing is waited for while what `stop` lends is held.
            let (ended, is_sweep_due) = tokio::select! {
                _ = stop.wait_for(|stopped| *stopped) => return,
                Some(ended) = running.next(), if !running.is_empty() => (Some(ended), false),
                _ = tick.tick() => (None, false),
                _ = sweep.tick() => (None, true),
            };
            if is_sweep_due {
                self.sweeping().sweep().await;
            }
            if let Some(ended) = ended {
                under_way.end(&ended);
                if matches!(ended.outcome, Outcome::Trouble) {
                    tokio::select! {
                        () = tokio::time::sleep(AFTER_TROUBLE) => {}
                        _ = stop.wait_for(|stopped| *stopped) => return,
                    }
                }
            }
            match self.list_due(under_way.passed.as_ref()).await {
                Ok((kept, fetched)) => {
                    for due in kept.iter().chain(&fetched) {
                        if let Some(host) = under_way.admit(due) {
                            running.push(Box::pin(self.take(due.clone(), host)));
                        }
                    }
                    under_way.pass(fetched);
                }
                Err(error) => tracing::warn!(error, "photos that are due cannot be listed; trying again"),
            }
        }
    }

    fn sweeping(&self) -> Sweeping<'_> {
        Sweeping {
            records: &self.keeper.records,
            settings: &self.keeper.settings,
            store: &self.keeper.store,
        }
    }

    /// Photos whose time has come: those whose bytes are in the store, and all of them behind `passed`. None of the latter where the settings
    /// say that nothing is fetched.
    async fn list_due(&self, passed: Option<&DuePhoto>) -> Result<(Vec<DuePhoto>, Vec<DuePhoto>), String> {
        let now = clock::now().timestamp_micros();
        let pool = self.keeper.records.read.readers();
        let kept = list_due_kept(pool, now, KEPT_FIRST).await;
        let kept = kept.map_err(|error| error.to_string())?;
        if self.keeper.settings.fetch_photos == Some(false) {
            return Ok((kept, Vec::new()));
        }
        let due = list_due(pool, now, passed, LOOKED_AT).await;
        Ok((kept, due.map_err(|error| error.to_string())?))
    }

    /// Brings one photo to its end, and waits until the read model has heard of it: it is not due twice.
    async fn take(&self, due: DuePhoto, host: String) -> Ended {
        let photo_id = due.photo_id.clone();
        let outcome = match self.take_to_end(due).await {
            Ok(Told {
                position,
                is_silent,
                kept,
                content,
            }) => {
                let applied = &self.keeper.records.applied;
                while !applied.wait_for(position, HEARING).await {}
                self.clear_leftovers(kept, content).await;
                if is_silent {
                    Outcome::HostSilent
                } else {
                    Outcome::Written
                }
            }
            Err(error) => {
                tracing::error!(error, "a photo could not be kept; trying again");
                Outcome::Trouble
            }
        };
        Ended {
            photo_id,
            host,
            outcome,
        }
    }

    /// Deletes the bytes that an import had put there, now that the log says what became of them, and files of a picture that was taken down
    /// while they were made.
    async fn clear_leftovers(&self, kept: Option<ContentHash>, content: Option<ContentHash>) {
        let (store, pool) = (&self.keeper.store, self.keeper.records.read.readers());
        if let Some(kept) = kept
            && let Err(error) = store.delete_incoming(kept).await
        {
            tracing::error!(%kept, %error, "a photo beside a feed's file is still in the store twice");
        }
        let Some(content) = content else { return };
        match is_taken_down(pool, content).await {
            Ok(false) => {}
            Ok(true) => {
                if let Err(error) = store.delete_picture(content, true).await {
                    tracing::error!(%content, %error, "files of a photo that was taken down are still in the store, and are not served");
                }
            }
            Err(error) => {
                tracing::error!(%content, %error, "nobody knows whether a photo was taken down while it was fetched");
            }
        }
    }

    /// Fetches one photo, makes it and writes what became of it.
    async fn take_to_end(&self, due: DuePhoto) -> Result<Told, String> {
        let photo_id: PhotoId = due.photo_id.parse().map_err(|_| "a photo has no id".to_owned())?;
        let place = due.place;
        let fetched = self.fetch(&place).await?;
        let is_silent = fetched.as_ref().is_err_and(|unfetched| unfetched.is_host_silent);
        let kept = read_kept_place(&place).filter(|_| fetched.is_ok());
        let command = match fetched {
            Ok(bytes) => match self.make(bytes).await? {
                Ok(taken) => PhotoCommand::Take { place, taken },
                Err(refusal) => PhotoCommand::Refuse {
                    place,
                    refusal,
                    answered: None,
                },
            },
            Err(Unfetched {
                refusal, answered, ..
            }) => PhotoCommand::Refuse {
                place,
                refusal,
                answered,
            },
        };
        let hash = match &command {
            PhotoCommand::Take { taken, .. } => Some(taken.content),
            _ => None,
        };
        // Fetching may take longer than a lease lasts.
        self.duty.confirm().await.map_err(|error| error.to_string())?;
        let context = Context::new(clock::now(), Actor::SYSTEM);
        let log = &self.keeper.records.log;
        let position = match commit::<Photo>(log, photo_id, command, &context).await {
            Ok(committed) => committed.position,
            // Taken down meanwhile: the read model hears it from that event.
            Err(CommitError::Rejected(_)) => log.head().await.map_err(|error| error.to_string())?,
            Err(error) => return Err(error.to_string()),
        };
        Ok(Told {
            position,
            is_silent,
            kept,
            content: hash,
        })
    }

    async fn fetch(&self, place: &str) -> Result<Result<Bytes, Unfetched>, String> {
        let Some(content) = read_kept_place(place) else {
            return Ok(fetch_photo(&self.outbound, place).await.map(Bytes::from));
        };
        let found = self.keeper.store.get_incoming(content).await;
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.ok_or(Unfetched {
            refusal: PhotoRefusal::Gone,
            answered: None,
            is_host_silent: false,
        }))
    }

    /// Makes the sizes and keeps them, the original last. A content that was taken down is noted and not kept.
    async fn make(&self, bytes: Bytes) -> Result<Result<Box<Taken>, PhotoRefusal>, String> {
        let content = ContentHash::of_bytes(&bytes);
        let prepared = match prepare_in_turn(bytes.clone(), Qualities::of(&self.keeper.settings)).await {
            Ok(prepared) => prepared,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Prepared {
            width,
            height,
            format,
            preview,
            files,
        } = prepared;
        let pool = self.keeper.records.read.readers();
        let taken_down = is_taken_down(pool, content).await;
        if !taken_down.map_err(|error| error.to_string())? {
            let store = &self.keeper.store;
            let kept = async {
                keep_sizes(store, content, files).await?;
                store.put_original(content, bytes.clone()).await
            };
            kept.await.map_err(|error| error.to_string())?;
        }
        Ok(Ok(Box::new(Taken {
            content,
            width,
            height,
            format,
            bytes: bytes.len() as u64,
            preview,
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(number: usize, host: &str) -> DuePhoto {
        DuePhoto {
            photo_id: format!("{host} {number}"),
            place: format!("https://{host}/{number}.jpg"),
            due_at: 1,
        }
    }

    fn end(under_way: &mut UnderWay, due: &DuePhoto, outcome: Outcome) {
        under_way.end(&Ended {
            photo_id: due.photo_id.clone(),
            host: find_host(&due.place).unwrap_or_default(),
            outcome,
        });
    }

    #[test]
    fn one_host_is_asked_for_four_at_a_time_and_holds_up_no_other() {
        let mut under_way = UnderWay::default();
        let admitted = |under_way: &mut UnderWay, host: &str| -> usize {
            let all = (0..100).map(|number| due(number, host));
            all.filter(|due| under_way.admit(due).is_some()).count()
        };
        assert_eq!(admitted(&mut under_way, "slow.example"), PER_HOST);
        assert_eq!(admitted(&mut under_way, "slow.example"), 0);
        assert_eq!(admitted(&mut under_way, "other.example"), PER_HOST);
        assert_eq!(admitted(&mut under_way, "third.example"), PER_HOST);
        assert_eq!(admitted(&mut under_way, "fourth.example"), 0, "all together");
        end(&mut under_way, &due(0, "other.example"), Outcome::Written);
        assert!(under_way.admit(&due(7, "other.example")).is_some());
    }

    #[test]
    fn photos_of_a_dead_host_are_passed_over() {
        let mut under_way = UnderWay::default();
        let first_look: Vec<DuePhoto> = (0..LOOKED_AT as usize)
            .map(|number| due(number, "dead.example"))
            .collect();
        let last = first_look.last().cloned();
        under_way.pass(first_look.clone());
        assert_eq!(under_way.passed, last, "other hosts' photos stand behind these");
        under_way.pass(vec![due(1, "alive.example")]);
        assert_eq!(under_way.passed, None, "all were seen");
        for host in ["one.example", "two.example", "three.example"] {
            for number in 0..PER_HOST {
                assert!(under_way.admit(&due(number, host)).is_some());
            }
        }
        under_way.pass(first_look);
        assert_eq!(under_way.passed, None, "there is no room for more");
    }

    #[test]
    fn silent_host_rests() {
        let mut under_way = UnderWay::default();
        let first = due(1, "dead.example");
        assert!(under_way.admit(&first).is_some());
        end(&mut under_way, &first, Outcome::HostSilent);
        assert!(under_way.admit(&due(2, "dead.example")).is_none());
        assert!(under_way.admit(&due(2, "alive.example")).is_some());
    }
}
