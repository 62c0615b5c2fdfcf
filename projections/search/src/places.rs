//! Regions as the search needs them: by id and canonical name, with their ancestors, their names to type, and where the
//! search of a region looks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::aggregate::Decide;
use domain::country::Country;
use domain::id::RegionId;
use domain::language::Language;
use domain::place::{Coordinates, slug};
use domain::region::{Region, RegionDetails, RegionEvent, RegionState, RegionType};
use eventlog::{EventLog, LogError};

use super::geo::OnGlobe;
use super::local_names;
use super::names::{Named, Names, Spelling};

/// D45: metres around an establishment, and around any other place.
pub const ESTABLISHMENT_RADIUS_M: f64 = 10_000.0;
pub const PLACE_RADIUS_M: f64 = 20_000.0;

/// Cities that are named of a country without a popular list.
const CITIES_WITHOUT_LIST: usize = 12;

/// A chain of parents longer than this is a circle.
const DEEPEST: usize = 8;

/// One region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub id: RegionId,
    pub state: RegionState,
    pub details: RegionDetails,
}

impl Place {
    pub fn name(&self) -> &str {
        &self.details.name
    }

    /// The name in the reader's language.
    pub fn name_in(&self, lang: &str) -> &str {
        match &self.details.local_name {
            Some(names) if lang != Language::default().code() => names.in_language(lang),
            Some(_) | None => &self.details.name,
        }
    }

    pub fn canonical_name(&self) -> &str {
        &self.details.canonical_name
    }

    pub fn center(&self) -> Coordinates {
        self.details.centre
    }

    /// Countries and states are searched by what lies in them, all others by a circle (D6, D45).
    pub fn is_searched_as_a_whole(&self) -> bool {
        match self.details.region_type {
            RegionType::Country | RegionType::State => true,
            RegionType::Locality | RegionType::Sublocality | RegionType::Establishment => false,
        }
    }

    /// Metres around its centre that a search covers when nothing else is said (D45).
    pub fn radius_m(&self) -> f64 {
        match self.details.region_type {
            RegionType::Establishment => ESTABLISHMENT_RADIUS_M,
            RegionType::Country | RegionType::State | RegionType::Locality | RegionType::Sublocality => {
                PLACE_RADIUS_M
            }
        }
    }

    /// Every name that it is found by: its own, aliases, and those in other languages.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec![self.details.name.clone()];
        names.extend(self.details.aliases.iter().cloned());
        if let Some(local) = &self.details.local_name {
            let others = local
                .texts()
                .filter(|(tag, _)| *tag != Language::default().code());
            names.extend(others.map(|(_, name)| name.to_owned()));
        }
        names.extend(local_names::of(self));
        names
    }
}

/// Which list of suggestions a region belongs to (A7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlaceGroup {
    Cities,
    Areas,
    Universities,
}

impl PlaceGroup {
    pub const ALL: [Self; 3] = [Self::Cities, Self::Areas, Self::Universities];

    fn of(region_type: RegionType) -> Self {
        match region_type {
            RegionType::Country | RegionType::State | RegionType::Locality => Self::Cities,
            RegionType::Sublocality => Self::Areas,
            RegionType::Establishment => Self::Universities,
        }
    }
}

/// All regions; an unchanging state of them.
#[derive(Default)]
pub struct Places {
    all: BTreeMap<RegionId, Arc<Place>>,
    by_canonical_name: HashMap<String, RegionId>,
    /// Active listings that a search of the region finds.
    homes: HashMap<RegionId, u64>,
    by_group: HashMap<u8, Names>,
    /// Regions by the number their names carry.
    numbered: Vec<RegionId>,
}

/// Events read at a time.
const BATCH: usize = 2_000;

