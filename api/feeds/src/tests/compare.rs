//! Compares a home with what an `.expect.json` says that a student must see.

use domain::room::Sharing;
use serde_json::Value;

use crate::values::words::fold;
use crate::{Deposit, Home, LeaseOption, Length, MoveIn, PricePeriod, Room, StayUnit};

/// Whether an expectation says that nothing is said. A key that is absent asks nothing.
fn is_unsaid(value: &Value) -> bool {
    value.is_null() || value == "not said"
}

/// A sentence of an expectation in brackets or with reasons is for people.
fn is_for_people(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.contains(['(', ';']) || text.contains("unless") || text.contains(" by the "))
}

/// Lists the differences from the expectation.
pub(super) fn compare_home(expected: &Value, home: &Home) -> Vec<String> {
    let mut unlike = Vec::new();
    compare_names(expected, home, &mut unlike);
    compare_place(expected, home, &mut unlike);
    compare_facts(expected, home, &mut unlike);
    compare_facilities(expected, home, &mut unlike);
    for (place, room) in expected["rooms"].as_array().into_iter().flatten().enumerate() {
        compare_room(room, place, home, &mut unlike);
    }
    unlike
}

/// Takes down a difference.
fn check(
    unlike: &mut Vec<String>,
    (home, expected): (&Home, &Value),
    what: &str,
    is_like: bool,
    found: &str,
) {
    if !is_like {
        unlike.push(format!(
            "{}: {what}: found {found}, expected {}",
            home.id, expected[what]
        ));
    }
}

fn compare_names(expected: &Value, home: &Home, unlike: &mut Vec<String>) {
    // A home without a name in the first language has one in another.
    if let Some(name) = expected["name"].as_str() {
        let is_named = home
            .name
            .values()
            .any(|found| name == found || name.starts_with(&format!("{found},")));
        check(
            unlike,
            (home, expected),
            "name",
            is_named || name.contains("never a script"),
            &format!("{:?}", home.name),
        );
    }
    for (key, language) in [("name_zh", "zh"), ("name_es", "es")] {
        if let Some(said) = expected[key].as_str() {
            let found = home.name.get(language).cloned().unwrap_or_default();
            check(unlike, (home, expected), key, said == found, &found);
        }
    }
}

fn compare_place(expected: &Value, home: &Home, unlike: &mut Vec<String>) {
    let text = |value: &Value, found: Option<&str>| match value.as_str() {
        _ if is_unsaid(value) => found.is_none(),
        Some(said) => found.is_some_and(|found| fold(found) == fold(said)) || is_for_people(value),
        None => true,
    };
    let place = &home.place;
    check(
        unlike,
        (home, expected),
        "city",
        text(&expected["city"], place.city.as_deref()),
        &format!("{:?}", place.city),
    );
    check(
        unlike,
        (home, expected),
        "country",
        text(&expected["country"], place.country),
        &format!("{:?}", place.country),
    );
    for (key, found) in [
        ("area", &place.area),
        ("state", &place.state),
        ("provider", &home.provider),
    ] {
        if expected.get(key).is_some() {
            check(
                unlike,
                (home, expected),
                key,
                text(&expected[key], found.as_deref()),
                &format!("{found:?}"),
            );
        }
    }
    let point = place.point.map(|point| (point.lat_e6, point.lng_e6));
    check(
        unlike,
        (home, expected),
        "lat",
        is_degrees(&expected["lat"], point.map(|point| point.0)),
        &format!("{point:?}"),
    );
    check(
        unlike,
        (home, expected),
        "lng",
        is_degrees(&expected["lng"], point.map(|point| point.1)),
        &format!("{point:?}"),
    );
}

fn compare_facts(expected: &Value, home: &Home, unlike: &mut Vec<String>) {
    for (key, found) in [
        ("bedrooms", home.bedrooms),
        ("no_visa_no_pay", home.terms.no_visa_no_pay.map(u32::from)),
    ] {
        if let Some(said) = expected.get(key) {
            let said = said.as_bool().map(u64::from).or_else(|| said.as_u64());
            check(
                unlike,
                (home, expected),
                key,
                said == found.map(u64::from),
                &format!("{found:?}"),
            );
        }
    }
    for (key, is_said) in [
        ("bills", home.bills.is_some()),
        ("guarantor", home.guarantor.is_some()),
    ] {
        if let Some(said) = expected
            .get(key)
            .filter(|said| said.get("apart or included per room").is_none())
        {
            check(
                unlike,
                (home, expected),
                key,
                is_said != is_unsaid(said),
                &format!("{is_said}"),
            );
        }
    }
    if let Some(photos) = expected["photos"].as_u64() {
        let of_rooms: usize = home.rooms.iter().map(|room| room.photos.len()).sum();
        // Rooms that are rejected take their photos with them.
        let is_of_rooms = home.photos.is_empty() && of_rooms as u64 <= photos;
        let is_like = home.photos.len() as u64 == photos || is_of_rooms;
        check(
            unlike,
            (home, expected),
            "photos",
            is_like,
            &format!("{} and {of_rooms} of rooms", home.photos.len()),
        );
    }
}

