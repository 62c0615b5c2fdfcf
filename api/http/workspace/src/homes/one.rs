//! One home for staff: its state and what may be done to it, its place, rooms and leases, and what of it is taken.

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::NaiveDate;
use domain::id::InventoryId;
use domain::inventory::let_room::LetRoom;
use domain::inventory::picture_path::picture_path;
use domain::inventory::state::{ClosedBy, HomeState};
use domain::language::Language;
use domain::nights::Nights;
use http_kit::caller::Staff;
use http_kit::contract::words::{KeptHomeStateWord, PeriodWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use listings::commands::act_on_home::HomeAct;
use listings::questions::home_stock::{StockedRoom, read_home_stock};
use listings::questions::home_values::read_home_values;
use platform::clock;
use projections::payment_audit::instant;
use projections::photo::list_paths;
use projections::staff_homes::query::list_alike;
use projections::{import_runs, staff_homes};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::EDITING;
use super::list::{PlaceRef, show_place};
use crate::Services;

/// The widest picture of a home on its page at the desk.
const PICTURE_WIDTH: u32 = 720;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(EDITING, routes!(read_home))
}

/// A home as staff keep it.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffHome {
    home_id: String,
    name: String,
    canonical_name: String,
    /// Where the home stands: an edit names it.
    pub(super) position: u64,
    #[schema(value_type = KeptHomeStateWord)]
    state: &'static str,
    /// The day from which a paused home is let again.
    reopens_on: Option<String>,
    closed_by: Option<ClosedByWord>,
    /// The home that is kept instead of this double.
    merged_into: Option<String>,
    provider: Option<String>,
    feed: Option<String>,
    /// Its id in the feed.
    feed_id: Option<String>,
    country: &'static str,
    city: Option<PlaceRef>,
    area: Option<PlaceRef>,
    currency: String,
    #[schema(value_type = PeriodWord)]
    period: &'static str,
    listed_at: String,
    changed_at: String,
    /// Its page for students.
    url: String,
    /// Numbers of its office, in E.164.
    phones: Vec<String>,
    /// Address of its office; no page shows it.
    email: Option<String>,
    /// Its page at its source; no page shows it.
    source_link: Option<String>,
    /// Its photos that can be shown, a room first; drawings of the demo where there are none.
    pictures: Vec<String>,
    rooms: Vec<StaffRoom>,
    stakes: HomeStakes,
    /// Acts that its state allows, the likeliest first.
    #[schema(value_type = Vec<HomeActWord>)]
    can: &'static [&'static str],
    /// The run of its feed that changed it last.
    last_run: Option<String>,
    /// Other homes of the same name and address.
    doubles: Vec<HomeDouble>,
}

/// An act of staff on a home as a whole.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomeActWord)]
pub enum HomeActWord {
    Submit,
    AskChanges,
    Activate,
    Pause,
    Reopen,
    Close,
}

/// Who closed a home.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomeClosedBy)]
pub enum ClosedByWord {
    Feed,
    Provider,
    Staff,
}

/// A room type that a home lets.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffRoom {
    room_id: String,
    /// By the tag of the language.
    name: BTreeMap<String, String>,
    /// Such as `private_room`, `shared_kitchen`; what is not said is not among them.
    types: Vec<String>,
    size_sqm: Option<u16>,
    /// How many there are, and whether somebody said so.
    rooms: u32,
    is_count_said: bool,
    leases: Vec<StaffLease>,
}

/// A lease that a room is let for.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffLease {
    move_in: String,
    /// Such as `44 weeks`.
    length: String,
    price_minor: u64,
    /// How many of the rooms its source lets free for it.
    rooms_available: u32,
}

/// Rooms of a home that are at stake: on the fullest night to come of each room type.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct HomeStakes {
    free: u32,
    held: u32,
    booked: u32,
    /// Places of its waitlists.
    waiting: u64,
}

/// Another home of the same name and address.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeDouble {
    home_id: String,
    name: String,
    address: String,
    #[schema(value_type = KeptHomeStateWord)]
    state: String,
}

/// A home as staff keep it.
///
/// # Errors
/// 404 for an unknown home.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure)))]
pub async fn read_home(
    State(records): State<Records>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
) -> ApiResult<Success<StaffHome>> {
    Ok(Success::new(show_home(&records, id, context.lang).await?))
}

/// Answers an act on a home with the home as it stands after it.
///
/// # Errors
/// 404 for an unknown home.
pub(super) async fn answer_with(
    records: &Records,
    id: InventoryId,
    lang: Language,
) -> ApiResult<Success<StaffHome>> {
    let home = show_home(records, id, lang).await?;
    let position = home.position;
    Ok(Success::at(home, position))
}

