//! Signs the log's end every minute while it grows, and once more when the server stops: in the log's database and in a
//! folder that may lie elsewhere.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use eventlog::{Audit, EventLog, HeadFolder, PublicKey, Signer};
use platform::clock;
use platform::config::Settings;
use tables::Place;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// How often the end is signed, when it has moved.
const SIGNED_EVERY: Duration = Duration::from_mins(1);
/// The secret half of the key, in the data folder.
pub const KEY_FILE: &str = "signing.key";
/// The folder of signed heads, in the data folder unless a setting names another.
pub const HEADS: &str = "heads";
/// The public keys that count, in that folder.
const KEYS: &str = "keys";

/// The key, and where signed heads go outside of the database.
#[derive(Debug, Clone)]
pub struct Notary {
    key: PathBuf,
    outside: HeadFolder,
}

impl Notary {
    /// # Errors
    /// One sentence when the folder or the key cannot be used.
    pub fn open(settings: &Settings) -> Result<Self, String> {
        let notary = Self {
            key: settings.data_dir.join(KEY_FILE),
            outside: outside(settings)?,
        };
        let _turn = notary.turn()?;
        notary.warn_of_a_new_folder();
        let key = notary.key()?;
        let trusted = notary.outside.trust(&key);
        trusted.map_err(|error| format!("the signing key cannot be made known: {error}"))?;
        Ok(notary)
    }

    /// A key that has signed and a folder without any key: the folder was lost, and what is made in its place proves no more than the
    /// database does.
    fn warn_of_a_new_folder(&self) {
        if self.key.is_file() && self.outside.keys().is_ok_and(|keys| keys.is_empty()) {
            tracing::warn!(
                "the folder of signed heads is empty, and is made anew from the database: put its files back from the copy \
                 outside, then run `latchkey verify` (docs/runbooks/signed-heads-missing.md)"
            );
        }
    }

    pub fn outside(&self) -> &HeadFolder {
        &self.outside
    }

    /// The public half of the key that signs now.
    ///
    /// # Errors
    /// As [`Notary::open`].
    pub fn key(&self) -> Result<PublicKey, String> {
        Ok(self.signer()?.public())
    }

    /// Signs a text for a purpose, with the key that signs now.
    ///
    /// # Errors
    /// As [`Notary::open`].
    pub fn sign_text(&self, purpose: &str, text: &[u8]) -> Result<[u8; 64], String> {
        Ok(self.signer()?.sign_text(purpose, text))
    }

    /// Whether a key that this server trusts has signed the text for the purpose: the one that signs now, or an earlier one.
    ///
    /// # Errors
    /// As [`Notary::open`].
    pub fn has_signed_text(&self, purpose: &str, text: &[u8], signature: &[u8; 64]) -> Result<bool, String> {
        let own = self.key()?;
        let earlier = self.outside.keys().map_err(|error| error.to_string())?;
        let mut keys = earlier.iter().map(|trusted| &trusted.key).chain([&own]);
        Ok(keys.any(|key| key.has_signed_text(purpose, text, signature)))
    }

    /// Puts a new key in the old one's place: a running server signs with it from its next head on. What the old one has
    /// signed stays good.
    ///
    /// # Errors
    /// As [`Notary::open`].
    pub fn renew(&self) -> Result<PublicKey, String> {
        // Of two at once, each would put the same key away, and the first one's new key would count for ever.
        let _turn = self.turn()?;
        let old = self.key()?;
        let renewed = Signer::renew(&self.key).and_then(|signer| {
            self.outside.trust(&signer.public())?;
            // Another process may be signing with the old one just now.
            self.outside.put_away(&old, clock::now() + SIGNED_EVERY)?;
            Ok(signer.public())
        });
        renewed.map_err(|error| format!("the key cannot be renewed: {error}"))
    }

