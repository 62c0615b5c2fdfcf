//! Compares a statement with payouts and movements of the provider, line by line.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;

use crate::id_marks::{IdMarks, is_begun};
use crate::reference::{Ids, Named};
use crate::{AccountOf, Entry, NotRead, Reason, Statement, Status, Uncovered};

mod account;

pub use account::{check_account, find_account};

/// Days between the arrival that the provider tells and the bank's entry, where the amount alone says that they are the same.
const DAYS_NEAR: i64 = 14;

/// A payout or movement of the provider. The movement by which a payout left the provider's account has the payout's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub id: String,
    pub amount_minor: i64,
    pub currency: String,
    pub day: NaiveDate,
    /// Expected in a bank's file.
    pub is_paid_out: bool,
    /// A payout, wherever it stands; else a movement.
    pub is_payout: bool,
}

/// What a line is beside the provider's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Matched,
    Differing,
    /// In the file alone.
    Unknown,
    /// Announced by the bank, not yet booked.
    Pending,
    /// Told by the bank for information: no money moved.
    Informational,
    /// Arrived by the provider's word, and not in the file.
    Missing,
    /// A person matched it to a payout.
    ByHand,
    /// A person said what it is instead.
    Explained,
}

impl Verdict {
    pub const ALL: [Self; 8] = [
        Self::Matched,
        Self::Differing,
        Self::Unknown,
        Self::Pending,
        Self::Informational,
        Self::Missing,
        Self::ByHand,
        Self::Explained,
    ];

    /// As the answer names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Matched => "matched",
            Self::Differing => "differing",
            Self::Unknown => "unknown",
            Self::Pending => "pending",
            Self::Informational => "informational",
            Self::Missing => "missing",
            Self::ByHand => "by_hand",
            Self::Explained => "explained",
        }
    }
}

/// Decisions of people, which a comparison does not question.
#[derive(Debug, Clone, Default)]
pub struct ByHand {
    /// Of this statement, by the entry's place: its payout, or none where it is something else.
    pub lines: BTreeMap<usize, Option<String>>,
    /// Every payout that was matched by hand, in whichever statement: it arrived.
    pub payouts: BTreeSet<String>,
}

/// By what a line was found at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// Its words name it.
    Id,
    /// It names nothing, and one payout near its day has its amount.
    Amount,
}

impl FoundBy {
    pub const ALL: [Self; 2] = [Self::Id, Self::Amount];

    /// As the answer names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Amount => "amount",
        }
    }
}

/// A line of the file, or a payout that it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its entry's place in the file, from 0; a batch's parts are entries of their own. `None` for what the file lacks.
    pub place: Option<usize>,
    /// In the file; `None` for what it lacks.
    pub line: Option<usize>,
    pub day: NaiveDate,
    pub amount_minor: i64,
    pub currency: String,
    pub decimals: u32,
    pub reference: String,
    pub verdict: Verdict,
    /// The payouts or movements that it is.
    pub sources: Vec<String>,
    /// `None` where it is nothing at the provider, or missing in the file.
    pub by: Option<FoundBy>,
    /// What they come to at the provider.
    pub there_minor: Option<i64>,
}

/// A row that is no entry, with the payout that its words name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddRow {
    pub row: NotRead,
    pub source: Option<String>,
}

/// A statement compared: its lines in their own order, then what it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    pub lines: Vec<Line>,
    pub odd: Vec<OddRow>,
    /// Why nothing is said of missing payouts; `None` where all of the file is covered.
    pub uncovered: Option<Uncovered>,
}

impl Comparison {
    /// How many lines have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.lines.iter().filter(|line| line.verdict == verdict).count()
    }
}

