//! One search over one snapshot: skip chunks and blocks by their zones, AND the bitsets, compare what is left lane by
//! lane, count, and keep the best.
#![expect(
    clippy::needless_bitwise_bool,
    reason = "without branches the comparisons of 64 rows become vector code"
)]

use domain::money::Period;

use super::chunk::{BLOCKS, Bits, Block, Chunk, LANES, Zone};
use super::geo::{MapBox, OnGlobe, SLACK, UnitVector, chord_of_metres, squared_chord};
use super::names::NameHits;
use super::query::{Area, Clause, From, LeaseRange, Matching, Search, SortKey};
use super::ranking::{Best, Hit, Ranking};
use super::room_lease::RoomFilter;
use super::snapshot::Snapshot;
use super::value::Value;

/// Exact number of matches, and one page of them in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    pub total: u64,
    pub hits: Vec<Hit>,
}

/// Answers a search. `names` holds the listings whose name matches, when the search asks for one.
pub(super) fn search(snapshot: &Snapshot, search: &Search, names: Option<&NameHits>) -> Found {
    let filter = Filter::of(search, names);
    let ranking = ranking(search, names);
    let (mut best, skip) = best(search);
    let mut total = 0;
    for chunk in snapshot.chunks() {
        let matches = filter.matches(chunk);
        total += collect(chunk, &matches, (&ranking, filter.rooms.as_ref()), &mut best);
    }
    Found {
        total,
        hits: best.into_hits(skip),
    }
}

/// The heap a search needs, and how many of its hits come before the page.
pub(super) fn best(search: &Search) -> (Best, usize) {
    match search.from {
        From::Offset(offset) => (Best::new(offset + search.limit, None), offset),
        From::After(cursor) => (Best::new(search.limit, Some(cursor)), 0),
    }
}

pub(super) fn ranking<'s>(search: &Search, names: Option<&'s NameHits>) -> Ranking<'s> {
    let center = match search.area {
        Area::Circle { center, .. } => Some(center),
        Area::Everywhere | Area::Box(_) => None,
    };
    Ranking {
        order: search.order,
        origin: search.origin.or(center).map(OnGlobe::unit),
        nearness: search.nearness,
        home: search.home,
        names,
    }
}

/// Offers the matching rows of a chunk and counts them.
pub(super) fn collect(
    chunk: &Chunk,
    matches: &Bits,
    (ranking, rooms): (&Ranking<'_>, Option<&RoomFilter>),
    best: &mut Best,
) -> u64 {
    let mut total = 0;
    let monthly = chunk.bits(Value::MONTHLY);
    let by_price = ranking.order.key == SortKey::AvailablePrice;
    let home = ranking.home_rows(chunk);
    for (place, block) in chunk.blocks.iter().enumerate() {
        let rows = matches[place];
        if rows == 0 {
            continue;
        }
        total += u64::from(rows.count_ones());
        let mut floor = best.floor();
        if ranking.best(&block.zone, rooms.is_some()) < floor {
            continue;
        }
        for lane in lanes_of(rows) {
            let monthly = monthly.is_some_and(|bits| bits[place] >> lane & 1 == 1);
            // What matches, not the listing as a whole, is what the card's price and its order are of.
            let price = || match rooms {
                Some(rooms) => rooms
                    .lowest(chunk.leases(place, lane), monthly)
                    .unwrap_or(block.price_min[lane]),
                None => block.price_min[lane],
            };
            let ranked = if by_price { price() } else { 0 };
            let at_home = home[place] >> lane & 1 == 1;
            let key = ranking.key(block, lane, (ranked, monthly), at_home);
            if key >= floor {
                let price = if by_price { ranked } else { price() };
                best.offer(key, block.id[lane], (block.number[lane], price));
                floor = best.floor();
            }
        }
    }
    total
}

/// Set bits of a word, lowest first.
pub(super) fn lanes_of(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(lane)
    })
}

/// The conditions of one search, made ready for rows.
pub(super) struct Filter<'s> {
    pub area: Reach,
    pub clauses: &'s [Clause],
    pub price: Option<PriceBounds>,
    pub lease: Option<LeaseRange>,
    pub names: Option<&'s NameHits>,
    pub rooms: Option<RoomFilter>,
}

