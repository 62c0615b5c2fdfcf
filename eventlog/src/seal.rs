//! Personal data of an event, encrypted under its subject's own key, unreadable once the key is gone.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, OnceLock, Weak};

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use domain::id::UserId;
use rand::RngCore as _;

use crate::error::{CodecError, LogError};
use crate::hot::HotStates;
use crate::key_store::{Footing, Given, KeyId, KeyState, KeyStore, Pair, SubjectKey};
use crate::stock::{Assignment, Stock, random};
use crate::stream::{Revision, StreamId, named_just_now};
use threads::{Mutex, RwLock, Slip};

const NONCE_BYTES: usize = 24;
/// Keys held in memory; the store has all of them.
const HELD: usize = 65_536;

/// The subjects' keys, kept apart from the log. A cheap handle.
#[derive(Clone)]
pub struct Keyring(Arc<Keys>);

struct Keys {
    held: RwLock<HashMap<UserId, KeyState>>,
    /// Given to newcomers and not durable yet: nobody could look them up, so they are not let go of.
    promised: RwLock<HashMap<UserId, SubjectKey>>,
    /// Absent for a log in memory, where `held` is everything.
    store: Option<Mutex<Box<dyn KeyStore>>>,
    /// What the store stands on, where it can be looked at.
    footing: Option<Arc<dyn Footing>>,
    /// How many keys of it are held in memory.
    room: usize,
    /// What was folded while the keys were there.
    hot: Mutex<Weak<HotStates>>,
    /// Keys made in advance, where the log can say who was given one.
    stock: OnceLock<Stock>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keyring")
    }
}

impl Keyring {
    /// Keys that live as long as the process.
    pub fn memory() -> Self {
        Self(Arc::new(Keys {
            held: RwLock::default(),
            promised: RwLock::default(),
            hot: Mutex::default(),
            store: None,
            footing: None,
            room: HELD,
            stock: OnceLock::new(),
        }))
    }

    /// An error when a key that is given now could not be read again, so that nobody may be given one.
    pub(crate) fn footing_holds(&self) -> Result<(), LogError> {
        let Some(footing) = &self.0.footing else {
            return Ok(());
        };
        // A look saves what can be saved.
        footing.holds().or_else(|gone| self.refresh().and(Err(gone)))
    }

    /// Keys wherever `store` has them, and what it stands on if that can be looked at.
    pub fn stored(store: Box<dyn KeyStore>, footing: Option<Arc<dyn Footing>>) -> Self {
        Self::stored_with_room(store, footing, HELD)
    }

    /// As [`Keyring::stored`], with at most about `room` keys of the store held in memory.
    pub fn stored_with_room(
        store: Box<dyn KeyStore>,
        footing: Option<Arc<dyn Footing>>,
        room: usize,
    ) -> Self {
        Self(Arc::new(Keys {
            held: RwLock::default(),
            promised: RwLock::default(),
            hot: Mutex::default(),
            store: Some(Mutex::new(store)),
            footing,
            room,
            stock: OnceLock::new(),
        }))
    }

    /// Gives new people keys that were made in advance from now on; `log` can say who was given which.
    ///
    /// # Errors
    /// When the store cannot be reached a second time, or there is no thread for the stock.
    pub fn stocked(&self, log: Box<dyn Given>) -> Result<(), LogError> {
        let Some(store) = &self.0.store else { return Ok(()) };
        let (stock, bell) = Stock::new(log, store.lock().again()?);
        drop(self.0.stock.set(stock));
        let keys = Arc::downgrade(&self.0);
        let thread = std::thread::Builder::new().name("log-keys".to_owned());
        thread
            .spawn(move || look_after(&keys, &bell))
            .map(drop)
            .map_err(|error| LogError::Storage(error.to_string()))
    }

    /// True when new people are given keys by the log's writer, and by nobody else.
    pub(crate) fn has_stock(&self) -> bool {
        self.0.stock.get().is_some()
    }

