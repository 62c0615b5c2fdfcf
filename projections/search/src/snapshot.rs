//! The listings as readers see them, and the one writer that publishes the next snapshot: a changed listing costs a copy of
//! its chunk and one swap of a pointer; readers never wait.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use threads::published::Published;

use super::chunk::{Chunk, Key, LANES, ROWS, Row};
use super::facets::{Facets, Scales};
use super::geo::hilbert;
use super::names::NameHits;
use super::query::Search;
use super::search::Found;
use super::value::{Kind, Value, Vocabulary};

/// Rows put into a chunk when the index is built; the rest is room to grow.
const FILL: usize = ROWS * 7 / 8;

/// One unchanging state of the index.
#[derive(Debug, Default)]
pub struct Snapshot {
    chunks: Vec<Arc<Chunk>>,
    vocabulary: Arc<Vocabulary>,
    /// Grows by one with every publication.
    version: u64,
}

impl Snapshot {
    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter().map(AsRef::as_ref)
    }

    /// Names of the open values.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Answers a search; `names` are the listings whose name matches, when the search asks for one.
    pub fn search(&self, search: &Search, names: Option<&NameHits>) -> Found {
        super::search::search(self, search, names)
    }

    /// Answers a search together with what every filter value would leave.
    pub fn search_with_facets(
        &self,
        search: &Search,
        scales: &Scales,
        names: Option<&NameHits>,
    ) -> (Found, Facets) {
        super::facets::search(self, search, scales, names)
    }

    /// Which publication this is: what was computed from it holds as long as the number does.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Listings in the index, whatever their status.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.live_rows() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What happens to one listing.
#[derive(Debug, Clone)]
pub enum Change {
    Put(Row),
    Remove(u128),
}

/// The published snapshot and its writer.
#[derive(Debug, Default)]
pub struct Index(Published<Snapshot, Writer>);

#[derive(Debug, Default)]
struct Writer {
    /// Where each listing is.
    keys: HashMap<u128, Key>,
    vocabulary: Arc<Vocabulary>,
}

impl Index {
    /// The newest snapshot. Hold it for one answer, not longer.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.0.now()
    }

    /// Numbers an open value; it becomes known to readers with the next publication.
    pub fn intern(&self, kind: Kind, name: &str) -> Value {
        self.0
            .with_writer(|writer| match writer.vocabulary.find(kind, name) {
                Some(known) => known,
                None => Arc::make_mut(&mut writer.vocabulary).intern(kind, name),
            })
    }

    /// Applies changes in order and publishes them all at once.
    pub fn apply(&self, changes: Vec<Change>) {
        self.0.change(|writer, old| {
            let chunks = if old.chunks.is_empty() {
                writer.build(changes)
            } else {
                let mut edit = Edit {
                    chunks: old.chunks.clone(),
                    touched: BTreeSet::new(),
                };
                for change in changes {
                    writer.change(&mut edit, change);
                }
                edit.finish()
            };
            Snapshot {
                chunks,
                vocabulary: Arc::clone(&writer.vocabulary),
                version: old.version + 1,
            }
        });
    }
}

impl Writer {
    /// The first chunks of an empty index.
    fn build(&mut self, changes: Vec<Change>) -> Vec<Arc<Chunk>> {
        let mut rows: HashMap<u128, Row> = HashMap::new();
        for change in changes {
            match change {
                Change::Put(row) => rows.insert(row.id, row),
                Change::Remove(id) => rows.remove(&id),
            };
        }
        let mut rows: Vec<(Key, Row)> = rows.into_values().map(|row| (key_of(&row), row)).collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        self.keys = rows.iter().map(|(key, row)| (row.id, *key)).collect();
        let lows: Vec<Key> = rows.iter().step_by(FILL).map(|(key, _)| *key).collect();
        let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
        lows.into_iter()
            .zip(rows.chunks(FILL))
            .map(|(low, rows)| Arc::new(Chunk::of(low, rows)))
            .collect()
    }

    fn change(&mut self, edit: &mut Edit, change: Change) {
        match change {
            Change::Put(row) => {
                let key = key_of(&row);
                match self.keys.insert(row.id, key) {
                    Some(old) if old == key => edit.replace(key, &row),
                    Some(old) => {
                        edit.remove(old);
                        edit.insert(key, &row);
                    }
                    None => edit.insert(key, &row),
                }
            }
            Change::Remove(id) => {
                if let Some(key) = self.keys.remove(&id) {
                    edit.remove(key);
                }
            }
        }
    }
}

fn key_of(row: &Row) -> Key {
    (hilbert(row.place), row.number)
}

/// Chunks on their way to the next snapshot.
struct Edit {
    chunks: Vec<Arc<Chunk>>,
    /// Low keys of the chunks that were written, which need their zone again.
    touched: BTreeSet<Key>,
}

impl Edit {
    fn replace(&mut self, key: Key, row: &Row) {
        let chunk = self.own(key);
        if let Some(slot) = chunk.slot_of(key.1) {
            chunk.put(slot, row);
            chunk.rezone_block(slot / LANES);
        }
    }

    fn remove(&mut self, key: Key) {
        let chunk = self.own(key);
        if let Some(slot) = chunk.slot_of(key.1) {
            chunk.clear(slot);
            chunk.rezone_block(slot / LANES);
        }
    }

    fn insert(&mut self, key: Key, row: &Row) {
        if self.chunks[self.chunk_of(key)].free_slot().is_none() {
            self.split(self.chunk_of(key));
        }
        let chunk = self.own(key);
        if let Some(slot) = chunk.free_slot() {
            chunk.put(slot, row);
            chunk.rezone_block(slot / LANES);
        }
    }

    /// Makes two chunks of a full one, the lower and the upper half of its keys.
    fn split(&mut self, place: usize) {
        let full = &self.chunks[place];
        let mut rows = full.rows();
        rows.sort_unstable_by_key(key_of);
        let upper = rows.split_off(rows.len() / 2);
        let low = upper.first().map_or(full.low, key_of);
        let halves = [
            Arc::new(Chunk::of(full.low, &rows)),
            Arc::new(Chunk::of(low, &upper)),
        ];
        self.chunks.splice(place..=place, halves);
    }

    /// The chunk of a key, copied if a reader may still look at it.
    fn own(&mut self, key: Key) -> &mut Chunk {
        let place = self.chunk_of(key);
        let low = self.chunks[place].low;
        self.touched.insert(low);
        Arc::make_mut(&mut self.chunks[place])
    }

    fn chunk_of(&self, key: Key) -> usize {
        self.chunks
            .partition_point(|chunk| chunk.low <= key)
            .saturating_sub(1)
    }

    fn finish(mut self) -> Vec<Arc<Chunk>> {
        for low in std::mem::take(&mut self.touched) {
            let place = self.chunk_of(low);
            Arc::make_mut(&mut self.chunks[place]).rezone();
        }
        self.chunks
    }
}
