//! Up to 1,024 listings that lie near each other: columns in blocks of 64 rows, one bitset per value, and what bounds
//! each block (its zone), so that a search can skip or accept 64 or 1,024 rows at a glance.

use domain::place::Coordinates;

use super::geo::{OnGlobe, UnitVector, squared_chord};
use super::value::{FIXED, Value};

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
    /// Cheapest and dearest price in hundredths of the currency's unit; [`NO_PRICE`] when there is none.
    pub price_min: u32,
    pub price_max: u32,
    /// What one unit of their currency is worth ([`domain::money::Currency::worth`]).
    pub worth: u32,
    /// Shortest and longest stay in twelfths of a week, so that weeks (12) and months (52) are both whole.
    pub lease_min: u16,
    pub lease_max: u16,
    pub relevance: u32,
    /// Seconds since 1970.
    pub created: u32,
    /// Bit n is the fixed value n.
    pub fixed: u128,
    /// Features, tags, regions and owner, sorted.
    pub named: Vec<Value>,
}

/// Price of a listing that has none: in no budget, and last by price in both directions.
pub(super) const NO_PRICE: u32 = u32::MAX;

/// Columns of 64 rows.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub zone: Zone,
    pub alive: u64,
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
        self.price_min[lane] = row.price_min;
        self.price_max[lane] = row.price_max;
        self.worth[lane] = row.worth;
        self.lease_min[lane] = row.lease_min;
        self.lease_max[lane] = row.lease_max;
        self.relevance[lane] = row.relevance;
        self.created[lane] = row.created;
        self.number[lane] = row.number;
        self.id[lane] = row.id;
        self.alive |= 1 << lane;
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
        }
        self.blocks[slot / LANES].put(slot % LANES, row);
        let (word, bit) = (slot / LANES, 1_u64 << (slot % LANES));
        for (number, bits) in self.fixed.iter_mut().enumerate() {
            if row.fixed >> number & 1 == 1 {
                bits[word] |= bit;
            } else {
                bits[word] &= !bit;
            }
        }
        for (_, bits) in &mut self.named {
            bits[word] &= !bit;
        }
        for value in &row.named {
            let place = self.find(*value).unwrap_or_else(|free| {
                self.named.insert(free, (*value, [0; BLOCKS]));
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
            price_min: block.price_min[lane],
            price_max: block.price_max[lane],
            worth: block.worth[lane],
            lease_min: block.lease_min[lane],
            lease_max: block.lease_max[lane],
            relevance: block.relevance[lane],
            created: block.created[lane],
            fixed: (0..FIXED)
                .filter(|number| has(&self.fixed[*number]))
                .fold(0, |all, number| all | 1_u128 << number),
            named: self
                .named
                .iter()
                .filter(|(_, bits)| has(bits))
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

/// What a price comes to in a year: prices of both periods (D33: month = week × 52 / 12) and of all currencies (decision 151)
/// in one order. Within one currency it is the order of the prices themselves. The largest fits: 2^32 × 52 × 11,506,818 < 2^62.
pub(super) fn yearly_worth(price: u32, monthly: bool, worth: u32) -> Option<u64> {
    let times = if monthly { 12 } else { 52 };
    (price != NO_PRICE).then_some(u64::from(price) * times * u64::from(worth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u32, named: Vec<Value>) -> Row {
        Row {
            id: u128::from(number),
            number,
            place: Coordinates {
                lat_e6: 51_500_000,
                lng_e6: -120_000,
            },
            price_min: 20_000,
            price_max: 30_000,
            worth: 10_000_000,
            lease_min: 48,
            lease_max: 612,
            relevance: 7,
            created: 9,
            fixed: 0b1011,
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
