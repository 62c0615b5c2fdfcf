//! Cities and areas that rows name: those the log knows, and those opened on the way.

use std::collections::HashMap;

use domain::aggregate::Decide;
use domain::country::Country;
use domain::id::RegionId;
use domain::place::{Bounds, Coordinates, slug};
use domain::region::{Region, RegionCommand, RegionDetails, RegionType};
use eventlog::{Actor, Append, Context, EventLog, Expected};
use platform::clock;
use search_index::geo::OnGlobe;
use search_index::places::{Place, Places};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

use super::map::UnknownCity;
use super::time_zone;

/// Half the size of a city nobody described.
const CITY_HALF: (i32, i32) = (90_000, 130_000);
/// And of a country that its first listing opens.
const COUNTRY_HALF: (i32, i32) = (4_000_000, 6_000_000);

/// A home farther from its city than this has wrong coordinates, or the wrong city.
const FARTHEST_M: f64 = 100_000.0;
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
    /// As the row writes it.
    pub(super) country_text: &'r str,
    pub(super) city: &'r str,
    pub(super) area: &'r str,
}

/// A city, or its country, on its way into the log.
pub(super) struct Opened {
    id: RegionId,
    details: RegionDetails,
}

/// Finds places by name.
pub(super) struct Gazetteer {
    places: Places,
    cities: HashMap<(Country, String), RegionId>,
    countries: HashMap<Country, RegionId>,
    /// Where this import opened cities.
    fresh: HashMap<RegionId, Coordinates>,
    opened: Vec<Opened>,
    /// Cities of earlier imports whose time zone is not that of their place, by what they become.
    corrected: HashMap<RegionId, RegionDetails>,
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
            opened: Vec::new(),
            corrected: HashMap::new(),
        })
    }

    /// Where a row's home lies; the city is opened where the map says so.
    ///
    /// # Errors
    /// Names the field and what is wrong with it.
    pub(super) fn spot(
        &mut self,
        named: &Named<'_>,
        point: Coordinates,
        unknown_city: UnknownCity,
    ) -> Result<Spot, (&'static str, String)> {
        let (country, city) = (named.country, named.city);
        let shown = || city.chars().take(SHOWN).collect::<String>();
        if city.contains(['<', '>']) {
            return Err(("city", format!("`{}` is no name of a city", shown())));
        }
        if let Some(spot) = self.find(country, city, named.area) {
            let away = self.metres(&spot, point);
            if away.is_some_and(|metres| metres > FARTHEST_M) {
                return Err(("lat", format!("the point is more than 100 km from {}", shown())));
            }
            self.correct_zone(spot.city);
            return Ok(spot);
        }
        match unknown_city {
            UnknownCity::Report => Err(("city", format!("`{}` is not in the catalogue", shown()))),
            UnknownCity::Create => self.open(country, city, point).ok_or_else(|| {
                let given: String = named.country_text.chars().take(SHOWN).collect();
                let name = country.name();
                let reason = format!("`{given}` is not in the catalogue: no homes are let in {name}");
                ("country", reason)
            }),
        }
    }

    /// The city of that name, and its area where the catalogue has one.
    fn find(&self, country: Country, city: &str, area: &str) -> Option<Spot> {
        let id = *self.cities.get(&(country, plain(city)))?;
        let canonical = self.places.get(id).map(|place| place.canonical_name().to_owned());
        let area =
            canonical.and_then(|city| self.places.by_canonical_name(&format!("{}-{city}", slug(area))));
        Some(Spot {
            city: id,
            area: area.map(|area| area.id),
        })
    }

    /// Earlier imports gave a city the time zone of its country's largest one.
    fn correct_zone(&mut self, city: RegionId) {
        let Some(place) = self.places.get(city).filter(|place| is_imported(place)) else {
            return;
        };
        let details = &place.details;
        let zone = time_zone::at(details.country, details.centre).name();
        if details.time_zone != zone {
            let corrected = RegionDetails {
                time_zone: zone.to_owned(),
                ..details.clone()
            };
            self.corrected.insert(city, corrected);
        }
    }

    /// Cities whose time zone was corrected since the last call.
    pub(super) fn take_corrected(&mut self) -> HashMap<RegionId, RegionDetails> {
        std::mem::take(&mut self.corrected)
    }

    /// How far a point lies from the spot's city.
    fn metres(&self, spot: &Spot, point: Coordinates) -> Option<f64> {
        let known = self.places.get(spot.city).map(|city| city.center());
        let centre = known.or_else(|| self.fresh.get(&spot.city).copied())?;
        Some(centre.metres_to(point))
    }

    /// Opens a city where its first listing stands, and its country where the catalogue has none yet (D4: countries
    /// are known); `None` when the marketplace does not serve the country.
    fn open(&mut self, country: Country, city: &str, centre: Coordinates) -> Option<Spot> {
        if !self.countries.contains_key(&country) && !is_served(country) {
            return None;
        }
        let plain = plain(city);
        let above = self.country(country, centre);
        let taken = self.places.by_canonical_name(&plain).is_some()
            || self
                .opened
                .iter()
                .any(|opened| opened.details.canonical_name == plain);
        let canonical_name = if taken {
            format!("{plain}-{}", country.key().replace('_', "-"))
        } else {
            plain.clone()
        };
        let id = RegionId(named_id(&["region", country.key(), &plain]));
        let details = RegionDetails {
            name: city.to_owned(),
            canonical_name,
            region_type: RegionType::Locality,
            subtype: None,
            parent: Some(above),
            locality: Some(city.to_owned()),
            bounds: Bounds::around(centre, CITY_HALF.0, CITY_HALF.1),
            ..Self::bare(country, centre)
        };
        self.opened.push(Opened { id, details });
        self.fresh.insert(id, centre);
        self.cities.insert((country, plain), id);
        Some(Spot { city: id, area: None })
    }

    fn country(&mut self, country: Country, centre: Coordinates) -> RegionId {
        if let Some(known) = self.countries.get(&country) {
            return *known;
        }
        let id = RegionId(named_id(&["region", country.key()]));
        let details = RegionDetails {
            name: country.name().to_owned(),
            canonical_name: slug(country.name()),
            region_type: RegionType::Country,
            bounds: Bounds::around(centre, COUNTRY_HALF.0, COUNTRY_HALF.1),
            aliases: vec![country.iso().to_owned()],
            ..Self::bare(country, centre)
        };
        self.opened.push(Opened { id, details });
        self.countries.insert(country, id);
        id
    }

    fn bare(country: Country, centre: Coordinates) -> RegionDetails {
        RegionDetails {
            name: String::new(),
            canonical_name: String::new(),
            region_type: RegionType::Locality,
            subtype: None,
            parent: None,
            country,
            locality: None,
            centre,
            bounds: Bounds::around(centre, 0, 0),
            time_zone: time_zone::at(country, centre).name().to_owned(),
            aliases: Vec::new(),
            local_name: None,
            popular_rank: None,
            redirect_canonical_name: None,
        }
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

/// D4, D62: countries the marketplace lets homes in; the others are known for their currency and phone alone.
const fn is_served(country: Country) -> bool {
    match country {
        Country::Us
        | Country::Uk
        | Country::Canada
        | Country::Spain
        | Country::Ireland
        | Country::Australia
        | Country::Germany => true,
        Country::France
        | Country::Singapore
        | Country::Uae
        | Country::India
        | Country::NewZealand
        | Country::Korea
        | Country::Denmark => false,
    }
}

/// A name as cities are found by it: one for both ways to write an accent, also for cities opened before rows were composed.
fn plain(name: &str) -> String {
    slug(&name.nfc().collect::<String>())
}

/// A city that an import opened: its id follows from its name.
fn is_imported(place: &Place) -> bool {
    let named = named_id(&["region", place.details.country.key(), &plain(place.name())]);
    place.id == RegionId(named)
}

/// The appends that open these cities.
pub(super) fn appends(opened: Vec<Opened>) -> Result<Vec<Append>, String> {
    let append = |place: Opened| {
        let name = place.details.name.clone();
        let events = Region::default()
            .decide(RegionCommand::Describe {
                region: Box::new(place.details),
            })
            .map_err(|error| format!("the place `{name}` cannot be opened: {error}"))?;
        let context = Context::new(clock::now(), Actor::SYSTEM);
        Append::new(&context)
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