impl Places {
    /// The regions alone, for whoever needs no search; numbers of homes are not counted.
    ///
    /// # Errors
    /// When the log cannot be read, or holds a region that cannot.
    pub async fn read(log: &EventLog) -> Result<Self, LogError> {
        let mut states = RegionStates::default();
        let mut position = 0;
        loop {
            let events = log.read_all(position, BATCH).await?;
            let Some(last) = events.last() else { break };
            position = last.position;
            for event in events.iter().filter(|event| event.stream.kind == Region::KIND) {
                let region = event
                    .decode_sealed::<Region>()
                    .map_err(|error| LogError::Storage(error.to_string()))?;
                states.evolve(RegionId(event.stream.id), &region);
            }
        }
        Ok(states.places())
    }

    pub fn get(&self, id: RegionId) -> Option<&Arc<Place>> {
        self.all.get(&id)
    }

    pub fn by_canonical_name(&self, name: &str) -> Option<&Arc<Place>> {
        self.get(*self.by_canonical_name.get(name)?)
    }

    /// The region somebody means by an address that is written a little otherwise: `London`, `new_york`.
    pub fn by_any_spelling(&self, name: &str) -> Option<&Arc<Place>> {
        self.by_canonical_name(name)
            .or_else(|| self.by_canonical_name(&slug(name)))
    }

