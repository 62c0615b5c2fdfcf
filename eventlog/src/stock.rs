//! Keys made durable in advance. A new person gets one of them with the log's own commit, which says so beside the first
//! event, and no second sync goes before it (decision 0014).

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use threads::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use domain::id::UserId;
use rand::RngCore as _;
use rand::seq::SliceRandom as _;
use threads::Mutex;
use uuid::Uuid;

use crate::error::LogError;
use crate::key_store::{Given, KeyId, KeyStore, Pair, SubjectKey};
use crate::measure;

/// Target size of the pre-generated key pool, filled from the first use on. Below half of it, new keys are made in the background.
const FULL: usize = 1_024;
/// Largest size of the pool. It doubles each time that a command waited for a key.
const MOST: usize = 8_192;

/// Keys that nobody has yet.
pub(crate) struct Stock {
    log: Box<dyn Given>,
    /// A way of its own to where the keys are kept, so that nobody who looks for a key waits for the disk.
    keeper: Mutex<Box<dyn KeyStore>>,
    ready: Mutex<Vec<(KeyId, SubjectKey)>>,
    /// What earlier processes left is on the shelf.
    took_over: AtomicBool,
    /// Keys were given that the keeper does not know under their people's names.
    owes: AtomicBool,
    bell: SyncSender<()>,
    waited: AtomicU64,
    full: AtomicUsize,
}

impl Stock {
    /// A stock, and what rings when somebody should look after it in the background.
    pub(crate) fn new(log: Box<dyn Given>, keeper: Box<dyn KeyStore>) -> (Self, Receiver<()>) {
        let (bell, rung) = sync_channel(1);
        let stock = Self {
            log,
            keeper: Mutex::new(keeper),
            ready: Mutex::default(),
            took_over: AtomicBool::new(false),
            owes: AtomicBool::new(false),
            bell,
            waited: AtomicU64::new(0),
            full: AtomicUsize::new(FULL),
        };
        (stock, rung)
    }

    /// Who was durably given which key.
    pub(crate) fn given(&self, subjects: &[UserId]) -> Result<Vec<Pair>, LogError> {
        self.log.given(subjects, &[])
    }

    /// Makes sure that there are so many keys. Waits for the disk only when there are not.
    pub(crate) fn holds(&self, count: usize) -> Result<(), LogError> {
        let short = self.ready.lock().len() < count;
        if !short {
            return Ok(());
        }
        if self.waited.fetch_add(1, Relaxed) > 0 {
            let more = (2 * self.full.load(Relaxed)).min(MOST);
            self.full.store(more, Relaxed);
        }
        self.look_after(count)
    }

    /// Takes keys from the shelf, each of them once and for ever, unless it is put back.
    pub(crate) fn take(&self, count: usize) -> Result<Vec<(KeyId, SubjectKey)>, LogError> {
        self.holds(count)?;
        let mut ready = self.ready.lock();
        let rest = ready.len().saturating_sub(count);
        let taken = ready.split_off(rest);
        if rest < self.full.load(Relaxed) / 2 {
            self.ring();
        }
        Ok(taken)
    }

    /// Puts keys back that nobody was given.
    pub(crate) fn put_back(&self, keys: impl IntoIterator<Item = (KeyId, SubjectKey)>) {
        self.ready.lock().extend(keys);
    }

    /// Notes that keys were durably given.
    pub(crate) fn gave(&self) {
        self.owes.store(true, Relaxed);
    }

    /// Lets what was given be handed over in the background, when there is any.
    pub(crate) fn settle_up(&self) {
        if self.owes.load(Relaxed) {
            self.ring();
        }
    }

    fn ring(&self) {
        // One that was rung and not heard yet is enough; without a thread to hear it, whoever needs a key waits.
        self.bell.try_send(()).unwrap_or_default();
    }

    /// How often a request for a key waited for the disk.
    pub(crate) fn waited(&self) -> u64 {
        self.waited.load(Relaxed)
    }

    /// Hands keys that were given over to their people, and makes new ones when fewer than `needed`, or few, are left.
    pub(crate) fn look_after(&self, needed: usize) -> Result<(), LogError> {
        let mut keeper = self.keeper.lock();
        self.owes.store(false, Relaxed);
        let kept = keeper.stock()?;
        let ids: Vec<KeyId> = kept.iter().map(|(id, _)| *id).collect();
        let given = self.log.given(&[], &ids)?;
        let gone: HashSet<KeyId> = given.iter().map(|(_, id)| *id).collect();
        let missing = {
            let mut ready = self.ready.lock();
            if !self.took_over.swap(true, Relaxed) {
                ready.clone_from(&kept);
                // Should another process have the same before it, the two will seldom reach for the same one.
                ready.shuffle(&mut rand::rng());
            }
            let kept: HashSet<KeyId> = ids.into_iter().collect();
            ready.retain(|(id, _)| kept.contains(id) && !gone.contains(id));
            let full = self.full.load(Relaxed);
            let wanted = if ready.len() < needed.max(full / 2) {
                full.max(needed)
            } else {
                0
            };
            wanted.saturating_sub(ready.len())
        };
        let fresh: Vec<_> = (0..missing).map(|_| (Uuid::now_v7(), random())).collect();
        if given.is_empty() && fresh.is_empty() {
            return Ok(());
        }
        keeper.hand_over(&given, &fresh)?;
        measure::keys_written();
        self.ready.lock().extend(fresh);
        Ok(())
    }

    /// Hands over what an earlier process had given when it ended.
    pub(crate) fn settle_the_past(&self) -> Result<(), LogError> {
        let mut keeper = self.keeper.lock();
        let ids: Vec<KeyId> = keeper.stock()?.iter().map(|(id, _)| *id).collect();
        let given = self.log.given(&[], &ids)?;
        if given.is_empty() {
            return Ok(());
        }
        measure::keys_written();
        keeper.hand_over(&given, &[])
    }
}

/// Gives each newcomer a key from the stock, unless the log, asked with its lock in hand, says that another process has given
/// them one, or has given this very key away.
pub(crate) struct Assignment<'s> {
    pub(crate) stock: &'s Stock,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) keys: HashMap<UserId, SubjectKey>,
}

impl Assignment<'_> {
    /// Offers keys to those who wait; `known` is what the log says about them. Says who still waits.
    pub(crate) fn offer(
        &mut self,
        waiting: Vec<UserId>,
        offered: Vec<(KeyId, SubjectKey)>,
        known: &[Pair],
    ) -> Vec<UserId> {
        let gone: HashSet<KeyId> = known.iter().map(|(_, id)| *id).collect();
        let mut free = offered.into_iter().filter(|(id, _)| !gone.contains(id));
        let mut still = Vec::new();
        for subject in waiting {
            match free.next() {
                Some((id, key)) => {
                    self.pairs.push((subject, id));
                    self.keys.insert(subject, key);
                }
                None => still.push(subject),
            }
        }
        self.stock.put_back(free);
        still
    }
}

/// A key that no subject had before.
pub(crate) fn random() -> SubjectKey {
    let mut key = [0; 32];
    rand::rng().fill_bytes(&mut key);
    key
}