impl<'s> Filter<'s> {
    pub(super) fn of(search: &'s Search, names: Option<&'s NameHits>) -> Self {
        Self {
            area: Reach::of(search.area),
            clauses: &search.clauses,
            price: search.price.map(|range| PriceBounds {
                weekly: range.bounds(Period::Weekly),
                monthly: range.bounds(Period::Monthly),
            }),
            lease: search.lease,
            names,
            rooms: RoomFilter::of(search),
        }
    }

    /// Rows of the chunk that meet every condition.
    fn matches(&self, chunk: &Chunk) -> Bits {
        let Some(mut rows) = self.area.candidates(chunk) else {
            return [0; BLOCKS];
        };
        for clause in self.clauses {
            narrow(&mut rows, chunk, clause);
        }
        self.area.narrow(&mut rows, chunk);
        for (place, block) in chunk.blocks.iter().enumerate() {
            if rows[place] == 0 {
                continue;
            }
            if let Some(price) = &self.price {
                rows[place] &= price.lanes(chunk, place);
            }
            if let Some(lease) = self.lease {
                rows[place] &= lease_lanes(block, lease);
            }
            if let Some(names) = self.names {
                rows[place] = name_lanes(block, rows[place], names);
            }
        }
        if let Some(rooms) = self.rooms.as_ref().filter(|rooms| rooms.is_undecided()) {
            room_lanes(&mut rows, chunk, rooms);
        }
        rows
    }
}

/// Keeps the rows that satisfy a clause.
pub(super) fn narrow(rows: &mut Bits, chunk: &Chunk, clause: &Clause) {
    match clause.matching {
        Matching::All => {
            for value in &clause.values {
                let bits = chunk.bits(*value);
                for place in 0..BLOCKS {
                    rows[place] &= bits.map_or(0, |bits| bits[place]);
                }
            }
        }
        Matching::Any => {
            let mut any = [0; BLOCKS];
            for bits in clause.values.iter().filter_map(|value| chunk.bits(*value)) {
                for place in 0..BLOCKS {
                    any[place] |= bits[place];
                }
            }
            for place in 0..BLOCKS {
                rows[place] &= any[place];
            }
        }
    }
}

/// Keeps the rows of which one room and lease meets every filter about rooms.
pub(super) fn room_lanes(rows: &mut Bits, chunk: &Chunk, rooms: &RoomFilter) {
    let monthly = chunk.bits(Value::MONTHLY);
    for (place, word) in rows.iter_mut().enumerate() {
        let months = monthly.map_or(0, |bits| bits[place]);
        for lane in lanes_of(*word) {
            let monthly = months >> lane & 1 == 1;
            let leases = chunk.leases(place, lane);
            if !leases.iter().any(|lease| rooms.meets(lease, monthly)) {
                *word &= !(1 << lane);
            }
        }
    }
}

/// An area made ready for rows.
pub(super) enum Reach {
    Everywhere,
    Circle { center: UnitVector, chord: f64 },
    Box(MapBox),
}

/// How a zone lies to an area.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Outside,
    Partly,
    Inside,
}

impl Reach {
    pub(super) fn of(area: Area) -> Self {
        match area {
            Area::Everywhere => Self::Everywhere,
            Area::Circle { center, radius_m, .. } => Self::Circle {
                center: center.unit(),
                chord: chord_of_metres(radius_m),
            },
            Area::Box(bounds) => Self::Box(bounds),
        }
    }

    /// The chunk's rows, or nothing when it lies outside.
    pub(super) fn candidates(&self, chunk: &Chunk) -> Option<Bits> {
        (self.overlap(&chunk.zone) != Overlap::Outside).then(|| chunk.alive())
    }

    /// Keeps the rows inside.
    pub(super) fn narrow(&self, rows: &mut Bits, chunk: &Chunk) {
        if self.overlap(&chunk.zone) == Overlap::Inside {
            return;
        }
        for (place, block) in chunk.blocks.iter().enumerate() {
            if rows[place] == 0 {
                continue;
            }
            match self.overlap(&block.zone) {
                Overlap::Outside => rows[place] = 0,
                Overlap::Inside => {}
                Overlap::Partly => rows[place] &= self.lanes(block),
            }
        }
    }

