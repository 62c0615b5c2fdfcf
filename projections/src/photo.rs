//! Photos and plans that homes name, by the place that each comes from: when it is to be fetched, and the picture that came of it.

use std::collections::{BTreeMap, BTreeSet};

use domain::id::PhotoId;
use domain::inventory::Inventory;
use domain::inventory::media::order_for_card;
use domain::photo::ContentHash;
use domain::photo::sizes::list_widths;
use sqlx::AnyPool;
use tables::Statement;

pub use self::fold::Photos;

mod fold;
pub mod naming;
pub mod standing;

/// The widest picture in a line of a page.
const SMALL_WIDTH: u32 = 240;
/// Ids that one statement asks for.
const ASKED_AT_ONCE: usize = 500;

/// States of a row.
pub mod state {
    /// Named by a home, and not fetched yet.
    pub const ASKED: &str = "asked";
    pub const FETCHED: &str = "fetched";
    pub const REFUSED: &str = "refused";
    pub const TAKEN_DOWN: &str = "taken_down";
}

/// A photo that can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPhoto {
    pub content: ContentHash,
    /// Pixels of the original, upright.
    pub width: u32,
    pub height: u32,
    /// A data URL of a few pixels.
    pub preview: String,
}

/// A photo whose time to be fetched has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuePhoto {
    pub photo_id: String,
    pub place: String,
    /// Since when, in microseconds since 1970.
    pub due_at: i64,
}

tables::from_row!(DuePhoto {
    photo_id,
    place,
    due_at
});

struct ShownRow {
    photo_id: String,
    content: Option<String>,
    width: Option<i64>,
    height: Option<i64>,
    preview: Option<String>,
}

tables::from_row!(ShownRow {
    photo_id,
    content,
    width,
    height,
    preview
});

impl ShownRow {
    fn read(self) -> Option<(PhotoId, ShownPhoto)> {
        let pixels = |side: Option<i64>| u32::try_from(side?).ok();
        let shown = ShownPhoto {
            content: self.content?.parse().ok()?,
            width: pixels(self.width)?,
            height: pixels(self.height)?,
            preview: self.preview?,
        };
        Some((self.photo_id.parse().ok()?, shown))
    }
}

/// Those of these photos that can be shown.
///
/// # Errors
/// When the database fails.
pub async fn find_photos(
    pool: &AnyPool,
    ids: &[PhotoId],
) -> Result<BTreeMap<PhotoId, ShownPhoto>, sqlx::Error> {
    let mut found = BTreeMap::new();
    for some in ids.chunks(ASKED_AT_ONCE) {
        let mut query =
            Statement::new("select photo_id, content, width, height, preview from photo where photo_id in ");
        query
            .push_list(some.iter().map(ToString::to_string))
            .push(" and state = ")
            .push_bind(state::FETCHED);
        let rows: Vec<ShownRow> = query.build_query_as()?.fetch_all(pool).await?;
        found.extend(rows.into_iter().filter_map(ShownRow::read));
    }
    Ok(found)
}

/// The address of the first photo of a home that can be shown, a room before what is around it, in a size for a line of a page.
///
/// # Errors
/// When the database fails.
pub async fn find_small_path(pool: &AnyPool, home: &Inventory) -> Result<Option<String>, sqlx::Error> {
    let paths = list_paths(pool, home, SMALL_WIDTH).await?;
    Ok(paths.into_iter().next())
}

/// The addresses of the photos of a home that can be shown, a room before what is around it and each picture once, in the largest size that
/// is no wider than `widest`.
///
/// # Errors
/// When the database fails.
pub async fn list_paths(pool: &AnyPool, home: &Inventory, widest: u32) -> Result<Vec<String>, sqlx::Error> {
    let Some(property) = home.property.as_deref() else {
        return Ok(Vec::new());
    };
    let rooms = home.let_rooms().map(|room| &room.details.media);
    let ordered = order_for_card(&property.media, rooms);
    let ids: Vec<PhotoId> = ordered
        .iter()
        .map(|said| PhotoId::of_place(&said.place))
        .collect();
    let shown = find_photos(pool, &ids).await?;
    let mut seen = BTreeSet::new();
    let photos = ids.iter().filter_map(|id| shown.get(id));
    let photos = photos.filter(|photo| seen.insert(photo.content));
    let paths = photos.filter_map(|photo| {
        let widths = list_widths(photo.width, photo.height);
        let size = widths.iter().rfind(|size| size.width <= widest)?;
        Some(size.path(photo.content, "jpg"))
    });
    Ok(paths.collect())
}

