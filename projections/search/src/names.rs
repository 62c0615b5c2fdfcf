//! Names of places or listings: a sorted dictionary of words, each with the entries that hold it, entries numbered from
//! the best ranked on, so that lists of entries are already in the order of results. A prefix is one run of words; a word
//! with a typo is looked up with an automaton of distance one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::ops::Range;

use fst::{IntoStreamer, Streamer};
use levenshtein_automata::{DFA, LevenshteinAutomatonBuilder};

use super::words::{Word, spelled_out, stored, typed};

/// Words this long may hold a typo.
const TYPO_LETTERS: usize = 4;

/// One thing with names.
#[derive(Debug, Clone)]
pub struct Named {
    pub number: u32,
    /// The larger, the earlier.
    pub rank: u64,
    pub names: Vec<String>,
}

/// A set of listing numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberSet {
    words: Vec<u64>,
}

impl NumberSet {
    pub fn has(&self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, number % 64);
        self.words.get(word).is_some_and(|word| word >> bit & 1 == 1)
    }

    pub fn insert(&mut self, number: u32) {
        let (word, bit) = (number as usize / 64, number % 64);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    /// Takes out what is in `other`.
    pub fn subtract(&mut self, other: &Self) {
        for (word, gone) in self.words.iter_mut().zip(&other.words) {
            *word &= !gone;
        }
    }

    /// Takes in what is in `other`.
    pub fn unite(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }
}

/// Listings whose name matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameHits {
    pub all: NumberSet,
    /// Those that hold the last word as typed, not only as a beginning.
    pub whole: NumberSet,
}

/// A name as it is compared whole: its words, as typed.
fn whole(name: &str) -> String {
    let words: Vec<String> = typed(name).into_iter().map(|word| word.text).collect();
    words.join(" ")
}

/// An unchanging dictionary; names change rarely, so it is rebuilt as a whole.
pub struct Names {
    words: fst::Map<Vec<u8>>,
    /// Entries by word, best first.
    holders: Vec<Box<[u32]>>,
    /// Words by entry, ascending.
    held: Vec<Box<[u32]>>,
    /// The thing's own number by entry.
    numbers: Vec<u32>,
    /// Entries by a whole name as people type it, best first.
    wholes: HashMap<String, Vec<u32>>,
    typos: LevenshteinAutomatonBuilder,
}

impl Names {
    pub fn build(mut things: Vec<Named>) -> Self {
        things.sort_by_key(|thing| (Reverse(thing.rank), thing.number));
        let mut dictionary: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (entry, thing) in (0_u32..).zip(&things) {
            for word in thing.names.iter().flat_map(|name| stored(name)) {
                let holders = dictionary.entry(word).or_default();
                if holders.last() != Some(&entry) {
                    holders.push(entry);
                }
            }
        }
        let mut held: Vec<Vec<u32>> = vec![Vec::new(); things.len()];
        for (word, holders) in (0_u32..).zip(dictionary.values()) {
            for entry in holders {
                held[*entry as usize].push(word);
            }
        }
        let mut wholes: HashMap<String, Vec<u32>> = HashMap::new();
        for (entry, thing) in (0_u32..).zip(&things) {
            let spelled = thing.names.iter().filter_map(|name| spelled_out(name));
            let mut known: Vec<String> = thing.names.iter().map(|name| whole(name)).collect();
            known.extend(spelled.map(|name| whole(&name)));
            // Two names of one thing may be the same word: it is found once.
            known.sort_unstable();
            known.dedup();
            for name in known {
                wholes.entry(name).or_default().push(entry);
            }
        }
        let keys = dictionary.keys().zip(0_u64..);
        Self {
            // Keys of a B-tree are sorted and differ, which is all that building can fail on.
            words: fst::Map::from_iter(keys).unwrap_or_default(),
            holders: dictionary.into_values().map(Vec::into_boxed_slice).collect(),
            held: held.into_iter().map(Vec::into_boxed_slice).collect(),
            numbers: things.iter().map(|thing| thing.number).collect(),
            wholes,
            typos: LevenshteinAutomatonBuilder::new(1, true),
        }
    }

    /// The best things for a text being typed, at most `room`; what is called just that comes first, however small.
    pub fn suggest(&self, text: &str, spelling: Spelling, room: usize) -> Vec<u32> {
        let found = self.suggest_written(text, spelling, room);
        match spelled_out(text).filter(|_| found.is_empty()) {
            Some(spelled) => self.suggest_written(&spelled, spelling, room),
            None => found,
        }
    }

