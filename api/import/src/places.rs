//! Cities and areas that rows name: those the log knows, and those opened on the way, with what the atlas knows of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use atlas::Place as Fact;
use atlas::regions::{describe_place, region_id};
use domain::aggregate::Decide;
use domain::country::Country;
use domain::id::RegionId;
use domain::place::{Coordinates, slug};
use domain::region::{Region, RegionCommand, RegionDetails, RegionType};
use eventlog::{Append, Context, EventLog, Expected};
use search_index::geo::OnGlobe;
use search_index::places::{Place, Places};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

pub(crate) mod edit;
mod facts;
mod open;
pub(crate) mod opening;

use facts::{Facts, Meant};
use open::{Unsettled, above};

/// A home farther from its city than this has wrong coordinates, or the wrong city.
const FARTHEST_M: f64 = 100_000.0;
const NO_POINT: &str =
    "no point is said, and no city of that name is known: give it a latitude and a longitude";
/// Letters of a cell that a reason quotes.
const SHOWN: usize = 40;

/// A city with its area, found for a row.
pub(super) struct Spot {
    pub(super) city: RegionId,
    pub(super) area: Option<RegionId>,
}

/// What a row says of where it lies.
pub(super) struct Named<'r> {
    pub(super) country: Country,
    pub(super) city: &'r str,
    pub(super) area: &'r str,
    /// Tells namesakes apart where no point does.
    pub(super) state: &'r str,
    /// The middle of the file's other homes in the city.
    pub(super) middle: Option<Coordinates>,
}

/// A city, or its country, on its way into the log.
pub(super) struct Opened {
    id: RegionId,
    details: RegionDetails,
}

/// A city that this import opened.
struct Fresh {
    centre: Coordinates,
    canonical_name: String,
}

/// Finds places by name.
pub(super) struct Gazetteer {
    places: Places,
    cities: HashMap<(Country, String), RegionId>,
    countries: HashMap<Country, RegionId>,
    /// Where this import opened cities.
    fresh: HashMap<RegionId, Fresh>,
    /// Everything that this import opened, by its canonical name.
    fresh_names: HashMap<String, RegionId>,
    opened: Vec<Opened>,
    /// Cities that the atlas does not know, with the points of their rows.
    unsettled: HashMap<RegionId, Unsettled>,
    /// Cities of earlier imports that lie elsewhere than the first home of theirs, by what they become.
    corrected: HashMap<RegionId, RegionDetails>,
    /// Cities that were compared with the atlas.
    compared: HashSet<RegionId>,
    facts: Facts,
}

impl Gazetteer {
    pub(super) async fn read(log: &EventLog) -> Result<Self, String> {
        let places = Places::read(log)
            .await
            .map_err(|error| format!("the log cannot be read: {error}"))?;
        let cities = places
            .all()
            .filter(|place| place.details.region_type == RegionType::Locality)
            .flat_map(|place| {
                let key = |name: &str| ((place.details.country, plain(name)), place.id);
                place.names().iter().map(|name| key(name)).collect::<Vec<_>>()
            })
            .collect();
        let countries = places
            .all()
            .filter(|place| place.details.region_type == RegionType::Country)
            .map(|place| (place.details.country, place.id))
            .collect();
        Ok(Self {
            places,
            cities,
            countries,
            fresh: HashMap::new(),
            fresh_names: HashMap::new(),
            opened: Vec::new(),
            unsettled: HashMap::new(),
            corrected: HashMap::new(),
            compared: HashSet::new(),
            facts: Facts::default(),
        })
    }

    /// The cities that the log knows.
    pub(super) fn list_cities(&self) -> impl Iterator<Item = &Arc<Place>> {
        let places = self.places.all();
        places.filter(|place| place.details.region_type == RegionType::Locality)
    }

    /// Where a row's home lies; a city that is not known yet is opened.
    ///
    /// # Errors
    /// Names the field and what is wrong with it.
    pub(super) fn spot(
        &mut self,
        named: &Named<'_>,
        point: Option<Coordinates>,
    ) -> Result<Spot, (&'static str, String)> {
        check_name(named.city)?;
        let Some(point) = point else {
            return self.locate_by_name(named);
        };
        let spot = self.locate(named, point)?;
        if let Some(city) = self.unsettled.get_mut(&spot.city) {
            city.points.push(point);
        }
        Ok(spot)
    }

