//! Personal data of an event, encrypted under its subject's own key, unreadable once the key is gone.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Weak};

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use domain::id::UserId;
use rand::RngCore as _;

use crate::error::{CodecError, LogError};
use crate::event::RecordedEvent;
use crate::hot::HotStates;
use crate::keyfile::{KeyFile, KeyStore};
use crate::stream::{Revision, StreamId};
use threads::{Mutex, RwLock, Slip};

const NONCE_BYTES: usize = 24;
/// Keys held in memory; the store has all of them.
const HELD: usize = 65_536;

/// One subject's key.
pub(crate) type SubjectKey = [u8; 32];

/// What is known of a subject's key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyState {
    Kept(SubjectKey),
    Destroyed,
}

/// The subjects' keys, kept apart from the log. A cheap handle.
#[derive(Clone)]
pub struct Keyring(Arc<Keys>);

struct Keys {
    held: RwLock<HashMap<UserId, KeyState>>,
    /// Absent for a log in memory, where `held` is everything.
    store: Option<Mutex<Box<dyn KeyStore>>>,
    /// What was folded while the keys were there.
    hot: Mutex<Weak<HotStates>>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keyring")
    }
}

impl Keyring {
    /// Keys that live as long as the process.
    pub(crate) fn memory() -> Self {
        Self(Arc::new(Keys {
            held: RwLock::default(),
            hot: Mutex::default(),
            store: None,
        }))
    }

    /// Keys in a file of their own.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        Ok(Self::stored(Box::new(KeyFile::open(path)?)))
    }

    /// Keys wherever `store` has them.
    pub(crate) fn stored(store: Box<dyn KeyStore>) -> Self {
        Self(Arc::new(Keys {
            held: RwLock::default(),
            hot: Mutex::default(),
            store: Some(Mutex::new(store)),
        }))
    }

    /// Makes sure that every subject has a key, unless it was forgotten, before anything is sealed under it.
    pub fn prepare(&self, subjects: &[UserId]) -> Result<(), LogError> {
        let unknown: Vec<UserId> = {
            let held = self.0.held.read();
            subjects
                .iter()
                .filter(|subject| !held.contains_key(subject))
                .copied()
                .collect()
        };
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
        if held.len() >= HELD {
            held.clear();
        }
        held.extend(states);
    }

    /// Destroys a subject's key for ever. Later events about the subject carry no personal data.
    pub(crate) fn forget(&self, subject: UserId) -> Result<(), LogError> {
        if let Some(store) = &self.0.store {
            let mut store = store.lock();
            store.destroy(subject)?;
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
        let Some(store) = &self.0.store else {
            return Ok(None);
        };
        let mut store = store.lock();
        let found = store.find(&[subject])?;
        if Slip::KeyHeldLate.is_made() {
            drop(store);
        }
        self.hold(found.iter().copied());
        Ok(found.first().and_then(|(_, state)| kept(*state)))
    }

    /// Whether anything is known of any of these subjects: a key, or that it was destroyed.
    pub(crate) fn knows_any(&self, subjects: &[UserId]) -> Result<bool, LogError> {
        let Some(store) = &self.0.store else {
            return Ok(true);
        };
        Ok(!store.lock().find(subjects)?.is_empty())
    }

    /// True when some of these subjects' keys are not in memory.
    pub(crate) fn lacks(&self, subjects: &[UserId]) -> bool {
        let held = self.0.held.read();
        subjects.iter().any(|subject| !held.contains_key(subject))
    }

    /// Brings the keys of these subjects into memory, in one question.
    pub(crate) fn fetch(&self, subjects: &[UserId]) -> Result<(), LogError> {
        let Some(store) = &self.0.store else { return Ok(()) };
        let mut store = store.lock();
        let found = store.find(subjects)?;
        self.hold(found);
        Ok(())
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

    /// Decrypts an event's personal data; `None` when there is none or its subject was forgotten.
    pub(crate) fn unseal(&self, event: &RecordedEvent) -> Result<Option<Vec<u8>>, CodecError> {
        let (Some(subject), Some(sealed)) = (event.subject_id, event.sealed.as_deref()) else {
            return Ok(None);
        };
        let place = Place {
            stream: event.stream,
            revision: event.revision,
            event_type: &event.event_type,
        };
        self.open_sealed(subject, &place, sealed)
    }
}

fn random() -> SubjectKey {
    let mut key = [0; 32];
    rand::rng().fill_bytes(&mut key);
    key
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
