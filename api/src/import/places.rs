//! Cities and areas that rows name: those the log knows, and those opened on the way.

use std::collections::HashMap;
use std::sync::Arc;

use domain::aggregate::Decide;
use domain::country::Country;
use domain::id::RegionId;
use domain::place::{Bounds, Coordinates, slug};
use domain::region::{Region, RegionCommand, RegionDetails, RegionType};
use eventlog::{Actor, Append, Context, EventLog, Expected};
use projections::catalogue::CatalogueFollower;
use projections::catalogue::places::Places;
use sha2::{Digest, Sha256};

use crate::clock;

/// Half the size of a city nobody described.
const CITY_HALF: (i32, i32) = (90_000, 130_000);

/// A city with its area, found for a row.
pub(super) struct Spot {
    pub(super) city: RegionId,
    pub(super) area: Option<RegionId>,
}

/// A city on its way into the log.
pub(super) struct Opened {
    id: RegionId,
    details: RegionDetails,
}

/// Finds places by name.
pub(super) struct Gazetteer {
    places: Arc<Places>,
    cities: HashMap<(Country, String), RegionId>,
    opened: Vec<Opened>,
}

impl Gazetteer {
    pub(super) async fn read(log: &EventLog) -> Result<Self, String> {
        let mut follower = CatalogueFollower::new(log.clone());
        follower
            .catch_up()
            .await
            .map_err(|error| format!("the log cannot be read: {error}"))?;
        let places = follower.catalogue().places();
        let cities = places
            .all()
            .filter(|place| place.details.region_type == RegionType::Locality)
            .flat_map(|place| {
                let key = |name: &str| ((place.details.country, slug(name)), place.id);
                let aliases = place.details.aliases.iter().map(|alias| key(alias));
                [key(place.name())].into_iter().chain(aliases).collect::<Vec<_>>()
            })
            .collect();
        Ok(Self {
            places,
            cities,
            opened: Vec::new(),
        })
    }

    /// The city of that name, and its area where the catalogue has one.
    pub(super) fn find(&self, country: Country, city: &str, area: &str) -> Option<Spot> {
        let id = *self.cities.get(&(country, slug(city)))?;
        let canonical = self.places.get(id).map(|place| place.canonical_name().to_owned());
        let area =
            canonical.and_then(|city| self.places.by_canonical_name(&format!("{}-{city}", slug(area))));
        Some(Spot {
            city: id,
            area: area.map(|area| area.id),
        })
    }

    /// Opens a city where its first listing stands; `None` when its country is not in the catalogue either.
    pub(super) fn open(&mut self, country: Country, city: &str, centre: Coordinates) -> Option<Spot> {
        let above = self.places.by_canonical_name(&slug(country.name()))?;
        let plain = slug(city);
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
            parent: Some(above.id),
            country,
            locality: Some(city.to_owned()),
            centre,
            bounds: Bounds::around(centre, CITY_HALF.0, CITY_HALF.1),
            time_zone: above.details.time_zone.clone(),
            aliases: Vec::new(),
            local_name: None,
            popular_rank: None,
            redirect_canonical_name: None,
        };
        self.opened.push(Opened { id, details });
        self.cities.insert((country, plain), id);
        Some(Spot { city: id, area: None })
    }

    /// Cities opened since the last call.
    pub(super) fn take_opened(&mut self) -> Vec<Opened> {
        std::mem::take(&mut self.opened)
    }
}

/// The appends that open these cities.
pub(super) fn appends(opened: Vec<Opened>) -> Result<Vec<Append>, String> {
    let append = |city: Opened| {
        let name = city.details.name.clone();
        let events = Region::default()
            .decide(RegionCommand::Describe {
                region: Box::new(city.details),
            })
            .map_err(|error| format!("the city `{name}` cannot be opened: {error}"))?;
        let context = Context::new(clock::now(), Actor::SYSTEM);
        Append::new(&context)
            .events::<Region>(city.id, Expected::Revision(0), &events)
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
