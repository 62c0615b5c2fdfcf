//! Personal data of an event, encrypted under its subject's own key, unreadable once the key is gone.

use std::collections::HashMap;
use std::sync::Arc;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use domain::id::UserId;
use parking_lot::RwLock;
use rand::RngCore as _;

use crate::error::{CodecError, LogError};
use crate::event::RecordedEvent;
use crate::stream::{Revision, StreamId};

const NONCE_BYTES: usize = 24;

type SubjectKey = [u8; 32];

/// The subjects' keys, kept apart from the log. A cheap handle.
#[derive(Clone, Default)]
pub(crate) struct Keyring(Arc<Keys>);

#[derive(Default)]
struct Keys {
    known: RwLock<HashMap<UserId, Option<SubjectKey>>>,
}

impl std::fmt::Debug for Keyring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keyring")
    }
}

impl Keyring {
    /// Makes sure that every subject has a key, unless it was forgotten, before anything is sealed under it.
    pub(crate) fn prepare(&self, subjects: &[UserId]) -> Result<(), LogError> {
        let mut known = self.0.known.write();
        for subject in subjects {
            known.entry(*subject).or_insert_with(|| {
                let mut key = [0; 32];
                rand::rng().fill_bytes(&mut key);
                Some(key)
            });
        }
        Ok(())
    }

    /// Destroys a subject's key for ever. Later events about the subject carry no personal data.
    pub(crate) fn forget(&self, subject: UserId) -> Result<(), LogError> {
        self.0.known.write().insert(subject, None);
        Ok(())
    }

    fn key(&self, subject: UserId) -> Option<SubjectKey> {
        self.0.known.read().get(&subject).copied().flatten()
    }

    /// Encrypts personal data for its place in the log; `None` when the subject was forgotten.
    pub(crate) fn seal(
        &self,
        subject: UserId,
        place: &Place<'_>,
        plain: &[u8],
    ) -> Result<Option<Vec<u8>>, LogError> {
        let Some(key) = self.key(subject) else {
            return Ok(None);
        };
        let mut nonce = [0; NONCE_BYTES];
        rand::rng().fill_bytes(&mut nonce);
        let cipher = XChaCha20Poly1305::new(&key.into());
        let payload = Payload {
            msg: plain,
            aad: &place.bytes(),
        };
        let sealed = cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| LogError::Storage("personal data could not be sealed".to_owned()))?;
        Ok(Some([nonce.as_slice(), &sealed].concat()))
    }

    /// Decrypts an event's personal data; `None` when there is none or its subject was forgotten.
    pub(crate) fn open(&self, event: &RecordedEvent) -> Result<Option<Vec<u8>>, CodecError> {
        let (Some(subject), Some(sealed)) = (event.subject_id, event.sealed.as_deref()) else {
            return Ok(None);
        };
        let Some(key) = self.key(subject) else {
            return Ok(None);
        };
        let (nonce, sealed) = sealed
            .split_first_chunk::<NONCE_BYTES>()
            .ok_or(CodecError::Seal)?;
        let place = Place {
            stream: event.stream,
            revision: event.revision,
            event_type: &event.event_type,
        };
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

/// Where sealed data belongs; it opens nowhere else.
pub(crate) struct Place<'p> {
    pub(crate) stream: StreamId,
    pub(crate) revision: Revision,
    pub(crate) event_type: &'p str,
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
