//! Photos of a home as answers show them.

use std::collections::BTreeMap;

use ::photos::find_host;
use domain::moment::Moment;
use domain::photo::sizes::{PhotoSize, list_widths};
use domain::photo::{ContentHash, PhotoRefusal, read_kept_place};
use http_kit::said::{Said, say};
use platform::clock;
use projections::payment_audit::instant;
use projections::photo::standing::PhotoStanding;
use projections::photo::state;
use serde::Serialize;
use utoipa::ToSchema;

use crate::history::ActorRef;

/// Photos and plans of a home, then those of its room types, then those that nobody names any more.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomePhotos {
    /// Where the home stands: an arrangement names it.
    pub(super) position: u64,
    /// How many a home may have.
    pub(super) most: u64,
    pub(super) photos: Vec<HomePhoto>,
}

/// A photo or a plan, and where it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomePhoto {
    pub(super) photo_id: String,
    /// The room type; null for one of the home.
    pub(super) room_id: Option<String>,
    /// False where no feed and no person names it any more: it is not shown.
    pub(super) is_named: bool,
    /// `exterior`, `room`, `bathroom`, `kitchen`, `common` or `plan`; null where nobody said it.
    pub(super) kind: Option<&'static str>,
    /// By the tag of the language.
    pub(super) caption: BTreeMap<String, String>,
    /// Words for those who do not see it, by the tag of the language.
    pub(super) alt: BTreeMap<String, String>,
    state: PhotoStateWord,
    /// Why it is not there: `gone`, `unreachable`, `not_permitted`, `too_large`, `too_many_pixels`, `format_not_taken`, `not_a_picture` or
    /// `damaged`.
    refusal: Option<String>,
    /// The same as a sentence.
    #[schema(value_type = Option<String>)]
    why: Option<Said>,
    /// The status of its host's last answer, where it could not be had.
    answered: Option<i64>,
    /// When it was last asked for in vain.
    tried_at: Option<String>,
    /// When it is asked for next.
    next_try_at: Option<String>,
    source: PhotoSourceView,
    /// The host of the feed's address; null for an upload and for a file beside a feed.
    host: Option<String>,
    /// Pixels of the original, upright.
    width: Option<i64>,
    height: Option<i64>,
    /// Of the original.
    bytes: Option<i64>,
    /// `jpeg`, `png` or `webp`: the original's.
    format: Option<String>,
    /// A data URL of a few pixels.
    preview: Option<String>,
    /// The address of a small size, where it is shown.
    thumbnail: Option<String>,
    /// Its widths where it is shown, the smallest first.
    sizes: Vec<PhotoSizeView>,
    taken_down_at: Option<String>,
    /// Until when one that was taken down can be shown again.
    restorable_until: Option<String>,
    can: Vec<PhotoActWord>,
}

/// Where a photo stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomePhotoState)]
pub enum PhotoStateWord {
    /// Not fetched yet, or its sizes are not made.
    Waiting,
    Ready,
    /// It cannot be shown, and is not asked for again.
    Refused,
    /// Its address gives none.
    Dead,
    TakenDown,
}

/// An act on a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomePhotoAct)]
pub enum PhotoActWord {
    TakeDown,
    Restore,
    Retry,
}

/// Whose a photo is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomePhotoSource)]
pub struct PhotoSourceView {
    pub(super) kind: PhotoSourceKind,
    pub(super) feed: Option<String>,
    /// The run of the feed that named it first.
    pub(super) run_id: Option<String>,
    /// The person who added it.
    pub(super) by: Option<ActorRef>,
    /// When the home heard of it.
    pub(super) at: Option<String>,
}

/// A feed or a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomePhotoSourceKind)]
pub enum PhotoSourceKind {
    Feed,
    Person,
}

/// One width of a photo, in two formats.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomePhotoSize)]
pub struct PhotoSizeView {
    width: u32,
    height: u32,
    webp: String,
    jpeg: String,
}

impl HomePhoto {
    /// A photo that nobody has looked at yet.
    pub(super) fn awaited(photo_id: String, place: &str, source: PhotoSourceView) -> Self {
        Self {
            photo_id,
            room_id: None,
            is_named: true,
            kind: None,
            caption: BTreeMap::new(),
            alt: BTreeMap::new(),
            state: PhotoStateWord::Waiting,
            refusal: None,
            why: None,
            answered: None,
            tried_at: None,
            next_try_at: None,
            source,
            // The rest of an address may hold a key.
            host: find_host(place),
            width: None,
            height: None,
            bytes: None,
            format: None,
            preview: None,
            thumbnail: None,
            sizes: Vec::new(),
            taken_down_at: None,
            restorable_until: None,
            can: Vec::new(),
        }
    }

