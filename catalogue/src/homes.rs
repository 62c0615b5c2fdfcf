//! Demo properties: where they stand, what they are called, what they offer.

use std::collections::HashSet;

use chrono::{Datelike, Days, NaiveDate};
use domain::country::Country;
use domain::id::{InventoryId, RegionId};
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::media::Media;
use domain::inventory::property::{Policy, PropertyDetails, PropertyFacts, PropertyKind, UnitType};
use domain::place::{Address, Coordinates, PlaceName, slug};

use crate::amenities::{features, guarantor, kind, pictures, places, provider, tags, terms};
use crate::dice::Dice;
use crate::facts::{City, Facts, University, WordKind};
use crate::ids::Ids;
use crate::postal::{postal_code, state_short};
use crate::regions::{NewRegion, Regions};
use crate::rooms::House;
use crate::texts;

/// A property before it is listed.
pub(crate) struct Home {
    pub(crate) id: InventoryId,
    pub(crate) seed: String,
    pub(crate) property: PropertyDetails,
    pub(crate) rooms: Vec<(RoomDetails, Vec<LeaseOption>)>,
}

/// Makes the properties of one city after another.
pub(crate) struct Builder<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) regions: &'a Regions,
    pub(crate) today: NaiveDate,
    pub(crate) names: HashSet<String>,
}

/// The area a home lies in, with both names for texts.
struct Spot<'a> {
    coordinates: Coordinates,
    area: Option<&'a NewRegion>,
}

impl<'a> Builder<'a> {
    /// One property of `city`.
    pub(crate) fn home(
        &mut self,
        city: &City,
        region: RegionId,
        number: usize,
        dice: &mut Dice,
        ids: &mut Ids,
    ) -> Home {
        let spot = self.spot(city, dice);
        let id = InventoryId(ids.next_id());
        let seed = format!("{}-{number}", city.canonical_name);
        let kind = kind(city.country, dice);
        let street = self.street(city, dice);
        let (name, canonical_name) = self.name(city, spot.area, &street, dice);
        let house = House {
            country: city.country,
            kind,
            canonical_name: &canonical_name,
            seed: &seed,
            price: city.price,
            quality: dice.between(78, 128),
            sold_out: dice.chance(9),
            today: self.today,
        };
        let rooms = house.rooms(dice, ids);
        let area = spot.area.map(|area| area.details.name.clone());
        let area_names = match &area {
            Some(area) => (area.as_str(), area.as_str()),
            None => (city.name.as_str(), second_name(city)),
        };
        let year = self.today.year() - i32::try_from(dice.between(1, 22)).unwrap_or(1);
        let year = u16::try_from(year).unwrap_or(2020);
        let description = texts::description(area_names, year, dice);
        let property = PropertyDetails {
            address: address(city, area.as_deref(), &street, dice),
            area: spot.area.map(|area| area.id),
            region,
            coordinates: Some(spot.coordinates),
            phones: phone(city.country, number).into_iter().collect(),
            ..self.house(&house, name, description, year, &rooms, dice)
        };
        Home {
            id,
            seed,
            property,
            rooms,
        }
    }

