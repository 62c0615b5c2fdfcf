//! A brand: the face under which a site is served. Staff keep a draft; what readers see is the version published last, and any
//! earlier version can be brought back as a new one (issue "The house's own face").

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use uuid::{Builder, Uuid};

use crate::aggregate::Decide;
use crate::id::{BrandId, UserId};
use crate::moment::Moment;
use crate::photo::ContentHash;
use crate::sealed::{Sealable, Sealed};
use crate::{aggregate, event_names};

pub mod colour;
pub mod look;

use look::{BrandLook, LookFault};

/// The house's own brand, which is served wherever no other is asked for.
pub const HOUSE_BRAND: BrandId = BrandId(Uuid::from_u128(0x6272_616e_6400_0000_0000_0000_0000_0001));

/// Letters of the longest key.
const KEY_MAX: usize = 40;

impl BrandId {
    /// The brand of a key, as hosts and commands name it: small letters, digits and hyphens. `None` for a text that is no key.
    pub fn of_key(key: &str) -> Option<Self> {
        let is_sign = |sign: u8| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == b'-';
        if key.is_empty() || key.len() > KEY_MAX || !key.bytes().all(is_sign) {
            return None;
        }
        let digest = Sha256::digest(format!("brand:{key}").as_bytes());
        let mut bytes = [0_u8; 16];
        for (to, from) in bytes.iter_mut().zip(digest) {
            *to = from;
        }
        Some(Self(Builder::from_custom_bytes(bytes).into_uuid()))
    }
}

/// Pictures that a brand keeps at most: each is made into sizes that stay.
const PICTURES_MAX: usize = 200;

/// A picture that was uploaded for a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrandPicture {
    /// Of the file as it was uploaded.
    pub content: ContentHash,
    pub format: BrandFormat,
    /// Pixels of the largest size that was made.
    pub width: u32,
    pub height: u32,
    /// Of the file as it was uploaded.
    pub bytes: u64,
}

/// Formats of uploads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BrandFormat {
    Jpeg,
    Png,
    Webp,
    /// Drawn to pixels; never served itself.
    Svg,
}

impl BrandFormat {
    pub const ALL: [Self; 4] = [Self::Jpeg, Self::Png, Self::Webp, Self::Svg];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Svg => "svg",
        }
    }
}

/// Orders to a brand.
#[derive(Debug, Clone)]
pub enum BrandCommand {
    /// Takes a picture into the brand, for its looks to name.
    AddPicture {
        picture: BrandPicture,
        /// `None` for the command line.
        by: Option<UserId>,
        at: Moment,
    },
    /// Keeps a draft, whole.
    Draft {
        look: Box<BrandLook>,
        by: Option<UserId>,
        at: Moment,
    },
    /// Shows the draft to readers.
    Publish {
        reason: Option<String>,
        by: Option<UserId>,
        at: Moment,
    },
    /// Shows an earlier version to readers again, as a new one.
    TakeBack {
        version: u32,
        reason: Option<String>,
        by: Option<UserId>,
        at: Moment,
    },
}

/// Facts of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrandEvent {
    PictureAdded {
        picture: BrandPicture,
        by: Option<UserId>,
        at: Moment,
    },
    DraftChanged {
        look: Box<BrandLook>,
        by: Option<UserId>,
        at: Moment,
    },
    Published {
        version: u32,
        look: Box<BrandLook>,
        /// The version that was brought back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u32>,
        by: Option<UserId>,
        at: Moment,
        #[serde(skip)]
        reason: Sealed<String>,
    },
}

event_names!(BrandEvent {
    PictureAdded => "BrandPictureAdded" 1,
    DraftChanged => "BrandDraftChanged" 1,
    Published => "BrandPublished" 1,
});

/// The reason is sealed under the key of the person who wrote it.
impl Sealable for BrandEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Published { by, .. } => *by,
            Self::PictureAdded { .. } | Self::DraftChanged { .. } => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Published { reason, .. } => reason.to_json(),
            Self::PictureAdded { .. } | Self::DraftChanged { .. } => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::Published { reason, .. } = self {
            reason.reveal(plain);
        }
    }
}

/// Why a command is turned down.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BrandRejection {
    #[error(transparent)]
    Fault(#[from] LookFault),
    #[error("the draft is what readers see already")]
    NothingToPublish,
    #[error("version {0} was never published")]
    UnknownVersion(u32),
    #[error("version {0} is what readers see already")]
    InUse(u32),
    #[error("a brand keeps at most {PICTURES_MAX} pictures")]
    TooManyPictures,
}

/// A version that readers saw, or see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrandVersion {
    pub version: u32,
    pub look: BrandLook,
    /// The version that was brought back.
    pub of: Option<u32>,
    pub by: Option<UserId>,
    pub at: Moment,
}

