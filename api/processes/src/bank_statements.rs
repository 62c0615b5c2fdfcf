//! Statements of the bank as they are kept: each sealed under a key of its own, which belongs to no person and is destroyed with it.
//! Whoever is forgotten goes out of them line by line; after seven years a statement goes whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use domain::bank_statements::{
    BANK_STATEMENTS, BankStatements, BankStatementsCommand, BankStatementsRejection, CoveredDays, KeptFile,
    KeptStatement,
};
use domain::contact::named_in::KnownPerson;
use domain::id::UserId;
use domain::moment::Moment;
use eventlog::{Actor, CommitError, Context, EventLog, LogError, commit};
use platform::clock;
use platform::desk::Desk;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use statements::Statement;
use uuid::Uuid;

use crate::document_store::{self, DocumentError, DocumentStore};

mod notes;

/// A statement's file and what was read of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredStatement {
    pub statement: Statement,
    /// Names in lines when they were read, by their place: they outlast the words.
    pub sources: BTreeMap<usize, Vec<String>>,
    /// Lines whose words were removed.
    #[serde(default)]
    pub redacted: BTreeSet<usize>,
    /// The file in hex; `None` once someone whom it named was forgotten.
    pub file: Option<String>,
}

impl StoredStatement {
    /// Puts a file and its reading together.
    pub fn new(statement: Statement, sources: BTreeMap<usize, Vec<String>>, file: &[u8]) -> Self {
        Self {
            statement,
            sources,
            redacted: BTreeSet::new(),
            file: Some(hex::encode(file)),
        }
    }

    /// The file's bytes, while they are kept.
    pub fn read_file(&self) -> Option<Vec<u8>> {
        hex::decode(self.file.as_ref()?).ok()
    }

    /// Removes every text that names a person; says how many lines lost their words, `None` where nothing named them. Amounts, days and what
    /// a line was matched to stay. The file itself goes with the first such text.
    fn redact(&mut self, person: &KnownPerson) -> Option<u32> {
        let file = self.read_file().unwrap_or_default();
        let is_in_file = statements::decode(&file).is_ok_and(|text| person.is_named_in(&text));
        let mut lines = 0;
        for (place, entry) in self.statement.entries.iter_mut().enumerate() {
            if person.is_named_in(&entry.reference) {
                let sources = self.sources.get(&place);
                entry.reference = sources.map(|ids| ids.join(" ")).unwrap_or_default();
                self.redacted.insert(place);
                lines += 1;
            }
        }
        for row in &mut self.statement.not_read {
            if person.is_named_in(&row.text) {
                row.text.clear();
                lines += 1;
            }
        }
        if lines == 0 && !is_in_file {
            return None;
        }
        self.file = None;
        Some(lines)
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Runs what takes long beside the answers.
async fn run_aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StatementError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| StatementError::Refused(error.to_string()))
}

/// A statement that was given in, as it is kept.
#[derive(Debug, Clone)]
pub struct TakenIn {
    pub kept: KeptStatement,
    /// The same file was kept before.
    pub was_known: bool,
}

/// A file as the log knows it: nothing of its words.
fn describe(
    statement: &Statement,
    (document_id, digest, reading): (Uuid, String, String),
    bytes: usize,
) -> KeptFile {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let covered = statement.covered.iter().map(|covered| CoveredDays {
        currency: covered.currency.clone(),
        first: covered.first,
        last: covered.last,
    });
    KeptFile {
        statement_id: document_id,
        document_id,
        digest,
        reading,
        form: statement.form.name().to_owned(),
        account_end: statement.account_end.clone(),
        bytes: bytes as u64,
        rows: count(statement.rows),
        lines: count(statement.entries.len()),
        covered: covered.collect(),
    }
}