    fn house(
        &self,
        house: &House<'_>,
        name: String,
        description: domain::wording::Wording,
        year: u16,
        rooms: &[(RoomDetails, Vec<LeaseOption>)],
        dice: &mut Dice,
    ) -> PropertyDetails {
        let country = house.country;
        let features = features(house.kind, dice);
        let bills_included = features.iter().any(|feature| feature.key == "all_bills");
        let dual_occupancy = rooms.iter().any(|(room, _)| room.dual_occupancy == Some(true));
        let guarantor = guarantor(country, dice);
        let policy = Policy {
            cooling_off_days: if dice.chance(60) { 14 } else { 7 },
            no_place_no_pay: dice.chance(65),
            no_visa_no_pay: dice.chance(65),
            instalments: if dice.chance(70) { 3 } else { 4 },
        };
        let local_name = self
            .regions
            .find(&slug(country.name()))
            .and_then(|region| region.details.local_name.as_ref());
        let country_names = (
            country.name(),
            local_name.map_or(country.name(), |name| name.in_language(texts::SECOND)),
        );
        PropertyDetails {
            name,
            canonical_name: house.canonical_name.to_owned(),
            kind: Some(house.kind),
            unit_type: Some(match house.kind {
                PropertyKind::House | PropertyKind::Apartment => UnitType::IndependentHouse,
                PropertyKind::StudentAccommodation | PropertyKind::UniversityHall => {
                    UnitType::StudentAccommodation
                }
            }),
            country,
            region: RegionId(uuid::Uuid::nil()),
            area: None,
            provider: Some(provider(dice)),
            provider_name: None,
            local_names: domain::wording::Wording::default(),
            source: None,
            address: Address::default(),
            coordinates: None,
            currency: country.currency(),
            period: country.period(),
            description,
            faqs: texts::faqs(guarantor, country_names, &policy, bills_included, dice),
            features,
            tags: tags(dual_occupancy, dice),
            guarantor: Some(guarantor),
            dual_occupancy: Some(dual_occupancy),
            pictures: pictures(house, dice),
            media: Media::default(),
            places: places(dice),
            terms: terms(country, dice),
            policy,
            facts: self.facts_of(house.kind, year, bills_included, dice),
            phones: Vec::new(),
            email: None,
            source_link: None,
            custom_form: None,
        }
    }

    fn facts_of(
        &self,
        kind: PropertyKind,
        year: u16,
        bills_included: bool,
        dice: &mut Dice,
    ) -> PropertyFacts {
        let visited = Days::new(u64::from(dice.between(5, 200)));
        PropertyFacts {
            opened_year: Some(year),
            residents: Some(match kind {
                PropertyKind::House => dice.between(3, 9),
                PropertyKind::Apartment => dice.between(12, 90),
                PropertyKind::StudentAccommodation | PropertyKind::UniversityHall => dice.between(80, 640),
            }),
            floors: u8::try_from(dice.between(2, 12)).ok(),
            bills_included: Some(bills_included),
            checked_on: dice
                .chance(75)
                .then(|| self.today.checked_sub_days(visited))
                .flatten(),
        }
    }

    /// Near a campus most of the time, else near the middle of an area.
    fn spot(&self, city: &City, dice: &mut Dice) -> Spot<'a> {
        let (facts, regions) = (self.facts, self.regions);
        let campuses: Vec<&University> = facts
            .universities
            .iter()
            .filter(|university| university.city == city.canonical_name)
            .filter(|university| metres(university.centre, city.centre) < 16_000.0)
            .collect();
        let areas: Vec<&'a NewRegion> = facts
            .areas
            .iter()
            .filter(|area| area.city == city.canonical_name)
            .filter_map(|area| regions.find(&format!("{}-{}", slug(&area.name), area.city)))
            .collect();
        // The first universities of the list are the largest: half of the homes stand near them.
        let nearest_to = if dice.chance(50) { 4 } else { campuses.len() };
        let campus = campuses.get(dice.below(campuses.len().min(nearest_to)));
        let around = match (campus, dice.pick(&areas)) {
            (Some(university), Some(area)) => {
                if dice.chance(62) {
                    university.centre
                } else {
                    area.details.centre
                }
            }
            (Some(university), None) => university.centre,
            (None, Some(area)) => area.details.centre,
            (None, None) => city.centre,
        };
        let coordinates = shifted(around, dice.bell() * 1_100.0, dice.bell() * 1_100.0);
        let near = areas
            .into_iter()
            .map(|area| (metres(area.details.centre, coordinates), area))
            .min_by(|one, other| one.0.total_cmp(&other.0));
        Spot {
            coordinates,
            area: near
                .filter(|(distance, _)| *distance < 3_000.0)
                .map(|(_, area)| area),
        }
    }

    fn street(&self, city: &City, dice: &mut Dice) -> Street {
        let streets = self.facts.words(city.country, WordKind::Street);
        Street {
            name: dice.pick(streets).cloned().unwrap_or_default(),
            number: dice.between(1, 190),
        }
    }

    /// A name nobody else in the catalogue has, with its canonical form.
    fn name(
        &mut self,
        city: &City,
        area: Option<&NewRegion>,
        street: &Street,
        dice: &mut Dice,
    ) -> (String, String) {
        let firsts = self.facts.words(city.country, WordKind::First);
        let houses = self.facts.words(city.country, WordKind::House);
        let area = area.map(|area| area.details.name.as_str());
        let mut round = 0;
        loop {
            let first = dice.pick(firsts).map_or("Campus", String::as_str);
            let house = dice.pick(houses).map_or("House", String::as_str);
            let before = matches!(city.country, Country::Spain);
            let joined = |lead: &str| {
                if before {
                    format!("{house} {lead}")
                } else {
                    format!("{lead} {house}")
                }
            };
            let name = match (round, area, dice.between(0, 7)) {
                (0..=2, Some(area), 0 | 1) => joined(area),
                (0, _, 2) => street.as_written(city.country),
                (0..=2, _, _) => joined(first),
                (3..=9, Some(area), _) => joined(&format!("{first} {area}")),
                (_, _, _) => joined(&format!("{first} {}", dice.between(2, 400))),
            };
            let canonical = format!("{}-{}", slug(&name), city.canonical_name);
            if self.names.insert(canonical.clone()) {
                return (name, canonical);
            }
            round += 1;
        }
    }
}