/// Compares each entry, then says what is missing of the days and currencies that the statement covers.
pub fn compare(statement: Statement, known: &[Known], by_hand: &ByHand) -> Comparison {
    // A payout that goes out of the account of which nothing is said has not arrived.
    let account = find_account(&statement, known).unwrap_or(AccountOf::Bank);
    let known = match account {
        AccountOf::Bank => Cow::Borrowed(known),
        AccountOf::Provider => Cow::Owned(turn_payouts(known)),
    };
    let mut judge = Judge::new(account, &known);
    for payout in &by_hand.payouts {
        judge.use_up_payout(payout);
    }
    // A booked entry takes its payout before one that was announced earlier in the file, and an arrival before a return, which the
    // newest entries may be.
    let mut order: Vec<usize> = (0..statement.entries.len()).collect();
    order.sort_by_cached_key(|place| {
        let entry = &statement.entries[*place];
        (entry.status != Status::Booked, !judge.is_arrival(entry))
    });
    let mut lines: Vec<(usize, Line)> = Vec::new();
    for place in order {
        let entry = &statement.entries[place];
        let judged = match by_hand.lines.get(&place) {
            Some(payout) => vec![judge.show_decided(entry, payout.as_deref())],
            None => judge.judge(entry),
        };
        lines.extend(judged.into_iter().map(|line| (place, line)));
    }
    lines.sort_by_key(|(place, _)| *place);
    let placed = |(place, line): (usize, Line)| Line {
        place: Some(place),
        ..line
    };
    let mut lines: Vec<Line> = lines.into_iter().map(placed).collect();
    let odd: Vec<OddRow> = statement
        .not_read
        .into_iter()
        .map(|row| judge.name_odd(row))
        .collect();
    let is_covered = |one: &Known| {
        statement.covered.iter().any(|covered| {
            covered.currency == one.currency && (covered.first..=covered.last).contains(&one.day)
        })
    };
    let known = judge.known.iter().enumerate();
    let lacking =
        known.filter(|(place, one)| one.is_paid_out && !judge.used.contains(place) && is_covered(one));
    lines.extend(lacking.map(|(_, one)| Line {
        place: None,
        line: None,
        day: one.day,
        amount_minor: one.amount_minor,
        decimals: crate::Unit::from_code(&one.currency).map_or(2, |unit| unit.decimals),
        currency: one.currency.clone(),
        reference: String::new(),
        verdict: Verdict::Missing,
        sources: vec![one.id.clone()],
        by: None,
        there_minor: Some(one.amount_minor),
    }));
    Comparison {
        lines,
        odd,
        uncovered: statement.uncovered,
    }
}

/// What is known as the provider's own account has it: there a payout leaves, also where its movement is not listed yet.
fn turn_payouts(known: &[Known]) -> Vec<Known> {
    let movements = known.iter().filter(|one| !one.is_payout);
    let moved: HashSet<&str> = movements.map(|one| one.id.as_str()).collect();
    let turn = |one: &Known| {
        let leaves = one.is_payout && !moved.contains(one.id.as_str());
        Known {
            amount_minor: one.amount_minor * if leaves { -1 } else { 1 },
            ..one.clone()
        }
    };
    known.iter().map(turn).collect()
}

struct Judge<'a> {
    ids: Ids<'a>,
    marks: IdMarks<'a>,
    known: Vec<&'a Known>,
    by_amount: HashMap<i64, Vec<usize>>,
    by_id: HashMap<&'a str, Vec<usize>>,
    /// Payouts and movements that an entry is already.
    used: HashSet<usize>,
}

