//! Look-ups by e-mail or phone without keeping either: a keyed hash stands for it.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::RngCore as _;
use sha2::Sha256;
use uuid::Uuid;

use crate::error::LogError;
use crate::event::Hash;
use crate::head_folder;
use crate::private_file::private;

const SECRET_BYTES: usize = 32;
const BLOCK_BYTES: usize = 64;

/// Turns a handle (e-mail, phone) into a value that finds it again and tells nothing about it without the server's
/// secret.
#[derive(Clone)]
pub struct HandleHasher {
    /// Has taken the secret in: half of what a hash of a short text costs, and an enquiry is found by dozens.
    keyed: Hmac<Sha256>,
}

fn random_secret() -> [u8; SECRET_BYTES] {
    let mut secret = [0; SECRET_BYTES];
    rand::rng().fill_bytes(&mut secret);
    secret
}

impl std::fmt::Debug for HandleHasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HandleHasher")
    }
}

impl HandleHasher {
    /// A secret that lives as long as the process.
    pub fn random() -> Self {
        Self::keyed(&random_secret())
    }

    fn keyed(secret: &[u8; SECRET_BYTES]) -> Self {
        // HMAC itself fills a key up to its block with zeros; doing so here makes the call one that cannot fail.
        let mut key = [0; BLOCK_BYTES];
        key[..SECRET_BYTES].copy_from_slice(secret);
        Self {
            keyed: Hmac::<Sha256>::new(&key.into()),
        }
    }

    /// The server's secret, made at the first start and kept in a file that its owner alone may read.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let problem = |error: std::io::Error| LogError::Storage(format!("{}: {error}", path.display()));
        match fs::read(path) {
            Ok(secret) => Self::from_file(&secret, path),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Written beside and linked into place, so that a crash leaves no half secret behind.
                let beside = path.with_extension("new");
                private(&beside)?;
                let mut file = fs::File::create(&beside).map_err(problem)?;
                file.write_all(&random_secret())
                    .and_then(|()| file.sync_all())
                    .map_err(problem)?;
                match fs::hard_link(&beside, path) {
                    Ok(()) => {}
                    // Another process was faster; its secret is the one.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(problem(error)),
                }
                // The log notes which secret it was made with: the name must not be lost with the power after that.
                if let Some(folder) = path.parent() {
                    head_folder::synced(folder).map_err(problem)?;
                }
                fs::remove_file(&beside).map_err(problem)?;
                let secret = fs::read(path).map_err(problem)?;
                Self::from_file(&secret, path)
            }
            Err(error) => Err(problem(error)),
        }
    }

    fn from_file(bytes: &[u8], path: &Path) -> Result<Self, LogError> {
        let secret: [u8; SECRET_BYTES] = bytes.try_into().map_err(|_| {
            LogError::Storage(format!("{} does not hold {SECRET_BYTES} bytes", path.display()))
        })?;
        Ok(Self::keyed(&secret))
    }

    /// The secret that several nodes share.
    ///
    /// # Errors
    /// When these are not as many bytes as a secret has.
    pub fn kept(bytes: &[u8]) -> Result<Self, LogError> {
        let secret: [u8; SECRET_BYTES] = bytes.try_into().map_err(|_| {
            LogError::Storage(format!(
                "the secret of look-ups does not hold {SECRET_BYTES} bytes"
            ))
        })?;
        Ok(Self::keyed(&secret))
    }

    /// The keyed hash of a handle. `kind` ("email", "phone") keeps equal texts of different kinds apart; the caller
    /// normalises `handle` first (lower case, E.164).
    pub fn hash(&self, kind: &str, handle: &str) -> Hash {
        let mut mac = self.keyed.clone();
        mac.update(&(kind.len() as u64).to_be_bytes());
        mac.update(kind.as_bytes());
        mac.update(handle.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// What tells this secret from another one, and nothing of it.
    pub fn mark(&self) -> Hash {
        self.hash("mark", "")
    }

    /// A stream's id made of the keyed hash, so that each handle has exactly one stream.
    pub fn id(&self, kind: &str, handle: &str) -> Uuid {
        let hash = self.hash(kind, handle);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}
