//! The stock of a home as rooms by weeks, and the bookings and holds that fill it.

use axum::extract::State;
use chrono::{Datelike as _, Days, NaiveDate};
use domain::calendar::read_day;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lease::Stay;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use listings::questions::home_stock::{HomeBooking, StockedRoom, TakenKind, list_bookings, read_home_stock};
use platform::clock;
use projections::payment_audit::instant;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::access::EDITING;
use crate::Services;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(EDITING, routes!(home_stock))
        .endpoint(EDITING, routes!(home_bookings))
}

/// From which day on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct StockQuery {
    /// The first day of the first week; this week's Monday where it is left out.
    from: Option<String>,
}

/// Rooms of a home by weeks of a year.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeStock {
    from: String,
    rooms: Vec<RoomStockRow>,
}

/// A room type by weeks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeStockRoom)]
pub struct RoomStockRow {
    room_id: String,
    name: String,
    /// How many there are.
    rooms: u32,
    /// True where more are sold for a night to come than there are: then none is let.
    is_oversold: bool,
    weeks: Vec<WeekRow>,
    leases: Vec<LeaseStockRow>,
}

/// A week of a room type, by its fullest night.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeStockWeek)]
pub struct WeekRow {
    from: String,
    booked: u32,
    held: u32,
    free: u32,
}

/// A lease of a room type, with how many rooms were let for it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeStockLease)]
pub struct LeaseStockRow {
    move_in: String,
    length: String,
    ends: String,
    booked: u32,
    held: u32,
}

/// A room of a home that somebody has booked or holds.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeBooking)]
pub struct BookingRow {
    payment_id: String,
    lead_id: Option<String>,
    /// What people call the enquiry by.
    reference: Option<String>,
    room_id: String,
    room: String,
    /// Null, as length and end, for a room that was taken before stays were written down with it.
    move_in: Option<String>,
    length: Option<String>,
    ends: Option<String>,
    state: TakenWord,
    /// Null for a booking, and for a hold that lasts until its payment is settled.
    held_until: Option<String>,
}

/// How somebody has a room.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomeBookingState)]
pub enum TakenWord {
    Booked,
    Held,
}

/// Rooms of each type that are booked, held and free, week by week for a year.
///
/// # Errors
/// 404 for an unknown home, 422 for a day that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}/stock", tag = "support", params(("id" = String, Path), StockQuery),
    responses((status = 200, body = Success<HomeStock>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn home_stock(
    State(records): State<Records>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
    Query(asked): Query<StockQuery>,
) -> ApiResult<Success<HomeStock>> {
    let now = clock::now();
    let from = match asked.from.as_deref() {
        Some(day) => read_day(day)
            .ok_or_else(|| ApiError::invalid_field("from", "date_format", say("validation.date_format")))?,
        None => find_monday(now.date_naive()),
    };
    let rooms = read_rooms(&records, id).await?;
    let shown = rooms.iter().filter(|room| !room.room.withdrawn);
    let rows = shown.map(|room| {
        let weeks = room.list_weeks(from, now).into_iter().map(|week| WeekRow {
            from: week.from.to_string(),
            booked: week.taken.sold,
            held: week.taken.held,
            free: week.free,
        });
        let leases = room.room.leases.iter().map(|lease| {
            let taken = room.count_lease(lease.stay(), now);
            LeaseStockRow {
                move_in: lease.move_in.to_string(),
                length: lease.length.to_string(),
                ends: lease.stay().ends().to_string(),
                booked: taken.sold,
                held: taken.held,
            }
        });
        RoomStockRow {
            room_id: room.room.details.id.to_string(),
            name: name_room(room, context.lang),
            rooms: room.room.rooms,
            is_oversold: room.is_oversold(now.date_naive()),
            weeks: weeks.collect(),
            leases: leases.collect(),
        }
    });
    Ok(Success::new(HomeStock {
        from: from.to_string(),
        rooms: rows.collect(),
    }))
}

/// The bookings and holds of a home's rooms, those of rooms too that it lets no longer, the earliest stay first.
///
/// # Errors
/// 404 for an unknown home.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}/bookings", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<Vec<BookingRow>>), (status = 404, body = Failure)))]
pub async fn home_bookings(
    State(records): State<Records>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
) -> ApiResult<Success<Vec<BookingRow>>> {
    let rooms = read_rooms(&records, id).await?;
    let bookings = list_bookings(&records.log, &rooms, clock::now()).await?;
    let rows = bookings.iter().map(|booking| {
        let mut same = rooms
            .iter()
            .filter(|room| room.room.details.id == booking.room_id);
        let room = same.next().map(|room| name_room(room, context.lang));
        show_booking(booking, room.unwrap_or_default())
    });
    Ok(Success::new(rows.collect()))
}

async fn read_rooms(records: &Records, id: InventoryId) -> ApiResult<Vec<StockedRoom>> {
    let home = records.log.load::<Inventory>(id).await?.state;
    if home.property.is_none() {
        return Err(ApiError::not_found(say("refusal.no_property")));
    }
    Ok(read_home_stock(&records.log, &home).await?)
}

fn name_room(room: &StockedRoom, lang: Language) -> String {
    room.room.details.name.in_language(lang.code()).to_owned()
}

fn show_booking(booking: &HomeBooking, room: String) -> BookingRow {
    let taken = &booking.taken;
    let (state, held_until) = match taken.kind {
        TakenKind::Booked => (TakenWord::Booked, None),
        TakenKind::Held { until } => (TakenWord::Held, until.map(instant)),
    };
    let stay: Option<Stay> = taken.stay;
    BookingRow {
        payment_id: taken.payment_id.to_string(),
        lead_id: booking.lead_id.map(|lead_id| lead_id.to_string()),
        reference: booking.reference.clone(),
        room_id: booking.room_id.to_string(),
        room,
        move_in: stay.map(|stay| stay.move_in.to_string()),
        length: stay.map(|stay| stay.length.to_string()),
        ends: stay.map(|stay| stay.ends().to_string()),
        state,
        held_until,
    }
}

fn find_monday(day: NaiveDate) -> NaiveDate {
    let since = Days::new(day.weekday().num_days_from_monday().into());
    day.checked_sub_days(since).unwrap_or(day)
}
