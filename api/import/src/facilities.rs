//! Facilities and bills of a feed by the house's own keys (docs/import.md); other words stay the feed's.

use domain::inventory::property::{Feature, FeatureGroup};
use domain::place::slug;
use feeds::{BillState, Facility, Home, LeaseBills};

use FeatureGroup::{Bills, Community, Property, Room, Security};

/// Group, key and the words by which a facility is known, as [`slug`] writes them. A word stands here only where it says no less than
/// the text of its key: a washing machine is no laundry room.
#[rustfmt::skip]
const FACILITIES: &[(FeatureGroup, &str, &[&str])] = &[
    (Property, "laundry", &["laundry", "laundry-room", "on-site-laundry", "launderette", "communal-laundry", "waschkueche", "lavanderia", "buanderie"]),
    (Property, "gym", &["gym", "fitness-room", "fitness-centre", "fitness-center", "fitnessraum", "gimnasio", "palestra", "salle-de-sport"]),
    (Property, "bicycle_store", &["bicycle-store", "bike-store", "bike-storage", "bicycle-storage", "cycle-storage", "fahrradkeller", "fahrradraum"]),
    (Property, "lift", &["lift", "elevator", "aufzug", "fahrstuhl", "ascensor", "ascenseur", "ascensore"]),
    (Property, "parking", &["parking", "car-park", "free-parking", "parkplatz", "aparcamiento", "parcheggio"]),
    (Property, "step_free", &["step-free", "step-free-access", "wheelchair-accessible", "barrierefrei"]),
    (Property, "parcel_lockers", &["parcel-lockers", "parcel-locker"]),
    (Room, "desk", &["desk", "desk-and-chair", "study-desk", "schreibtisch", "escritorio", "bureau", "scrivania"]),
    (Room, "heating", &["central-heating", "zentralheizung", "calefaccion-central", "chauffage-central"]),
    (Room, "air_conditioning", &["air-conditioning", "air-conditioner", "aircon", "ac", "klimaanlage", "aire-acondicionado", "climatisation", "aria-condizionata"]),
    (Room, "smart_tv", &["smart-tv"]),
    (Room, "furnished", &["furnished", "fully-furnished", "is-furnished", "bedroom-furnished", "moebliert", "voll-moebliert", "amueblado", "meuble", "arredato"]),
    (Room, "dishwasher", &["dishwasher", "geschirrspueler", "spuelmaschine", "lavavajillas", "lave-vaisselle", "lavastoviglie"]),
    (Community, "study_room", &["study-room", "study-space", "study-area", "lernraum"]),
    (Community, "lounge", &["lounge", "common-room", "communal-lounge", "gemeinschaftsraum"]),
    (Community, "cinema_room", &["cinema-room", "cinema"]),
    (Community, "games_room", &["games-room", "game-room"]),
    (Community, "courtyard", &["courtyard", "courtyard-garden"]),
    (Community, "roof_terrace", &["roof-terrace", "rooftop-terrace", "dachterrasse"]),
    (Community, "events", &["residents-events", "resident-events", "social-events"]),
    (Community, "pets_allowed", &["pets-allowed", "pet-friendly", "haustiere-erlaubt"]),
    (Security, "front_desk", &["front-desk", "reception"]),
    (Security, "cctv", &["cctv", "security-cameras"]),
    (Security, "secure_entry", &["secure-entry", "secure-door-entry", "key-fob-entry"]),
    (Security, "night_staff", &["night-staff", "24-hour-staff", "24-7-staff"]),
];

/// The bills that have a key of their own where the rent includes them.
const BILLS: &[(&str, &[&str])] = &[
    ("wifi", &["wifi", "wi-fi", "internet", "broadband", "wlan"]),
    (
        "water",
        &["water", "water-bill", "wasser", "agua", "eau", "acqua"],
    ),
    ("contents_insurance", &["contents-insurance", "contents"]),
];

/// The facilities of a home by their keys, and the words that have none.
pub(crate) fn read_facilities(home: &Home) -> (Vec<Feature>, Vec<String>) {
    let (mut features, mut words) = (Vec::new(), Vec::new());
    let mut of_rooms = home.rooms.iter().map(|room| &room.facilities);
    // A facility of every room is one of the home.
    let shared = of_rooms.next().into_iter().flatten().filter(|facility| {
        let mut others = home.rooms.iter().skip(1);
        others.all(|room| room.facilities.contains(facility))
    });
    for facility in home
        .facilities
        .iter()
        .chain(shared)
        .filter(|facility| facility.is_there)
    {
        match find_feature(facility) {
            Some(feature) if features.contains(&feature) => {}
            Some(feature) => features.push(feature),
            None if words.contains(&facility.words) => {}
            None => words.push(facility.words.clone()),
        }
    }
    (features, words)
}

