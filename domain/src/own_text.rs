//! A text of a page that the house wrote itself, in one language: its draft, every version that was published, and whether one is shown. Its
//! stream is named after page and language. The text that ships is shown where none is.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use uuid::Builder;

use crate::aggregate::Decide;
use crate::id::{OwnTextId, UserId};
use crate::language::Language;
use crate::moment::Moment;
use crate::sealed::Sealable;

#[cfg(test)]
mod tests;

/// Longest title, in characters.
pub const TITLE_MAX: usize = 60;
/// Longest description for search engines, and longest lead, in characters.
pub const LINE_MAX: usize = 155;
/// Longest Markdown, in characters.
pub const BODY_MAX: usize = 60_000;

impl OwnTextId {
    /// The text of a page in a language.
    pub fn of_page(page: &str, language: Language) -> Self {
        let digest = Sha256::digest(format!("{page}/{}", language.code()));
        let mut bytes = [0_u8; 16];
        for (to, from) in bytes.iter_mut().zip(digest) {
            *to = from;
        }
        Self(Builder::from_custom_bytes(bytes).into_uuid())
    }
}

/// Words of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageText {
    pub title: String,
    pub description: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lead: String,
    /// What its button says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub act: String,
    /// Markdown.
    pub body: String,
}

/// Languages in which a text that holds for everybody is looked for, the reader's first: once the house wrote one, no reader is shown the
/// text that ships.
pub fn list_languages(reader: Language) -> impl Iterator<Item = Language> {
    let others = Language::SERVED.into_iter();
    std::iter::once(reader).chain(others.filter(move |other| *other != reader))
}

/// A text that is not shown yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub text: Box<PageText>,
    /// SHA-256 of the text that shipped when it was written.
    pub shipped: String,
    pub by: UserId,
    pub at: Moment,
}

/// A text as it was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Counted from 1.
    pub number: u32,
    pub text: Box<PageText>,
    pub shipped: String,
    pub by: UserId,
    pub at: Moment,
}

/// A text as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnText {
    pub page: Option<String>,
    pub language: Option<Language>,
    pub draft: Option<Draft>,
    /// Oldest first.
    pub versions: Vec<Version>,
    /// The newest version is shown.
    pub is_shown: bool,
}

/// What may be asked of a text.
#[derive(Debug, Clone)]
pub enum OwnTextCommand {
    /// Keeps a draft in place of the one before.
    Write {
        page: String,
        language: Language,
        draft: Draft,
    },
    /// Shows the draft as the next version.
    Publish { by: UserId, at: Moment },
    /// Shows the text that ships again.
    TakeBack { by: UserId, at: Moment },
}

/// What happened to a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnTextEvent {
    Drafted {
        page: String,
        language: Language,
        draft: Draft,
    },
    Published {
        page: String,
        language: Language,
        version: Version,
    },
    TakenBack {
        page: String,
        language: Language,
        by: UserId,
        at: Moment,
    },
}

crate::event_names!(OwnTextEvent {
    Drafted => "OwnTextDrafted" 1,
    Published => "OwnTextPublished" 1,
    TakenBack => "OwnTextTakenBack" 1,
});

impl Sealable for OwnTextEvent {}

/// Why a text turned a command down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum OwnTextRejection {
    #[error("there is no draft")]
    NoDraft,
    #[error("the text that ships is shown already")]
    NotShown,
}

impl OwnText {
    /// The version that is shown.
    pub fn shown(&self) -> Option<&Version> {
        self.versions.last().filter(|_| self.is_shown)
    }

    fn publish(&self, by: UserId, at: Moment) -> Result<Vec<OwnTextEvent>, OwnTextRejection> {
        let (Some(page), Some(language), Some(draft)) = (&self.page, self.language, &self.draft) else {
            return Err(OwnTextRejection::NoDraft);
        };
        let number = self.versions.last().map_or(1, |last| last.number + 1);
        Ok(vec![OwnTextEvent::Published {
            page: page.clone(),
            language,
            version: Version {
                number,
                text: draft.text.clone(),
                shipped: draft.shipped.clone(),
                by,
                at,
            },
        }])
    }

    fn take_back(&self, by: UserId, at: Moment) -> Result<Vec<OwnTextEvent>, OwnTextRejection> {
        let (Some(page), Some(language), true) = (&self.page, self.language, self.is_shown) else {
            return Err(OwnTextRejection::NotShown);
        };
        Ok(vec![OwnTextEvent::TakenBack {
            page: page.clone(),
            language,
            by,
            at,
        }])
    }
}

impl Decide for OwnText {
    const KIND: &'static str = "own_text";
    type Command = OwnTextCommand;
    type Event = OwnTextEvent;
    type Rejection = OwnTextRejection;

    fn decide(&self, command: OwnTextCommand) -> Result<Vec<OwnTextEvent>, OwnTextRejection> {
        match command {
            OwnTextCommand::Write {
                page,
                language,
                draft,
            } => {
                let known = self.draft.as_ref();
                let is_known =
                    known.is_some_and(|known| known.text == draft.text && known.shipped == draft.shipped);
                if is_known {
                    return Ok(vec![]);
                }
                Ok(vec![OwnTextEvent::Drafted {
                    page,
                    language,
                    draft,
                }])
            }
            OwnTextCommand::Publish { by, at } => self.publish(by, at),
            OwnTextCommand::TakeBack { by, at } => self.take_back(by, at),
        }
    }

    fn evolve(&mut self, event: &OwnTextEvent) {
        match event {
            OwnTextEvent::Drafted {
                page,
                language,
                draft,
            } => {
                self.page = Some(page.clone());
                self.language = Some(*language);
                self.draft = Some(draft.clone());
            }
            OwnTextEvent::Published { version, .. } => {
                self.draft = None;
                self.versions.push(version.clone());
                self.is_shown = true;
            }
            OwnTextEvent::TakenBack { .. } => self.is_shown = false,
        }
    }
}

crate::aggregate!(OwnText);
