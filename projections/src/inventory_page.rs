//! What a property's pages show: the property with its rooms, reviews and past prices as one document, found by id, by any
//! canonical name it ever had, or by its feed's own id.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use domain::aggregate::Decide;
use domain::id::InventoryId;
use domain::inventory::let_room::{LeaseOption, LetRoom};
use domain::inventory::market::{PriceSeries, Review};
use domain::inventory::property::{PropertyDetails, PropertyKind};
use domain::inventory::{Inventory, InventoryEvent, Status};
use domain::lease::Stay;
use domain::moment::Moment;
use domain::nights::{Nights, most_taken};
use domain::room_stock::{RoomStock, RoomStockEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use uuid::Uuid;

use crate::run::{Projection, ProjectionError};

mod named;
mod trend;

pub use named::{Named, find};

/// A property as its pages show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InventoryPage {
    pub id: InventoryId,
    pub inventory: Inventory,
    pub reviews: Vec<Review>,
    pub history: Vec<PriceSeries>,
    /// Rooms whose prices were said before the home asked in its present currency and for its present period.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    unsaid: BTreeSet<InventoryId>,
    pub listed_at: Moment,
    pub changed_at: Moment,
    pub revision: u64,
}

impl InventoryPage {
    fn new(id: InventoryId, at: Moment) -> Self {
        Self {
            id,
            inventory: Inventory::default(),
            reviews: Vec::new(),
            history: Vec::new(),
            unsaid: BTreeSet::new(),
            listed_at: at,
            changed_at: at,
            revision: 0,
        }
    }

    /// Its details; a property without them was never listed.
    pub fn property(&self) -> Option<&PropertyDetails> {
        self.inventory.property.as_deref()
    }

    /// A room that is let.
    pub fn room(&self, id: InventoryId) -> Option<&LetRoom> {
        self.inventory.let_rooms().find(|room| room.details.id == id)
    }

    fn take(&mut self, event: &InventoryEvent, at: Moment, revision: u64) {
        match event {
            InventoryEvent::ReviewsPublished { written, .. } => {
                self.reviews.extend(written.iter().cloned());
                self.reviews
                    .sort_by_key(|review| std::cmp::Reverse(review.stayed_to));
            }
            InventoryEvent::PriceHistoryRecorded { series } => trend::merge(&mut self.history, series),
            InventoryEvent::RoomPriced { room, .. }
                if self.room(*room).is_some_and(|known| !known.leases.is_empty()) =>
            {
                // What was asked until now becomes history of its month.
                let known = trend::current(&self.inventory, &self.unsaid, self.changed_at);
                trend::merge(&mut self.history, &known);
            }
            InventoryEvent::PropertyListed { .. }
            | InventoryEvent::PropertyDetailsChanged { .. }
            | InventoryEvent::RoomListed { .. }
            | InventoryEvent::RoomDetailsChanged { .. }
            | InventoryEvent::RoomWithdrawn { .. }
            | InventoryEvent::RoomPriced { .. }
            | InventoryEvent::FactsSet { .. }
            | InventoryEvent::FactsUnset { .. }
            | InventoryEvent::OfferPublished { .. }
            | InventoryEvent::OfferWithdrawn { .. }
            | InventoryEvent::PropertySubmitted {}
            | InventoryEvent::PropertyActivated {}
            | InventoryEvent::PropertyDeactivated {}
            | InventoryEvent::PropertyDeleted {}
            | InventoryEvent::PropertyMarkedAvailable {}
            | InventoryEvent::PropertyMarkedUnavailable {}
            | InventoryEvent::PropertyChangesAsked {}
            | InventoryEvent::PropertyPaused { .. }
            | InventoryEvent::PropertyReopened {}
            | InventoryEvent::PropertyClosed { .. }
            | InventoryEvent::PropertyMerged { .. }
            | InventoryEvent::ReasonGiven { .. } => {}
        }
        self.evolve_money(event);
        self.changed_at = at;
        self.revision = revision;
    }
}

/// The page of a property.
///
/// # Errors
/// When the database fails.
pub async fn page(pool: &AnyPool, root: InventoryId) -> Result<Option<InventoryPage>, sqlx::Error> {
    let document: Option<Vec<u8>> = sqlx::query_scalar("select document from inventory_page where id = $1")
        .bind(root.to_string())
        .fetch_optional(pool)
        .await?;
    document.map(|json| parse(&json)).transpose()
}

