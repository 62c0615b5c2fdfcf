//! The rows of [`super::StaffHomes`], and how they are written.

use domain::inventory::change_kind::ChangeKind;
use domain::inventory::facts::Offered;
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::picture_path::picture_path;
use domain::inventory::property::PropertyDetails;
use domain::inventory::state::HomeState;
use domain::money::Period;
use eventlog::RecordedEvent;
use tables::Flag;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::listing_name::address_line;

pub(super) const HOMES: Table = Table {
    name: "staff_home",
    columns: &[
        Text("home_id"),
        Text("name"),
        Text("canonical_name"),
        Text("address"),
        Text("searched"),
        Text("alike"),
        Text("region"),
        Text("area"),
        Text("provider"),
        Text("feed"),
        Text("feed_id"),
        Text("currency"),
        Text("period"),
        Text("state"),
        Text("reopens_on"),
        Text("picture"),
        Number("own_photos"),
        Number("photos"),
        Number("rooms"),
        Number("uncounted"),
        Number("leases"),
        Number("from_minor"),
        Text("unsaid"),
        Number("listed_at"),
        Number("changed_at"),
        Text("changed_by_kind"),
        Text("changed_by_id"),
        Text("changed_what"),
        Text("changed_cause"),
    ],
    key: 1,
};

pub(super) const ROOMS: Table = Table {
    name: "staff_home_room",
    columns: &[
        Text("room_id"),
        Text("home_id"),
        Number("is_let"),
        Number("rooms"),
        Number("is_count_said"),
        Number("leases"),
        Number("asked_minor"),
        Number("from_minor"),
        Number("photos"),
    ],
    key: 1,
};

/// One home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeRow {
    pub home_id: String,
    pub name: String,
    pub canonical_name: String,
    pub address: String,
    searched: String,
    /// The key of homes that may be doubles; empty where no street is said.
    pub(super) alike: String,
    /// The city that it is found under, and the area.
    pub region: String,
    pub area: Option<String>,
    pub provider: Option<String>,
    pub feed: Option<String>,
    pub feed_id: Option<String>,
    pub currency: String,
    pub period: String,
    /// A name of `HomeState`.
    pub state: String,
    pub reopens_on: Option<String>,
    pub picture: Option<String>,
    own_photos: i64,
    /// Of the home and of the rooms that it lets.
    pub photos: i64,
    pub rooms: i64,
    /// Room types of which nobody said how many there are.
    pub uncounted: i64,
    pub leases: i64,
    pub from_minor: Option<i64>,
    /// Facts of which nothing is said, between commas.
    pub unsaid: String,
    /// In microseconds, as the change.
    pub listed_at: i64,
    pub changed_at: i64,
    pub changed_by_kind: String,
    pub changed_by_id: Option<String>,
    /// A name of `ChangeKind`.
    pub changed_what: String,
    /// The request or run of the last change.
    pub changed_cause: String,
}

tables::from_row!(HomeRow {
    home_id,
    name,
    canonical_name,
    address,
    searched,
    alike,
    region,
    area,
    provider,
    feed,
    feed_id,
    currency,
    period,
    state,
    reopens_on,
    picture,
    own_photos,
    photos,
    rooms,
    uncounted,
    leases,
    from_minor,
    unsaid,
    listed_at,
    changed_at,
    changed_by_kind,
    changed_by_id,
    changed_what,
    changed_cause
});

/// A room type of a home.
#[derive(Debug, Clone)]
pub(super) struct RoomRow {
    pub(super) room_id: String,
    pub(super) home_id: String,
    pub(super) is_let: Flag,
    pub(super) rooms: i64,
    is_count_said: Flag,
    leases: i64,
    /// Its rent on request, where no lease is let.
    asked_minor: Option<i64>,
    from_minor: Option<i64>,
    photos: i64,
}

tables::from_row!(RoomRow {
    room_id,
    home_id,
    is_let,
    rooms,
    is_count_said,
    leases,
    asked_minor,
    from_minor,
    photos
});

impl RoomRow {
    /// A room type of which nothing is written down yet.
    pub(super) fn begin(room_id: String, home_id: &str) -> Self {
        Self {
            room_id,
            home_id: home_id.to_owned(),
            is_let: true.into(),
            rooms: 0,
            is_count_said: false.into(),
            leases: 0,
            asked_minor: None,
            from_minor: None,
            photos: 0,
        }
    }

    pub(super) fn describe(&mut self, room: &RoomDetails) {
        self.is_let = true.into();
        self.photos = count(room.pictures.len() + room.media.photos.len());
        self.asked_minor = room.asked_minor.map(u64::cast_signed);
        if self.leases == 0 {
            self.from_minor = self.asked_minor;
        }
    }

    pub(super) fn offer(&mut self, offer: &Offered) {
        self.rooms = offer.rooms.into();
        self.is_count_said = offer.is_count_said.into();
        self.leases = count(offer.leases.len());
        self.from_minor = lowest_price(&offer.leases).or(self.asked_minor);
    }