/// Looks for a photo that shows this picture: fetched, and not taken down.
///
/// # Errors
/// When the database fails.
pub async fn is_shown(pool: &AnyPool, content: ContentHash) -> Result<bool, sqlx::Error> {
    let found: i64 =
        sqlx::query_scalar("select count(*) from photo where content = $1 and state = 'fetched'")
            .bind(content.to_string())
            .fetch_one(pool)
            .await?;
    Ok(found > 0)
}

/// Looks for a take-down of this picture, whichever place it came from.
///
/// # Errors
/// When the database fails.
pub async fn is_taken_down(pool: &AnyPool, content: ContentHash) -> Result<bool, sqlx::Error> {
    let found: i64 =
        sqlx::query_scalar("select count(*) from photo where content = $1 and state = 'taken_down'")
            .bind(content.to_string())
            .fetch_one(pool)
            .await?;
    Ok(found > 0)
}

/// The photos that show this picture.
///
/// # Errors
/// When the database fails.
pub async fn find_by_content(pool: &AnyPool, content: ContentHash) -> Result<Vec<PhotoId>, sqlx::Error> {
    let rows: Vec<String> = sqlx::query_scalar(
        "select photo_id from photo where content = $1 and state = 'fetched' order by photo_id",
    )
    .bind(content.to_string())
    .fetch_all(pool)
    .await?;
    Ok(rows.iter().filter_map(|id| id.parse().ok()).collect())
}

/// Photos whose time to be fetched has come, in microseconds since 1970, the first one first; those after `last` where it is given.
///
/// # Errors
/// When the database fails.
pub async fn list_due(
    pool: &AnyPool,
    now_micros: i64,
    last: Option<&DuePhoto>,
    limit: u32,
) -> Result<Vec<DuePhoto>, sqlx::Error> {
    let mut query = Statement::new("select photo_id, place, due_at from photo where due_at <= ");
    query.push_bind(now_micros);
    if let Some(last) = last {
        query
            .push(" and (due_at > ")
            .push_bind(last.due_at)
            .push(" or (due_at = ")
            .push_bind(last.due_at)
            .push(" and photo_id > ")
            .push_bind(last.photo_id.clone())
            .push("))");
    }
    query
        .push(" order by due_at, photo_id limit ")
        .push_bind(i64::from(limit));
    query.build_query_as()?.fetch_all(pool).await
}

/// Photos whose time has come and whose bytes lie in the picture store, the last one first: whoever has just sent one waits for it.
///
/// # Errors
/// When the database fails.
pub async fn list_due_kept(
    pool: &AnyPool,
    now_micros: i64,
    limit: u32,
) -> Result<Vec<DuePhoto>, sqlx::Error> {
    sqlx::query_as(
        "select photo_id, place, due_at from photo
         where due_at <= $1 and place >= 'sha256:' and place < 'sha256;' order by due_at desc, photo_id limit $2",
    )
    .bind(now_micros)
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await
}

/// Counts photos by their states.
///
/// # Errors
/// When the database fails.
pub async fn count_states(pool: &AnyPool) -> Result<BTreeMap<String, u64>, sqlx::Error> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("select state, count(*) from photo group by state order by state")
            .fetch_all(pool)
            .await?;
    let count = |(state, count): (String, i64)| (state, count.unsigned_abs());
    Ok(rows.into_iter().map(count).collect())
}

/// A picture that is shown, with its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptPicture {
    pub content: ContentHash,
    pub width: u32,
    pub height: u32,
}

/// All pictures that are shown.
///
/// # Errors
/// When the database fails.
pub async fn list_pictures(pool: &AnyPool) -> Result<Vec<KeptPicture>, sqlx::Error> {
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(
        "select distinct content, width, height from photo where state = 'fetched' order by content",
    )
    .fetch_all(pool)
    .await?;
    let read = |(content, width, height): (String, i64, i64)| {
        Some(KeptPicture {
            content: content.parse().ok()?,
            width: u32::try_from(width).ok()?,
            height: u32::try_from(height).ok()?,
        })
    };
    Ok(rows.into_iter().filter_map(read).collect())
}

#[cfg(test)]
mod tests;
