//! Tells words that carry an id of the provider's kind, also of one that is not known here: a line that names another house's payout is no
//! payout of this one, whatever its amount.

use std::collections::HashSet;

use crate::compare::Known;

/// Letters and digits behind `PO` without its `_`, which makes them an id: `PO BOX 12` is none.
const PARTED_MIN: usize = 8;
/// Letters and digits behind `po` in one word.
const GLUED_MIN: usize = 16;

/// How ids begin: `po` of `po_4085338924aadb71`.
pub(crate) struct IdMarks<'a> {
    /// Of payouts: banks write them anew, as `PO-4085` or `PO 4085`.
    payouts: HashSet<&'a str>,
    all: HashSet<&'a str>,
}

impl<'a> IdMarks<'a> {
    pub(crate) fn new(known: &[&'a Known]) -> Self {
        let of = |is: fn(&Known) -> bool| {
            let ids = known.iter().filter(|one| is(one));
            let beginnings = ids.filter_map(|one| one.id.split_once('_'));
            beginnings.map(|(beginning, _)| beginning).collect()
        };
        Self {
            payouts: of(|one| one.is_paid_out),
            all: of(|_| true),
        }
    }

    /// Ids that words carry, whole or cut, as letters and digits: `po4085`.
    pub(crate) fn list(&self, words: &str) -> Vec<String> {
        let words = words.to_lowercase();
        let runs: Vec<(usize, &str)> = words
            .split(|sign: char| !sign.is_alphanumeric())
            .map(|run| (run.as_ptr() as usize - words.as_ptr() as usize, run))
            .filter(|(_, run)| !run.is_empty())
            .collect();
        let followed = runs.iter().zip(runs.iter().skip(1).map(Some).chain([None]));
        let found = followed.filter_map(|((at, run), next)| {
            let is_marked = words[at + run.len()..].starts_with('_');
            self.read_id(run, next.map(|(_, next)| *next).unwrap_or_default(), is_marked)
        });
        found.collect()
    }

    fn read_id(&self, run: &str, next: &str, is_marked: bool) -> Option<String> {
        let has_digit = |text: &str| text.contains(|sign: char| sign.is_ascii_digit());
        let marked = self.all.iter().find(|beginning| run.ends_with(*beginning));
        if let Some(beginning) = marked.filter(|_| is_marked && !next.is_empty()) {
            return Some(format!("{beginning}{next}"));
        }
        if self.payouts.contains(run) && next.len() >= PARTED_MIN && has_digit(next) {
            return Some(format!("{run}{next}"));
        }
        let mut payouts = self.payouts.iter();
        let is_glued = payouts.any(|beginning| {
            let rest = run.strip_prefix(beginning);
            rest.is_some_and(|rest| rest.len() >= GLUED_MIN && has_digit(rest))
        });
        is_glued.then(|| run.to_owned())
    }
}

/// Whether an id may be the one that words carry, whole or cut.
pub(crate) fn is_begun(id: &str, carried: &str) -> bool {
    let letters = id
        .chars()
        .filter(|sign| sign.is_alphanumeric())
        .flat_map(char::to_lowercase);
    letters.collect::<String>().starts_with(carried)
}