impl<'a> Judge<'a> {
    /// Over what a file may list: to a bank a payout is the arrival alone, also where it came back; the provider lists its movements too.
    fn new(account: AccountOf, known: &'a [Known]) -> Self {
        let payouts = known.iter().filter(|one| one.is_payout);
        let payouts: HashSet<&str> = payouts.map(|one| one.id.as_str()).collect();
        let is_listed = |one: &&Known| {
            account == AccountOf::Provider || one.is_payout || !payouts.contains(one.id.as_str())
        };
        let known: Vec<&Known> = known.iter().filter(is_listed).collect();
        let mut by_amount: HashMap<i64, Vec<usize>> = HashMap::new();
        for (place, one) in known.iter().enumerate().filter(|(_, one)| one.is_paid_out) {
            by_amount.entry(one.amount_minor).or_default().push(place);
        }
        let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, one) in known.iter().enumerate() {
            by_id.entry(one.id.as_str()).or_default().push(place);
        }
        Self {
            ids: Ids::new(known.iter().map(|one| one.id.as_str())),
            marks: IdMarks::new(&known),
            known,
            by_amount,
            by_id,
            used: HashSet::new(),
        }
    }

    /// Whether an entry names a payout and has its amount.
    fn is_arrival(&self, entry: &Entry) -> bool {
        let Named { whole, cut } = self.ids.named(&entry.reference);
        let named = if whole.is_empty() { cut } else { whole };
        named
            .into_iter()
            .any(|place| self.known[place].is_paid_out && self.is_same(place, entry))
    }

    /// What an entry is, no other one is. With a payout all of its id is used, with one of its movements the payout.
    fn use_up(&mut self, place: usize) {
        let one = self.known[place];
        let of_id = self.by_id.get(one.id.as_str()).into_iter().flatten().copied();
        let alike = of_id.filter(|other| one.is_paid_out || self.known[*other].is_paid_out);
        self.used.extend(alike.chain([place]));
    }

    /// A payout that a person matched is neither another line's nor missing.
    fn use_up_payout(&mut self, payout_id: &str) {
        let places = self.by_id.get(payout_id).cloned().unwrap_or_default();
        self.used.extend(places);
    }

    /// The line of an entry that a person decided.
    fn show_decided(&self, entry: &Entry, payout_id: Option<&str>) -> Line {
        let places = payout_id.and_then(|id| self.by_id.get(id)).into_iter().flatten();
        let mut same = places
            .map(|place| self.known[*place])
            .filter(|one| one.currency == entry.unit.code);
        Line {
            verdict: payout_id.map_or(Verdict::Explained, |_| Verdict::ByHand),
            sources: payout_id.map(str::to_owned).into_iter().collect(),
            there_minor: same.next().map(|one| one.amount_minor),
            ..draw_line(entry)
        }
    }

    /// The line of an entry; one for each payout where it is the sum of several.
    fn judge(&mut self, entry: &Entry) -> Vec<Line> {
        let mut line = draw_line(entry);
        if entry.status == Status::Informational {
            line.verdict = Verdict::Informational;
            return vec![line];
        }
        let (found, by) = self.find(entry);
        line.by = (!found.is_empty()).then_some(by);
        for place in &found {
            self.use_up(*place);
        }
        let sum = self.sum(&found, entry);
        if entry.status == Status::Booked && found.len() > 1 && sum == Some(entry.amount_minor) {
            let parts = found.iter().map(|place| Line {
                amount_minor: self.known[*place].amount_minor,
                verdict: Verdict::Matched,
                sources: vec![self.known[*place].id.clone()],
                there_minor: Some(self.known[*place].amount_minor),
                ..line.clone()
            });
            return parts.collect();
        }
        line.verdict = match (entry.status, found.is_empty()) {
            (Status::Pending, _) => Verdict::Pending,
            (_, true) => Verdict::Unknown,
            _ if sum == Some(entry.amount_minor) => Verdict::Matched,
            _ => Verdict::Differing,
        };
        line.there_minor = sum;
        line.sources = found.iter().map(|place| self.known[*place].id.clone()).collect();
        vec![line]
    }

    /// What payouts come to, where all are of the entry's currency; of one payout its amount, whatever its currency.
    fn sum(&self, found: &[usize], entry: &Entry) -> Option<i64> {
        let is_same = |place: &usize| self.known[*place].currency == entry.unit.code;
        if !found.iter().all(is_same) || found.is_empty() {
            return None;
        }
        found.iter().try_fold(0_i64, |sum, place| {
            sum.checked_add(self.known[*place].amount_minor)
        })
    }

    /// By what the entry names; else the only payout of that amount near its day. An entry that names what an earlier one was already is
    /// no other.
    fn find(&self, entry: &Entry) -> (Vec<usize>, FoundBy) {
        let Named { whole, cut } = self.ids.named(&entry.reference);
        if !whole.is_empty() {
            return (self.of_words(whole, entry), FoundBy::Id);
        }
        if !cut.is_empty() {
            return (self.of_cut_words(cut, entry), FoundBy::Id);
        }
        (self.of_amount(entry), FoundBy::Amount)
    }

    /// Of the free ones that begin with what an entry names the one of its amount; else the only one.
    fn of_cut_words(&self, cut: Vec<usize>, entry: &Entry) -> Vec<usize> {
        let free: Vec<usize> = cut
            .into_iter()
            .filter(|place| !self.used.contains(place))
            .collect();
        let alike: Vec<usize> = free
            .iter()
            .copied()
            .filter(|place| self.is_same(*place, entry))
            .collect();
        match (&alike[..], &free[..]) {
            ([one], _) => vec![*one],
            (_, [one, others @ ..]) if others.iter().all(|other| self.is_of_id(*one, *other)) => vec![*one],
            _ => Vec::new(),
        }
    }

    /// The only payout of an entry's amount near its day. Words that carry an id are no payout of another id.
    fn of_amount(&self, entry: &Entry) -> Vec<usize> {
        let carried = self.marks.list(&entry.reference);
        let is_carried = |place: &usize| {
            let id = &self.known[*place].id;
            carried.is_empty() || carried.iter().any(|one| is_begun(id, one))
        };
        let is_near = |place: &usize| (self.known[*place].day - entry.day).num_days().abs() <= DAYS_NEAR;
        let of_amount = self.by_amount.get(&entry.amount_minor).into_iter().flatten();
        let alike: Vec<usize> = of_amount
            .copied()
            .filter(|place| !self.used.contains(place) && self.is_same(*place, entry))
            .filter(|place| is_near(place) && is_carried(place))
            .take(2)
            .collect();
        if alike.len() == 1 { alike } else { Vec::new() }
    }

    /// Of several that an entry names the one of its amount; else those that come to it; else the first.
    fn of_words(&self, named: Vec<usize>, entry: &Entry) -> Vec<usize> {
        let free: Vec<usize> = named
            .into_iter()
            .filter(|place| !self.used.contains(place))
            .collect();
        if let Some(one) = free.iter().find(|place| self.is_same(**place, entry)) {
            return vec![*one];
        }
        let payouts: Vec<usize> = free
            .iter()
            .copied()
            .filter(|place| self.known[*place].is_paid_out)
            .collect();
        if payouts.len() > 1 {
            payouts
        } else {
            free.into_iter().take(1).collect()
        }
    }

    fn is_of_id(&self, place: usize, other: usize) -> bool {
        self.known[place].id == self.known[other].id
    }

    fn is_same(&self, place: usize, entry: &Entry) -> bool {
        let one = &self.known[place];
        one.amount_minor == entry.amount_minor && one.currency == entry.unit.code
    }

    /// A payout that an odd row names is not missing: the row says what is to be looked at. It is no heading then.
    fn name_odd(&mut self, mut row: NotRead) -> OddRow {
        let named = self.ids.named(&row.text);
        let is_one = |first: &&usize| named.cut.iter().all(|other| self.is_of_id(**first, *other));
        let cut = named.cut.first().filter(is_one);
        let cut = cut.filter(|_| row.reason != Reason::Heading);
        let place = named.whole.first().or(cut).copied();
        let place = place.filter(|place| !self.used.contains(place));
        if let Some(place) = place {
            self.use_up(place);
        }
        if place.is_some() && row.reason == Reason::Heading {
            row.reason = Reason::Day;
        }
        OddRow {
            source: place.map(|place| self.known[place].id.clone()),
            row,
        }
    }
}

/// An entry of which nothing is known yet.
fn draw_line(entry: &Entry) -> Line {
    Line {
        place: None,
        line: Some(entry.line),
        day: entry.day,
        amount_minor: entry.amount_minor,
        currency: entry.unit.code.to_owned(),
        decimals: entry.unit.decimals,
        reference: entry.reference.clone(),
        verdict: Verdict::Unknown,
        sources: Vec::new(),
        by: None,
        there_minor: None,
    }
}

#[cfg(test)]
mod tests;
