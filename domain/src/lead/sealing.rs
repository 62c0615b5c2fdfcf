//! What is personal in a lead's events: who asks, and every word that the sender or a member of staff typed freely. Both are sealed
//! under the lead's key, or the person's who owns it for good; the readable payload holds ids, words of our own lists, numbers and dates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::{Lead, LeadEvent, LeadPersonal, LeadWish, Submission};
use crate::attribution::{DeviceMark, SourceDetails};
use crate::id::UserId;
use crate::sealed::{Sealable, json_of};

/// The free words of a wish.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct WishWords {
    #[serde(skip_serializing_if = "Option::is_none")]
    intake: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    filters: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    university: Option<String>,
}

/// The free words of an enquiry, and the mark of its device. Addresses of pages are among them: their parameters are anybody's to write.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Words {
    #[serde(skip_serializing_if = "Option::is_none")]
    location_place_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location_place_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    referral_code: Option<String>,
    wish: WishWords,
    source: SourceDetails,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<DeviceMark>,
}

/// What `LeadCreated` seals. Version 1 sealed the person alone, and its words stand in the payload.
#[derive(Serialize)]
struct SealedEnquiry<'e> {
    #[serde(flatten)]
    personal: &'e LeadPersonal,
    words: Words,
}

#[derive(Deserialize)]
struct OpenedWords {
    words: Option<Words>,
}

impl WishWords {
    fn of(wish: &LeadWish) -> Self {
        Self {
            intake: wish.intake.clone(),
            filters: wish.filters.clone(),
            configuration: wish.configuration.clone(),
            university: wish.university.clone(),
        }
    }

    fn put(self, wish: &mut LeadWish) {
        wish.intake = self.intake;
        wish.filters = self.filters;
        wish.configuration = self.configuration;
        wish.university = self.university;
    }
}

impl Words {
    fn of(submission: &Submission) -> Self {
        Self {
            location_place_name: submission.location_place_name.clone(),
            location_place_id: submission.location_place_id.clone(),
            lead_source: submission.lead_source.clone(),
            referral_code: submission.referral_code.clone(),
            wish: WishWords::of(&submission.wish),
            source: submission.source.clone(),
            device: submission.device,
        }
    }

    fn put(self, submission: &mut Submission) {
        submission.location_place_name = self.location_place_name;
        submission.location_place_id = self.location_place_id;
        submission.lead_source = self.lead_source;
        submission.referral_code = self.referral_code;
        submission.source = self.source;
        // Version 5 has it in the payload.
        submission.device = self.device.or(submission.device);
        self.wish.put(&mut submission.wish);
    }

    /// Leaves none of them, nor the mark of the device.
    fn take_out(submission: &mut Submission) {
        submission.device = None;
        Self::default().put(submission);
    }
}

/// An enquiry as its payload shows it.
#[expect(clippy::borrowed_box, reason = "serde hands the field over as it is")]
pub(super) fn without_words<S: Serializer>(
    submission: &Box<Submission>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut plain = submission.as_ref().clone();
    Words::take_out(&mut plain);
    plain.serialize(serializer)
}

/// A wish as its payload shows it.
pub(super) fn wish_without_words<S: Serializer>(wish: &LeadWish, serializer: S) -> Result<S::Ok, S::Error> {
    let mut plain = wish.clone();
    WishWords::default().put(&mut plain);
    plain.serialize(serializer)
}

/// Takes opened words in; without them, as after forgetting, there are none.
fn opened<T: Default + serde::de::DeserializeOwned>(plain: Option<&[u8]>) -> T {
    plain
        .and_then(|json| serde_json::from_slice(json).ok())
        .unwrap_or_default()
}

impl Sealable for LeadEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Created { submission, .. } => Some(submission.subject.unwrap_or(submission.person_id)),
            Self::ContactChanged { person_id, .. }
            | Self::NoteAdded { person_id, .. }
            | Self::Rated { person_id, .. }
            | Self::LetterPosted { person_id, .. }
            | Self::ActedOn { person_id, .. } => Some(*person_id),
            Self::WishChanged { person_id, .. }
            | Self::Assigned { person_id, .. }
            | Self::Cancelled { person_id, .. }
            | Self::Lost { person_id, .. } => *person_id,
            _ => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Created {
                submission, personal, ..
            } => json_of(&SealedEnquiry {
                personal: personal.get()?,
                words: Words::of(submission),
            }),
            Self::ContactChanged { personal, .. } => personal.to_json(),
            Self::NoteAdded { note, .. } => note.to_json(),
            Self::Rated { words, .. } => words.to_json(),
            Self::LetterPosted { text, .. } => text.to_json(),
            Self::Assigned {
                person_id: Some(_),
                why,
                ..
            }
            | Self::ActedOn { why, .. } => why.to_json(),
            Self::WishChanged {
                person_id: Some(_),
                wish,
                ..
            } => json_of(&WishWords::of(wish)),
            Self::Cancelled {
                person_id: Some(_),
                reason,
                ..
            }
            | Self::Lost {
                person_id: Some(_),
                reason,
                ..
            } => json_of(reason),
            _ => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        match self {
            Self::Created {
                submission, personal, ..
            } => {
                personal.reveal(plain);
                match plain.map(serde_json::from_slice::<OpenedWords>) {
                    Some(Ok(OpenedWords { words: Some(words) })) => words.put(submission),
                    // Version 1: its words were never sealed.
                    Some(Ok(OpenedWords { words: None })) => {}
                    // Forgotten: what versions 1 and 5 left in the payload is not shown either.
                    Some(Err(_)) | None => Words::take_out(submission),
                }
            }
            Self::ContactChanged { personal, .. } => personal.reveal(plain),
            Self::NoteAdded { note, .. } => note.reveal(plain),
            Self::Rated { words, .. } => words.reveal(plain),
            Self::LetterPosted { text, .. } => text.reveal(plain),
            Self::Assigned { why, .. } | Self::ActedOn { why, .. } => why.reveal(plain),
            Self::WishChanged { wish, .. } => opened::<WishWords>(plain).put(wish),
            Self::Cancelled { reason, .. } | Self::Lost { reason, .. } => *reason = opened(plain),
            _ => {}
        }
    }
}

impl Lead {
    /// True once its person was forgotten.
    pub fn is_forgotten(&self) -> bool {
        self.created_at.is_some() && self.personal.is_none()
    }
}
