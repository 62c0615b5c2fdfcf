//! The index against an oracle that looks at every row: totals, order and facets of random searches must be equal, when
//! freshly built and after random updates (S14).

mod random;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::inventory::property::{Guarantor, UnitType};
use domain::lease::StayBucket;
use domain::money::Period;
use domain::place::Coordinates;
use domain::room::Configuration;

use self::random::{Random, query, row};
use super::chunk::{NO_PRICE, Row, yearly_worth};
use super::facets::{BudgetScale, Facets, Scales};
use super::geo::{OnGlobe, chord_of_metres, squared_chord};
use super::names::{NameHits, Named, Names};
use super::query::{
    Area, Clause, Cursor, Direction, From, Group, Matching, Order, PriceRange, Search, SortKey,
};
use super::room_lease::RoomLease;
use super::snapshot::{Change, Index};
use super::value::{Kind, Value};

/// Listings at first, and numbers in use once listings have come and gone: chunks split on the way.
const ROWS: u32 = 900;
const NUMBERS: u32 = 2_000;
const QUERIES: u32 = 500;
const DISTANCES_M: [f64; 3] = [1609.0, 3218.0, 8046.0];
const WORDS: [&str; 8] = [
    "court",
    "courtyard",
    "mill",
    "house",
    "tower",
    "lock",
    "regent",
    "canal",
];

/// The rules of a search said once more, row by row.
struct Oracle<'s> {
    search: &'s Search,
    names: Option<&'s NameHits>,
    /// The group of filters that is off.
    off: Option<Group>,
}