fn parse(json: &[u8]) -> Result<InventoryPage, sqlx::Error> {
    serde_json::from_slice(json).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// The column's value for a home of which no kind is said.
const KIND_UNSAID: &str = "";

/// Which properties a list shows.
#[derive(Debug, Clone, Default)]
pub struct ListFilter {
    /// None for homes of any kind, those too of which no kind is said.
    pub kinds: Vec<PropertyKind>,
    pub statuses: Vec<Status>,
    pub region: Option<String>,
}

impl ListFilter {
    fn push(&self, query: &mut Statement) {
        let any = PropertyKind::ALL.map(PropertyKind::key);
        let wanted: Vec<&str> = if self.kinds.is_empty() {
            any.into_iter().chain([KIND_UNSAID]).collect()
        } else {
            self.kinds.iter().map(|kind| kind.key()).collect()
        };
        query
            .push(" where kind in ")
            .push_list(wanted)
            .push(" and status in ")
            .push_list(self.statuses.iter().map(|status| status.key()));
        if let Some(region) = &self.region {
            query.push(" and region = ").push_bind(region.clone());
        }
    }
}

/// One page of a list, newest listing first, with the number of all.
///
/// # Errors
/// When the database fails.
pub async fn list(
    pool: &AnyPool,
    filter: &ListFilter,
    limit: u32,
    offset: u64,
) -> Result<(u64, Vec<InventoryPage>), sqlx::Error> {
    let mut counting = Statement::new("select count(*) from inventory_page");
    filter.push(&mut counting);
    let count: i64 = counting.build_query_scalar()?.fetch_one(pool).await?;
    // Beyond the end there is nothing to sort for.
    if offset >= count.unsigned_abs() {
        return Ok((count.unsigned_abs(), Vec::new()));
    }
    let mut query = Statement::new("select document from inventory_page");
    filter.push(&mut query);
    query
        .push(" order by listed_at desc, id limit ")
        .push_bind(i64::from(limit))
        .push(" offset ")
        .push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
    let rows: Vec<Vec<u8>> = query.build_query_scalar()?.fetch_all(pool).await?;
    let pages = rows.iter().map(|json| parse(json)).collect::<Result<_, _>>()?;
    Ok((count.unsigned_abs(), pages))
}

/// Rooms of a property that are held or sold, by room type: which nights of each.
#[derive(Debug, Clone)]
pub struct Taken {
    rooms: BTreeMap<InventoryId, Vec<TakenRoom>>,
    /// Where the home stands.
    today: NaiveDate,
}

/// One room that is held or sold.
#[derive(Debug, Clone, Copy)]
struct TakenRoom {
    nights: Nights,
    is_sold: bool,
}

impl Taken {
    /// Rooms still to be had on this lease: none of a type of which more are sold for a night to come than there are.
    pub fn left(&self, room: &LetRoom, lease: &LeaseOption) -> u32 {
        let most = room.most_of_on(lease, self.today);
        let Some(taken) = self.rooms.get(&room.details.id) else {
            return most;
        };
        let sold = taken.iter().filter(|taken| taken.is_sold);
        let coming = Nights::after(self.today);
        if most_taken(sold.map(|taken| taken.nights), coming) > room.rooms {
            return 0;
        }
        let nights = taken.iter().map(|taken| taken.nights);
        most.saturating_sub(most_taken(nights, Nights::of(lease.stay())))
    }
}

/// What is held or sold of a property's rooms at `now`, which is `today` where the home stands.
///
/// # Errors
/// When the database fails.
pub async fn taken(
    pool: &AnyPool,
    page: &InventoryPage,
    (now, today): (Moment, NaiveDate),
) -> Result<Taken, sqlx::Error> {
    let rooms = page.inventory.rooms.iter();
    // Two payments for one booking have one hold and one stay.
    let mut query = Statement::new("select room, hold, stay, max(sold) from inventory_taken where room in ");
    query
        .push_list(rooms.map(|room| room.details.id.to_string()))
        .push(" and (sold = 1 or (yields = 0 and (expires_at is null or expires_at > ")
        .push_bind(now.timestamp_micros())
        .push("))) group by room, hold, stay order by room, hold");
    let rows: Vec<(String, Option<String>, Option<String>, i64)> =
        query.build_query_as()?.fetch_all(pool).await?;
    let mut taken = Taken {
        rooms: BTreeMap::new(),
        today,
    };
    for (room, _hold, stay, sold) in rows {
        let Ok(room) = room.parse() else { continue };
        let stay = stay.as_deref().and_then(Stay::of_key);
        taken.rooms.entry(room).or_default().push(TakenRoom {
            nights: Nights::of_taken(stay),
            is_sold: sold == 1,
        });
    }
    Ok(taken)
}

/// Folds inventory and room stock events into pages.
pub struct InventoryPages;

impl Projection for InventoryPages {
    fn name(&self) -> &'static str {
        "inventory_page"
    }

    fn version(&self) -> u32 {
        7
    }

    fn tables(&self) -> &'static [&'static str] {
        &["inventory_page", "inventory_name", "inventory_taken"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Inventory::KIND, RoomStock::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            // All events of one property in the batch cost one read and one write.
            let mut properties: BTreeMap<Uuid, Vec<&RecordedEvent>> = BTreeMap::new();
            for event in events {
                if event.stream.kind == RoomStock::KIND {
                    stock(connection, event).await?;
                } else {
                    properties.entry(event.stream.id).or_default().push(event);
                }
            }
            for (id, events) in properties {
                property(connection, InventoryId(id), &events).await?;
            }
            Ok(())
        })
    }
}