    fn suggest_written(&self, text: &str, spelling: Spelling, room: usize) -> Vec<u32> {
        let words = typed(text);
        let misspelt = spelling == Spelling::OneTypo && words.iter().any(may_be_misspelt);
        let mut entries = self.wholes.get(&whole(text)).cloned().unwrap_or_default();
        let named = entries.len();
        for entry in self.best(&self.needs(&words, Spelling::AsTyped), room) {
            if !entries[..named].contains(&entry) {
                entries.push(entry);
            }
        }
        entries.truncate(room);
        if misspelt && entries.len() < room {
            let more = self.best(&self.needs(&words, Spelling::OneTypo), room);
            entries.extend(
                more.iter()
                    .filter(|entry| !entries.contains(entry))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            entries.truncate(room);
        }
        entries
            .into_iter()
            .map(|entry| self.numbers[entry as usize])
            .collect()
    }

    /// Every thing whose name holds the words of a text, the last of them perhaps unfinished; with one typo when no
    /// name holds them as typed.
    pub fn find(&self, text: &str) -> NameHits {
        let words = typed(text);
        let needs = self.needs(&words, Spelling::AsTyped);
        let mut entries = self.all(&needs);
        if entries.is_empty() {
            entries = self.all(&self.needs(&words, Spelling::OneTypo));
        }
        let whole = words.last().and_then(|last| self.words.get(&last.text));
        let mut hits = NameHits::default();
        for entry in entries {
            let number = self.numbers[entry as usize];
            hits.all.insert(number);
            if whole.is_some_and(|word| self.holds(entry, word..word + 1)) {
                hits.whole.insert(number);
            }
        }
        hits
    }

    /// What each typed word may stand for; the last may be unfinished.
    fn needs(&self, words: &[Word], spelling: Spelling) -> Vec<Need> {
        let last = words.len().saturating_sub(1);
        let needs = words.iter().enumerate().map(|(place, word)| {
            let unfinished = place == last || word.cjk;
            if spelling == Spelling::OneTypo && may_be_misspelt(word) {
                let automaton = if unfinished {
                    self.typos.build_prefix_dfa(&word.text)
                } else {
                    self.typos.build_dfa(&word.text)
                };
                return Need {
                    runs: self.runs_of(&automaton),
                };
            }
            let from = self.word_from(word.text.as_bytes());
            let to = if unfinished {
                self.word_from(&behind(&word.text))
            } else {
                from + u64::from(self.words.contains_key(&word.text))
            };
            Need {
                runs: (from < to).then_some(from..to).into_iter().collect(),
            }
        });
        needs.collect()
    }

    /// Number of the first word not before `key`.
    fn word_from(&self, key: &[u8]) -> u64 {
        let next = self
            .words
            .range()
            .ge(key)
            .into_stream()
            .next()
            .map(|(_, word)| word);
        next.unwrap_or(self.holders.len() as u64)
    }

    fn runs_of(&self, automaton: &DFA) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        let mut stream = self.words.search(automaton).into_stream();
        while let Some((_, word)) = stream.next() {
            match runs.last_mut() {
                Some(run) if run.end == word => run.end += 1,
                Some(_) | None => runs.push(word..word + 1),
            }
        }
        runs
    }

    /// The best entries that satisfy all needs: the rarest need gives candidates in order, the others check them.
    fn best(&self, needs: &[Need], room: usize) -> Vec<u32> {
        let Some(rarest) = self.rarest(needs) else {
            return Vec::new();
        };
        let mut waiting: BinaryHeap<Reverse<(u32, u64, usize)>> = needs[rarest]
            .words()
            .filter_map(|word| Some(Reverse((*self.holders[index(word)].first()?, word, 0))))
            .collect();
        let mut entries: Vec<u32> = Vec::with_capacity(room);
        let mut previous = None;
        while let Some(Reverse((entry, word, place))) = waiting.pop()
            && entries.len() < room
        {
            if previous != Some(entry) && self.satisfies(entry, needs, rarest) {
                entries.push(entry);
            }
            previous = Some(entry);
            if let Some(next) = self.holders[index(word)].get(place + 1) {
                waiting.push(Reverse((*next, word, place + 1)));
            }
        }
        entries
    }

    fn all(&self, needs: &[Need]) -> HashSet<u32> {
        let Some(rarest) = self.rarest(needs) else {
            return HashSet::new();
        };
        let candidates = needs[rarest]
            .words()
            .flat_map(|word| self.holders[index(word)].iter().copied());
        candidates
            .filter(|entry| self.satisfies(*entry, needs, rarest))
            .collect()
    }

    /// The need that fewest entries satisfy; `None` when there is no need at all.
    fn rarest(&self, needs: &[Need]) -> Option<usize> {
        let holders = |need: &Need| {
            need.words()
                .map(|word| self.holders[index(word)].len())
                .sum::<usize>()
        };
        (0..needs.len()).min_by_key(|place| holders(&needs[*place]))
    }

