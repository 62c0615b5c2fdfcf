//! Personal data inside an event: stored apart, encrypted under its subject's key, gone when the key is gone.

use serde::{Serialize, de::DeserializeOwned};

use crate::id::UserId;

/// Personal data of one event. `None` once its subject was forgotten (or where the reader may not see it).
///
/// A field of this type carries `#[serde(skip)]`, so that it never reaches the readable payload; the log stores what
/// [`Sealable::personal`] returns in the `sealed` column instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed<T>(pub Option<T>);

impl<T> Default for Sealed<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Sealed<T> {
    pub fn new(open: T) -> Self {
        Self(Some(open))
    }

    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T: Serialize + DeserializeOwned> Sealed<T> {
    /// The JSON bytes to be encrypted; `None` when nothing is known.
    pub fn to_json(&self) -> Option<Vec<u8>> {
        self.0.as_ref().and_then(json_of)
    }

    /// Takes in decrypted JSON bytes, or the absence of them.
    pub fn reveal(&mut self, plain: Option<&[u8]>) {
        self.0 = plain.and_then(read_json);
    }
}

/// The JSON bytes of personal data.
pub(crate) fn json_of<T: Serialize>(open: &T) -> Option<Vec<u8>> {
    serde_json::to_vec(open).ok()
}

/// Reads personal data from its JSON bytes; `None` where they are of another shape.
pub(crate) fn read_json<T: DeserializeOwned>(json: &[u8]) -> Option<T> {
    serde_json::from_slice(json).ok()
}

/// What the log's codec asks of every event. The defaults are for events without personal data.
pub trait Sealable {
    /// The person whose key seals this event's personal data.
    fn subject(&self) -> Option<UserId> {
        None
    }

    /// The personal data as JSON bytes, to be encrypted.
    fn personal(&self) -> Option<Vec<u8>> {
        None
    }

    /// Puts decrypted personal data back; `None` when the subject's key is gone.
    fn reveal(&mut self, _plain: Option<&[u8]>) {}
}