    /// Those of these people who have no key yet and were not forgotten. Without a stock each has one after this.
    ///
    /// # Errors
    /// When the keys cannot be read or written.
    pub fn newcomers(&self, subjects: &[UserId]) -> Result<Vec<UserId>, LogError> {
        let (Some(store), Some(stock)) = (&self.0.store, self.0.stock.get()) else {
            self.prepare(subjects)?;
            return Ok(Vec::new());
        };
        let unknown = self.unknown(subjects);
        if unknown.is_empty() {
            return Ok(unknown);
        }
        // Whoever was named a moment ago has no key that the log does not know of, and it is asked, or holds this against it.
        let named = |subject: &&UserId| !named_just_now(subject.0, crate::clock::now());
        let long_named: Vec<UserId> = unknown.iter().filter(named).copied().collect();
        let found = if long_named.is_empty() {
            Vec::new()
        } else {
            let mut store = store.lock();
            let found = store.find(&long_named)?;
            self.hold(found.iter().copied());
            found
        };
        let known: HashSet<UserId> = found.into_iter().map(|(subject, _)| subject).collect();
        let newcomers: Vec<UserId> = unknown.into_iter().filter(|it| !known.contains(it)).collect();
        if !newcomers.is_empty() {
            // Before the log is locked: there may be something to wait for.
            stock.holds(newcomers.len())?;
        }
        Ok(newcomers)
    }

    /// Gives newcomers their keys. `given` asks the log, which nobody else may write until the pairs that this says are in it,
    /// or [`Keyring::take_back`] was called.
    ///
    /// # Errors
    /// When the keys cannot be read or written, or the log cannot be asked.
    pub fn assign(
        &self,
        newcomers: Vec<UserId>,
        mut given: impl FnMut(&[UserId], &[KeyId]) -> Result<Vec<Pair>, LogError>,
    ) -> Result<Vec<Pair>, LogError> {
        let (Some(store), Some(stock)) = (&self.0.store, self.0.stock.get()) else {
            return Ok(Vec::new());
        };
        let mut assignment = Assignment {
            stock,
            pairs: Vec::new(),
            keys: HashMap::new(),
        };
        let mut waiting = newcomers;
        while !waiting.is_empty() {
            let offered = stock.take(waiting.len())?;
            let ids: Vec<KeyId> = offered.iter().map(|(id, _)| *id).collect();
            let known = given(&waiting, &ids)?;
            if !known.is_empty() {
                // Another process was faster. A key that is lost all the same gets a successor.
                let found = store.lock().find_given(&known)?;
                let found: HashSet<UserId> = {
                    self.hold(found.iter().copied());
                    found.into_iter().map(|(subject, _)| subject).collect()
                };
                waiting.retain(|subject| !found.contains(subject));
            }
            waiting = assignment.offer(waiting, offered, &known);
        }
        let promised = assignment.keys.iter().map(|(subject, key)| (*subject, *key));
        self.0.promised.write().extend(promised);
        let mut held = self.0.held.write();
        if held.len() >= self.0.room {
            held.retain(|_, state| *state == KeyState::Destroyed);
        }
        for (subject, key) in assignment.keys {
            // Somebody forgotten in this very moment stays forgotten.
            held.entry(subject).or_insert(KeyState::Kept(key));
        }
        Ok(assignment.pairs)
    }

    /// Takes in that the pairs are durable in the log.
    pub(crate) fn gave(&self, pairs: &[Pair]) {
        if let (Some(stock), false) = (self.0.stock.get(), pairs.is_empty()) {
            self.kept_promise(pairs);
            stock.gave();
        }
    }

    fn kept_promise(&self, pairs: &[Pair]) {
        let mut promised = self.0.promised.write();
        for (subject, _) in pairs {
            promised.remove(subject);
        }
    }

    /// Takes in that the pairs are not in the log, or that nobody knows. Who asks for these keys asks the log.
    pub fn take_back(&self, pairs: &[Pair]) {
        self.kept_promise(pairs);
        let mut held = self.0.held.write();
        for (subject, _) in pairs {
            if held
                .get(subject)
                .is_some_and(|state| *state != KeyState::Destroyed)
            {
                held.remove(subject);
            }
        }
    }

    /// Lets keys that were given be handed over, in the background.
    pub(crate) fn settle_up(&self) {
        if let Some(stock) = self.0.stock.get() {
            stock.settle_up();
        }
    }

    /// How often a request for a key of the stock waited for the disk.
    pub fn waited(&self) -> u64 {
        self.0.stock.get().map_or(0, Stock::waited)
    }

    /// How many keys are held in memory.
    pub fn held(&self) -> usize {
        self.0.held.read().len()
    }