async fn show_home(records: &Records, id: InventoryId, lang: Language) -> ApiResult<StaffHome> {
    let absent = || ApiError::not_found(say("refusal.no_property"));
    let read = read_home_values(&records.log, id).await?.ok_or_else(absent)?;
    let home = &read.home.state;
    let property = home.property.as_deref().ok_or_else(absent)?;
    let stocked = read_home_stock(&records.log, home).await?;
    records.answers_for(read.position);
    let pool = records.heard().await?;
    let last_run = import_runs::last_run(pool, id).await?;
    let doubles = list_alike(pool, id).await?.into_iter().map(HomeDouble::of);
    let mut pictures = list_paths(pool, home, PICTURE_WIDTH).await?;
    if pictures.is_empty() {
        pictures.extend(property.pictures.iter().map(picture_path));
    }
    let source = property.source.as_ref();
    Ok(StaffHome {
        home_id: id.to_string(),
        name: property.name.clone(),
        canonical_name: property.canonical_name.clone(),
        position: read.position,
        state: home.state.key(),
        reopens_on: home.state.reopens_on().map(|day| day.to_string()),
        closed_by: ClosedByWord::of(home.state),
        merged_into: home.merged_into.map(|kept| kept.to_string()),
        provider: property.provider.map(|provider| provider.to_string()),
        feed: source.map(|source| source.feed.clone()),
        feed_id: source.map(|source| source.id.clone()),
        country: property.country.key(),
        city: show_place(records, property.region, lang),
        area: property.area.and_then(|area| show_place(records, area, lang)),
        currency: property.currency.code().to_owned(),
        period: property.period.key(),
        listed_at: instant(read.listed_at),
        changed_at: instant(read.changed_at),
        url: format!("/places/{}", property.canonical_name),
        phones: property.phones.clone(),
        email: property.email.clone(),
        source_link: property.source_link.clone(),
        pictures,
        rooms: home.let_rooms().map(StaffRoom::of).collect(),
        stakes: HomeStakes::of(&stocked),
        can: HomeAct::list_allowed(home.state),
        last_run: last_run.map(|run_id| run_id.to_string()),
        doubles: doubles.collect(),
    })
}

impl HomeActWord {
    /// The act that it names.
    pub(super) const fn read(self, reopens_on: Option<NaiveDate>) -> HomeAct {
        match self {
            Self::Submit => HomeAct::Submit,
            Self::AskChanges => HomeAct::AskChanges,
            Self::Activate => HomeAct::Activate,
            Self::Pause => HomeAct::Pause { reopens_on },
            Self::Reopen => HomeAct::Reopen,
            Self::Close => HomeAct::Close,
        }
    }
}

impl ClosedByWord {
    const fn of(state: HomeState) -> Option<Self> {
        match state {
            HomeState::Closed { by: ClosedBy::Feed } => Some(Self::Feed),
            HomeState::Closed {
                by: ClosedBy::Provider,
            } => Some(Self::Provider),
            HomeState::Closed { by: ClosedBy::Staff } => Some(Self::Staff),
            _ => None,
        }
    }
}

impl StaffRoom {
    fn of(room: &LetRoom) -> Self {
        let details = &room.details;
        let texts = details.name.texts();
        let types = details.attributes.meta_types().into_iter();
        let leases = room.leases.iter().map(|lease| StaffLease {
            move_in: lease.move_in.to_string(),
            length: lease.length.to_string(),
            price_minor: lease.price_minor,
            rooms_available: lease.rooms_available,
        });
        Self {
            room_id: details.id.to_string(),
            name: texts
                .map(|(tag, text)| (tag.to_owned(), text.to_owned()))
                .collect(),
            types: types.map(str::to_owned).collect(),
            size_sqm: details.area_sqm,
            rooms: room.rooms,
            is_count_said: room.is_count_said,
            leases: leases.collect(),
        }
    }
}

impl HomeStakes {
    fn of(rooms: &[StockedRoom]) -> Self {
        let now = clock::now();
        let coming = Nights::after(now.date_naive());
        let mut stakes = Self::default();
        for room in rooms {
            let (taken, free) = room.count(coming, now);
            stakes.free = stakes.free.saturating_add(free);
            stakes.held = stakes.held.saturating_add(taken.held);
            stakes.booked = stakes.booked.saturating_add(taken.sold);
            stakes.waiting += room.stock.waitlist.alive().count() as u64;
        }
        stakes
    }
}

impl HomeDouble {
    fn of(row: staff_homes::HomeRow) -> Self {
        Self {
            home_id: row.home_id,
            name: row.name,
            address: row.address,
            state: row.state,
        }
    }
}
