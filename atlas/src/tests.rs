//! Answers of the facts: cities of every spelling, universities by their letters, countries with their limits.

use std::collections::{BTreeSet, HashSet};

use domain::place::{Coordinates, is_canonical};
use domain::region::{RegionType, Subtype};

use super::*;
use crate::regions::{Above, describe_country, describe_place, region_id};

fn open(code: &str) -> CountryPlaces {
    atlas().open_country(atlas().find_country(code).unwrap())
}

/// The canonical name of the first place that a text finds.
fn first(text: &str, sought: Sought) -> String {
    let found = atlas().suggest(text, sought, |_| true, 1);
    found
        .first()
        .map(|found| found.place.canonical_name.clone())
        .unwrap_or_default()
}

#[test]
fn every_city_and_university_is_there_with_its_own_address() {
    let (mut cities, mut universities) = (0, 0);
    let mut addresses = HashSet::new();
    let mut ids = HashSet::new();
    for country in atlas().list_countries() {
        assert!(
            is_canonical(&country.canonical_name),
            "{}",
            country.canonical_name
        );
        assert!(
            addresses.insert(country.canonical_name.clone()),
            "{}",
            country.name
        );
        for place in atlas().open_country(country).all() {
            cities += usize::from(place.is_city());
            universities += usize::from(place.id.starts_with("ror:"));
            assert!(is_canonical(&place.canonical_name), "{}", place.canonical_name);
            assert!(
                addresses.insert(place.canonical_name.clone()),
                "{}",
                place.canonical_name
            );
            assert!(ids.insert(place.id.clone()), "{}", place.id);
            assert!(place.centre.on_earth(), "{}", place.id);
        }
    }
    assert_eq!((cities, universities), (32_847, 9_180));
}

#[test]
fn a_city_is_named_in_every_spelling() {
    for (country, text, canonical_name) in [
        ("GB", "Leeds", "leeds"),
        ("GB", "ＬＥＥＤＳ", "leeds"),
        ("GB", "Le\u{200B}eds", "leeds"),
        ("GB", "Leeds, UK", "leeds"),
        ("GB", "Leeds, West Yorkshire, England", ""),
        ("GB", "Leeds, England, United Kingdom", "leeds"),
        ("GB", "利兹", "leeds"),
        ("GB", "Oxford City", "oxford"),
        ("GB", "City of London", "london"),
        ("GB", "City of Bristol", "bristol"),
        ("US", "Oxford, Ohio", "oxford-ohio"),
        ("US", "Oxford, OH, USA", "oxford-ohio"),
        ("US", "New York City", "new-york"),
        ("DE", "München", "munich"),
        ("DE", "Munchen", "munich"),
        ("DE", "Muenchen", "munich"),
        ("DE", "Munich, Germany", "munich"),
        ("DE", "慕尼黑", "munich"),
        ("DE", "慕尼黑市", "munich"),
        ("DE", "Köln", "koeln"),
        ("DE", "Koeln", "koeln"),
        ("ES", "Barcelona, España", "barcelona"),
        ("ES", "A Coruna", "a-coruna"),
        ("ES", "Seville", "sevilla"),
        ("ES", "San Sebastián", "donostia-san-sebastian"),
        ("CN", "Shanghai", "shanghai"),
        ("GB", "Atlantis", ""),
        ("GB", "UK", ""),
        ("GB", "", ""),
    ] {
        let places = open(country);
        let found = places.find_city(text).map(|city| city.canonical_name.as_str());
        assert_eq!(found.unwrap_or_default(), canonical_name, "{country}: {text}");
    }
}

#[test]
fn universities_are_found_by_their_letters_and_names() {
    for (text, canonical_name) in [
        ("UNSW", "unsw-sydney"),
        ("University of New South Wales", "unsw-sydney"),
        ("UCL", "university-college-london"),
        ("伦敦大学学院", "university-college-london"),
        ("NYU", "new-york-university"),
        ("Universidad de Nueva York", "new-york-university"),
        ("university of lee", "university-of-leeds"),
    ] {
        assert_eq!(first(text, Sought::Universities), canonical_name, "{text}");
    }
}

#[test]
fn a_whole_name_is_found_before_larger_places() {
    for (text, canonical_name) in [
        ("oxford", "oxford"),
        ("Leeds", "leeds"),
        ("leed", "leeds"),
        ("york", "york"),
        ("münchen", "munich"),
        ("慕尼黑", "munich"),
        ("LS6", "leeds"),
        ("oxford ohio", "oxford-ohio"),
        ("sevil", "sevilla"),
    ] {
        assert_eq!(first(text, Sought::Cities), canonical_name, "{text}");
    }
    let british = atlas().suggest("oxford", Sought::Cities, |code| code == "GB", 5);
    assert_eq!(british.len(), 1);
    assert!(british[0].is_whole);
    let american = atlas().find_named("Oxford", Sought::Cities, |code| code == "US", 5);
    let states = american
        .iter()
        .map(|found| found.state.as_ref().unwrap().name.as_str());
    assert_eq!(states.collect::<Vec<_>>(), ["Mississippi", "Ohio", "Alabama"]);
    assert!(
        atlas()
            .find_named("oxfor", Sought::Cities, |_| true, 5)
            .is_empty()
    );
    assert!(
        atlas()
            .suggest(" \u{200B}", Sought::Cities, |_| true, 5)
            .is_empty()
    );
}

