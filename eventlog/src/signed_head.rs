//! The log's end, signed: who holds the public key can tell later that the log held just this at that time, whatever was
//! done to the database since.

use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use domain::moment::Moment;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use rand::RngCore as _;
use serde::{Deserialize, Serialize};

use crate::chain;
use crate::error::LogError;
use crate::event::Hash;
use crate::hexadecimal;
use crate::private_file::private;
use crate::stream::Position;
use crate::verify::Anchor;

/// What is signed begins with this, so that no other signature of the key can be taken for one of a head.
const DOMAIN: &[u8] = b"latchkey signed head 1\0";
const SECRET_BYTES: usize = 32;

/// Names a key: the beginning of the digest of its public half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KeyId(#[serde(with = "hexadecimal")] pub [u8; 8]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// The half of a signing key that anybody may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    pub(crate) const fn half(&self) -> &VerifyingKey {
        &self.0
    }

    /// Reads its 32 bytes; `None` where they are no key.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.try_into().ok()?;
        VerifyingKey::from_bytes(bytes).ok().map(Self)
    }

    /// Reads it as [`fmt::Display`] writes it.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_bytes(&hex::decode(text.trim()).ok()?)
    }

    /// Its 32 bytes.
    pub fn bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Its name.
    pub fn id(&self) -> KeyId {
        let digest = chain::digest(self.0.as_bytes());
        let mut id = [0; 8];
        id.copy_from_slice(&digest[..8]);
        KeyId(id)
    }

    /// Whether the key has signed this head.
    pub fn has_signed(&self, head: &SignedHead) -> bool {
        let signature = Signature::from_bytes(&head.signature);
        head.key == self.id() && self.0.verify_strict(&head.message(), &signature).is_ok()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.bytes()))
    }
}

/// The log as it stood at an event, signed. Its written form holds what the signature covers and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedHead {
    /// The last event.
    pub position: Position,
    /// Where the head signed before it stands; 0 for the first.
    pub previous: Position,
    /// The chain's value at the last event.
    #[serde(with = "hexadecimal")]
    pub chain: Hash,
    /// The root over the roots of all segments, the unfinished one included.
    #[serde(with = "hexadecimal")]
    pub root: Hash,
    /// When, in microseconds UTC.
    pub signed_at_us: i64,
    /// By which key.
    pub key: KeyId,
    /// Ed25519.
    #[serde(with = "hexadecimal")]
    pub signature: [u8; 64],
}

impl SignedHead {
    /// The end it speaks of.
    pub fn anchor(&self) -> Anchor {
        Anchor {
            position: self.position,
            chain: self.chain,
        }
    }

    /// When it was signed.
    pub fn signed_at(&self) -> Moment {
        Moment::from_timestamp_micros(self.signed_at_us).unwrap_or_default()
    }

    fn message(&self) -> Vec<u8> {
        [
            DOMAIN,
            &self.position.to_be_bytes(),
            &self.previous.to_be_bytes(),
            &self.chain,
            &self.root,
            &self.signed_at_us.to_be_bytes(),
            &self.key.0,
        ]
        .concat()
    }
}

/// A signing key. Its secret half lies in a file of its own, readable by its owner alone, never in a database and in no
/// backup.
pub struct Signer {
    key: SigningKey,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.public().id())
    }
}

impl Signer {
    /// The key in a file, made when there is none.
    ///
    /// # Errors
    /// When the file cannot be made or read, or holds something else.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        match fs::read(path) {
            Ok(secret) => Self::from_file(&secret, path),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let beside = written_beside(path)?;
                match fs::hard_link(&beside, path) {
                    Ok(()) => {}
                    // Another process was faster; its key is the one.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(failed(path, &error)),
                }
                fs::remove_file(&beside).map_err(|error| failed(&beside, &error))?;
                let secret = fs::read(path).map_err(|error| failed(path, &error))?;
                Self::from_file(&secret, path)
            }
            Err(error) => Err(failed(path, &error)),
        }
    }

    /// Puts a new key in the place of the one in the file.
    ///
    /// # Errors
    /// As [`Signer::open`].
    pub fn renew(path: &Path) -> Result<Self, LogError> {
        let beside = written_beside(path)?;
        if let Err(error) = fs::rename(&beside, path) {
            // Nobody shall find the secret of a key that was never used.
            let _stays = fs::remove_file(&beside);
            return Err(failed(path, &error));
        }
        Self::open(path)
    }

    fn from_file(bytes: &[u8], path: &Path) -> Result<Self, LogError> {
        let secret: &[u8; SECRET_BYTES] = bytes.try_into().map_err(|_| {
            LogError::Storage(format!("{} does not hold {SECRET_BYTES} bytes", path.display()))
        })?;
        Ok(Self {
            key: SigningKey::from_bytes(secret),
        })
    }

    pub(crate) const fn secret(&self) -> &SigningKey {
        &self.key
    }

    /// The half that can be handed out.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.key.verifying_key())
    }

    pub(crate) fn sign(&self, end: Anchor, previous: Position, root: Hash, at: Moment) -> SignedHead {
        let mut head = SignedHead {
            position: end.position,
            previous,
            chain: end.chain,
            root,
            signed_at_us: at.timestamp_micros(),
            key: self.public().id(),
            signature: [0; 64],
        };
        head.signature = self.key.sign(&head.message()).to_bytes();
        head
    }
}

