//! Folds the search index from the log's inventory, region, room and photo events, and keeps it fresh: an appended event can be
//! searched as soon as its batch is folded, read-your-writes by position (X9).

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use domain::aggregate::Decide;
use domain::country::Country;
use domain::id::{InventoryId, PhotoId, RegionId};
use domain::inventory::{Described, Inventory, InventoryEvent};
use domain::moment::Moment;
use domain::photo::Photo;
use domain::place::Coordinates;
use domain::region::Region;
use domain::room_stock::RoomStock;
use eventlog::planted::Fault;
use eventlog::{CodecError, EventLog, LogError, Position, RecordedEvent};
use threads::pause_unless_stopped;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior};

use super::card_photos::CardPhotos;
use super::index::{PropertyNames, SearchIndex, named};
use super::item::Item;
use super::listing::{Facts, Homes, Listing};
use super::names::{Named, Names, NumberSet};
use super::places::{Places, RegionStates};
use super::snapshot::Change;
use super::value::Kind;

use deadlines::{DayAt, Deadlines, EARLIEST_ZONE};
use numbers::{Numbers, Uncounted, Whereabouts};

/// Events folded before the result is published.
const BATCH: usize = 2_000;
/// How long to wait after trouble with the log.
const AGAIN: Duration = Duration::from_millis(500);
/// How often last days to book are looked at, where there are any.
const LOOK: Duration = Duration::from_secs(1);
/// The large dictionary of names is rebuilt no more often than this after names changed…
const SETTLE_NAMES: Duration = Duration::from_secs(1);
/// …and after anything else did, which moves only ranks.
const SETTLE_RANKS: Duration = Duration::from_secs(30);

/// The one writer of a [`SearchIndex`].
pub struct IndexFollower {
    log: EventLog,
    search_index: Arc<SearchIndex>,
    listings: HashMap<InventoryId, Listing>,
    homes: Homes,
    ids: Vec<InventoryId>,
    regions: RegionStates,
    photos: CardPhotos,
    position: Position,
    /// Listings and regions with events that readers have not seen.
    dirty: BTreeSet<InventoryId>,
    dirty_regions: BTreeSet<RegionId>,
    /// Listings that were named, renamed or withdrawn since the large dictionary was made.
    renamed: BTreeSet<InventoryId>,
    unranked: bool,
    settled_at: Option<Instant>,
    uncounted: Uncounted,
    /// Without it each listing is judged by the day of its last event.
    day_at: Option<DayAt>,
    deadlines: Deadlines,
}

impl IndexFollower {
    pub fn new(log: EventLog) -> Self {
        Self {
            log,
            search_index: Arc::default(),
            listings: HashMap::new(),
            homes: Homes::new(),
            ids: Vec::new(),
            regions: RegionStates::default(),
            photos: CardPhotos::default(),
            position: 0,
            dirty: BTreeSet::new(),
            dirty_regions: BTreeSet::new(),
            renamed: BTreeSet::new(),
            unranked: false,
            settled_at: None,
            uncounted: Uncounted::default(),
            day_at: None,
            deadlines: Deadlines::default(),
        }
    }

    /// Judges each listing by the day that it is where the home stands.
    #[must_use]
    pub fn by_calendar(mut self, day_at: fn(&str, Country) -> NaiveDate) -> Self {
        self.day_at = Some(day_at);
        self
    }

    /// The index that this follower writes, for its readers.
    pub fn search_index(&self) -> Arc<SearchIndex> {
        Arc::clone(&self.search_index)
    }

