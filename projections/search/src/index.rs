//! The handle on the search index that readers share: listings, items and names, all of one log position or a newer one.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use chrono::NaiveDate;
use domain::id::{InventoryId, RegionId};
use domain::inventory::Status;
use domain::place::Coordinates;
use eventlog::Position;
use tokio::sync::watch;

use super::facets::{Facets, Scales};
use super::item::{Item, Price};
use super::listing::{Oversold, month_of};
use super::names::{NameHits, Named, Names, NumberSet, Spelling};
use super::places::{Place, PlaceGroup, Places};
use super::query::{Area, Clause, Direction, Group, Order, Search, SortKey};
use super::ranking::Hit;
use super::search::Found;
use super::snapshot::{Index, Snapshot};
use super::value::{Kind, Value};

/// Everything search needs; shared by all handlers, written by the follower alone.
pub struct SearchIndex {
    pub(super) index: Index,
    pub(super) items: papaya::HashMap<InventoryId, Arc<Item>>,
    pub(super) canonical: papaya::HashMap<String, InventoryId>,
    /// Seeds of the pictures of every home that ever was: mails go on showing a home that is gone.
    pub(super) seeds: papaya::HashSet<String>,
    pub(super) places: ArcSwap<Places>,
    pub(super) names: ArcSwap<PropertyNames>,
    /// Room types of a home that are sold more often than there are rooms.
    pub(super) oversold: papaya::HashMap<InventoryId, Vec<Oversold>>,
    pub(super) position: watch::Sender<Position>,
}

impl Default for SearchIndex {
    fn default() -> Self {
        Self {
            index: Index::default(),
            items: papaya::HashMap::new(),
            canonical: papaya::HashMap::new(),
            seeds: papaya::HashSet::new(),
            places: ArcSwap::default(),
            names: ArcSwap::default(),
            oversold: papaya::HashMap::new(),
            position: watch::Sender::new(0),
        }
    }
}

/// Names of properties: a large dictionary that is rebuilt at leisure, and a small one of what changed since.
#[derive(Default)]
pub(super) struct PropertyNames {
    pub(super) settled: Option<Arc<Names>>,
    pub(super) fresh: Option<Names>,
    /// Listings whose settled name no longer holds.
    pub(super) renamed: NumberSet,
    /// Listings by number.
    pub(super) ids: Arc<Vec<InventoryId>>,
}

impl PropertyNames {
    fn find(&self, text: &str) -> NameHits {
        let mut hits = self
            .settled
            .as_ref()
            .map(|names| names.find(text))
            .unwrap_or_default();
        hits.all.subtract(&self.renamed);
        hits.whole.subtract(&self.renamed);
        if let Some(fresh) = &self.fresh {
            let more = fresh.find(text);
            hits.all.unite(&more.all);
            hits.whole.unite(&more.whole);
        }
        hits
    }

    fn suggest(&self, text: &str, spelling: Spelling, room: usize) -> Vec<InventoryId> {
        let fresh = self
            .fresh
            .iter()
            .flat_map(|names| names.suggest(text, spelling, room));
        let settled = self
            .settled
            .iter()
            .flat_map(|names| names.suggest(text, spelling, room * 2));
        let settled = settled.filter(|number| !self.renamed.has(*number));
        fresh
            .chain(settled)
            .filter_map(|number| self.ids.get(number as usize).copied())
            .collect()
    }
}

/// Four lists of what is near (A6).
#[derive(Debug, Default)]
pub struct Nearby {
    pub cities: Vec<(Arc<Place>, f64)>,
    pub areas: Vec<(Arc<Place>, f64)>,
    pub universities: Vec<(Arc<Place>, f64)>,
    pub inventories: Vec<(Arc<Item>, f64)>,
}

impl SearchIndex {
    /// How much of the log is in it.
    pub fn position(&self) -> Position {
        *self.position.borrow()
    }

    /// Waits until `position` can be searched, at most `patience`. `false` when it took longer (X9).
    pub async fn wait_for(&self, position: Position, patience: Duration) -> bool {
        let mut receiver = self.position.subscribe();
        let reached = receiver.wait_for(|applied| *applied >= position);
        matches!(tokio::time::timeout(patience, reached).await, Ok(Ok(_)))
    }

    /// Regions once they hold that of a home, or the home is known without it; at most `patience` later as they are. A read model of the
    /// same log may name a home first, and positions do not tell: another process may have written both.
    pub async fn hear_of(&self, home: InventoryId, region: RegionId, patience: Duration) -> Arc<Places> {
        let mut moved = self.position.subscribe();
        let heard = async {
            loop {
                // Regions are published before the homes in them.
                let is_known = self.item(home).is_some();
                if is_known || self.places().get(region).is_some() || moved.changed().await.is_err() {
                    return;
                }
            }
        };
        let _heard_in_time = tokio::time::timeout(patience, heard).await;
        self.places()
    }