fn find_feature(facility: &Facility) -> Option<Feature> {
    let word = slug(&facility.words.replace('_', " "));
    let found = FACILITIES
        .iter()
        .find(|(_, _, words)| words.contains(&word.as_str()));
    found.map(|(group, key, _)| Feature {
        group: *group,
        key: (*key).to_owned(),
    })
}

/// Whether the rent includes all bills, and those that it includes by their keys.
pub(crate) fn read_bills(home: &Home) -> (Option<bool>, Vec<Feature>) {
    let (all, items) = match &home.bills {
        Some(bills) => (bills.all, &bills.items[..]),
        None => (None, &[][..]),
    };
    let leases = || home.rooms.iter().flat_map(|room| &room.leases);
    let is_paid = |bills: &LeaseBills| matches!(bills, LeaseBills::Monthly(amount) if amount.minor > 0);
    let is_apart = all == Some(BillState::Apart)
        || items.iter().any(|bill| bill.state == BillState::Apart)
        || leases().any(|lease| lease.bills.as_ref().is_some_and(is_paid));
    let is_all = all == Some(BillState::Included)
        || (leases().next().is_some() && leases().all(|lease| lease.bills == Some(LeaseBills::Included)));
    let feature = |key: &str| Feature {
        group: Bills,
        key: key.to_owned(),
    };
    let mut features: Vec<Feature> = Vec::new();
    if is_all && !is_apart {
        features.push(feature("all_bills"));
    }
    let included = items.iter().filter(|bill| bill.state == BillState::Included);
    for bill in included {
        let word = slug(&bill.words.replace('_', " "));
        let found = BILLS.iter().find(|(_, words)| words.contains(&word.as_str()));
        let found = found.map(|(key, _)| feature(key));
        features.extend(found.filter(|found| !features.contains(found)));
    }
    let is_included = match (is_apart, is_all) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    };
    (is_included, features)
}

#[cfg(test)]
mod tests {
    use feeds::{Bill, Bills as Said, Room};

    use super::*;

    fn facility(words: &str, is_there: bool) -> Facility {
        Facility {
            words: words.to_owned(),
            is_there,
        }
    }

    fn keys(features: &[Feature]) -> Vec<&str> {
        features.iter().map(|feature| feature.key.as_str()).collect()
    }

    #[test]
    fn every_word_of_a_key_is_written_as_it_is_compared() {
        let facilities = FACILITIES.iter().flat_map(|(_, _, words)| *words);
        for word in facilities.chain(BILLS.iter().flat_map(|(_, words)| *words)) {
            assert_eq!(slug(word), *word);
        }
    }

    #[test]
    fn facilities_have_a_key_or_keep_their_words() {
        let room = |words: &[&str]| Room {
            facilities: words.iter().map(|words| facility(words, true)).collect(),
            ..Room::default()
        };
        let home = Home {
            facilities: vec![
                facility("Gym", true),
                facility("LCD TV", true),
                facility("Lift", false),
                facility("gym", true),
                facility("roof_terrace", true),
            ],
            rooms: vec![room(&["Schreibtisch", "Mini bar"]), room(&["Schreibtisch"])],
            ..Home::default()
        };
        let (features, words) = read_facilities(&home);
        assert_eq!(keys(&features), ["gym", "roof_terrace", "desk"]);
        assert_eq!(words, ["LCD TV"]);
    }

    #[test]
    fn bills_are_included_apart_or_not_said() {
        let bills = |all, items: &[(&str, BillState)]| {
            let items = items.iter().map(|(words, state)| Bill {
                words: (*words).to_owned(),
                state: *state,
                amount_minor: None,
            });
            let said = Said {
                all,
                items: items.collect(),
            };
            let home = Home {
                bills: Some(said),
                ..Home::default()
            };
            let (is_included, features) = read_bills(&home);
            (is_included, keys(&features).join(" "))
        };
        let (included, apart) = (BillState::Included, BillState::Apart);
        assert_eq!(bills(Some(included), &[]), (Some(true), "all_bills".to_owned()));
        assert_eq!(bills(Some(apart), &[]), (Some(false), String::new()));
        let some = [("water", included), ("broadband", included), ("gas", apart)];
        assert_eq!(bills(None, &some), (Some(false), "water wifi".to_owned()));
        assert_eq!(
            bills(None, &some[..1]),
            (None, "water".to_owned()),
            "others are not said"
        );
        assert_eq!(read_bills(&Home::default()), (None, vec![]));
    }
}
