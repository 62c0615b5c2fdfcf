//! A photo or a plan at one place, an address or a file that an import found: whether it was fetched, and what it is. Its stream is named
//! after the place, so that two homes with one address share it; two places with the same bytes share the picture by its content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use uuid::Builder;

use crate::aggregate::Decide;
use crate::id::{PhotoId, UserId};
use crate::sealed::{Sealable, Sealed};
use crate::shape::as_it_is;
use crate::{aggregate, event_names};

pub mod sizes;

/// Bytes of a SHA-256.
const HASH_BYTES: usize = 32;
/// A place that is no address: the hash of the bytes behind it names them in the picture store.
const KEPT_BYTES: &str = "sha256:";

/// The SHA-256 of a picture's original bytes, by which it is kept and served; written in hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash([u8; HASH_BYTES]);

/// Why a text is no hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a hash has 64 digits from 0 to 9 and a to f")]
pub struct NoHash;

impl ContentHash {
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ContentHash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Self, NoHash> {
        let digits = text.as_bytes();
        if digits.len() != HASH_BYTES * 2 {
            return Err(NoHash);
        }
        let mut bytes = [0_u8; HASH_BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (read_digit(pair[0])? << 4) | read_digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

/// Capitals are none: a picture has one address.
const fn read_digit(digit: u8) -> Result<u8, NoHash> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(NoHash),
    }
}

impl TryFrom<String> for ContentHash {
    type Error = NoHash;

    fn try_from(text: String) -> Result<Self, NoHash> {
        text.parse()
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.to_string()
    }
}

impl PhotoId {
    /// The photo at a place.
    pub fn of_place(place: &str) -> Self {
        let digest = Sha256::digest(place.as_bytes());
        let mut bytes = [0_u8; 16];
        for (to, from) in bytes.iter_mut().zip(digest) {
            *to = from;
        }
        Self(Builder::from_custom_bytes(bytes).into_uuid())
    }
}

/// The place of bytes that an import has put into the picture store.
pub fn kept_place(content: ContentHash) -> String {
    format!("{KEPT_BYTES}{content}")
}

/// The hash of the bytes in the picture store that a place names; `None` for an address.
pub fn read_kept_place(place: &str) -> Option<ContentHash> {
    place.strip_prefix(KEPT_BYTES)?.parse().ok()
}

/// Formats that are taken (U9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhotoFormat {
    Jpeg,
    Png,
    Webp,
}

impl PhotoFormat {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }
}

/// A fetched picture, upright.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    pub content: ContentHash,
    /// Pixels, as the photo is shown.
    pub width: u32,
    pub height: u32,
    /// Of the original.
    pub format: PhotoFormat,
    /// Bytes of the original.
    pub bytes: u64,
    /// A few pixels as a data URL, shown until the photo is there.
    pub preview: String,
}

/// Why there is no photo. A later fetch may succeed where the reason is temporary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhotoRefusal {
    /// The host says that there is no such file.
    Gone,
    /// No answer, or none that is whole, however often it was asked.
    Unreachable,
    /// The address leads to no public host.
    NotPermitted,
    /// More than 20 MB.
    TooLarge,
    /// More than 50 megapixels.
    TooManyPixels,
    /// HEIC or AVIF: it is to be saved as JPEG (U9).
    FormatNotTaken,
    NotAPicture,
    /// A picture that breaks off or contradicts itself.
    Damaged,
}

impl PhotoRefusal {
    pub const ALL: [Self; 8] = [
        Self::Gone,
        Self::Unreachable,
        Self::NotPermitted,
        Self::TooLarge,
        Self::TooManyPixels,
        Self::FormatNotTaken,
        Self::NotAPicture,
        Self::Damaged,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Unreachable => "unreachable",
            Self::NotPermitted => "not_permitted",
            Self::TooLarge => "too_large",
            Self::TooManyPixels => "too_many_pixels",
            Self::FormatNotTaken => "format_not_taken",
            Self::NotAPicture => "not_a_picture",
            Self::Damaged => "damaged",
        }
    }

    /// True where the same address may hold a photo another day: an operator may permit a socket of their own network later.
    pub const fn is_temporary(self) -> bool {
        matches!(self, Self::Gone | Self::Unreachable | Self::NotPermitted)
    }
}

/// Commands to a photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhotoCommand {
    Take {
        place: String,
        taken: Box<Taken>,
    },
    Refuse {
        place: String,
        refusal: PhotoRefusal,
        /// The status of the host's answer, where it gave one.
        answered: Option<u16>,
    },
    /// Have one that could not be had asked for once more, at once.
    AskAgain {
        by: UserId,
    },
    TakeDown {
        by: UserId,
        reason: String,
        /// True where it may be shown again for a while.
        keeps_original: bool,
    },
    /// Show one again that was taken down.
    Restore {
        by: UserId,
        reason: String,
    },
}