    fn overlap(&self, zone: &Zone) -> Overlap {
        if zone.is_empty() {
            return Overlap::Outside;
        }
        match self {
            Self::Everywhere => Overlap::Inside,
            Self::Circle { center, chord } => {
                let middle = squared_chord(center, &zone.center).sqrt();
                if middle - zone.radius > chord + SLACK {
                    Overlap::Outside
                } else if middle + zone.radius < chord - SLACK {
                    Overlap::Inside
                } else {
                    Overlap::Partly
                }
            }
            Self::Box(bounds) => box_overlap(bounds, zone),
        }
    }

    fn lanes(&self, block: &Block) -> u64 {
        match self {
            Self::Everywhere => u64::MAX,
            Self::Circle { center, chord } => circle_lanes(block, center, chord * chord),
            Self::Box(MapBox {
                south,
                west,
                north,
                east,
            }) => {
                let high = lanes(|lane| (block.lat[lane] >= *south) & (block.lat[lane] <= *north));
                let east_of = lanes(|lane| block.lng[lane] >= *west);
                let west_of = lanes(|lane| block.lng[lane] <= *east);
                high & if west <= east {
                    east_of & west_of
                } else {
                    east_of | west_of
                }
            }
        }
    }
}

fn box_overlap(bounds: &MapBox, zone: &Zone) -> Overlap {
    if zone.north < bounds.south || zone.south > bounds.north {
        return Overlap::Outside;
    }
    let high = zone.south >= bounds.south && zone.north <= bounds.north;
    let crosses = bounds.west > bounds.east;
    let outside = zone.east < bounds.west || zone.west > bounds.east;
    let inside = zone.west >= bounds.west && zone.east <= bounds.east;
    if crosses {
        let wide = zone.west >= bounds.west || zone.east <= bounds.east;
        if high && wide {
            Overlap::Inside
        } else {
            Overlap::Partly
        }
    } else if outside {
        Overlap::Outside
    } else if high && inside {
        Overlap::Inside
    } else {
        Overlap::Partly
    }
}

/// Rows of a block within a chord.
pub(super) fn circle_lanes(block: &Block, center: &UnitVector, squared: f64) -> u64 {
    lanes(|lane| {
        let (x, y, z) = (
            block.x[lane] - center[0],
            block.y[lane] - center[1],
            block.z[lane] - center[2],
        );
        x * x + y * y + z * z <= squared
    })
}

/// A budget for either period.
pub(super) struct PriceBounds {
    pub weekly: (u32, u32),
    pub monthly: (u32, u32),
}

impl PriceBounds {
    pub(super) fn lanes(&self, chunk: &Chunk, place: usize) -> u64 {
        let block = &chunk.blocks[place];
        let monthly = chunk.bits(Value::MONTHLY).map_or(0, |bits| bits[place]);
        let within = |(low, high): (u32, u32)| {
            lanes(|lane| (block.price_min[lane] <= high) & (block.price_max[lane] >= low))
        };
        let mut rows = 0;
        if monthly != block.alive {
            rows |= within(self.weekly) & !monthly;
        }
        if monthly != 0 {
            rows |= within(self.monthly) & monthly;
        }
        rows
    }
}

/// Rows of a block whose stay overlaps.
pub(super) fn lease_lanes(block: &Block, lease: LeaseRange) -> u64 {
    lanes(|lane| (block.lease_min[lane] <= lease.high) & (block.lease_max[lane] >= lease.low))
}

/// Of `rows`, those whose name matches.
pub(super) fn name_lanes(block: &Block, rows: u64, names: &NameHits) -> u64 {
    lanes_of(rows)
        .filter(|lane| names.all.has(block.number[*lane]))
        .fold(0, |word, lane| word | 1 << lane)
}

/// One comparison for 64 rows, written so that the compiler makes vector code of it.
#[inline]
fn lanes(test: impl Fn(usize) -> bool) -> u64 {
    let mut answers = [0_u8; LANES];
    for (lane, answer) in answers.iter_mut().enumerate() {
        *answer = u8::from(test(lane));
    }
    let (eights, _) = answers.as_chunks::<8>();
    // The multiplication gathers the lowest bits of eight bytes in the top byte.
    eights.iter().enumerate().fold(0, |word, (place, eight)| {
        word | (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (place * 8)
    })
}