    /// Regions whose name is this, in any case.
    pub fn by_name<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p Arc<Place>> {
        let name = name.to_lowercase();
        self.all
            .values()
            .filter(move |place| place.names().iter().any(|known| known.to_lowercase() == name))
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<Place>> {
        self.all.values()
    }

    /// The regions directly below one, by name.
    pub fn children(&self, parent: RegionId) -> Vec<&Arc<Place>> {
        let mut children: Vec<_> = self
            .all
            .values()
            .filter(|place| place.details.parent == Some(parent) && place.state == RegionState::Active)
            .collect();
        children.sort_by(|a, b| a.details.name.cmp(&b.details.name));
        children
    }

    /// The region itself and everything above it, from below.
    pub fn with_ancestors(&self, id: RegionId) -> Vec<RegionId> {
        let parent = |id: &RegionId| self.all.get(id).and_then(|place| place.details.parent);
        std::iter::successors(Some(id), parent).take(DEEPEST).collect()
    }

    /// The regions above a place, which need not be one of these itself, from below.
    pub fn above(&self, place: &Place) -> Vec<&Arc<Place>> {
        let parent = |above: &&Arc<Place>| above.details.parent.and_then(|id| self.all.get(&id));
        let first = place.details.parent.and_then(|id| self.all.get(&id));
        std::iter::successors(first, parent).take(DEEPEST - 1).collect()
    }

    /// Active listings that a search of the region finds.
    pub fn homes(&self, id: RegionId) -> u64 {
        self.homes.get(&id).copied().unwrap_or(0)
    }

    pub(super) fn all_homes(&self) -> &HashMap<RegionId, u64> {
        &self.homes
    }

    /// The nearest active regions of a group, without those in `but`.
    pub fn nearest(
        &self,
        group: PlaceGroup,
        to: Coordinates,
        but: &[RegionId],
        room: usize,
    ) -> Vec<(&Arc<Place>, f64)> {
        let mut near: Vec<_> = self
            .all
            .values()
            .filter(|place| place.state == RegionState::Active && !place.is_searched_as_a_whole())
            .filter(|place| PlaceGroup::of(place.details.region_type) == group && !but.contains(&place.id))
            .map(|place| (place, to.metres_to(place.center())))
            .collect();
        near.sort_by(|(a, near_a), (b, near_b)| near_a.total_cmp(near_b).then(a.id.cmp(&b.id)));
        near.truncate(room);
        near
    }

    /// Regions whose name a text may become, best first.
    pub fn suggest(
        &self,
        group: PlaceGroup,
        text: &str,
        spelling: Spelling,
        room: usize,
    ) -> Vec<&Arc<Place>> {
        let Some(names) = self.by_group.get(&(group as u8)) else {
            return Vec::new();
        };
        let numbers = names.suggest(text, spelling, room);
        numbers
            .into_iter()
            .filter_map(|number| self.get(*self.numbered.get(number as usize)?))
            .collect()
    }

    /// The same regions with new numbers of homes, which rank their names.
    pub(super) fn counted(&self, homes: HashMap<RegionId, u64>) -> Self {
        let numbered: Vec<RegionId> = self.all.keys().copied().collect();
        let mut by_group: HashMap<u8, Vec<Named>> = HashMap::new();
        for (number, place) in (0_u32..)
            .zip(self.all.values())
            .filter(|(_, place)| place.state == RegionState::Active)
        {
            let popular = place
                .details
                .popular_rank
                .map_or(0, |rank| 1_000_u64.saturating_sub(rank.into()));
            let whole = u64::from(place.is_searched_as_a_whole());
            let rank = whole << 62 | popular << 40 | homes.get(&place.id).copied().unwrap_or(0);
            let group = by_group
                .entry(PlaceGroup::of(place.details.region_type) as u8)
                .or_default();
            group.push(Named {
                number,
                rank,
                names: place.names(),
            });
        }
        Self {
            all: self.all.clone(),
            by_canonical_name: self.by_canonical_name.clone(),
            homes,
            by_group: by_group
                .into_iter()
                .map(|(group, named)| (group, Names::build(named)))
                .collect(),
            numbered,
        }
    }

    /// The cities of a country's popular list, in its order (D62); of a country without a list those with most homes.
    pub fn popular_cities(&self, country: Country) -> Vec<&Arc<Place>> {
        let (mut ranked, mut others): (Vec<_>, Vec<_>) = self
            .all
            .values()
            .filter(|place| place.details.country == country && place.state == RegionState::Active)
            .filter(|place| place.details.region_type == RegionType::Locality)
            .partition(|place| place.details.popular_rank.is_some());
        if ranked.is_empty() {
            others.retain(|place| self.homes(place.id) > 0);
            others.sort_by(|one, other| {
                let homes = self.homes(other.id).cmp(&self.homes(one.id));
                homes.then_with(|| one.canonical_name().cmp(other.canonical_name()))
            });
            others.truncate(CITIES_WITHOUT_LIST);
            return others;
        }
        ranked.sort_by_key(|place| (place.details.popular_rank, Reverse(self.homes(place.id))));
        ranked
    }

    /// Countries in which homes are let, those with most homes first.
    pub fn countries_with_homes(&self) -> Vec<Country> {
        let is_let = |place: &&Arc<Place>| {
            place.details.region_type == RegionType::Country
                && place.state == RegionState::Active
                && self.homes(place.id) > 0
        };
        let mut regions: Vec<&Arc<Place>> = self.all.values().filter(is_let).collect();
        regions.sort_by_key(|place| (Reverse(self.homes(place.id)), place.details.country));
        regions.into_iter().map(|place| place.details.country).collect()
    }
}

/// Regions on their way to the next [`Places`].
#[derive(Default)]
pub(super) struct RegionStates {
    states: BTreeMap<RegionId, Region>,
}

impl RegionStates {
    pub(super) fn evolve(&mut self, id: RegionId, event: &RegionEvent) {
        self.states.entry(id).or_default().evolve(event);
    }

    pub(super) fn places(&self) -> Places {
        let described = |(id, region): (&RegionId, &Region)| {
            let details = region.details.as_deref()?.clone();
            Some((
                *id,
                Arc::new(Place {
                    id: *id,
                    state: region.state,
                    details,
                }),
            ))
        };
        let all: BTreeMap<RegionId, Arc<Place>> = self.states.iter().filter_map(described).collect();
        let by_canonical_name = all
            .values()
            .map(|place| (place.canonical_name().to_owned(), place.id))
            .collect();
        Places {
            all,
            by_canonical_name,
            ..Places::default()
        }
    }
}