/// Events of a photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhotoEvent {
    Fetched {
        place: String,
        taken: Box<Taken>,
    },
    Refused {
        place: String,
        refusal: PhotoRefusal,
        /// The status of the host's answer; unsaid where it gave none, and before version 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answered: Option<u16>,
    },
    /// A person wants it asked for once more.
    AskedAgain {
        by: UserId,
    },
    /// Its content is shown nowhere any more, whichever place it comes from.
    TakenDown {
        content: ContentHash,
        by: UserId,
        /// True where the original stays for [`RESTORABLE_DAYS`]; it was deleted at once before version 2.
        #[serde(default)]
        keeps_original: bool,
        #[serde(skip)]
        reason: Sealed<String>,
    },
    /// Its content is shown again, from every place that it comes from.
    Restored {
        content: ContentHash,
        by: UserId,
        #[serde(skip)]
        reason: Sealed<String>,
    },
}

/// Days that the original of a photo stays after it was taken down.
pub const RESTORABLE_DAYS: i64 = 30;

event_names!(PhotoEvent {
    Fetched => "PhotoFetched" 1,
    Refused => "PhotoRefused" 2,
    AskedAgain => "PhotoAskedAgain" 1,
    TakenDown => "PhotoTakenDown" 2,
    Restored => "PhotoRestored" 1,
} upcasts {
    "PhotoRefused" 1 => "PhotoRefused" 2: as_it_is,
    "PhotoTakenDown" 1 => "PhotoTakenDown" 2: as_it_is,
});

/// The reason is sealed under the key of the person who wrote it.
impl Sealable for PhotoEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::TakenDown { by, .. } | Self::Restored { by, .. } => Some(*by),
            Self::Fetched { .. } | Self::Refused { .. } | Self::AskedAgain { .. } => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::TakenDown { reason, .. } | Self::Restored { reason, .. } => reason.to_json(),
            Self::Fetched { .. } | Self::Refused { .. } | Self::AskedAgain { .. } => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::TakenDown { reason, .. } | Self::Restored { reason, .. } = self {
            reason.reveal(plain);
        }
    }
}

/// Why a command is turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PhotoRejection {
    #[error("the photo was never fetched")]
    Unknown,
    #[error("the photo was taken down")]
    TakenDown,
    #[error("the photo was not taken down")]
    NotTakenDown,
    #[error("nobody refused the photo")]
    NotRefused,
}

/// A photo as the fold of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Photo {
    pub taken: Option<Box<Taken>>,
    pub refusal: Option<PhotoRefusal>,
    pub is_taken_down: bool,
}

impl Photo {
    fn content(&self) -> Result<ContentHash, PhotoRejection> {
        let taken = self.taken.as_ref().ok_or(PhotoRejection::Unknown)?;
        Ok(taken.content)
    }
}

impl Decide for Photo {
    const KIND: &'static str = "photo";
    type Command = PhotoCommand;
    type Event = PhotoEvent;
    type Rejection = PhotoRejection;

    fn decide(&self, command: PhotoCommand) -> Result<Vec<PhotoEvent>, PhotoRejection> {
        match command {
            PhotoCommand::Take { .. } | PhotoCommand::Refuse { .. } if self.is_taken_down => {
                Err(PhotoRejection::TakenDown)
            }
            PhotoCommand::Take { place, taken } => Ok(if self.taken.as_ref() == Some(&taken) {
                vec![]
            } else {
                vec![PhotoEvent::Fetched { place, taken }]
            }),
            // One that is there stays, whatever its host says now.
            PhotoCommand::Refuse { .. } if self.taken.is_some() => Ok(vec![]),
            PhotoCommand::Refuse {
                place,
                refusal,
                answered,
            } => Ok(vec![PhotoEvent::Refused {
                place,
                refusal,
                answered,
            }]),
            PhotoCommand::AskAgain { .. } if self.refusal.is_none() => Err(PhotoRejection::NotRefused),
            PhotoCommand::AskAgain { by } => Ok(vec![PhotoEvent::AskedAgain { by }]),
            PhotoCommand::TakeDown { .. } if self.is_taken_down => Ok(vec![]),
            PhotoCommand::TakeDown {
                by,
                reason,
                keeps_original,
            } => {
                let content = self.content()?;
                Ok(vec![PhotoEvent::TakenDown {
                    content,
                    by,
                    keeps_original,
                    reason: Sealed::new(reason),
                }])
            }
            PhotoCommand::Restore { .. } if !self.is_taken_down => Err(PhotoRejection::NotTakenDown),
            PhotoCommand::Restore { by, reason } => {
                let content = self.content()?;
                Ok(vec![PhotoEvent::Restored {
                    content,
                    by,
                    reason: Sealed::new(reason),
                }])
            }
        }
    }

    fn evolve(&mut self, event: &PhotoEvent) {
        match event {
            PhotoEvent::Fetched { taken, .. } => {
                self.taken = Some(taken.clone());
                self.refusal = None;
            }
            PhotoEvent::Refused { refusal, .. } => self.refusal = Some(*refusal),
            PhotoEvent::AskedAgain { .. } => self.refusal = None,
            PhotoEvent::TakenDown { .. } => self.is_taken_down = true,
            PhotoEvent::Restored { .. } => self.is_taken_down = false,
        }
    }
}

aggregate!(Photo);

#[cfg(test)]
mod tests;