/// Why a statement could not be kept, read or removed.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Sealed(#[from] eventlog::CodecError),
    #[error("its key is gone")]
    Keyless,
    #[error("it is stored in another form: {0}")]
    Form(#[from] serde_json::Error),
    #[error(transparent)]
    Rejected(#[from] BankStatementsRejection),
    #[error("{0}")]
    Refused(String),
}

impl StatementError {
    /// Whether the document or its key was deleted.
    pub fn is_gone(&self) -> bool {
        match self {
            Self::Keyless | Self::Document(DocumentError::Database(sqlx::Error::RowNotFound)) => true,
            Self::Document(DocumentError::File(error)) => error.kind() == std::io::ErrorKind::NotFound,
            _ => false,
        }
    }
}

impl From<CommitError<BankStatementsRejection>> for StatementError {
    fn from(error: CommitError<BankStatementsRejection>) -> Self {
        match error {
            CommitError::Log(error) => Self::Log(error),
            CommitError::Rejected(rejection) => Self::Rejected(rejection),
            other => Self::Refused(other.to_string()),
        }
    }
}

/// Every statement that is kept.
///
/// # Errors
/// When the log cannot be read.
pub async fn load(log: &EventLog) -> Result<BankStatements, LogError> {
    Ok(log.load::<BankStatements>(BANK_STATEMENTS).await?.state)
}

/// Payouts that finance matched to a line of a statement: they arrived, whatever the provider says.
///
/// # Errors
/// When the log cannot be read.
pub async fn list_matched(log: &EventLog) -> Result<BTreeSet<String>, LogError> {
    let kept = load(log).await?;
    Ok(kept.matched_payouts().map(str::to_owned).collect())
}

/// Where sealed statements are kept.
#[derive(Clone, Copy)]
pub struct StatementStore<'s> {
    pub log: &'s EventLog,
    pub desk: &'s Desk,
    pub data_dir: &'s Path,
}

