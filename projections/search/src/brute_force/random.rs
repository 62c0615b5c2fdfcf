//! Random listings and searches, the same ones on every machine.

use domain::inventory::Status;
use domain::inventory::property::{Guarantor, UnitType};
use domain::lease::StayBucket;
use domain::money::{Currency, Period};
use domain::place::Coordinates;
use domain::room::Configuration;

use super::DISTANCES_M;
use crate::chunk::Row;
use crate::geo::{MapBox, from_degrees};
use crate::query::{
    Area, Clause, Direction, From, Group, LeaseRange, MONTH, Order, PriceRange, Search, SortKey,
};
use crate::room_lease::RoomLease;
use crate::value::{Value, all_attributes};

const GUARANTORS: [Option<Guarantor>; 4] = [
    Some(Guarantor::Local),
    Some(Guarantor::International),
    Some(Guarantor::NotRequired),
    None,
];
const UNITS: [UnitType; 2] = [UnitType::IndependentHouse, UnitType::StudentAccommodation];
const CONFIGURATIONS: [Configuration; 3] = [
    Configuration::EnsuiteRoom,
    Configuration::StudioRoom,
    Configuration::SharedRoom,
];

/// September 2026, counted from the year 0.
const FIRST_MONTH: u16 = 24_320;

const CITIES: [(f64, f64); 5] = [
    (51.507, -0.128),
    (53.481, -2.242),
    (40.713, -74.006),
    (-17.5, 179.98),
    (48.857, 2.352),
];

/// splitmix64: the same numbers everywhere.
pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).unwrap()
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(u32::try_from(all.len()).unwrap()) as usize]
    }

    pub(super) fn place(&mut self) -> Coordinates {
        let (lat, lng) = self.pick(&CITIES);
        // Few enough steps that some listings share a place and tie by distance.
        let off = |random: &mut Self| (f64::from(random.below(40)) - 20.0) * 0.004;
        let lng = lng + off(self);
        from_degrees(lat + off(self), if lng > 180.0 { lng - 360.0 } else { lng }).unwrap()
    }
}

pub(super) fn row(random: &mut Random, number: u32, features: &[Value]) -> Row {
    let monthly = random.chance(30);
    let mut values = vec![
        Value::unit_type(random.pick(&UNITS)),
        Value::guarantor(random.pick(&GUARANTORS)),
        if random.chance(80) {
            Value::AVAILABLE
        } else {
            Value::UNAVAILABLE
        },
        Value::status(if random.chance(92) {
            Status::Active
        } else {
            Status::Inactive
        }),
    ];
    let leases = if random.chance(3) { 0 } else { 1 + random.below(6) };
    let leases = (0..leases).map(|_| lease(random)).collect();
    values.extend(monthly.then_some(Value::MONTHLY));
    let mut named: Vec<Value> = features.iter().copied().filter(|_| random.chance(40)).collect();
    named.sort_unstable();
    Row {
        id: u128::from(random.next()) << 64 | u128::from(number),
        number,
        place: random.place(),
        leases,
        worth: random.pick(&Currency::ALL).worth(),
        relevance: random.below(50),
        created: random.below(90),
        fixed: values
            .iter()
            .fold(0, |bits, value| bits | 1_u128 << value.fixed().unwrap()),
        named,
    }
}

/// A room with its lease: its type, its months and its price have nothing to do with those of the others.
fn lease(random: &mut Random) -> RoomLease {
    let length = u16::try_from(random.below(900)).unwrap();
    let stays = StayBucket::ALL
        .into_iter()
        .take(3)
        .filter(|bucket| LeaseRange::whole(bucket.from, Some(bucket.to), MONTH).overlaps(length, length));
    let mut values: Vec<Value> = stays.map(Value::stay).collect();
    values.extend([
        Value::room(random.pick(&all_attributes().collect::<Vec<_>>())),
        Value::configuration(random.pick(&CONFIGURATIONS)),
        Value::bedrooms(u8::try_from(random.below(6)).unwrap()),
        if random.chance(15) {
            Value::DUAL_OCCUPANCY
        } else {
            Value::SINGLE_OCCUPANCY
        },
    ]);
    let month = FIRST_MONTH + u16::try_from(random.below(24)).unwrap();
    RoomLease::new(values, (10 + random.below(60)) * 1_000, length, month)
}

fn clause(random: &mut Random, features: &[Value]) -> Clause {
    match random.below(10) {
        0 => Clause::any(
            Group::RoomType,
            vec![
                Value::configuration(Configuration::StudioRoom),
                Value::configuration(Configuration::SharedRoom),
            ],
        ),
        1 => Clause::any(Group::MoveIn, vec![Value::move_in(1 + random.below(12))]),
        2 => Clause::any(Group::Availability, vec![Value::AVAILABLE]),
        3 => Clause::any(Group::Guarantor, vec![Value::guarantor(random.pick(&GUARANTORS))]),
        4 => Clause::any(Group::Accommodation, vec![Value::unit_type(random.pick(&UNITS))]),
        5 => Clause::any(Group::Stay, vec![Value::stay(random.pick(&StayBucket::ALL))]),
        7 => Clause::any(
            Group::MoveIn,
            vec![Value::dated_move_in(
                FIRST_MONTH + u16::try_from(random.below(24)).unwrap(),
            )],
        ),
        8 => Clause::any(
            Group::DualOccupancy,
            vec![random.pick(&[Value::DUAL_OCCUPANCY, Value::SINGLE_OCCUPANCY])],
        ),
        6 => Clause::any(
            Group::Features,
            vec![random.pick(features), random.pick(features)],
        ),
        _ => Clause::all(
            Group::Features,
            vec![random.pick(features), random.pick(features)],
        ),
    }
}

pub(super) fn query(random: &mut Random, features: &[Value]) -> Search {
    let center = random.place();
    let area = match random.below(10) {
        0 => Area::Everywhere,
        1 | 2 => Area::Box(MapBox::between(center, random.place())),
        3 | 4 => Area::Circle {
            center,
            radius_m: random.pick(&DISTANCES_M),
            widest_m: 20_000.0,
        },
        _ => Area::circle(center, 20_000.0),
    };
    let mut clauses: Vec<Clause> = (0..random.below(4)).map(|_| clause(random, features)).collect();
    clauses.push(Clause::any(None, vec![Value::status(Status::Active)]));
    let price = random.chance(30).then(|| {
        let low = u64::from(random.below(30)) * 1_000;
        let high = low + u64::from(random.below(30)) * 1_000;
        PriceRange {
            low,
            high,
            period: random.pick(&[None, Some(Period::Weekly), Some(Period::Monthly)]),
        }
    });
    let lease = random.chance(20).then(|| {
        let from = u16::try_from(random.below(12)).unwrap();
        LeaseRange::whole(from, random.chance(70).then_some(from + 3), MONTH)
    });
    let key = random.pick(&[
        SortKey::Relevance,
        SortKey::Distance,
        SortKey::AvailablePrice,
        SortKey::Created,
    ]);
    let direction = random.pick(&[Direction::Ascending, Direction::Descending]);
    Search {
        area,
        origin: random.chance(20).then(|| random.place()),
        clauses,
        price,
        lease,
        name: random
            .chance(10)
            .then(|| random.pick(&["cour", "mill", "tower lo", "hous"]).to_owned()),
        order: Order { key, direction },
        from: From::Offset(random.below(4) as usize * 10),
        nearness: random.chance(30),
        home: random.chance(20).then(|| random.pick(features)),
        limit: 10,
    }
}
