//! Where subjects' keys are kept, and what the log says about them: the two sides between which [`Keyring`](crate::seal::Keyring)
//! stands.

use domain::id::UserId;
use uuid::Uuid;

use crate::error::LogError;

/// One subject's key.
pub type SubjectKey = [u8; 32];

/// What is known of a subject's key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It is there.
    Kept(SubjectKey),
    /// It was destroyed, for ever.
    Destroyed,
}

/// Names a key of the stock, for ever.
pub type KeyId = Uuid;

/// A person, and the key of the stock that became theirs.
pub type Pair = (UserId, KeyId);

/// Where subjects' keys are kept apart from the log.
pub trait KeyStore: Send {
    /// Keeps the fresh keys of subjects that have none yet, durably, and says what holds for each.
    ///
    /// # Errors
    /// When they cannot be read or written.
    fn keep(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError>;

    /// What holds for those subjects that are known.
    ///
    /// # Errors
    /// When the keys cannot be read.
    fn find(&mut self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError>;

    /// Overwrites a subject's key, and those of the stock that were given to them; remembers only that there was one.
    ///
    /// # Errors
    /// When the keys cannot be written.
    fn destroy(&mut self, subject: UserId, given: &[KeyId]) -> Result<(), LogError>;

    /// As [`KeyStore::find`], for people who were given these keys of the stock, handed over or not.
    ///
    /// # Errors
    /// As [`KeyStore::find`].
    fn find_given(&mut self, given: &[Pair]) -> Result<Vec<(UserId, KeyState)>, LogError>;

    /// Keys made in advance that were given to no subject as far as it is known here.
    ///
    /// # Errors
    /// When they cannot be read.
    fn stock(&mut self) -> Result<Vec<(KeyId, SubjectKey)>, LogError>;

    /// Takes keys out of the stock for the people who were given them, and puts fresh ones in: durably, all or nothing.
    /// What was given to a subject that was forgotten meanwhile is gone after this.
    ///
    /// # Errors
    /// When the keys cannot be written.
    fn hand_over(&mut self, given: &[Pair], fresh: &[(KeyId, SubjectKey)]) -> Result<(), LogError>;

    /// Another way to the same keys, for another thread.
    ///
    /// # Errors
    /// When they cannot be reached.
    fn again(&self) -> Result<Box<dyn KeyStore>, LogError>;

    /// True when another process may have destroyed a key since the last look.
    ///
    /// # Errors
    /// When the disk has failed, or the keys cannot be read.
    fn changed_elsewhere(&mut self) -> Result<bool, LogError>;
}

/// What a store of keys stands on, looked at without waiting for the store.
pub trait Footing: Send + Sync {
    /// Whether a key that is given now could be read again.
    ///
    /// # Errors
    /// Why it could not.
    fn holds(&self) -> Result<(), LogError>;
}

/// What the log says about who was given which key.
pub trait Given: Send + Sync {
    /// All that was durably given to one of these people, or of these keys.
    ///
    /// # Errors
    /// When the log cannot be read.
    fn given(&self, subjects: &[UserId], keys: &[KeyId]) -> Result<Vec<Pair>, LogError>;
}