/// A place that is read alone is the one that is read with all of its country, and so is its city.
#[test]
fn single_records_are_those_of_the_whole_country() {
    let britain = open("GB");
    for place in britain.all().step_by(50) {
        let found = atlas().find_by_canonical_name(&place.canonical_name).unwrap();
        assert_eq!(&found.place, place);
        let city = place.city.as_deref().and_then(|id| britain.place(id));
        assert_eq!(found.city.as_ref(), city, "{}", place.canonical_name);
        assert_eq!(found.state.as_ref(), britain.find_state(place));
    }
}

#[test]
fn canonical_names_lead_to_their_places() {
    for (canonical_name, id) in [
        ("oxford", "geonames:2640729"),
        ("oxford-ohio", "geonames:4520760"),
        ("leeds", "geonames:2644688"),
        ("munich", "geonames:2867714"),
        ("england", "state:GB-ENG"),
    ] {
        let found = atlas().find_by_canonical_name(canonical_name);
        assert_eq!(found.map(|found| found.place.id).as_deref(), Some(id));
    }
    assert!(atlas().find_by_canonical_name("Oxford").is_none());
    assert!(atlas().find_by_canonical_name("no-such-place").is_none());
    let oxford = open("GB");
    let oxford = oxford.place("geonames:2640729").unwrap();
    assert_eq!(oxford.centre, Coordinates::new(51_752_220, -1_255_960));
}

/// Every row of the files of names leads to a place of that kind, in whichever language it is; the demo's own residences apart.
#[test]
fn every_name_of_the_name_files_is_known_of_its_place() {
    #[derive(Debug, PartialEq, Eq, Hash)]
    struct Known(String, String);
    let mut known = HashSet::new();
    let mut addresses = HashSet::new();
    for country in atlas().list_countries() {
        addresses.insert(country.canonical_name.clone());
        let names = country.names.iter().map(|name| name.text.clone());
        for name in names.chain([country.name.clone()]) {
            known.insert(Known(country.canonical_name.clone(), name));
        }
        for place in atlas().open_country(country).all() {
            addresses.insert(place.canonical_name.clone());
            let names = place.names.iter().map(|name| name.text.clone());
            for name in names.chain([place.name.clone()]) {
                known.insert(Known(place.canonical_name.clone(), name));
            }
        }
    }
    let files = [
        include_str!("../facts/place-names.csv"),
        include_str!("../facts/other-names.csv"),
    ];
    let mut readers = files.map(|file| csv::Reader::from_reader(file.as_bytes()));
    let mut lost = BTreeSet::new();
    let mut homeless = BTreeSet::new();
    for row in readers.iter_mut().flat_map(csv::Reader::records) {
        let row = row.unwrap();
        let canonical_name = row[0].to_owned();
        if !addresses.contains(&canonical_name) {
            homeless.insert(canonical_name);
        } else if !known.contains(&Known(canonical_name, row[3].to_owned())) {
            lost.insert(format!("{}: {}", &row[0], &row[3]));
        }
    }
    assert_eq!(lost, BTreeSet::new());
    let residences = [
        "connaught-hall-london",
        "trinity-hall-dublin",
        "warren-towers-boston",
        "wesley-college-sydney",
    ];
    assert_eq!(homeless, BTreeSet::from(residences.map(str::to_owned)));
}

/// The keys that the script wrote are those that this crate makes of a name.
#[test]
fn names_are_found_by_the_keys_of_the_pack() {
    const EVERY: usize = 40;
    for code in ["GB", "DE", "VN", "TR", "CN"] {
        let places = open(code);
        for (sought, place) in places.all().step_by(EVERY).filter_map(|place| {
            let university = place.is_university().then_some(Sought::Universities);
            let sought = place.is_city().then_some(Sought::Cities).or(university);
            Some((sought?, place))
        }) {
            let found = atlas().suggest(&place.name, sought, |country| country == code, 20);
            let is_there = found
                .iter()
                .any(|found| found.is_whole && found.place.id == place.id);
            assert!(is_there, "{code}: {}", place.name);
        }
    }
}

#[test]
fn a_city_has_its_areas_universities_and_state() {
    let britain = open("GB");
    let leeds = britain.find_city("Leeds").unwrap();
    let names = |places: Vec<&Place>| -> BTreeSet<String> {
        places
            .into_iter()
            .map(|place| place.canonical_name.clone())
            .collect()
    };
    let universities = names(britain.list_universities(&leeds.id));
    for university in ["university-of-leeds", "leeds-beckett-university"] {
        assert!(universities.contains(university), "{universities:?}");
    }
    assert!(names(britain.list_areas(&leeds.id)).contains("headingley-leeds"));
    assert_eq!(
        britain
            .find_state(leeds)
            .map(|state| state.canonical_name.as_str()),
        Some("england")
    );
    let campus = britain
        .all()
        .find(|place| place.canonical_name == "university-of-leeds");
    assert_ne!(campus.unwrap().centre, leeds.centre);
}