impl Oracle<'_> {
    fn matches(&self, row: &Row) -> bool {
        self.matches_with(row, &|_| true)
    }

    /// Whether a row matches by a lease for which `counted` holds too.
    fn matches_with(&self, row: &Row, counted: &dyn Fn(&RoomLease) -> bool) -> bool {
        let has = |value: &Value| match value.fixed() {
            Some(_) => row.fixed & value.bit() != 0,
            None => row.named.contains(value),
        };
        let on = |group: Group| self.off != Some(group);
        let clauses = self
            .search
            .clauses
            .iter()
            .filter(|clause| clause.group.is_none_or(|group| on(group) && !of_a_room(group)))
            .all(|clause| match clause.matching {
                Matching::Any => clause.values.iter().any(has),
                Matching::All => clause.values.iter().all(has),
            });
        let unfiltered = self.rooms_are_free();
        let one_room = row
            .leases
            .iter()
            .any(|lease| self.room_matches(row, lease) && counted(lease));
        clauses
            && (one_room || (unfiltered && row.leases.is_empty()))
            && self.names.is_none_or(|names| names.all.has(row.number))
            && self.inside(row)
    }

    /// No filter about rooms is on.
    fn rooms_are_free(&self) -> bool {
        let off = |group: Group| self.off == Some(group);
        let about_rooms = |clause: &Clause| clause.group.is_some_and(|group| of_a_room(group) && !off(group));
        !self.search.clauses.iter().any(about_rooms)
            && (self.search.price.is_none() || off(Group::Budget))
            && (self.search.lease.is_none() || off(Group::Stay))
    }

    /// One lease against every filter about rooms, said from the lease's own fields.
    fn room_matches(&self, row: &Row, lease: &RoomLease) -> bool {
        let on = |group: Group| self.off != Some(group);
        let has = |value: &Value| match value.fixed() {
            Some(_) => lease.fixed() & value.bit() != 0,
            None => lease.dated() == *value,
        };
        let about_rooms = |clause: &&Clause| clause.group.is_some_and(|group| of_a_room(group) && on(group));
        let clauses = self
            .search
            .clauses
            .iter()
            .filter(about_rooms)
            .all(|clause| match clause.matching {
                Matching::Any => clause.values.iter().any(has),
                Matching::All => clause.values.iter().all(has),
            });
        let price = self.search.price.filter(|_| on(Group::Budget));
        let stay = self.search.lease.filter(|_| on(Group::Stay));
        clauses
            && price.is_none_or(|range| {
                let (low, high) = range.bounds(period(row));
                (low..=high).contains(&lease.price)
            })
            && stay.is_none_or(|stay| (stay.low..=stay.high).contains(&lease.length))
    }

    /// The lowest price of what matches, as the card says it.
    fn price(&self, row: &Row) -> u32 {
        let prices = row.leases.iter().filter(|lease| self.room_matches(row, lease));
        prices.map(|lease| lease.price).min().unwrap_or(NO_PRICE)
    }

    fn inside(&self, row: &Row) -> bool {
        match self.search.area {
            Area::Everywhere => true,
            Area::Box(bounds) => bounds.contains(row.place),
            Area::Circle {
                center,
                radius_m,
                widest_m,
            } => {
                let radius = if self.off == Some(Group::Distance) {
                    widest_m
                } else {
                    radius_m
                };
                within(center, radius, row)
            }
        }
    }

    fn key(&self, row: &Row) -> u64 {
        let monthly = row.fixed >> Value::MONTHLY.fixed().unwrap() & 1 == 1;
        let origin = match self.search.area {
            Area::Circle { center, .. } => self.search.origin.or(Some(center)),
            Area::Everywhere | Area::Box(_) => self.search.origin,
        };
        let value = match self.search.order.key {
            SortKey::Relevance => {
                let whole = self.names.is_some_and(|names| names.whole.has(row.number));
                let near = origin
                    .filter(|_| self.search.nearness)
                    .map_or(0, |origin| nearness(origin.metres_to(row.place)));
                let home = self.search.home.is_some_and(|home| row.named.contains(&home))
                    && row.fixed & Value::AVAILABLE.bit() != 0;
                Some(
                    u64::from(row.relevance)
                        + near
                        + if home { 1 << 30 } else { 0 }
                        + if whole { 1 << 40 } else { 0 },
                )
            }
            SortKey::Created => Some(u64::from(row.created)),
            SortKey::AvailablePrice => yearly_worth(self.price(row), monthly, row.worth),
            SortKey::Distance => {
                origin.map(|origin| squared_chord(&origin.unit(), &row.place.unit()).to_bits())
            }
        };
        match (value, self.search.order.direction) {
            (None, _) => 0,
            (Some(value), Direction::Ascending) => !value,
            (Some(value), Direction::Descending) => value,
        }
    }
}

/// Decision 0032, said once more.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 1,200,000"
)]
fn nearness(metres: f64) -> u64 {
    let (metres, walk) = (metres.floor(), metres.floor().min(2_000.0));
    (1_200_000.0 - walk * 400.0 - (metres - walk) * 50.0).max(0.0) as u64
}

fn of_a_room(group: Group) -> bool {
    use Group as G;
    matches!(
        group,
        G::RoomType | G::DualOccupancy | G::MoveIn | G::Stay | G::Budget
    )
}

fn period(row: &Row) -> Period {
    if row.fixed & Value::MONTHLY.bit() != 0 {
        Period::Monthly
    } else {
        Period::Weekly
    }
}

fn within(center: Coordinates, radius_m: f64, row: &Row) -> bool {
    let chord = chord_of_metres(radius_m);
    squared_chord(&center.unit(), &row.place.unit()) <= chord * chord
}

struct World {
    index: Index,
    rows: BTreeMap<u32, Row>,
    names: Names,
    features: Vec<Value>,
}