impl StatementStore<'_> {
    fn documents(&self) -> DocumentStore {
        DocumentStore::new(self.desk.clone(), self.data_dir)
    }

    /// Seals a statement under a new key; gives the name of both. Durable before the log speaks of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn keep(&self, stored: &StoredStatement) -> Result<Uuid, StatementError> {
        let stored = stored.clone();
        let plain = run_aside(move || serde_json::to_vec(&stored)).await??;
        self.keep_sealed(plain).await
    }

    async fn keep_sealed(&self, plain: Vec<u8>) -> Result<Uuid, StatementError> {
        let document_id = clock::new_id();
        let sealed = self
            .log
            .seal_file(UserId(document_id), document_id, plain)
            .await?;
        let sealed = sealed.ok_or(StatementError::Keyless)?;
        self.documents().keep(document_id, sealed).await?;
        Ok(document_id)
    }

    /// Keeps a file that was read: sealed, with its hash, who gave it in and when. The same file with the same reading is kept once.
    ///
    /// # Errors
    /// When lines of it were decided as it was read before, or it cannot be written.
    pub async fn take_in(
        &self,
        stored: &StoredStatement,
        by: UserId,
        context: &Context,
    ) -> Result<TakenIn, StatementError> {
        let file = stored.read_file().unwrap_or_default();
        let (digest, reading) = (digest(&file), digest(&serde_json::to_vec(&stored.statement)?));
        let before = load(self.log).await?.find(&digest).cloned();
        if let Some(kept) = &before {
            if kept.file.reading == reading || kept.redacted > 0 {
                let (kept, was_known) = (kept.clone(), true);
                return Ok(TakenIn { kept, was_known });
            }
            if !kept.lines.is_empty() {
                return Err(BankStatementsRejection::ReadOtherwise.into());
            }
        }
        let document_id = self.keep(stored).await?;
        let file = describe(&stored.statement, (document_id, digest, reading), file.len());
        let digest = file.digest.clone();
        let command = BankStatementsCommand::Keep {
            file,
            by,
            at: context.at,
        };
        let kept = match commit::<BankStatements>(self.log, BANK_STATEMENTS, command, context).await {
            Ok(committed) => committed.state.find(&digest).cloned(),
            // Whether it was taken in is not known after a failure of the log: then the document stays.
            Err(CommitError::Log(error)) => return Err(error.into()),
            Err(error) => {
                self.destroy(document_id).await?;
                return Err(error.into());
            }
        };
        let kept = kept.ok_or(BankStatementsRejection::Unknown)?;
        let is_other = |document: &Uuid| *document != kept.file.document_id;
        for document in kept
            .replaced
            .iter()
            .chain([&document_id])
            .filter(|id| is_other(id))
        {
            self.destroy(*document).await?;
        }
        let was_known = before.is_some() || is_other(&document_id);
        Ok(TakenIn { kept, was_known })
    }

    /// Opens a statement.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn open(&self, document_id: Uuid) -> Result<StoredStatement, StatementError> {
        let plain = self.open_sealed(document_id).await?;
        Ok(run_aside(move || serde_json::from_slice(&plain)).await??)
    }

    async fn open_sealed(&self, document_id: Uuid) -> Result<Vec<u8>, StatementError> {
        let sealed = self.documents().kept(document_id).await?;
        let plain = self
            .log
            .open_file(UserId(document_id), document_id, sealed)
            .await?;
        plain.ok_or(StatementError::Keyless)
    }

    /// Deletes a sealed statement or note and its key; copies in backups cannot be opened either.
    ///
    /// # Errors
    /// When one of them cannot be deleted; it may be tried again.
    pub async fn destroy(&self, document_id: Uuid) -> Result<(), StatementError> {
        self.log.forget_subject(UserId(document_id)).await?;
        let erased = document_store::erase(self.data_dir, self.desk, &BTreeSet::from([document_id])).await;
        erased.map(drop).map_err(StatementError::Refused)
    }

    /// Removes the words that name a person from every statement, and the notes of colleagues that do; says how many lines there were.
    ///
    /// # Errors
    /// When a statement cannot be read or written; what was done before stays done, and it may be tried again.
    pub async fn redact(&self, person: &KnownPerson, context: &Context) -> Result<u32, StatementError> {
        let mut removed = 0;
        if person.is_empty() {
            return Ok(removed);
        }
        for (statement_id, kept) in load(self.log).await?.kept {
            self.remove_notes_about(&kept, person).await?;
            removed += self.redact_one(statement_id, &kept, person, context).await?;
        }
        Ok(removed)
    }

    async fn redact_one(
        &self,
        statement_id: Uuid,
        kept: &KeptStatement,
        person: &KnownPerson,
        context: &Context,
    ) -> Result<u32, StatementError> {
        // An earlier run may have been cut off before these went.
        for replaced in &kept.replaced {
            self.destroy(*replaced).await?;
        }
        let mut stored = match self.open(kept.file.document_id).await {
            Ok(stored) => stored,
            // In a folder made from an older backup its key is gone: no text can be read.
            Err(error) if error.is_gone() => return Ok(0),
            Err(error) => return Err(error),
        };
        let (person, at) = (person.clone(), context.at);
        let redacting = run_aside(move || {
            let lines = stored.redact(&person);
            (stored, lines)
        });
        let (stored, lines) = redacting.await?;
        let Some(lines) = lines else {
            return Ok(0);
        };
        // One command for each statement: all of them are of one stream.
        let context = Context {
            command_id: None,
            command_digest: None,
            ..context.clone()
        };
        let command = BankStatementsCommand::Redact {
            statement_id,
            document_id: self.keep(&stored).await?,
            lines,
            at,
        };
        commit::<BankStatements>(self.log, BANK_STATEMENTS, command, &context).await?;
        self.destroy(kept.file.document_id).await?;
        Ok(lines)
    }

    /// Removes statements whose time is over; says how many there were.
    ///
    /// # Errors
    /// When one cannot be removed; the next run tries it again.
    pub async fn remove_expired(&self, now: Moment) -> Result<usize, StatementError> {
        let all = load(self.log).await?;
        let mut removed = 0;
        for kept in all.list_expired(now) {
            for (_, note_id) in kept.list_notes() {
                self.destroy(note_id).await?;
            }
            for document in kept.replaced.iter().chain([&kept.file.document_id]) {
                self.destroy(*document).await?;
            }
            let command = BankStatementsCommand::Remove {
                statement_id: kept.file.statement_id,
                at: now,
            };
            let context = Context::new(now, Actor::RULE);
            commit::<BankStatements>(self.log, BANK_STATEMENTS, command, &context).await?;
            removed += 1;
        }
        Ok(removed)
    }
}
