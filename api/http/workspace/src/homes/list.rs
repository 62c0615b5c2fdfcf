//! The desk's list of homes: searched, filtered, counted and paged, in every state (HOMES.md "Who keeps homes").

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, NaiveTime};
use domain::calendar::read_day;
use domain::id::RegionId;
use domain::inventory::state::HomeState;
use domain::language::Language;
use http_kit::caller::Staff;
use http_kit::contract::words::{HomeChangeWord, KeptHomeStateWord, PeriodWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::request::{Query, RequestContext, limit_of};
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::config::Settings;
use projections::staff_homes::HomeRow as KeptRow;
use projections::staff_homes::query::{self, HomeFilter, HomeTaken, Lacking, Place};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::access::EDITING;
use crate::Services;
use crate::history::ActorRef;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(EDITING, routes!(list_homes))
}

/// Homes of a page.
const LIMIT: u64 = 50;
const LIMIT_MAX: u64 = 200;
/// More words than anybody searches for.
const WORDS_MAX: usize = 12;
/// Letters of one of them.
const WORD_MAX: usize = 100;

/// Which homes.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct HomesQuery {
    /// Words of the name, the address, an id, the provider or the feed: homes that have all of them.
    q: Option<String>,
    #[param(value_type = Option<KeptHomeStateWord>)]
    state: Option<String>,
    /// A provider's id.
    provider: Option<String>,
    /// The feed's name.
    feed: Option<String>,
    /// Id or name in addresses of a city or an area.
    city: Option<String>,
    /// Homes without what it names.
    #[param(value_type = Option<LackAsked>, inline)]
    lacks: Option<String>,
    /// A day or a time: homes that were changed since.
    changed_since: Option<String>,
    /// The page after this place: `next` of the answer.
    after: Option<String>,
    limit: Option<u64>,
}

/// Something that a list of homes may be asked to lack.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LackAsked {
    Photos,
    Leases,
}

/// Something that a student misses at a home.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomeLack)]
pub enum LackWord {
    Photos,
    Leases,
    Description,
    Guarantor,
    Bills,
    Kind,
    Facilities,
}

/// A page of homes, the one changed last first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeList {
    homes: Vec<HomeRow>,
    /// How many there are on all pages.
    total: u64,
    /// How many there are in each state, whatever state is asked for.
    counts: BTreeMap<String, u64>,
    lacking: LackCounts,
    /// Feeds and providers that homes have, for the filters.
    feeds: Vec<String>,
    providers: Vec<String>,
    /// Where the next page begins; null on the last.
    next: Option<String>,
}

/// Numbers of homes that lack something as a whole.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeLackCounts)]
pub struct LackCounts {
    photos: u64,
    leases: u64,
}

/// One home in a list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeRow)]
pub struct HomeRow {
    home_id: String,
    name: String,
    canonical_name: String,
    address: String,
    city: Option<PlaceRef>,
    provider: Option<String>,
    feed: Option<String>,
    /// Its id in the feed.
    feed_id: Option<String>,
    #[schema(value_type = KeptHomeStateWord)]
    state: String,
    /// The day from which a paused home is let again.
    reopens_on: Option<String>,
    picture: Option<String>,
    photos: u64,
    leases: u64,
    /// Rooms of all types; of these so many are booked and held for some night to come.
    rooms: u64,
    booked: u64,
    held: u64,
    free: u64,
    /// True where somebody said of every room type how many there are.
    is_count_said: bool,
    /// The lowest price, in minor units.
    from_minor: Option<i64>,
    currency: String,
    #[schema(value_type = PeriodWord)]
    period: String,
    /// Everything that a student misses.
    #[schema(value_type = Vec<LackWord>)]
    lacks: Vec<String>,
    changed_at: String,
    changed_by: ActorRef,
    #[schema(value_type = HomeChangeWord)]
    changed_what: String,
}

/// A city or an area.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = HomePlace)]
pub struct PlaceRef {
    id: String,
    name: String,
}

/// Homes as staff look for them, the one changed last first. Deleted ones are listed only where their state is asked for.
///
/// # Errors
/// 422 for a filter that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/homes", tag = "support", params(HomesQuery),
    responses((status = 200, body = Success<HomeList>), (status = 422)))]
pub async fn list_homes(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    _staff: Staff,
    Query(asked): Query<HomesQuery>,
) -> ApiResult<Success<HomeList>> {
    let limit = limit_of(asked.limit, LIMIT, LIMIT_MAX)?;
    let filter = read_filter(&records, &asked)?;
    let pool = records.heard().await?;
    let mut rows = query::list(pool, &filter, limit + 1).await?;
    let is_more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| is_more).map(write_place);
    let counts = query::count(pool, &filter).await?;
    let in_state = counts.states.iter().filter(|(state, _)| filter.leaves(state));
    let total = in_state.map(|(_, homes)| homes).sum();
    let (feeds, providers) = query::list_sources(pool).await?;
    let ids: Vec<String> = rows.iter().map(|row| row.home_id.clone()).collect();
    let taken = query::count_taken(pool, &ids, clock::now()).await?;
    let mut names = HashMap::new();
    let mut homes = Vec::with_capacity(rows.len());
    for row in rows {
        let taken = taken.get(&row.home_id).copied().unwrap_or_default();
        let from = (&records, &*settings);
        homes.push(show_row(from, (row, taken), context.lang, &mut names).await?);
    }
    let lacking = |lacking: Lacking| counts.lacking.get(lacking.key()).copied().unwrap_or_default();
    Ok(Success::new(HomeList {
        homes,
        total,
        lacking: LackCounts {
            photos: lacking(Lacking::Photos),
            leases: lacking(Lacking::Leases),
        },
        counts: counts.states,
        feeds,
        providers,
        next,
    }))
}

