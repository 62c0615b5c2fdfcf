//! Finds ids in the words of a bank: banks cut references, part them over two lines, and replace what their alphabet lacks (SEPA has
//! no `_`).

use std::collections::HashMap;

/// So many letters and digits of an id name it, where they begin no other one: `po_` and eight.
const CUT_MIN: usize = 10;

/// Ids that words may name.
pub(crate) struct Ids<'a> {
    names: Vec<&'a str>,
    /// Letters and digits of each, in small letters.
    squeezed: Vec<Vec<char>>,
    /// Ids of at least [`CUT_MIN`] letters, by their first ones.
    by_beginning: HashMap<Vec<char>, Vec<usize>>,
    short: Vec<usize>,
}

/// What words name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Named {
    /// Places of the ids, in the order of the words, each once.
    pub whole: Vec<usize>,
    /// Ids of which the words hold the beginning alone; several where it begins several.
    pub cut: Vec<usize>,
}

impl<'a> Ids<'a> {
    pub(crate) fn new(ids: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = ids.collect();
        let squeezed: Vec<Vec<char>> = names.iter().map(|id| squeeze(id).0).collect();
        let mut by_beginning: HashMap<Vec<char>, Vec<usize>> = HashMap::new();
        let mut short = Vec::new();
        for (place, id) in squeezed.iter().enumerate() {
            match id.get(..CUT_MIN) {
                Some(beginning) => by_beginning.entry(beginning.to_vec()).or_default().push(place),
                None => short.push(place),
            }
        }
        Self {
            names,
            squeezed,
            by_beginning,
            short,
        }
    }

    /// The ids that words name.
    pub(crate) fn named(&self, words: &str) -> Named {
        let (letters, ends) = squeeze(words);
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut cut: Vec<usize> = Vec::new();
        for at in 0..letters.len().saturating_sub(CUT_MIN - 1) {
            let Some(places) = self.by_beginning.get(&letters[at..at + CUT_MIN]) else {
                continue;
            };
            let mut longest = 0;
            for place in places {
                let id = &self.squeezed[*place];
                let same = id
                    .iter()
                    .zip(&letters[at..])
                    .take_while(|(one, other)| one == other)
                    .count();
                // What follows in the same word belongs to another id, unless a whole id is as long as the bank glued on.
                let ends_here = ends.get(at + same - 1).copied().unwrap_or(true);
                if same == id.len() && ends_here {
                    found.push((at, *place));
                } else if ends_here && same >= longest {
                    if same > longest {
                        cut.retain(|other| !places.contains(other));
                    }
                    longest = same;
                    cut.push(*place);
                }
            }
        }
        let short = self
            .short
            .iter()
            .filter_map(|place| Some((find_whole_word(words, self.names[*place])?, *place)));
        found.extend(short);
        found.sort_unstable();
        let mut whole: Vec<usize> = Vec::new();
        for (_, place) in found {
            if !whole.contains(&place) {
                whole.push(place);
            }
        }
        cut.sort_unstable();
        cut.dedup();
        cut.retain(|place| !whole.contains(place));
        Named { whole, cut }
    }
}

/// Letters and digits in small letters, and of each whether its word ends with it.
fn squeeze(words: &str) -> (Vec<char>, Vec<bool>) {
    let (mut letters, mut ends) = (Vec::new(), Vec::new());
    for sign in words.chars() {
        if sign.is_alphanumeric() {
            letters.extend(sign.to_lowercase());
            ends.resize(letters.len(), false);
        } else if let Some(end) = ends.last_mut() {
            *end = true;
        }
    }
    if let Some(end) = ends.last_mut() {
        *end = true;
    }
    (letters, ends)
}

/// Where words hold an id as a word of its own: `po_12` does not name `po_1`.
fn find_whole_word(words: &str, id: &str) -> Option<usize> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    words.match_indices(id).map(|(at, _)| at).find(|at| {
        let before = words[..*at].chars().next_back();
        let after = words[at + id.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "po_4085338924aadb71ecca0e26";
    const SECOND: &str = "po_4085338924ffdb71ecca0e26";
    const OTHER: &str = "po_9985338924aadb71ecca0e26";

    #[test]
    fn ids_are_found_cut_and_punctuated_anew() {
        let ids = Ids::new([FIRST, SECOND, OTHER].into_iter());
        let whole = |places: &[usize]| Named {
            whole: places.to_vec(),
            cut: Vec::new(),
        };
        let cut = |places: &[usize]| Named {
            whole: Vec::new(),
            cut: places.to_vec(),
        };
        for (words, expected) in [
            ("STRIPE po_4085338924aadb71ecca0e26", whole(&[0])),
            ("STRIPE PO-4085338924AADB71ECCA0E26 PAYOUT", whole(&[0])),
            ("po_408533892 4aadb71ecca0e26", whole(&[0])),
            ("REMI/po 4085338924aadb71ecca0e26/EREF/x", whole(&[0])),
            ("po4085338924aadb71ecca0e26", whole(&[0])),
            (
                "po_4085338924aadb71ecca0e26,po_9985338924aadb71ecca0e26",
                whole(&[0, 2]),
            ),
            (
                "po_9985338924aadb71ecca0e26 po_4085338924aadb71ecca0e26",
                whole(&[2, 0]),
            ),
            ("STRIPE po_4085338924aa", cut(&[0])),
            ("STRIPE PO 99853389", cut(&[2])),
            ("STRIPE po_408533892", cut(&[0, 1])),
            ("STRIPE po_4085338924aadb71ecca0e26ff", Named::default()),
            ("STRIPE po_4085338924bb", Named::default()),
            ("STRIPE po_99", Named::default()),
            ("rent", Named::default()),
            ("", Named::default()),
        ] {
            assert_eq!(ids.named(words), expected, "{words}");
        }
    }

    #[test]
    fn short_ids_are_whole_words() {
        let ids = Ids::new(["po_1", "po_12"].into_iter());
        assert_eq!(ids.named("STRIPE-po_1/11").whole, [0]);
        assert_eq!(ids.named("STRIPE po_12").whole, [1]);
        assert_eq!(ids.named("xpo_1").whole, [0_usize; 0]);
    }
}