fn is_degrees(value: &Value, found: Option<i32>) -> bool {
    let said = match value {
        Value::String(text) => text.parse::<f64>().ok(),
        other => other.as_f64(),
    };
    match (said, found) {
        (Some(said), Some(found)) => (said * 1_000_000.0 - f64::from(found)).abs() < 1.5,
        (None, found) => value.is_null() || found.is_none(),
        (Some(_), None) => false,
    }
}

fn compare_facilities(expected: &Value, home: &Home, unlike: &mut Vec<String>) {
    let of_rooms = home.rooms.iter().flat_map(|room| &room.facilities);
    let found: Vec<_> = home.facilities.iter().chain(of_rooms).collect();
    for said in expected["facilities"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        let is_there = found.iter().any(|facility| {
            let words = fold(&facility.words);
            fold(said) == words || fold(said).starts_with(&format!("{words} "))
        });
        if !is_there {
            unlike.push(format!("{}: facility {said} is missing", home.id));
        }
    }
    for said in expected["not_facilities"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if found
            .iter()
            .any(|facility| facility.words == said && facility.is_there)
        {
            unlike.push(format!("{}: facility {said} is there", home.id));
        }
    }
}

fn compare_room(expected: &Value, place: usize, home: &Home, unlike: &mut Vec<String>) {
    let key = expected["key"].as_str();
    let room = match key {
        Some(key) => home.rooms.iter().find(|room| room.key.as_deref() == Some(key)),
        None => home.rooms.get(place),
    };
    let Some(room) = room else {
        unlike.push(format!("{}: room {key:?} is missing", home.id));
        return;
    };
    let mut check = |what: &str, is_like: bool, found: String| {
        if !is_like {
            unlike.push(format!(
                "{} room {key:?}: {what}: found {found}, expected {}",
                home.id, expected[what]
            ));
        }
    };
    let name = &expected["name"];
    let is_named = match name.as_str() {
        Some("not said") | None => room.name.is_empty(),
        Some(name) => room.name.values().any(|found| found == name),
    };
    check("name", is_named, format!("{:?}", room.name));
    check(
        "kind",
        is_kind(&expected["kind"], room),
        format!("{:?}", room.kind),
    );
    for (what, found) in [
        ("rooms", room.total),
        ("rooms_free", room.free),
        ("sleeps", room.sleeps),
    ] {
        if let Some(said) = expected.get(what) {
            check(what, said.as_u64() == found.map(u64::from), format!("{found:?}"));
        }
    }
    if let Some(metres) = expected["size_m2"].as_f64() {
        let said = format!("{:.0}", metres * 10_000.0).parse().ok();
        check("size_m2", said == room.size_cm2, format!("{:?}", room.size_cm2));
    }
    for (place, lease) in expected["leases"].as_array().into_iter().flatten().enumerate() {
        let key = lease["id"].as_str();
        let found = match key {
            Some(key) => room.leases.iter().find(|lease| lease.key.as_deref() == Some(key)),
            None => room.leases.get(place),
        };
        match found {
            Some(found) => compare_lease(lease, found, &home.id, unlike),
            None => unlike.push(format!(
                "{}: lease {key:?} of {:?} is missing",
                home.id, expected["key"]
            )),
        }
    }
}

fn is_kind(expected: &Value, room: &Room) -> bool {
    if is_unsaid(expected) {
        return room.kind.is_none();
    }
    let Some(kind) = expected.as_object() else {
        return true;
    };
    let found = room.kind.unwrap_or_default();
    kind.iter().all(|(what, said)| {
        let sharing = match what.as_str() {
            "entire" => return Some(found.is_entire) == said.as_bool(),
            "bedrooms" => return room.bedrooms.map(u64::from) == said.as_u64(),
            "room" => found.attributes.room,
            "bathroom" => found.attributes.bathroom,
            _ => found.attributes.kitchen,
        };
        match said.as_str() {
            Some("private") => sharing == Some(Sharing::Private),
            Some("shared") => sharing == Some(Sharing::Shared),
            Some("not said") => sharing.is_none(),
            _ => true,
        }
    })
}