    /// Tells where it stands.
    pub(super) fn stand(&mut self, standing: &PhotoStanding) {
        let refusal = standing.refusal.as_deref().and_then(read_refusal);
        self.state = find_state(&standing.state, refusal);
        match self.state {
            PhotoStateWord::Waiting => {}
            PhotoStateWord::Ready => {
                self.describe(standing);
                self.sizes = list_shown(standing);
                self.thumbnail = self.sizes.first().map(|size| size.webp.clone());
                self.can.push(PhotoActWord::TakeDown);
            }
            PhotoStateWord::Refused | PhotoStateWord::Dead => self.refuse(standing, refusal),
            PhotoStateWord::TakenDown => {
                self.describe(standing);
                self.preview = None;
                self.taken_down_at = write_instant(standing.taken_down_at);
                let now = clock::now().timestamp_micros();
                let kept_until = standing.kept_until.filter(|until| *until > now);
                self.restorable_until = write_instant(kept_until);
                self.can.extend(kept_until.map(|_| PhotoActWord::Restore));
            }
        }
    }

    fn describe(&mut self, standing: &PhotoStanding) {
        self.width = standing.width;
        self.height = standing.height;
        self.bytes = standing.bytes;
        self.format.clone_from(&standing.format);
        self.preview = standing.preview.clone().filter(|preview| !preview.is_empty());
    }

    fn refuse(&mut self, standing: &PhotoStanding, refusal: Option<PhotoRefusal>) {
        self.refusal.clone_from(&standing.refusal);
        self.why = refusal.map(say_refusal);
        self.answered = standing.answered;
        self.tried_at = write_instant(standing.tried_at);
        self.next_try_at = write_instant(standing.due_at);
        // Bytes that somebody sent are gone once they were refused.
        let is_address = read_kept_place(&standing.place).is_none();
        self.can.extend(is_address.then_some(PhotoActWord::Retry));
    }
}

/// The sentence for a photo that could not be had.
pub(super) fn say_refusal(refusal: PhotoRefusal) -> Said {
    say(match refusal {
        PhotoRefusal::Gone => "refusal.photo_gone",
        PhotoRefusal::Unreachable => "refusal.photo_unreachable",
        PhotoRefusal::NotPermitted => "refusal.photo_not_permitted",
        PhotoRefusal::TooLarge => "refusal.photo_too_large",
        PhotoRefusal::TooManyPixels => "refusal.photo_too_many_pixels",
        PhotoRefusal::FormatNotTaken => "refusal.photo_format",
        PhotoRefusal::NotAPicture => "refusal.photo_no_picture",
        PhotoRefusal::Damaged => "refusal.photo_damaged",
    })
}

fn read_refusal(key: &str) -> Option<PhotoRefusal> {
    PhotoRefusal::ALL.into_iter().find(|refusal| refusal.key() == key)
}

fn find_state(word: &str, refusal: Option<PhotoRefusal>) -> PhotoStateWord {
    match word {
        state::FETCHED => PhotoStateWord::Ready,
        state::TAKEN_DOWN => PhotoStateWord::TakenDown,
        state::REFUSED if refusal.is_some_and(PhotoRefusal::is_temporary) => PhotoStateWord::Dead,
        state::REFUSED => PhotoStateWord::Refused,
        _ => PhotoStateWord::Waiting,
    }
}

fn list_shown(standing: &PhotoStanding) -> Vec<PhotoSizeView> {
    let pixels = |side: Option<i64>| side.and_then(|side| u32::try_from(side).ok());
    let content = standing.content.as_deref();
    let content = content.and_then(|content| content.parse::<ContentHash>().ok());
    let (Some(content), Some(width), Some(height)) =
        (content, pixels(standing.width), pixels(standing.height))
    else {
        return Vec::new();
    };
    let show = |size: PhotoSize| PhotoSizeView {
        width: size.width,
        height: size.height,
        webp: size.path(content, "webp"),
        jpeg: size.path(content, "jpg"),
    };
    list_widths(width, height).into_iter().map(show).collect()
}

fn write_instant(micros: Option<i64>) -> Option<String> {
    Moment::from_timestamp_micros(micros?).map(instant)
}