/// A street with a house number.
struct Street {
    name: String,
    number: u32,
}

impl Street {
    /// `41 Argyle Walk`, `Lindenstraße 12`, `Carrer de Balmes, 8`.
    fn as_written(&self, country: Country) -> String {
        match country {
            Country::Germany => format!("{} {}", self.name, self.number),
            Country::Spain => format!("{}, {}", self.name, self.number),
            _ => format!("{} {}", self.number, self.name),
        }
    }
}

/// Names a city in the second language of the demo facts.
fn second_name(city: &City) -> &str {
    city.names.get(texts::SECOND).unwrap_or(&city.name)
}

fn address(city: &City, area: Option<&str>, street: &Street, dice: &mut Dice) -> Address {
    let district = dice.pick(&city.postal).cloned().unwrap_or_default();
    Address {
        street_number: Some(PlaceName::plain(street.number.to_string())),
        route: Some(PlaceName::plain(&street.name)),
        locality: Some(PlaceName::plain(&city.name)),
        district: area.map(PlaceName::plain),
        state: Some(PlaceName {
            long_name: city.state.clone(),
            short_name: state_short(&city.state).to_owned(),
        }),
        country: Some(PlaceName {
            long_name: city.country.name().to_owned(),
            short_name: city.country.iso().to_owned(),
        }),
        postal_code: Some(PlaceName::plain(postal_code(city.country, &district, dice))),
    }
}

/// Distance on the ground, good to a few metres within a city.
pub(crate) fn metres(one: Coordinates, other: Coordinates) -> f64 {
    let degrees = |micro: i32| f64::from(micro) / 1_000_000.0;
    let north = (degrees(one.lat_e6) - degrees(other.lat_e6)) * 111_320.0;
    let shrink = degrees(one.lat_e6).to_radians().cos();
    let east = (degrees(one.lng_e6) - degrees(other.lng_e6)) * 111_320.0 * shrink;
    north.hypot(east)
}

/// The office's number, from the ranges that each country's regulator keeps free for fiction; where it keeps none, none.
fn phone(country: Country, number: usize) -> Option<String> {
    let last = number % 100;
    Some(match country {
        Country::Uk => format!("+4416329600{last:02}"),
        Country::Us | Country::Canada => format!("+120255501{last:02}"),
        Country::Ireland => format!("+353209100{last:03}"),
        Country::Australia => format!("+612555000{last:02}"),
        Country::Germany => format!("+493023125{last:03}"),
        _ => return None,
    })
}

/// The point so many metres north and east.
fn shifted(point: Coordinates, north: f64, east: f64) -> Coordinates {
    let lat = f64::from(point.lat_e6) / 1_000_000.0;
    let micro = |metres: f64, per_degree: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a shift of kilometres is a small number of microdegrees"
        )]
        {
            (metres / per_degree * 1_000_000.0).round() as i32
        }
    };
    Coordinates::new(
        point.lat_e6 + micro(north, 111_320.0),
        point.lng_e6 + micro(east, 111_320.0 * lat.to_radians().cos()),
    )
}
