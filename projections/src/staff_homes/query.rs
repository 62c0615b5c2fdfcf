//! Questions about homes as staff look for them.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use domain::id::InventoryId;
use domain::lead::LeadStatus;
use domain::lease::Stay;
use domain::moment::Moment;
use domain::nights::{Nights, most_taken};
use sqlx::AnyPool;
use tables::Statement;

use super::HomeRow;

/// Columns that a question of homes reads.
const SHOWN: &str = "select home_id, name, canonical_name, address, searched, alike, region, area, provider, feed, feed_id, currency,
    period, state, reopens_on, picture, own_photos, photos, rooms, uncounted, leases, from_minor, unsaid, listed_at, changed_at,
    changed_by_kind, changed_by_id, changed_what, changed_cause from staff_home";
/// The state of homes that are listed only where it is asked for.
const DELETED: &str = "deleted";
/// Doubles of one home that are shown.
const ALIKE_MAX: i64 = 20;

/// Something that a home may lack as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacking {
    Photos,
    Leases,
}

impl Lacking {
    pub const ALL: [Self; 2] = [Self::Photos, Self::Leases];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Photos => "photos",
            Self::Leases => "leases",
        }
    }

    const fn condition(self) -> &'static str {
        match self {
            Self::Photos => "photos = 0",
            Self::Leases => "leases = 0",
        }
    }
}

/// End of a page of homes: when the last one was changed, and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub changed_at: i64,
    pub home_id: String,
}

/// Which homes; all but deleted ones where nothing is said.
#[derive(Debug, Clone, Default)]
pub struct HomeFilter {
    /// Each word stands somewhere in name, address, provider, feed or an id.
    pub words: Vec<String>,
    /// A name of `HomeState`.
    pub state: Option<String>,
    pub provider: Option<String>,
    pub feed: Option<String>,
    /// A city or an area of one.
    pub region: Option<String>,
    pub lacking: Option<Lacking>,
    /// In microseconds.
    pub changed_since: Option<i64>,
    /// The page after this place.
    pub after: Option<Place>,
}

impl HomeFilter {
    /// True where it leaves homes of a state.
    pub fn leaves(&self, state: &str) -> bool {
        let wanted = self.state.as_deref();
        wanted.map_or(state != DELETED, |wanted| wanted == state)
    }

    fn push(&self, query: &mut Statement) {
        match &self.state {
            Some(state) => query.push(" where state = ").push_bind(state.clone()),
            None => query.push(" where state <> ").push_bind(DELETED.to_owned()),
        };
        self.push_rest(query);
    }

    /// All conditions but that on the state, after a first one.
    fn push_rest(&self, query: &mut Statement) {
        for word in &self.words {
            // Signs that a pattern would read otherwise stand for themselves or any other.
            let word = word.to_lowercase().replace(['%', '_', '\\'], "_");
            query.push(" and searched like ").push_bind(format!("%{word}%"));
        }
        let columns = [("provider", &self.provider), ("feed", &self.feed)];
        for (column, wanted) in columns {
            if let Some(wanted) = wanted {
                query
                    .push(" and ")
                    .push(column)
                    .push(" = ")
                    .push_bind(wanted.clone());
            }
        }
        if let Some(region) = &self.region {
            query
                .push(" and (region = ")
                .push_bind(region.clone())
                .push(" or area = ")
                .push_bind(region.clone())
                .push(")");
        }
        if let Some(lacking) = self.lacking {
            query.push(" and ").push(lacking.condition());
        }
        if let Some(since) = self.changed_since {
            query.push(" and changed_at >= ").push_bind(since);
        }
    }
}

/// Numbers of the homes that a filter leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HomeCounts {
    /// By state, whatever state the filter names.
    pub states: BTreeMap<String, u64>,
    /// By what they lack, of those in the filter's state.
    pub lacking: BTreeMap<&'static str, u64>,
}

/// Homes, the one changed last first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(pool: &AnyPool, filter: &HomeFilter, limit: u64) -> Result<Vec<HomeRow>, sqlx::Error> {
    let mut query = Statement::new(SHOWN);
    filter.push(&mut query);
    if let Some(Place { changed_at, home_id }) = &filter.after {
        query
            .push(" and (changed_at < ")
            .push_bind(*changed_at)
            .push(" or (changed_at = ")
            .push_bind(*changed_at)
            .push(" and home_id < ")
            .push_bind(home_id.clone())
            .push("))");
    }
    query
        .push(" order by changed_at desc, home_id desc limit ")
        .push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// Counts the homes that a filter leaves.
///
/// # Errors
/// When the read models cannot be read.
pub async fn count(pool: &AnyPool, filter: &HomeFilter) -> Result<HomeCounts, sqlx::Error> {
    let mut counts = HomeCounts::default();
    let mut query = Statement::new("select state, count(*) from staff_home where 1 = 1");
    filter.push_rest(&mut query);
    query.push(" group by state order by state");
    let states: Vec<(String, i64)> = query.build_query_as()?.fetch_all(pool).await?;
    let states = states
        .into_iter()
        .map(|(state, homes)| (state, homes.unsigned_abs()));
    counts.states.extend(states);
    for lacking in Lacking::ALL {
        let mut query = Statement::new("select count(*) from staff_home");
        let lacks = HomeFilter {
            lacking: Some(lacking),
            ..filter.clone()
        };
        lacks.push(&mut query);
        let homes: i64 = query.build_query_scalar()?.fetch_one(pool).await?;
        counts.lacking.insert(lacking.key(), homes.unsigned_abs());
    }
    Ok(counts)
}