async fn show_row(
    (records, settings): (&Records, &Settings),
    (row, taken): (KeptRow, HomeTaken),
    lang: Language,
    names: &mut HashMap<String, String>,
) -> ApiResult<HomeRow> {
    let by_staff = row
        .changed_by_id
        .as_ref()
        .filter(|_| row.changed_by_kind == "staff");
    let label = match by_staff {
        Some(id) => staff_name(&records.log, settings, id, names).await?,
        None => String::new(),
    };
    let region: Option<RegionId> = row.region.parse().ok();
    let (booked, held) = (u64::from(taken.booked), u64::from(taken.held));
    let rooms = row.rooms.unsigned_abs();
    Ok(HomeRow {
        city: region.and_then(|region| show_place(records, region, lang)),
        photos: row.photos.unsigned_abs(),
        leases: row.leases.unsigned_abs(),
        rooms,
        booked,
        held,
        free: rooms.saturating_sub(taken.of_let.into()),
        is_count_said: row.uncounted == 0,
        lacks: list_lacks(&row),
        changed_at: write_moment(row.changed_at),
        changed_by: ActorRef {
            kind: row.changed_by_kind,
            label,
        },
        changed_what: row.changed_what,
        home_id: row.home_id,
        name: row.name,
        canonical_name: row.canonical_name,
        address: row.address,
        provider: row.provider,
        feed: row.feed,
        feed_id: row.feed_id,
        state: row.state,
        reopens_on: row.reopens_on,
        picture: row.picture,
        from_minor: row.from_minor,
        currency: row.currency,
        period: row.period,
    })
}

/// A place by its name in the reader's language.
pub(super) fn show_place(records: &Records, region: RegionId, lang: Language) -> Option<PlaceRef> {
    let places = records.catalogue.places();
    let place = places.get(region)?;
    Some(PlaceRef {
        id: region.to_string(),
        name: place.name_in(lang.code()).to_owned(),
    })
}

fn list_lacks(row: &KeptRow) -> Vec<String> {
    let whole = [(Lacking::Photos, row.photos), (Lacking::Leases, row.leases)];
    let whole = whole.into_iter().filter(|(_, number)| *number == 0);
    let whole = whole.map(|(lacking, _)| lacking.key());
    let facts = row.unsaid.split(',').filter(|fact| !fact.is_empty());
    whole.chain(facts).map(str::to_owned).collect()
}

fn write_moment(micros: i64) -> String {
    let at = DateTime::from_timestamp_micros(micros);
    at.map(|at| at.to_rfc3339()).unwrap_or_default()
}

fn write_place(row: &KeptRow) -> String {
    format!("{}.{}", row.changed_at, row.home_id)
}

fn read_place(text: &str) -> Option<Place> {
    let (changed_at, home_id) = text.split_once('.')?;
    Some(Place {
        changed_at: changed_at.parse().ok()?,
        home_id: home_id.to_owned(),
    })
}

fn read_filter(records: &Records, asked: &HomesQuery) -> ApiResult<HomeFilter> {
    let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let unknown = |field: &'static str, text: &str| {
        ApiError::invalid_field(field, "choice", unknown_value(field, text))
    };
    let state = said(&asked.state);
    if let Some(state) = state.as_deref().filter(|state| !HomeState::KEYS.contains(state)) {
        return Err(unknown("state", state));
    }
    let lacking = match said(&asked.lacks) {
        None => None,
        Some(word) => {
            let found = Lacking::ALL.into_iter().find(|lacking| lacking.key() == word);
            Some(found.ok_or_else(|| unknown("lacks", &word))?)
        }
    };
    let region = match said(&asked.city) {
        None => None,
        Some(city) => {
            let found = find_region(records, &city).map(|region| region.to_string());
            Some(found.ok_or_else(|| ApiError::invalid_field("city", "unknown", say("refusal.no_region")))?)
        }
    };
    let after = match said(&asked.after) {
        None => None,
        Some(after) => Some(read_place(&after).ok_or_else(|| unknown("after", &after))?),
    };
    let words = said(&asked.q).unwrap_or_default();
    Ok(HomeFilter {
        words: read_words(&words),
        state,
        provider: said(&asked.provider),
        feed: said(&asked.feed),
        region,
        lacking,
        changed_since: said(&asked.changed_since)
            .map(|since| read_since(&since))
            .transpose()?,
        after,
    })
}

/// The words that are searched for, each cut to what a name may have.
fn read_words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().take(WORDS_MAX);
    words.map(|word| word.chars().take(WORD_MAX).collect()).collect()
}

/// The region of an id or a name in addresses.
pub(super) fn find_region(records: &Records, text: &str) -> Option<RegionId> {
    let places = records.catalogue.places();
    match text.parse::<RegionId>() {
        Ok(region) => places.get(region).map(|place| place.id),
        Err(_) => places.by_canonical_name(text).map(|place| place.id),
    }
}

/// Microseconds of a day's beginning or of a time.
fn read_since(text: &str) -> ApiResult<i64> {
    let day = read_day(text).map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let time = || DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    let since = day.or_else(|| time().ok());
    let since = since
        .ok_or_else(|| ApiError::invalid_field("changed_since", "date_format", say("refusal.day_or_time")))?;
    Ok(since.timestamp_micros())
}