    /// The newest snapshot, for several questions that must agree.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.index.snapshot()
    }

    /// Room types that are sold more often than there are rooms, in the order of their ids.
    pub fn oversold(&self) -> Vec<Oversold> {
        let named = self.oversold.pin();
        let mut rooms: Vec<Oversold> = named
            .iter()
            .flat_map(|(_, rooms)| rooms.iter().cloned())
            .collect();
        rooms.sort_unstable_by_key(|room| (room.home, room.room));
        rooms
    }

    /// Regions as they are now.
    pub fn places(&self) -> Arc<Places> {
        self.places.load_full()
    }

    /// A property by its id, whatever its status.
    pub fn item(&self, id: InventoryId) -> Option<Arc<Item>> {
        self.items.pin().get(&id).cloned()
    }

    /// A property by its canonical name.
    pub fn item_by_canonical_name(&self, name: &str) -> Option<Arc<Item>> {
        let id = *self.canonical.pin().get(name)?;
        self.item(id)
    }

    /// Whether pictures are drawn from this seed: a region's name, or what some home's pictures say.
    pub fn is_seed(&self, seed: &str) -> bool {
        self.seeds.pin().contains(seed) || self.places.load().by_canonical_name(seed).is_some()
    }

    /// The listings whose name a search asks for.
    fn name_hits(&self, search: &Search) -> Option<NameHits> {
        search.name.as_ref().map(|name| self.names.load().find(name))
    }

    /// One page of a search with the exact number of matches.
    pub fn search(&self, snapshot: &Snapshot, search: &Search) -> Found {
        snapshot.search(search, self.name_hits(search).as_ref())
    }

    /// The same with what every filter value would leave.
    pub fn search_with_facets(
        &self,
        snapshot: &Snapshot,
        search: &Search,
        scales: &Scales,
    ) -> (Found, Facets) {
        snapshot.search_with_facets(search, scales, self.name_hits(search).as_ref())
    }

    /// The items of a page, in its order.
    pub fn items(&self, found: &Found) -> Vec<Arc<Item>> {
        let items = self.items.pin();
        let ids = found
            .hits
            .iter()
            .map(|hit| InventoryId(uuid::Uuid::from_u128(hit.id)));
        ids.filter_map(|id| items.get(&id).cloned()).collect()
    }

    /// The items of a page with the lowest price of what matches in each.
    pub fn priced_items(&self, found: &Found) -> Vec<(Arc<Item>, Price)> {
        let items = self.items.pin();
        let of = |hit: &Hit| {
            let item = items.get(&InventoryId(uuid::Uuid::from_u128(hit.id)))?;
            Some((Arc::clone(item), item.price_of(hit.price)))
        };
        found.hits.iter().filter_map(of).collect()
    }

    /// Active properties whose name a text may become, best first.
    pub fn suggest_properties(&self, text: &str, spelling: Spelling, room: usize) -> Vec<Arc<Item>> {
        let ids = self.names.load().suggest(text, spelling, room * 2);
        let items = ids.into_iter().filter_map(|id| self.item(id));
        items
            .filter(|item| item.status == Status::Active)
            .take(room)
            .collect()
    }

    /// Finds the places around a place (A6). `but` names what is asked about, and is left out.
    pub fn nearby(&self, around: Coordinates, but: Option<uuid::Uuid>, room: usize) -> Nearby {
        let places = self.places();
        let excluded: Vec<RegionId> = but.map(RegionId).into_iter().collect();
        let nearest = |group| {
            let near = places.nearest(group, around, &excluded, room);
            near.into_iter()
                .map(|(place, metres)| (Arc::clone(place), metres))
                .collect()
        };
        Nearby {
            cities: nearest(PlaceGroup::Cities),
            areas: nearest(PlaceGroup::Areas),
            universities: nearest(PlaceGroup::Universities),
            inventories: self.nearest_items(around, but, (room, vec![active()])),
        }
    }

    /// Properties with a room that is free from the month of this day on, nearest first.
    pub fn free_nearby(
        &self,
        around: Coordinates,
        but: Option<uuid::Uuid>,
        (room, move_in): (usize, Option<NaiveDate>),
    ) -> Vec<(Arc<Item>, f64)> {
        let month = move_in.map(|day| Clause::any(Group::MoveIn, vec![Value::dated_move_in(month_of(day))]));
        let free = Clause::any(None, vec![Value::AVAILABLE]);
        let clauses = [active(), free].into_iter().chain(month).collect();
        self.nearest_items(around, but, (room, clauses))
    }

    fn nearest_items(
        &self,
        around: Coordinates,
        but: Option<uuid::Uuid>,
        (room, clauses): (usize, Vec<Clause>),
    ) -> Vec<(Arc<Item>, f64)> {
        use super::geo::OnGlobe;
        let search = Search {
            area: Area::circle(around, super::places::PLACE_RADIUS_M),
            clauses,
            order: Order {
                key: SortKey::Distance,
                direction: Direction::Ascending,
            },
            limit: room + 1,
            ..Search::default()
        };
        let found = self.search(&self.snapshot(), &search);
        let near = self
            .items(&found)
            .into_iter()
            .filter(|item| Some(item.id.0) != but)
            .take(room);
        near.map(|item| {
            let metres = around.metres_to(item.found_at);
            (item, metres)
        })
        .collect()
    }

    /// The property of the day of each city (D59): the same all day on every node, another one tomorrow.
    pub fn property_of_the_day(&self, city: RegionId, today: NaiveDate) -> Option<InventoryId> {
        let snapshot = self.snapshot();
        let region = snapshot.vocabulary().find(Kind::Region, &city.to_string())?;
        let clauses = vec![
            active(),
            Clause::any(None, vec![region]),
            Clause::any(None, vec![Value::AVAILABLE]),
        ];
        let search = Search {
            clauses,
            limit: 20,
            ..Search::default()
        };
        let best = self.search(&snapshot, &search).hits;
        let day = usize::try_from(chrono::Datelike::num_days_from_ce(&today)).unwrap_or(0);
        let pick = best.get(day % best.len().max(1))?;
        Some(InventoryId(uuid::Uuid::from_u128(pick.id)))
    }
}

/// Spec §9: only active properties are found unless asked otherwise.
pub fn active() -> Clause {
    Clause::any(None, vec![Value::status(Status::Active)])
}

/// The names of the listings to be ranked by their relevance.
pub(super) fn named(number: u32, relevance: u32, names: Vec<String>) -> Named {
    Named {
        number,
        rank: relevance.into(),
        names,
    }
}