    /// Signs the log's end unless it is signed. The key is read each time: it may have been renewed.
    pub async fn sign(&self, log: &EventLog) {
        // An engine without a chain has no end that a signature could stand for.
        if !log.capabilities().chain {
            return;
        }
        let signed = match self.signer() {
            Ok(signer) => log
                .sign_head(&signer, &self.outside, clock::now())
                .await
                .map_err(|error| error.to_string()),
            Err(problem) => Err(problem),
        };
        metrics::gauge!("latchkey_log_unsigned").set(if signed.is_ok() { 0.0 } else { 1.0 });
        match signed {
            Ok(Some(head)) => tracing::debug!(position = head.position, "the log's end is signed"),
            Ok(None) => {}
            Err(problem) => tracing::error!(problem, "the log's end could not be signed"),
        }
    }

    /// Signs, now and then.
    pub async fn watch(self, log: EventLog, mut stop: watch::Receiver<bool>) {
        let mut tick = tokio::time::interval(SIGNED_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            self.sign(&log).await;
        }
    }

    /// Waits until no other process looks after the keys; lasts until it is dropped.
    fn turn(&self) -> Result<File, String> {
        let folder = self.key.parent().unwrap_or(&self.key);
        let turn = File::open(folder).and_then(|folder| folder.lock().map(|()| folder));
        turn.map_err(|error| format!("`{}` cannot be locked: {error}", folder.display()))
    }

    fn signer(&self) -> Result<Signer, String> {
        Signer::open(&self.key).map_err(|error| format!("the signing key cannot be used: {error}"))
    }
}

/// Says what to do about a folder of signed heads that has none of the keys which signed the log, or lines that are no heads.
pub fn put_back(settings: &Settings, audit: &Audit) -> &'static str {
    if !audit.unreadable.is_empty() {
        "put these files back from the copy outside"
    } else if has_joined_later(settings, audit) {
        "this node has signed nothing yet; let `heads_dir` of all nodes be one folder, or copy `keys/` of the other nodes' folders into \
         this one"
    } else {
        "it was deleted or is another one; put it back from the copy outside"
    }
}

/// Whether other nodes alone have signed, so that their keys cannot be expected in this one's own folder.
pub fn has_joined_later(settings: &Settings, audit: &Audit) -> bool {
    let file = settings.data_dir.join(KEY_FILE);
    let own = file.is_file().then(|| Signer::open(&file).ok()).flatten();
    matches!(settings.place(), Place::Postgres(_))
        && own.is_none_or(|own| !audit.signers.contains(&own.public()))
}

/// The folder of signed heads, as the settings say.
///
/// # Errors
/// One sentence when it cannot be used.
pub fn outside(settings: &Settings) -> Result<HeadFolder, String> {
    folder(&heads_dir(settings))
}

/// The path of the folder of signed heads, as the settings say.
pub fn heads_dir(settings: &Settings) -> PathBuf {
    let dir = settings.heads_dir.clone();
    dir.unwrap_or_else(|| settings.data_dir.join(HEADS))
}

/// Copies the keys and the signed heads of one folder into another; what else lies in it (`lost+found` of a disk) is left out.
///
/// # Errors
/// When a file cannot be read or written.
pub fn copy_heads(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.join(KEYS))?;
    for file in list_heads(from)? {
        let copy = to.join(&file);
        fs::copy(from.join(&file), &copy)?;
        File::open(&copy)?.sync_all()?;
    }
    Ok(())
}

/// Whether a folder holds no signed heads and no keys, or is not there.
pub fn has_no_heads(dir: &Path) -> bool {
    match list_heads(dir) {
        Ok(files) => files.is_empty(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// The files of heads and keys in a folder, as paths below it.
fn list_heads(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (below, ending) in [("", HEADS), (KEYS, "pub")] {
        let entries = match fs::read_dir(dir.join(below)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && below == KEYS => continue,
            entries => entries?,
        };
        for entry in entries {
            let file = Path::new(below).join(entry?.file_name());
            if file.extension().is_some_and(|it| it == ending) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

/// A folder of signed heads.
///
/// # Errors
/// One sentence when it cannot be used.
pub fn folder(dir: &Path) -> Result<HeadFolder, String> {
    HeadFolder::open(dir).map_err(|error| format!("the folder of signed heads cannot be used: {error}"))
}