    pub(super) fn write(self) -> Vec<Value> {
        row![
            self.room_id,
            self.home_id,
            i64::from(self.is_let.is_set()),
            self.rooms,
            i64::from(self.is_count_said.is_set()),
            self.leases,
            self.asked_minor,
            self.from_minor,
            self.photos
        ]
    }
}

impl HomeRow {
    /// A home of which nothing is written down yet.
    pub(super) fn begin(home_id: &str, at: i64) -> Self {
        Self {
            home_id: home_id.to_owned(),
            name: String::new(),
            canonical_name: String::new(),
            address: String::new(),
            searched: String::new(),
            alike: String::new(),
            region: String::new(),
            area: None,
            provider: None,
            feed: None,
            feed_id: None,
            currency: String::new(),
            period: String::new(),
            state: HomeState::default().key().to_owned(),
            reopens_on: None,
            picture: None,
            own_photos: 0,
            photos: 0,
            rooms: 0,
            uncounted: 0,
            leases: 0,
            from_minor: None,
            unsaid: String::new(),
            listed_at: at,
            changed_at: at,
            changed_by_kind: String::new(),
            changed_by_id: None,
            changed_what: String::new(),
            changed_cause: String::new(),
        }
    }

    pub(super) fn describe(&mut self, property: &PropertyDetails) {
        self.name.clone_from(&property.name);
        self.canonical_name.clone_from(&property.canonical_name);
        self.address = address_line(&property.address);
        self.alike = property.alike_key().unwrap_or_default();
        self.region = property.region.to_string();
        self.area = property.area.map(|area| area.to_string());
        self.provider = property.provider.map(|provider| provider.to_string());
        let source = property.source.as_ref();
        self.feed = source.map(|source| source.feed.clone());
        self.feed_id = source.map(|source| source.id.clone());
        property.currency.code().clone_into(&mut self.currency);
        let period = match property.period {
            Period::Weekly => "weekly",
            Period::Monthly => "monthly",
        };
        period.clone_into(&mut self.period);
        self.picture = property.pictures.first().map(picture_path);
        self.own_photos = count(property.pictures.len() + property.media.photos.len());
        self.unsaid = list_unsaid(property).join(",");
        let words = [
            Some(self.name.as_str()),
            Some(self.address.as_str()),
            Some(self.canonical_name.as_str()),
            Some(self.home_id.as_str()),
            self.provider.as_deref(),
            self.feed.as_deref(),
            self.feed_id.as_deref(),
        ];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        self.searched = words.join(" ").to_lowercase();
    }

    pub(super) fn note_change(&mut self, record: &RecordedEvent, kind: ChangeKind) {
        let cause = record.correlation_id.to_string();
        let earlier = ChangeKind::of_key(&self.changed_what);
        let earlier = earlier.filter(|_| self.changed_cause == cause);
        let kind = earlier.map_or(kind, |earlier| earlier.then(kind));
        kind.key().clone_into(&mut self.changed_what);
        self.changed_cause = cause;
        self.changed_at = record.occurred_at.timestamp_micros();
        record.actor.kind.name().clone_into(&mut self.changed_by_kind);
        self.changed_by_id = record.actor.id.map(|id| id.to_string());
    }

    /// Counts what the rooms that it lets have together.
    pub(super) fn sum_up(&mut self, rooms: &[&RoomRow]) {
        let sum = |of: fn(&RoomRow) -> i64| rooms.iter().map(|room| of(room)).sum::<i64>();
        self.photos = self.own_photos + sum(|room| room.photos);
        self.rooms = sum(|room| room.rooms);
        self.uncounted = sum(|room| i64::from(!room.is_count_said.is_set()));
        self.leases = sum(|room| room.leases);
        self.from_minor = rooms.iter().filter_map(|room| room.from_minor).min();
    }

    pub(super) fn write(self) -> Vec<Value> {
        row![
            self.home_id,
            self.name,
            self.canonical_name,
            self.address,
            self.searched,
            self.alike,
            self.region,
            self.area,
            self.provider,
            self.feed,
            self.feed_id,
            self.currency,
            self.period,
            self.state,
            self.reopens_on,
            self.picture,
            self.own_photos,
            self.photos,
            self.rooms,
            self.uncounted,
            self.leases,
            self.from_minor,
            self.unsaid,
            self.listed_at,
            self.changed_at,
            self.changed_by_kind,
            self.changed_by_id,
            self.changed_what,
            self.changed_cause
        ]
    }
}

/// Names of the facts that a student misses.
fn list_unsaid(property: &PropertyDetails) -> Vec<&'static str> {
    let facts = [
        ("description", property.description.is_blank()),
        ("guarantor", property.guarantor.is_none()),
        ("bills", property.facts.bills_included.is_none()),
        ("kind", property.kind.is_none()),
        ("facilities", property.features.is_empty()),
    ];
    let unsaid = facts.into_iter().filter(|(_, is_unsaid)| *is_unsaid);
    unsaid.map(|(fact, _)| fact).collect()
}

fn lowest_price(leases: &[LeaseOption]) -> Option<i64> {
    let prices = leases.iter().map(|lease| lease.price_minor.cast_signed());
    prices.min()
}

fn count(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}
