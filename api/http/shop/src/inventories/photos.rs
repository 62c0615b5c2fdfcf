//! Photos, plans and recordings of a home as pages show them: those that were fetched, in the order of their source. A drawing stands for
//! a home of the demo alone, and nowhere beside a photo.

use std::collections::{BTreeMap, BTreeSet};

use domain::id::PhotoId;
use domain::inventory::let_room::LetRoom;
use domain::inventory::media::{Media, PhotoKind, SaidPhoto, order_for_card};
use domain::inventory::picture_path::picture_path;
use domain::language::Language;
use domain::photo::sizes::{PhotoSize, choose_shared, list_widths};
use http_kit::error::ApiResult;
use projections::inventory_page::InventoryPage;
use projections::photo::{ShownPhoto, find_photos};
use serde::Serialize;
use sqlx::AnyPool;

use super::home::Home;
use super::rooms::{Image, caption};
use super::words::words;

/// A photo or a plan with its sizes.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Photo {
    /// `exterior`, `room`, `bathroom`, `kitchen`, `common` or `plan`; null where nobody said it.
    pub kind: Option<&'static str>,
    /// Words for those who do not see it.
    pub alt: String,
    /// Empty where its source gave it none.
    pub caption: String,
    /// Pixels of the original.
    pub width: u32,
    pub height: u32,
    /// A data URL of a few pixels, shown until the photo is there; may be empty.
    pub preview: String,
    /// Its widths, the smallest first.
    pub sources: Vec<PhotoSource>,
}

/// One width of a photo, in two formats.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct PhotoSource {
    pub width: u32,
    pub webp: String,
    pub jpeg: String,
}

/// A video or a tour on a platform of others.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Recording {
    /// `video` or `tour`.
    pub kind: &'static str,
    pub url: String,
    /// Empty where its source gave it none.
    pub title: String,
}

impl Photo {
    /// The address of its widest size for whoever takes one alone.
    fn path(&self) -> String {
        self.sources
            .last()
            .map(|source| source.jpeg.clone())
            .unwrap_or_default()
    }
}

/// The photos of a page that can be shown, by their ids.
pub(super) async fn find_shown(
    pool: &AnyPool,
    page: &InventoryPage,
) -> ApiResult<BTreeMap<PhotoId, ShownPhoto>> {
    let own = page.property().map(|property| &property.media);
    let of_rooms = page.inventory.let_rooms().map(|room| &room.details.media);
    let said = own.into_iter().chain(of_rooms).flat_map(Media::pictures);
    let ids: BTreeSet<PhotoId> = said.map(|photo| PhotoId::of_place(&photo.place)).collect();
    let ids: Vec<PhotoId> = ids.into_iter().collect();
    Ok(find_photos(pool, &ids).await?)
}

/// The photos of a home, then those of its room types, each once.
pub fn list_photos(home: &Home, lang: Language) -> Vec<Photo> {
    let own = home.property.media.photos.iter().map(|photo| (photo, photo.kind));
    let of_rooms = home.rooms().flat_map(|room| &room.details.media.photos);
    let of_rooms = of_rooms.map(|photo| (photo, photo.kind.or(Some(PhotoKind::Room))));
    let mut seen = BTreeSet::new();
    own.chain(of_rooms)
        .filter_map(|(photo, kind)| show(home, photo, kind, lang))
        .filter(|photo| seen.insert(photo.path()))
        .collect()
}

/// The plans of a home.
pub fn list_plans(home: &Home, lang: Language) -> Vec<Photo> {
    let plans = home.property.media.plans.iter();
    plans
        .filter_map(|plan| show(home, plan, Some(PhotoKind::Plan), lang))
        .collect()
}

/// The photos of a room type alone.
pub fn list_room_photos(home: &Home, room: &LetRoom, lang: Language) -> Vec<Photo> {
    let photos = room.details.media.photos.iter();
    photos
        .filter_map(|photo| show(home, photo, photo.kind.or(Some(PhotoKind::Room)), lang))
        .collect()
}

/// The plans of a room type alone.
pub fn list_room_plans(home: &Home, room: &LetRoom, lang: Language) -> Vec<Photo> {
    let plans = room.details.media.plans.iter();
    plans
        .filter_map(|plan| show(home, plan, Some(PhotoKind::Plan), lang))
        .collect()
}

/// The videos and tours of a home.
pub fn list_recordings(home: &Home, lang: Language) -> Vec<Recording> {
    let said = home.property.media.recordings.iter();
    said.map(|recording| Recording {
        kind: recording.kind.key(),
        url: recording.url.clone(),
        title: recording.title.in_language(lang.code()).to_owned(),
    })
    .collect()
}

/// The picture that stands for a home where there is room for one: a photo, else a drawing of the demo, else none.
pub fn choose_image(home: &Home, lang: Language) -> Option<Image> {
    let photo = list_photos(home, lang).into_iter().next();
    let drawn = home.property.pictures.first();
    let drawing = || {
        drawn.map(|picture| Image {
            path: picture_path(picture),
            caption: caption(picture, lang),
        })
    };
    photo.map(|photo| describe_image(&photo)).or_else(drawing)
}

/// A photo as a picture of one size.
pub fn describe_image(photo: &Photo) -> Image {
    Image {
        path: photo.path(),
        caption: photo.alt.clone(),
    }
}

/// Paths of up to `most` photos in the size of shared links, a room first. Drawings are none.
pub fn list_shared(home: &Home, most: usize) -> Vec<String> {
    let rooms = home.rooms().map(|room| &room.details.media);
    let ordered = order_for_card(&home.property.media, rooms);
    let shown = ordered.into_iter().filter_map(|photo| home.shown_photo(photo));
    let paths = shown.filter_map(|photo| {
        let size = choose_shared(photo.width, photo.height)?;
        Some(size.path(photo.content, "jpg"))
    });
    paths.take(most).collect()
}

fn show(home: &Home, said: &SaidPhoto, kind: Option<PhotoKind>, lang: Language) -> Option<Photo> {
    let shown = home.shown_photo(said)?;
    let source = |size: PhotoSize| PhotoSource {
        width: size.width,
        webp: size.path(shown.content, "webp"),
        jpeg: size.path(shown.content, "jpg"),
    };
    let caption = said.caption.in_language(lang.code()).to_owned();
    Some(Photo {
        kind: kind.map(PhotoKind::key),
        alt: write_alt(home, said, kind, lang),
        caption,
        width: shown.width,
        height: shown.height,
        preview: shown.preview.clone(),
        sources: list_widths(shown.width, shown.height)
            .into_iter()
            .map(source)
            .collect(),
    })
}

/// Its own words, else its caption, else what it shows of which home.
fn write_alt(home: &Home, said: &SaidPhoto, kind: Option<PhotoKind>, lang: Language) -> String {
    let own = [&said.alt, &said.caption].map(|wording| wording.in_language(lang.code()));
    if let Some(text) = own.into_iter().find(|text| !text.is_empty()) {
        return text.to_owned();
    }
    let key = kind.map_or("unsaid", PhotoKind::key);
    words(
        lang,
        &format!("photo.{key}"),
        &[("name", home.property.name.as_str())],
    )
}