    fn locate(&mut self, named: &Named<'_>, point: Coordinates) -> Result<Spot, (&'static str, String)> {
        let (country, city) = (named.country, named.city);
        let far = || {
            (
                "lat",
                format!("the point is more than 100 km from {}", quote(city)),
            )
        };
        let known = self.find(country, city, named.area);
        if let Some(spot) = known.as_ref().filter(|spot| self.is_near(spot, point)) {
            let id = spot.city;
            self.correct(id);
            return Ok(self.spot_in(id, named.area));
        }
        let fact = match self.facts.find_city(country, city, point) {
            Meant::City(fact) => Some(fact),
            Meant::Unknown if known.is_none() => None,
            Meant::Far | Meant::Unknown => return Err(far()),
        };
        if let Some(id) = fact.as_deref().and_then(|fact| self.region_of(country, fact)) {
            self.correct(id);
            self.cities.entry((country, plain(city))).or_insert(id);
            return Ok(self.spot_in(id, named.area));
        }
        if !self.facts.can_hold(country, point) {
            return Err(("lat", format!("the point lies outside {}", country.name())));
        }
        match fact {
            Some(fact) => {
                let id = self.open_fact(country, &fact);
                self.cities.entry((country, plain(city))).or_insert(id);
                Ok(self.spot_in(id, named.area))
            }
            None => Ok(self.open(country, city, point)),
        }
    }

    /// The city of a home that says no point (decision 0047): the house's own of that name, else the largest of the atlas, or the one in the
    /// state that is said. One that neither knows stands where the file's other homes in it do; without any it would have no centre.
    fn locate_by_name(&mut self, named: &Named<'_>) -> Result<Spot, (&'static str, String)> {
        let (country, city) = (named.country, named.city);
        let known = self.find(country, city, named.area).map(|spot| spot.city);
        let in_state = self.facts.find_city_in(country, city, named.state);
        let fact = match known {
            Some(_) => in_state,
            None => in_state.or_else(|| self.facts.find_largest_city(country, city)),
        };
        let id = match (fact, known) {
            (Some(fact), _) => self
                .region_of(country, &fact)
                .unwrap_or_else(|| self.open_fact(country, &fact)),
            (None, Some(id)) => id,
            // The order of rows does not matter: the city is opened where its other homes stand.
            (None, None) => {
                let middle = named
                    .middle
                    .filter(|middle| self.facts.can_hold(country, *middle));
                let middle = middle.ok_or_else(|| ("city", NO_POINT.to_owned()))?;
                return Ok(self.open(country, city, middle));
            }
        };
        self.correct(id);
        self.cities.entry((country, plain(city))).or_insert(id);
        Ok(self.spot_in(id, named.area))
    }

    /// The city of that name, and its area where the catalogue has one.
    fn find(&self, country: Country, city: &str, area: &str) -> Option<Spot> {
        let plain = plain(city);
        // A city that an import opened by this name is it, whatever it is called since.
        let opened = RegionId(named_id(&["region", country.key(), &plain]));
        let opened = self.places.get(opened).map(|place| place.id);
        let id = self.cities.get(&(country, plain)).copied().or(opened)?;
        Some(self.spot_in(id, area))
    }

    /// A city with the area of that name in it.
    fn spot_in(&self, city: RegionId, area: &str) -> Spot {
        let known = self.places.get(city).map(|place| place.canonical_name());
        let fresh = || self.fresh.get(&city).map(|fresh| fresh.canonical_name.as_str());
        let canonical = known.or_else(fresh);
        let area = canonical
            .filter(|_| !area.is_empty())
            .and_then(|city| self.known_as(&format!("{}-{city}", slug(area))));
        Spot { city, area }
    }

    /// The region with that canonical name, in the log or opened by this import.
    fn known_as(&self, canonical_name: &str) -> Option<RegionId> {
        let known = self
            .places
            .by_canonical_name(canonical_name)
            .map(|place| place.id);
        known.or_else(|| self.fresh_names.get(canonical_name).copied())
    }

    /// The region of a city of the atlas, where there is one.
    fn region_of(&self, country: Country, fact: &Fact) -> Option<RegionId> {
        let own = region_id(&fact.id);
        if self.places.get(own).is_some() || self.fresh.contains_key(&own) {
            return Some(own);
        }
        let place = self.places.by_canonical_name(&fact.canonical_name)?;
        let is_it = place.details.country == country
            && place.details.region_type == RegionType::Locality
            && place.center().metres_to(fact.centre) <= FARTHEST_M;
        is_it.then_some(place.id)
    }

    /// Earlier imports put a city where its first home stands, below its country, with nothing in it.
    fn correct(&mut self, city: RegionId) {
        if !self.compared.insert(city) {
            return;
        }
        let Some(place) = self
            .places
            .get(city)
            .filter(|place| is_correctable(place))
            .cloned()
        else {
            return;
        };
        let details = &place.details;
        let above = details.parent.and_then(|parent| self.places.get(parent));
        let is_bare = above.is_none_or(|above| above.details.region_type == RegionType::Country);
        let fact = match self
            .facts
            .find_city(details.country, place.name(), details.centre)
        {
            Meant::City(fact) if is_bare => Some(fact),
            Meant::City(_) | Meant::Far | Meant::Unknown => None,
        };
        let in_zone = RegionDetails {
            time_zone: self.zone_at(details.country, details.centre),
            ..details.clone()
        };
        let described = fact.and_then(|fact| self.describe_again(&fact, details));
        let corrected = described.unwrap_or(in_zone);
        if corrected != *details {
            self.corrected.insert(city, corrected);
        }
    }

