//! Up to 1,024 listings that lie near each other: columns in blocks of 64 rows, one bitset per value, and what bounds
//! each block (its zone), so that a search can skip or accept 64 or 1,024 rows at a glance.

use std::sync::Arc;

use domain::place::Coordinates;

use super::geo::{OnGlobe, UnitVector, squared_chord};
use super::room_lease::{BlockLeases, RoomLease};
use super::value::{FIXED, OCCUPANCY, STAYS, UNIT_TYPE, Value};

/// Rows of a block: one machine word of any bitset.
pub(super) const LANES: usize = 64;
/// Blocks of a chunk.
pub(super) const BLOCKS: usize = 16;
/// Rows of a chunk.
pub(super) const ROWS: usize = LANES * BLOCKS;

/// One bit per row of a chunk.
pub(super) type Bits = [u64; BLOCKS];

/// A listing as the index keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Public id; breaks ties between equal sort keys.
    pub id: u128,
    /// Dense number of the listing, given in the order of first sight.
    pub number: u32,
    pub place: Coordinates,
    /// What one unit of their currency is worth ([`domain::money::Currency::worth`]).
    pub worth: u32,
    /// Leases that can be taken, or all of them when none can; prices, stays and the values of rooms follow from them.
    pub leases: Vec<RoomLease>,
    pub relevance: u32,
    /// Seconds since 1970.
    pub created: u32,
    /// Bit n is the fixed value n; those of rooms follow from the leases.
    pub fixed: u128,
    /// Features, tags, regions and owner, sorted.
    pub named: Vec<Value>,
}

impl Row {
    /// Cheapest and dearest price in hundredths of the currency's unit; [`NO_PRICE`] and 0 when there is none.
    pub(super) fn prices(&self) -> (u32, u32) {
        ends(self.leases.iter().map(|lease| lease.price)).unwrap_or((NO_PRICE, 0))
    }

    /// Shortest and longest stay in twelfths of a week; reversed, so that nothing overlaps, when there is none.
    fn stays(&self) -> (u16, u16) {
        ends(self.leases.iter().map(|lease| lease.length)).unwrap_or((u16::MAX, 0))
    }

    /// Its fixed values, those of its rooms included.
    fn all_fixed(&self) -> u128 {
        let rooms = self.leases.iter().map(|lease| lease.fixed());
        rooms.fold(self.fixed, |all, values| all | values)
    }

    /// Its open values, the months of its leases included.
    fn all_named(&self) -> impl Iterator<Item = Value> {
        let months = self.leases.iter().map(|lease| lease.dated());
        self.named.iter().copied().chain(months)
    }
}

fn ends<T: Ord + Copy>(mut all: impl Iterator<Item = T>) -> Option<(T, T)> {
    let first = all.next()?;
    Some(all.fold((first, first), |ends, one| join(ends, (one, one))))
}

/// Price of a listing that has none: in no budget, and last by price in both directions.
pub(super) const NO_PRICE: u32 = u32::MAX;
/// Stands for every price that is as large or larger.
pub(super) const LARGEST_PRICE: u32 = NO_PRICE - 1;

/// The fixed values that follow from leases.
const OF_ROOMS: u128 =
    ((1 << UNIT_TYPE) - 1) | ((1 << STAYS.1) - (1 << STAYS.0)) | ((1 << OCCUPANCY.1) - (1 << OCCUPANCY.0));

/// Columns of 64 rows.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub zone: Zone,
    pub alive: u64,
    /// Rows of which nobody said where they stand.
    pub unplaced: u64,
    pub x: [f64; LANES],
    pub y: [f64; LANES],
    pub z: [f64; LANES],
    pub lat: [i32; LANES],
    pub lng: [i32; LANES],
    pub price_min: [u32; LANES],
    pub price_max: [u32; LANES],
    pub worth: [u32; LANES],
    pub lease_min: [u16; LANES],
    pub lease_max: [u16; LANES],
    pub relevance: [u32; LANES],
    pub created: [u32; LANES],
    pub number: [u32; LANES],
    pub id: [u128; LANES],
}

