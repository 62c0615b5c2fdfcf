//! Photos and plans that homes name, by the place that each comes from: when it is to be fetched, and the picture that came of it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::id::PhotoId;
use domain::inventory::facts::Fact;
use domain::inventory::media::{Media, order_for_card};
use domain::inventory::photo_list::PhotoList;
use domain::inventory::{Described, Inventory, InventoryEvent};
use domain::moment::Moment;
use domain::photo::sizes::list_widths;
use domain::photo::{ContentHash, Photo, PhotoEvent, PhotoRefusal, Taken};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

const ASKED: Table = Table {
    name: "photo",
    columns: &[
        Text("photo_id"),
        Text("place"),
        Text("state"),
        Number("tries"),
        Number("due_at"),
    ],
    key: 1,
};
/// Pauses after failures that may pass, in minutes. After the last one its host is not asked again.
const PAUSES: [i64; 6] = [10, 60, 360, 1_440, 4_320, 10_080];
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

/// Where a photo stands, for those who keep homes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoStanding {
    pub photo_id: String,
    pub place: String,
    /// A word of [`state`].
    pub state: String,
    pub content: Option<String>,
    /// A key of `PhotoRefusal`.
    pub refusal: Option<String>,
}

tables::from_row!(PhotoStanding {
    photo_id,
    place,
    state,
    content,
    refusal
});

/// Where each of these photos stands; one that nobody heard of is left out.
///
/// # Errors
/// When the database fails.
pub async fn find_standings(pool: &AnyPool, ids: &[PhotoId]) -> Result<Vec<PhotoStanding>, sqlx::Error> {
    let mut found = Vec::new();
    for some in ids.chunks(ASKED_AT_ONCE) {
        let mut query =
            Statement::new("select photo_id, place, state, content, refusal from photo where photo_id in ");
        query
            .push_list(some.iter().map(ToString::to_string))
            .push(" order by photo_id");
        found.extend(query.build_query_as::<PhotoStanding>()?.fetch_all(pool).await?);
    }
    Ok(found)
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

/// The hashes of all pictures that are shown.
///
/// # Errors
/// When the database fails.
pub async fn list_contents(pool: &AnyPool) -> Result<Vec<ContentHash>, sqlx::Error> {
    let rows: Vec<String> =
        sqlx::query_scalar("select distinct content from photo where state = 'fetched' order by content")
            .fetch_all(pool)
            .await?;
    Ok(rows.iter().filter_map(|content| content.parse().ok()).collect())
}

/// The table of `0620_photo.sql`.
pub struct Photos;

impl Projection for Photos {
    fn name(&self) -> &'static str {
        "photos"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["photo"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Inventory::KIND, Photo::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut asked = BTreeMap::new();
            for record in events {
                if record.stream.kind == Photo::KIND {
                    // Places asked for before stand there before they are answered.
                    ask(connection, std::mem::take(&mut asked)).await?;
                    take_photo(connection, record).await?;
                } else {
                    note_places(record, &mut asked)?;
                }
            }
            ask(connection, asked).await
        })
    }
}

/// Notes the places that an event of a home names, its source's and those that a person arranged, with the time of the first that did.
fn note_places(
    record: &RecordedEvent,
    asked: &mut BTreeMap<PhotoId, (String, i64)>,
) -> Result<(), ProjectionError> {
    let event = record.decode_sealed::<Inventory>()?;
    let described = event.described().map(|described| match described {
        Described::Property(property) => &property.media,
        Described::Room(room) => &room.media,
    });
    let arranged: &[Fact] = match &event {
        InventoryEvent::FactsSet { facts, .. } => facts,
        _ => &[],
    };
    let arranged = arranged.iter().filter_map(Fact::photos);
    let at = record.occurred_at.timestamp_micros();
    let said = described.into_iter().flat_map(Media::pictures);
    for said in said.chain(arranged.flat_map(PhotoList::pictures)) {
        let photo_id = PhotoId::of_place(&said.place);
        asked.entry(photo_id).or_insert_with(|| (said.place.clone(), at));
    }
    Ok(())
}

async fn ask(
    connection: &mut AnyConnection,
    asked: BTreeMap<PhotoId, (String, i64)>,
) -> Result<(), ProjectionError> {
    let row = |(photo_id, (place, at)): (PhotoId, (String, i64))| {
        row![photo_id.to_string(), place, state::ASKED, 0_i64, at]
    };
    let rows: Vec<_> = asked.into_iter().map(row).collect();
    Ok(ASKED.add(connection, &rows).await?)
}

async fn take_photo(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let photo_id = record.stream.id.to_string();
    match record.decode_sealed::<Photo>()? {
        PhotoEvent::Fetched { place, taken } => keep_taken(connection, photo_id, place, &taken).await,
        PhotoEvent::Refused { place, refusal } => {
            note_refusal(connection, photo_id, place, refusal, record.occurred_at).await
        }
        PhotoEvent::TakenDown { content, .. } => {
            sqlx::query("update photo set state = 'taken_down', due_at = null where content = $1")
                .bind(content.to_string())
                .execute(connection)
                .await?;
            Ok(())
        }
    }
}

async fn keep_taken(
    connection: &mut AnyConnection,
    photo_id: String,
    place: String,
    taken: &Taken,
) -> Result<(), ProjectionError> {
    let content = taken.content.to_string();
    // The same picture may come from another place once it was taken down.
    let taken_down: i64 =
        sqlx::query_scalar("select count(*) from photo where content = $1 and state = 'taken_down'")
            .bind(content.clone())
            .fetch_one(&mut *connection)
            .await?;
    let state = if taken_down > 0 {
        state::TAKEN_DOWN
    } else {
        state::FETCHED
    };
    sqlx::query(
        "insert into photo (photo_id, place, state, content, width, height, format, bytes, preview, tries)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)
         on conflict (photo_id) do update
         set state = excluded.state, content = excluded.content, width = excluded.width, height = excluded.height,
             format = excluded.format, bytes = excluded.bytes, preview = excluded.preview, refusal = null, due_at = null",
    )
    .bind(photo_id)
    .bind(place)
    .bind(state)
    .bind(content)
    .bind(i64::from(taken.width))
    .bind(i64::from(taken.height))
    .bind(taken.format.key())
    .bind(taken.bytes.cast_signed())
    .bind(taken.preview.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

async fn note_refusal(
    connection: &mut AnyConnection,
    photo_id: String,
    place: String,
    refusal: PhotoRefusal,
    at: Moment,
) -> Result<(), ProjectionError> {
    let tries: Option<i64> = sqlx::query_scalar("select tries from photo where photo_id = $1")
        .bind(photo_id.clone())
        .fetch_optional(&mut *connection)
        .await?;
    let tries = tries.unwrap_or_default();
    let pause = usize::try_from(tries).ok().and_then(|tries| PAUSES.get(tries));
    let due_at = pause
        .filter(|_| refusal.is_temporary())
        .map(|minutes| (at + TimeDelta::minutes(*minutes)).timestamp_micros());
    sqlx::query(
        "insert into photo (photo_id, place, state, refusal, tries, due_at) values ($1, $2, 'refused', $3, $4, $5)
         on conflict (photo_id) do update
         set state = excluded.state, refusal = excluded.refusal, tries = excluded.tries, due_at = excluded.due_at",
    )
    .bind(photo_id)
    .bind(place)
    .bind(refusal.key())
    .bind(tries + 1)
    .bind(due_at)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
