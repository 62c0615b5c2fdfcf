//! How fast the search index answers, by class of search: `cargo run --release -p search-index --example search_speed -- 100000`.
//! Figures are printed, never judged: they depend on the machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

use domain::inventory::Status;
use domain::place::Coordinates;
use domain::room::Configuration;
use search_index::facets::{BudgetScale, Scales};
use search_index::geo::MapBox;
use search_index::query::{Area, Clause, Direction, Group, Order, PriceRange, Search, SortKey};
use search_index::snapshot::{Change, Index, Snapshot};
use search_index::value::{Kind, Value};
use search_index::{RoomLease, Row};

const CITIES: [(i32, i32); 8] = [
    (51_507_000, -128_000),
    (53_481_000, -2_242_000),
    (40_713_000, -74_006_000),
    (43_653_000, -79_383_000),
    (40_417_000, -3_704_000),
    (53_350_000, -6_260_000),
    (-33_869_000, 151_209_000),
    (52_486_000, -1_890_000),
];
const FEATURES: usize = 80;
const ROUND: Duration = Duration::from_millis(700);

/// splitmix64: the same listings and searches everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).unwrap_or(0)
    }

    fn place(&mut self) -> Coordinates {
        let (lat, lng) = CITIES[self.below(8) as usize];
        let mut off = || i32::try_from(self.below(120_000) + self.below(120_000)).unwrap_or(0) - 120_000;
        Coordinates::new(lat + off(), lng + off())
    }
}

fn row(random: &mut Random, number: u32, features: &[Value]) -> Row {
    let configurations = [
        Configuration::EnsuiteRoom,
        Configuration::StudioRoom,
        Configuration::SharedRoom,
        Configuration::PrivateRoom,
    ];
    let price_min = 8_000 + random.below(40_000);
    let price_max = price_min + random.below(20_000);
    // Three rooms with three leases each, their prices spread between the cheapest and the dearest.
    let rooms = [0, 1, 2].map(|_| configurations[random.below(4) as usize]);
    let leases = (0_u16..9)
        .map(|place| {
            let price = price_min + (price_max - price_min) * u32::from(place) / 8;
            let values = [
                Value::configuration(rooms[usize::from(place / 3)]),
                Value::SINGLE_OCCUPANCY,
            ];
            let month = 24_320 + u16::try_from(random.below(12)).unwrap_or(0);
            RoomLease::new(values, price, 240 + 46 * (place % 3), month)
        })
        .collect();
    let values = [
        Value::status(if random.below(100) < 92 {
            Status::Active
        } else {
            Status::Inactive
        }),
        if random.below(100) < 80 {
            Value::AVAILABLE
        } else {
            Value::UNAVAILABLE
        },
    ];
    let mut named: Vec<Value> = features
        .iter()
        .copied()
        .filter(|_| random.below(4) == 0)
        .collect();
    named.sort_unstable();
    Row {
        id: u128::from(number),
        number,
        place: random.place(),
        leases,
        worth: 10_000_000,
        relevance: random.below(5_000_000),
        created: random.below(1_800_000_000),
        fixed: values.iter().fold(0, |bits, value| bits | value.bit()),
        named,
    }
}

fn searches(random: &mut Random, class: &str, features: &[Value]) -> Vec<Search> {
    let search = |random: &mut Random| {
        let center = random.place();
        let mut search = Search {
            area: Area::circle(center, 20_000.0),
            clauses: vec![Clause::any(None, vec![Value::status(Status::Active)])],
            limit: 10,
            ..Search::default()
        };
        let ordered = |key, direction| Order { key, direction };
        match class {
            "distance" => search.order = ordered(SortKey::Distance, Direction::Ascending),
            "price" => search.order = ordered(SortKey::AvailablePrice, Direction::Ascending),
            "created" => search.order = ordered(SortKey::Created, Direction::Descending),
            "box" => search.area = Area::Box(MapBox::between(center, random.place())),
            _ => {}
        }
        if class != "plain" {
            search
                .clauses
                .push(Clause::any(Group::Availability, vec![Value::AVAILABLE]));
            search.clauses.push(Clause::all(
                Group::Features,
                vec![features[random.below(20) as usize]],
            ));
            let low = u64::from(random.below(20_000));
            search.price = Some(PriceRange {
                low,
                high: low + 15_000,
                period: None,
            });
            if class == "rooms" {
                let studio = Value::configuration(Configuration::StudioRoom);
                search.clauses.push(Clause::any(Group::RoomType, vec![studio]));
                search
                    .clauses
                    .push(Clause::any(Group::MoveIn, vec![Value::move_in(9)]));
            }
        }
        search
    };
    (0..400).map(|_| search(random)).collect()
}

/// Median and 99th percentile in microseconds.
fn measure(mut once: impl FnMut(usize)) -> (f64, f64) {
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < ROUND {
        let started = Instant::now();
        once(times.len());
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6;
    (at(50), at(99))
}

fn report(name: &str, snapshot: &Snapshot, searches: &[Search], scales: Option<&Scales>) {
    let (p50, p99) = measure(|turn| {
        let search = &searches[turn % searches.len()];
        match scales {
            Some(scales) => drop(black_box(snapshot.search_with_facets(search, scales, None))),
            None => drop(black_box(snapshot.search(search, None))),
        }
    });
    println!("{name:<10} p50 {p50:>8.1} us   p99 {p99:>8.1} us");
}

fn main() {
    let count = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(100_000);
    let mut random = Random(42);
    let index = Index::default();
    let features: Vec<Value> = (0..FEATURES)
        .map(|number| index.intern(Kind::Feature, &format!("feature_{number}")))
        .collect();
    let rows: Vec<Row> = (0..count)
        .map(|number| row(&mut random, number, &features))
        .collect();
    let started = Instant::now();
    index.apply(rows.iter().cloned().map(Change::Put).collect());
    println!(
        "{count} listings indexed in {:.3} s",
        started.elapsed().as_secs_f64()
    );
    let snapshot = index.snapshot();
    for class in [
        "plain", "filtered", "rooms", "distance", "price", "created", "box",
    ] {
        report(class, &snapshot, &searches(&mut random, class, &features), None);
    }
    let budget = BudgetScale {
        step: 5_000,
        steps: 20,
        period: domain::money::Period::Weekly,
    };
    let scales = Scales {
        budget: Some(budget),
        distances_m: vec![1_609.0, 3_218.0, 8_046.0],
    };
    report(
        "facets",
        &snapshot,
        &searches(&mut random, "filtered", &features),
        Some(&scales),
    );
    let (p50, p99) = measure(|turn| {
        let old = &rows[turn % rows.len()];
        index.apply(vec![Change::Put(Row {
            relevance: old.relevance ^ 1,
            ..old.clone()
        })]);
    });
    println!("publish    p50 {p50:>8.1} us   p99 {p99:>8.1} us");
}