    /// A city with its own centre, names and state; its areas and universities are opened. `None` where it has no state: it could not be
    /// told from a city that staff have moved since.
    fn describe_again(&mut self, fact: &Fact, details: &RegionDetails) -> Option<RegionDetails> {
        let country = details.country;
        let surroundings = self.facts.surroundings(country, fact);
        let parent = self.open_state(country, &surroundings.state?, fact);
        let id = RegionId(named_id(&["region", country.key(), &plain(&details.name)]));
        self.open_inside(country, id, fact, &surroundings.inside);
        let described = describe_place(fact, &above(country, Some(parent), None));
        Some(RegionDetails {
            name: details.name.clone(),
            canonical_name: details.canonical_name.clone(),
            locality: details.locality.clone(),
            popular_rank: details.popular_rank,
            ..described
        })
    }

    /// Cities of earlier imports whose place was corrected since the last call.
    pub(super) fn take_corrected(&mut self) -> HashMap<RegionId, RegionDetails> {
        std::mem::take(&mut self.corrected)
    }

    /// Whether a point is near enough to the spot's city to lie in it.
    fn is_near(&self, spot: &Spot, point: Coordinates) -> bool {
        let known = self.places.get(spot.city).map(|city| city.center());
        let centre = known.or_else(|| self.fresh.get(&spot.city).map(|fresh| fresh.centre));
        centre.is_none_or(|centre| centre.metres_to(point) <= FARTHEST_M)
    }

    /// How many places wait to be taken by [`Gazetteer::take_opened`].
    pub(super) fn count_opened(&self) -> usize {
        self.opened.len()
    }

    /// The names of the cities among those that wait, from a number on, each with whether the atlas knows it.
    pub(super) fn list_opened_cities(&self, from: usize) -> impl Iterator<Item = (&str, bool)> {
        let cities = self.opened.iter().skip(from).filter(|opened| opened.is_city());
        cities.map(|opened| {
            let is_known = !self.unsettled.contains_key(&opened.id);
            (opened.details.name.as_str(), is_known)
        })
    }

    /// Cities and countries opened since the last call.
    pub(super) fn take_opened(&mut self) -> Vec<Opened> {
        std::mem::take(&mut self.opened)
    }
}

impl Opened {
    pub(super) fn is_city(&self) -> bool {
        self.details.region_type == RegionType::Locality
    }
}

/// Refuses markup as the name of a city.
fn check_name(city: &str) -> Result<(), (&'static str, String)> {
    if city.contains(['<', '>']) {
        return Err(("city", format!("`{}` is no name of a city", quote(city))));
    }
    Ok(())
}

/// As much of a cell as a reason quotes.
fn quote(cell: &str) -> String {
    cell.chars().take(SHOWN).collect()
}

/// A name as cities are found by it: one for both ways to write an accent, also for cities opened before rows were composed.
pub(super) fn plain(name: &str) -> String {
    slug(&name.nfc().collect::<String>())
}

/// A city that an import opened, whose id follows from its name, and that staff have not mended since.
fn is_correctable(place: &Place) -> bool {
    if place.details.is_mended {
        return false;
    }
    let named = named_id(&["region", place.details.country.key(), &plain(place.name())]);
    place.id == RegionId(named)
}

/// The appends that open these cities.
pub(super) fn appends(opened: Vec<Opened>, context: &Context) -> Result<Vec<Append>, String> {
    let append = |place: Opened| {
        let name = place.details.name.clone();
        let events = Region::default()
            .decide(RegionCommand::Describe {
                region: Box::new(place.details),
            })
            .map_err(|error| format!("the place `{name}` cannot be opened: {error}"))?;
        Append::new(context)
            .events::<Region>(place.id, Expected::Revision(0), &events)
            .map_err(|error| error.to_string())
    };
    opened.into_iter().map(append).collect()
}

/// An id that follows from names alone: the same names, the same id, on every machine.
pub(super) fn named_id(names: &[&str]) -> uuid::Uuid {
    let digest = names.iter().fold(Sha256::new(), |hash, name| {
        hash.chain_update(name).chain_update([0])
    });
    let mut bytes = [0_u8; 16];
    for (to, from) in bytes.iter_mut().zip(digest.finalize()) {
        *to = from;
    }
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