impl World {
    fn check(&self, search: &Search) {
        let hits = search.name.as_ref().map(|name| self.names.find(name));
        let names = hits.as_ref();
        let oracle = Oracle {
            search,
            names,
            off: None,
        };
        let mut expected: Vec<(u64, Reverse<u128>)> = self
            .rows
            .values()
            .filter(|row| oracle.matches(row))
            .map(|row| (oracle.key(row), Reverse(row.id)))
            .collect();
        expected.sort_unstable_by_key(|entry| Reverse(*entry));
        let From::Offset(offset) = search.from else {
            panic!("random searches count from the beginning")
        };
        let page: Vec<_> = expected.iter().skip(offset).take(search.limit).copied().collect();

        let snapshot = self.index.snapshot();
        let found = snapshot.search(search, names);
        assert_eq!(found.total, expected.len() as u64, "{search:?}");
        let order: Vec<_> = found.hits.iter().map(|hit| (hit.key, Reverse(hit.id))).collect();
        assert_eq!(order, page, "{search:?}");
        for hit in &found.hits {
            let row = &self.rows[&hit.number];
            assert_eq!(hit.price, oracle.price(row), "{search:?}");
        }

        let after = Search {
            from: From::After(Cursor { key: u64::MAX, id: 0 }),
            ..search.clone()
        };
        let first = after_all(&snapshot.search(&after, names).hits, &expected);
        assert!(first, "{search:?}");
        self.check_facets(search, names, &found);
    }

    fn check_facets(&self, search: &Search, names: Option<&NameHits>, found: &super::search::Found) {
        let scale = BudgetScale {
            step: 5_000,
            steps: 8,
            period: Period::Weekly,
        };
        let scales = Scales {
            budget: Some(scale),
            distances_m: DISTANCES_M.to_vec(),
        };
        let (again, facets) = self.index.snapshot().search_with_facets(search, &scales, names);
        assert_eq!(&again, found, "{search:?}");
        let count = |off: Group, value: Value| {
            let oracle = Oracle {
                search,
                names,
                off: Some(off),
            };
            self.rows
                .values()
                .filter(|row| {
                    let of_lease = |lease: &RoomLease| lease.fixed() & value.bit() != 0;
                    if of_a_room(off) {
                        oracle.matches_with(row, &of_lease) && !row.leases.is_empty()
                    } else {
                        oracle.matches(row) && row.fixed & value.bit() != 0
                    }
                })
                .count() as u64
        };
        for (group, value) in [
            (Group::RoomType, Value::configuration(Configuration::StudioRoom)),
            (Group::RoomType, Value::bedrooms(2)),
            (Group::MoveIn, Value::move_in(9)),
            (Group::Stay, Value::stay(StayBucket::ALL[1])),
            (Group::Accommodation, Value::unit_type(UnitType::IndependentHouse)),
            (Group::Guarantor, Value::guarantor(Some(Guarantor::NotRequired))),
            (Group::Guarantor, Value::guarantor(None)),
            (Group::Availability, Value::UNAVAILABLE),
            (Group::DualOccupancy, Value::DUAL_OCCUPANCY),
        ] {
            assert_eq!(
                facets.count(value),
                count(group, value),
                "{group:?} {value:?} {search:?}"
            );
        }
        self.check_features(search, names, &facets);
        self.check_scales(search, names, &facets);
    }

    fn check_features(&self, search: &Search, names: Option<&NameHits>, facets: &Facets) {
        let narrowing = search
            .clauses
            .iter()
            .any(|c| c.group == Some(Group::Features) && c.matching == Matching::All);
        for value in &self.features {
            let off = if narrowing {
                Group::Availability
            } else {
                Group::Features
            };
            let oracle = Oracle {
                search,
                names,
                off: (!narrowing).then_some(off),
            };
            let has = |row: &&Row| oracle.matches(row) && row.named.contains(value);
            assert_eq!(
                facets.count(*value),
                self.rows.values().filter(has).count() as u64,
                "{search:?}"
            );
        }
    }