    /// Hands over what was given, at once.
    ///
    /// # Errors
    /// When the keys cannot be read or written.
    pub fn hand_over(&self) -> Result<(), LogError> {
        self.0.stock.get().map_or(Ok(()), |stock| stock.look_after(0))
    }

    fn unknown(&self, subjects: &[UserId]) -> Vec<UserId> {
        let held = self.0.held.read();
        let unknown = subjects.iter().filter(|subject| !held.contains_key(subject));
        unknown.copied().collect()
    }

    /// Makes sure that every subject has a key, unless it was forgotten, before anything is sealed under it.
    pub fn prepare(&self, subjects: &[UserId]) -> Result<(), LogError> {
        let unknown = self.unknown(subjects);
        if unknown.is_empty() {
            return Ok(());
        }
        let fresh: Vec<(UserId, SubjectKey)> =
            unknown.into_iter().map(|subject| (subject, random())).collect();
        let Some(store) = &self.0.store else {
            let mut held = self.0.held.write();
            for (subject, key) in fresh {
                held.entry(subject).or_insert(KeyState::Kept(key));
            }
            return Ok(());
        };
        // The store's lock is held until the keys are in memory, so that a key destroyed meanwhile cannot come back.
        let mut store = store.lock();
        let kept = store.keep(&fresh)?;
        self.hold(kept);
        Ok(())
    }

    fn hold(&self, states: impl IntoIterator<Item = (UserId, KeyState)>) {
        let mut held = self.0.held.write();
        if held.len() >= self.0.room {
            held.clear();
        }
        held.extend(states);
    }

    /// Destroys a subject's key for ever. Later events about the subject carry no personal data.
    pub(crate) fn forget(&self, subject: UserId) -> Result<(), LogError> {
        if let Some(store) = &self.0.store {
            // Asked first: what is given while this goes on finds that the person was forgotten, and goes too.
            let given = match self.0.stock.get() {
                Some(stock) => stock.given(&[subject])?,
                None => Vec::new(),
            };
            let given: Vec<KeyId> = given.into_iter().map(|(_, id)| id).collect();
            let mut store = store.lock();
            store.destroy(subject, &given)?;
            self.hold([(subject, KeyState::Destroyed)]);
        } else {
            self.0.held.write().insert(subject, KeyState::Destroyed);
        }
        Ok(())
    }

    /// Remembers the states to let go of when a key is destroyed elsewhere.
    pub(crate) fn opens_for(&self, hot: &Arc<HotStates>) {
        *self.0.hot.lock() = Arc::downgrade(hot);
    }

    /// Lets go of every key in memory when another process has changed the store.
    pub fn refresh(&self) -> Result<(), LogError> {
        let Some(store) = &self.0.store else { return Ok(()) };
        let mut store = store.lock();
        if store.changed_elsewhere()? {
            self.0.held.write().clear();
            // A state may hold what the key that is gone had opened.
            if let Some(hot) = self.0.hot.lock().upgrade() {
                hot.clear();
            }
        }
        Ok(())
    }

    fn key(&self, subject: UserId) -> Result<Option<SubjectKey>, LogError> {
        if let Some(state) = self.0.held.read().get(&subject) {
            return Ok(kept(*state));
        }
        if let Some(key) = self.0.promised.read().get(&subject) {
            return Ok(Some(*key));
        }
        let found = self.look(&[subject])?;
        Ok(found.first().and_then(|(_, state)| kept(*state)))
    }

    /// What holds for those people who were ever given a key.
    fn look(&self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        let Some(store) = &self.0.store else {
            return Ok(Vec::new());
        };
        let mut store = store.lock();
        let mut found = store.find(subjects)?;
        if let Some(stock) = self.0.stock.get()
            && found.len() < subjects.len()
        {
            let known: HashSet<UserId> = found.iter().map(|(subject, _)| *subject).collect();
            let rest: Vec<UserId> = subjects
                .iter()
                .filter(|it| !known.contains(it))
                .copied()
                .collect();
            found.extend(store.find_given(&stock.given(&rest)?)?);
        }
        if Slip::KeyHeldLate.is_made() {
            drop(store);
        }
        self.hold(found.iter().copied());
        Ok(found)
    }

    /// True when it is known what holds for this person's key.
    pub(crate) fn knows(&self, subject: UserId) -> Result<bool, LogError> {
        Ok(self.unknown(&[subject]).is_empty() || !self.look(&[subject])?.is_empty())
    }

