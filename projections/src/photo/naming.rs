//! Which home names which photo now, and those of them whose addresses give none.

use std::collections::{BTreeMap, BTreeSet};

use domain::id::PhotoId;
use domain::inventory::facts::Fact;
use domain::inventory::media::Media;
use domain::inventory::photo_list::PhotoList;
use domain::inventory::{Described, InventoryEvent};
use domain::photo::PhotoRefusal;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use tables::table::Column::Text;
use tables::table::{Table, row};

use super::ASKED_AT_ONCE;

const NAMINGS: Table = Table {
    name: "photo_naming",
    columns: &[Text("holder_id"), Text("photo_id"), Text("home_id")],
    key: 2,
};

/// Photos that homes and room types name after some events, by the id of each.
#[derive(Debug, Default)]
pub(super) struct Namings(BTreeMap<String, Naming>);

#[derive(Debug)]
struct Naming {
    home_id: String,
    photos: BTreeSet<PhotoId>,
}

impl Namings {
    /// Notes what an event of a home says of its photos, as they are shown.
    pub(super) fn note(&mut self, home_id: &str, event: &InventoryEvent) {
        let (holder_id, photos) = match event {
            InventoryEvent::RoomWithdrawn { room } => (room.to_string(), BTreeSet::new()),
            _ => match event.described() {
                Some(Described::Property(property)) => {
                    (home_id.to_owned(), list_ids(&property.media, list_set(event)))
                }
                Some(Described::Room(room)) => (room.id.to_string(), list_ids(&room.media, list_set(event))),
                None => return,
            },
        };
        let home_id = home_id.to_owned();
        self.0.insert(holder_id, Naming { home_id, photos });
    }

    /// Writes them in place of what the same homes and room types named before.
    pub(super) async fn write(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let holders: Vec<String> = self.0.keys().cloned().collect();
        for some in holders.chunks(ASKED_AT_ONCE) {
            let mut query = Statement::new("delete from photo_naming where holder_id in ");
            query.push_list(some.iter().cloned());
            query.build()?.execute(&mut *connection).await?;
        }
        let mut rows = Vec::new();
        for (holder_id, naming) in &self.0 {
            for photo_id in &naming.photos {
                rows.push(row![
                    holder_id.clone(),
                    photo_id.to_string(),
                    naming.home_id.clone()
                ]);
            }
        }
        NAMINGS.add(connection, &rows).await
    }
}

/// Facts that a person set over a description.
fn list_set(event: &InventoryEvent) -> &[Fact] {
    match event {
        InventoryEvent::PropertyDetailsChanged { set, .. }
        | InventoryEvent::RoomListed { set, .. }
        | InventoryEvent::RoomDetailsChanged { set, .. } => set,
        _ => &[],
    }
}

fn list_ids(media: &Media, set: &[Fact]) -> BTreeSet<PhotoId> {
    let id = |place: &String| PhotoId::of_place(place);
    match set.iter().find_map(Fact::photos) {
        Some(list) => list.pictures().map(|photo| id(&photo.place)).collect(),
        None => PhotoList::of(media)
            .pictures()
            .map(|photo| id(&photo.place))
            .collect(),
    }
}

/// A photo that a home names and whose address gives none. Times are in microseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadPhoto {
    pub home_id: String,
    /// Of the home.
    pub name: String,
    pub place: String,
    /// A key of `PhotoRefusal`.
    pub refusal: String,
    pub answered: Option<i64>,
    pub tried_at: Option<i64>,
    pub due_at: Option<i64>,
}

tables::from_row!(DeadPhoto {
    home_id,
    name,
    place,
    refusal,
    answered,
    tried_at,
    due_at
});

/// Counts the photos that homes name and whose addresses give none.
///
/// # Errors
/// When the database fails.
pub async fn count_dead(pool: &AnyPool) -> Result<u64, sqlx::Error> {
    let mut query = Statement::new("select count(*) from photo where state = 'refused' and refusal in ");
    query
        .push_list(list_temporary())
        .push(" and exists (select 1 from photo_naming where photo_naming.photo_id = photo.photo_id)");
    let count: i64 = query.build_query_scalar()?.fetch_one(pool).await?;
    Ok(count.unsigned_abs())
}

/// The photos that the homes of a feed name and whose addresses give none, by the names of the homes.
///
/// # Errors
/// When the database fails.
pub async fn list_dead(pool: &AnyPool, feed: &str, limit: u64) -> Result<Vec<DeadPhoto>, sqlx::Error> {
    let mut query = Statement::new(
        "select distinct staff_home.home_id, staff_home.name, photo.place, photo.refusal, photo.answered, photo.tried_at,
                photo.due_at
         from photo
         join photo_naming on photo_naming.photo_id = photo.photo_id
         join staff_home on staff_home.home_id = photo_naming.home_id
         where photo.state = 'refused' and photo.refusal in ",
    );
    query
        .push_list(list_temporary())
        .push(" and staff_home.feed = ")
        .push_bind(feed.to_owned())
        .push(" order by staff_home.name, staff_home.home_id, photo.place limit ")
        .push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

fn list_temporary() -> Vec<String> {
    let temporary = PhotoRefusal::ALL
        .into_iter()
        .filter(|refusal| refusal.is_temporary());
    temporary.map(|refusal| refusal.key().to_owned()).collect()
}
