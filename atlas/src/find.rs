//! Places of all countries by their names: a sorted list of keys in blocks, each key with the records that it names. A beginning of a name
//! opens the blocks in which keys begin so.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::Atlas;
use crate::key::fold;
use crate::pack::{Block, Holds};
use crate::place::{Kind, Place, read_record, read_states};

/// Blocks of keys that one text may open: a beginning in more names than these hold is not yet a name.
const BLOCKS_OPENED: usize = 12;

/// The kind of place that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    Cities,
    Universities,
}

impl Sought {
    const fn letter(self) -> char {
        match self {
            Self::Cities => 'C',
            Self::Universities => 'U',
        }
    }
}

/// A place that was found, with what it lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub place: Place,
    /// The city of a university or an area.
    pub city: Option<Place>,
    /// The state of a city.
    pub state: Option<Place>,
    /// Whether the text is a whole name of it, not only the beginning of one.
    pub is_whole: bool,
}

/// Where a record stands in the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    block: usize,
    row: usize,
}

/// A record that a key names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ref {
    kind: char,
    /// The greater, the earlier: the logarithm of a city's people.
    rank: char,
    at: Row,
}

impl Atlas {
    /// Places of which a text is the whole name, the largest first, without countries that `is_wanted` refuses by their code.
    pub fn find_named(
        &self,
        text: &str,
        sought: Sought,
        is_wanted: impl Fn(&str) -> bool,
        room: usize,
    ) -> Vec<Found> {
        let refs = self.refs_of(&fold(text)).into_iter();
        self.read_best(refs.map(|found| (true, found)), sought, is_wanted, room)
    }

    /// Places that a text names, or may become: those of that whole name first, then the largest, without countries that `is_wanted`
    /// refuses by their code.
    pub fn suggest(
        &self,
        text: &str,
        sought: Sought,
        is_wanted: impl Fn(&str) -> bool,
        room: usize,
    ) -> Vec<Found> {
        let key = fold(text);
        if key.is_empty() {
            return Vec::new();
        }
        self.read_best(self.refs_beginning(&key).into_iter(), sought, is_wanted, room)
    }

    /// Opens the best of the records that were found.
    fn read_best(
        &self,
        refs: impl Iterator<Item = (bool, Ref)>,
        sought: Sought,
        is_wanted: impl Fn(&str) -> bool,
        room: usize,
    ) -> Vec<Found> {
        let mut best: BTreeMap<Row, (bool, char)> = BTreeMap::new();
        for (is_whole, found) in refs {
            let country = self.country_of(found.at).filter(|code| is_wanted(code));
            if found.kind == sought.letter() && country.is_some() {
                let known = best.entry(found.at).or_insert((is_whole, found.rank));
                known.0 |= is_whole;
            }
        }
        let mut ranked: Vec<(Row, bool, char)> = best
            .into_iter()
            .map(|(at, (is_whole, rank))| (at, is_whole, rank))
            .collect();
        ranked.sort_by_key(|(at, is_whole, rank)| (Reverse(*is_whole), Reverse(*rank), *at));
        ranked.truncate(room);
        ranked
            .into_iter()
            .filter_map(|(at, is_whole, _)| self.read_row(at, is_whole))
            .collect()
    }

    /// The place with that canonical name, such as `oxford` or `oxford-ohio`.
    pub fn find_by_canonical_name(&self, canonical_name: &str) -> Option<Found> {
        let refs = self.refs_of(&fold(canonical_name));
        let mut found = refs.into_iter().filter_map(|found| self.read_row(found.at, true));
        found.find(|found| found.place.canonical_name == canonical_name)
    }

    /// The code of the country whose block holds a record; none for countries themselves.
    fn country_of(&self, at: Row) -> Option<&'static str> {
        match self.pack.blocks.get(at.block)?.holds {
            Holds::Places(code) => Some(code),
            Holds::Countries | Holds::Keys(_) => None,
        }
    }

    fn read_row(&self, at: Row, is_whole: bool) -> Option<Found> {
        let country = self.country_of(at)?;
        let text = self.pack.blocks.get(at.block)?.open();
        let (place, city) = read_record(country, &text, at.row)?;
        let state = match &place.kind {
            Kind::City { state, .. } => self.find_state(country, state),
            Kind::State { .. } | Kind::Area | Kind::University { .. } => None,
        };
        Some(Found {
            place,
            city,
            state,
            is_whole,
        })
    }

    /// The state with that code; states are the first records of their country.
    fn find_state(&self, country: &str, code: &str) -> Option<Place> {
        let is_own = |block: &&Block| matches!(block.holds, Holds::Places(own) if own == country);
        let first = self.pack.blocks.iter().find(is_own)?;
        let mut states = read_states(country, &first.open()).into_iter();
        states.find(|place| matches!(&place.kind, Kind::State { code: own } if own == code))
    }

    /// The records that a whole key names.
    fn refs_of(&self, key: &str) -> Vec<Ref> {
        let Some(block) = self.pack.keys_from(key).first() else {
            return Vec::new();
        };
        let text = block.open();
        let refs = text
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('\t'));
        refs.map(read_refs).unwrap_or_default()
    }

    /// The records whose keys begin with one, and whether it is the whole key.
    fn refs_beginning(&self, key: &str) -> Vec<(bool, Ref)> {
        let mut found = Vec::new();
        for block in self.pack.keys_from(key).iter().take(BLOCKS_OPENED) {
            if matches!(block.holds, Holds::Keys(first) if first > key && !first.starts_with(key)) {
                break;
            }
            let text = block.open();
            for (rest, refs) in text
                .lines()
                .filter_map(|line| line.strip_prefix(key)?.split_once('\t'))
            {
                found.extend(read_refs(refs).into_iter().map(|found| (rest.is_empty(), found)));
            }
        }
        found
    }
}

/// Reads `Cn123.45 Um7.3`: kind, rank, block and row of each record.
fn read_refs(text: &str) -> Vec<Ref> {
    let read = |written: &str| {
        let mut letters = written.chars();
        let (kind, rank) = (letters.next()?, letters.next()?);
        let (block, row) = letters.as_str().split_once('.')?;
        let at = Row {
            block: block.parse().ok()?,
            row: row.parse().ok()?,
        };
        Some(Ref { kind, rank, at })
    };
    text.split(' ').filter_map(read).collect()
}