    /// Whether anything is known of any of these subjects: a key, or that it was destroyed.
    pub(crate) fn knows_any(&self, subjects: &[UserId]) -> Result<bool, LogError> {
        // A key that was given and not handed over counts too: the process that gave it may have been killed.
        Ok(self.0.store.is_none() || !self.look(subjects)?.is_empty())
    }

    /// Those of these subjects of whom nothing is known: neither a key, nor that it was destroyed.
    ///
    /// # Errors
    /// When the keys cannot be read.
    pub fn strangers(&self, subjects: &[UserId]) -> Result<Vec<UserId>, LogError> {
        if self.0.store.is_none() {
            return Ok(Vec::new());
        }
        let mut strangers = Vec::new();
        for some in subjects.chunks(HELD) {
            let known: HashSet<UserId> = self.look(some)?.into_iter().map(|(subject, _)| subject).collect();
            strangers.extend(some.iter().filter(|it| !known.contains(it)));
        }
        Ok(strangers)
    }

    /// True when some of these subjects' keys are not in memory.
    pub fn lacks(&self, subjects: &[UserId]) -> bool {
        let held = self.0.held.read();
        subjects.iter().any(|subject| !held.contains_key(subject))
    }

    /// Brings the keys of these subjects into memory, in one question.
    ///
    /// # Errors
    /// When the keys cannot be read.
    pub fn fetch(&self, subjects: &[UserId]) -> Result<(), LogError> {
        self.look(&self.unknown(subjects)).map(drop)
    }

    /// Encrypts personal data for its place in the log; `None` when the subject was forgotten.
    pub fn seal(
        &self,
        subject: UserId,
        place: &Place<'_>,
        plain: &[u8],
    ) -> Result<Option<Vec<u8>>, LogError> {
        let Some(key) = self.key(subject)? else {
            return Ok(None);
        };
        let mut nonce = [0; NONCE_BYTES];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload {
            msg: plain,
            aad: &place.bytes(),
        };
        let sealed = XChaCha20Poly1305::new(&key.into())
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| LogError::Storage("personal data could not be sealed".to_owned()))?;
        Ok(Some([nonce.as_slice(), &sealed].concat()))
    }

    /// Decrypts what [`Keyring::seal`] made for the same place; `None` when the subject was forgotten.
    pub(crate) fn open_sealed(
        &self,
        subject: UserId,
        place: &Place<'_>,
        sealed: &[u8],
    ) -> Result<Option<Vec<u8>>, CodecError> {
        let Some(key) = self.key(subject).map_err(|_| CodecError::Keys)? else {
            return Ok(None);
        };
        let (nonce, sealed) = sealed
            .split_first_chunk::<NONCE_BYTES>()
            .ok_or(CodecError::Seal)?;
        let payload = Payload {
            msg: sealed,
            aad: &place.bytes(),
        };
        XChaCha20Poly1305::new(&key.into())
            .decrypt(&XNonce::from(*nonce), payload)
            .map(Some)
            .map_err(|_| CodecError::Seal)
    }
}

/// The stock's own thread: ends with the last handle of the keys.
fn look_after(keys: &Weak<Keys>, bell: &Receiver<()>) {
    let work = |work: fn(&Stock) -> Result<(), LogError>| {
        let Some(keys) = keys.upgrade() else { return };
        if let Some(Err(error)) = keys.stock.get().map(work) {
            tracing::warn!(%error, "the stock of keys could not be looked after");
        }
    };
    work(Stock::settle_the_past);
    while bell.recv().is_ok() {
        work(|stock| stock.look_after(0));
    }
}

fn kept(state: KeyState) -> Option<SubjectKey> {
    match state {
        KeyState::Kept(key) => Some(key),
        KeyState::Destroyed => None,
    }
}

/// Where sealed data belongs; it opens nowhere else.
pub struct Place<'p> {
    /// Which stream.
    pub stream: StreamId,
    /// Where in it.
    pub revision: Revision,
    /// What happened.
    pub event_type: &'p str,
}

impl Place<'_> {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(self.stream.id.as_bytes());
        bytes.extend_from_slice(&self.revision.to_be_bytes());
        bytes.extend_from_slice(&(self.stream.kind.len() as u64).to_be_bytes());
        bytes.extend_from_slice(self.stream.kind.as_bytes());
        bytes.extend_from_slice(self.event_type.as_bytes());
        bytes
    }
}