    /// Takes in everything the log holds now.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn catch_up(&mut self) -> Result<Position, LogError> {
        // Though the log failed over it: what nobody was shown yet is shown all at once.
        let first = self.search_index.position() == 0;
        loop {
            let events = self.log.read_all(self.position, BATCH).await?;
            let Some(last) = events.last().map(|event| event.position) else {
                break;
            };
            if first || !Fault::IndexStandsStill.is_planted() {
                for event in &events {
                    self.take(event);
                }
            }
            self.position = last;
            if !first {
                // Events may end where a batch ends.
                let has_more = events.len() == BATCH && self.log.head().await.is_ok_and(|head| head > last);
                self.publish(if has_more { Numbers::Later } else { Numbers::Now });
                fresh(events.first());
            }
        }
        if first || !self.uncounted.is_nothing() {
            // Or a batch was shown of which more was to follow, and then the log failed.
            self.publish(Numbers::Now);
        }
        Ok(self.position)
    }

    /// Follows the log until `stop` is set. Trouble with the log is logged and tried again.
    pub async fn follow(mut self, mut stop: watch::Receiver<bool>) {
        let mut head = self.log.watch();
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // Behind an import there is much to take in, all of it into memory: nothing is lost where it ends in between.
            let caught_up = tokio::select! {
                caught_up = self.catch_up() => caught_up,
                _ = stop.wait_for(|stopped| *stopped) => return,
            };
            if let Err(error) = caught_up {
                tracing::error!(%error, "the search index could not catch up; trying again");
                if pause_unless_stopped(AGAIN, &mut stop).await {
                    continue;
                }
                return;
            }
            let settle_at = self.settle_at();
            tokio::select! {
                changed = head.changed() => if changed.is_err() { return },
                () = tokio::time::sleep_until(settle_at.unwrap_or_else(Instant::now)), if settle_at.is_some() => self.settle(),
                _ = look.tick(), if !self.deadlines.is_empty() => self.end_bookings(),
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
        }
    }

    /// Shows readers which leases can no longer be booked: their last day is over where the home stands.
    fn end_bookings(&mut self) {
        let Some(day_at) = self.day_at else { return };
        let places = self.search_index.places.load();
        let is_over = |(last, id): &(NaiveDate, InventoryId)| {
            let facts = self.listings.get(id).and_then(|listing| listing.facts.as_ref());
            facts.is_some_and(|facts| day_at(zone_of(&places, facts.region), facts.country) > *last)
        };
        // No country is asked where the zone is known.
        let latest = day_at(EARLIEST_ZONE, Country::Uk);
        let over = self.deadlines.list_before(latest).filter(is_over);
        let over: Vec<InventoryId> = over.map(|(_, id)| id).collect();
        if !over.is_empty() {
            self.dirty.extend(over);
            self.publish(Numbers::Now);
        }
    }

    /// Judges a listing by today, and takes down when that changes next.
    fn see_day(&mut self, id: InventoryId) {
        let Some(listing) = self.listings.get_mut(&id) else {
            return;
        };
        if let (Some(day_at), Some(facts)) = (self.day_at, &listing.facts) {
            let places = self.search_index.places.load();
            let time_zone = zone_of(&places, facts.region).to_owned();
            listing.see_day(&time_zone, day_at);
        }
        self.deadlines.put(id, listing.next_deadline());
    }

    /// Folds one event. One that cannot be read is left out, so that it does not take the rest of the index with it.
    fn take(&mut self, event: &RecordedEvent) {
        if let Err(error) = self.fold(event) {
            let (stream, position) = (event.stream, event.position);
            tracing::error!(%stream, position, %error, "the search index leaves out an event it cannot read");
        }
    }

    fn fold(&mut self, event: &RecordedEvent) -> Result<(), CodecError> {
        let id = event.stream.id;
        if event.stream.kind == Inventory::KIND {
            let inventory = event.decode_sealed::<Inventory>()?;
            self.fold_inventory(InventoryId(id), inventory, event);
        } else if event.stream.kind == RoomStock::KIND {
            let stock = event.decode::<RoomStock>()?;
            let room = InventoryId(id);
            if let Some(home) = self.homes.get(&room)
                && let Some(listing) = self.listings.get_mut(home)
            {
                listing.evolve_stock(room, &stock);
                listing.note_day(event.occurred_at);
                self.dirty.insert(*home);
            }
        } else if event.stream.kind == Region::KIND {
            self.regions
                .evolve(RegionId(id), &event.decode_sealed::<Region>()?);
            self.dirty_regions.insert(RegionId(id));
        } else if event.stream.kind == Photo::KIND {
            let photo = event.decode_sealed::<Photo>()?;
            self.dirty.extend(self.photos.evolve(PhotoId(id), &photo));
        }
        Ok(())
    }

    fn fold_inventory(&mut self, id: InventoryId, event: InventoryEvent, recorded: &RecordedEvent) {
        if let InventoryEvent::RoomListed { room, .. } = &event {
            self.homes.insert(room.id, id);
        }
        self.note_seeds(&event);
        let ids = &mut self.ids;
        let listing = self.listings.entry(id).or_insert_with(|| {
            let number = u32::try_from(ids.len()).unwrap_or(u32::MAX);
            ids.push(id);
            Listing::new(id, number, recorded.occurred_at)
        });
        listing.evolve(event);
        listing.note_day(recorded.occurred_at);
        self.photos.note_home(id, listing.card_photos());
        self.dirty.insert(id);
    }

    fn note_seeds(&self, event: &InventoryEvent) {
        let pictures = match event.described() {
            Some(Described::Property(property)) => &property.pictures,
            Some(Described::Room(room)) => &room.pictures,
            None => return,
        };
        let seeds = self.search_index.seeds.pin();
        for picture in pictures {
            if !seeds.contains(&picture.seed) {
                seeds.insert(picture.seed.clone());
            }
        }
    }

    /// Shows readers what was folded.
    fn publish(&mut self, numbers: Numbers) {
        self.publish_regions();
        let dirty = std::mem::take(&mut self.dirty);
        if !dirty.is_empty() {
            let changes = dirty.into_iter().map(|id| self.refresh(id)).collect();
            self.search_index.index.apply(changes);
            self.unranked = true;
        }
        if self.settle_at().is_some_and(|at| at <= Instant::now()) {
            self.settle();
        } else if !self.renamed.is_empty() {
            self.freshen_names();
        }
        if numbers == Numbers::Now {
            self.count();
        }
        self.search_index.position.send_replace(self.position);
    }

    /// A region's name and parents show on every listing below it.
    fn publish_regions(&mut self) {
        let changed = std::mem::take(&mut self.dirty_regions);
        if changed.is_empty() {
            return;
        }
        let places = self
            .regions
            .places()
            .counted(self.search_index.places.load().all_homes().clone());
        let lies_below = |listing: &&Listing| {
            let regions = listing
                .facts
                .iter()
                .flat_map(|facts| [Some(facts.region), facts.area])
                .flatten();
            regions.into_iter().any(|region| {
                places
                    .with_ancestors(region)
                    .iter()
                    .any(|above| changed.contains(above))
            })
        };
        self.dirty.extend(
            self.listings
                .values()
                .filter(lies_below)
                .map(|listing| listing.id),
        );
        self.search_index.places.store(Arc::new(places));
        self.uncounted = Uncounted::All;
        self.unranked = true;
    }

    /// Writes a listing's item and makes its change to the index.
    fn refresh(&mut self, id: InventoryId) -> Change {
        self.see_day(id);
        let places = self.search_index.places.load();
        let items = self.search_index.items.pin();
        let canonical = self.search_index.canonical.pin();
        let old = items.get(&id);
        let oversold = self.listings.get(&id).map(Listing::oversold).unwrap_or_default();
        let closed = self.search_index.oversold.pin();
        if oversold.is_empty() {
            closed.remove(&id);
        } else {
            closed.insert(id, oversold);
        }
        let row_and_item = self.listings.get(&id).and_then(|listing| {
            let facts = listing.facts.as_ref()?;
            let city = places.get(facts.region);
            let found_at = find_middle(facts, &places);
            let item = Item::of(listing, found_at, city, &self.photos)?;
            let ancestors = places.with_ancestors(facts.area.unwrap_or(facts.region));
            let ancestors = if ancestors.contains(&facts.region) {
                ancestors
            } else {
                [ancestors, places.with_ancestors(facts.region)].concat()
            };
            let row = listing.row(found_at, &ancestors, |kind: Kind, name| {
                self.search_index.index.intern(kind, name)
            })?;
            Some((row, item))
        });
        let new_name = row_and_item
            .as_ref()
            .map(|(_, item)| item.canonical_name.as_str());
        // The name may be another listing's by now.
        let given_up = |old: &&Arc<Item>| {
            Some(old.canonical_name.as_str()) != new_name && canonical.get(&old.canonical_name) == Some(&id)
        };
        if let Some(old) = old.filter(given_up) {
            canonical.remove(&old.canonical_name);
        }
        let called = |item: &Item| (item.name.clone(), item.local_names.clone());
        if old.map(|old| called(old)) != row_and_item.as_ref().map(|(_, item)| called(item)) {
            self.renamed.insert(id);
        }
        let now = row_and_item.as_ref().map(|(_, item)| item);
        self.uncounted.moved(
            old.and_then(|old| Whereabouts::of(old)),
            now.and_then(Whereabouts::of),
        );
        let Some((row, item)) = row_and_item else {
            items.remove(&id);
            return Change::Remove(id.0.as_u128());
        };
        canonical.insert(item.canonical_name.clone(), id);
        items.insert(id, Arc::new(item));
        Change::Put(row)
    }

    /// Puts the names of what changed since the last settling into the small dictionary.
    fn freshen_names(&self) {
        let mut renamed = NumberSet::default();
        let mut fresh = Vec::new();
        for listing in self.renamed.iter().filter_map(|id| self.listings.get(id)) {
            renamed.insert(listing.number);
            fresh.extend(self.named(listing));
        }
        let old = self.search_index.names.load();
        self.search_index.names.store(Arc::new(PropertyNames {
            settled: old.settled.clone(),
            fresh: Some(Names::build(fresh)),
            renamed,
            ids: Arc::new(self.ids.clone()),
        }));
    }

    fn named(&self, listing: &Listing) -> Option<Named> {
        self.search_index.items.pin().get(&listing.id)?;
        let facts = listing.facts.as_ref()?;
        let local = facts.local_names.texts().map(|(_, name)| name.to_owned());
        let names = std::iter::once(facts.name.clone()).chain(local).collect();
        Some(named(listing.number, listing.relevance(), names))
    }

    /// When the large dictionary is to be rebuilt, if at all.
    fn settle_at(&self) -> Option<Instant> {
        let patience = if !self.renamed.is_empty() {
            SETTLE_NAMES
        } else if self.unranked {
            SETTLE_RANKS
        } else {
            return None;
        };
        Some(self.settled_at.map_or_else(Instant::now, |at| at + patience))
    }

    /// Rebuilds the large dictionary.
    fn settle(&mut self) {
        let all = self
            .listings
            .values()
            .filter_map(|listing| self.named(listing))
            .collect();
        self.search_index.names.store(Arc::new(PropertyNames {
            settled: Some(Arc::new(Names::build(all))),
            fresh: None,
            renamed: NumberSet::default(),
            ids: Arc::new(self.ids.clone()),
        }));
        self.renamed.clear();
        self.unranked = false;
        self.settled_at = Some(Instant::now());
    }
}

/// The time zone of a city; empty where it names none.
fn zone_of(places: &Places, city: RegionId) -> &str {
    places
        .get(city)
        .map_or("", |place| place.details.time_zone.as_str())
}

/// The point at which searches look for a home: its own, else the middle of its area or city.
fn find_middle(facts: &Facts, places: &Places) -> Coordinates {
    let middle = |region: RegionId| places.get(region).map(|place| place.center());
    let named = facts.area.and_then(middle).or_else(|| middle(facts.region));
    facts.coordinates.or(named).unwrap_or_default()
}

/// Counts how long the oldest of some events was in the log before searches found it.
fn fresh(oldest: Option<&RecordedEvent>) {
    let Some(event) = oldest else { return };
    let age = Moment::from(std::time::SystemTime::now()) - event.recorded_at;
    // Another node's clock may be ahead of ours.
    metrics::histogram!("latchkey_search_index_seconds").record(age.to_std().unwrap_or_default());
}

pub(crate) mod deadlines;
mod numbers;
#[cfg(test)]
mod story;