/// The feeds and the providers that homes have, for filters.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list_sources(pool: &AnyPool) -> Result<(Vec<String>, Vec<String>), sqlx::Error> {
    let feeds =
        sqlx::query_scalar("select distinct feed from staff_home where feed is not null order by feed");
    let providers = sqlx::query_scalar(
        "select distinct provider from staff_home where provider is not null order by provider",
    );
    Ok((feeds.fetch_all(pool).await?, providers.fetch_all(pool).await?))
}

/// Finds a home; `None` for one that was never listed.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find(pool: &AnyPool, home: InventoryId) -> Result<Option<HomeRow>, sqlx::Error> {
    let mut query = Statement::new(SHOWN);
    query.push(" where home_id = ").push_bind(home.to_string());
    query.build_query_as()?.fetch_optional(pool).await
}

/// Other homes of the same name at the same address.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list_alike(pool: &AnyPool, home: InventoryId) -> Result<Vec<HomeRow>, sqlx::Error> {
    let Some(row) = find(pool, home).await?.filter(|row| !row.alike.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut query = Statement::new(SHOWN);
    query
        .push(" where alike = ")
        .push_bind(row.alike)
        .push(" and home_id <> ")
        .push_bind(row.home_id)
        .push(" and state <> ")
        .push_bind(DELETED.to_owned())
        .push(" order by home_id limit ")
        .push_bind(ALIKE_MAX);
    query.build_query_as()?.fetch_all(pool).await
}

/// An enquiry at a home of which more is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenLead {
    pub lead_id: String,
    /// What people call it by.
    pub reference: String,
    /// The room, or the home itself.
    pub inventory_id: Option<String>,
}

tables::from_row!(OpenLead {
    lead_id,
    reference,
    inventory_id
});

/// Enquiries at a home that are neither booked nor closed, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list_leads_of(
    pool: &AnyPool,
    home: InventoryId,
    limit: u64,
) -> Result<Vec<OpenLead>, sqlx::Error> {
    let is_open = |status: &LeadStatus| !status.is_closed() && *status != LeadStatus::Booked;
    let open = LeadStatus::ALL.into_iter().filter(is_open);
    let mut query =
        Statement::new("select lead_id, reference, inventory_id from lead_board where root_id = ");
    query
        .push_bind(home.to_string())
        .push(" and status in ")
        .push_list(open.map(LeadStatus::key))
        .push(" order by position desc limit ")
        .push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// Homes that are paused until a day that has come, the longest due first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list_due(pool: &AnyPool, today: NaiveDate, limit: u64) -> Result<Vec<InventoryId>, sqlx::Error> {
    let due = sqlx::query_scalar(
        "select home_id from staff_home where reopens_on <= $1 and state = 'paused' order by reopens_on, home_id limit $2",
    );
    let ids: Vec<String> = due
        .bind(today.to_string())
        .bind(limit.cast_signed())
        .fetch_all(pool)
        .await?;
    Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
}

/// Rooms of a home that are sold and held for nights to come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HomeTaken {
    pub booked: u32,
    pub held: u32,
    /// Those of the room types that it lets, of each no more than there are: the others of these are free.
    pub of_let: u32,
}

/// A room that is taken: its home, its type, how many of the type are let, its stay, whether it is sold.
type TakenRow = (String, String, i64, Option<String>, i64);

/// Counts the rooms of these homes that are taken at `now`, on the fullest night of each room type.
///
/// # Errors
/// When the read models cannot be read.
pub async fn count_taken(
    pool: &AnyPool,
    homes: &[String],
    now: Moment,
) -> Result<BTreeMap<String, HomeTaken>, sqlx::Error> {
    // Two payments for one booking have one hold and one stay.
    let mut query = Statement::new(
        "select r.home_id, r.room_id, r.rooms * r.is_let, t.stay, max(t.sold) from staff_home_room r
         join inventory_taken t on t.room = r.room_id where r.home_id in ",
    );
    query
        .push_list(homes.to_vec())
        .push(" and (t.sold = 1 or t.expires_at is null or t.expires_at > ")
        .push_bind(now.timestamp_micros())
        .push(
            ") group by r.home_id, r.room_id, r.rooms, r.is_let, t.hold, t.stay
              order by r.home_id, r.room_id, t.hold",
        );
    let rows: Vec<TakenRow> = query.build_query_as()?.fetch_all(pool).await?;
    let mut by_room: BTreeMap<(String, String, u32), Vec<(Nights, bool)>> = BTreeMap::new();
    for (home, room, rooms_let, stay, sold) in rows {
        let nights = Nights::of_taken(stay.as_deref().and_then(Stay::of_key));
        let rooms_let = u32::try_from(rooms_let).unwrap_or(u32::MAX);
        let taken = by_room.entry((home, room, rooms_let)).or_default();
        taken.push((nights, sold == 1));
    }
    let coming = Nights::after(now.date_naive());
    let mut taken: BTreeMap<String, HomeTaken> = BTreeMap::new();
    for ((home, _, rooms_let), nights) in by_room {
        let sold = nights.iter().filter(|(_, is_sold)| *is_sold);
        let booked = most_taken(sold.map(|(nights, _)| *nights), coming);
        let all = most_taken(nights.iter().map(|(nights, _)| *nights), coming);
        let home = taken.entry(home).or_default();
        home.booked += booked;
        home.held += all.saturating_sub(booked);
        home.of_let = home.of_let.saturating_add(all.min(rooms_let));
    }
    Ok(taken)
}