    fn check_scales(&self, search: &Search, names: Option<&NameHits>, facets: &Facets) {
        for (step, counted) in (0_u64..).zip(&facets.budget) {
            let high = if step == 7 { u64::MAX } else { step * 5_000 + 4_999 };
            let range = PriceRange {
                low: step * 5_000,
                high,
                period: Some(Period::Weekly),
            };
            let chosen = Search {
                price: Some(range),
                ..search.clone()
            };
            assert_eq!(
                *counted,
                self.index.snapshot().search(&chosen, names).total,
                "{step} {search:?}"
            );
        }
        if let Area::Circle { center, .. } = search.area {
            for (metres, counted) in DISTANCES_M.into_iter().zip(&facets.within) {
                let oracle = Oracle {
                    search,
                    names,
                    off: Some(Group::Distance),
                };
                let near = |row: &&Row| oracle.matches(row) && within(center, metres, row);
                assert_eq!(
                    *counted,
                    self.rows.values().filter(near).count() as u64,
                    "{search:?}"
                );
            }
        }
    }

    fn change(&mut self, random: &mut Random) {
        let number = random.below(NUMBERS);
        let change = match self.rows.get(&number) {
            Some(old) if random.chance(20) => {
                let id = old.id;
                self.rows.remove(&number);
                Change::Remove(id)
            }
            Some(old) => {
                let mut new = Row {
                    id: old.id,
                    ..row(random, number, &self.features)
                };
                if random.chance(70) {
                    new.place = old.place;
                }
                self.rows.insert(number, new.clone());
                Change::Put(new)
            }
            None => {
                let new = row(random, number, &self.features);
                self.rows.insert(number, new.clone());
                Change::Put(new)
            }
        };
        self.index.apply(vec![change]);
    }
}

fn after_all(hits: &[super::ranking::Hit], expected: &[(u64, Reverse<u128>)]) -> bool {
    hits.iter()
        .zip(expected)
        .all(|(hit, (key, Reverse(id)))| (hit.key, hit.id) == (*key, *id))
}

fn world(random: &mut Random) -> World {
    let index = Index::default();
    let features: Vec<Value> = (0..6)
        .map(|number| index.intern(Kind::Feature, &format!("feature_{number}")))
        .collect();
    let rows: BTreeMap<u32, Row> = (0..ROWS)
        .map(|number| (number, row(random, number, &features)))
        .collect();
    index.apply(rows.values().cloned().map(Change::Put).collect());
    let named = (0..NUMBERS).map(|number| Named {
        number,
        rank: 0,
        names: vec![format!("{} {}", random.pick(&WORDS), random.pick(&WORDS))],
    });
    World {
        index,
        rows,
        names: Names::build(named.collect()),
        features,
    }
}

/// A thousand random searches equal brute force before and after updates.
#[test]
fn random_searches_equal_brute_force_before_and_after_updates() {
    let mut random = Random(42);
    let mut world = world(&mut random);
    for _ in 0..QUERIES {
        world.check(&query(&mut random, &world.features));
    }
    for _ in 0..3_000 {
        world.change(&mut random);
    }
    assert_eq!(world.index.snapshot().len(), world.rows.len());
    for _ in 0..QUERIES {
        world.check(&query(&mut random, &world.features));
    }
}

#[test]
fn going_on_from_the_last_result_shows_each_listing_once() {
    let mut random = Random(7);
    let world = world(&mut random);
    for key in [
        SortKey::Relevance,
        SortKey::Distance,
        SortKey::AvailablePrice,
        SortKey::Created,
    ] {
        let order = Order {
            key,
            direction: Direction::Ascending,
        };
        let area = Area::circle(random.place(), 20_000.0);
        let mut search = Search {
            area,
            order,
            limit: 37,
            ..Search::default()
        };
        let mut seen = Vec::new();
        loop {
            let found = world.index.snapshot().search(&search, None);
            seen.extend(found.hits.iter().map(|hit| hit.id));
            let Some(last) = found.hits.last() else {
                assert_eq!(seen.len() as u64, found.total);
                break;
            };
            search.from = From::After(last.cursor());
        }
        seen.sort_unstable();
        assert!(seen.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
