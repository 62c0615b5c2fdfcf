//! Folds what becomes of photos into their rows.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::id::PhotoId;
use domain::inventory::facts::Fact;
use domain::inventory::media::Media;
use domain::inventory::photo_list::PhotoList;
use domain::inventory::{Described, Inventory, InventoryEvent};
use domain::moment::Moment;
use domain::photo::{ContentHash, Photo, PhotoEvent, PhotoRefusal, RESTORABLE_DAYS, Taken};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use super::naming::Namings;
use super::state;
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
/// The tables of `0620_photo.sql`, `0680_photo_tries.sql` and `0681_photo_naming.sql`.
pub struct Photos;

impl Projection for Photos {
    fn name(&self) -> &'static str {
        "photos"
    }

    fn version(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["photo", "photo_naming"]
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
            let mut namings = Namings::default();
            for record in events {
                if record.stream.kind == Photo::KIND {
                    // Places asked for before stand there before they are answered.
                    ask(connection, std::mem::take(&mut asked)).await?;
                    take_photo(connection, record).await?;
                } else {
                    note_places(record, &mut asked, &mut namings)?;
                }
            }
            ask(connection, asked).await?;
            Ok(namings.write(connection).await?)
        })
    }
}

/// Notes the places that an event of a home names, its source's and those that a person arranged, with the time of the first that did.
fn note_places(
    record: &RecordedEvent,
    asked: &mut BTreeMap<PhotoId, (String, i64)>,
    namings: &mut Namings,
) -> Result<(), ProjectionError> {
    let event = record.decode_sealed::<Inventory>()?;
    namings.note(&record.stream.id.to_string(), &event);
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
        PhotoEvent::Refused {
            place,
            refusal,
            answered,
        } => {
            let refused = Refused {
                place,
                refusal,
                answered,
                at: record.occurred_at,
            };
            note_refusal(connection, photo_id, refused).await
        }
        PhotoEvent::AskedAgain { .. } => ask_again(connection, photo_id, record.occurred_at).await,
        PhotoEvent::TakenDown {
            content,
            keeps_original,
            ..
        } => take_down(connection, content, keeps_original, record.occurred_at).await,
        PhotoEvent::Restored { content, .. } => restore(connection, content).await,
    }
}

async fn take_down(
    connection: &mut AnyConnection,
    content: ContentHash,
    keeps_original: bool,
    at: Moment,
) -> Result<(), ProjectionError> {
    let kept_until = keeps_original.then(|| (at + TimeDelta::days(RESTORABLE_DAYS)).timestamp_micros());
    sqlx::query(
        "update photo set state = 'taken_down', due_at = null, taken_down_at = $2, kept_until = $3 where content = $1",
    )
    .bind(content.to_string())
    .bind(at.timestamp_micros())
    .bind(kept_until)
    .execute(connection)
    .await?;
    Ok(())
}

async fn restore(connection: &mut AnyConnection, content: ContentHash) -> Result<(), ProjectionError> {
    sqlx::query(
        "update photo set state = 'fetched', taken_down_at = null, kept_until = null
         where content = $1 and state = 'taken_down'",
    )
    .bind(content.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Makes a refused photo due at once, with all its tries before it.
async fn ask_again(
    connection: &mut AnyConnection,
    photo_id: String,
    at: Moment,
) -> Result<(), ProjectionError> {
    sqlx::query(
        "update photo set state = 'asked', refusal = null, answered = null, tries = 0, due_at = $2
         where photo_id = $1 and state = 'refused'",
    )
    .bind(photo_id)
    .bind(at.timestamp_micros())
    .execute(connection)
    .await?;
    Ok(())
}

async fn keep_taken(
    connection: &mut AnyConnection,
    photo_id: String,
    place: String,
    taken: &Taken,
) -> Result<(), ProjectionError> {
    let content = taken.content.to_string();
    // The same picture may come from another place once it was taken down.
    let taken_down: Option<(Option<i64>, Option<i64>)> = sqlx::query_as(
        "select taken_down_at, kept_until from photo where content = $1 and state = 'taken_down' limit 1",
    )
    .bind(content.clone())
    .fetch_optional(&mut *connection)
    .await?;
    let state = if taken_down.is_some() {
        state::TAKEN_DOWN
    } else {
        state::FETCHED
    };
    let (taken_down_at, kept_until) = taken_down.unwrap_or_default();
    sqlx::query(
        "insert into photo (photo_id, place, state, content, width, height, format, bytes, preview, tries, taken_down_at,
                            kept_until)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11)
         on conflict (photo_id) do update
         set state = excluded.state, content = excluded.content, width = excluded.width, height = excluded.height,
             format = excluded.format, bytes = excluded.bytes, preview = excluded.preview, refusal = null, answered = null,
             due_at = null, taken_down_at = excluded.taken_down_at, kept_until = excluded.kept_until",
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
    .bind(taken_down_at)
    .bind(kept_until)
    .execute(connection)
    .await?;
    Ok(())
}

/// A try that failed.
struct Refused {
    place: String,
    refusal: PhotoRefusal,
    answered: Option<u16>,
    at: Moment,
}

async fn note_refusal(
    connection: &mut AnyConnection,
    photo_id: String,
    refused: Refused,
) -> Result<(), ProjectionError> {
    let Refused {
        place,
        refusal,
        answered,
        at,
    } = refused;
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
        "insert into photo (photo_id, place, state, refusal, tries, due_at, answered, tried_at)
         values ($1, $2, 'refused', $3, $4, $5, $6, $7)
         on conflict (photo_id) do update
         set state = excluded.state, refusal = excluded.refusal, tries = excluded.tries, due_at = excluded.due_at,
             answered = excluded.answered, tried_at = excluded.tried_at",
    )
    .bind(photo_id)
    .bind(place)
    .bind(refusal.key())
    .bind(tries + 1)
    .bind(due_at)
    .bind(answered.map(i64::from))
    .bind(at.timestamp_micros())
    .execute(connection)
    .await?;
    Ok(())
}