impl Block {
    const EMPTY: Self = Self {
        zone: Zone::EMPTY,
        alive: 0,
        unplaced: 0,
        x: [0.0; LANES],
        y: [0.0; LANES],
        z: [0.0; LANES],
        lat: [0; LANES],
        lng: [0; LANES],
        price_min: [0; LANES],
        price_max: [0; LANES],
        worth: [0; LANES],
        lease_min: [0; LANES],
        lease_max: [0; LANES],
        relevance: [0; LANES],
        created: [0; LANES],
        number: [0; LANES],
        id: [0; LANES],
    };

    pub(super) fn unit(&self, lane: usize) -> UnitVector {
        [self.x[lane], self.y[lane], self.z[lane]]
    }

    /// The lane's cheapest price in the order of all prices.
    pub(super) fn yearly_worth(&self, lane: usize, monthly: bool) -> Option<u64> {
        yearly_worth(self.price_min[lane], monthly, self.worth[lane])
    }

    fn put(&mut self, lane: usize, row: &Row) {
        [self.x[lane], self.y[lane], self.z[lane]] = row.place.unit();
        self.lat[lane] = row.place.lat_e6;
        self.lng[lane] = row.place.lng_e6;
        (self.price_min[lane], self.price_max[lane]) = row.prices();
        self.worth[lane] = row.worth;
        (self.lease_min[lane], self.lease_max[lane]) = row.stays();
        self.relevance[lane] = row.relevance;
        self.created[lane] = row.created;
        self.number[lane] = row.number;
        self.id[lane] = row.id;
        self.alive |= 1 << lane;
        self.unplaced &= !(1 << lane);
        if row.fixed & Value::UNPLACED.bit() != 0 {
            self.unplaced |= 1 << lane;
        }
    }

    pub(super) fn is_placed(&self, lane: usize) -> bool {
        self.unplaced >> lane & 1 == 0
    }
}

/// What holds for every row below it. A negative radius means: no rows.
#[derive(Debug, Clone)]
pub(super) struct Zone {
    pub center: UnitVector,
    pub radius: f64,
    pub south: i32,
    pub west: i32,
    pub north: i32,
    pub east: i32,
    pub relevance: (u32, u32),
    pub created: (u32, u32),
    /// Least and greatest price of a year, by what it is worth.
    pub yearly: (u64, u64),
}

impl Zone {
    const EMPTY: Self = Self {
        center: [0.0; 3],
        radius: -1.0,
        south: i32::MAX,
        west: i32::MAX,
        north: i32::MIN,
        east: i32::MIN,
        relevance: (u32::MAX, 0),
        created: (u32::MAX, 0),
        yearly: (u64::MAX, 0),
    };

    pub(super) fn is_empty(&self) -> bool {
        self.radius < 0.0
    }

    /// Takes in the bounds of `other`, all but the sphere.
    fn widen(&mut self, other: &Self) {
        self.south = self.south.min(other.south);
        self.west = self.west.min(other.west);
        self.north = self.north.max(other.north);
        self.east = self.east.max(other.east);
        self.relevance = join(self.relevance, other.relevance);
        self.created = join(self.created, other.created);
        self.yearly = join(self.yearly, other.yearly);
    }

    /// Puts the sphere round the given spheres.
    fn enclose(&mut self, spheres: &[(UnitVector, f64)]) {
        let Ok(count) = u32::try_from(spheres.len()) else {
            return;
        };
        if count == 0 {
            return;
        }
        for axis in 0..3 {
            self.center[axis] =
                spheres.iter().map(|(center, _)| center[axis]).sum::<f64>() / f64::from(count);
        }
        self.radius = spheres
            .iter()
            .map(|(center, radius)| squared_chord(&self.center, center).sqrt() + radius)
            .fold(0.0, f64::max);
    }
}

fn join<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Where a listing stands in the whole index: neighbours on the map beside each other, and no two alike.
pub(super) type Key = (u64, u32);

/// Up to [`ROWS`] rows. Cloned before it is written while a reader may still hold it.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    /// No row below has a smaller key.
    pub low: Key,
    pub zone: Zone,
    pub blocks: Vec<Block>,
    /// By block; shared with the chunk's older states until they are written.
    leases: Vec<Arc<BlockLeases>>,
    fixed: Vec<Bits>,
    /// Sorted by value; a chunk knows only the values that occurred in it.
    named: Vec<(Value, Bits)>,
}

