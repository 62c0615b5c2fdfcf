//! Words that a colleague writes with a decision about a statement's line. Each note is sealed as a document of its own, so that one is
//! written and removed without the statement; the log holds its id alone.

use std::collections::BTreeMap;

use domain::bank_statements::KeptStatement;
use domain::contact::named_in::KnownPerson;
use uuid::Uuid;

use super::{StatementError, StatementStore};

impl StatementStore<'_> {
    /// Seals a note under a new key; gives the name of both. Durable before the log speaks of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn keep_note(&self, words: &str) -> Result<Uuid, StatementError> {
        self.keep_sealed(words.as_bytes().to_vec()).await
    }

    /// Opens the notes of a statement's lines, by the line's place. A note that named a forgotten person is not among them.
    ///
    /// # Errors
    /// When one cannot be read.
    pub async fn open_notes(&self, kept: &KeptStatement) -> Result<BTreeMap<u32, String>, StatementError> {
        let mut opened = BTreeMap::new();
        for (place, note_id) in kept.list_notes() {
            if let Some(words) = self.open_note(note_id).await? {
                opened.insert(place, words);
            }
        }
        Ok(opened)
    }

    /// Opens a note; `None` once it was removed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn open_note(&self, note_id: Uuid) -> Result<Option<String>, StatementError> {
        match self.open_sealed(note_id).await {
            Ok(plain) => Ok(Some(String::from_utf8_lossy(&plain).into_owned())),
            Err(error) if error.is_gone() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes each note of a statement that names a person.
    pub(super) async fn remove_notes_about(
        &self,
        kept: &KeptStatement,
        person: &KnownPerson,
    ) -> Result<(), StatementError> {
        for (_, note_id) in kept.list_notes() {
            let words = self.open_note(note_id).await?;
            if words.is_some_and(|words| person.is_named_in(&words)) {
                self.destroy(note_id).await?;
            }
        }
        Ok(())
    }
}