/// Writes a fresh secret into a file of its own, so that a crash leaves no half secret in the key's place.
fn written_beside(path: &Path) -> Result<PathBuf, LogError> {
    let beside = path.with_extension(format!("new-{}", std::process::id()));
    private(&beside)?;
    let mut secret = [0; SECRET_BYTES];
    rand::rng().fill_bytes(&mut secret);
    fs::File::create(&beside)
        .and_then(|mut file| {
            file.write_all(&secret)?;
            file.sync_all()
        })
        .map_err(|error| failed(&beside, &error))?;
    Ok(beside)
}

fn failed(path: &Path, error: &std::io::Error) -> LogError {
    LogError::Storage(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end() -> Anchor {
        Anchor {
            position: 7,
            chain: [1; 32],
        }
    }

    /// A signature covers everything a head says and counts for its own key alone.
    #[test]
    fn signature_covers_the_whole_head_and_its_own_key_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let owner = Signer::open(&dir.path().join("signing.key")).expect("a key");
        let head = owner.sign(end(), 3, [2; 32], Moment::default());
        let public = PublicKey::parse(&owner.public().to_string()).expect("it reads as it is written");
        assert!(public.has_signed(&head));
        let changes: [fn(&mut SignedHead); 7] = [
            |head| head.position += 1,
            |head| head.previous += 1,
            |head| head.chain[31] ^= 1,
            |head| head.root[0] ^= 1,
            |head| head.signed_at_us += 1,
            |head| head.key.0[0] ^= 1,
            |head| head.signature[5] ^= 1,
        ];
        for (place, change) in changes.into_iter().enumerate() {
            let mut other = head.clone();
            change(&mut other);
            assert!(!public.has_signed(&other), "change {place}");
        }
        let other = Signer::open(&dir.path().join("other.key")).expect("a key");
        assert!(!other.public().has_signed(&head));
    }

    /// A line that was written once reads for ever and one with a word more is no head.
    #[test]
    fn head_line_reads_for_ever_and_refuses_extra_words() {
        let line = format!(
            r#"{{"position":7,"previous":3,"chain":"{}","root":"{}","signed_at_us":0,"key":"{}","signature":"{}"}}"#,
            "01".repeat(32),
            "02".repeat(32),
            "03".repeat(8),
            "04".repeat(64)
        );
        let head: SignedHead = serde_json::from_str(&line).expect("a head");
        assert_eq!((head.anchor(), head.previous), (end(), 3));
        assert_eq!(serde_json::to_string(&head).expect("JSON"), line);
        let more = line.replacen('{', r#"{"approved":true,"#, 1);
        assert!(serde_json::from_str::<SignedHead>(&more).is_err());
    }

    #[test]
    fn the_key_is_its_owners_alone_comes_back_and_can_be_renewed() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("signing.key");
        let first = Signer::open(&path).expect("a key").public();
        assert_eq!(Signer::open(&path).expect("the same key").public(), first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(&path).expect("the file").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{mode:o}");
        }
        let second = Signer::renew(&path).expect("another key").public();
        assert_ne!(first, second);
        assert_eq!(Signer::open(&path).expect("it stays").public(), second);
        assert_eq!(fs::read_dir(dir.path()).expect("the folder").count(), 1);
        fs::write(&path, b"short").expect("written");
        assert!(Signer::open(&path).is_err());
    }
}