impl Chunk {
    pub(super) fn new(low: Key) -> Self {
        Self {
            low,
            zone: Zone::EMPTY,
            blocks: Vec::new(),
            leases: Vec::new(),
            fixed: vec![[0; BLOCKS]; FIXED],
            named: Vec::new(),
        }
    }

    /// A chunk of rows, which are at most [`ROWS`].
    pub(super) fn of(low: Key, rows: &[Row]) -> Self {
        let mut chunk = Self::new(low);
        for (slot, row) in rows.iter().enumerate() {
            chunk.put(slot, row);
        }
        for block in 0..chunk.blocks.len() {
            chunk.rezone_block(block);
        }
        chunk.rezone();
        chunk
    }

    /// Rows that have the value; `None` when none ever had.
    pub(super) fn bits(&self, value: Value) -> Option<&Bits> {
        match value.fixed() {
            Some(number) => Some(&self.fixed[number]),
            None => self.find(value).ok().map(|place| &self.named[place].1),
        }
    }

    /// The fixed values' bitsets by number.
    pub(super) fn fixed(&self) -> &[Bits] {
        &self.fixed
    }

    /// Named values between two, with their bitsets.
    pub(super) fn named(&self, range: &std::ops::Range<Value>) -> &[(Value, Bits)] {
        let from = self.named.partition_point(|(value, _)| *value < range.start);
        let to = self.named.partition_point(|(value, _)| *value < range.end);
        &self.named[from..to]
    }

    /// The leases of a row.
    pub(super) fn leases(&self, block: usize, lane: usize) -> &[RoomLease] {
        self.leases.get(block).map_or(&[], |leases| leases.of(lane))
    }

    pub(super) fn alive(&self) -> Bits {
        let mut alive = [0; BLOCKS];
        for (word, block) in alive.iter_mut().zip(&self.blocks) {
            *word = block.alive;
        }
        alive
    }

    pub(super) fn live_rows(&self) -> u32 {
        self.blocks.iter().map(|block| block.alive.count_ones()).sum()
    }

    /// A slot where a row fits.
    pub(super) fn free_slot(&self) -> Option<usize> {
        let hole = self.blocks.iter().position(|block| block.alive != u64::MAX);
        match hole {
            Some(block) => Some(block * LANES + self.blocks[block].alive.trailing_ones() as usize),
            None => (self.blocks.len() < BLOCKS).then_some(self.blocks.len() * LANES),
        }
    }

    /// Where the listing with this number is.
    pub(super) fn slot_of(&self, number: u32) -> Option<usize> {
        self.blocks.iter().enumerate().find_map(|(place, block)| {
            let lane =
                (0..LANES).find(|lane| block.number[*lane] == number && block.alive >> lane & 1 == 1)?;
            Some(place * LANES + lane)
        })
    }

    /// Writes a row into a slot, without its zones.
    pub(super) fn put(&mut self, slot: usize, row: &Row) {
        while self.blocks.len() <= slot / LANES {
            self.blocks.push(Block::EMPTY);
            self.leases.push(Arc::default());
        }
        Arc::make_mut(&mut self.leases[slot / LANES]).put(slot % LANES, &row.leases);
        let all_fixed = row.all_fixed();
        self.blocks[slot / LANES].put(slot % LANES, row);
        let (word, bit) = (slot / LANES, 1_u64 << (slot % LANES));
        for (number, bits) in self.fixed.iter_mut().enumerate() {
            if all_fixed >> number & 1 == 1 {
                bits[word] |= bit;
            } else {
                bits[word] &= !bit;
            }
        }
        for (_, bits) in &mut self.named {
            bits[word] &= !bit;
        }
        for value in row.all_named() {
            let place = self.find(value).unwrap_or_else(|free| {
                self.named.insert(free, (value, [0; BLOCKS]));
                free
            });
            self.named[place].1[word] |= bit;
        }
    }

    /// Takes a row out, without its zones.
    pub(super) fn clear(&mut self, slot: usize) {
        let (word, bit) = (slot / LANES, 1_u64 << (slot % LANES));
        self.blocks[word].alive &= !bit;
        for bits in self
            .fixed
            .iter_mut()
            .chain(self.named.iter_mut().map(|(_, bits)| bits))
        {
            bits[word] &= !bit;
        }
    }

    /// All rows, read back from the columns.
    pub(super) fn rows(&self) -> Vec<Row> {
        (0..self.blocks.len() * LANES)
            .filter_map(|slot| self.row(slot))
            .collect()
    }