    fn satisfies(&self, entry: u32, needs: &[Need], but: usize) -> bool {
        let mut others = needs.iter().enumerate().filter(|(place, _)| *place != but);
        others.all(|(_, need)| need.runs.iter().any(|run| self.holds(entry, run.clone())))
    }

    fn holds(&self, entry: u32, run: Range<u64>) -> bool {
        let words = &self.held[entry as usize];
        let first = words.partition_point(|word| u64::from(*word) < run.start);
        words.get(first).is_some_and(|word| u64::from(*word) < run.end)
    }
}

/// Whether typos are allowed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    AsTyped,
    /// One wrong, missing, added or swapped letter in each longer word; what is typed right comes first all the same.
    OneTypo,
}

/// Runs of dictionary words, any of which will do.
struct Need {
    runs: Vec<Range<u64>>,
}

impl Need {
    fn words(&self) -> impl Iterator<Item = u64> {
        self.runs.iter().cloned().flatten()
    }
}

fn may_be_misspelt(word: &Word) -> bool {
    !word.cjk && word.text.chars().count() >= TYPO_LETTERS
}

/// The least key behind everything that begins with `prefix`.
fn behind(prefix: &str) -> Vec<u8> {
    let mut key = prefix.as_bytes().to_vec();
    if let Some(last) = key.last_mut() {
        // No byte of UTF-8 is 0xff.
        *last += 1;
    }
    key
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers of words come from the length of a vector"
)]
fn index(word: u64) -> usize {
    word as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Names {
        let ranks = (0_u32..).zip((0..100_u64).rev());
        Names::build(
            ranks
                .zip(all)
                .map(|((number, rank), name)| Named {
                    number,
                    rank,
                    names: vec![(*name).to_owned()],
                })
                .collect(),
        )
    }

    /// The better ranked comes first and words may come in any order.
    #[test]
    fn better_ranked_names_come_first_in_any_word_order() {
        let names = names(&[
            "London",
            "Londonderry",
            "University of London",
            "Manchester",
            "University of Manchester",
        ]);
        assert_eq!(names.suggest("lon", Spelling::OneTypo, 5), [0, 1, 2]);
        assert_eq!(names.suggest("london univ", Spelling::OneTypo, 5), [2]);
        assert_eq!(names.suggest("of man", Spelling::OneTypo, 5), [4]);
        assert_eq!(names.suggest("lon", Spelling::OneTypo, 1), [0]);
        assert!(names.suggest("lonson", Spelling::AsTyped, 5).is_empty());
    }

    #[test]
    fn one_wrong_missing_or_swapped_letter_is_forgiven() {
        let names = names(&["Manchester", "Leeds", "University of Manchester"]);
        for typed in [
            "manxhester",
            "manchster",
            "mnachester",
            "Manchestre",
            "universty of manch",
        ] {
            assert!(!names.suggest(typed, Spelling::OneTypo, 5).is_empty(), "{typed}");
        }
        assert_eq!(names.suggest("lee", Spelling::OneTypo, 5), [1]);
        assert!(names.suggest("xyz", Spelling::OneTypo, 5).is_empty());
        assert!(names.suggest("", Spelling::OneTypo, 5).is_empty());
    }

    #[test]
    fn chinese_names_are_found_by_any_two_characters() {
        let names = names(&["曼彻斯特大学", "伦敦大学学院"]);
        assert_eq!(names.suggest("大学", Spelling::OneTypo, 5), [0, 1]);
        assert_eq!(names.suggest("彻斯", Spelling::OneTypo, 5), [0]);
    }

    #[test]
    fn a_thing_with_one_name_twice_is_suggested_once() {
        let names = Names::build(vec![Named {
            number: 7,
            rank: 1,
            names: ["London", "伦敦", "倫敦"].map(str::to_owned).into(),
        }]);
        assert_eq!(names.suggest("伦敦", Spelling::AsTyped, 5), [7]);
    }

    #[test]
    fn umlauts_are_found_as_one_letter_and_as_two() {
        let names = names(&["Köln", "Aarhus", "Gießen"]);
        for (typed, found) in [
            ("koln", 0),
            ("KOELN", 0),
            ("köln", 0),
            ("århus", 1),
            ("giessen", 2),
            ("gießen", 2),
        ] {
            assert_eq!(names.suggest(typed, Spelling::AsTyped, 5), [found], "{typed}");
        }
    }

    #[test]
    fn whole_words_are_told_from_beginnings() {
        let hits = names(&["Court House", "Courtyard Lofts", "Mill"]).find("court");
        assert!(hits.all.has(0) && hits.all.has(1) && !hits.all.has(2));
        assert!(hits.whole.has(0) && !hits.whole.has(1));
    }
}