#[test]
fn countries_know_currency_phone_code_zone_and_limits() {
    for (code, currency, dial_code, zone, inside, outside) in [
        ("GB", "GBP", "44", "Europe/London", (53.8, -1.5), (48.85, 2.35)),
        ("uk", "GBP", "44", "Europe/London", (60.15, -1.15), (53.8, -9.0)),
        (
            "Deutschland",
            "EUR",
            "49",
            "Europe/Berlin",
            (48.1, 11.6),
            (48.85, 2.35),
        ),
        (
            "NZ",
            "NZD",
            "64",
            "Pacific/Auckland",
            (-36.85, 174.76),
            (-33.87, 151.2),
        ),
        (
            "FJ",
            "FJD",
            "679",
            "Pacific/Fiji",
            (-16.8, -179.95),
            (-18.1, -170.0),
        ),
        ("TR", "TRY", "90", "Europe/Istanbul", (41.0, 29.0), (37.98, 23.7)),
        (
            "VN",
            "VND",
            "84",
            "Asia/Ho_Chi_Minh",
            (10.8, 106.7),
            (13.75, 100.5),
        ),
    ] {
        let country = atlas().find_country(code).unwrap();
        assert_eq!(country.currency, currency, "{code}");
        assert_eq!(country.dial_code, dial_code, "{code}");
        assert_eq!(country.time_zones[0], zone, "{code}");
        assert!(country.can_hold(at(inside)), "{code}: {inside:?}");
        assert!(!country.can_hold(at(outside)), "{code}: {outside:?}");
    }
    // Those of ISO 3166 and Kosovo.
    assert_eq!(atlas().list_countries().len(), 250);
    assert!(atlas().find_country("Atlantis").is_none());
}

#[expect(clippy::cast_possible_truncation, reason = "degrees of a sample")]
fn at((lat, lng): (f64, f64)) -> Coordinates {
    Coordinates::new((lat * 1e6) as i32, (lng * 1e6) as i32)
}

#[test]
fn no_city_lies_outside_its_country() {
    for country in atlas().list_countries() {
        let places = atlas().open_country(country);
        for city in places.cities() {
            assert!(places.country.can_hold(city.centre), "{}", city.id);
        }
    }
}

#[test]
fn the_nearest_cities_are_found_across_borders() {
    let near = |point: (f64, f64)| -> Vec<String> {
        let found = atlas().find_cities_near(at(point), 60_000.0, 500);
        found.into_iter().map(|(city, _)| city.canonical_name).collect()
    };
    let of_oxford = near((51.752_22, -1.255_96));
    assert_eq!(of_oxford[0], "oxford");
    assert!(of_oxford.contains(&"reading".to_owned()), "{of_oxford:?}");
    let of_basel = near((47.5584, 7.5733));
    let countries: BTreeSet<String> = of_basel
        .iter()
        .filter_map(|name| atlas().find_by_canonical_name(name))
        .map(|found| found.place.country)
        .collect();
    assert_eq!(countries, BTreeSet::from(["CH", "DE", "FR"].map(str::to_owned)));
}

#[test]
fn a_place_becomes_a_region_with_its_names() {
    let germany = open("DE");
    let munich = germany.find_city("Munich").unwrap();
    let above = Above {
        country: domain::country::Country::Germany,
        parent: Some(region_id("state:DE-02")),
        city: None,
        time_zone: "Europe/Berlin",
    };
    let region = describe_place(munich, &above);
    assert_eq!(region.region_type, RegionType::Locality);
    assert_eq!(region.time_zone, "Europe/Berlin");
    let names = region.local_name.unwrap();
    assert_eq!(names.in_language("de"), "München");
    assert_eq!(names.in_language("es"), "Múnich");
    assert_eq!(names.in_language("zh"), "慕尼黑");
    assert_eq!(names.in_language("fr"), "Munich");
    for alias in ["Muenchen", "80331", "뮌헨"] {
        assert!(region.aliases.contains(&alias.to_owned()), "{:?}", region.aliases);
    }
    let universities = germany.list_universities(&munich.id).into_iter();
    let mut in_town = universities.filter(|place| place.centre == munich.centre);
    let university = in_town.next().unwrap();
    let region = describe_place(
        university,
        &Above {
            city: Some(munich),
            ..above
        },
    );
    assert_eq!(region.subtype, Some(Subtype::University));
    assert_eq!(region.locality.as_deref(), Some("Munich"));
    assert!(
        region.is_without_campus,
        "{}: its point is that of the city",
        region.name
    );
    let country = describe_country(&germany.country, domain::country::Country::Germany, munich.centre);
    assert_eq!(country.canonical_name, "germany");
    assert_eq!(country.local_name.unwrap().in_language("de"), "Deutschland");
    assert_ne!(region_id(&munich.id), region_id(&university.id));
}