/// A brand as the fold of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brand {
    pub draft: BrandLook,
    /// Who changed the draft last, and when.
    pub drafted: Option<(Option<UserId>, Moment)>,
    /// The oldest first; the last is what readers see.
    pub versions: Vec<BrandVersion>,
    pub pictures: BTreeMap<ContentHash, BrandPicture>,
}

impl Brand {
    /// The version that readers see; `None` while nothing was published.
    pub fn published(&self) -> Option<&BrandVersion> {
        self.versions.last()
    }

    /// A version by its number.
    pub fn version(&self, number: u32) -> Option<&BrandVersion> {
        self.versions.iter().find(|version| version.version == number)
    }

    /// The look that readers see.
    pub fn published_look(&self) -> BrandLook {
        self.published()
            .map(|version| version.look.clone())
            .unwrap_or_default()
    }

    fn next_version(&self) -> u32 {
        self.published().map_or(1, |version| version.version + 1)
    }

    fn check(&self, look: &BrandLook) -> Result<(), BrandRejection> {
        look.check()?;
        let is_kept = |content: &ContentHash| self.pictures.contains_key(content);
        match look.pictures().find(|(_, content)| !is_kept(content)) {
            Some((field, _)) => Err(LookFault::UnknownPicture { field }.into()),
            None => Ok(()),
        }
    }

    fn bring_back(
        &self,
        number: u32,
        reason: Option<String>,
        (by, at): (Option<UserId>, Moment),
    ) -> Result<Vec<BrandEvent>, BrandRejection> {
        let earlier = self
            .version(number)
            .ok_or(BrandRejection::UnknownVersion(number))?;
        if self.published_look() == earlier.look {
            return Err(BrandRejection::InUse(number));
        }
        Ok(vec![BrandEvent::Published {
            version: self.next_version(),
            look: Box::new(earlier.look.clone()),
            of: Some(number),
            by,
            at,
            reason: seal(by, reason),
        }])
    }
}

/// A reason is sealed under its author's key: at the command line there is none, and so no reason is kept.
fn seal(by: Option<UserId>, reason: Option<String>) -> Sealed<String> {
    Sealed(by.and(reason))
}

impl Decide for Brand {
    const KIND: &'static str = "brand";
    type Command = BrandCommand;
    type Event = BrandEvent;
    type Rejection = BrandRejection;

    fn decide(&self, command: BrandCommand) -> Result<Vec<BrandEvent>, BrandRejection> {
        match command {
            BrandCommand::AddPicture { picture, .. } if self.pictures.contains_key(&picture.content) => {
                Ok(vec![])
            }
            BrandCommand::AddPicture { .. } if self.pictures.len() >= PICTURES_MAX => {
                Err(BrandRejection::TooManyPictures)
            }
            BrandCommand::AddPicture { picture, by, at } => {
                Ok(vec![BrandEvent::PictureAdded { picture, by, at }])
            }
            BrandCommand::Draft { look, .. } if *look == self.draft => Ok(vec![]),
            BrandCommand::Draft { look, by, at } => {
                self.check(&look)?;
                Ok(vec![BrandEvent::DraftChanged { look, by, at }])
            }
            BrandCommand::Publish { .. } if self.draft == self.published_look() => {
                Err(BrandRejection::NothingToPublish)
            }
            BrandCommand::Publish { reason, by, at } => {
                self.check(&self.draft)?;
                Ok(vec![BrandEvent::Published {
                    version: self.next_version(),
                    look: Box::new(self.draft.clone()),
                    of: None,
                    by,
                    at,
                    reason: seal(by, reason),
                }])
            }
            BrandCommand::TakeBack {
                version,
                reason,
                by,
                at,
            } => self.bring_back(version, reason, (by, at)),
        }
    }

    fn evolve(&mut self, event: &BrandEvent) {
        match event {
            BrandEvent::PictureAdded { picture, .. } => {
                self.pictures.insert(picture.content, picture.clone());
            }
            BrandEvent::DraftChanged { look, by, at } => {
                self.draft = (**look).clone();
                self.drafted = Some((*by, *at));
            }
            BrandEvent::Published {
                version,
                look,
                of,
                by,
                at,
                reason: _,
            } => {
                // A draft that nobody changed follows; one that somebody works on stays.
                if self.draft == self.published_look() {
                    self.draft = (**look).clone();
                }
                self.versions.push(BrandVersion {
                    version: *version,
                    look: (**look).clone(),
                    of: *of,
                    by: *by,
                    at: *at,
                });
            }
        }
    }
}

aggregate!(Brand);

#[cfg(test)]
mod tests;