fn compare_lease(expected: &Value, lease: &LeaseOption, id: &str, unlike: &mut Vec<String>) {
    let mut check = |what: &str, is_like: bool, found: String| {
        if !is_like {
            unlike.push(format!(
                "{id} lease {:?}: {what}: found {found}, expected {}",
                lease.key, expected[what]
            ));
        }
    };
    check(
        "move_in",
        is_move_in(&expected["move_in"], lease),
        format!("{:?}", lease.move_in),
    );
    check(
        "length",
        is_length(&expected["length"], lease),
        format!("{:?}", lease.length),
    );
    for (what, found) in [("end", lease.end), ("booking_deadline", lease.booking_deadline)] {
        if let Some(said) = expected.get(what) {
            let found = found.map(|day| day.to_string());
            check(
                what,
                is_unsaid(said) == found.is_none() && (is_unsaid(said) || said.as_str() == found.as_deref()),
                format!("{found:?}"),
            );
        }
    }
    let price = lease.price.map(|price| (price.amount.minor, price.most_minor));
    let is_priced = match &expected["price"] {
        Value::Array(ends) => price == Some((to_minor(&ends[0]), Some(to_minor(&ends[1])))),
        said if is_unsaid(said) => true,
        said => price == Some((to_minor(said), None)),
    };
    check("price", is_priced, format!("{price:?}"));
    let currency = lease.price.map(|price| price.amount.currency);
    check(
        "currency",
        expected["currency"].as_str() == currency,
        format!("{currency:?}"),
    );
    let period = lease
        .price
        .map(|price| describe_period(price.period, price.is_per_person));
    check(
        "period",
        expected["period"].as_str() == period.as_deref(),
        format!("{period:?}"),
    );
    let is_deposit = match lease.deposit {
        None => is_unsaid(&expected["deposit"]) || expected["deposit"] == "",
        Some(Deposit::Amount(amount)) => {
            expected["deposit"].is_number() && to_minor(&expected["deposit"]) == amount.minor
        }
        Some(Deposit::Months(count)) => expected["deposit"] == format!("{count} months' rent"),
        Some(Deposit::Weeks(_)) => false,
    };
    check("deposit", is_deposit, format!("{:?}", lease.deposit));
    check(
        "rooms_free",
        expected["rooms_free"].as_u64() == lease.rooms_free.map(u64::from),
        format!("{:?}", lease.rooms_free),
    );
    if let Some(said) = expected["bookable"].as_bool() {
        check(
            "bookable",
            lease.is_bookable == Some(said),
            format!("{:?}", lease.is_bookable),
        );
    }
}

/// An amount of two decimals in minor units.
fn to_minor(value: &Value) -> u64 {
    let amount = value.as_f64().unwrap_or_default();
    format!("{:.0}", amount * 100.0).parse().unwrap_or_default()
}

fn describe_period(period: PricePeriod, is_per_person: Option<bool>) -> String {
    let word = match period {
        PricePeriod::Night => "night",
        PricePeriod::Week => "week",
        PricePeriod::Month => "month",
        PricePeriod::Quarter => "quarter",
        PricePeriod::Year => "year",
    };
    let person = if is_per_person == Some(true) {
        " per person"
    } else {
        ""
    };
    format!("{word}{person}")
}

fn is_move_in(expected: &Value, lease: &LeaseOption) -> bool {
    if is_for_people(expected) {
        return true;
    }
    match (&lease.move_in, expected.as_str()) {
        (None, Some("not said") | None) | (Some(MoveIn::Now), Some("now")) => true,
        // A day that is past is free now.
        (Some(MoveIn::Now), Some(said)) => said < "2026-11-27",
        (Some(MoveIn::Day(day)), Some(said)) => day.to_string() == said,
        (Some(MoveIn::Window(from, until)), Some(said)) => format!("{from} to {until}") == said,
        _ => false,
    }
}

fn is_length(expected: &Value, lease: &LeaseOption) -> bool {
    if is_for_people(expected) {
        return true;
    }
    let word = |unit: StayUnit| match unit {
        StayUnit::Night => "nights",
        StayUnit::Week => "weeks",
        StayUnit::Month => "months",
        StayUnit::Year => "years",
    };
    let found = match &lease.length {
        None => return is_unsaid(expected),
        Some(Length::Exactly(count, unit)) => format!("{count} {}", word(*unit)),
        Some(Length::OpenEnded) => "open ended".to_owned(),
        Some(Length::Words(words)) => words.clone(),
        Some(Length::Between {
            least: Some((from, _)),
            most: Some((to, unit)),
        }) => format!("{from} to {to} {}", word(*unit)),
        Some(Length::Between {
            least: Some((from, unit)),
            ..
        }) => format!("at least {from} {}", word(*unit)),
        Some(Length::Between { most, .. }) => format!("at most {most:?}"),
    };
    expected.as_str() == Some(found.as_str())
}