async fn property(
    connection: &mut AnyConnection,
    id: InventoryId,
    events: &[&RecordedEvent],
) -> Result<(), ProjectionError> {
    let Some(first) = events.first() else {
        return Ok(());
    };
    let stored: Option<Vec<u8>> = if first.revision > 1 {
        sqlx::query_scalar("select document from inventory_page where id = $1")
            .bind(id.to_string())
            .fetch_optional(&mut *connection)
            .await?
    } else {
        None
    };
    let mut page = match stored {
        Some(json) => parse(&json)?,
        None => InventoryPage::new(id, first.occurred_at),
    };
    for event in events {
        let decoded = event.decode_sealed::<Inventory>()?;
        named::keep_names(connection, id, &decoded).await?;
        page.take(&decoded, event.occurred_at, event.revision);
    }
    save(connection, &page).await
}

async fn save(connection: &mut AnyConnection, page: &InventoryPage) -> Result<(), ProjectionError> {
    let Some(property) = page.property() else {
        return Ok(());
    };
    let document = serde_json::to_vec(page).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "insert into inventory_page (id, status, kind, country, region, listed_at, document)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update
         set status = excluded.status, kind = excluded.kind, country = excluded.country, region = excluded.region,
             document = excluded.document",
    )
    .bind(page.id.to_string())
    .bind(page.inventory.status().key())
    .bind(property.kind.map_or(KIND_UNSAID, PropertyKind::key))
    .bind(property.country.key())
    .bind(property.region.to_string())
    .bind(page.listed_at.timestamp_micros())
    .bind(document)
    .execute(connection)
    .await?;
    Ok(())
}

async fn stock(connection: &mut AnyConnection, event: &RecordedEvent) -> Result<(), ProjectionError> {
    let room = event.stream.id.to_string();
    let until = |end: Moment| Some(end.timestamp_micros());
    let mut stands_back = None;
    let (payment, hold, stay, ends, sold) = match event.decode::<RoomStock>()? {
        RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            stay,
            expires_at,
            yields,
            ..
        } => {
            stands_back = Some(yields);
            (payment_id, hold_id, stay.map(Stay::key), until(expires_at), false)
        }
        RoomStockEvent::HoldExtended {
            hold_id,
            payment_id,
            expires_at,
            ..
        }
        | RoomStockEvent::HoldShortened {
            hold_id,
            payment_id,
            expires_at,
        } => (payment_id, hold_id, None, until(expires_at), false),
        RoomStockEvent::HoldKept { hold_id, payment_id } => {
            stands_back = Some(false);
            (payment_id, hold_id, None, None, false)
        }
        RoomStockEvent::RoomSold { hold_id, payment_id } => (payment_id, hold_id, None, None, true),
        // An offered room is held once the offer is taken.
        RoomStockEvent::WaitlistJoined { .. }
        | RoomStockEvent::WaitlistLeft { .. }
        | RoomStockEvent::PlaceOffered { .. }
        | RoomStockEvent::PlaceLapsed { .. }
        | RoomStockEvent::PlaceClosed { .. }
        | RoomStockEvent::PlaceTaken { .. }
        | RoomStockEvent::PlaceMovedUp { .. } => return Ok(()),
        RoomStockEvent::HoldReleased { payment_id, .. }
        | RoomStockEvent::HoldExpired { payment_id, .. }
        | RoomStockEvent::HoldYielded { payment_id, .. }
        | RoomStockEvent::RoomTakenBack { payment_id, .. } => {
            sqlx::query("delete from inventory_taken where room = $1 and payment = $2")
                .bind(room)
                .bind(payment_id.to_string())
                .execute(connection)
                .await?;
            return Ok(());
        }
    };
    // What the hold was for is said once, when it is taken; a second payment for the booking has the first one's.
    sqlx::query(
        "insert into inventory_taken (room, payment, hold, expires_at, sold, stay, yields)
         values ($1, $2, $3, $4, $5, coalesce($6, (select stay from inventory_taken where room = $1 and hold = $3 limit 1)),
             coalesce($7, 0))
         on conflict (room, payment) do update
         set hold = excluded.hold, expires_at = excluded.expires_at, sold = excluded.sold, stay = excluded.stay,
             yields = coalesce($7, inventory_taken.yields)",
    )
    .bind(room)
    .bind(payment.to_string())
    .bind(hold.0.to_string())
    .bind(ends)
    .bind(i64::from(sold))
    .bind(stay)
    .bind(stands_back.map(i64::from))
    .execute(connection)
    .await?;
    Ok(())
}

/// Which kinds a `type` parameter asks for (A4): `student_accommodation` also brings apartments and university halls.
pub fn kinds_of(kind: PropertyKind) -> Vec<PropertyKind> {
    match kind {
        PropertyKind::StudentAccommodation => {
            vec![
                PropertyKind::StudentAccommodation,
                PropertyKind::Apartment,
                PropertyKind::UniversityHall,
            ]
        }
        PropertyKind::Apartment | PropertyKind::UniversityHall | PropertyKind::House => vec![kind],
    }
}

#[cfg(test)]
pub(crate) mod tests;