    fn row(&self, slot: usize) -> Option<Row> {
        let (word, lane) = (slot / LANES, slot % LANES);
        let block = &self.blocks[word];
        let has = |bits: &Bits| bits[word] >> lane & 1 == 1;
        (block.alive >> lane & 1 == 1).then(|| Row {
            id: block.id[lane],
            number: block.number[lane],
            place: Coordinates {
                lat_e6: block.lat[lane],
                lng_e6: block.lng[lane],
            },
            leases: self.leases(word, lane).to_vec(),
            worth: block.worth[lane],
            relevance: block.relevance[lane],
            created: block.created[lane],
            fixed: (0..FIXED)
                .filter(|number| has(&self.fixed[*number]))
                .fold(0, |all, number| all | 1_u128 << number)
                & !OF_ROOMS,
            named: self
                .named
                .iter()
                .filter(|(value, bits)| has(bits) && value.as_dated_move_in().is_none())
                .map(|(value, _)| *value)
                .collect(),
        })
    }

    /// Works out one block's zone again.
    pub(super) fn rezone_block(&mut self, place: usize) {
        let monthly = self.bits(Value::MONTHLY).map_or(0, |bits| bits[place]);
        let block = &mut self.blocks[place];
        let mut zone = Zone::EMPTY;
        let mut points = Vec::with_capacity(LANES);
        for lane in (0..LANES).filter(|lane| block.alive >> lane & 1 == 1) {
            let yearly = block.yearly_worth(lane, monthly >> lane & 1 == 1);
            zone.widen(&Zone {
                south: block.lat[lane],
                west: block.lng[lane],
                north: block.lat[lane],
                east: block.lng[lane],
                relevance: (block.relevance[lane], block.relevance[lane]),
                created: (block.created[lane], block.created[lane]),
                yearly: (yearly.unwrap_or(u64::MAX), yearly.unwrap_or(0)),
                ..Zone::EMPTY
            });
            points.push((block.unit(lane), 0.0));
        }
        zone.enclose(&points);
        block.zone = zone;
    }

    /// Works out the chunk's zone again from its blocks'.
    pub(super) fn rezone(&mut self) {
        let mut zone = Zone::EMPTY;
        let mut spheres = Vec::with_capacity(BLOCKS);
        for block in self.blocks.iter().filter(|block| !block.zone.is_empty()) {
            zone.widen(&block.zone);
            spheres.push((block.zone.center, block.zone.radius));
        }
        zone.enclose(&spheres);
        self.zone = zone;
    }

    fn find(&self, value: Value) -> Result<usize, usize> {
        self.named.binary_search_by_key(&value, |(value, _)| *value)
    }
}

/// What a price comes to in a year: prices of both periods (D33: month = week × 52 / 12) and of all currencies (decision 0025)
/// in one order. Within one currency it is the order of the prices themselves. The largest fits: 2^32 × 52 × 11,506,818 < 2^62.
pub(super) fn yearly_worth(price: u32, monthly: bool, worth: u32) -> Option<u64> {
    let times = if monthly { 12 } else { 52 };
    (price != NO_PRICE).then_some(u64::from(price) * times * u64::from(worth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u32, named: Vec<Value>) -> Row {
        let lease = |price, month| RoomLease::new([Value::bedrooms(2)], price, 480, month);
        Row {
            id: u128::from(number),
            number,
            place: Coordinates {
                lat_e6: 51_500_000,
                lng_e6: -120_000,
            },
            leases: vec![lease(20_000, 24_321), lease(30_000 + number, 24_322)],
            worth: 10_000_000,
            relevance: 7,
            created: 9,
            fixed: Value::AVAILABLE.bit(),
            named,
        }
    }

    #[test]
    fn rows_come_back_as_they_were_put() {
        let rows: Vec<Row> = (0..200)
            .map(|number| row(number, vec![Value::AVAILABLE; 0]))
            .collect();
        let mut chunk = Chunk::of((0, 0), &rows);
        assert_eq!(chunk.rows(), rows);
        chunk.clear(70);
        assert_eq!((chunk.live_rows(), chunk.free_slot()), (199, Some(70)));
        assert_eq!((chunk.slot_of(70), chunk.slot_of(71)), (None, Some(71)));
    }
}
