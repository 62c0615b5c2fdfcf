//! Which rooms are waited for, for staff: every place ever taken, with how it stands. The order within a room is the stock's own
//! (decision 0022).

use domain::aggregate::Decide;
use domain::room_stock::{RoomStock, RoomStockEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::Text;
use tables::table::{Table, row};

use crate::payment_audit::instant;
use crate::run::{Projection, ProjectionError};

const PLACES: Table = Table {
    name: "waitlist_place",
    columns: &[
        Text("payment_id"),
        Text("room_id"),
        Text("home_id"),
        Text("joined_at"),
        Text("state"),
    ],
    key: 1,
};

/// The table of `0481_waitlist_place.sql`.
pub struct Waitlists;

/// How many wait for a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedRoom {
    pub room_id: String,
    pub home_id: String,
    pub waiting: i64,
    pub offered: i64,
    /// Places that are over: taken, lapsed, left, or given up for another booking.
    pub ended: i64,
    /// When the newest place was taken.
    pub joined_at: String,
}

tables::from_row!(AwaitedRoom {
    room_id,
    home_id,
    waiting,
    offered,
    ended,
    joined_at
});

impl Projection for Waitlists {
    fn name(&self) -> &'static str {
        "waitlist"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["waitlist_place"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[RoomStock::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                take(connection, record).await?;
            }
            Ok(())
        })
    }
}

async fn take(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let (payment_id, state) = match record.decode::<RoomStock>()? {
        RoomStockEvent::WaitlistJoined {
            payment_id,
            home_id,
            at,
            ..
        } => {
            let row = row![
                payment_id.to_string(),
                record.stream.id.to_string(),
                home_id.to_string(),
                instant(at),
                "waiting"
            ];
            PLACES.put(connection, &[row]).await?;
            return Ok(());
        }
        RoomStockEvent::PlaceOffered { payment_id, .. } => (payment_id, "offered"),
        RoomStockEvent::PlaceLapsed { payment_id } => (payment_id, "lapsed"),
        RoomStockEvent::PlaceClosed { payment_id } => (payment_id, "closed"),
        RoomStockEvent::PlaceTaken { payment_id, .. } => (payment_id, "taken"),
        RoomStockEvent::WaitlistLeft { payment_id, booked } => {
            (payment_id, if booked { "booked" } else { "left" })
        }
        RoomStockEvent::PlaceMovedUp { .. }
        | RoomStockEvent::HoldTaken { .. }
        | RoomStockEvent::HoldExtended { .. }
        | RoomStockEvent::HoldShortened { .. }
        | RoomStockEvent::HoldKept { .. }
        | RoomStockEvent::HoldReleased { .. }
        | RoomStockEvent::HoldExpired { .. }
        | RoomStockEvent::HoldYielded { .. }
        | RoomStockEvent::RoomSold { .. }
        | RoomStockEvent::RoomTakenBack { .. } => return Ok(()),
    };
    sqlx::query("update waitlist_place set state = $1 where payment_id = $2")
        .bind(state)
        .bind(payment_id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// The rooms that were ever waited for, those with most that wait first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn rooms(pool: &AnyPool, limit: u64) -> Result<Vec<AwaitedRoom>, sqlx::Error> {
    sqlx::query_as(
        "select room_id, home_id, cast(sum(case when state = 'waiting' then 1 else 0 end) as bigint) as waiting,
         cast(sum(case when state = 'offered' then 1 else 0 end) as bigint) as offered,
         cast(sum(case when state in ('waiting', 'offered') then 0 else 1 end) as bigint) as ended, max(joined_at) as joined_at
         from waitlist_place group by room_id, home_id
         order by waiting desc, offered desc, joined_at desc, room_id limit $1",
    )
    .bind(limit.cast_signed())
    .fetch_all(pool)
    .await
}
